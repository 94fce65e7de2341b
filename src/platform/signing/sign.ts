import { ALGORITHMS } from './algorithms.js';
import { COMPONENTS, type Component, signatureBase } from './base.js';
import { type ByteEncoding, contentDigest, writeBytes } from './digest.js';
import type { SigningKey } from './keys/jwk.js';
import { calledTarget } from './target-uri.js';

/** A request that is about to be sent, with these bytes. */
export type SignableRequest = {
  readonly method: string;
  /** As it will be called: absolute, and written on the wire as a URL parser writes it. */
  readonly url: string;
  /** Exactly as it will be sent. */
  readonly contentType?: string;
  readonly body?: Uint8Array;
};

/** How a request is signed. Nothing here has a source of its own: time and nonce come from outside. */
export type SignOptions = {
  /** `adcp/webhook-signing/v1` or `adcp/request-signing/v1`, as `ProtocolNames` writes it. */
  readonly tag: string;
  readonly nowSeconds: number;
  /** Base64url without padding, at least 16 bytes; a new one for every attempt. `Ids.secret()` makes them. */
  readonly nonce: string;
  /** 300 when left out, which is also the most. */
  readonly lifetimeSeconds?: number;
  /** Left out: what the request has, which for a webhook are the required five. */
  readonly components?: readonly Component[];
  /** How the digest is written; base64url unless given. */
  readonly digestEncoding?: ByteEncoding;
};

/** Headers to send beside Content-Type: `Signature-Input`, `Signature` and, where the body is covered, `Content-Digest`. */
export type SignedHeaders = Readonly<Record<string, string>>;

/** The longest validity of a signature, in seconds (spec 3, Limits). */
export const MAX_LIFETIME_SECONDS = 300;

/** The one label that the profiles use. */
export const LABEL = 'sig1';

/** A nonce as the wire has it: at least 16 bytes, base64url without padding (facts 2.1). */
export const NONCE = /^[A-Za-z0-9_-]{22,}$/;

/**
 * Signs a request after the RFC 9421 profile (spec 3, Authentication). The same arguments give the same headers with ed25519.
 * Throws VALIDATION_ERROR for a URL that has no canonical form, TypeError or RangeError for a caller's mistake.
 */
export function signRequest(request: SignableRequest, key: SigningKey, options: SignOptions): SignedHeaders {
  const { base, headers } = toSign(request, key, options);
  return headers(ALGORITHMS[key.alg].sign(base, key.privateKey));
}

/** The same without holding up the event loop: half of what a delivery costs is its signature. */
export async function signRequestAside(
  request: SignableRequest,
  key: SigningKey,
  options: SignOptions,
): Promise<SignedHeaders> {
  const { base, headers } = toSign(request, key, options);
  return headers(await ALGORITHMS[key.alg].signAside(base, key.privateKey));
}

/** The bytes that are signed, and the headers that their signature goes into. */
function toSign(
  request: SignableRequest,
  key: SigningKey,
  options: SignOptions,
): { readonly base: Buffer; readonly headers: (signature: Uint8Array) => SignedHeaders } {
  const { body } = request;
  const covered = options.components ?? COMPONENTS.filter((component) => has(request, component));
  const digest = covered.includes('content-digest')
    ? contentDigest(needed(body, 'content-digest'), options.digestEncoding)
    : undefined;
  // The receiver canonicalises what a URL parser sends, which differs from what was typed.
  const target = calledTarget(request.url);
  const values: Readonly<Record<Component, () => string>> = {
    '@method': () => request.method.toUpperCase(),
    '@target-uri': () => target.uri,
    '@authority': () => target.authority,
    'content-type': () => needed(request.contentType, 'content-type'),
    'content-digest': () => needed(digest, 'content-digest'),
  };
  const parameters = writeParameters(covered, key, options);
  const base = signatureBase(
    covered.map((component) => [component, values[component]()]),
    parameters,
  );
  return {
    base: Buffer.from(base),
    headers: (signature) => ({
      'Signature-Input': `${LABEL}=${parameters}`,
      Signature: `${LABEL}=${writeBytes(signature)}`,
      ...(digest === undefined ? {} : { 'Content-Digest': digest }),
    }),
  };
}

function has(request: SignableRequest, component: Component): boolean {
  if (component === 'content-type') return request.contentType !== undefined;
  return component === 'content-digest' ? request.body !== undefined : true;
}

function writeParameters(covered: readonly Component[], key: SigningKey, options: SignOptions): string {
  const { nowSeconds, lifetimeSeconds = MAX_LIFETIME_SECONDS, nonce, tag } = options;
  if (!Number.isInteger(nowSeconds)) throw new TypeError('a signature is dated in whole seconds');
  if (!(Number.isInteger(lifetimeSeconds) && lifetimeSeconds > 0 && lifetimeSeconds <= MAX_LIFETIME_SECONDS)) {
    throw new RangeError(`a signature is valid for 1 to ${MAX_LIFETIME_SECONDS} seconds`);
  }
  if (!NONCE.test(nonce)) throw new TypeError('a nonce is base64url without padding, of at least 16 bytes');
  const list = covered.map((component) => `"${component}"`).join(' ');
  return [
    `(${list})`,
    `created=${nowSeconds}`,
    `expires=${nowSeconds + lifetimeSeconds}`,
    `nonce=${quoted(nonce)}`,
    `keyid=${quoted(key.kid)}`,
    `alg=${quoted(key.alg)}`,
    `tag=${quoted(tag)}`,
  ].join(';');
}

/** A string of a structured field (RFC 8941 3.3.3). */
function quoted(text: string): string {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new TypeError('a parameter of a signature is printable ASCII');
  return `"${text.replace(/["\\]/g, (character) => `\\${character}`)}"`;
}

function needed<Value>(value: Value | undefined, component: Component): Value {
  if (value === undefined) throw new TypeError(`the request has nothing to cover as ${component}`);
  return value;
}
