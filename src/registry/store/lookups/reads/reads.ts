import type { DirectReading } from '../../../../platform/database/engine.js';
import { type Builder, createPrepare, type Statement } from '../../../../platform/database/statement.js';
import type { CountTables } from '../../schema/counts.js';
import type { LookupTables } from '../../schema/lookups.js';
import type { RegistryTables } from '../../schema/schema.js';
import { CollectionReads } from './collections.js';
import { GrantReads } from './grants.js';
import { PropertyReads } from './properties.js';
import { PublisherReads } from './publishers.js';

/** How many rows there are of each kind. */
export type LookupCounts = Omit<LookupTables['lookup_edition'], 'edition' | 'is_live'>;

/** Types that a count shows, the most frequent first: those of a mirrored registry may be any words. */
const MAX_TYPES = 100;

type TypeCount = Omit<CountTables['lookup_property_type'], 'edition'>;

/** Answers short questions from the live edition, at once. */
export class LookupReads {
  readonly publishers: PublisherReads;
  readonly properties: PropertyReads;
  readonly grants: GrantReads;
  readonly collections: CollectionReads;
  readonly #direct: DirectReading;
  readonly #edition: () => number;
  readonly #counts: Statement<{ edition: number }, LookupCounts>;
  readonly #types: Statement<{ edition: number }, TypeCount>;

  constructor(db: Builder<RegistryTables>, direct: DirectReading, edition: () => number) {
    this.publishers = new PublisherReads(db, direct, edition);
    this.properties = new PropertyReads(db, direct, edition);
    this.grants = new GrantReads(db, direct, edition);
    this.collections = new CollectionReads(db, direct);
    this.#direct = direct;
    this.#edition = edition;
    this.#counts = createPrepare(db)<{ edition: number }, LookupCounts>((q, slot) =>
      q
        .selectFrom('lookup_edition')
        .select(['publishers', 'properties', 'identifiers', 'authorizations', 'agents'])
        .where('edition', '=', slot('edition')),
    );
    this.#types = createPrepare(db)<{ edition: number }, TypeCount>((q, slot) =>
      q
        .selectFrom('lookup_property_type')
        .select(['type', 'properties'])
        .where('edition', '=', slot('edition'))
        .orderBy('properties', 'desc')
        .limit(MAX_TYPES),
    );
  }

  /** Returns what the live edition counts. */
  counts(): LookupCounts {
    const row = this.#direct.one(this.#counts, { edition: this.#edition() });
    const { publishers = 0, properties = 0, identifiers = 0, authorizations = 0, agents = 0 } = row ?? {};
    return { publishers, properties, identifiers, authorizations, agents };
  }

  /** Returns how many active properties of each type the live edition has. */
  propertiesByType(): Readonly<Record<string, number>> {
    const rows = this.#direct.all(this.#types, { edition: this.#edition() });
    return Object.fromEntries(rows.map(({ properties, type }) => [type, properties]));
  }
}
