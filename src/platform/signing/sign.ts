import { ALGORITHMS } from './algorithms.js';
import { type ByteEncoding, contentDigest, writeBytes } from './digest.js';
import type { SigningKey } from './keys/jwk.js';
import { COMPONENTS, type Component, signatureBase } from './signature-base.js';
import { parsedTarget, type TargetUri } from './target-uri.js';

/** A request that is about to be sent, with these exact bytes. */
export type SignableRequest = {
  readonly method: string;
  /** As it will be called: absolute, and written on the wire as a URL parser writes it. */
  readonly url: string;
  /** The canonical target of `url`, where the caller has worked it out already. */
  readonly target?: TargetUri | undefined;
  /** Exactly as it will be sent. */
  readonly contentType?: string;
  readonly body?: Uint8Array;
};

/** The choices of one signature; time and nonce come from outside. */
export type SignOptions = {
  /** `adcp/webhook-signing/v1` or `adcp/request-signing/v1`, as `ProtocolNames` writes it. */
  readonly tag: string;
  readonly nowSeconds: number;
  /** Base64url without padding, at least 16 bytes; a new one for every attempt. `Ids.secret()` makes them. */
  readonly nonce: string;
  /** 300 when left out, which is also the most. */
  readonly lifetimeSeconds?: number;
  /** Unless given, every component that the request has; for a webhook these are the required five. */
  readonly components?: readonly Component[];
  /** How signature and digest are written; base64url unless given. */
  readonly encoding?: ByteEncoding;
  /** How the digest is written where that differs. */
  readonly digestEncoding?: ByteEncoding;
};

/** Headers to send beside Content-Type: `Signature-Input`, `Signature` and, where the body is covered, `Content-Digest`. */
export type SignedHeaders = Readonly<Record<string, string>>;

/** The longest validity of a signature, in seconds. */
export const MAX_LIFETIME_SECONDS = 300;

/** The one label that the profiles use. */
export const LABEL = 'sig1';

/** A nonce as the wire has it: at least 16 bytes, base64url without padding. */
export const NONCE = /^[A-Za-z0-9_-]{22,}$/;

/**
 * Signs a request after the RFC 9421 profile. The same arguments give the same headers with ed25519.
 * Throws VALIDATION_ERROR for a URL that has no canonical form, TypeError or RangeError for a caller's mistake.
 */
export function signRequest(request: SignableRequest, key: SigningKey, options: SignOptions): SignedHeaders {
  const { base, headers } = prepareSignature(request, key, options);
  return headers(ALGORITHMS[key.alg].sign(base, key.privateKey));
}

/** Signs a request without holding up the event loop (bench row "webhooks": half the cost of a delivery is its signature). */
export async function signRequestInThread(
  request: SignableRequest,
  key: SigningKey,
  options: SignOptions,
): Promise<SignedHeaders> {
  const { base, headers } = prepareSignature(request, key, options);
  return headers(await ALGORITHMS[key.alg].signInThread(base, key.privateKey));
}

type UnsignedRequest = { readonly base: Buffer; readonly headers: (signature: Uint8Array) => SignedHeaders };

/** Returns the bytes to sign, and the headers as a function of their signature. */
function prepareSignature(request: SignableRequest, key: SigningKey, options: SignOptions): UnsignedRequest {
  const { body } = request;
  const covered = options.components ?? COMPONENTS.filter((component) => hasComponent(request, component));
  const digest = covered.includes('content-digest')
    ? contentDigest(requireComponent(body, 'content-digest'), options.digestEncoding ?? options.encoding)
    : undefined;
  // The receiver canonicalizes what a URL parser sends, which differs from what was typed.
  const target = request.target ?? parsedTarget(request.url);
  const values: Readonly<Record<Component, () => string>> = {
    '@method': () => request.method.toUpperCase(),
    '@target-uri': () => target.uri,
    '@authority': () => target.authority,
    'content-type': () => requireComponent(request.contentType, 'content-type'),
    'content-digest': () => requireComponent(digest, 'content-digest'),
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
      Signature: `${LABEL}=${writeBytes(signature, options.encoding)}`,
      ...(digest === undefined ? {} : { 'Content-Digest': digest }),
    }),
  };
}

function hasComponent(request: SignableRequest, component: Component): boolean {
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
    `nonce=${writeString(nonce)}`,
    `keyid=${writeString(key.kid)}`,
    `alg=${writeString(key.alg)}`,
    `tag=${writeString(tag)}`,
  ].join(';');
}

/** Writes a string of a structured field (RFC 8941 3.3.3). */
function writeString(text: string): string {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new TypeError('a parameter of a signature is printable ASCII');
  return `"${text.replace(/["\\]/g, (character) => `\\${character}`)}"`;
}

function requireComponent<Value>(value: Value | undefined, component: Component): Value {
  if (value === undefined) throw new TypeError(`the request has nothing to cover as ${component}`);
  return value;
}
