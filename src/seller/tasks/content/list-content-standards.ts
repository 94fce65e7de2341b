import { z } from 'zod';
import { bindList, cutPage, type Page, readPage } from '../../../platform/kernel/cursor.js';
import { type ContentStandard, matchesScope, type ScopeFilter, standardWire } from '../../domain/content/standard.js';
import type { Reader } from '../../store/store.js';
import { envelopeFields, pagination } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { scopeFilters } from './content-shapes.js';

const input = z.looseObject({ ...scopeFilters, pagination: pagination.optional(), ...envelopeFields });

/** A page ends with the standard that reaches so many bytes. */
const FULL_PAGE_BYTES = 512 * 1024;

/** list_content_standards: the caller's standards, oldest first. */
export const listContentStandards = query({
  name: 'list_content_standards',
  title: 'List content standards',
  description: 'Your content standards, by channels, languages and countries that they cover.',
  kinds: ['governance'],
  rows: 'standards',
  input,
  run: async ({ call, args, db }) => {
    const { channels, languages, countries } = args;
    const filter = { channels, languages, countries };
    const list = bindList('content_standards', call.owner, filter);
    const { page, rows, total } = await readStandards(db, call.owner, filter, readPage(list, args.pagination));
    const cut = cutPage(list, rows, page, ({ seq }) => seq);
    return {
      standards: cut.rows.flatMap(({ standard }) => (standard === undefined ? [] : [standardWire(standard)])),
      pagination: { ...cut.info, total_count: total },
    };
  },
});

/** A row of a page; the one beyond the page is not read. */
type Row = { readonly seq: number; readonly standard: ContentStandard | undefined };
type StandardsPage = { readonly page: Page; readonly rows: readonly Row[]; readonly total: number };

/** Reads the standards of a page, fewer where they are large, and one row beyond it. */
async function readStandards(db: Reader, owner: string, filter: ScopeFilter, asked: Page): Promise<StandardsPage> {
  const all = (await db.contentStandards.scopes(owner)).filter(({ scope }) => matchesScope(scope, filter));
  const left = all.filter(({ seq }) => seq > (asked.after ?? 0));
  const rows: Row[] = [];
  let bytes = 0;
  for (const { seq, standards_id } of left) {
    const isFull = rows.length === asked.limit || bytes >= FULL_PAGE_BYTES;
    const standard = isFull ? undefined : await db.contentStandards.find(owner, standards_id);
    rows.push({ seq, standard });
    if (isFull) return { page: { ...asked, limit: rows.length - 1 }, rows, total: all.length };
    bytes += Buffer.byteLength(JSON.stringify(standard));
  }
  return { page: asked, rows, total: all.length };
}
