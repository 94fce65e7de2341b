import type { KeyObject } from 'node:crypto';
import type { AcceptedBytes } from '../digest.js';
import type { SignatureFields } from '../signature-fields.js';
import type { Failure, Profile } from './codes.js';
import type { NonceStore } from './nonces.js';
import type { DigestPolicy, VerifierNames } from './profiles.js';
import type { HeaderReader, ReceivedRequest } from './received.js';
import type { Revocation } from './revocation.js';

/** The answer of the keys port for a keyid. `signer` is the URL of the agent that publishes the key, `source` where the agent does. */
export type KeyLookup =
  | { readonly kind: 'found'; readonly jwk: object; readonly signer: string; readonly source: string }
  | { readonly kind: 'unknown' }
  /** The keys could not be had, or not be trusted. */
  | { readonly kind: 'refused'; readonly failure: Failure };

/** How one side verifies. Everything with a default follows the profile. */
export type VerifierOptions = {
  readonly profile: Profile;
  /** Tags and key members of both names of the protocol are read. */
  readonly names: VerifierNames;
  readonly keys: (keyid: string, request: ReceivedRequest) => KeyLookup | Promise<KeyLookup>;
  readonly nonces: NonceStore;
  readonly revocation: Revocation;
  /** Unix seconds. */
  readonly now: () => number;
  /** Purposes that a key may have. Webhooks take `webhook-signing` keys too, which verifiers of release 3.0 ask for. */
  readonly purposes?: readonly string[] | undefined;
  /** Whether content-digest is covered; webhooks always require it. */
  readonly contentDigest?: DigestPolicy | undefined;
  /** How Signature and Content-Digest have to be written; `any` unless given. */
  readonly bytes?: AcceptedBytes | undefined;
  /** Seconds that clocks may differ by; 60. */
  readonly maxSkewSeconds?: number | undefined;
};

/** The parameters of a signature; instants in unix seconds. */
export type Parameters = {
  readonly created: number;
  readonly expires: number;
  readonly nonce: string;
  readonly keyid: string;
  readonly alg: string;
  readonly tag: string;
};

/** A request on its way down the checklist. A step writes its result into the members that may be undefined, for the steps below it. */
export type Verification = {
  readonly request: ReceivedRequest;
  readonly header: HeaderReader;
  readonly options: VerifierOptions;
  readonly importKey: (jwk: object) => KeyObject | undefined;
  readonly nowSeconds: number;
  readonly maxSkewSeconds: number;
  signatureFields?: SignatureFields;
  parameters?: Parameters;
  key?: Extract<KeyLookup, { kind: 'found' }>;
  publicKey?: KeyObject;
  /** Of a body that was refused. */
  repeatedNames?: readonly string[];
};

/** A step of the checklist: returns why the request is refused, undefined when it passes. */
export type Check = (verification: Verification) => Failure | undefined | Promise<Failure | undefined>;

/** Returns the result of an earlier step. Throws Error when that step has not run. */
export function requireStep<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a step of the checklist ran before the step that it depends on');
  return value;
}
