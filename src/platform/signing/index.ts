/** RFC 9421 signatures of requests and webhooks, their keys, and the deprecated HMAC scheme: usable without a seller. */
export type { Algorithm } from './algorithms.js';
export {
  createKeyDirectory,
  type KeyDirectory,
  type KeyDirectoryOptions,
  type SigningAgent,
} from './directory/key-directory.js';
export { type HmacOptions, type HmacVerdict, signHmac, verifyHmac } from './hmac.js';
export type { PublicJwk, Purpose, SigningKey } from './keys/jwk.js';
export { type KeyRing, type KeyRingOptions, openKeyRing } from './keys/key-ring.js';
export { type SignableRequest, type SignedHeaders, type SignOptions, signRequest } from './sign.js';
export { canonicalTargetUri, type TargetUri } from './target-uri.js';
export { SIGNATURE_CODES, type SignatureCode, signatureChallenge } from './verify/codes.js';
export { createMemoryNonces, NONCE_LIMITS, type NonceStore } from './verify/nonces.js';
export { type ReceivedRequest, receivedHeaders } from './verify/received.js';
export { createRevocation, NO_REVOCATION, type Revocation } from './verify/revocation.js';
export type { KeyLookup, VerifierOptions } from './verify/verification.js';
export { createVerifier, STEPS, type Verdict, type Verifier } from './verify/verify.js';
