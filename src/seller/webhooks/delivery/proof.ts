import { SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import { signHmac } from '../../../platform/signing/hmac.js';
import type { SigningKey } from '../../../platform/signing/keys/jwk.js';
import { signRequestInThread } from '../../../platform/signing/sign.js';
import type { TargetUri } from '../../../platform/signing/target-uri.js';
import type { ChannelMode } from '../../../protocol/channels.js';
import type { ProtocolNames } from '../../../protocol/names.js';
import { RELEASE_TABLE, type Release } from '../../../protocol/releases.js';
import type { Channel } from './channel.js';

/** The names and key that a tenant's events are signed with; asked anew for every attempt, so that a rotation reaches retries too. */
export type Signer = {
  readonly names: ProtocolNames;
  /** Undefined while the tenant has none: events that need one wait. */
  readonly key: SigningKey | undefined;
};

/** Returns the signer of a tenant's events to a buyer of a release. */
export type FindSigner = (tenant: string, release: Release) => Signer;

/** The claim to be proven: that this body goes to this canonical target of the channel, now. */
type ProofRequest = {
  readonly tenant: string;
  readonly channel: Channel;
  readonly target: TargetUri;
  readonly body: Uint8Array;
  readonly nowMs: number;
};

type Headers = Readonly<Record<string, string>>;

/** The headers that prove one attempt; undefined where the channel's mode cannot be served just now, for nothing leaves unproven. */
export type Prover = (claim: ProofRequest) => Promise<Headers | undefined>;

type Proof = ProofRequest & {
  readonly nowSeconds: number;
  readonly signer: Signer;
  readonly ids: Pick<Ids, 'secret'>;
};

/** The proof of each mode: a mode has exactly one proof and no other to fall back to. */
const PROOFS: Readonly<Record<ChannelMode, (proof: Proof) => Headers | undefined | Promise<Headers>>> = {
  rfc9421: ({ channel, target, body, nowSeconds, signer: { key, names }, ids }) =>
    key === undefined
      ? undefined
      : signRequestInThread({ method: 'POST', url: target.uri, target, contentType: 'application/json', body }, key, {
          tag: names.webhookTag,
          nowSeconds,
          nonce: ids.secret(),
          encoding: RELEASE_TABLE[channel.release ?? '3.0'].signing.webhookBytes,
        }),
  'hmac-sha256': ({ channel: { credentials }, body, nowSeconds, signer }) =>
    credentials === undefined
      ? undefined
      : signHmac(body, {
          secret: credentials,
          timestampSeconds: nowSeconds,
          headers: signer.names.hmacHeaders,
        }),
  bearer: ({ channel: { credentials } }) =>
    credentials === undefined ? undefined : { Authorization: `Bearer ${credentials}` },
};

/** Makes a prover of bodies in the name of a tenant's signer. Proofs are ready in the order in which they were asked for. */
export function createProver(findSigner: FindSigner, ids: Pick<Ids, 'secret'>): Prover {
  let before: Promise<unknown> = Promise.resolve();
  const prove: Prover = async (claim) => {
    const nowSeconds = Math.floor(claim.nowMs / SECOND_MS);
    return PROOFS[claim.channel.mode]({
      ...claim,
      nowSeconds,
      signer: findSigner(claim.tenant, claim.channel.release ?? '3.0'),
      ids,
    });
  };
  return (claim) => {
    const inOrder = Promise.all([prove(claim), before]).then(([headers]) => headers);
    before = inOrder.catch(() => undefined);
    return inOrder;
  };
}
