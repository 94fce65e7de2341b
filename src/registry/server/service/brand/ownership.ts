import { timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../../../platform/kernel/canonical.js';
import { isoTime, MINUTE_MS } from '../../../../platform/kernel/clock.js';
import { FetchError } from '../../../../platform/net/fetch-error.js';
import { publisherDomain } from '../../../model/domains.js';
import type { Member } from '../../auth/caller.js';
import type { ServerReader, ServerWriter } from '../../store/server-store.js';
import { RegistryProblem } from '../problem.js';
import type { Ownership } from '../records.js';
import type { Registry } from '../registry.js';

/** Where a domain can show that it is in somebody's hands. */
export const PROOF_METHODS = ['dns', 'http'] as const;
type ProofMethod = (typeof PROOF_METHODS)[number];

/** A challenge as it is handed out; the nonce is shown this once. */
export type Challenge = {
  readonly domain: string;
  readonly nonce: string;
  readonly expires_at: string;
  readonly dns_record_name: string;
  readonly dns_record_type: 'TXT';
  readonly dns_record_value: string;
  readonly http_url: string;
  readonly http_body: string;
  readonly instructions: string;
};

/** A proof that succeeded. */
export type Proof = {
  readonly domain: string;
  readonly verified: true;
  readonly method: ProofMethod;
  readonly verified_at: string;
  /** From then on a save needs a new proof. */
  readonly reproof_after: string;
};

/** How long a nonce may be used. */
const NONCE_LASTS_MS = 15 * MINUTE_MS;
/** Bytes of the file that holds a nonce, and milliseconds for it. */
const PROOF_MAX_BYTES = 1024;
const PROOF_TIMEOUT_MS = 8000;
/** Proofs of one domain that are read at a time. */
const PAGE_SIZE = 100;

/** Hands out a nonce for an organization and a domain; it takes the place of an earlier one. */
export async function issueChallenge(registry: Registry, member: Member, domain: string): Promise<Challenge> {
  const { clock, ids, names, policy, store } = registry;
  const name = publisherDomain(domain);
  const nonce = ids.secret();
  const now = clock.now();
  const org_id = member.organization.org_id;
  const expires_at = isoTime(now + NONCE_LASTS_MS);
  await store.transact(async (tx) => {
    const { verified_at, method } = (await tx.ownership.find(ownershipKey(org_id, name))) ?? {};
    await tx.ownership.put({
      org_id,
      domain: name,
      nonce_hash: sha256Hex(nonce),
      state: 'pending',
      issued_at: isoTime(now),
      expires_at,
      ...(verified_at === undefined || method === undefined ? {} : { verified_at, method }),
    });
  });
  const [own = ''] = names.accepted;
  return {
    domain: name,
    nonce,
    expires_at,
    dns_record_name: recordName(own, name),
    dns_record_type: 'TXT',
    dns_record_value: nonce,
    http_url: proofUrl(own, name),
    http_body: nonce,
    instructions: `Publish the nonce as the TXT record or as the file, then POST /api/ownership/verify before ${expires_at}. The proof lasts ${policy.proofLastsMs / 86_400_000} days.`,
  };
}

/**
 * Checks the pending nonce where the domain shows it. The nonce is used up either way: consumed by success, dead after a failure.
 * Throws no_challenge, nonce_expired or verification_failed.
 */
export async function verifyChallenge(
  registry: Registry,
  member: Member,
  domain: string,
  method: ProofMethod | undefined,
): Promise<Proof> {
  const name = publisherDomain(domain);
  const key = ownershipKey(member.organization.org_id, name);
  const claimed = await claimNonce(registry, key, name);
  const shown = await findNonce(registry, name, claimed.nonce_hash, method);
  const at = registry.clock.now();
  if (shown === undefined) {
    throw new RegistryProblem('verification_failed', `The nonce was not found at ${name}; it is no longer valid.`, {
      field: '/domain',
      suggestion:
        'Ask for a new one with POST /api/ownership/issue, publish it, check that it is served, and verify once.',
      details: { domain: name, verified: false },
    });
  }
  const verified_at = isoTime(at);
  await registry.store.transact(async (tx) => {
    const before = await tx.ownership.find(key);
    // A nonce that was issued while the proof was on its way stays pending.
    const isSame = before?.nonce_hash === claimed.nonce_hash;
    await endOtherProofs(tx, key, name);
    await tx.ownership.put({
      ...(before ?? claimed),
      ...(isSame ? { state: 'consumed' } : {}),
      verified_at,
      method: shown,
    });
  });
  return {
    domain: name,
    verified: true,
    method: shown,
    verified_at,
    reproof_after: isoTime(at + registry.policy.proofLastsMs),
  };
}

/** Ends what other organizations have proven of a domain: it is in the hands of the one that proved it last. */
async function endOtherProofs(tx: ServerWriter, key: string, domain: string): Promise<void> {
  for (let after = ''; ; ) {
    const proofs = await tx.ownership.listByScope(domain, after, PAGE_SIZE);
    for (const { method: _method, verified_at, ...proof } of proofs) {
      if (verified_at !== undefined && ownershipKey(proof.org_id, domain) !== key) await tx.ownership.put(proof);
    }
    const last = proofs.at(-1);
    if (last === undefined || proofs.length < PAGE_SIZE) return;
    after = ownershipKey(last.org_id, domain);
  }
}

/** Whether an organization may save for a domain by what it has proven, now. */
export async function isProven(
  registry: Registry,
  read: ServerReader,
  orgId: string,
  domain: string,
): Promise<boolean> {
  const { verified_at } = (await read.ownership.find(ownershipKey(orgId, domain))) ?? {};
  return verified_at !== undefined && registry.clock.now() - Date.parse(verified_at) < registry.policy.proofLastsMs;
}

/** Takes the pending nonce before anything is asked for, so that of two that race with it only one is judged. */
async function claimNonce(registry: Registry, key: string, domain: string): Promise<Ownership> {
  const { clock, store } = registry;
  const outcome = await store.transact(async (tx): Promise<Ownership | 'expired' | undefined> => {
    const proof = await tx.ownership.find(key);
    if (proof?.state !== 'pending') return undefined;
    await tx.ownership.put({ ...proof, state: 'invalidated' });
    return Date.parse(proof.expires_at) > clock.now() ? proof : 'expired';
  });
  if (outcome === undefined) {
    throw new RegistryProblem('no_challenge', 'There is no nonce of yours that waits for this domain.', {
      field: '/domain',
      suggestion: 'Ask for one with POST /api/ownership/issue; each is good for one verification.',
      details: { domain },
    });
  }
  if (outcome !== 'expired') return outcome;
  throw new RegistryProblem('nonce_expired', 'The nonce was issued more than 15 minutes ago.', {
    field: '/domain',
    suggestion: 'Ask for a new one with POST /api/ownership/issue.',
    details: { domain },
  });
}

async function findNonce(
  registry: Registry,
  domain: string,
  hash: string,
  method: ProofMethod | undefined,
): Promise<ProofMethod | undefined> {
  for (const proofMethod of method === undefined ? PROOF_METHODS : [method]) {
    for (const protocol of registry.names.accepted) {
      const texts =
        proofMethod === 'dns'
          ? await registry.txt(recordName(protocol, domain))
          : await served(registry, protocol, domain);
      if (texts.some((text) => isNonce(text, hash))) return proofMethod;
    }
  }
  return undefined;
}

async function served(registry: Registry, protocol: string, domain: string): Promise<readonly string[]> {
  try {
    const { bytes, status } = await registry.outbound.fetch(proofUrl(protocol, domain), {
      maxBytes: PROOF_MAX_BYTES,
      timeoutMs: PROOF_TIMEOUT_MS,
      // Where a redirect leads, somebody else may speak.
      maxRedirects: 0,
      headers: { accept: 'text/plain' },
    });
    return status === 200 ? bytes.toString('utf8').split(/\r?\n/) : [];
  } catch (error) {
    if (error instanceof FetchError) return [];
    throw error;
  }
}

function isNonce(text: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(text.trim())), Buffer.from(hash));
}

function recordName(protocol: string, domain: string): string {
  return `_${protocol}-owner.${domain}`;
}

function proofUrl(protocol: string, domain: string): string {
  return `https://${domain}/.well-known/${protocol}-ownership.txt`;
}

function ownershipKey(orgId: string, domain: string): string {
  return `${orgId}:${domain}`;
}
