import { Written, writeOnce } from '../../../platform/kernel/json/json.js';
import type { Payload } from '../../../protocol/envelope.js';
import { RELEASE_TABLE } from '../../../protocol/releases.js';
import { isOngoing } from '../../../protocol/tasks.js';
import type { App, Call, Caller, TaskRequest } from '../../context.js';
import { canConcern } from '../../domain/task/approval.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { type Once, readKey, requestHash } from '../../idempotency/key.js';
import { ownerLock, type Reader, type Writer } from '../../store/store.js';
import { refuseFields } from '../fields/judge/refuse.js';
import { describeUnread } from '../fields/judge/unread.js';
import { runWithinLimit } from '../grant/limit-spending.js';
import { readForModel } from '../model/pages.js';
import { checkCredentials } from './arguments/credentials.js';
import { readArguments } from './arguments/read-arguments.js';
import { askOrEffect } from './ask-approval.js';
import { addRemark, addressAnswer, checkRelease } from './compact.js';
import { consultGovernance, describeUngoverned, effectGoverned, NotConsulted } from './consult-governance.js';
import { openUnfinished, prepareWithin, type ReportProgress } from './outlast.js';
import { type Answer, addresseeOf, answerFailure, ownerOf, receiveCall } from './receive.js';
import { judgeRegistration } from './registration.js';
import { type ResolvedAccount, resolveAccount, resolveScope, saveOpenedAccount } from './resolve-account.js';
import type { Admitted, Parsed, Prepared, Received } from './stages.js';
import { argumentNames, type Mutation, type Query, shapeAnswer, type Tool, toolName } from './tool.js';

/** Runs one task call from its request to its answer; never throws. */
export async function runTask(app: App, tool: Tool, caller: Caller, request: TaskRequest): Promise<Answer> {
  let to = addresseeOf(caller, request);
  try {
    if (caller.principal?.sandbox === true && app.store.isShared) await refreshSandbox(app, ownerOf(caller));
    const call = receiveCall(app, caller, request);
    to = call.to;
    checkRelease(tool, call);
    if (tool.kind === 'query')
      return await readForModel(tool, call, request, (asked) => runQuery(parse(receive(app, tool, call, asked))));
    await app.lifecycle.catchUp(call.owner, namedBuys(request));
    return await runMutation(receive(app, tool, call, request));
  } catch (error) {
    return answerFailure({ app, caller, to }, error, tool);
  }
}

/** Brings what other processes have changed of a sandbox: its clock is turned between two calls, and buys are due at once. */
async function refreshSandbox({ lifecycle, sandboxes }: App, owner: string): Promise<void> {
  await Promise.all([sandboxes.refresh(owner), lifecycle.refresh(owner)]);
}

/** The most ids that a call names. */
const MAX_NAMED_BUYS = 100;

/** Returns the ids of the buys that a request names. */
function namedBuys({ media_buy_id, media_buy_ids }: TaskRequest): readonly string[] {
  const ids: readonly unknown[] = Array.isArray(media_buy_ids)
    ? media_buy_ids.slice(0, MAX_NAMED_BUYS)
    : [media_buy_id];
  return ids.filter((id): id is string => typeof id === 'string');
}

/** Runs a changing call, stage by stage: what is slow or remote first, then one transaction that stores the answer too. */
async function runMutation(received: Received): Promise<Answer> {
  const key = readReplayKey(received);
  const parsed = parse(received);
  const once = await replayOr(key, parsed, {
    outside: async () => {
      refuseFields(parsed);
      await checkRegistration(parsed);
      return prepareWithin(parsed, async (report) => govern(await prepare(parsed, report)));
    },
    inside: async (prepared, db) => effect(prepared, db),
  });
  return respond(parsed, key, once);
}

/**
 * Makes ready to do now what was asked for earlier and has been decided; answers what does it in a transaction. Throws what the request
 * is refused for by now.
 */
export async function prepareDecided(
  app: App,
  tool: Mutation,
  caller: Caller,
  request: TaskRequest,
): Promise<(db: Writer) => Promise<Payload>> {
  const parsed = parse(receive(app, tool, receiveCall(app, caller, request), request));
  const prepared = await govern(await prepare(parsed));
  return async (db) => shapeAnswer(tool, await carryOut(await admit(prepared, db)), parsed.call);
}

/**
 * Returns what a changing call would come to now, and the seller as its caller sees it; all that is written is undone, and nobody is asked
 * to decide. Throws what the call would be refused for.
 */
export async function rehearseTask(
  app: App,
  tool: Mutation,
  caller: Caller,
  request: TaskRequest,
): Promise<{ readonly order: Payload; readonly seller: Seller }> {
  const call = receiveCall(app, caller, request);
  const parsed = parse(receive(app, tool, call, request));
  refuseFields(parsed);
  const prepared = await prepare(parsed);
  const order = await app.store.transact(
    (db) => db.rehearse(async () => tool.run((await admit(prepared, db)).context)),
    { locks: [ownerLock(call.owner)] },
  );
  return { order, seller: call.seller };
}

/** Runs a reading call, stage by stage; nothing of it is stored. */
async function runQuery(parsed: Parsed<Query>): Promise<Answer> {
  await parsed.app.lifecycle.catchUp(parsed.call.owner, namedBuys(parsed.request));
  refuseFields(parsed);
  await checkRegistration(parsed);
  const resolved = await resolveAccount(parsed, parsed.app.store.read);
  const answer = addRemark(await answerQuery(seeFrom(parsed, resolved), resolved), describeUnread(parsed));
  return { payload: addressAnswer(parsed.tool, answer, parsed.call.to), isError: false };
}

/** Judges where the events of a call are to go, whatever the task. */
async function checkRegistration({ app, call, tool, request }: Parsed<Tool>): Promise<void> {
  const { push_notification_config: config } = request;
  if (config === undefined) return;
  await judgeRegistration(app, call, { field: 'push_notification_config', config, mutating: tool.kind === 'mutation' });
}

function receive<Kind extends Tool>(app: App, tool: Kind, call: Call, request: TaskRequest): Received<Kind> {
  return { app, tool, task: toolName(tool, call.seller.names), call, request, interceptor: app.interceptor(call) };
}

/** Reads the key under which the call's answer is stored; undefined for a task that may be called without one and is. */
function readReplayKey({ tool, request }: Received): string | undefined {
  const { idempotency_key: key } = request;
  return tool.keyOptional === true && key === undefined ? undefined : readKey(key);
}

function parse<Kind extends Tool>(received: Received<Kind>): Parsed<Kind> {
  const { app, call, interceptor, task, tool } = received;
  if (RELEASE_TABLE[call.to.release].knowsNewCodes) checkCredentials(received.request, '');
  const { args, request } = readArguments(tool.input, received.request, task);
  return { app, tool, task, call, request, interceptor, args };
}

/** The stages of a call that come before its transaction, and those in it. */
type Stages = {
  readonly outside: () => Promise<Prepared>;
  readonly inside: (prepared: Prepared, db: Writer) => Promise<Payload>;
};

/** Returns the stored answer of a key, else what the stages come to, stored under the key in their transaction. */
async function replayOr(key: string | undefined, parsed: Parsed, stages: Stages): Promise<Once> {
  const { app, call, task, interceptor } = parsed;
  const run = await keyedRun(key, parsed, stages.inside);
  const prepare = interceptor?.prepare(call, task);
  if (prepare !== undefined) return run(prepare);
  const needsOutside = hasPreparation(parsed) || parsed.request.push_notification_config !== undefined;
  if (needsOutside || app.governedOwners.get(call.owner) === true) return run(stages.outside);
  try {
    return await run(undefined);
  } catch (error) {
    if (!(error instanceof NotConsulted)) throw error;
    app.governedOwners.set(call.owner, true);
    return run(stages.outside);
  }
}

/** The stages before the transaction; undefined where a call needs none. */
type Outside = (() => Promise<Prepared>) | undefined;

/** Returns what runs a call in its transaction, after what has to be prepared outside, once per key. */
async function keyedRun(
  key: string | undefined,
  parsed: Parsed,
  inside: Stages['inside'],
): Promise<(prepare: Outside) => Promise<Once>> {
  const { app, call, request, task } = parsed;
  const effect = async (db: Writer, prepared: Prepared = { ...parsed, ...UNPREPARED }): Promise<string> => {
    const answer = addRemark(await inside(prepared, db), describeUnread(parsed));
    if (isOngoing(answer)) call.onTask?.(db, answer.task_id);
    const response = JSON.stringify(answer);
    await db.ownerUsage.requireWithin(call.owner, app.store.read.ownerUsage);
    return response;
  };
  if (key === undefined)
    return async (prepare) => {
      const prepared = await prepare?.();
      return {
        response: await app.store.transact((db) => effect(db, prepared), { locks: [ownerLock(call.owner)] }),
        replayed: false,
      };
    };
  const keyed = { owner: call.owner, key, hash: await requestHash(task, request), nowMs: call.now.ms };
  return (prepare) => app.idempotency.run(keyed, call.seller.tenant.replayTtlSeconds, effect, prepare);
}

/** The members of a call for which nothing was prepared. */
const UNPREPARED = { prepared: undefined, approval: undefined, isConsulted: false };

function hasPreparation({ tool, args, call }: Pick<Parsed, 'tool' | 'args' | 'call'>): boolean {
  return tool.prepare !== undefined && tool.prepares?.(args, call) !== false;
}

/** Does what is slow or remote, outside of any transaction. */
async function prepare(parsed: Parsed, report: ReportProgress = () => undefined): Promise<Prepared> {
  const { app, tool, call, args } = parsed;
  if (!hasPreparation(parsed)) return { ...parsed, ...UNPREPARED };
  const db = app.store.read;
  const scope = await resolveScope(parsed, db);
  const context = { app, call, args, db, scope, account: undefined, accountIsNew: false };
  return { ...parsed, ...UNPREPARED, prepared: await tool.prepare?.(context, report) };
}

/** Whether a call commits an account of a caller who has any governance agent. */
async function isGoverned({ tool, call }: Parsed, db: Reader): Promise<boolean> {
  return tool.commits !== undefined && db.governance.isUsed(call.owner);
}

/** Has the governance agent of the account decide, where there is one. The call is tried before, so that a wrong one is never asked about. */
async function govern(prepared: Prepared): Promise<Prepared> {
  const { store } = prepared.app;
  if (!(await isGoverned(prepared, store.read))) return prepared;
  const approval = await consultGovernance(prepared, (attempt) =>
    store.transact((db) => db.rehearse(async () => attempt(await admit(prepared, db))), {
      locks: [ownerLock(prepared.call.owner)],
    }),
  );
  return { ...prepared, approval, isConsulted: true };
}

/** Brings a call into its transaction: the account that it names is there, and may be used for this. */
async function admit(prepared: Prepared, db: Writer): Promise<Admitted> {
  const { app, call, args, prepared: value } = prepared;
  const [resolved, governed] = await Promise.all([resolveAccount(prepared, db), isGoverned(prepared, db)]);
  await saveOpenedAccount(call, resolved, db);
  return { ...prepared, isGoverned: governed, context: { app, call, args, db, prepared: value, ...resolved } };
}

/** Does what a call asks for, within the limit of its grant and what its governance agent let through. Throws NotConsulted where the agent was not asked yet. */
async function carryOut(admitted: Admitted): Promise<Payload> {
  const { tool, context, isConsulted } = admitted;
  return runWithinLimit(admitted, async () => {
    if (!admitted.isGoverned) return addRemark(await tool.run(context), describeUngoverned(admitted));
    if (!isConsulted) throw new NotConsulted();
    return effectGoverned(admitted);
  });
}

/** Does what is asked for, unless a person of the seller has to approve it first; a dry run is undone. */
async function effect(prepared: Prepared, db: Writer): Promise<Payload> {
  const { tool, call, args, request, task, interceptor } = prepared;
  refuseFields(prepared);
  if (tool.dryRun?.(args) === true)
    return shapeAnswer(tool, await db.rehearse(async () => carryOut(await admit(prepared, db))), call);
  const admitted = await admit(prepared, db);
  if (prepared.pending !== undefined)
    return openUnfinished(admitted, prepared.pending, async (ready, tx) =>
      shapeAnswer(tool, await carryOut(await admit(ready, tx)), call),
    );
  const { account } = admitted.context;
  const scripted = await interceptor?.effect({ call, task, account, request }, db, () => carryOut(admitted));
  if (scripted !== undefined) return scripted;
  const { approvals } = call.seller.tenant;
  if (tool.commits !== undefined && canConcern(approvals, call.principal?.sandbox === true))
    return askOrEffect(admitted, () => carryOut(admitted));
  return shapeAnswer(tool, await carryOut(admitted), call);
}

function respond({ call, tool }: Parsed, idempotency_key: string | undefined, { response, replayed }: Once): Answer {
  const remarks = { idempotency_key, replayed: replayed ? true : undefined };
  return {
    payload: addressAnswer(tool, new Written(response), call.to, remarks),
    isError: false,
    isReplayed: replayed,
  };
}

/** Returns the call as it is seen from its account: fixtures may stand in for the catalog there. */
function seeFrom(parsed: Parsed<Query>, { account }: ResolvedAccount): Parsed<Query> {
  const seller = parsed.interceptor?.admit(parsed.call, account);
  return seller === undefined ? parsed : { ...parsed, call: { ...parsed.call, seller } };
}

async function answerQuery(parsed: Parsed<Query>, resolved: ResolvedAccount): Promise<Payload | Written> {
  const { app, tool, task, call, args, request, interceptor } = parsed;
  const read = async (): Promise<Payload | Written> => {
    const answer = await tool.run({ app, call, args, db: app.store.read, ...resolved });
    return answer instanceof Written ? answer : shapeAnswer(tool, answer, call);
  };
  const run = async (): Promise<Payload | Written> =>
    tool.fromCatalog === true
      ? app.answers.getOrMake(call.seller, catalogQuestion(parsed), call.now.ms, async () => writeOnce(await read()))
      : read();
  return interceptor === undefined
    ? run()
    : interceptor.answer({ call, task, account: resolved.account, request }, run);
}

/** Arguments that an answer from the catalog does not depend on. */
const UNASKED: ReadonlySet<string> = new Set(['context', 'ext', 'account', 'push_notification_config']);

/** Returns all that the answer of a catalog task depends on, beside its seller; what the task does not take is not in it. */
function catalogQuestion({ app, task, tool, call, request }: Parsed<Query>): readonly unknown[] {
  const asked = argumentNames(tool)
    .filter((name) => !UNASKED.has(name) && request[name] !== undefined)
    .map((name) => [name, request[name]]);
  const { sandbox, policies, creativeBilling } = call.principal ?? {};
  const caller = [sandbox, policies?.creative_approval, policies?.account_scope, creativeBilling];
  return [task, call.to.release, caller, app.keys.algorithms(), asked];
}
