import type { SubmissionResult } from '../../../../creative/check/submission.js';
import { HOUR_MS, isoTime } from '../../../../platform/kernel/clock.js';
import { runSlices } from '../../../../platform/kernel/slices.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { App } from '../../../context.js';
import type { Creative } from '../../../domain/creative/creative.js';
import { judgeRecheck } from '../../../domain/creative/recheck.js';
import { findPrincipal } from '../../../domain/tenant/callers.js';
import { type Principal, readOwner } from '../../../domain/tenant/principal.js';
import { moveStoredCreative } from '../../../lifecycle/creatives.js';
import type { OwnedCreative } from '../../../store/creatives/rows.js';

/** How many creatives are looked at together. */
const BATCH = 20;
/** How long the creatives of a caller wait whom the tenant's file does not have. */
const GONE_PAUSE_MS = HOUR_MS;

/** Looks again at the files of creatives that nobody served before, where it is time; each creative and its buys move in a transaction of their own. */
export async function recheckFiles(app: App, isStopped: () => boolean = () => false): Promise<void> {
  await runSlices(async () => {
    const due = await app.store.read.creatives.unread(app.clock.now(), BATCH);
    for (const owner of new Set(due.map((row) => row.owner))) {
      if (isStopped()) return false;
      await recheckOwn(
        app,
        owner,
        due.filter((row) => row.owner === owner),
      );
    }
    return due.length === BATCH;
  }, isStopped);
}

async function recheckOwn(app: App, owner: string, due: readonly OwnedCreative[]): Promise<void> {
  const { tenant, principal: id } = readOwner(owner);
  const seller = app.sellers().get(tenant);
  const principal = seller && findPrincipal(seller, id, app.development);
  const unread = due.filter(({ creative }) => creative.hold?.kind === 'unread');
  const results = principal === undefined ? new Map() : await checkFiles(app, owner, principal, unread);
  for (const row of due) {
    await settleCreative(app, row, (creative, nowMs) => {
      const result = results.get(row);
      if (result !== undefined && principal !== undefined)
        return judgeRecheck(creative, result, principal.policies.creative_approval, nowMs);
      // Without files to look at there is nothing to wait for.
      if (creative.hold?.kind !== 'unread') return { ...creative, recheck: undefined };
      const attempts = creative.recheck?.attempts ?? 0;
      return { ...creative, recheck: { attempts, at: isoTime(nowMs + GONE_PAUSE_MS) } };
    });
  }
}

async function checkFiles(
  app: App,
  owner: string,
  principal: Principal,
  rows: readonly OwnedCreative[],
): Promise<ReadonlyMap<OwnedCreative, SubmissionResult>> {
  const renderer = app.renderer();
  const results = new Map<OwnedCreative, SubmissionResult>();
  const submissions = rows.flatMap((row) => {
    const { assets, creative_id, format_id } = row.creative;
    const format = renderer.catalog.find(format_id);
    if (format === undefined) results.set(row, { error: formatGone(), warnings: [] });
    return format === undefined ? [] : [{ row, format, assets, field: creative_id }];
  });
  const { checkSubmissions } = await import('../../../../creative/check/submission.js');
  const local = app.development && principal.sandbox;
  const judged = await checkSubmissions(renderer, submissions, { owner, nowMs: app.clock.nowOf(owner), local });
  for (const [index, { row }] of submissions.entries()) results.set(row, judged[index] ?? { warnings: [] });
  return results;
}

function formatGone(): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', 'The seller takes creatives of this format no longer.', {
    suggestion: 'Send one in a format of list_creative_formats.',
  });
}

/** Stores what became of a creative, unless its buyer or a person was faster. */
async function settleCreative(
  app: App,
  { owner, creative: seen }: OwnedCreative,
  judge: (creative: Creative, nowMs: number) => Creative,
): Promise<void> {
  await app.store.transact(async (tx) => {
    const creative = await tx.creatives.find(owner, seen.account_id, seen.creative_id);
    const isSame = creative?.version === seen.version && creative.recheck?.at === seen.recheck?.at;
    if (creative?.status !== 'processing' || !isSame) return;
    const ms = app.clock.nowOf(owner);
    const after = judge(creative, ms);
    if (after.status === creative.status) await tx.creatives.save(owner, after);
    else {
      const now = { ms, iso: isoTime(ms) };
      const change = {
        tx,
        lifecycle: app.lifecycle,
        owner,
        now,
        events: app.accountEvents,
        initiator: 'system',
      } as const;
      await moveStoredCreative(change, creative, after);
    }
  });
}
