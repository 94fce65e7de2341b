import { Cache } from '../../../platform/kernel/cache.js';
import type { LookupReads } from '../../store/lookups/reads/reads.js';
import type { PublisherRow } from '../../store/lookups/reads/rows.js';
import type { Operators } from './operators.js';
import { type ReadTerms, readTerms } from './rows.js';

const MAX_TERMS = 10_000;
const MAX_TERMS_BYTES = 16 * 1024 * 1024;
const MAX_AGENTS = 10_000;
const MAX_AGENT_BYTES = 4 * 1024 * 1024;
const MAX_PUBLISHERS = 50_000;
const MAX_PUBLISHER_BYTES = 8 * 1024 * 1024;
/** What a publisher's row takes in memory beside its domain, roughly. */
const BYTES_PER_PUBLISHER = 100;

/** Rows of the lookup tables that many questions share, read once. */
export class SharedRows {
  readonly reads: LookupReads;
  readonly operators: Operators;
  readonly #terms = new Cache<number, { readonly terms: ReadTerms; readonly bytes: number }>({
    maxEntries: MAX_TERMS,
    maxBytes: MAX_TERMS_BYTES,
    sizeOf: ({ bytes }) => bytes,
  });
  readonly #agents = new Cache<string, number>({
    maxEntries: MAX_AGENTS,
    maxBytes: MAX_AGENT_BYTES,
    sizeOf: (_id, url) => 2 * url.length,
  });
  readonly #publishers = new Cache<number, PublisherRow>({
    maxEntries: MAX_PUBLISHERS,
    maxBytes: MAX_PUBLISHER_BYTES,
    sizeOf: ({ domain }) => BYTES_PER_PUBLISHER + 2 * domain.length,
  });

  readonly #numbers = new Cache<string, number>({
    maxEntries: MAX_PUBLISHERS,
    maxBytes: MAX_PUBLISHER_BYTES,
    sizeOf: (_number, domain) => BYTES_PER_PUBLISHER + 2 * domain.length,
  });

  constructor(reads: LookupReads, operators: Operators) {
    this.reads = reads;
    this.operators = operators;
  }

  /** Returns the terms of rows. */
  terms(id: number): ReadTerms {
    return this.#terms.getOrMake(id, () => {
      const doc = this.reads.grants.term(id) ?? '{}';
      return { terms: readTerms(doc), bytes: doc.length };
    }).terms;
  }

  /** Returns the number of an agent by its canonical URL; undefined for one that nobody authorizes. */
  agent(url: string): number | undefined {
    const cached = this.#agents.get(url);
    if (cached !== undefined) return cached;
    const id = this.reads.grants.agent(url);
    if (id !== undefined) this.#agents.set(url, id);
    return id;
  }

  /** Returns the publisher of a domain; undefined where there is none. */
  publisherOf(domain: string): PublisherRow | undefined {
    const number = this.#numbers.get(domain);
    if (number !== undefined) return this.publisher(number);
    const row = this.reads.publishers.find(domain);
    if (row === undefined) return undefined;
    this.#numbers.set(domain, row.publisher);
    this.#publishers.set(row.publisher, row);
    return row;
  }

  /** Returns the publisher with a number that a row has named. */
  publisher(number: number): PublisherRow {
    return this.#publishers.getOrMake(number, () => {
      const row = this.reads.publishers.numbered(number);
      if (row === undefined) throw new Error(`a row names the publisher ${number}, which there is none of`);
      return row;
    });
  }

  /** Forgets the rows of these publishers; without a list all, and the numbers of agents too: another edition has others. */
  forget(publishers?: ReadonlySet<number>): void {
    // One that is gone and comes again has another number.
    this.#numbers.clear();
    if (publishers !== undefined) {
      for (const publisher of publishers) this.#publishers.delete(publisher);
      return;
    }
    this.#publishers.clear();
    this.#agents.clear();
  }
}
