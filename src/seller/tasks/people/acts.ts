import { AppError } from '../../../platform/kernel/errors.js';
import type { App } from '../../context.js';

/** An act of a person: who, what, on which thing, and with what words. */
type Act = {
  readonly actor: string;
  /** Such as `approval.approve`. */
  readonly action: string;
  /** The id of what is acted on. */
  readonly subject: string;
  /** What was asked for; never a secret. */
  readonly detail?: string | undefined;
};

/** The name under which the commands of the command line act. */
export const COMMAND_LINE = 'command line';

/** The most characters of a detail that are stored. */
const MAX_DETAIL_CHARS = 1000;

/**
 * Carries out an act of a person and returns its outcome, or throws what it throws. Its beginning is on disk before it is carried out,
 * its end after that: an act with a beginning alone was cut off.
 */
export async function carryOutAct<T>(app: App, act: Act, run: () => Promise<T>): Promise<T> {
  const act_id = app.ids.uuid7();
  const detail = (act.detail ?? '').slice(0, MAX_DETAIL_CHARS);
  const entry = { act_id, actor: act.actor, action: act.action, subject: act.subject };
  await app.store.transact((tx) => tx.audit.add({ ...entry, at: app.clock.now(), phase: 'begun', detail }));
  const end = (phase: 'done' | 'refused', text: string) =>
    app.store.transact((tx) => tx.audit.add({ ...entry, at: app.clock.now(), phase, detail: text }));
  try {
    const outcome = await run();
    await end('done', detail);
    return outcome;
  } catch (error) {
    const reason = error instanceof AppError ? error.message : 'It failed unexpectedly; the log says why.';
    await end('refused', reason.slice(0, MAX_DETAIL_CHARS));
    throw error;
  }
}
