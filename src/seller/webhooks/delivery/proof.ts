import { SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import { signHmac } from '../../../platform/signing/hmac.js';
import type { SigningKey } from '../../../platform/signing/keys/jwk.js';
import { signRequestInThread } from '../../../platform/signing/sign.js';
import type { ChannelMode } from '../../../protocol/channels.js';
import type { ProtocolNames } from '../../../protocol/names.js';
import type { Release } from '../../../protocol/versions.js';
import type { Channel } from './channel.js';

/** Whose name and key stand on a tenant's events; asked anew for every attempt, so that a rotation reaches what is being retried. */
export type Signer = {
  readonly names: ProtocolNames;
  /** Absent while the tenant has none: what needs one waits. */
  readonly key: SigningKey | undefined;
};

/** In whose name a tenant's events go out to a buyer of a release. */
export type FindSigner = (tenant: string, release: Release) => Signer;

/** What is to be proven: that this body goes to this address, the canonical one of the channel, now. */
export type ProofRequest = {
  readonly tenant: string;
  readonly channel: Channel;
  readonly url: string;
  readonly body: Uint8Array;
  readonly nowMs: number;
};

type Headers = Readonly<Record<string, string>>;

/** The headers that prove one attempt; undefined where the channel's mode cannot be served just now, for nothing leaves unproven. */
export type Prover = (claim: ProofRequest) => Promise<Headers | undefined>;

type Proof = ProofRequest & {
  readonly nowSeconds: number;
  readonly signatory: Signer;
  readonly ids: Pick<Ids, 'secret'>;
};

/** What each mode puts on a body: a mode has exactly one proof and no other to fall back to (spec 3, Authentication). */
const PROOFS: Readonly<Record<ChannelMode, (proof: Proof) => Headers | undefined | Promise<Headers>>> = {
  rfc9421: ({ url, body, nowSeconds, signatory: { key, names }, ids }) =>
    key === undefined
      ? undefined
      : signRequestInThread({ method: 'POST', url, contentType: 'application/json', body }, key, {
          tag: names.webhookTag,
          nowSeconds,
          nonce: ids.secret(),
        }),
  'hmac-sha256': ({ channel: { credentials }, body, nowSeconds, signatory }) =>
    credentials === undefined
      ? undefined
      : signHmac(body, {
          secret: credentials,
          timestampSeconds: nowSeconds,
          headers: signatory.names.hmacHeaders,
        }),
  bearer: ({ channel: { credentials } }) =>
    credentials === undefined ? undefined : { Authorization: `Bearer ${credentials}` },
};

/** Proves bodies in the name of whom `signatory` says for a tenant. Proofs are ready in the order in which they were asked for. */
export function createProver(signatory: FindSigner, ids: Pick<Ids, 'secret'>): Prover {
  let before: Promise<unknown> = Promise.resolve();
  const prove: Prover = async (claim) => {
    const nowSeconds = Math.floor(claim.nowMs / SECOND_MS);
    return PROOFS[claim.channel.mode]({
      ...claim,
      nowSeconds,
      signatory: signatory(claim.tenant, claim.channel.release ?? '3.0'),
      ids,
    });
  };
  return (claim) => {
    const inTurn = Promise.all([prove(claim), before]).then(([headers]) => headers);
    before = inTurn.catch(() => undefined);
    return inTurn;
  };
}
