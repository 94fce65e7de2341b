import { startPace } from '../../../../platform/kernel/event-loop.js';
import type { BrandRecord, PublisherRecord, RecordChange } from '../../../model/records.js';
import type { ServerStore } from '../../store/server-store.js';
import { type Entry, entryKey, type PropertyEntry } from '../records.js';
import { Listing } from './listing.js';

/** A brand as the list of brands shows it. */
type BrandRow = {
  readonly domain: string;
  readonly brand_name: string;
  readonly source: BrandRecord['source'];
  readonly has_manifest: boolean;
  readonly verified: boolean;
  readonly house_domain: string | undefined;
  readonly keller_type: string | undefined;
};

/** A publisher as the list of properties shows it. */
export type PropertyRow = {
  readonly domain: string;
  readonly source: 'adagents_json' | 'community';
  readonly property_count: number;
  readonly agent_count: number;
  readonly verified: boolean;
};

/** Rows that are read at a time: few, for a brand may come with a document of the largest size. */
const CHUNK = 8;

/**
 * The lists of all brands and of all publishers with properties, held in memory. Each is read from disk when it is first asked for, and
 * follows every change of the records from then on.
 */
export class Listings {
  readonly #store: ServerStore;
  readonly #brands = new Listing<BrandRow>(brandKinds);
  readonly #properties = new Listing<PropertyRow>(propertyKinds);
  /** The rows of community entries, also of those that stand behind a publisher's own file. */
  readonly #hosted = new Map<string, PropertyRow>();
  readonly #unfollow: () => void;
  #brandsRead: Promise<void> | undefined;
  #propertiesRead: Promise<void> | undefined;

  constructor(store: ServerStore) {
    this.#store = store;
    this.#unfollow = store.follow((change) => {
      if (change.noun === 'brand' && this.#brandsRead !== undefined) this.#putBrand(change.id, change.record);
      if (change.noun === 'publisher' && this.#propertiesRead !== undefined) {
        this.#putPublisher(change.id, change.record);
      }
      if (change.noun === 'entry' && this.#propertiesRead !== undefined)
        this.#putEntry(JSON.parse(change.doc) as Entry);
    });
  }

  async brands(): Promise<Listing<BrandRow>> {
    this.#brandsRead ??= this.#readBrands();
    await this.#brandsRead;
    return this.#brands;
  }

  async properties(): Promise<Listing<PropertyRow>> {
    this.#propertiesRead ??= this.#readProperties();
    await this.#propertiesRead;
    return this.#properties;
  }

  close(): void {
    this.#unfollow();
  }

  #putBrand(domain: string, record: BrandRecord | undefined): void {
    if (record === undefined) this.#brands.remove(domain);
    else this.#brands.put(domain, brandRow(record));
  }

  #putPublisher(domain: string, record: PublisherRecord | undefined): void {
    const row = record?.adagents_valid === true ? publisherRow(record) : this.#hosted.get(domain);
    if (row === undefined) this.#properties.remove(domain);
    else this.#properties.put(domain, row);
  }

  #putEntry({ kind, domain, content, review_status }: Entry): void {
    if (kind !== 'property') return;
    if (review_status === 'pending') {
      this.#hosted.delete(domain);
      if (this.#properties.get(domain)?.source !== 'adagents_json') this.#properties.remove(domain);
      return;
    }
    const row = entryRow(domain, content as PropertyEntry);
    this.#hosted.set(domain, row);
    if (this.#properties.get(domain)?.source !== 'adagents_json') this.#properties.put(domain, row);
  }

  async #readBrands(): Promise<void> {
    const changes = followIds(this.#store, 'brand');
    await readAll(
      (after) => this.#store.read.brand.page(after, CHUNK),
      ({ domain }) => domain,
      (record) => {
        if (!changes.ids.has(record.domain)) this.#putBrand(record.domain, record);
      },
    );
    changes.end();
  }

  async #readProperties(): Promise<void> {
    const changes = followIds(this.#store, 'publisher');
    await readAll(
      (after) => this.#store.read.entry.listByScope('property', after, CHUNK),
      ({ kind, domain }) => entryKey(kind, domain),
      (entry) => this.#putEntry(entry),
    );
    await readAll(
      (after) => this.#store.read.publisher.page(after, CHUNK),
      ({ domain }) => domain,
      (record) => {
        if (!changes.ids.has(record.domain)) this.#putPublisher(record.domain, record);
      },
    );
    changes.end();
  }
}

/** Collects the ids of the records that change while a list is read: a row of the page in hand may be older. */
function followIds(store: ServerStore, noun: RecordChange['noun']): { readonly ids: Set<string>; end: () => void } {
  const ids = new Set<string>();
  const end = store.follow((change) => {
    if (change.noun === noun) ids.add(change.id);
  });
  return { ids, end };
}

async function readAll<R>(
  read: (after: string) => Promise<readonly R[]>,
  idOf: (row: R) => string,
  take: (row: R) => void,
): Promise<void> {
  const pace = startPace();
  for (let after = ''; ; ) {
    const rows = await read(after);
    for (const row of rows) take(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNK) return;
    after = idOf(last);
    if (pace.isDue()) await pace.rest();
  }
}

/** Returns the kinds that the statistics of brands count a row as. */
function brandKinds({ has_manifest, keller_type, source }: BrandRow): readonly string[] {
  return [
    'total',
    source,
    ...(keller_type === 'master' ? ['houses'] : []),
    ...(keller_type === 'sub_brand' ? ['sub_brands'] : []),
    ...(has_manifest ? ['with_manifest'] : []),
  ];
}

/** Returns the kinds that the statistics of properties count a row as. */
function propertyKinds({ source }: PropertyRow): readonly string[] {
  return ['total', source, ...(source === 'community' ? ['hosted'] : [])];
}

function brandRow({
  domain,
  brand_name,
  source,
  brand_json,
  brand_manifest,
  house_domain,
  keller_type,
}: BrandRecord): BrandRow {
  return {
    domain,
    brand_name,
    source,
    has_manifest: brand_json !== undefined || brand_manifest !== undefined,
    verified: source === 'brand_json' || source === 'hosted',
    house_domain,
    keller_type,
  };
}

function publisherRow({ domain, property_count = 0, agent_count = 0 }: PublisherRecord): PropertyRow {
  return { domain, source: 'adagents_json', property_count, agent_count, verified: true };
}

function entryRow(domain: string, { authorized_agents, properties }: PropertyEntry): PropertyRow {
  return {
    domain,
    source: 'community',
    property_count: properties.length,
    agent_count: authorized_agents.length,
    verified: false,
  };
}
