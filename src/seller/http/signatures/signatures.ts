import type { IncomingMessage } from 'node:http';
import { type Clock, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Log } from '../../../platform/kernel/log.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import { chooseKey, createKeyDirectory, type KeyDirectory } from '../../../platform/signing/directory/key-directory.js';
import { FAILURES, type Failure, type SignatureCode } from '../../../platform/signing/verify/codes.js';
import type { NonceStore } from '../../../platform/signing/verify/nonces.js';
import { receivedHeaders } from '../../../platform/signing/verify/received.js';
import type { KeyLookup } from '../../../platform/signing/verify/verification.js';
import { createVerifier, type Refused } from '../../../platform/signing/verify/verify.js';
import { TaskError } from '../../../protocol/errors.js';
import { endpointSigning } from '../../../protocol/releases.js';
import type { Principal } from '../../domain/tenant/principal.js';
import type { Seller, SellerSigner } from '../../domain/tenant/seller.js';
import { KIT_REVOCATION, KIT_SIGNER, kitKey, kitPrincipal, withKitRate } from './kit-signers.js';

/** The proof of a call's signature: the principal whose agent signed, or why it proves nothing. */
export type Signed =
  | { readonly ok: true; readonly principal: Principal }
  | { readonly ok: false; readonly code: SignatureCode; readonly failure: Failure; readonly error: TaskError };

/** A call with its body as it came. */
type SignedCall = {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  /** Whom another credential of the call names; it tells signers apart that publish the same key, and nothing else. */
  readonly beside: Principal | undefined;
};

/** Failures that an operator should hear of at once: a key may be stolen, or a sender loops. */
const ALARMS: ReadonlySet<Failure> = new Set<Failure>(['signature_key_revoked', 'signature_rate_abuse']);

/** The parts of a process that signatures are verified with. */
type SignatureServices = {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the keys of the published test kits count, and signers of the sandbox may have local addresses. */
  readonly development: boolean;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly nonces: NonceStore;
};

/**
 * Verifies the signed calls of all tenants of a process.
 */
export class Signatures {
  readonly #services: SignatureServices;
  /** By protocol name and whether local addresses count: a handful. */
  readonly #directories = new Map<string, KeyDirectory>();
  readonly #nonces: NonceStore;

  constructor(services: SignatureServices) {
    this.#services = services;
    this.#nonces = withKitRate(services.nonces);
  }

  /** Returns the principal whose agent signed a call, or why the signature proves nothing. */
  async verify(seller: Seller, { request, body, beside }: SignedCall): Promise<Signed> {
    const { clock } = this.#services;
    const verify = createVerifier({
      profile: 'request',
      names: seller.names,
      keys: (keyid) => this.#findKey(seller, keyid, beside),
      nonces: this.#nonces,
      revocation: KIT_REVOCATION,
      now: () => Math.floor(clock.now() / SECOND_MS),
      contentDigest: seller.tenant.requestSigning.covers_content_digest,
      bytes: endpointSigning(seller.tenant.releases).requestBytes,
    });
    const verdict = await verify({
      method: request.method ?? '',
      // What a proxy says of the address is its own word; the configured one is what buyers sign.
      url: `${seller.baseUrl}${request.url}`,
      headers: receivedHeaders(request.rawHeaders),
      body,
    });
    if (!verdict.ok) return this.#refuse(seller, verdict);
    const signer = seller.signers.find(({ agent }) => agent.url === verdict.signer);
    const principal = signer?.principal ?? (verdict.signer === KIT_SIGNER ? kitPrincipal(seller) : undefined);
    if (principal === undefined) throw new Error(`${verdict.signer} signs for nobody`);
    return { ok: true, principal };
  }

  /** Finds the key of whichever signer of the tenant publishes it. One that several publish says nothing of who signed. */
  async #findKey(seller: Seller, keyid: string, beside: Principal | undefined): Promise<KeyLookup> {
    const answers = await Promise.all(
      seller.signers.map(async (signer) => ({
        signer,
        key: await this.#directoryFor(seller, signer).find(signer.agent, keyid),
      })),
    );
    const published = answers.filter(({ key }) => key.kind === 'found');
    if (published.length > 1) return this.#chooseSigner(seller, keyid, published, beside);
    const best = chooseKey(answers.map(({ key }) => key));
    if (best.kind === 'found' || !this.#services.development) return best;
    const kit = kitKey(seller, keyid);
    return kit.kind === 'found' ? kit : best;
  }

  #chooseSigner(
    seller: Seller,
    keyid: string,
    published: readonly { readonly signer: SellerSigner; readonly key: KeyLookup }[],
    beside: Principal | undefined,
  ): KeyLookup {
    const named = published.find(({ signer }) => signer.principal === beside);
    if (named !== undefined) return named.key;
    const agents = published.map(({ signer }) => signer.agent.url);
    const facts = { tenant: seller.tenant.path, keyid, agents };
    this.#services.log.warn(facts, 'several signers publish one key; nobody is known by it');
    return { kind: 'refused', failure: 'signature_jwks_untrusted' };
  }

  #directoryFor({ names }: Seller, { principal }: SellerSigner): KeyDirectory {
    const { clock, development, outbound } = this.#services;
    const local = development && principal.sandbox;
    const id = `${names.own} ${local}`;
    const directory = this.#directories.get(id);
    if (directory !== undefined) return directory;
    const made = createKeyDirectory({ outbound, clock, names, profile: 'request', local });
    this.#directories.set(id, made);
    return made;
  }

  #refuse(seller: Seller, { code, failure, log: remark }: Refused): Signed {
    if (code === undefined) throw new Error(`the request profile has no code for ${failure}`);
    const level = ALARMS.has(failure) ? 'warn' : 'info';
    this.#services.log[level]({ tenant: seller.tenant.path, code, ...remark }, 'the signature of a call does not hold');
    const { meaning, sender } = FAILURES[failure];
    const error = new TaskError('AUTH_INVALID', meaning, { suggestion: sender, details: { signature_error: code } });
    return { ok: false, code, failure, error };
  }
}
