import { Written, writeOnce } from '../../../platform/kernel/json/json.js';
import { type Payload, successPayload } from '../../../protocol/envelope.js';
import type { App, Call, Caller, TaskRequest } from '../../context.js';
import { readKey, requestHash } from '../../idempotency/key.js';
import type { Once } from '../../idempotency/once.js';
import type { Writer } from '../../store/store.js';
import { askOrEffect, mayNeedApproval } from './ask-approval.js';
import { consultGovernance, effectGoverned } from './consult-governance.js';
import { type Mutation, type Query, shapeAnswer, type Tool, toolName } from './define.js';
import { readArguments } from './read-arguments.js';
import { type Answer, addressee, answerFailure, receiveCall } from './receive.js';
import { type ResolvedAccount, resolveAccount, saveOpenedAccount } from './resolve-account.js';
import type { Admitted, Parsed, Prepared, Received } from './stages.js';

/** Runs one task call from its request to its answer; never throws. */
export async function runTask(app: App, tool: Tool, caller: Caller, request: TaskRequest): Promise<Answer> {
  let to = addressee(caller, request);
  try {
    const call = receiveCall(app, caller, request);
    to = call.to;
    await app.lifecycle.catchUp();
    return await (tool.kind === 'query'
      ? runQuery(receive(app, tool, call, request))
      : runMutation(receive(app, tool, call, request)));
  } catch (error) {
    return answerFailure({ app, caller, to }, error, tool);
  }
}

/** Runs a changing call, stage by stage: what is slow or remote first, then one transaction that stores the answer too. */
async function runMutation(received: Received): Promise<Answer> {
  const key = readReplayKey(received);
  const parsed = parse(received);
  const once = await replayOr(key, parsed, {
    outside: async () => govern(await prepare(parsed)),
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
  return async (db) => shapeAnswer(tool, await effectGoverned(await admit(prepared, db)), parsed.call);
}

/** Runs a reading call, stage by stage; nothing of it is stored. */
async function runQuery(received: Received<Query>): Promise<Answer> {
  const parsed = parse(received);
  const resolved = await resolveAccount(parsed, parsed.app.store.read);
  const answer = await answerQuery(seeFrom(parsed, resolved), resolved);
  return { payload: successPayload(answer, parsed.call.to), isError: false };
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
  return { ...received, args: readArguments(received.tool.input, received.request, received.task) };
}

type Stages = {
  readonly outside: () => Promise<Prepared>;
  readonly inside: (prepared: Prepared, db: Writer) => Promise<Payload>;
};

/** Returns the stored answer of a key, else what the stages come to, stored under the key in their transaction. */
async function replayOr(key: string | undefined, parsed: Parsed, { outside, inside }: Stages): Promise<Once> {
  const { app, call, request, task, interceptor } = parsed;
  const prepare = interceptor?.prepare(call, task) ?? (isSlow(parsed) ? outside : undefined);
  const effect = async (db: Writer, prepared: Prepared = { ...parsed, ...UNPREPARED }): Promise<string> =>
    writeOnce(await inside(prepared, db)).plain;
  if (key === undefined) {
    const prepared = await prepare?.();
    return { response: await app.store.transact((db) => effect(db, prepared)), replayed: false };
  }
  const keyed = { owner: call.owner, key, hash: requestHash(task, request), nowMs: call.now.ms };
  return app.idempotency.run(keyed, call.seller.tenant.replayTtlSeconds, effect, prepare);
}

const UNPREPARED = { prepared: undefined, approval: undefined };

function isSlow({ tool, args }: Parsed): boolean {
  return tool.commits !== undefined || hasPreparation(tool, args);
}

function hasPreparation(tool: Mutation, args: unknown): boolean {
  return tool.prepare !== undefined && tool.prepares?.(args) !== false;
}

/** Does what is slow or remote, outside of any transaction. */
async function prepare(parsed: Parsed): Promise<Prepared> {
  const { app, tool, call, args } = parsed;
  if (!hasPreparation(tool, args)) return { ...parsed, ...UNPREPARED };
  const context = { app, call, args, db: app.store.read, account: undefined, accountIsNew: false };
  return { ...parsed, prepared: await tool.prepare?.(context), approval: undefined };
}

/** Has the governance agent of the account decide, where there is one. The call is tried before, so that a wrong one is never asked about. */
async function govern(prepared: Prepared): Promise<Prepared> {
  const { store } = prepared.app;
  const approval = await consultGovernance(prepared, (attempt) =>
    store.transact((db) => db.rehearse(async () => attempt(await admit(prepared, db)))),
  );
  return { ...prepared, approval };
}

/** Brings a call into its transaction: the account that it names is there, and may be used for this. */
async function admit(prepared: Prepared, db: Writer): Promise<Admitted> {
  const { app, call, args, prepared: value } = prepared;
  const resolved = await resolveAccount(prepared, db);
  await saveOpenedAccount(call, resolved, db);
  return { ...prepared, context: { app, call, args, db, prepared: value, ...resolved } };
}

/** Does what is asked for, unless a person of the seller has to approve it first; a dry run is undone. */
async function effect(prepared: Prepared, db: Writer): Promise<Payload> {
  const { tool, call, args, request, task, interceptor } = prepared;
  if (tool.dryRun?.(args) === true)
    return shapeAnswer(tool, await db.rehearse(async () => effectGoverned(await admit(prepared, db))), call);
  const admitted = await admit(prepared, db);
  const { account } = admitted.context;
  const scripted = await interceptor?.effect({ call, task, account, request }, db, () => effectGoverned(admitted));
  if (scripted !== undefined) return scripted;
  if (mayNeedApproval(admitted)) return askOrEffect(admitted, () => effectGoverned(admitted));
  return shapeAnswer(tool, await effectGoverned(admitted), call);
}

function respond({ call }: Parsed, idempotency_key: string | undefined, { response, replayed }: Once): Answer {
  const remarks = { idempotency_key, replayed: replayed ? true : undefined };
  return { payload: successPayload(new Written(response), call.to, remarks), isError: false };
}

/** Returns the call as it is seen from its account: fixtures may stand in for the catalog there. */
function seeFrom(parsed: Parsed<Query>, { account }: ResolvedAccount): Parsed<Query> {
  const seller = parsed.interceptor?.admit(parsed.call, account);
  return seller === undefined ? parsed : { ...parsed, call: { ...parsed.call, seller } };
}

async function answerQuery(parsed: Parsed<Query>, resolved: ResolvedAccount): Promise<Payload | Written> {
  const { app, tool, task, call, args, request, interceptor } = parsed;
  await interceptor?.prepare(call, task)?.();
  const scripted = await interceptor?.answer({ call, task, account: resolved.account, request });
  if (scripted !== undefined) return scripted;
  const run = async (): Promise<Payload | Written> => {
    const answer = await tool.run({ app, call, args, db: app.store.read, ...resolved });
    return answer instanceof Written ? answer : shapeAnswer(tool, answer, call);
  };
  if (tool.fromCatalog !== true) return run();
  return app.answers.getOrMake(call.seller, catalogQuestion(parsed), call.now.ms, async () => writeOnce(await run()));
}

/** All that the answer of a catalog task depends on, beside its seller. */
function catalogQuestion({ app, task, call, request }: Parsed<Query>): readonly unknown[] {
  const { names } = call.seller;
  const unread = ['context', 'ext', 'account', ...names.acceptedVersion, ...names.acceptedMajorVersion];
  const asked = Object.entries(request).filter(([name]) => !unread.includes(name));
  const { sandbox, policies } = call.principal ?? {};
  return [task, call.to.release, sandbox, policies?.creative_approval, app.keys.algorithms(), asked];
}
