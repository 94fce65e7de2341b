import { isoTime } from '../../../../platform/kernel/clock.js';
import { registrableDomain } from '../../../../platform/net/registrable-domain.js';
import { publisherDomain } from '../../../model/domains.js';
import { findIdnaFault } from '../../../model/idna.js';
import type { Member } from '../../auth/caller.js';
import type { ServerReader, ServerWriter } from '../../store/server-store.js';
import { refuseBlocked } from '../blocks/find.js';
import { lookupTimeout } from '../lookups.js';
import { RegistryProblem } from '../problem.js';
import { type Entry, type EntryKind, entryKey, type Revision } from '../records.js';
import type { Registry } from '../registry.js';
import { readBrand, rebuildBrand } from './brands.js';
import { applyHostedProperties } from './hosted.js';
import { findLookAlike, type LookAlike } from './look-alike-check.js';
import { isProven } from './ownership.js';

/** An entry to save for a domain. */
export type Submission = {
  readonly kind: EntryKind;
  readonly domain: string;
  readonly content: Entry['content'];
  /** For the history; the usual words unless given. */
  readonly summary?: string;
};

/** The outcome of a save. */
export type Saved =
  | { readonly outcome: 'created'; readonly entry: Entry }
  | { readonly outcome: 'updated'; readonly entry: Entry }
  | { readonly outcome: 'held'; readonly review_id: string; readonly domain: string };

/** The name of each kind in messages. */
const CALLED: Readonly<Record<EntryKind, string>> = { brand: 'brand.json', property: 'adagents.json' };

/**
 * Saves a community entry: never over an authoritative one, only with the proof of the domain, and not
 * under a name that reads like another one's. Every state is a revision; the first is the creation.
 */
export async function saveEntry(registry: Registry, member: Member, submission: Submission): Promise<Saved> {
  const domain = savableDomain(submission.domain);
  const { read } = registry.store;
  await refuseBlocked(read, 'domain', domain);
  await refuseAuthoritative(read, submission.kind, domain);
  await refuseUnproven(registry, read, member, domain);
  await refuseServed(registry, submission.kind, domain);
  const before = await read.entry.find(entryKey(submission.kind, domain));
  const suspicion = before === undefined ? await findLookAlike(read, domain) : undefined;
  const { lookAlikes } = registry.policy;
  if (suspicion !== undefined && lookAlikes === 'reject') throw lookAlike(suspicion, domain);
  return registry.store.transact(async (tx) => {
    // The rules are judged once more inside, where nobody can come between.
    await refuseAuthoritative(tx, submission.kind, domain);
    await refusePending(tx, submission.kind, domain);
    if (suspicion !== undefined && lookAlikes === 'review')
      return holdSave(tx, registry, member, { ...submission, domain, reason: suspicion.message });
    const { content, kind, summary } = submission;
    return commitEntry(tx, registry, {
      kind,
      domain,
      content,
      org_id: member.organization.org_id,
      editor: member.name,
      summary,
    });
  });
}

/** Leaves an entry for a moderator, who decides whether it is saved . Throws conflict for one that exists. */
export async function submitEntry(
  registry: Registry,
  member: Member,
  submission: Submission,
): Promise<{ readonly domain: string; readonly review_id: string }> {
  const domain = savableDomain(submission.domain);
  const { kind } = submission;
  return registry.store.transact(async (tx) => {
    await refuseBlocked(tx, 'domain', domain);
    await refuseAuthoritative(tx, kind, domain);
    await refusePending(tx, kind, domain);
    if ((await tx.entry.find(entryKey(kind, domain))) !== undefined) {
      throw new RegistryProblem('conflict', `${domain} is registered already.`, {
        field: '/domain',
        suggestion: 'Change it with the save endpoint.',
        details: { domain },
      });
    }
    return holdSave(tx, registry, member, { ...submission, domain, reason: 'submitted for review' });
  });
}

/** A change of an entry that is allowed. */
type EntryChange = {
  readonly kind: EntryKind;
  readonly domain: string;
  readonly org_id: string;
  readonly content: Entry['content'];
  readonly editor: string;
  readonly summary?: string;
  readonly rolledBackTo?: number;
};

/** Writes an entry, its revision and what follows from it, in one transaction. */
export async function commitEntry(tx: ServerWriter, registry: Registry, change: EntryChange): Promise<Saved> {
  const { kind, domain, content, org_id, editor, rolledBackTo } = change;
  await refuseBlocked(tx, 'domain', domain);
  const at = isoTime(registry.clock.now());
  const before = await tx.entry.find(entryKey(kind, domain));
  const revision_number = (before?.revision_number ?? 0) + 1;
  const entry: Entry = {
    id: before?.id ?? registry.ids.next(kind),
    kind,
    domain,
    org_id,
    revision_number,
    content,
    review_status: 'approved',
    created_at: before?.created_at ?? at,
    updated_at: at,
  };
  const revision: Revision = {
    kind,
    domain,
    revision_number,
    editor_name: editor,
    edit_summary: change.summary ?? `API: ${before === undefined ? 'created' : 'updated'} ${kind} data`,
    source: 'community',
    is_rollback: rolledBackTo !== undefined,
    rolled_back_to: rolledBackTo,
    created_at: at,
    content,
  };
  await tx.entry.put(entry);
  await tx.revision.put(revision);
  await tx.announce({ noun: 'entry', id: entryKey(kind, domain), doc: JSON.stringify(entry) });
  if (kind === 'brand') await rebuildBrand(tx, domain);
  else await applyHostedProperties(tx, registry, entry, `api:${org_id}`);
  return { outcome: before === undefined ? 'created' : 'updated', entry };
}

/** Returns the domain that an entry is for. Throws invalid_domain for a public suffix, and for a name that nobody can register. */
export function savableDomain(domain: string): string {
  const name = publisherDomain(domain);
  const fault = findIdnaFault(name);
  if (fault !== undefined) {
    throw new RegistryProblem('invalid_domain', `${name} ${fault}.`, {
      field: '/domain',
      suggestion: 'Send a domain that IDNA 2008 (RFC 5891, RFC 5892) lets be registered.',
      details: { domain: name },
    });
  }
  if (registrableDomain(name) !== undefined) return name;
  throw new RegistryProblem('invalid_domain', `${name} is a public suffix, which nobody owns.`, {
    field: '/domain',
    suggestion: 'Send the domain of the brand or publisher itself.',
    details: { domain: name },
  });
}

/** Whether a domain's own file speaks for it. */
export async function isAuthoritative(read: ServerReader, kind: EntryKind, domain: string): Promise<boolean> {
  if (kind === 'brand') return (await read.brand.find(domain))?.source === 'brand_json';
  return (await read.publisher.find(domain))?.adagents_valid === true;
}

/**
 * Reads what the domain serves just now, so that a file that was not read yet is not saved over. Throws authoritative (409) for one that
 * counts, which is crawled then, and publisher_lookup_timeout where that takes longer than a caller waits.
 */
async function refuseServed(registry: Registry, kind: EntryKind, domain: string): Promise<void> {
  const { clock, crawler, files, log, lookups, policy } = registry;
  if (!policy.liveLookups) return;
  const job = { kind: 'summary', domain, nowMs: clock.now(), local: false } as const;
  const isServed = await lookups.run(`save:${entryKey(kind, domain)}`, async () =>
    kind === 'brand'
      ? (await readBrand(registry, domain)).reason === 'found'
      : (await files.run(job)).effective !== undefined,
  );
  if (isServed === undefined) throw lookupTimeout(domain);
  if (!isServed) return;
  if (kind === 'property') {
    void crawler
      .request(domain, SAVE)
      .catch((error: unknown) => log.warn({ err: error, domain }, 'a file that a save met is not crawled now'));
  }
  throw listAuthoritative(kind, domain);
}

/** Who asks for the crawl of a file that a save met. */
const SAVE = 'pipeline:save';

/** Throws authoritative (409): the domain's own file speaks for it. */
async function refuseAuthoritative(read: ServerReader, kind: EntryKind, domain: string): Promise<void> {
  if (await isAuthoritative(read, kind, domain)) throw listAuthoritative(kind, domain);
}

function listAuthoritative(kind: EntryKind, domain: string): RegistryProblem {
  return new RegistryProblem(
    'authoritative',
    `${domain} is managed by its own ${CALLED[kind]} and cannot be edited here.`,
    {
      suggestion: `Change https://${domain}/.well-known/${CALLED[kind]}; the registry reads it again.`,
      details: { domain },
    },
  );
}

async function refuseUnproven(registry: Registry, read: ServerReader, member: Member, domain: string): Promise<void> {
  if (registry.policy.ownership === 'off') return;
  if (await isProven(registry, read, member.organization.org_id, domain)) return;
  throw new RegistryProblem('ownership_proof_required', `Show first that ${domain} is in your hands.`, {
    suggestion:
      'POST /api/ownership/issue with the domain, publish the nonce as it says, then POST /api/ownership/verify and save again.',
    details: { domain },
  });
}

async function refusePending(read: ServerReader, kind: EntryKind, domain: string): Promise<void> {
  const waiting = (await read.review.listByMark(entryKey(kind, domain))).find(({ state }) => state === 'pending');
  if (waiting === undefined) return;
  throw new RegistryProblem('pending_review', `A submission for ${domain} waits for a moderator.`, {
    suggestion: 'Wait for the decision; there is nothing to send again.',
    details: { domain, review_id: waiting.review_id },
  });
}

/** A submission that a person has to look at, and why. */
type HeldSubmission = Submission & { readonly domain: string; readonly reason: string };

async function holdSave(
  tx: ServerWriter,
  registry: Registry,
  member: Member,
  { kind, content, domain, reason }: HeldSubmission,
): Promise<Extract<Saved, { outcome: 'held' }>> {
  const review_id = registry.ids.next('review');
  await tx.review.put({
    review_id,
    kind,
    domain,
    org_id: member.organization.org_id,
    reason,
    state: 'pending',
    content,
    requested_by: member.name,
    requested_at: isoTime(registry.clock.now()),
  });
  return { outcome: 'held', review_id, domain };
}

function lookAlike({ message, resembles }: LookAlike, domain: string): RegistryProblem {
  return new RegistryProblem('look_alike', `${message}.`, {
    field: '/domain',
    suggestion: 'Use a name of your own; if it is yours, ask the operator of this registry to enter it.',
    details: { domain, resembles },
  });
}
