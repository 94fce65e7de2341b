import type { DirectReading } from '../../../../platform/database/engine.js';
import { sql } from '../../../../platform/database/kysely.js';
import { type Builder, createPrepare } from '../../../../platform/database/statement.js';
import type { RegistryTables } from '../../schema/schema.js';
import type { PublisherRow } from './rows.js';

/** A publisher and an agent, by their numbers. */
export type GrantPair = { readonly publisher: number; readonly agent: number };

/** The last row that was looked at, in the order of the index. */
type GrantPosition = { readonly rid: string; readonly term: number };

/** The position before the first row. */
export const FIRST_GRANT: GrantPosition = { rid: '', term: 0 };

/** The result of one piece of a search; without `next` there are no further rows to look at. */
type OpenGrantPiece = { readonly isOpen: boolean; readonly next: GrantPosition | undefined };

const PIECE = ['publisher', 'agent', 'rid', 'term'] as const;
type GrantPiece = { publisher: number; agent: number; rid: string; term: number };

/** Reads publishers of the live edition, and the brands beside them. */
export class PublisherReads {
  readonly #direct: DirectReading;
  readonly #edition: () => number;
  readonly #statements: ReturnType<typeof publisherStatements>;

  constructor(db: Builder<RegistryTables>, direct: DirectReading, edition: () => number) {
    this.#direct = direct;
    this.#edition = edition;
    this.#statements = publisherStatements(db);
  }

  /** Returns a publisher by its domain. */
  find(domain: string): PublisherRow | undefined {
    return this.#direct.one(this.#statements.byDomain, { edition: this.#edition(), domain });
  }

  /** Returns a publisher by its number. */
  numbered(publisher: number): PublisherRow | undefined {
    return this.#direct.one(this.#statements.byNumber, { publisher });
  }

  /** Returns the placements of a publisher as JSON. */
  placements(publisher: number): string | null {
    return this.#direct.one(this.#statements.placements, { publisher })?.placements ?? null;
  }

  /** Returns the domains of the publishers that authorize an agent for something. */
  ofAgent(agent: number): readonly string[] {
    return this.#direct.all(this.#statements.ofAgent, { agent }).map(({ domain }) => domain);
  }

  /** Looks for a row of an agent at a publisher that is in effect at an instant (ms), among the next rows of theirs. */
  findOpenGrant(pair: GrantPair, at: number, { rid, term }: GrantPosition): OpenGrantPiece {
    const piece = { ...pair, rid, term };
    const isOpen = this.#direct.one(this.#statements.openGrant, { ...piece, at }) !== undefined;
    return { isOpen, next: isOpen ? undefined : this.#direct.one(this.#statements.lastGrant, piece) };
  }

  /** Returns the brand.json of a domain as the registry holds it. */
  brand(domain: string): string | undefined {
    return this.#direct.one(this.#statements.brand, { domain })?.text ?? undefined;
  }
}

/** Rows of an agent at a publisher whose dates are looked at in one piece. */
const GRANTS_OF_PIECE = 1000;

const PUBLISHER_COLUMNS = [
  'b.id as publisher',
  'b.domain',
  'b.standing',
  sql<number>`exists (select 1 from lookup_grant x where x.publisher = b.id and x.exclusive = 1)`.as('exclusive'),
] as const;

/** Returns the next rows of an agent at a publisher, of the index that holds both. */
function grantsBehind(q: Builder<RegistryTables>, { agent, publisher, rid, term }: GrantPiece) {
  return q
    .selectFrom('lookup_grant')
    .select(['rid', 'term'])
    .where('publisher', '=', publisher)
    .where('agent', '=', agent)
    .where(sql<boolean>`(rid, term) > (${rid}, ${term})`)
    .orderBy('rid')
    .orderBy('term');
}

function publisherStatements(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  return {
    byDomain: prepare<{ edition: number; domain: string }, PublisherRow>((q, slot) =>
      q
        .selectFrom('lookup_publisher as b')
        .select(PUBLISHER_COLUMNS)
        .where('edition', '=', slot('edition'))
        .where('domain', '=', slot('domain')),
    ),
    byNumber: prepare<{ publisher: number }, PublisherRow>((q, slot) =>
      q.selectFrom('lookup_publisher as b').select(PUBLISHER_COLUMNS).where('b.id', '=', slot('publisher')),
    ),
    placements: prepare<{ publisher: number }, { placements: string | null }>((q, slot) =>
      q.selectFrom('lookup_publisher').select('placements').where('id', '=', slot('publisher')),
    ),
    ofAgent: prepare<{ agent: number }, { domain: string }>((q, slot) =>
      q
        .selectFrom('lookup_publisher as b')
        .select('b.domain')
        .where('b.id', 'in', (e) =>
          e.selectFrom('lookup_grant').select('publisher').distinct().where('agent', '=', slot('agent')),
        ),
    ),
    openGrant: prepare<GrantPiece & { at: number }, { term: number }>((q, slot) =>
      q
        .selectFrom(
          grantsBehind(q, slot.each(...PIECE))
            .limit(sql.lit(GRANTS_OF_PIECE))
            .as('g'),
        )
        .innerJoin('lookup_term as t', 't.id', 'g.term')
        .select('g.term')
        .where(sql<boolean>`coalesce(json_extract(t.doc, '$.from') <= ${slot('at')}, 1)`)
        .where(sql<boolean>`coalesce(json_extract(t.doc, '$.until') > ${slot('at')}, 1)`)
        .limit(1),
    ),
    lastGrant: prepare<GrantPiece, GrantPosition>((q, slot) =>
      grantsBehind(q, slot.each(...PIECE))
        .limit(1)
        .offset(GRANTS_OF_PIECE - 1),
    ),
    brand: prepare<{ domain: string }, { text: string | null }>((q, slot) =>
      q
        .selectFrom('brand')
        .select(sql<string | null>`json_extract(doc, '$.brand_json')`.as('text'))
        .where('id', '=', slot('domain'))
        .where('gone', '=', 0),
    ),
  };
}
