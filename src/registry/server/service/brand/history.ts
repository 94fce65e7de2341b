import { startPace } from '../../../../platform/kernel/event-loop.js';
import { publisherDomain } from '../../../model/domains.js';
import type { ServerReader } from '../../store/server-store.js';
import { revisionKey } from '../../store/service.js';
import { isBlocked } from '../blocks/find.js';
import { RegistryProblem } from '../problem.js';
import { type EntryKind, entryKey } from '../records.js';
import { isAuthoritative } from './save.js';

/** The history of an entry, newest first. */
export type History = {
  readonly domain: string;
  readonly total: number;
  readonly revisions: readonly Readonly<Record<string, unknown>>[];
};

/** Returns a page of an entry's history. Throws not_found for a domain that nobody saved and that has no file either. */
export async function readHistory(
  read: ServerReader,
  kind: EntryKind,
  domain: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<History> {
  const name = publisherDomain(domain);
  const key = entryKey(kind, name);
  const total = (await isBlocked(read, 'domain', name)) ? 0 : await read.revision.countByScope(key);
  if (total === 0 && !(await isAuthoritative(read, kind, name))) {
    throw new RegistryProblem('not_found', kind === 'brand' ? 'Brand not found' : 'Property not found', {
      suggestion: 'Check the domain; only what was saved here has a history.',
      details: { domain: name },
    });
  }
  return {
    domain: name,
    total,
    revisions: await revisionsOf(read, { kind, domain: name, newest: total - page.offset }, page.limit),
  };
}

/** Revisions from `newest` down. What an entry held is left out, and is as large as a body may be: one is read at a time. */
async function revisionsOf(
  { revision }: ServerReader,
  { domain, kind, newest }: { readonly kind: EntryKind; readonly domain: string; readonly newest: number },
  limit: number,
): Promise<History['revisions']> {
  const pace = startPace();
  const shown: Readonly<Record<string, unknown>>[] = [];
  for (let number = newest; number > Math.max(0, newest - limit); number -= 1) {
    const state = await revision.find(revisionKey(kind, domain, number));
    if (state === undefined) break;
    const { kind: _kind, domain: _domain, content: _content, ...rest } = state;
    shown.push(rest);
    if (pace.isDue()) await pace.rest();
  }
  return shown;
}
