import type { TraceHeaders } from '../../../platform/health/traces.js';
import { hasMoreValues, isDeeperThan, isObject } from '../../../platform/kernel/json/json.js';
import { type Admission, calledTool, type Denial } from '../../../platform/mcp/edge.js';
import { argumentsOf, messageId } from '../../../platform/mcp/request.js';
import { TaskError } from '../../../protocol/errors.js';
import type { CallOrigin } from '../../calls/call-log.js';
import type { App, Caller } from '../../context.js';
import type { GrantScope } from '../../domain/tenant/grant.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { scopeOf } from '../../tasks/grant/scopes.js';
import { findTool, TOOLS } from '../../tasks/index.js';
import { type Answer, addresseeOf, answerFailure } from '../../tasks/pipeline/receive.js';
import { envelopeFields } from '../../tasks/pipeline/shapes.js';
import { MAX_VALUES, toolName } from '../../tasks/pipeline/tool.js';
import { type Denial as AuthDenial, denyCredential, outOfScope, type Proof } from '../arrival.js';
import { rpcErrorOf } from '../rpc-error.js';
import { callResult, finishCall } from './call-tool.js';
import { asToolCall } from './resources/resources.js';
import { CHANGING_TASK } from './tasks/needs.js';

/** Deepest nesting of a message that is looked at. */
export const MAX_DEPTH = 64;

/** A request's attributes beside its messages: the proof of its sender, and the size of its body. */
export type Presented = {
  readonly proof: Proof;
  readonly bytes: number;
  readonly levels: number;
  readonly values: number;
  /** The body holds several messages, so that it has a level more. */
  readonly isBatch: boolean;
  readonly protocol: CallOrigin['protocol'];
  readonly requestId: string;
  /** The caller is, or speaks for, a language model, or says that it prefers what those get. */
  readonly isForModel?: boolean;
  /** The trace that the caller names. */
  readonly trace: TraceHeaders | undefined;
};

/** The sender of a message; or why the message goes no further: who sent it, or what is in it. */
type Judged = { readonly caller: Caller } | { readonly denied: AuthDenial } | { readonly failed: Answer };

/** Admits the sender of a message as MCP says it. */
export function admit(app: App, seller: Seller, presented: Presented, message: unknown): Admission<Caller> {
  const call = asToolCall(seller, message);
  const judged = judgeMessage(app, seller, presented, call);
  if ('denied' in judged) return { denial: denialOf(app, seller, judged.denied, presented.requestId) };
  if ('caller' in judged) return judged;
  const answer = { jsonrpc: '2.0', id: messageId(message) };
  if (call !== message) return { answer: { ...answer, error: rpcErrorOf(judged.failed) } };
  return { answer: { ...answer, result: callResult(judged.failed) } };
}

/** Judges a message: its sender is its principal, or nobody where a public tool is called, and its values are bounded before anything walks them. */
export function judgeMessage(app: App, seller: Seller, presented: Presented, message: unknown): Judged {
  const { bytes, isBatch, isForModel, levels, proof, protocol, requestId, trace, values } = presented;
  if (proof.kind !== 'principal' && !canComeWithout({ seller, proof, isBatch }, message)) {
    const { error, challenge } = denyCredential(proof, seller);
    return { denied: { error, challenge: [challenge], message } };
  }
  const listToken = proof.kind === 'list_token' ? proof.digest : undefined;
  const principal = proof.kind === 'principal' ? proof.principal : undefined;
  const grant = proof.kind === 'principal' ? proof.grant : undefined;
  const caller: Caller = {
    seller,
    principal,
    grant,
    listToken,
    isForModel,
    origin: { requestId, protocol, bytes, trace },
  };
  if (!isObject(message)) return { caller };
  const needed = grant === undefined ? 'read' : neededScope(caller, message);
  if (grant !== undefined && !grant.scopes.includes(needed))
    return { denied: { ...outOfScope(seller, grant, needed), message } };
  // The message itself is a level, and not one of nesting.
  if (levels - (isBatch ? 2 : 1) > MAX_DEPTH) return { failed: tooDeep(app, caller, message) };
  if (presented.bytes > MAX_CONTEXT_CHARACTERS && isLongContext(argumentsOf(message).context, isBatch))
    return { failed: longContext(app, caller, message) };
  if (values <= MAX_VALUES) return { caller };
  const maxValues = isBatch ? MAX_VALUES : maxValuesOf(caller, message);
  if (values > maxValues) return { failed: tooMany(app, caller, message, { field: 'arguments', maxValues }) };
  const carried = ENVELOPE.find((name) => hasMoreValues(argumentsOf(message)[name], MAX_VALUES));
  if (carried === undefined) return { caller };
  return { failed: tooMany(app, caller, message, { field: carried, maxValues: MAX_VALUES }) };
}

/**
 * Returns the scope that a message needs: that of the task that it calls, and of all else the least. A message may come to a task that
 * its tenant has not: one that cancels a task changes something anywhere.
 */
function neededScope({ origin, principal, seller }: Caller, message: object): GrantScope {
  const name = calledTool(message);
  const elsewhere = origin?.protocol === 'a2a' || name === CHANGING_TASK ? TOOLS : [];
  const tool =
    name === undefined ? undefined : (findTool(seller, name, principal) ?? elsewhere.find((one) => one.name === name));
  return tool === undefined ? 'read' : scopeOf(tool, toolName(tool, seller.names));
}

/** Longest context as JSON: it is sent back twice with each answer. The contexts of a batch are shorter. */
const MAX_CONTEXT_CHARACTERS = 256 * 1024;
const MAX_BATCHED_CONTEXT_CHARACTERS = 8 * 1024;

function isLongContext(context: unknown, isBatch: boolean): boolean {
  if (!isObject(context) || hasMoreValues(context, MAX_VALUES)) return false;
  return JSON.stringify(context).length > (isBatch ? MAX_BATCHED_CONTEXT_CHARACTERS : MAX_CONTEXT_CHARACTERS);
}

/** What every task takes and none looks at. */
const ENVELOPE = Object.keys(envelopeFields);

/**
 * Returns the most values of a body that holds one message. A batch has to do with what one call of a usual task may
 * bring.
 */
function maxValuesOf({ principal, seller }: Caller, message: object): number {
  const tool = findTool(seller, calledTool(message) ?? '', principal);
  return tool?.maxValues ?? MAX_VALUES;
}

/** The tasks that the token of a list is for. */
const LIST_READS: ReadonlySet<unknown> = new Set(['get_property_list', 'get_collection_list']);

/** Whether the token of a list is all that a message needs: it reads a list, or calls no task. */
function canReadList(proof: Proof, message: unknown): boolean {
  if (proof.kind !== 'list_token' || !isObject(message)) return false;
  return message.method !== 'tools/call' || LIST_READS.has(calledTool(message));
}

/** The handshake of MCP: it says what the agent is, and gives no session. */
const HANDSHAKE: readonly unknown[] = ['initialize', 'notifications/initialized'];

/** Whether a message needs no principal: the token of a list is enough for it, or nothing at all. */
function canComeWithout(
  arrival: Pick<Presented, 'proof' | 'isBatch'> & { readonly seller: Seller },
  message: unknown,
): boolean {
  return canReadList(arrival.proof, message) || canStayAnonymous(arrival, message);
}

function canStayAnonymous(
  { seller, proof, isBatch }: Pick<Presented, 'proof' | 'isBatch'> & { readonly seller: Seller },
  message: unknown,
): boolean {
  if (proof.kind === 'invalid' || !isObject(message)) return false;
  if (seller.tenant.publicInitialize && !isBatch && HANDSHAKE.includes(message.method)) return true;
  if (seller.tenant.publicTools.length === 0) return false;
  if (message.method !== 'tools/call') return true;
  const name = calledTool(message);
  const tool = name === undefined ? undefined : findTool(seller, name);
  return tool !== undefined && seller.tenant.publicTools.includes(toolName(tool, seller.names));
}

/** Returns a denial as 401 or 403 with its challenges. The body is a failed answer, for clients that read bodies only. */
export function denialOf(app: App, seller: Seller, denial: AuthDenial, requestId: string): Denial {
  const result = callResult(deniedAnswer(app, seller, denial, requestId));
  return {
    status: denial.status ?? 401,
    headers: { 'www-authenticate': denial.challenge },
    message: { jsonrpc: '2.0', id: deniedId(denial), result },
  };
}

/** Returns the failed answer to somebody who is not let in, and records that. */
export function deniedAnswer(app: App, seller: Seller, denial: AuthDenial, requestId: string): Answer {
  const { error, message, status = 401 } = denial;
  app.calls.refuse({ status, code: error.code, requestId, tenant: seller.tenant.path });
  const caller: Caller = { seller, principal: undefined };
  const args = isDeeperThan(message, MAX_DEPTH) ? {} : argumentsOf(message);
  return answerFailure({ app, caller, to: addresseeOf(caller, args) }, error);
}

/** Returns the id of a message that is denied; null for one that is too deep to be looked at. */
export function deniedId({ message }: AuthDenial): string | number | null {
  return isDeeperThan(message, MAX_DEPTH) ? null : messageId(message);
}

type Message = Readonly<Record<string, unknown>>;

function tooDeep(app: App, caller: Caller, message: Message): Answer {
  const error = new TaskError('INVALID_REQUEST', `The request is nested more than ${MAX_DEPTH} levels deep.`, {
    field: 'arguments',
    suggestion: 'Flatten the arguments; no task needs more than a dozen levels.',
  });
  return failedAnswer(app, { caller, message }, error);
}

function longContext(app: App, caller: Caller, message: Message): Answer {
  const error = new TaskError('INVALID_REQUEST', 'context: is too long to be sent back.', {
    field: 'context',
    suggestion: `Send a context of at most ${MAX_CONTEXT_CHARACTERS} characters as JSON, in a batch ${MAX_BATCHED_CONTEXT_CHARACTERS}; an id of your own will do.`,
    details: { max_characters: MAX_CONTEXT_CHARACTERS },
  });
  return failedAnswer(app, { caller, message, args: {} }, error);
}

type Excess = { readonly field: string; readonly maxValues: number };

function tooMany(app: App, caller: Caller, message: Message, { field, maxValues }: Excess): Answer {
  const error = new TaskError('INVALID_REQUEST', `${field}: holds more than ${maxValues} values.`, {
    field,
    suggestion: 'Send less in one call: split long lists over several calls, each with its own idempotency_key.',
    details: { max_values: maxValues },
  });
  return failedAnswer(app, { caller, message }, error);
}

type FailedCall = {
  readonly caller: Caller;
  readonly message: Message;
  /** What of its arguments is sent back; all that may be, unless set. */
  readonly args?: Readonly<Record<string, unknown>>;
};

/** Answers a message that was too much to look at; a context that is too much itself is not sent back. */
function failedAnswer(
  app: App,
  { caller, message, args = argumentsOf(message) }: FailedCall,
  error: TaskError,
): Answer {
  const { context } = args;
  const isTooMuch = hasMoreValues(context, MAX_VALUES) || isDeeperThan(context, MAX_DEPTH);
  const to = addresseeOf(caller, isTooMuch ? { ...args, context: undefined } : args);
  const startedMs = app.calls.begin();
  const answer = answerFailure({ app, caller, to }, error);
  const tool = findTool(caller.seller, calledTool(message) ?? '', caller.principal);
  const task = tool === undefined ? 'unknown' : toolName(tool, caller.seller.names);
  app.calls.record(finishCall(caller, { task, args: {}, answer }), startedMs);
  return answer;
}
