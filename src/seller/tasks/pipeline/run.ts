import { creativeStatus } from '../../../creative/formats/manifest.js';
import { isoTime } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../platform/kernel/errors.js';
import { isObject, Written, written } from '../../../platform/kernel/json/json.js';
import { type Addressee, errorPayload, type Payload, successPayload } from '../../../protocol/envelope.js';
import { negotiateRelease, RELEASES } from '../../../protocol/versions.js';
import type { App, Call, Caller } from '../../context.js';
import { ownerKey } from '../../domain/tenant/tenant.js';
import { readKey, requestHash } from '../../idempotency/key.js';
import type { Writer } from '../../store/store.js';
import { runOrAsk } from './ask-approval.js';
import { type Mutation, type Query, type Tool, toolName } from './define.js';
import { answerAsOrdered, orderedOutage, runAsOrdered } from './ordered-answer.js';
import { readArguments } from './read-arguments.js';
import { remember } from './remember.js';
import { resolveAccount, seenFrom } from './resolve-account.js';
import { accountOf, type PreparedMutation, prepareMutation, shaped } from './work.js';

/** The root object of an answer, and whether the call failed. */
export type Answer = { readonly payload: Payload | Written; readonly isError: boolean };

/**
 * Runs one task call from its raw arguments to its answer; never throws. The order is fixed: context, release, arguments, key,
 * replay, account, effect with its stored answer in one transaction, echo.
 */
export async function runTool(
  app: App,
  tool: Tool,
  caller: Caller,
  args: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  let to = addressee(caller, args);
  try {
    const call = openCall(app, caller, args);
    to = call.to;
    await app.lifecycle.catchUp();
    return await (tool.kind === 'query' ? runQuery(app, tool, call, args) : runMutation(app, tool, call, args));
  } catch (error) {
    return failed(app, caller, to, error, tool);
  }
}

/** Turns anything thrown into the one error body; what is not a TaskError is logged and answered without its text. */
export function failed(
  app: App,
  caller: Caller,
  to: Addressee,
  error: unknown,
  tool: Pick<Tool, 'empty' | 'creative'> = {},
): Answer {
  const known = error instanceof TaskError ? error : unexpected(app, caller, error);
  const status = tool.creative === true ? creativeStatus(known.code) : undefined;
  return { payload: errorPayload(known, to, tool.empty, status), isError: true };
}

function unexpected(app: App, caller: Caller, error: unknown): TaskError {
  const incident = app.ids.next('err');
  app.log.error({ err: error, incident, tenant: caller.seller.tenant.path }, 'a task call failed unexpectedly');
  return new TaskError('SERVICE_UNAVAILABLE', 'The request could not be carried out just now.', {
    retryAfter: 5,
    suggestion: `Retry with the same idempotency_key; if it goes on, tell the seller the incident ${incident}.`,
  });
}

/** Whom an answer is for, before the release is known: the oldest one, with the request's context. */
export function addressee(caller: Caller, args: Readonly<Record<string, unknown>>): Addressee {
  const { context } = args;
  return {
    names: caller.seller.names,
    release: RELEASES[0],
    asked: false,
    context: isObject(context) ? context : undefined,
  };
}

function releaseOf(caller: Caller, args: Readonly<Record<string, unknown>>): Pick<Addressee, 'release' | 'asked'> {
  const { names } = caller.seller;
  return {
    release: negotiateRelease(args, names),
    asked: names.acceptedVersion.some((field) => args[field] !== undefined),
  };
}

/** The call that a caller makes now with these arguments. Throws VERSION_UNSUPPORTED. */
export function openCall(app: App, caller: Caller, args: Readonly<Record<string, unknown>>): Call {
  const owner = ownerOf(caller);
  const ms = app.clock.nowOf(owner);
  const to = { ...addressee(caller, args), ...releaseOf(caller, args) };
  const seller = app.sandboxes.seen(app.registry.seen(caller.seller, caller.principal), owner);
  return { ...caller, seller, owner, to, now: { ms, iso: isoTime(ms) } };
}

/** The caller's partition of the store. */
export function ownerOf(caller: Caller): string {
  return ownerKey(caller.seller.tenant.path, caller.principal?.id ?? '');
}

async function runQuery(app: App, tool: Query, asked: Call, raw: Readonly<Record<string, unknown>>): Promise<Answer> {
  const args = readArguments(tool.input, raw, toolName(tool, asked.seller.names));
  const resolved = await resolveAccount(tool, app, asked, accountOf(args), app.store.read);
  const call = seenFrom(app, asked, resolved.account);
  await orderedOutage(app, tool, call)?.();
  const ordered = await answerAsOrdered(app, tool, call, resolved.account, raw);
  if (ordered !== undefined) return { payload: successPayload(ordered, call.to), isError: false };
  const answer = async (): Promise<Payload | Written> => {
    const payload = await tool.run({ app, call, args, db: app.store.read, ...resolved });
    if (payload instanceof Written) return payload;
    return shaped(tool, payload, call);
  };
  const payload =
    tool.fromCatalog === true
      ? await remember(call.seller, questionOf(app, tool, call, raw), call.now.ms, answer)
      : await answer();
  return { payload: successPayload(payload, call.to), isError: false };
}

/** All that the answer of a catalog task depends on. */
function questionOf(app: App, tool: Query, call: Call, raw: Readonly<Record<string, unknown>>): string {
  const { context: _context, ...asked } = raw;
  const { sandbox, policies } = call.principal ?? {};
  const name = toolName(tool, call.seller.names);
  return JSON.stringify([name, call.to.release, sandbox, policies?.creative_approval, app.keys.algorithms(), asked]);
}

async function runMutation(
  app: App,
  tool: Mutation,
  call: Call,
  raw: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const name = toolName(tool, call.seller.names);
  const unkeyed = tool.keyOptional === true && raw.idempotency_key === undefined;
  const key = unkeyed ? undefined : readKey(raw.idempotency_key);
  const work = prepareMutation(app, tool, call, raw);
  const prepare = orderedOutage(app, tool, call) ?? work.prepare;
  const effect = async (db: Writer): Promise<string> => written(await act(tool, work, call, db, raw)).plain;
  if (key === undefined) {
    await prepare?.();
    return { payload: successPayload(new Written(await app.store.transact(effect)), call.to), isError: false };
  }
  const keyed = { owner: call.owner, key, hash: requestHash(name, raw), nowMs: call.now.ms };
  const once = await app.idempotency.run(keyed, call.seller.tenant.replayTtlSeconds, effect, prepare);
  const said = { idempotency_key: key, ...(once.replayed ? { replayed: true } : {}) };
  return { payload: successPayload(new Written(once.response), call.to, said), isError: false };
}

async function act(tool: Mutation, work: PreparedMutation, call: Call, db: Writer, raw: Payload): Promise<Payload> {
  if (tool.dryRun?.(work.args) === true)
    return shaped(tool, await db.rehearse(async () => work.run(await work.turn(db))), call);
  const turn = await work.turn(db);
  const ordered = await runAsOrdered(tool, work, turn, raw);
  if (ordered !== undefined) return ordered;
  if (tool.commits !== undefined && call.seller.tenant.approvals.length > 0) return runOrAsk(tool, work, turn, raw);
  return shaped(tool, await work.run(turn), call);
}
