import type { RegistryReader } from '../../store/registry/registry-store.js';
import { publisherDomain } from '../domains.js';
import { type EntryKind, entryKey } from './nouns.js';
import { RegistryProblem } from './problem.js';
import { isAuthoritative } from './save.js';

/** The history of an entry, newest first (spec 1, History response). */
export type History = {
  readonly domain: string;
  readonly total: number;
  readonly revisions: readonly Readonly<Record<string, unknown>>[];
};

/** A page of an entry's history. Throws not_found for a domain that nobody saved and that has no file either. */
export async function historyOf(
  read: RegistryReader,
  kind: EntryKind,
  domain: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<History> {
  const name = publisherDomain(domain);
  const key = entryKey(kind, name);
  const total = await read.revision.countOf(key);
  if (total === 0 && !(await isAuthoritative(read, kind, name))) {
    throw new RegistryProblem('not_found', kind === 'brand' ? 'Brand not found' : 'Property not found', {
      suggestion: 'Check the domain; only what was saved here has a history.',
      details: { domain: name },
    });
  }
  const revisions = await read.revision.latest(key, page.limit, page.offset);
  return {
    domain: name,
    total,
    revisions: revisions.map(({ kind: _kind, domain: _domain, content: _content, ...shown }) => shown),
  };
}
