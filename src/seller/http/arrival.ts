import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isObject } from '../../platform/kernel/json/json.js';
import { McpRefusal } from '../../platform/mcp/refusal.js';
import { argumentsOf, parseBody, readBody, requireJson } from '../../platform/mcp/request.js';
import { type SignatureCode, signatureChallenge } from '../../platform/signing/verify/codes.js';
import { decideSignature } from '../../platform/signing/verify/requirement.js';
import { TaskError } from '../../protocol/errors.js';
import type { App } from '../context.js';
import type { Seller } from '../domain/tenant/seller.js';
import { findTool } from '../tasks/index.js';
import { toolName } from '../tasks/pipeline/define.js';
import { authenticate, type Proof, type Unauthorized, unauthorized } from './auth.js';
import { hasLegacyRegistration } from './signatures/legacy-registration.js';
import type { Signatures, Signed } from './signatures/signatures.js';

/** The services that every request meets first. */
export type Edge = {
  readonly app: App;
  readonly maxBodyBytes: number;
  /** Loaded when the first signed request comes. */
  readonly signatures: () => Promise<Signatures>;
};

/** A refusal of a request: the error of its body, and the challenges of its head. */
export type Denial = {
  readonly error: TaskError;
  readonly challenge: readonly string[];
  /** The message of the request that is answered. */
  readonly message: unknown;
};

/** A request whose body was read, with what it proves of its sender; or why it goes no further. */
export type Arrived = { readonly proof: Proof; readonly body: unknown } | { readonly denial: Denial };

/** Largest body read from somebody who has not shown a credential. */
const MAX_ANONYMOUS_BYTES = 65_536;
/** Largest body read from somebody who signed: whether the signature holds can only be said of the whole body. */
const MAX_SIGNED_BYTES = 1_048_576;

/** Reads a request and who it is by, before anything looks at what it asks for. Throws a refusal for one that cannot be read. */
export function receive(
  edge: Edge,
  seller: Seller,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Arrived> {
  const proof = authenticate(seller, request.headers, edge.app.development);
  const isSigned = seller.tenant.requestSigning.supported && carriesSignature(request.headers);
  return (isSigned ? receiveSigned : receiveUnsigned)(edge, seller, proof, request, response);
}

/** Whether there is any trace of a signature. This look is all that an unsigned call costs. */
function carriesSignature(headers: IncomingHttpHeaders): boolean {
  return headers.signature !== undefined || headers['signature-input'] !== undefined;
}

type Receive = (
  edge: Edge,
  seller: Seller,
  proof: Proof,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<Arrived>;

const receiveUnsigned: Receive = async ({ maxBodyBytes }, seller, proof, request, response) => {
  requireJson(request);
  const limit = proof.kind === 'principal' ? maxBodyBytes : Math.min(MAX_ANONYMOUS_BYTES, maxBodyBytes);
  const body = parseBody(await readBody(request, response, limit));
  const denial = needsSignature(seller, proof, request.headers, body);
  return denial === undefined ? { proof, body } : { denial };
};

/** Reads a signed request; what is wrong with the signature is said before anything else. */
const receiveSigned: Receive = async ({ app, maxBodyBytes, signatures }, seller, proof, request, response) => {
  const limit = proof.kind === 'principal' ? maxBodyBytes : Math.min(MAX_SIGNED_BYTES, maxBodyBytes);
  const bytes = await readBody(request, response, limit);
  const beside = proof.kind === 'principal' ? proof.principal : undefined;
  const signed = await (await signatures()).verify(seller, { request, body: bytes, beside });
  if (!signed.ok) {
    const messages = messagesOf(readable(bytes));
    const { code, error } = signed;
    if (!isForgiven(seller, proof, signed, messages))
      return { denial: { error, challenge: [signatureChallenge(code)], message: messages[0] } };
    app.log.warn({ tenant: seller.tenant.path, code }, 'a signature does not hold; the other credential counts');
  }
  requireJson(request);
  return { proof: signed.ok ? { kind: 'principal', principal: signed.principal } : proof, body: parseBody(bytes) };
};

/**
 * Whether another credential counts in the place of a signature that does not hold: where all that is called stands in `warn_for`.
 * One that cannot even be read is final everywhere.
 */
function isForgiven(
  seller: Seller,
  proof: Proof,
  { failure }: Extract<Signed, { ok: false }>,
  messages: readonly unknown[],
): boolean {
  const { warn_for } = seller.tenant.requestSigning;
  return (
    failure !== 'signature_header_malformed' &&
    proof.kind === 'principal' &&
    messages.every((message) => warn_for.includes(taskOf(seller, message) ?? ''))
  );
}

/** The denial of an unsigned request with a call that needs a signature, or the credential that it lacks too. */
function needsSignature(seller: Seller, proof: Proof, headers: IncomingHttpHeaders, body: unknown): Denial | undefined {
  const { supported, strict, required_for } = seller.tenant.requestSigning;
  const hasCredential = proof.kind === 'principal';
  if (!supported || (hasCredential && !strict)) return undefined;
  for (const message of messagesOf(body)) {
    const isRequired = required_for.includes(taskOf(seller, message) ?? '');
    const arrival = {
      request: { headers },
      isRequired,
      hasCredential,
      // Whoever has a credential may register it unsigned, so it is not looked for.
      hasLegacyRegistration: !hasCredential && hasLegacyRegistration(argumentsOf(message)),
    };
    if (decideSignature(arrival, { isStrict: strict }) !== 'signature_required') continue;
    const other = hasCredential || (strict && isRequired) ? undefined : unauthorized(proof);
    return { ...unsigned(seller, other), message };
  }
  return undefined;
}

const REQUIRED: SignatureCode = 'request_signature_required';

/** Returns the denial of a call that needs a signature; `other` is the other credential that it could bring. */
function unsigned({ names }: Seller, other: Unauthorized | undefined): Omit<Denial, 'message'> {
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

function messagesOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

function readable(bytes: Buffer): unknown {
  try {
    return parseBody(bytes);
  } catch (error) {
    if (error instanceof McpRefusal) return undefined;
    throw error;
  }
}

/** The task that a message calls, under the name by which the tenant lists it; undefined for another method of JSON-RPC. */
function taskOf(seller: Seller, message: unknown): string | undefined {
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return undefined;
  const { name } = message.params;
  if (typeof name !== 'string') return undefined;
  const tool = findTool(seller, name);
  return tool === undefined ? name : toolName(tool, seller.names);
}
