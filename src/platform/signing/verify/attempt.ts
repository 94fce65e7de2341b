import type { KeyObject } from 'node:crypto';
import type { ProtocolNames } from '../../../protocol/names.js';
import type { SignatureFields } from '../fields.js';
import type { Failure, Profile } from './codes.js';
import type { NonceStore } from './nonces.js';
import type { HeaderReader, ReceivedRequest } from './received.js';
import type { Revocation } from './revocation.js';

/** What the keys port found for a keyid. `signer` is the URL of the agent that publishes the key, `source` where it does. */
export type FoundKey =
  | { readonly kind: 'found'; readonly jwk: object; readonly signer: string; readonly source: string }
  | { readonly kind: 'unknown' }
  /** The keys could not be had, or not be trusted. */
  | { readonly kind: 'refused'; readonly failure: Failure };

/** How one side verifies. Everything with a default follows the profile of spec 3. */
export type VerifierOptions = {
  readonly profile: Profile;
  /** Tags and key members of both names of the protocol are read. */
  readonly names: ProtocolNames;
  readonly keys: (keyid: string, request: ReceivedRequest) => FoundKey | Promise<FoundKey>;
  readonly nonces: NonceStore;
  readonly revocation: Revocation;
  /** Unix seconds. */
  readonly now: () => number;
  /** Purposes that a key may have. Webhooks take old `webhook-signing` keys too; a verifier of 3.0 takes only those (facts 7, row 3). */
  readonly purposes?: readonly string[];
  /** Whether content-digest is covered; webhooks always require it. */
  readonly contentDigest?: 'required' | 'forbidden' | 'either';
  /** Seconds that clocks may differ by; 60. */
  readonly maxSkewSeconds?: number;
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

/** A request on its way down the checklist. What a step works out stands here for the ones below it. */
export type Attempt = {
  readonly request: ReceivedRequest;
  readonly header: HeaderReader;
  readonly options: VerifierOptions;
  readonly nowSeconds: number;
  readonly maxSkewSeconds: number;
  fields?: SignatureFields;
  parameters?: Parameters;
  found?: Extract<FoundKey, { kind: 'found' }>;
  publicKey?: KeyObject;
  /** Of a body that was refused. */
  repeatedNames?: readonly string[];
};

/** A step of the checklist: why the request is refused, or nothing. */
export type Check = (at: Attempt) => Failure | undefined | Promise<Failure | undefined>;

/** What an earlier step has worked out. */
export function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a step of the checklist ran before the one it stands on');
  return value;
}
