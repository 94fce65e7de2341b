import type { DirectReading } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare, type Prepare } from '../../../platform/database/statement.js';
import type { LookupTables } from '../schema/lookups.js';
import type { RegistryTables } from '../schema/schema.js';

/** A publisher as lookups know it. */
export type PublisherRow = {
  readonly publisher: number;
  readonly domain: string;
  /** null of a publisher that only other rows name. */
  readonly standing: string | null;
  /** Whether it grants anything exclusively. */
  readonly exclusive: number;
};

/** A property as lookups know it, with its publisher; `tags` and `identifiers` are JSON. */
export type PropertyRow = PublisherRow & {
  readonly id: number;
  readonly rid: string;
  readonly property_id: string | null;
  readonly inline: number;
  readonly type: string;
  readonly tags: string;
  readonly identifiers: string;
};

/** A property that an identifier names; `own_host` says of a host whether the publisher has it. */
export type ClaimRow = PropertyRow & { readonly own_host: number };

/** The one property with an identifier, and the rows of one agent that are for it or for no property alone. */
export type GrantedClaim = { readonly claim: ClaimRow; readonly grants: readonly GrantRow[] };

/** How many rows there are of each kind. */
export type LookupCounts = Omit<LookupTables['lookup_edition'], 'edition' | 'is_live'>;

/** A row that authorizes. `rid` is empty where it names no property. */
export type GrantRow = {
  readonly row_id: string;
  readonly rid: string;
  readonly term: number;
};

/** A row that authorizes an agent, which it names. */
export type AgentGrantRow = GrantRow & { readonly url: string };

type Pair = { publisher: number; agent: number };

/** Rids that are looked up at a time. */
const RIDS_AT_A_TIME = 40;
/** Patterns of hosts that are looked up at a time: those of most hosts. */
const PATTERNS_AT_A_TIME = 5;

/** Answers short questions from the live edition, at once. */
export class LookupReads {
  readonly #direct: DirectReading;
  readonly #edition: () => number;
  readonly #statements: ReturnType<typeof readStatements>;

  constructor(db: Builder<RegistryTables>, direct: DirectReading, edition: () => number) {
    this.#direct = direct;
    this.#edition = edition;
    this.#statements = readStatements(createPrepare(db));
  }

  /** Returns what the live edition counts. */
  counts(): LookupCounts {
    const row = this.#direct.one(this.#statements.counts, { edition: this.#edition() });
    const { publishers = 0, properties = 0, identifiers = 0, authorizations = 0, agents = 0 } = row ?? {};
    return { publishers, properties, identifiers, authorizations, agents };
  }

  /** Returns the property with an identifier and an agent's rows for it; undefined where there are several of either. */
  onlyClaim(type: string, value: string, agent: number): GrantedClaim | undefined {
    return onlyOne(this.#direct.values(this.#statements.onlyClaim, { edition: this.#edition(), type, value, agent }));
  }

  /** Returns the property that the patterns of a host name and an agent's rows for it; undefined where there are several of either. */
  onlyHostClaim(patterns: readonly string[], agent: number): GrantedClaim | undefined {
    if (patterns.length > PATTERNS_AT_A_TIME) return undefined;
    const part = partOf(patterns, 0, PATTERNS_AT_A_TIME);
    return onlyOne(this.#direct.values(this.#statements.onlyHostClaim, { edition: this.#edition(), agent, ...part }));
  }

  /** Returns a publisher by its domain. */
  publisher(domain: string): PublisherRow | undefined {
    return this.#direct.one(this.#statements.publisher, { edition: this.#edition(), domain });
  }

  /** Returns the placements of a publisher as JSON. */
  placements(publisher: number): string | null {
    return this.#direct.one(this.#statements.placements, { publisher })?.placements ?? null;
  }

  /** Returns the number of an agent by its canonical URL. */
  agent(url: string): number | undefined {
    return this.#direct.one(this.#statements.agent, { edition: this.#edition(), url })?.id;
  }

  /** Returns a row of a publisher that authorizes an agent with this careless spelling. */
  agentSpelled(publisher: number, careless: string): AgentGrantRow | undefined {
    return this.#direct.one(this.#statements.agentSpelled, { edition: this.#edition(), publisher, careless });
  }

  /** Returns the properties with an identifier, at most so many. */
  claims(type: string, value: string, limit: number): readonly ClaimRow[] {
    return this.#direct.all(this.#statements.claims, { edition: this.#edition(), type, value, limit });
  }

  /** Returns the properties that one of the patterns of hosts names, at most so many of a pattern. */
  hostClaims(patterns: readonly string[], limit: number): readonly ClaimRow[] {
    return inParts(patterns, PATTERNS_AT_A_TIME, (part) =>
      this.#direct.all(this.#statements.hostClaims, { edition: this.#edition(), limit, ...part }),
    );
  }

  /** Returns the properties of a publisher with an id, at most so many. */
  propertiesNamed(publisher: number, property_id: string, limit: number): readonly PropertyRow[] {
    return this.#direct.all(this.#statements.propertiesNamed, { publisher, property_id, limit });
  }

  /** Returns all properties of a publisher. */
  propertiesOf(publisher: number): readonly PropertyRow[] {
    return this.#direct.all(this.#statements.propertiesOf, { publisher });
  }

  /** Whether several listed properties of a publisher have an id. */
  isSharedId(publisher: number, property_id: string): boolean {
    return this.#direct.all(this.#statements.listedWithId, { publisher, property_id }).length > 1;
  }

  /** Returns the rows of an agent at a publisher that name no property or this one, at most so many. */
  grantsFor(publisher: number, agent: number, rid: string, limit: number): readonly GrantRow[] {
    return this.#direct.all(this.#statements.grantsFor, { publisher, agent, rid, limit });
  }

  /** Returns the rows of an agent at a publisher that name one of the properties. */
  grantsNaming(publisher: number, agent: number, rids: readonly string[]): readonly GrantRow[] {
    return inParts(rids, RIDS_AT_A_TIME, (part) =>
      this.#direct.all(this.#statements.grantsNaming, { publisher, agent, ...part }),
    );
  }

  /** Returns some rows of an agent at a publisher that name a property. */
  someGrantsNaming(publisher: number, agent: number, limit: number): readonly GrantRow[] {
    return this.#direct.all(this.#statements.someGrantsNaming, { publisher, agent, limit });
  }

  /** Returns all rows of a publisher. */
  grantsOf(publisher: number): readonly AgentGrantRow[] {
    return this.#direct.all(this.#statements.grantsOf, { publisher });
  }

  /** Returns the exclusive rows of a publisher that name no property or one of these, of all agents but this one. */
  exclusiveGrants(publisher: number, agent: number, rids: readonly string[], limit: number): readonly AgentGrantRow[] {
    return inParts(['', ...rids], RIDS_AT_A_TIME, (part) =>
      this.#direct.all(this.#statements.exclusive, { publisher, agent, limit, ...part }),
    );
  }

  /** Returns the terms of rows as JSON. */
  term(id: number): string | undefined {
    return this.#direct.one(this.#statements.term, { id })?.doc;
  }

  /** Returns the URLs of the agents that a publisher authorizes for something. */
  agentsAt(publisher: number): readonly string[] {
    return this.#direct.all(this.#statements.agentsAt, { publisher }).map(({ url }) => url);
  }

  /** Returns the domains of the publishers that authorize an agent for something. */
  publishersOf(agent: number): readonly string[] {
    return this.#direct.all(this.#statements.publishersOf, { agent }).map(({ domain }) => domain);
  }

  /** Returns the brand.json of a domain as the registry holds it. */
  brand(domain: string): string | undefined {
    return this.#direct.one(this.#statements.brand, { domain })?.text ?? undefined;
  }
}

type Names = Record<`name${number}`, string>;

/** Reads by a list of names, so many at a time; a part that is not full repeats its last name. */
function inParts<Row>(names: readonly string[], size: number, read: (part: Names) => readonly Row[]): readonly Row[] {
  const rows: Row[] = [];
  for (let from = 0; from < names.length; from += size) rows.push(...read(partOf(names, from, size)));
  return rows;
}

function partOf(names: readonly string[], from: number, size: number): Names {
  const part: Names = {};
  for (let index = 0; index < size; index += 1) {
    part[`name${index}`] = names[Math.min(from + index, names.length - 1)] ?? '';
  }
  return part;
}

/** The columns of a granted claim, in the order of its statement. */
type GrantedClaimValues = readonly [
  rows: number,
  id: number,
  rid: string,
  property_id: string | null,
  inline: number,
  type: string,
  tags: string,
  identifiers: string,
  publisher: number,
  domain: string,
  standing: string | null,
  exclusive: number,
  own_host: number,
  row_id: string | null,
  grant_rid: string,
  term: number,
];

function onlyOne(values: readonly unknown[] | undefined): GrantedClaim | undefined {
  if (values?.[0] !== 1) return undefined;
  const [
    ,
    id,
    rid,
    property_id,
    inline,
    type,
    tags,
    identifiers,
    publisher,
    domain,
    standing,
    exclusive,
    own_host,
    row_id,
    grant_rid,
    term,
  ] = values as GrantedClaimValues;
  return {
    claim: { id, rid, property_id, inline, type, tags, identifiers, publisher, domain, standing, exclusive, own_host },
    grants: row_id === null ? [] : [{ row_id, rid: grant_rid, term }],
  };
}

function nameSlots(size: number): readonly `name${number}`[] {
  return Array.from({ length: size }, (_, index) => `name${index}` as const);
}

const EXCLUSIVE = sql<number>`exists (select 1 from lookup_grant x where x.publisher = b.id and x.exclusive = 1)`.as(
  'exclusive',
);

const PROPERTY_COLUMNS = [
  'p.id',
  'p.rid',
  'p.property_id',
  'p.inline',
  'p.type',
  'p.tags',
  'p.identifiers',
  'b.id as publisher',
  'b.domain',
  'b.standing',
  EXCLUSIVE,
] as const;

function claimsOf(q: Builder<RegistryTables>) {
  return q
    .selectFrom('lookup_identifier as i')
    .innerJoin('lookup_property as p', 'p.id', 'i.property')
    .innerJoin('lookup_publisher as b', 'b.id', 'p.publisher');
}

/** One row of the claims with an agent's rows for them, and whether it is the only one: one statement that answers most questions. */
function grantedClaim(q: Builder<RegistryTables>, agent: number, claims: ReturnType<typeof claimsOf>) {
  const some = claims
    .leftJoin('lookup_grant as g', (join) =>
      join
        .onRef('g.publisher', '=', 'p.publisher')
        .on('g.agent', '=', agent)
        .on((e) => e('g.rid', 'in', [sql.lit(''), e.ref('p.rid')])),
    )
    .select([...PROPERTY_COLUMNS, 'i.own_host', 'g.row_id', 'g.rid as grant_rid', 'g.term'])
    .limit(2);
  return q
    .selectFrom(some.as('x'))
    .select((e) => e.fn.countAll<number>().as('rows'))
    .selectAll('x');
}

function readStatements(prepare: Prepare<RegistryTables>) {
  return { ...nameReads(prepare), ...propertyReads(prepare), ...grantReads(prepare) };
}

function nameReads(prepare: Prepare<RegistryTables>) {
  return {
    counts: prepare<{ edition: number }, LookupCounts>((q, slot) =>
      q
        .selectFrom('lookup_edition')
        .select(['publishers', 'properties', 'identifiers', 'authorizations', 'agents'])
        .where('edition', '=', slot('edition')),
    ),
    publisher: prepare<{ edition: number; domain: string }, PublisherRow>((q, slot) =>
      q
        .selectFrom('lookup_publisher as b')
        .select(['b.id as publisher', 'b.domain', 'b.standing', EXCLUSIVE])
        .where('edition', '=', slot('edition'))
        .where('domain', '=', slot('domain')),
    ),
    placements: prepare<{ publisher: number }, { placements: string | null }>((q, slot) =>
      q.selectFrom('lookup_publisher').select('placements').where('id', '=', slot('publisher')),
    ),
    agent: prepare<{ edition: number; url: string }, { id: number }>((q, slot) =>
      q.selectFrom('lookup_agent').select('id').where('edition', '=', slot('edition')).where('url', '=', slot('url')),
    ),
    agentSpelled: prepare<{ edition: number; publisher: number; careless: string }, AgentGrantRow>((q, slot) =>
      q
        .selectFrom('lookup_agent as a')
        .innerJoin('lookup_grant as g', (join) =>
          join.onRef('g.agent', '=', 'a.id').on('g.publisher', '=', slot('publisher')),
        )
        .select(['a.url', 'g.row_id', 'g.rid', 'g.term'])
        .where('a.edition', '=', slot('edition'))
        .where('a.careless', '=', slot('careless'))
        .limit(1),
    ),
    term: prepare<{ id: number }, { doc: string }>((q, slot) =>
      q.selectFrom('lookup_term').select('doc').where('id', '=', slot('id')),
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

function propertyReads(prepare: Prepare<RegistryTables>) {
  const patternSlots = nameSlots(PATTERNS_AT_A_TIME);
  return {
    onlyClaim: prepare<{ edition: number; type: string; value: string; agent: number }>((q, slot) =>
      grantedClaim(
        q,
        slot('agent'),
        claimsOf(q)
          .where('i.edition', '=', slot('edition'))
          .where('i.value', '=', slot('value'))
          .where('i.type', '=', slot('type')),
      ),
    ),
    onlyHostClaim: prepare<Names & { edition: number; agent: number }>((q, slot) =>
      grantedClaim(
        q,
        slot('agent'),
        claimsOf(q)
          .where('i.edition', '=', slot('edition'))
          .where('i.value', 'in', patternSlots.map(slot))
          .where('i.type', 'in', [sql.lit('domain'), sql.lit('subdomain')])
          .where('i.own_host', '=', 1),
      ),
    ),
    hostClaims: prepare<Names & { edition: number; limit: number }, ClaimRow>((q, slot) =>
      q
        .selectFrom('lookup_identifier as i')
        .innerJoin('lookup_property as p', 'p.id', 'i.property')
        .innerJoin('lookup_publisher as b', 'b.id', 'p.publisher')
        .select([...PROPERTY_COLUMNS, 'i.own_host'])
        .where('i.edition', '=', slot('edition'))
        .where('i.value', 'in', patternSlots.map(slot))
        .where('i.type', 'in', [sql.lit('domain'), sql.lit('subdomain')])
        .limit(slot('limit')),
    ),
    claims: prepare<{ edition: number; type: string; value: string; limit: number }, ClaimRow>((q, slot) =>
      q
        .selectFrom('lookup_identifier as i')
        .innerJoin('lookup_property as p', 'p.id', 'i.property')
        .innerJoin('lookup_publisher as b', 'b.id', 'p.publisher')
        .select([...PROPERTY_COLUMNS, 'i.own_host'])
        .where('i.edition', '=', slot('edition'))
        .where('i.value', '=', slot('value'))
        .where('i.type', '=', slot('type'))
        .limit(slot('limit')),
    ),
    propertiesNamed: prepare<{ publisher: number; property_id: string; limit: number }, PropertyRow>((q, slot) =>
      q
        .selectFrom('lookup_property as p')
        .innerJoin('lookup_publisher as b', 'b.id', 'p.publisher')
        .select(PROPERTY_COLUMNS)
        .where('p.publisher', '=', slot('publisher'))
        .where('p.property_id', '=', slot('property_id'))
        .limit(slot('limit')),
    ),
    propertiesOf: prepare<{ publisher: number }, PropertyRow>((q, slot) =>
      q
        .selectFrom('lookup_property as p')
        .innerJoin('lookup_publisher as b', 'b.id', 'p.publisher')
        .select(PROPERTY_COLUMNS)
        .where('p.publisher', '=', slot('publisher')),
    ),
    listedWithId: prepare<{ publisher: number; property_id: string }, { id: number }>((q, slot) =>
      q
        .selectFrom('lookup_property')
        .select('id')
        .where('publisher', '=', slot('publisher'))
        .where('property_id', '=', slot('property_id'))
        .where('inline', '=', 0)
        .limit(2),
    ),
  };
}

function grantReads(prepare: Prepare<RegistryTables>) {
  const ridSlots = nameSlots(RIDS_AT_A_TIME);
  return {
    grantsFor: prepare<Pair & { rid: string; limit: number }, GrantRow>((q, slot) =>
      q
        .selectFrom('lookup_grant')
        .select(['row_id', 'rid', 'term'])
        .where('publisher', '=', slot('publisher'))
        .where('agent', '=', slot('agent'))
        .where('rid', 'in', ['', slot('rid')])
        .limit(slot('limit')),
    ),
    grantsNaming: prepare<Pair & Names, GrantRow>((q, slot) =>
      q
        .selectFrom('lookup_grant')
        .select(['row_id', 'rid', 'term'])
        .where('publisher', '=', slot('publisher'))
        .where('agent', '=', slot('agent'))
        .where('rid', 'in', ridSlots.map(slot)),
    ),
    someGrantsNaming: prepare<Pair & { limit: number }, GrantRow>((q, slot) =>
      q
        .selectFrom('lookup_grant')
        .select(['row_id', 'rid', 'term'])
        .where('publisher', '=', slot('publisher'))
        .where('agent', '=', slot('agent'))
        .where('rid', '>', '')
        .limit(slot('limit')),
    ),
    grantsOf: prepare<{ publisher: number }, AgentGrantRow>((q, slot) =>
      q
        .selectFrom('lookup_grant as g')
        .innerJoin('lookup_agent as a', 'a.id', 'g.agent')
        .select(['g.row_id', 'g.rid', 'g.term', 'a.url'])
        .where('g.publisher', '=', slot('publisher')),
    ),
    exclusive: prepare<Pair & Names & { limit: number }, AgentGrantRow>((q, slot) =>
      q
        .selectFrom('lookup_grant as g')
        .innerJoin('lookup_agent as a', 'a.id', 'g.agent')
        .select(['g.row_id', 'g.rid', 'g.term', 'a.url'])
        .where('g.publisher', '=', slot('publisher'))
        .where('g.exclusive', '=', sql.lit(1))
        .where('g.rid', 'in', ridSlots.map(slot))
        .where('g.agent', '!=', slot('agent'))
        .limit(slot('limit')),
    ),
    agentsAt: prepare<{ publisher: number }, { url: string }>((q, slot) =>
      q
        .selectFrom('lookup_grant as g')
        .innerJoin('lookup_agent as a', 'a.id', 'g.agent')
        .select('a.url')
        .distinct()
        .where('g.publisher', '=', slot('publisher')),
    ),
    publishersOf: prepare<{ agent: number }, { domain: string }>((q, slot) =>
      q
        .selectFrom('lookup_publisher as b')
        .select('b.domain')
        .where('b.id', 'in', (e) =>
          e.selectFrom('lookup_grant').select('publisher').distinct().where('agent', '=', slot('agent')),
        ),
    ),
  };
}
