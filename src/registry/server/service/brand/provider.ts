import { z } from 'zod';
import { Cache } from '../../../../platform/kernel/cache.js';
import { type Clock, HOUR_MS, isoTime, SECOND_MS } from '../../../../platform/kernel/clock.js';
import { readJson } from '../../../../platform/kernel/json/json.js';
import type { Log } from '../../../../platform/kernel/log.js';
import type { Fetched, Outbound } from '../../../../platform/net/fetch.js';
import { publisherDomain } from '../../../model/domains.js';
import type { BrandRecord } from '../../../model/records.js';
import type { BrandDataSettings } from '../../../settings.js';
import type { RegistryLimits } from '../../auth/limits.js';
import { httpsUrl, isHttpsUrl } from '../../openapi/fields.js';
import type { ServerStore } from '../../store/server-store.js';
import { isBlocked } from '../blocks/find.js';
import { type LiveLookups, lookupTimeout } from '../lookups.js';
import { RegistryProblem } from '../problem.js';

/** The parts of the registry that look-ups at a provider use. */
type ProviderParts = {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly log: Log;
  readonly store: ServerStore;
  readonly limits: RegistryLimits;
  readonly lookups: LiveLookups;
  /** Lets http and loopback through, in development mode only. */
  readonly isDevelopment: boolean;
  /** Whether this registry mirrors another one, and takes no records of its own. */
  readonly isMirror: boolean;
};

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 6 * SECOND_MS;
/** How long what a provider says counts, and how soon it is asked again for a brand that it did not know. */
const KNOWN_LASTS_MS = 24 * HOUR_MS;
const UNKNOWN_LASTS_MS = HOUR_MS;
const MAX_ANSWERS = 5000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

const line = z.string().min(1).max(255);
const company = z.object({
  name: line.optional(),
  industry: line.optional(),
  industries: z.array(line).max(100).optional(),
  employees: line.optional(),
  founded: z.number().optional(),
  location: line.optional(),
});

/** What a provider answers for a brand that it knows; members beside these are passed over. */
const answer = z.object({
  manifest: z.object({
    name: line,
    url: httpsUrl(),
    description: z.string().max(5000).optional(),
    logos: z
      .array(z.object({ url: z.string().max(2048), tags: z.array(line).max(20).default([]) }))
      .max(100)
      // Pages show logos: those under anything but https are left out.
      .transform((logos) => logos.filter(({ url }) => isHttpsUrl(url)))
      .optional(),
    colors: z.record(line, line).optional(),
    fonts: z
      .array(z.object({ name: line, role: line }))
      .max(20)
      .optional(),
    company: company.optional(),
  }),
});
type BrandManifest = z.output<typeof answer>['manifest'];

/** Brand data of a third party, asked for over HTTP, kept for a day: in memory, and as the record of a domain that has no other. */
export class BrandProvider {
  readonly #settings: BrandDataSettings;
  readonly #parts: ProviderParts;
  readonly #answers: Cache<string, BrandManifest | 'unknown'>;

  constructor(settings: BrandDataSettings, parts: ProviderParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#answers = new Cache({
      maxEntries: MAX_ANSWERS,
      maxBytes: MAX_ANSWER_BYTES,
      sizeOf: (value, key) => 2 * (key.length + JSON.stringify(value).length),
      expiry: { ttlMs: KNOWN_LASTS_MS, clock: parts.clock },
    });
  }

  /**
   * Returns what the provider knows of a domain; undefined for a brand that it does not know. Throws rate_limited where the provider was
   * asked too often, and unavailable where it does not answer, or answers nothing that can be used.
   */
  async enrich(domain: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { lookups, store } = this.#parts;
    const name = publisherDomain(domain);
    if (await isBlocked(store.read, 'domain', name)) return undefined;
    const cached = this.#answers.get(name) ?? (await this.#recorded(name));
    const manifest = cached ?? (await lookups.run(`brand-data:${name}`, () => this.#ask(name)));
    if (manifest === undefined) throw lookupTimeout(name);
    if (manifest === 'unknown') return undefined;
    return { cached: cached !== undefined, manifest, company: manifest.company, source_type: 'enriched' };
  }

  /** Returns what the provider said before a restart. */
  async #recorded(domain: string): Promise<BrandManifest | undefined> {
    const { clock, store } = this.#parts;
    const record = await store.read.brand.find(domain);
    const age = clock.now() - Date.parse(record?.updated_at ?? '');
    if (record?.source !== 'enriched' || !(age < KNOWN_LASTS_MS)) return undefined;
    return answer.safeParse({ manifest: record.brand_manifest }).data?.manifest;
  }

  async #ask(domain: string): Promise<BrandManifest | 'unknown'> {
    await this.#parts.limits.take('brand_data', 'provider', 'The brand-data provider was asked too often');
    const { bytes, status } = await this.#send(domain);
    const manifest = status === 404 ? 'unknown' : this.#read(bytes, status);
    this.#answers.set(domain, manifest, manifest === 'unknown' ? UNKNOWN_LASTS_MS : KNOWN_LASTS_MS);
    if (manifest !== 'unknown' && !this.#parts.isMirror) await this.#record(domain, manifest);
    return manifest;
  }

  async #send(domain: string): Promise<Fetched> {
    const { isDevelopment, log, outbound } = this.#parts;
    const { key, url } = this.#settings;
    const asked = new URL(url);
    asked.searchParams.set('domain', domain);
    const headers = { accept: 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) };
    try {
      return await outbound.fetch(asked.href, {
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
        maxRedirects: 0,
        headers,
        local: isDevelopment,
      });
    } catch (error) {
      log.warn({ err: error, domain }, 'the brand-data provider does not answer');
      throw refuseAway();
    }
  }

  #read(bytes: Uint8Array, status: number): BrandManifest {
    const { data, error } = answer.safeParse(status === 200 ? readJson(bytes) : undefined);
    if (data !== undefined) return data.manifest;
    const fault = error?.issues[0];
    this.#parts.log.warn(
      { status, fault: fault?.message, at: fault?.path.join('/') },
      'the brand-data provider answers nothing that can be used',
    );
    throw refuseAway();
  }

  /** Keeps the answer as the record of a domain that has none that goes before it. */
  async #record(domain: string, manifest: BrandManifest): Promise<void> {
    const { clock, store } = this.#parts;
    const now = isoTime(clock.now());
    await store.transact(async (tx) => {
      const before = await tx.brand.find(domain);
      if ((before !== undefined && before.source !== 'enriched') || (await isBlocked(tx, 'domain', domain))) return;
      const record: BrandRecord = {
        domain,
        canonical_id: domain,
        canonical_domain: domain,
        brand_name: manifest.name,
        source: 'enriched',
        brand_manifest: manifest,
        created_at: before?.created_at ?? now,
        updated_at: now,
      };
      await tx.brand.put(record);
    });
  }
}

function refuseAway(): RegistryProblem {
  return new RegistryProblem('unavailable', 'The brand-data provider of this registry does not answer as it should.', {
    field: 'domain',
    retryAfter: 60,
    suggestion: 'Ask again in a minute; GET /api/brands/resolve answers without it.',
  });
}
