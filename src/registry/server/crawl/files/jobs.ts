import { readAdagents } from '../../../adagents/adagents.js';
import { type AdagentsDiscovery, discoverAdagents } from '../../../adagents/discovery.js';
import { readBrandContent } from '../../../brand/brand-json.js';
import { type BrandDiscovery, brandJsonUrl } from '../../../brand/discovery.js';
import { type BrandResolution, resolveBrand } from '../../../brand/resolution.js';
import type { BrandContent } from '../../../brand/types.js';
import type { Finding } from '../../../documents/finding.js';
import type { Steps } from '../../../documents/steps.js';
import type { BrandCopy } from '../../service/records.js';
import {
  computeFileChanges,
  type FileChanges,
  type FileChangesOptions,
  type PackedRecords,
} from '../apply/file-changes.js';
import { projectAdagents } from '../apply/projection.js';
import { type CrawledFile, type CrawledRows, readCrawledFile } from './crawled-file.js';

/** A document to read on behalf of a caller; plain data, for it may be read in another thread. Instants in milliseconds. */
export type FileJob =
  | {
      readonly kind: 'summary' | 'offer' | 'brand';
      readonly domain: string;
      readonly nowMs: number;
      readonly local: boolean;
    }
  | {
      readonly kind: 'draft' | 'operator';
      readonly domain: string;
      readonly nowMs: number;
      readonly local: boolean;
      readonly text: string;
    }
  | {
      readonly kind: 'crawl';
      readonly domain: string;
      readonly nowMs: number;
      readonly local: boolean;
      /** When the publisher was last seen revoked, and what its records were made of (`crawledFile`). */
      readonly revokedAt?: number;
      readonly settled?: Readonly<Record<string, string>>;
    }
  | (FileChangesOptions & {
      readonly kind: 'changes';
      readonly domain: string;
      readonly local: boolean;
      readonly crawled: CrawledRows;
      readonly held: PackedRecords;
    });

/** A discovery without the file itself, which can be as large as a network. */
export type DiscoveredFile<T> = Omit<AdagentsDiscovery, 'effective'> & {
  readonly effective?: Omit<NonNullable<AdagentsDiscovery['effective']>, 'file'> & T;
};

/** A file in numbers, with the first agents that it names. */
export type FileSummary = {
  readonly agents: readonly string[];
  readonly agent_count: number;
  readonly property_count: number;
  readonly property_type_counts: Readonly<Record<string, number>>;
  readonly tag_count: number;
};

/** A publisher's properties and the agents that it authorizes, as an answer lists them. */
type FileOffer = {
  readonly authorized_agents: readonly { readonly url: string; readonly authorized_for?: string }[];
  readonly properties: readonly Readonly<Record<string, unknown>>[];
  /** How many there are, where not all are listed. */
  readonly properties_total?: number;
};

/** A domain's brand, without all else that its document holds: what is handed between threads is copied there. */
export type BrandFacts = {
  readonly discovery: Omit<BrandDiscovery, 'content'>;
  readonly variant?: BrandContent['variant'];
  readonly brand?: BrandCopy['brand'];
};

/** The result of each kind of job. */
export type FileResults = {
  readonly summary: DiscoveredFile<FileSummary>;
  readonly offer: DiscoveredFile<FileOffer>;
  readonly draft: readonly Finding[];
  /** Of the text of a brand.json. */
  readonly operator: BrandContent | undefined;
  readonly brand: BrandFacts;
  readonly crawl: DiscoveredFile<CrawledFile>;
  readonly changes: FileChanges;
};

/** Agents of a summary, and most agents and properties of an offer. */
const MAX_SUMMARY_AGENTS = 5;
const MAX_AGENTS = 500;
const MAX_PROPERTIES = 1000;

/** Begins a job. What it yields has to be fetched for it. */
export function* startJob(job: FileJob): Steps<FileResults[FileJob['kind']]> {
  const { domain, local, nowMs } = job;
  if (job.kind === 'draft') return readAdagents(job.text, { file: 'adagents.json', domain, nowMs, local }).findings;
  if (job.kind === 'operator') return readBrandContent(job.text, { file: brandJsonUrl(domain) });
  if (job.kind === 'changes') return computeFileChanges(job.crawled, job.held, job);
  if (job.kind === 'brand') return factsOf(yield* resolveBrand(domain, nowMs));
  const { effective, ...rest } = yield* discoverAdagents(domain, { nowMs, local });
  if (effective === undefined) return rest;
  const { file, ...facts } = effective;
  if (job.kind === 'crawl')
    return { ...rest, effective: { ...facts, ...readCrawledFile(facts.publisherDomain, effective, job) } };
  if (job.kind === 'offer') return { ...rest, effective: { ...facts, ...offerOf(effective) } };
  return { ...rest, effective: { ...facts, ...summaryOf(file) } };
}

function factsOf({ brand, discovery: { content, ...discovery } }: BrandResolution): BrandFacts {
  if (content === undefined || brand === undefined) return { discovery };
  const own = content.brands.find(({ id }) => brand.canonical_id === id || brand.canonical_id.endsWith(`#${id}`));
  return { discovery, variant: content.variant, brand: { ...brand, brand_manifest: own?.object } };
}

type Effective = NonNullable<AdagentsDiscovery['effective']>;

function summaryOf({ agents, properties }: Effective['file']): FileSummary {
  const types = new Map<string, number>();
  for (const { property_type } of properties) types.set(property_type, (types.get(property_type) ?? 0) + 1);
  return {
    agents: [...new Set(agents.map(({ url }) => url))].slice(0, MAX_SUMMARY_AGENTS),
    agent_count: new Set(agents.map(({ canonicalUrl }) => canonicalUrl)).size,
    property_count: properties.length,
    property_type_counts: Object.fromEntries(types),
    tag_count: new Set(properties.flatMap(({ tags }) => tags)).size,
  };
}

function offerOf(effective: Effective): FileOffer {
  const { authorizations, properties } = projectAdagents(effective);
  const agents = new Map(authorizations.map((row) => [row.agent_url_canonical, row]));
  return {
    authorized_agents: [...agents.values()].slice(0, MAX_AGENTS).map(({ agent_url, authorized_for }) => ({
      url: agent_url,
      ...(authorized_for === null ? {} : { authorized_for }),
    })),
    properties: properties.slice(0, MAX_PROPERTIES).map(({ identifiers, name, property_id, property_type, tags }) => ({
      ...(property_id === null ? {} : { id: property_id }),
      type: property_type,
      name,
      identifiers,
      tags,
    })),
    ...(properties.length > MAX_PROPERTIES && { properties_total: properties.length }),
  };
}
