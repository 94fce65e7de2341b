import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isDatabaseBusyOrAway, RETRY_AFTER_SECONDS } from '../../platform/database/unavailable.js';
import { sha256Hex } from '../../platform/kernel/canonical.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { attachText, hasNumber, textsAt } from '../../platform/kernel/json/verbatim.js';
import { McpRefusal } from '../../platform/mcp/refusal.js';
import { argumentsOf, parseBody, type ReadBody, readBody, requireJson } from '../../platform/mcp/request.js';
import { type SignatureCode, signatureChallenge } from '../../platform/signing/verify/codes.js';
import { decideSignature } from '../../platform/signing/verify/requirement.js';
import type { Senders } from '../../platform/web/body.js';
import { requestIdOf } from '../../platform/web/request-id.js';
import { TaskError } from '../../protocol/errors.js';
import type { App } from '../context.js';
import { isListToken } from '../domain/governance/lists/token.js';
import { openByKey } from '../domain/tenant/callers.js';
import type { CallGrant, GrantScope } from '../domain/tenant/grant.js';
import { ownerKey, type Principal } from '../domain/tenant/principal.js';
import { methodDemand, type SignatureDemand, signatureDemand } from '../domain/tenant/request-signing.js';
import type { Seller } from '../domain/tenant/seller.js';
import { outsideGrant } from '../tasks/grant/scopes.js';
import { findTool, MAX_BODY_VALUES } from '../tasks/index.js';
import { toolName } from '../tasks/pipeline/tool.js';
import type { Limits, StrangerBudget } from './limits.js';
import { resourceMetadataUrl } from './oauth/metadata.js';
import { hasLegacyRegistration } from './signatures/legacy-registration.js';
import type { Signatures, Signed } from './signatures/signatures.js';

/** The services that every request meets first. */
export type Edge = {
  readonly app: App;
  readonly maxBodyBytes: number;
  readonly senders: Senders;
  readonly limits: Limits;
  /** Loaded when the first signed request comes. */
  readonly signatures: () => Promise<Signatures>;
  /** Returns a message as the call of a tool that it comes to, where messages may be others than those. */
  readonly asToolCall?: (message: unknown) => unknown;
  /** Returns where the context of such a message lies in it. */
  readonly contextPath?: (message: unknown) => readonly (string | number)[];
};

/** A refusal of a request: the error of its body, and the challenges of its head. */
export type Denial = {
  /** 401 unless set. */
  readonly status?: 403;
  readonly error: TaskError;
  readonly challenge: readonly string[];
  /** The message of the request that is answered. */
  readonly message: unknown;
};

/** A request whose body was read, with what it proves of its sender; or why it goes no further. */
type Arrived = ({ readonly proof: Proof } & ReadBody) | { readonly denial: Denial };

/** Largest body read from somebody who has not shown a credential. */
const MAX_ANONYMOUS_BYTES = 65_536;
/** Largest body read from somebody who signed: whether the signature holds can only be said of the whole body. */
const MAX_SIGNED_BYTES = 1_048_576;

/**
 * Bounds of a body, looked at before anything reads it. Levels and values that a task does not take are refused by name later; these
 * are what can be read at all.
 */
export const BODY_BOUNDS = { levels: 1000, values: MAX_BODY_VALUES, members: 1000 };
/** Most messages in one batch of the older revisions. */
export const MAX_BATCH_MESSAGES = 50;
/** Whoever has no credential has to hear of that first; a body of so few bytes is read in some milliseconds. */
const ANONYMOUS_BOUNDS = { ...BODY_BOUNDS, levels: MAX_ANONYMOUS_BYTES, values: MAX_ANONYMOUS_BYTES };

/** Reads a request and who it is by, before anything looks at what it asks for. Throws a refusal for one that cannot be read. */
export async function receive(
  edge: Edge,
  seller: Seller,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Arrived> {
  const shown = authenticate(seller, request.headers, edge.app);
  const proof = shown.kind === 'invalid' ? ((await openByToken(edge, seller, request.headers)) ?? shown) : shown;
  const isSigned = seller.tenant.requestSigning.supported && carriesSignature(request.headers);
  return (isSigned ? receiveSigned : receiveUnsigned)(edge, { seller, proof, request, response });
}

/** Returns what an access token proves, where the tenant takes them. The tenant is the resource, named by the address of its MCP endpoint. */
async function openByToken({ app }: Edge, seller: Seller, headers: IncomingHttpHeaders): Promise<Proof | undefined> {
  if (seller.tenant.oauth === undefined) return undefined;
  const token = readToken(seller, headers)?.token;
  const access = token === undefined ? undefined : await app.accessTokens.find(seller, token);
  return access && { kind: 'principal', ...access };
}

/** Whether there is any trace of a signature. This look is all that an unsigned call costs. */
function carriesSignature(headers: IncomingHttpHeaders): boolean {
  return headers.signature !== undefined || headers['signature-input'] !== undefined;
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** A request to a seller, and what its credentials prove. */
type ProvenExchange = Exchange & { readonly seller: Seller; readonly proof: Proof };

type Receive = (edge: Edge, exchange: ProvenExchange) => Promise<Arrived>;

const receiveUnsigned: Receive = async (edge, exchange) => {
  const { maxBodyBytes, senders } = edge;
  const { seller, proof, request, response } = exchange;
  if (proof.kind !== 'principal')
    await countStranger(edge, proof.kind === 'invalid' ? 'failures' : 'calls', { request, response });
  requireJson(request);
  const limit = proof.kind === 'principal' ? maxBodyBytes : Math.min(MAX_ANONYMOUS_BYTES, maxBodyBytes);
  const bounds = proof.kind === 'principal' ? BODY_BOUNDS : ANONYMOUS_BOUNDS;
  const bytes = await readBody({ request, response, bodies: senders.bodies }, limit);
  await countBytes(edge, exchange, bytes.length);
  const read = await attachContextTexts(edge, await parseBody(bytes, bounds), bytes);
  const denial = needsSignature(seller, proof, request.headers, callsOf(edge, read.body));
  return denial === undefined ? { proof, ...read } : { denial };
};

/** Reads a signed request; what is wrong with the signature is said before anything else. */
const receiveSigned: Receive = async (edge, exchange) => {
  const { app, maxBodyBytes, senders, signatures } = edge;
  const { seller, proof, request, response } = exchange;
  const limit = proof.kind === 'principal' ? maxBodyBytes : Math.min(MAX_SIGNED_BYTES, maxBodyBytes);
  const bytes = await readBody({ request, response, bodies: senders.bodies }, limit);
  await countBytes(edge, exchange, bytes.length);
  const beside = proof.kind === 'principal' ? proof.principal : undefined;
  const read = await readSignedBody(edge, bytes);
  const verifier = await signatures();
  const signed = await verifier.verify(seller, { request, body: bytes, beside }).catch((error: unknown) => {
    throw isDatabaseBusyOrAway(error) ? notNow(response) : error;
  });
  if (!signed.ok) {
    const messages = callsOf(edge, read instanceof McpRefusal ? undefined : read.body);
    const { code, error } = signed;
    await countStranger(edge, 'failures', { request, response });
    if (!isForgiven(seller, proof, signed, messages))
      return { denial: { error, challenge: [signatureChallenge(code)], message: messages[0]?.message } };
    app.log.warn({ tenant: seller.tenant.path, code }, 'a signature does not hold; the other credential counts');
  }
  requireJson(request);
  if (read instanceof McpRefusal) throw read;
  return { proof: signed.ok ? { kind: 'principal', principal: signed.principal } : proof, ...read };
};

/** Returns the refusal of a request whose nonce cannot be claimed: where several processes share a database it is claimed there. */
function notNow(response: ServerResponse): McpRefusal {
  response.setHeader('retry-after', `${RETRY_AFTER_SECONDS}`);
  const message =
    'The request could not be carried out just now. Sign it anew, and repeat it with the same idempotency_key.';
  return new McpRefusal(503, -32000, message, { code: 'SERVICE_UNAVAILABLE', retry_after: RETRY_AFTER_SECONDS });
}

/** Counts a request of somebody without a valid credential by its address. Throws 429. */
async function countStranger(
  { app, limits, senders }: Edge,
  budget: StrangerBudget,
  { request, response }: Exchange,
  points = 1,
): Promise<void> {
  refuseTooMany(app, response, await limits.takeStranger(senders.addressOf(request), budget, points));
}

/** Counts the bytes of a body by its principal, else by its address. Throws 429. */
async function countBytes(
  edge: Edge,
  { seller, proof, request, response }: ProvenExchange,
  bytes: number,
): Promise<void> {
  if (proof.kind !== 'principal') return countStranger(edge, 'bytes', { request, response }, bytes);
  const { principal } = proof;
  const owner = ownerKey(seller.tenant.path, principal.id);
  refuseTooMany(edge.app, response, await edge.limits.takeBytes(owner, principal, bytes));
}

function refuseTooMany(app: App, response: ServerResponse, seconds: number | undefined): void {
  if (seconds === undefined) return;
  app.calls.refuse({ status: 429, code: 'RATE_LIMITED', requestId: requestIdOf(response) });
  response.setHeader('retry-after', `${seconds}`);
  const message = `Too many requests in a short time. Wait ${seconds} seconds; repeat a changing call with the same idempotency_key.`;
  throw new McpRefusal(429, -32000, message, { code: 'RATE_LIMITED', retry_after: seconds });
}

/**
 * Whether another credential counts in the place of a signature that does not hold: where all that is called stands in `warn_for`.
 * One that cannot even be read is final everywhere.
 */
function isForgiven(
  seller: Seller,
  proof: Proof,
  { failure }: Extract<Signed, { ok: false }>,
  messages: readonly Incoming[],
): boolean {
  return (
    failure !== 'signature_header_malformed' &&
    proof.kind === 'principal' &&
    messages.every((message) => demandOn(seller, message) === 'forgiven')
  );
}

/**
 * Returns the denial of an unsigned request with a call that needs a signature, or with the credential that it lacks
 * too.
 */
function needsSignature(
  seller: Seller,
  proof: Proof,
  headers: IncomingHttpHeaders,
  messages: readonly Incoming[],
): Denial | undefined {
  const { supported, strict } = seller.tenant.requestSigning;
  const hasCredential = proof.kind === 'principal';
  if (!supported || (hasCredential && !strict)) return undefined;
  for (const incoming of messages) {
    const { message } = incoming;
    const isRequired = demandOn(seller, incoming) === 'required';
    const arrival = {
      request: { headers },
      isRequired,
      hasCredential,
      // Whoever has a credential may register it unsigned, so it is not looked for.
      hasLegacyRegistration: !hasCredential && hasLegacyRegistration(argumentsOf(message)),
    };
    if (decideSignature(arrival, { isStrict: strict }) !== 'signature_required') continue;
    const other = hasCredential || (strict && isRequired) ? undefined : denyCredential(proof, seller);
    return { ...denyUnsigned(seller, other), message };
  }
  return undefined;
}

const REQUIRED: SignatureCode = 'request_signature_required';

/** Returns the denial of a call that needs a signature; `other` is the other credential that it could bring. */
function denyUnsigned({ names }: Seller, other: Unauthorized | undefined): Omit<Denial, 'message'> {
  const details = { signature_error: REQUIRED };
  const how = `the request as RFC 9421 says; ${names.capabilitiesTool} tells what has to be covered.`;
  if (other === undefined) {
    const message = 'This call has to be signed; no other credential stands for that.';
    const error = new TaskError('AUTH_MISSING', message, { suggestion: `Sign ${how}`, details });
    return { error, challenge: [signatureChallenge(REQUIRED)] };
  }
  const { code, message, extras } = other.error;
  const error = new TaskError(code, message, { ...extras, suggestion: `${extras.suggestion} Or sign ${how}`, details });
  return { error, challenge: [signatureChallenge(REQUIRED), other.challenge] };
}

/** A message as the call of a tool that it comes to, and its method as it was sent. */
type Incoming = { readonly message: unknown; readonly method: unknown };

function callsOf({ asToolCall }: Edge, body: unknown): readonly Incoming[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.map((message) => ({
    message: asToolCall?.(message) ?? message,
    method: isObject(message) ? message.method : undefined,
  }));
}

const MCP_CONTEXT = ['params', 'arguments', 'context'];

/** Notes how the contexts of a body were sent, where reading them may have changed them: they are sent back to the digit. */
async function attachContextTexts({ asToolCall, contextPath }: Edge, read: ReadBody, bytes: Buffer): Promise<ReadBody> {
  const isBatch = Array.isArray(read.body);
  const messages: readonly unknown[] = Array.isArray(read.body) ? read.body : [read.body];
  if (messages.length > MAX_BATCH_MESSAGES) return read;
  const contexts = messages.map((message) => argumentsOf(asToolCall?.(message) ?? message).context);
  if (!contexts.some(isChangedByReading)) return read;
  const paths = messages.map((message) => contextPath?.(message) ?? MCP_CONTEXT);
  const texts = await textsAt(bytes.toString('utf8'), paths, { each: isBatch });
  contexts.forEach((context, index) => {
    const text = texts[index];
    if (text !== undefined && isChangedByReading(context)) attachText(context, text);
  });
  return read;
}

function isChangedByReading(context: unknown): context is object {
  return isObject(context) && hasNumber(context);
}

/** The code of JSON-RPC for what cannot be read. */
const PARSE_ERROR = -32700;

/** Reads a body whose faults come up after those of its signature. Throws the refusal of one that is too much to verify. */
async function readSignedBody(edge: Edge, bytes: Buffer): Promise<ReadBody | McpRefusal> {
  try {
    return await attachContextTexts(edge, await parseBody(bytes, BODY_BOUNDS), bytes);
  } catch (error) {
    if (error instanceof McpRefusal && error.code === PARSE_ERROR) return error;
    throw error;
  }
}

/** Returns the demand on the signature of a message: the stricter of that on its method and that on the task that it calls. */
function demandOn(seller: Seller, { message, method }: Incoming): SignatureDemand {
  const { requestSigning } = seller.tenant;
  const task = taskOf(seller, message);
  const demands = [
    task === undefined ? 'none' : signatureDemand(requestSigning, task),
    typeof method === 'string' ? methodDemand(requestSigning, method) : 'none',
  ];
  if (demands.includes('required')) return 'required';
  return demands.includes('forgiven') ? 'forgiven' : 'none';
}

/** Returns the task that a message calls, under the name by which the tenant lists it; undefined for another method of JSON-RPC. */
function taskOf(seller: Seller, message: unknown): string | undefined {
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return undefined;
  const { name } = message.params;
  if (typeof name !== 'string') return undefined;
  const tool = findTool(seller, name);
  return tool === undefined ? name : toolName(tool, seller.names);
}

/** The proof in a request's headers: a principal, the token of a list, nothing, or less than nothing. `header` is the one that was looked at. */
export type Proof =
  | {
      readonly kind: 'principal';
      readonly principal: Principal;
      /** What bounds a call that brings an access token; a key is bounded by its principal alone. */
      readonly grant?: CallGrant | undefined;
    }
  /** The token of a list, as its SHA-256; whether there is such a list is seen when it is read. */
  | { readonly kind: 'list_token'; readonly digest: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid'; readonly header: string };

/** Reads the bearer token from `Authorization`, or from the protocol's own header. */
export function authenticate(
  seller: Seller,
  headers: IncomingHttpHeaders,
  app: Pick<App, 'clock' | 'development' | 'keyUses'>,
): Proof {
  const carried = readToken(seller, headers);
  if (carried === undefined) return { kind: 'missing' };
  const rules = { nowMs: app.clock.now(), development: app.development };
  const opened = carried.token === undefined ? undefined : openByKey(seller, carried.token, rules);
  if (opened !== undefined) {
    app.keyUses.note(seller.tenant.path, opened.digest, rules.nowMs);
    return { kind: 'principal', principal: opened.principal };
  }
  if (carried.token !== undefined && isListToken(carried.token) && seller.tenant.kinds.includes('governance'))
    return { kind: 'list_token', digest: sha256Hex(carried.token) };
  return { kind: 'invalid', header: carried.header };
}

function readToken(
  seller: Seller,
  headers: IncomingHttpHeaders,
): { token: string | undefined; header: string } | undefined {
  const { authorization } = headers;
  if (authorization !== undefined)
    return { token: /^Bearer +(\S+) *$/i.exec(authorization)?.[1], header: 'authorization' };
  for (const header of seller.names.acceptedAuthHeaders) {
    const value = headers[header];
    if (typeof value === 'string' && value.trim() !== '')
      return { token: value.trim().replace(/^Bearer +/i, ''), header };
  }
  return undefined;
}

/** The answer to a request without a valid credential: the error of its body, and the challenge of its head. */
type Unauthorized = { readonly error: TaskError; readonly challenge: string };

/** Returns the error and challenge for a request without a valid credential. */
export function denyCredential(proof: Exclude<Proof, { kind: 'principal' }>, seller: Seller): Unauthorized {
  const where = whereTokensAre(seller);
  if (proof.kind === 'missing') {
    return {
      error: new TaskError('AUTH_MISSING', 'This call needs a credential and no header carried one.', {
        suggestion: `Send the header Authorization: Bearer <your API key>${where === '' ? '' : ', or sign in by OAuth'}.`,
      }),
      challenge: `Bearer realm="seller-agent"${where}`,
    };
  }
  if (proof.kind === 'list_token') {
    return {
      error: new TaskError('AUTH_INVALID', 'The token of a list opens that list alone.', {
        suggestion: 'Read the list with get_property_list or get_collection_list; for anything else send your API key.',
      }),
      challenge: 'Bearer realm="seller-agent", error="insufficient_scope"',
    };
  }
  return {
    error: new TaskError('AUTH_INVALID', `The credential in the ${proof.header} header is not valid here.`, {
      suggestion:
        'Check the API key and the tenant it was made for; the header is Authorization: Bearer <your API key>.',
    }),
    challenge: `Bearer realm="seller-agent", error="invalid_token"${where}`,
  };
}

/** The scopes that a client is told to ask for: those that a buyer needs. */
const USUAL_SCOPES = 'read buy';

/** Returns the members of a challenge that lead to the authorization server (RFC 9728); none where the tenant takes no tokens. */
function whereTokensAre(seller: Seller): string {
  if (seller.tenant.oauth === undefined) return '';
  return `, resource_metadata="${resourceMetadataUrl(seller)}", scope="${USUAL_SCOPES}"`;
}

/** Returns the denial of a call that a grant does not reach, with the scopes that a client has to ask for anew. */
export function outOfScope(seller: Seller, grant: CallGrant, needed: GrantScope): Omit<Denial, 'message'> {
  const { error, wanted } = outsideGrant(grant, needed);
  return {
    status: 403,
    error,
    challenge: [
      `Bearer realm="seller-agent", error="insufficient_scope", scope="${wanted}", resource_metadata="${resourceMetadataUrl(seller)}"`,
    ],
  };
}
