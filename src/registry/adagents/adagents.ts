import { isUrl } from '../../platform/net/url.js';
import { readContact } from '../brand/contact.js';
import { createReport, type Finding, quoteValue, type Report } from '../documents/finding.js';
import { readJsonObject } from '../documents/json-document.js';
import { type DocumentPath, openReading, type Reading } from '../documents/reading.js';
import { readAgents } from './agents.js';
import {
  checkFeatures,
  readCollections,
  readFormats,
  readPlacements,
  readRevoked,
  readSignals,
  readTags,
} from './catalog.js';
import { ADAGENTS_CHECKS } from './checks.js';
import { readProperties } from './properties.js';
import type { AdagentsFile } from './types.js';

/** How a file is read. */
type AdagentsOptions = {
  /** URL or path of the file, for the findings. */
  readonly file: string;
  /** Whose file it is: properties that name no publisher are of this domain. */
  readonly domain: string;
  /** Milliseconds; tells what has expired. */
  readonly nowMs: number;
  /** Lets http and loopback agents through, in development mode only. */
  readonly local?: boolean;
};

/** A file's content: where the file that counts stands, or everything itself. */
export type AdagentsContent =
  | { readonly kind: 'pointer'; readonly location: string }
  | { readonly kind: 'file'; readonly file: AdagentsFile };

/** A file that was read. Without content it can be used for nothing; with errors among the findings parts of it count for nothing. */
export type AdagentsRead = { readonly findings: readonly Finding[]; readonly content?: AdagentsContent };

/** Lists that describe what can be sold; a file holds one of them, or agents. */
const CATALOG = ['formats', 'properties', 'placements', 'collections', 'signals'] as const;

/**
 * Reads and validates an adagents.json of 3.0 and 3.1, a text whose size the caller bounds. An entry with a fault counts for nothing, and
 * so does a file that contradicts itself: a fault never widens what an agent may sell.
 */
export function readAdagents(source: string | Uint8Array, options: AdagentsOptions): AdagentsRead {
  const report = createReport(options.file);
  const object = readJsonObject(source, report);
  const root = object && openReading({ value: object, pointer: '' }, { name: 'file', severity: 'error' }, report);
  const content = root && readContent(root, options, report);
  return { findings: report.findings(), content };
}

function readContent(root: Reading, options: AdagentsOptions, report: Report): AdagentsContent | undefined {
  root.text('$schema', { lenient: true, min: 0 });
  if (!root.holds('authoritative_location')) return readFile(root, options, report);
  if (root.holds('authorized_agents')) {
    const why = 'authoritative_location stands beside authorized_agents, and readers differ in which counts';
    root.fault(
      'authoritative_location',
      'conflict',
      why,
      'Keep the location in a file that only points, or the agents.',
    );
    return undefined;
  }
  const location = root.text('authoritative_location');
  root.instant('last_updated', { lenient: true });
  if (location === undefined) return undefined;
  if (!/^https:\/\//i.test(location) || !isUrl(location)) {
    const why = `${quoteValue(location)} is no https URL`;
    root.fault('authoritative_location', 'pattern', why, 'Write the https URL of the file that counts.');
    return undefined;
  }
  return { kind: 'pointer', location };
}

function readFile(root: Reading, options: AdagentsOptions, report: Report): AdagentsContent | undefined {
  const agentEntries = root.list('authorized_agents', { required: true });
  const revokedEntries = root.list('revoked_publisher_domains');
  // Without either list nobody can tell who is authorized and who no longer is.
  if (!root.isUsable() || agentEntries === undefined) return undefined;
  if (agentEntries.length === 0 && !CATALOG.some((name) => isFilled(root.value(name)))) {
    const fix = 'Add the agents that may sell, or a catalog such as "properties".';
    root.fault('authorized_agents', 'required', 'the file names no agent and describes nothing', fix);
    return undefined;
  }
  const file = readMembers(root, options, { agentEntries, revokedEntries: revokedEntries ?? [] }, report);
  const tags = {
    tags: tagsOf(root, 'tags', report),
    placement_tags: tagsOf(root, 'placement_tags', report),
    signal_tags: tagsOf(root, 'signal_tags', report),
  };
  for (const check of ADAGENTS_CHECKS) check({ file, tags, root, nowMs: options.nowMs }, report);
  return { kind: 'file', file };
}

type FileEntries = { readonly agentEntries: readonly DocumentPath[]; readonly revokedEntries: readonly DocumentPath[] };

/** Reads the members of a file one by one; a fault of one is reported and leaves the others. */
function readMembers(
  root: Reading,
  { domain, local = false }: AdagentsOptions,
  { agentEntries, revokedEntries }: FileEntries,
  report: Report,
): AdagentsFile {
  const catalog = (name: string, min = 0): readonly DocumentPath[] => root.list(name, { lenient: true, min }) ?? [];
  const { formats, ids: formatOptions } = readFormats(catalog('formats', 1), report);
  checkFeatures(catalog('property_features'), report);
  const given = root.child('contact', { name: 'contact', severity: 'error' });
  const contact = given && readContact(given);
  const etag = root.text('catalog_etag', { lenient: true, max: 255 });
  const supersededBy = root.text('superseded_by', { lenient: true });
  root.choice('catalog_role', ['community_format_registry'], { lenient: true });
  const lastUpdated = root.instant('last_updated', { lenient: true });
  const properties = readProperties(catalog('properties', 1), domain, report);
  const listed = root.value('properties');
  return {
    domain,
    contact,
    catalog_etag: etag,
    lastUpdated,
    superseded_by: supersededBy,
    isSuperseded: root.holds('superseded_by'),
    isCommunity: root.holds('catalog_role'),
    properties,
    unreadProperties: isFilled(listed) ? listed.length - properties.length : Number(listed !== undefined),
    collections: readCollections(catalog('collections'), report),
    placements: readPlacements(catalog('placements', 1), formatOptions, report),
    agents: readAgents(agentEntries, { domain, report, local }),
    revoked: readRevoked(revokedEntries, report),
    formats,
    signals: readSignals(catalog('signals', 1), report),
  };
}

function tagsOf(root: Reading, key: string, report: Report): ReadonlySet<string> | undefined {
  return root.holds(key) ? readTags({ value: root.value(key), pointer: `/${key}` }, report) : undefined;
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}
