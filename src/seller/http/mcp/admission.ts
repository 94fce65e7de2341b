import { isDeeperThan, isObject } from '../../../platform/kernel/json/json.js';
import { type Admission, calledTool, type Denial } from '../../../platform/mcp/edge.js';
import { argumentsOf, messageId } from '../../../platform/mcp/request.js';
import { TaskError } from '../../../protocol/errors.js';
import { negotiateRelease, RELEASES, type Release } from '../../../protocol/versions.js';
import type { App, Caller } from '../../context.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { findTool } from '../../tasks/index.js';
import { toolName } from '../../tasks/pipeline/define.js';
import { addressee, answerFailure } from '../../tasks/pipeline/receive.js';
import type { Denial as AuthDenial } from '../arrival.js';
import { type Proof, unauthorized } from '../auth.js';
import { callResult } from './call-tool.js';

/** Deepest nesting of a message that is looked at. */
export const MAX_DEPTH = 64;

/** Admits the sender of a message: its principal, or nobody where a public tool is called. */
export function admit(app: App, seller: Seller, proof: Proof, message: unknown): Admission<Caller> {
  const isDeep = isDeeperThan(message, MAX_DEPTH);
  if (proof.kind !== 'principal' && !mayStayAnonymous(seller, proof, message)) {
    const { error, challenge } = unauthorized(proof);
    return { denial: denialOf(app, seller, { error, challenge: [challenge], message }) };
  }
  const caller: Caller = { seller, principal: proof.kind === 'principal' ? proof.principal : undefined };
  return isDeep && isObject(message) ? { answer: tooDeep(app, caller, message) } : { caller };
}

function mayStayAnonymous(seller: Seller, proof: Proof, message: unknown): boolean {
  if (proof.kind === 'invalid' || seller.tenant.publicTools.length === 0 || !isObject(message)) return false;
  if (message.method !== 'tools/call') return true;
  const name = calledTool(message);
  const tool = name === undefined ? undefined : findTool(seller, name);
  return tool !== undefined && seller.tenant.publicTools.includes(toolName(tool, seller.names));
}

/** Returns a denial as 401 with its challenges. The body is a failed answer, for clients that read bodies only. */
export function denialOf(app: App, seller: Seller, { error, challenge, message }: AuthDenial): Denial {
  const caller: Caller = { seller, principal: undefined };
  const answered = isDeeperThan(message, MAX_DEPTH) ? undefined : message;
  const args = argumentsOf(answered);
  const to = { ...addressee(caller, args), release: releaseFor(seller, args) };
  const result = callResult(answerFailure({ app, caller, to }, error));
  return {
    status: 401,
    headers: { 'www-authenticate': challenge },
    message: { jsonrpc: '2.0', id: messageId(answered), result },
  };
}

/** Returns the release that a request asks for; the oldest where it asks for none that is served. */
function releaseFor(seller: Seller, args: Readonly<Record<string, unknown>>): Release {
  try {
    return negotiateRelease(args, seller.names);
  } catch {
    return RELEASES[0];
  }
}

function tooDeep(app: App, caller: Caller, message: Readonly<Record<string, unknown>>): object {
  const error = new TaskError('INVALID_REQUEST', `The request is nested more than ${MAX_DEPTH} levels deep.`, {
    field: 'arguments',
    suggestion: 'Flatten the arguments; no task needs more than a dozen levels.',
  });
  const { context } = argumentsOf(message);
  const to = addressee(caller, isDeeperThan(context, MAX_DEPTH) ? {} : { context });
  return { jsonrpc: '2.0', id: messageId(message), result: callResult(answerFailure({ app, caller, to }, error)) };
}
