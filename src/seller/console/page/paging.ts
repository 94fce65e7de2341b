import { type Html, html } from '../../../platform/web/html.js';
import type { Fields } from '../visit.js';

/** Rows of one page of a list, and where the next page begins; undefined after the last. */
type RowPage<Row, Mark> = { readonly shown: readonly Row[]; readonly next: Mark | undefined };

/** Returns a page of rows, of which one more was read; `markOf` says of its last row and the one after it where the next page begins. */
export function takePage<Row, Mark>(
  rows: readonly Row[],
  size: number,
  markOf: (last: Row, following: Row) => Mark,
): RowPage<Row, Mark> {
  const shown = rows.slice(0, size);
  const [last, following] = [shown.at(-1), rows[size]];
  return { shown, next: last === undefined || following === undefined ? undefined : markOf(last, following) };
}

/** Reads from an address before which row a page begins; undefined of the first page. */
export function readBefore(query: Fields): number | undefined {
  const before = /^\d{1,15}$/.exec(query.text('before') ?? '')?.[0];
  return before === undefined ? undefined : Number(before);
}

/** Where a list goes on: its address, what that asks for already, and its field that says where a page begins. */
type Following = {
  readonly path: string;
  readonly query: Fields;
  readonly field?: 'before' | 'after' | 'behind' | 'from';
  readonly next: string | number | undefined;
  /** What the link says. */
  readonly label?: string | undefined;
  /** The part of the page that it leads to. */
  readonly part?: string;
};

/** Returns the link to the following page of a list; nothing after the last. */
export function moreLink({ field = 'before', label = 'Show older ones', next, part = '', path, query }: Following) {
  if (next === undefined) return false;
  const href = `${path}${query.with({ [field]: String(next) })}${part}`;
  return html`<p class="more"><a class="button" href="${href}">${label}</a></p>`;
}

/** A form that narrows a list: its address, its fields, and what its button says. */
type FilterForm = { readonly path: string; readonly fields: Html; readonly button?: string };

/** Returns the form that narrows a list; its fields are in the address, and where scripts run the list follows as they are filled in. */
export function filterForm({ button = 'Show', fields, path }: FilterForm): Html {
  return html`<form id="filters" class="filters" method="get" action="${path}" role="search" hx-get="${path}" hx-trigger="input changed delay:400ms, change" hx-target="#results" hx-select="#results" hx-swap="outerHTML" hx-replace-url="true">${fields}<button>${button}</button></form>`;
}
