import type { AuthorizedAgent, Placement, Property } from '../../adagents/types.js';
import {
  type FactSource,
  type Facts,
  type Listed,
  type NoFacts,
  PAUSE,
  type PublisherFacts,
} from '../../authorization/facts.js';
import { placementsById } from '../../authorization/file-facts.js';
import type { Operator } from '../../authorization/operator.js';
import type { Asked } from '../../authorization/question.js';
import { carelessSpelling } from '../../model/agent-url.js';
import type { LookupReads } from '../../store/lookups/reads/reads.js';
import type {
  AgentGrantRow,
  ClaimRow,
  GrantedClaim,
  GrantRow,
  PropertyRow,
  PublisherRow,
} from '../../store/lookups/reads/rows.js';
import { Span } from './answer-cache.js';
import { domainsAbove, domainsOfIdentifier, type IndexQuestion, lookupDomain, patternsOfHost } from './question.js';
import { entryFromRow, placementsFromJson, propertiesFromRows } from './rows.js';
import type { SharedRows } from './shared-rows.js';

/** Properties that one identifier may have: as many as are read and judged without holding the event loop (bench row `holds`). More are not looked at. */
const MAX_PROPERTIES = 2000;
/** More properties are read, made ready and judged one after the other, with a pause between. */
const MAX_AT_A_TIME = 200;
/** Entries of one agent; more are not looked at. */
const MAX_ENTRIES = 5000;
/** Exclusive rows of others; where there are more, nothing is clear enough for a yes. */
const MAX_EXCLUSIVE_ROWS = 2000;
/** Exclusive rows times properties that they may be about; where there are more, nothing is clear enough for a yes. */
const MAX_EXCLUSIVE_LOOKS = 200_000;
/** Two entries of an agent are enough to know that there are several. */
const SEVERAL = 2;

/** Why a publisher's file authorizes nobody, by its standing. */
const CLOSED: Readonly<Record<string, PublisherFacts['closed']>> = {
  superseded: { reason: 'superseded', says: 'The file says that another one took its place.' },
  catalogue: { reason: 'nobody_authorized', says: 'The file is a catalog and names no agent that may sell.' },
  revoked: { reason: 'publisher_revoked', says: 'The publisher is among the revoked ones.' },
};

const NO_FILE = { missing: 'no_publisher_file', says: 'There is no adagents.json to ask.' } as const;

/** Brings the facts of one question from the lookup tables. */
export class MirrorFacts implements FactSource {
  /** How long the entries that were brought say the same. */
  readonly span: Span;
  readonly #rows: SharedRows;
  readonly #question: IndexQuestion;
  /** Whether the decision is read by somebody. */
  readonly #isExplained: boolean;

  constructor(rows: SharedRows, question: IndexQuestion, isExplained: boolean) {
    this.#rows = rows;
    this.#question = question;
    this.#isExplained = isExplained;
    this.span = new Span(question.at);
  }

  factsFor(asked: Asked): Iterable<Facts | typeof PAUSE> {
    const operator = this.#rows.operators.operatorOf(asked.canonicalAgent);
    const { publisher_domain } = this.#question;
    if (publisher_domain !== undefined) return [this.#factsAt(publisher_domain, asked, operator)];
    const only = this.#onlyClaim(asked);
    if (only !== undefined) {
      const publisher = this.#rows.publisher(only.claim.publisher);
      return [this.#factsOf({ asked, publisher, properties: [only.claim], operator, grants: only.grants })];
    }
    return this.#factsOfClaims(asked, operator);
  }

  #factsAt(publisherDomain: string, asked: Asked, operator: Operator | undefined): Facts {
    const domain = lookupDomain(publisherDomain);
    const publisher = domain === undefined ? undefined : this.#rows.publisherOf(domain);
    if (publisher === undefined) return { ...NO_FILE, operator };
    return this.#factsOf({ asked, publisher, properties: this.#propertiesFor(asked, publisher), operator });
  }

  /** One after the other, as the first that authorizes is enough. */
  *#factsOfClaims(asked: Asked, operator: Operator | undefined): Generator<Facts | typeof PAUSE> {
    const properties = this.#claimsThatCount(asked, this.#propertiesFor(asked, undefined));
    const isCrowded = properties.length > MAX_AT_A_TIME;
    if (isCrowded) yield PAUSE;
    const publishers = this.#publishersOf(asked, properties);
    if ('missing' in publishers) {
      yield { ...publishers, operator };
      return;
    }
    for (const publisher of publishers) {
      const facts = this.#factsOf({ asked, properties, operator, publisher });
      if (isCrowded) yield PAUSE;
      yield facts;
    }
  }

  #factsOf(question: PublisherQuestion): Facts {
    const { standing } = question.publisher;
    if (standing === null || standing === 'none') return { ...NO_FILE, operator: question.operator };
    return new PublisherRows({ rows: this.#rows, span: this.span, isExplained: this.#isExplained }, question);
  }

  /** The one property asked for, with the agent's rows: what most questions come to. */
  #onlyClaim({ canonicalAgent, host }: Asked): GrantedClaim | undefined {
    const { property } = this.#question;
    const agent = this.#rows.agent(canonicalAgent);
    if (agent === undefined) return undefined;
    if (host !== undefined) return this.#rows.reads.properties.onlyHostClaim(patternsOfHost(host), agent);
    if (property === undefined || !('type' in property)) return undefined;
    return this.#rows.reads.properties.onlyClaim(property.type, property.value, agent);
  }

  #propertiesFor({ host, propertyId }: Asked, given: PublisherRow | undefined): readonly PropertyRow[] {
    const { properties } = this.#rows.reads;
    const { property } = this.#question;
    if (propertyId !== undefined) {
      return given === undefined ? [] : properties.named(given.publisher, propertyId, MAX_PROPERTIES);
    }
    if (host !== undefined) {
      const claims = properties.hostClaims(patternsOfHost(host), MAX_PROPERTIES);
      return onceEach(claims.filter((one) => one.own_host === 1 || one.publisher === given?.publisher));
    }
    if (property !== undefined && 'property_rid' in property) {
      const row = properties.find(property.property_rid);
      return row === undefined ? [] : [row];
    }
    if (property === undefined || !('type' in property)) return [];
    return properties.claims(property.type, property.value, MAX_PROPERTIES);
  }

  /** Returns the claims of the publisher after whose domain an app is named, where that has any; whatever others list is not theirs. Else all. */
  #claimsThatCount({ host }: Asked, claims: readonly PropertyRow[]): readonly PropertyRow[] {
    const { property } = this.#question;
    const isClaimedBySeveral = new Set(claims.map(({ publisher }) => publisher)).size > 1;
    if (host !== undefined || property === undefined || !('type' in property) || !isClaimedBySeveral) return claims;
    const { properties } = this.#rows.reads;
    for (const domain of domainsOfIdentifier(property.type, property.value)) {
      const publisher = this.#rows.publisherOf(domain)?.publisher;
      const own =
        publisher === undefined
          ? []
          : properties.claimsOfPublisher(publisher, property.type, property.value, MAX_PROPERTIES);
      if (own.length > 0) return own;
    }
    return claims;
  }

  #publishersOf({ host }: Asked, properties: readonly PropertyRow[]): readonly PublisherRow[] | NoFacts {
    const publishers = new Set(properties.map(({ publisher }) => publisher));
    // Anybody's file can name any app; which one is right, nobody knows here where its name does not tell.
    if (host === undefined && publishers.size > 1) {
      return { missing: 'property_ambiguous', says: 'Several publishers claim the property.' };
    }
    if (publishers.size > 0) return Array.from(publishers, (number) => this.#rows.publisher(number));
    if (host === undefined) return { missing: 'property_unknown', says: 'No publisher lists the property.' };
    for (const domain of domainsAbove(host)) {
      const publisher = this.#rows.publisherOf(domain);
      if (publisher !== undefined && publisher.standing !== null) return [publisher];
    }
    return NO_FILE;
  }
}

/** The question to one publisher, with the properties that may be meant. */
type PublisherQuestion = {
  readonly asked: Asked;
  readonly publisher: PublisherRow;
  /** Properties that may be meant, of this and of other publishers. */
  readonly properties: readonly PropertyRow[];
  readonly operator: Operator | undefined;
  /** The agent's rows for the one property, where they were read with it. */
  readonly grants?: readonly GrantRow[];
};

/** The rows and the span that the facts of all publishers share. */
type SharedParts = { readonly rows: SharedRows; readonly span: Span; readonly isExplained: boolean };

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
  readonly #span: Span;
  readonly #question: PublisherQuestion;
  readonly #isExplained: boolean;
  readonly #properties = new Map<string, Property>();
  #placements: ReadonlyMap<string, Placement> | undefined;

  constructor({ isExplained, rows, span }: SharedParts, question: PublisherQuestion) {
    const { properties, publisher } = question;
    this.#rows = rows;
    this.#span = span;
    this.#question = question;
    this.#isExplained = isExplained;
    this.publisherDomain = publisher.domain;
    this.origin = `The registry's records of ${publisher.domain} were read.`;
    this.closed = CLOSED[publisher.standing ?? ''];
    this.operator = question.operator;
    const own = this.closed === undefined ? properties.filter((one) => one.publisher === publisher.publisher) : [];
    for (const property of propertiesFromRows(own, publisher.domain)) this.#properties.set(property.pointer, property);
    this.listed = this.#listedOf(own);
    const other = own.length > 0 ? undefined : properties.find((one) => one.publisher !== publisher.publisher);
    this.elsewhere = other && { publisher_domain: rows.publisher(other.publisher).domain, pointer: other.rid };
    this.entries = this.closed === undefined ? this.#entriesOfAgent() : [];
    const exclusive = this.closed === undefined && publisher.exclusive === 1 ? this.#exclusiveRows() : [];
    const wide = exclusive.filter(({ rid }) => rid === '').length;
    this.isUnclear = exclusive.length > MAX_EXCLUSIVE_ROWS || wide * own.length > MAX_EXCLUSIVE_LOOKS;
    this.exclusive = exclusive.map((row) => this.#entry(row, row.url));
  }

  get nearest(): PublisherFacts['nearest'] {
    const { asked, publisher } = this.#question;
    const row = this.#rows.reads.grants.ofSpelling(publisher.publisher, carelessSpelling(asked.canonicalAgent));
    return row && { url: row.url, pointer: row.row_id };
  }

  get placements(): ReadonlyMap<string, Placement> {
    const { publisher } = this.#question.publisher;
    this.#placements ??= placementsById(placementsFromJson(this.#rows.reads.publishers.placements(publisher)));
    return this.#placements;
  }

  /** Those that its file lists at its top. */
  #listedOf(rows: readonly PropertyRow[]): readonly Listed[] {
    const listed: Listed[] = [];
    for (const row of rows) {
      const property = this.#properties.get(row.rid);
      if (row.inline === 0 && property !== undefined) listed.push(new ListedRow(property, row, this.#rows.reads));
    }
    return listed;
  }

  #entriesOfAgent(): readonly AuthorizedAgent[] {
    const { asked, grants = this.#grantsOfAgent(), publisher } = this.#question;
    const entries = grants.map((row) => this.#entry(row, asked.canonicalAgent));
    // An agent with rows for other properties is still one that the file names, and whether more than once may count.
    const needed = asked.strict === true || this.#isExplained ? SEVERAL : 1;
    if (entries.filter(({ scope }) => scope.authorization_type !== 'signal_ids').length >= needed) return entries;
    const agent = this.#rows.agent(asked.canonicalAgent);
    if (agent === undefined) return entries;
    const others = this.#rows.reads.grants.someNaming(publisher.publisher, agent, SEVERAL);
    const more = others.filter((row) => !grants.some(({ row_id }) => row_id === row.row_id));
    return [...entries, ...more.map((row) => this.#entry(row, asked.canonicalAgent))];
  }

  #grantsOfAgent(): readonly GrantRow[] {
    const { asked, publisher } = this.#question;
    const agent = this.#rows.agent(asked.canonicalAgent);
    if (agent === undefined) return [];
    const { grants } = this.#rows.reads;
    const [rid = '', ...more] = this.#properties.keys();
    const naming = more.length === 0 ? [] : grants.naming(publisher.publisher, agent, [rid, ...more]);
    return [...naming, ...grants.forProperty(publisher.publisher, agent, more.length === 0 ? rid : '', MAX_ENTRIES)];
  }

  #exclusiveRows(): readonly AgentGrantRow[] {
    const { asked, publisher } = this.#question;
    const agent = this.#rows.agent(asked.canonicalAgent) ?? 0;
    const rids = [...this.#properties.keys()];
    return this.#rows.reads.grants.exclusive(publisher.publisher, agent, rids, MAX_EXCLUSIVE_ROWS + 1);
  }

  #entry(row: GrantRow, url: string): AuthorizedAgent {
    const names = { url, domain: this.publisherDomain, property: this.#properties.get(row.rid) };
    const entry = entryFromRow(row, this.#rows.terms(row.term), names);
    this.#span.narrow(entry);
    return entry;
  }
}

/** A property whose id is looked up when it counts. */
class ListedRow implements Listed {
  readonly property: Property;
  readonly #row: PropertyRow;
  readonly #reads: LookupReads;

  constructor(property: Property, row: PropertyRow, reads: LookupReads) {
    this.property = property;
    this.#row = row;
    this.#reads = reads;
  }

  get hasOwnId(): boolean {
    const { property_id, publisher } = this.#row;
    return property_id !== null && !this.#reads.properties.isSharedId(publisher, property_id);
  }

  get hasOwnIdInFile(): boolean {
    return this.hasOwnId;
  }
}

function onceEach(claims: readonly ClaimRow[]): readonly ClaimRow[] {
  if (claims.length < SEVERAL) return claims;
  return [...new Map(claims.map((one) => [one.rid, one])).values()];
}
