import { HOUR_MS, isoTime } from '../../../../platform/kernel/clock.js';
import { startPace, yieldToEventLoop } from '../../../../platform/kernel/event-loop.js';
import { isObject, readJson } from '../../../../platform/kernel/json/json.js';
import type { Outbound } from '../../../../platform/net/fetch.js';
import { publisherDomain } from '../../../model/domains.js';
import type { BrandRecord } from '../../../model/records.js';
import type { BrandFacts } from '../../crawl/files/jobs.js';
import type { BrandReading } from '../../crawl/recent-brands.js';
import { type WrittenAnswer, writeJson } from '../../http/written-json.js';
import type { ServerWriter } from '../../store/server-store.js';
import { isBlocked } from '../blocks/find.js';
import { FAILURE_LASTS_MS, findLookupLimit, type LookupMiss, lookupTimeout } from '../lookups.js';
import type { RegistryProblem } from '../problem.js';
import { type BrandCopy, type BrandEntry, type Entry, entryKey } from '../records.js';
import type { Registry } from '../registry.js';
import type { BrandAnswer, StoredBrand } from './brand-cache.js';

/** How long a document that was read counts as current. */
const COPY_LASTS_MS = 24 * HOUR_MS;

/** Whether the file is wanted as it is now, and who asks. */
type LookupOptions = { readonly fresh: boolean; readonly ip: string };

/** The brand of a domain: the answer, or why there is none. */
export type BrandLookup = { readonly brand?: WrittenAnswer; readonly miss?: LookupMiss };

/**
 * Resolves a domain to its brand: its brand.json, no older than a day, else what a member saved, else what a provider knew.
 * `fresh` reads the brand.json in any case.
 */
export async function resolveDomain(
  registry: Registry,
  domain: string,
  { fresh, ip }: LookupOptions,
): Promise<BrandLookup> {
  const name = publisherDomain(domain);
  const before = await findBrand(registry, name);
  if (before === 'blocked') return {};
  if (!fresh && before !== undefined && isSettled(registry, name, before)) {
    const again = () =>
      registry.brandCache.peek(name) === before && isSettled(registry, name, before) ? before.written : undefined;
    return { brand: { written: before.written, again } };
  }
  const { copy, miss, refused } = await lookLive(registry, name, { fresh, ip });
  if (copy !== undefined) return { brand: { written: writeJson(brandOfCopy(copy)) } };
  const stored = await storedBrand(registry, name);
  if (stored === undefined && refused !== undefined) throw refused;
  if (stored === undefined) return miss === undefined ? {} : { miss };
  if (!fresh || miss === undefined) return { brand: { written: stored.written } };
  return { brand: { written: writeJson({ ...stored.answer, live_brand_json: failedLook(miss) }) } };
}

/** Returns the known brands of many domains, without a lookup on the internet. */
export async function storedBrands(
  registry: Registry,
  domains: readonly string[],
): Promise<Readonly<Record<string, BrandAnswer | null>>> {
  const pace = startPace();
  const results: [string, BrandAnswer | null][] = [];
  for (const domain of domains) {
    if (pace.isDue()) await pace.rest();
    const name = publisherDomain(domain);
    const stored = registry.brandCache.peek(name) ?? (await storedBrand(registry, name));
    results.push([domain, stored?.answer ?? null]);
  }
  return Object.fromEntries(results);
}

/** Returns a domain's brand.json as it is, with where it was read; or what was missed. */
export async function brandDocument(
  registry: Registry,
  domain: string,
  { fresh, ip }: LookupOptions,
): Promise<{ readonly copy?: BrandCopy; readonly miss?: LookupMiss }> {
  const name = publisherDomain(domain);
  if (await isBlocked(registry.store.read, 'domain', name)) return {};
  const copy = await registry.store.read.brand_copy.find(name);
  if (!fresh && copy !== undefined && isCurrent(registry, Date.parse(copy.fetched_at))) return { copy };
  const looked = await lookLive(registry, name, { fresh, ip });
  if (copy === undefined && looked.refused !== undefined) throw looked.refused;
  if (looked.copy !== undefined || copy === undefined) return looked;
  const latest = await registry.store.read.brand_copy.find(name);
  return latest === undefined ? looked : { ...looked, copy: latest };
}

/** Returns what is stored of a domain's brand; undefined where that is nothing, or the domain is blocked. */
async function storedBrand(registry: Registry, name: string): Promise<StoredBrand | undefined> {
  const brand = await findBrand(registry, name);
  return brand === 'blocked' ? undefined : brand;
}

/** Returns what is stored of a domain's brand, or that the domain is blocked. */
async function findBrand(
  { brandCache, store: { read } }: Registry,
  name: string,
): Promise<StoredBrand | 'blocked' | undefined> {
  let blocked = false;
  const stored = await brandCache.recall(name, async () => {
    blocked = await isBlocked(read, 'domain', name);
    if (blocked) return undefined;
    const copy = await read.brand_copy.find(name);
    if (copy !== undefined) return toStored(brandOfCopy(copy), Date.parse(copy.fetched_at));
    const record = await read.brand.find(name);
    return record && toStored(brandOfRecord(record));
  });
  return blocked ? 'blocked' : stored;
}

function toStored(answer: BrandAnswer, fetchedAtMs?: number): StoredBrand {
  return { answer, written: writeJson(answer), fetchedAtMs };
}

/** Whether what is stored of a domain is answered without a look at the internet. */
function isSettled(registry: Registry, name: string, { fetchedAtMs }: StoredBrand): boolean {
  if (fetchedAtMs !== undefined && isCurrent(registry, fetchedAtMs)) return true;
  return !canLook(registry) || registry.lookups.findMiss(entryKey('brand', name), FAILURE_LASTS_MS) !== undefined;
}

function canLook({ mirrors, policy }: Registry): boolean {
  return policy.liveLookups && mirrors === undefined;
}

function isCurrent({ clock }: Registry, fetchedAtMs: number): boolean {
  return clock.now() - fetchedAtMs < COPY_LASTS_MS;
}

/** The outcome of a lookup; `refused` where there was none, and what a domain has is not known. */
type LiveLook = { readonly copy?: BrandCopy; readonly miss?: LookupMiss; readonly refused?: RegistryProblem };

async function lookLive(registry: Registry, name: string, { fresh, ip }: LookupOptions): Promise<LiveLook> {
  const { limits, lookups } = registry;
  const key = entryKey('brand', name);
  if (!canLook(registry)) return {};
  const before = fresh ? undefined : lookups.findMiss(key, FAILURE_LASTS_MS);
  if (before !== undefined) return { miss: before };
  const refused = await findLookupLimit(limits, ip);
  if (refused !== undefined && fresh) throw refused;
  if (refused !== undefined) return { refused };
  return (await lookups.run(key, () => readOnce(registry, name, key, fresh))) ?? { refused: lookupTimeout(name) };
}

/** Reads a domain's brand.json now, unless somebody did while this request was on its way and it need not be fresh. */
async function readOnce(registry: Registry, name: string, key: string, fresh: boolean): Promise<LiveLook> {
  const copy = fresh ? undefined : await registry.store.read.brand_copy.find(name);
  if (copy !== undefined && isCurrent(registry, Date.parse(copy.fetched_at))) return { copy };
  return readLive(registry, name, key);
}

/** Reads a domain's brand.json now, with the fetch of the crawler where given, and stores what it says. Returns what it came to. */
export async function readBrand(
  registry: Registry,
  domain: string,
  outbound?: Pick<Outbound, 'fetch'>,
): Promise<BrandReading> {
  const name = publisherDomain(domain);
  return (await readLive(registry, name, entryKey('brand', name), outbound)).reading;
}

async function readLive(
  registry: Registry,
  name: string,
  key: string,
  outbound: Pick<Outbound, 'fetch'> = registry.outbound,
): Promise<LiveLook & { readonly reading: BrandReading }> {
  const { clock, files, lookups, store } = registry;
  const documents = new Map<string, Uint8Array>();
  const job = { kind: 'brand', domain: name, nowMs: clock.now(), local: false } as const;
  const facts = await files.run(job, ({ url }, { bytes }) => documents.set(url, bytes), outbound);
  const copy = await copyOf(facts, documents, isoTime(clock.now()));
  if (copy !== undefined) {
    lookups.forgetMiss(key);
    await store.transact(async (tx) => writeCopy(tx, copy));
    await yieldToEventLoop();
    return { copy, reading: { reason: 'found', isTransient: false } };
  }
  const { isTransient, reason } = facts.discovery;
  const miss = missOf(facts.discovery);
  lookups.rememberMiss(key, miss);
  // What passes leaves the copy in its place; a file that is gone takes it along.
  if (!isTransient) await store.transact((tx) => dropCopy(tx, name));
  // A file that was found and says nothing of the domain is no brand.
  return { miss, reading: { reason: reason === 'found' ? 'invalid' : reason, isTransient } };
}

/** Reads the document that counts, in a run of its own: it may have 256 KiB. */
async function copyOf(
  { discovery: { domain, findings, url }, brand, variant }: BrandFacts,
  documents: ReadonlyMap<string, Uint8Array>,
  fetched_at: string,
): Promise<BrandCopy | undefined> {
  const bytes = url === undefined ? undefined : documents.get(url);
  if (brand === undefined || variant === undefined || url === undefined || bytes === undefined) return undefined;
  await yieldToEventLoop();
  const data = readJson(bytes);
  if (!isObject(data)) return undefined;
  const warnings = findings.map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`));
  return { domain, url, variant, brand, data, warnings, fetched_at };
}

/** Keeps a document that was read; the brand's record says what it says from then on. */
async function writeCopy(tx: ServerWriter, copy: BrandCopy): Promise<void> {
  if (await isBlocked(tx, 'domain', copy.domain)) return;
  await tx.brand_copy.put(copy);
  await rebuildBrand(tx, copy.domain);
}

async function dropCopy(tx: ServerWriter, domain: string): Promise<void> {
  if (await tx.brand_copy.remove(domain)) await rebuildBrand(tx, domain);
}

/** Writes the brand's record by the source that goes before the others; removes it when there is none. */
export async function rebuildBrand(tx: ServerWriter, domain: string): Promise<void> {
  const [copy, entry, before] = [
    await tx.brand_copy.find(domain),
    await tx.entry.find(entryKey('brand', domain)),
    await tx.brand.find(domain),
  ];
  const enriched = before?.source === 'enriched' ? before : undefined;
  const saved = entry?.review_status === 'approved' ? recordOfEntry(entry) : enriched;
  const record = copy === undefined ? saved : recordOfCopy(copy, before);
  if (record !== undefined) await tx.brand.put(record);
  else if (before !== undefined) await tx.brand.remove(domain);
}

function recordOfCopy({ brand, data, domain, fetched_at }: BrandCopy, before: BrandRecord | undefined): BrandRecord {
  const { canonical_id, canonical_domain, brand_name, keller_type, house_domain, parent_brand } = brand;
  return {
    domain,
    canonical_id,
    canonical_domain,
    brand_name,
    keller_type,
    house_domain,
    parent_brand,
    source: 'brand_json',
    brand_json: data,
    created_at: before?.created_at ?? fetched_at,
    updated_at: fetched_at,
  };
}

function recordOfEntry({ content, created_at, domain, updated_at }: Entry): BrandRecord {
  // Entries of brands hold brands; the kind in the key says so.
  const { brand_name, brand_manifest, keller_type, house_domain, parent_brand } = content as BrandEntry;
  return {
    domain,
    canonical_id: domain,
    canonical_domain: domain,
    brand_name,
    keller_type,
    house_domain,
    parent_brand,
    source: 'community',
    brand_manifest,
    created_at,
    updated_at,
  };
}

function brandOfCopy({ brand, fetched_at }: BrandCopy): BrandAnswer {
  return brand.relationship_trust === 'mutual' ? { ...brand, relationship_verified_at: fetched_at } : brand;
}

function brandOfRecord(record: BrandRecord): BrandAnswer {
  const { domain: _domain, created_at: _created, updated_at: _updated, brand_json: _json, source, ...rest } = record;
  const isProven = source === 'brand_json' || source === 'enriched';
  return { ...rest, source: isProven ? source : 'community' };
}

function missOf({ path, message, fix, findings, url }: BrandFacts['discovery']): LookupMiss {
  const status = /^answered (\d{3})$/.exec(path.at(-1)?.says ?? '')?.[1];
  const errors = findings
    .filter(({ severity }) => severity === 'error')
    .map(({ pointer, message: says }) => (pointer === '' ? says : `${pointer}: ${says}`));
  const read = url ?? path.at(-1)?.url;
  return {
    status: status === undefined ? undefined : Number(status),
    url: read,
    errors: [`${message} ${fix}`, ...errors],
  };
}

function failedLook({ status, url, errors }: LookupMiss): object {
  return { valid: false, url, status_code: status, errors, warnings: [] };
}
