import { startPace } from '../../../../platform/kernel/event-loop.js';
import type { BrandRecord, PublisherRecord, RecordChange } from '../../../model/records.js';
import type { ServerStore } from '../../store/server-store.js';
import type { Entry, PropertyEntry } from '../records.js';
import { createListing, type Listing } from './listing.js';

/** A brand as the list of brands shows it (facts 1.1). */
export type BrandRow = {
  readonly domain: string;
  readonly brand_name: string;
  readonly source: BrandRecord['source'];
  readonly has_manifest: boolean;
  readonly verified: boolean;
  readonly house_domain?: string;
  readonly keller_type?: string;
};

/** A publisher as the list of properties shows it (facts 1.2). */
export type PropertyRow = {
  readonly domain: string;
  readonly source: 'adagents_json' | 'community';
  readonly property_count: number;
  readonly agent_count: number;
  readonly verified: boolean;
};

/** The lists of all brands and of all publishers with properties, held in memory and following the records. */
export type Listings = {
  readonly brands: () => Promise<Listing<BrandRow>>;
  readonly properties: () => Promise<Listing<PropertyRow>>;
  /** Told of every entry that was saved, once it is on disk. */
  readonly saved: (entry: Entry) => void;
  readonly close: () => void;
};

/** Rows that are read at a time: few, for a brand may come with a document of the largest size. */
const CHUNK = 8;

/** Opens the lists; each is read from disk when it is first asked for, and follows every change from then on. */
export function createListings(store: ServerStore): Listings {
  const brandRows = createListing<BrandRow>(brandKinds);
  const propertyRows = createListing<PropertyRow>(propertyKinds);
  const hosted = new Map<string, PropertyRow>();
  let brandsRead: Promise<void> | undefined;
  let propertiesRead: Promise<void> | undefined;

  function putBrand(domain: string, record: BrandRecord | undefined): void {
    if (record === undefined) brandRows.remove(domain);
    else brandRows.put(domain, brandRow(record));
  }

  function putPublisher(domain: string, record: PublisherRecord | undefined): void {
    const row = record?.adagents_valid === true ? publisherRow(record) : hosted.get(domain);
    if (row === undefined) propertyRows.remove(domain);
    else propertyRows.put(domain, row);
  }

  function putEntry({ kind, domain, content }: Entry): void {
    if (kind !== 'property') return;
    const row = entryRow(domain, content as PropertyEntry);
    hosted.set(domain, row);
    if (propertyRows.get(domain)?.source !== 'adagents_json') propertyRows.put(domain, row);
  }

  const end = store.follow((change) => {
    if (change.noun === 'brand' && brandsRead !== undefined) putBrand(change.id, change.record);
    if (change.noun === 'publisher' && propertiesRead !== undefined) putPublisher(change.id, change.record);
  });

  async function readBrands(): Promise<void> {
    const changed = touched(store, 'brand');
    await each(
      (after) => store.read.brand.page(after, CHUNK),
      ({ domain }) => domain,
      (record) => {
        if (!changed.ids.has(record.domain)) putBrand(record.domain, record);
      },
    );
    changed.end();
  }

  async function readProperties(): Promise<void> {
    const changed = touched(store, 'publisher');
    await each(
      (after) => store.read.entry.listByScope('property', after, CHUNK),
      ({ kind, domain }) => `${kind}:${domain}`,
      putEntry,
    );
    await each(
      (after) => store.read.publisher.page(after, CHUNK),
      ({ domain }) => domain,
      (record) => {
        if (!changed.ids.has(record.domain)) putPublisher(record.domain, record);
      },
    );
    changed.end();
  }

  return {
    brands: async () => {
      brandsRead ??= readBrands();
      await brandsRead;
      return brandRows;
    },
    properties: async () => {
      propertiesRead ??= readProperties();
      await propertiesRead;
      return propertyRows;
    },
    saved: (entry) => {
      if (propertiesRead !== undefined) putEntry(entry);
    },
    close: end,
  };
}

/** What changes while a list is read: a row of the page that is in hand may be older. */
function touched(store: ServerStore, noun: RecordChange['noun']): { ids: Set<string>; end: () => void } {
  const ids = new Set<string>();
  const end = store.follow((change) => {
    if (change.noun === noun) ids.add(change.id);
  });
  return { ids, end };
}

async function each<R>(
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

/** What the statistics of brands count (facts 1.1). */
function brandKinds({ has_manifest, keller_type, source }: BrandRow): readonly string[] {
  return [
    'total',
    source,
    ...(keller_type === 'master' ? ['houses'] : []),
    ...(keller_type === 'sub_brand' ? ['sub_brands'] : []),
    ...(has_manifest ? ['with_manifest'] : []),
  ];
}

/** What the statistics of properties count (facts 1.2). */
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
    ...(house_domain === undefined ? {} : { house_domain }),
    ...(keller_type === undefined ? {} : { keller_type }),
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
