import type { RegistryEvent } from '../model/records.js';
import type { FoundAgent, ListedBrand, ListedProperty, ListedPublisher, Revision } from './answers.js';
import { RegistryError } from './error.js';
import type { ArgsOf, OperationName } from './operations.js';

/** How a list goes on: by the cursor of its answer while there is more, by the next offset that it names, or by counting rows. */
type Paging = 'cursor' | 'next_cursor' | 'next_offset' | 'offset';

type Paged<Name extends OperationName, Row> = {
  readonly operation: Name;
  /** The member that holds the rows. */
  readonly rows: string;
  readonly paging: Paging;
  /** Rows asked for at once, unless the caller says. */
  readonly limit: number;
  /** Never set: carries the type of a row. */
  readonly row?: Row;
};

function readPaged<Row>() {
  return <Name extends OperationName>(
    operation: Name,
    rows: string,
    paging: Paging,
    limit: number,
  ): Paged<Name, Row> => ({ operation, rows, paging, limit });
}

type Row = Readonly<Record<string, unknown>>;

/** The lists that are read to their end, as iterators over their rows. */
export const PAGES = {
  eachEvent: readPaged<RegistryEvent>()('feed', 'events', 'cursor', 1000),
  eachFoundAgent: readPaged<FoundAgent>()('searchAgents', 'results', 'cursor', 200),
  eachCatalogRow: readPaged<Row>()('catalog', 'properties', 'next_cursor', 1000),
  eachCollection: readPaged<Row>()('collections', 'collections', 'next_offset', 1000),
  eachBrand: readPaged<ListedBrand>()('brands', 'brands', 'offset', 1000),
  eachProperty: readPaged<ListedProperty>()('properties', 'properties', 'offset', 1000),
  eachPublisher: readPaged<ListedPublisher>()('publishers', 'publishers', 'offset', 1000),
  eachBrandRevision: readPaged<Revision>()('brandHistory', 'revisions', 'offset', 100),
  eachPropertyRevision: readPaged<Revision>()('propertyHistory', 'revisions', 'offset', 100),
} as const;

/** A row of the table. */
export type PageName = keyof typeof PAGES;
type RowOf<Name extends PageName> = (typeof PAGES)[Name] extends Paged<OperationName, infer One> ? One : never;

/** An iterator for each row of the table. */
export type PageIterators = {
  readonly [Name in PageName]: (
    ...args: object extends ArgsOf<(typeof PAGES)[Name]['operation']>
      ? [args?: ArgsOf<(typeof PAGES)[Name]['operation']>]
      : [args: ArgsOf<(typeof PAGES)[Name]['operation']>]
  ) => AsyncGenerator<RowOf<Name>, void, undefined>;
};

type Question = Readonly<Record<string, unknown>>;
type Ask = (operation: OperationName, args: Question) => Promise<Question>;

/**
 * Yields the rows of a list, page after page. It ends by itself: a registry whose cursor stands still, or that hands out the same rows
 * for another offset, is refused with `cursor_stuck`.
 */
export async function* eachRow(ask: Ask, name: PageName, args: Question): AsyncGenerator<unknown, void, undefined> {
  const { operation, rows: member, paging, limit } = PAGES[name];
  let question: Question = { limit, ...args };
  for (let first: unknown; ; ) {
    const page = await ask(operation, question);
    const rows = page[member];
    if (!Array.isArray(rows)) {
      throw new RegistryError(`${operation} answered without ${member}`, { status: 0, code: 'not_json' });
    }
    const begins = JSON.stringify(rows[0]);
    // A registry that knows no offset sends the whole list again.
    if (paging === 'offset' && rows.length > 0 && begins === first) return;
    first = begins;
    yield* rows;
    const next = nextQuestion(question, page, rows.length, paging);
    if (next === undefined) return;
    question = next;
  }
}

function nextQuestion(question: Question, page: Question, count: number, paging: Paging): Question | undefined {
  switch (paging) {
    case 'cursor':
      return page.has_more === true ? advanceQuestion(question, 'cursor', page.cursor) : undefined;
    case 'next_cursor':
      return typeof page.next_cursor === 'string' ? advanceQuestion(question, 'cursor', page.next_cursor) : undefined;
    case 'next_offset':
      return typeof page.next_offset === 'number' ? advanceQuestion(question, 'offset', page.next_offset) : undefined;
    case 'offset': {
      const { limit, offset } = question;
      return count < Number(limit) ? undefined : { ...question, offset: Number(offset ?? 0) + count };
    }
  }
}

function advanceQuestion(question: Question, member: 'cursor' | 'offset', next: unknown): Question {
  const before = question[member];
  const isForward = typeof next === 'number' ? next > Number(before ?? 0) : typeof next === 'string' && next !== before;
  if (isForward) return { ...question, [member]: next };
  throw new RegistryError('the registry says that there is more, and its cursor does not move', {
    status: 0,
    code: 'cursor_stuck',
  });
}
