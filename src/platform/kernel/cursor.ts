import { sha256Hex } from './canonical.js';
import { InputError } from './errors.js';

/** A page of a list: at most `limit` rows after `after` (a row's sequence number), newest or oldest first as the list says. */
export type Page = { readonly limit: number; readonly after: number | undefined };

/** The answer's `pagination` object; `cursor` only where there is more. */
export type PageInfo = { readonly has_more: boolean; readonly cursor?: string; readonly total_count?: number };

/** Returns the list called `name` as one answer to one question, such as its owner and its filter: cursors go with that alone. */
export function bindList(name: string, ...question: readonly unknown[]): string {
  return `${name}.${sha256Hex(JSON.stringify(question)).slice(0, 16)}`;
}

/** Writes the cursor that continues after row `after` of the list called `list`. */
export function writeCursor(list: string, after: number): string {
  return Buffer.from(`${list}:${after}`).toString('base64url');
}

/** Reads the request's `pagination`. Throws INVALID_REQUEST for a cursor that this list did not write. */
export function readPage(
  list: string,
  pagination: { readonly max_results?: number; readonly cursor?: string } | undefined,
): Page {
  const limit = pagination?.max_results ?? 50;
  if (pagination?.cursor === undefined) return { limit, after: undefined };
  const [name, after] = Buffer.from(pagination.cursor, 'base64url').toString('utf8').split(':');
  if (name !== list || !/^\d{1,15}$/.test(after ?? '') || writeCursor(list, Number(after)) !== pagination.cursor) {
    throw new InputError(
      'INVALID_REQUEST',
      'The cursor is not one that this list returned for this caller, account and filter.',
      {
        field: 'pagination.cursor',
        suggestion:
          'Send the cursor of the previous page exactly as it came, with the account, filters and order of that request; or leave it out to start from the beginning.',
      },
    );
  }
  return { limit, after: Number(after) };
}

/** Cuts rows, read with one to spare, down to a page and its `pagination`. */
export function cutPage<R>(
  list: string,
  rows: readonly R[],
  page: Page,
  position: (row: R) => number,
): { rows: readonly R[]; info: PageInfo } {
  if (rows.length <= page.limit) return { rows, info: { has_more: false } };
  const cut = rows.slice(0, page.limit);
  const last = cut[cut.length - 1];
  return {
    rows: cut,
    info: { has_more: true, cursor: last === undefined ? undefined : writeCursor(list, position(last)) },
  };
}

/** Returns a page of a list held in memory; positions are array indexes plus one. */
export function pageArray<R>(list: string, all: readonly R[], page: Page): { rows: readonly R[]; info: PageInfo } {
  const from = page.after ?? 0;
  const rows = all.slice(from, from + page.limit + 1).map((row, index) => ({ row, position: from + index + 1 }));
  const cut = cutPage(list, rows, page, (entry) => entry.position);
  return { rows: cut.rows.map((entry) => entry.row), info: { ...cut.info, total_count: all.length } };
}
