import type { App, Call, Caller } from '../context.js';
import { creativeStatus } from '../domain/manifest.js';
import { readKey, requestHash } from '../idempotency/judge.js';
import { isoTime } from '../kernel/clock.js';
import { TaskError } from '../kernel/errors.js';
import { isObject, Written, written } from '../kernel/json.js';
import { type Addressee, errorPayload, finished, type Payload, successPayload } from '../protocol/envelope.js';
import { negotiateRelease, RELEASES } from '../protocol/versions.js';
import type { Writer } from '../store/store.js';
import { type Mutation, type Query, type Tool, toolName } from './define.js';
import { readArguments } from './read-arguments.js';
import { remember } from './remember.js';
import { keepAccount, resolveAccount } from './resolve-account.js';
import type { AccountArgument } from './shapes.js';

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
    to = { ...to, ...releaseOf(caller, args) };
    const call = openCall(app, caller, to);
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

function openCall(app: App, caller: Caller, to: Addressee): Call {
  const ms = app.clock.now();
  return { ...caller, owner: ownerOf(caller), to, now: { ms, iso: isoTime(ms) } };
}

/** The caller's partition of the store. Tenant paths hold no `#`. */
export function ownerOf(caller: Caller): string {
  return `${caller.seller.tenant.path}#${caller.principal?.id ?? ''}`;
}

async function runQuery(app: App, tool: Query, call: Call, raw: Readonly<Record<string, unknown>>): Promise<Answer> {
  const args = readArguments(tool.input, raw, toolName(tool, call.seller.names));
  const resolved = await resolveAccount(tool, app, call, accountOf(args), app.store.read);
  const answer = async (): Promise<Payload> => {
    const payload = await tool.run({ app, call, args, db: app.store.read, ...resolved });
    return finished(tool.shape?.(payload, call.to.release) ?? payload);
  };
  const payload =
    tool.fromCatalogue === true
      ? await remember(call.seller, questionOf(tool, call, raw), call.now.ms, answer)
      : await answer();
  return { payload: successPayload(payload, call.to), isError: false };
}

/** All that the answer of a catalogue task depends on. */
function questionOf(tool: Query, call: Call, raw: Readonly<Record<string, unknown>>): string {
  const { context: _context, ...asked } = raw;
  return JSON.stringify([toolName(tool, call.seller.names), call.to.release, call.principal?.sandbox, asked]);
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
  const args = readArguments(tool.input, raw, name);
  let prepared: unknown;
  const { prepare: prepareTask } = tool;
  const prepare =
    prepareTask === undefined
      ? undefined
      : async (): Promise<void> => {
          const turn = { app, call, args, db: app.store.read, account: undefined, accountIsNew: false };
          prepared = await prepareTask(turn);
        };
  const effect = async (db: Writer): Promise<string> => {
    const resolved = await resolveAccount(tool, app, call, accountOf(args), db);
    await keepAccount(call, resolved, db);
    const payload = await tool.run({ app, call, args, db, prepared, ...resolved });
    return written(finished(tool.shape?.(payload, call.to.release) ?? payload)).plain;
  };
  if (key === undefined) {
    await prepare?.();
    return { payload: successPayload(new Written(await app.store.transact(effect)), call.to), isError: false };
  }
  const keyed = { owner: call.owner, key, hash: requestHash(name, raw), nowMs: call.now.ms };
  const once = await app.idempotency.run(keyed, call.seller.tenant.replayTtlSeconds, effect, prepare);
  const said = { idempotency_key: key, ...(once.replayed ? { replayed: true } : {}) };
  return { payload: successPayload(new Written(once.response), call.to, said), isError: false };
}

function accountOf(args: unknown): AccountArgument | undefined {
  return isObject(args) ? (args.account as AccountArgument | undefined) : undefined;
}
