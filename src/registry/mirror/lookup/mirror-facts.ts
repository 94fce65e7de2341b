import type { AuthorizedAgent, Placement, Property } from '../../adagents/types.js';
import type { FactSource, Facts, Listed, NoFacts, PublisherFacts } from '../../authorization/facts.js';
import { placementsById } from '../../authorization/file-facts.js';
import type { Operator } from '../../authorization/operator.js';
import type { Asked } from '../../authorization/question.js';
import { carelessSpelling } from '../../model/agent-url.js';
import type {
  AgentGrantRow,
  ClaimRow,
  GrantedClaim,
  GrantRow,
  LookupReads,
  PropertyRow,
  PublisherRow,
} from '../../store/lookups/reads.js';
import { BoundedMap } from './bounded-map.js';
import type { Operators } from './operators.js';
import { domainsAbove, type IndexQuestion, lookupDomain, patternsOfHost } from './question.js';
import { entryFromRow, placementsFromJson, propertyFromRow, type ReadTerms, readTerms } from './rows.js';

/** Properties that one identifier may have, and entries of one agent; more are not looked at. */
const MAX_PROPERTIES = 5000;
const MAX_ENTRIES = 5000;
/** Exclusive rows of others; where there are more, nothing is clear enough for a yes. */
const MAX_EXCLUSIVE_ROWS = 2000;
/** Exclusive rows times properties that they may be about; where there are more, nothing is clear enough for a yes. */
const MAX_EXCLUSIVE_LOOKS = 200_000;
/** Two entries of an agent are enough to know that there are several. */
const SEVERAL = 2;

const MAX_TERMS = 10_000;
const MAX_TERMS_BYTES = 16 * 1024 * 1024;
const MAX_AGENTS = 10_000;
const MAX_AGENT_BYTES = 4 * 1024 * 1024;

/** Why a publisher's file authorizes nobody, by its standing. */
const CLOSED: Readonly<Record<string, PublisherFacts['closed']>> = {
  superseded: { reason: 'superseded', says: 'The file says that another one took its place.' },
  catalogue: { reason: 'nobody_authorized', says: 'The file is a catalog and names no agent that may sell.' },
  revoked: { reason: 'publisher_revoked', says: 'The publisher is among the revoked ones.' },
};

const NO_FILE = { missing: 'no_publisher_file', says: 'There is no adagents.json to ask.' } as const;

/** Rows of the lookup tables that many questions share, read once. */
export class SharedRows {
  readonly reads: LookupReads;
  readonly operators: Operators;
  readonly #terms = new BoundedMap<number, ReadTerms>(MAX_TERMS, MAX_TERMS_BYTES);
  readonly #agents = new BoundedMap<string, number>(MAX_AGENTS, MAX_AGENT_BYTES);

  constructor(reads: LookupReads, operators: Operators) {
    this.reads = reads;
    this.operators = operators;
  }

  /** Returns the terms of rows. */
  terms(id: number): ReadTerms {
    const known = this.#terms.get(id);
    if (known !== undefined) return known;
    const doc = this.reads.term(id) ?? '{}';
    const terms = readTerms(doc);
    this.#terms.set(id, terms, doc.length);
    return terms;
  }

  /** Returns the number of an agent by its canonical URL; undefined for one that nobody authorizes. */
  agent(url: string): number | undefined {
    const known = this.#agents.get(url);
    if (known !== undefined) return known;
    const id = this.reads.agent(url);
    if (id !== undefined) this.#agents.set(url, id, 2 * url.length);
    return id;
  }

  /** Forgets the numbers of agents: another edition has others. */
  forgetAgents(): void {
    this.#agents.clear();
  }
}

/** Brings the facts of one question from the lookup tables. */
export class MirrorFacts implements FactSource {
  readonly #rows: SharedRows;
  readonly #question: IndexQuestion;
  readonly #isExplained: boolean;

  constructor(rows: SharedRows, question: IndexQuestion, isExplained: boolean) {
    this.#rows = rows;
    this.#question = question;
    this.#isExplained = isExplained;
  }

  *factsFor(asked: Asked): Generator<Facts> {
    const { publisher_domain } = this.#question;
    const operator = this.#rows.operators.operatorOf(asked.canonicalAgent);
    const domain = publisher_domain === undefined ? undefined : lookupDomain(publisher_domain);
    const given = domain === undefined ? undefined : this.#rows.reads.publisher(domain);
    if (publisher_domain !== undefined && given === undefined) return yield { ...NO_FILE, operator };
    const only = given === undefined ? this.#onlyClaim(asked) : undefined;
    const properties = only === undefined ? this.#propertiesFor(asked, given) : [only.claim];
    const publishers = given === undefined ? this.#publishersOf(asked, properties) : [given];
    if ('missing' in publishers) return yield { ...publishers, operator };
    for (const publisher of publishers) {
      const { standing } = publisher;
      if (standing === null || standing === 'none') yield { ...NO_FILE, operator };
      else {
        const isExplained = this.#isExplained;
        yield new PublisherRows(this.#rows, {
          asked,
          publisher,
          properties,
          operator,
          isExplained,
          grants: only?.grants,
        });
      }
    }
  }

  /** The one property asked for, with the agent's rows: what most questions come to. */
  #onlyClaim({ canonicalAgent, host }: Asked): GrantedClaim | undefined {
    const { property } = this.#question;
    const agent = this.#rows.agent(canonicalAgent);
    if (agent === undefined) return undefined;
    if (host !== undefined) return this.#rows.reads.onlyHostClaim(patternsOfHost(host), agent);
    if (property === undefined || !('type' in property)) return undefined;
    return this.#rows.reads.onlyClaim(property.type, property.value, agent);
  }

  #propertiesFor({ host, propertyId }: Asked, given: PublisherRow | undefined): readonly PropertyRow[] {
    const { reads } = this.#rows;
    const { property } = this.#question;
    if (propertyId !== undefined) {
      return given === undefined ? [] : reads.propertiesNamed(given.publisher, propertyId, MAX_PROPERTIES);
    }
    if (host !== undefined) {
      const claims = reads.hostClaims(patternsOfHost(host), MAX_PROPERTIES);
      return onceEach(claims.filter((one) => one.own_host === 1 || one.publisher === given?.publisher));
    }
    if (property === undefined || !('type' in property)) return [];
    return reads.claims(property.type, property.value, MAX_PROPERTIES);
  }

  #publishersOf({ host }: Asked, properties: readonly PropertyRow[]): readonly PublisherRow[] | NoFacts {
    const publishers = new Map(properties.map((one) => [one.publisher, one]));
    // Anybody's file can name any app; which one is right, nobody knows here.
    if (host === undefined && publishers.size > 1) {
      return { missing: 'property_ambiguous', says: 'Several publishers claim the property.' };
    }
    if (publishers.size > 0) return [...publishers.values()];
    if (host === undefined) return { missing: 'property_unknown', says: 'No publisher lists the property.' };
    for (const domain of domainsAbove(host)) {
      const publisher = this.#rows.reads.publisher(domain);
      if (publisher !== undefined && publisher.standing !== null) return [publisher];
    }
    return NO_FILE;
  }
}

/** What a question needs of a publisher. */
type PublisherQuestion = {
  readonly asked: Asked;
  readonly publisher: PublisherRow;
  /** Properties that may be meant, of this and of other publishers. */
  readonly properties: readonly PropertyRow[];
  readonly operator: Operator | undefined;
  /** The agent's rows for the one property, where they were read with it. */
  readonly grants: readonly GrantRow[] | undefined;
  /** Whether the decision is read by somebody. */
  readonly isExplained: boolean;
};

/** The facts of one publisher for one question; what few questions need is read when it is asked for. */
class PublisherRows implements PublisherFacts {
  readonly publisherDomain: string;
  readonly origin: string;
  readonly closed: PublisherFacts['closed'];
  readonly isUnclear: boolean;
  readonly entries: readonly AuthorizedAgent[];
  readonly listed: readonly Listed[];
  readonly elsewhere: PublisherFacts['elsewhere'];
  readonly exclusive: readonly AuthorizedAgent[];
  readonly operator: PublisherFacts['operator'];
  readonly #rows: SharedRows;
  readonly #question: PublisherQuestion;
  readonly #properties = new Map<string, Property>();
  #placements: ReadonlyMap<string, Placement> | undefined;

  constructor(rows: SharedRows, question: PublisherQuestion) {
    const { properties, publisher } = question;
    this.#rows = rows;
    this.#question = question;
    this.publisherDomain = publisher.domain;
    this.origin = `The registry's records of ${publisher.domain} were read.`;
    this.closed = CLOSED[publisher.standing ?? ''];
    this.operator = question.operator;
    const own = this.closed === undefined ? properties.filter((one) => one.publisher === publisher.publisher) : [];
    for (const row of own) this.#properties.set(row.rid, propertyFromRow(row));
    this.listed = own.flatMap((row) => this.#listed(row));
    const other = own.length > 0 ? undefined : properties.find((one) => one.publisher !== publisher.publisher);
    this.elsewhere = other && { publisher_domain: other.domain, pointer: other.rid };
    this.entries = this.closed === undefined ? this.#entriesOfAgent() : [];
    const exclusive = this.closed === undefined && publisher.exclusive === 1 ? this.#exclusiveRows() : [];
    const wide = exclusive.filter(({ rid }) => rid === '').length;
    this.isUnclear = exclusive.length > MAX_EXCLUSIVE_ROWS || wide * own.length > MAX_EXCLUSIVE_LOOKS;
    this.exclusive = exclusive.map((row) => this.#entry(row, row.url));
  }

  get nearest(): PublisherFacts['nearest'] {
    const { asked, publisher } = this.#question;
    const row = this.#rows.reads.agentSpelled(publisher.publisher, carelessSpelling(asked.canonicalAgent));
    return row && { url: row.url, pointer: row.row_id };
  }

  get placements(): ReadonlyMap<string, Placement> {
    const { publisher } = this.#question.publisher;
    this.#placements ??= placementsById(placementsFromJson(this.#rows.reads.placements(publisher)));
    return this.#placements;
  }

  #listed({ inline, property_id, publisher, rid }: PropertyRow): readonly Listed[] {
    const property = this.#properties.get(rid);
    if (inline === 1 || property === undefined) return [];
    return [
      new ListedRow(property, () => property_id !== null && !this.#rows.reads.isSharedId(publisher, property_id)),
    ];
  }

  #entriesOfAgent(): readonly AuthorizedAgent[] {
    const { asked, isExplained, publisher } = this.#question;
    const { reads } = this.#rows;
    const agent = this.#rows.agent(asked.canonicalAgent);
    if (agent === undefined) return [];
    const rids = [...this.#properties.keys()];
    const rows = this.#question.grants?.slice() ?? [];
    if (this.#question.grants === undefined) {
      if (rids.length > 1) rows.push(...reads.grantsNaming(publisher.publisher, agent, rids));
      const named = rids.length === 1 ? rids[0] : '';
      rows.push(...reads.grantsFor(publisher.publisher, agent, named ?? '', MAX_ENTRIES));
    }
    // An agent with rows for other properties is still one that the file names, and whether more than once may count.
    const needed = asked.strict === true || isExplained ? SEVERAL : 1;
    const forProperties = rows.filter(({ term }) => this.#rows.terms(term).selections !== undefined);
    if (forProperties.length < needed) {
      const known = new Set(rows.map(({ row_id }) => row_id));
      const others = reads.someGrantsNaming(publisher.publisher, agent, SEVERAL);
      rows.push(...others.filter(({ row_id }) => !known.has(row_id)));
    }
    return rows.map((row) => this.#entry(row, asked.canonicalAgent));
  }

  #exclusiveRows(): readonly AgentGrantRow[] {
    const { asked, publisher } = this.#question;
    const agent = this.#rows.agent(asked.canonicalAgent) ?? 0;
    const rids = [...this.#properties.keys()];
    return this.#rows.reads.exclusiveGrants(publisher.publisher, agent, rids, MAX_EXCLUSIVE_ROWS + 1);
  }

  #entry(row: GrantRow, url: string): AuthorizedAgent {
    const names = { url, domain: this.publisherDomain, property: this.#properties.get(row.rid) };
    return entryFromRow(row, this.#rows.terms(row.term), names);
  }
}

/** A property whose id is looked up when it counts. */
class ListedRow implements Listed {
  readonly property: Property;
  readonly #isOwnId: () => boolean;

  constructor(property: Property, isOwnId: () => boolean) {
    this.property = property;
    this.#isOwnId = isOwnId;
  }

  get hasOwnId(): boolean {
    return this.#isOwnId();
  }

  get hasOwnIdInFile(): boolean {
    return this.#isOwnId();
  }
}

function onceEach(claims: readonly ClaimRow[]): readonly ClaimRow[] {
  if (claims.length < SEVERAL) return claims;
  return [...new Map(claims.map((one) => [one.id, one])).values()];
}
