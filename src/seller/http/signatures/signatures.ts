import type { IncomingMessage } from 'node:http';
import { SECOND_MS } from '../../../platform/kernel/clock.js';
import { chooseKey, createKeyDirectory, type KeyDirectory } from '../../../platform/signing/directory/key-directory.js';
import { FAILURES, type Failure, type SignatureCode } from '../../../platform/signing/verify/codes.js';
import { createMemoryNonces, NONCE_LIMITS } from '../../../platform/signing/verify/nonces.js';
import { receivedHeaders } from '../../../platform/signing/verify/received.js';
import type { KeyLookup } from '../../../platform/signing/verify/verification.js';
import { createVerifier, type Refused } from '../../../platform/signing/verify/verify.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import type { Seller, SellerSigner } from '../../domain/tenant/seller.js';
import type { Principal } from '../../domain/tenant/tenant.js';
import { KIT_REVOCATION, KIT_SIGNER, kitKey, kitPrincipal, withKitRate } from './kit-signers.js';

/** What a call's signature proves: the principal whose agent signed, or why it proves nothing. */
export type Signed =
  | { readonly ok: true; readonly principal: Principal }
  | { readonly ok: false; readonly code: SignatureCode; readonly failure: Failure; readonly error: TaskError };

/** A call with its body as it came. */
export type SignedCall = {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  /** Whom another credential of the call names; it tells signers apart that publish the same key, and nothing else. */
  readonly beside: Principal | undefined;
};

/** Verifies the signed calls of all tenants. */
export type Signatures = { readonly verify: (seller: Seller, call: SignedCall) => Promise<Signed> };

/** Failures that an operator should hear of at once: a key may be stolen, or a sender loops (facts 2.3). */
const ALARMS: ReadonlySet<Failure> = new Set<Failure>(['signature_key_revoked', 'signature_rate_abuse']);

/**
 * The verifier of a process (facts 3.2). Nonces are remembered in memory, for every tenant and across edits of the files; after a
 * restart a signature that is still valid could be replayed, where the idempotency key holds.
 */
export function createSignatures(app: App): Signatures {
  const { clock, log } = app;
  const directories = new Map<string, KeyDirectory>();
  const nonces = withKitRate(createMemoryNonces(NONCE_LIMITS.request));

  function directoryOf({ names }: Seller, { principal }: SellerSigner): KeyDirectory {
    const local = app.development && principal.sandbox;
    const known = directories.get(`${names.own} ${local}`);
    if (known !== undefined) return known;
    const outbound = { fetch: (...request: Parameters<Fetch>) => app.renderer().outbound.fetch(...request) };
    const made = createKeyDirectory({ outbound, clock, names, profile: 'request', local });
    directories.set(`${names.own} ${local}`, made);
    return made;
  }

  /** The key of whichever signer of the tenant publishes it. One that several publish says nothing of who signed. */
  async function findKey(seller: Seller, keyid: string, beside: Principal | undefined): Promise<KeyLookup> {
    const answers = await Promise.all(
      seller.signers.map(async (signer) => ({
        signer,
        key: await directoryOf(seller, signer).find(signer.agent, keyid),
      })),
    );
    const found = answers.filter(({ key }) => key.kind === 'found');
    if (found.length > 1) {
      const meant = found.find(({ signer }) => signer.principal === beside);
      if (meant !== undefined) return meant.key;
      const agents = found.map(({ signer }) => signer.agent.url);
      log.warn({ tenant: seller.tenant.path, keyid, agents }, 'several signers publish one key; nobody is known by it');
      return { kind: 'refused', failure: 'signature_jwks_untrusted' };
    }
    const best = chooseKey(answers.map(({ key }) => key));
    if (best.kind === 'found' || !app.development) return best;
    const kit = kitKey(seller, keyid);
    return kit.kind === 'found' ? kit : best;
  }

  function refuse(seller: Seller, { code, failure, log: remark }: Refused): Signed {
    if (code === undefined) throw new Error(`the request profile has no code for ${failure}`);
    const say = ALARMS.has(failure) ? 'warn' : 'info';
    log[say]({ tenant: seller.tenant.path, code, ...remark }, 'the signature of a call does not hold');
    const { meaning, sender } = FAILURES[failure];
    const error = new TaskError('AUTH_INVALID', meaning, { suggestion: sender, details: { signature_error: code } });
    return { ok: false, code, failure, error };
  }

  return {
    verify: async (seller, { request, body, beside }) => {
      const verifier = createVerifier({
        profile: 'request',
        names: seller.names,
        keys: (keyid) => findKey(seller, keyid, beside),
        nonces,
        revocation: KIT_REVOCATION,
        now: () => Math.floor(clock.now() / SECOND_MS),
        contentDigest: seller.tenant.requestSigning.covers_content_digest,
      });
      const verdict = await verifier({
        method: request.method ?? '',
        // What a proxy says of the address is its own word; the configured one is what buyers sign.
        url: `${seller.baseUrl}${request.url}`,
        headers: receivedHeaders(request.rawHeaders),
        body,
      });
      if (!verdict.ok) return refuse(seller, verdict);
      const known = seller.signers.find(({ agent }) => agent.url === verdict.signer);
      const principal = known?.principal ?? (verdict.signer === KIT_SIGNER ? kitPrincipal(seller) : undefined);
      if (principal === undefined) throw new Error(`${verdict.signer} signs for nobody`);
      return { ok: true, principal };
    },
  };
}

type Fetch = ReturnType<App['renderer']>['outbound']['fetch'];
