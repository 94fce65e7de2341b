import { quoteValue, type Report } from '../documents/finding.js';
import { type DocumentPath, openReading, type Pattern, type Reading } from '../documents/reading.js';
import { readAgentUrl } from '../model/agent-url.js';
import { domainName, publisherDomain } from '../model/domains.js';
import { checkEncryptionKey, type PinnedKey, readPin } from './pins.js';
import { PROPERTY_NAME, readDomain, readProperties } from './properties.js';
import {
  AUTHORIZATION_TYPES,
  type AuthorizationType,
  type AuthorizedAgent,
  type CollectionSelector,
  DELEGATION_TYPES,
  type PublisherSelector,
  type Scope,
  type Selection,
} from './types.js';

/** Most domains that one selector may address: a managed network has some thousands. */
export const MAX_DOMAINS_OF_A_SELECTOR = 50_000;

/** The publisher, the report and the rules that entries are read with. */
type EntryContext = {
  readonly domain: string;
  readonly report: Report;
  /** Lets http and loopback agents through, in development mode only. */
  readonly local: boolean;
};

/** ISO 3166-1 alpha-2. */
export const COUNTRY: Pattern = { shape: /^[A-Z]{2}$/, says: 'two capital letters such as US' };
const SIGNAL_ID: Pattern = { shape: /^[a-zA-Z0-9_-]+$/, says: 'letters, digits, "_" and "-"' };
const SIGNAL_TAG: Pattern = { shape: /^[a-z0-9_-]+$/, says: 'lower-case letters, digits, "_" and "-"' };
const ENTRY = { name: 'entry', severity: 'error' } as const;

/**
 * Reads authorized_agents. An entry with any fault is left out whole: a limit that cannot be read, such as a country or an end, is
 * not the absence of a limit.
 */
export function readAgents(entries: readonly DocumentPath[], context: EntryContext): readonly AuthorizedAgent[] {
  return entries.flatMap((path) => {
    const reading = openReading(path, ENTRY, context.report);
    const agent = reading === undefined ? undefined : readAgent(reading, context);
    return agent === undefined ? [] : [agent];
  });
}

function readAgent(entry: Reading, context: EntryContext): AuthorizedAgent | undefined {
  const agent = readAgentUrl(entry, context.local);
  const authorizedFor = entry.text('authorized_for', { required: true, max: 500 });
  const scope = readScope(entry, context);
  const collections = readCollections(entry, context);
  const placementIds = entry.texts('placement_ids', { min: 1 });
  const placementTags = entry.texts('placement_tags', { min: 1 });
  const countries = entry.texts('countries', { min: 1, pattern: COUNTRY });
  const delegation = entry.choice('delegation_type', DELEGATION_TYPES);
  const exclusive = entry.flag('exclusive') ?? false;
  const from = entry.instant('effective_from');
  const until = entry.instant('effective_until');
  if (from !== undefined && until !== undefined && from >= until) {
    entry.fault('effective_until', 'range', 'it ends before it begins', 'Let effective_until be after effective_from.');
  }
  const keys = readKeys(entry, context.report);
  entry.instant('last_updated', { lenient: true });
  if (agent === undefined || authorizedFor === undefined || scope === undefined) return undefined;
  if (!entry.isUsable()) return undefined;
  return {
    ...agent,
    authorized_for: authorizedFor,
    scope,
    collections,
    placement_ids: placementIds && new Set(placementIds),
    placement_tags: placementTags && new Set(placementTags),
    countries: countries && new Set(countries),
    delegation_type: delegation,
    exclusive,
    effectiveFrom: from,
    effectiveUntil: until,
    signing_keys: keys,
    pointer: entry.pointer,
  };
}

/** One row per kind of authorization: the member that selects, and how it is read. */
const SCOPES: {
  readonly [T in AuthorizationType]: {
    readonly member: string;
    readonly read: (entry: Reading, member: string, context: EntryContext) => Scope | undefined;
  };
} = {
  property_ids: {
    member: 'property_ids',
    read: (entry, member) => {
      const ids = entry.texts(member, { required: true, min: 1, pattern: PROPERTY_NAME });
      return ids && { authorization_type: 'property_ids', property_ids: new Set(ids) };
    },
  },
  property_tags: {
    member: 'property_tags',
    read: (entry, member) => {
      const tags = entry.texts(member, { required: true, min: 1, pattern: PROPERTY_NAME });
      return tags && { authorization_type: 'property_tags', property_tags: new Set(tags) };
    },
  },
  inline_properties: {
    member: 'properties',
    read: (entry, member, { domain, report }) => {
      const paths = entry.list(member, { required: true, min: 1 });
      return paths && { authorization_type: 'inline_properties', properties: readProperties(paths, domain, report) };
    },
  },
  publisher_properties: {
    member: 'publisher_properties',
    read: (entry, member, { report }) => {
      const paths = entry.list(member, { required: true, min: 1 });
      const selectors = paths?.flatMap((path) => readSelector(path, report));
      return selectors && { authorization_type: 'publisher_properties', selectors };
    },
  },
  signal_ids: {
    member: 'signal_ids',
    read: (entry, member) => {
      const ids = entry.texts(member, { required: true, min: 1, pattern: SIGNAL_ID });
      return ids && { authorization_type: 'signal_ids', signal_ids: new Set(ids) };
    },
  },
  signal_tags: {
    member: 'signal_tags',
    read: (entry, member) => {
      const tags = entry.texts(member, { required: true, min: 1, pattern: SIGNAL_TAG });
      return tags && { authorization_type: 'signal_tags', signal_tags: new Set(tags) };
    },
  },
};

/** Returns the kind of authorization that an entry without one stands for: that of the one member that selects. */
export function meantAuthorization(entry: Readonly<Record<string, unknown>>): AuthorizationType | undefined {
  const [meant, other] = AUTHORIZATION_TYPES.filter((type) => entry[SCOPES[type].member] !== undefined);
  return other === undefined ? meant : undefined;
}

function readScope(entry: Reading, context: EntryContext): Scope | undefined {
  if (!entry.holds('authorization_type')) {
    const meant = AUTHORIZATION_TYPES.find((type) => entry.holds(SCOPES[type].member));
    const fix = `Add "authorization_type": "${meant ?? 'property_ids'}"${meant === undefined ? ' and what it selects' : ''}.`;
    entry.fault('authorization_type', 'required', 'authorization_type is missing', fix);
    return undefined;
  }
  const type = entry.choice('authorization_type', AUTHORIZATION_TYPES);
  if (type === undefined) return undefined;
  const { member, read } = SCOPES[type];
  if (type === 'inline_properties' && !entry.holds(member) && entry.holds('inline_properties')) {
    const fix = 'Rename "inline_properties" to "properties".';
    entry.fault('inline_properties', 'required', 'inline properties stand under "properties"', fix);
    return undefined;
  }
  return read(entry, member, context);
}

/** Reads a selector; one with a fault addresses nothing, and the others of its entry stand. */
function readSelector(path: DocumentPath, report: Report): readonly PublisherSelector[] {
  const reading = openReading(path, { name: 'selector', severity: 'error' }, report);
  if (reading === undefined) return [];
  const selection = readSelection(reading);
  const domains = readSelectedDomains(reading, selection, report);
  return selection === undefined || domains === undefined || !reading.isUsable() ? [] : [{ domains, selection }];
}

function readSelection(reading: Reading): Selection | undefined {
  const selection_type = reading.choice('selection_type', ['all', 'by_id', 'by_tag'], { required: true });
  if (selection_type === 'all') return { selection_type };
  if (selection_type === undefined) return undefined;
  const member = selection_type === 'by_id' ? 'property_ids' : 'property_tags';
  const names = reading.texts(member, { required: true, min: 1, pattern: PROPERTY_NAME });
  if (names === undefined) return undefined;
  return selection_type === 'by_id'
    ? { selection_type, property_ids: new Set(names) }
    : { selection_type, property_tags: new Set(names) };
}

function readSelectedDomains(
  reading: Reading,
  selection: Selection | undefined,
  report: Report,
): ReadonlySet<string> | undefined {
  const isMany = reading.holds('publisher_domains');
  if (isMany && reading.holds('publisher_domain')) {
    reading.fault('publisher_domains', 'conflict', 'it stands beside publisher_domain', 'Keep one of the two.');
    return undefined;
  }
  if (isMany && selection?.selection_type === 'by_id') {
    const fix = "Write one selector for each publisher: ids are each publisher's own.";
    reading.fault('publisher_domains', 'conflict', 'property_ids select from one publisher_domain alone', fix);
    return undefined;
  }
  if (isMany) return readDomainList(reading, report);
  const domain = readDomain(reading, 'publisher_domain', { required: true });
  return domain === undefined ? undefined : new Set([domain]);
}

/** Returns the publishers of a list. One that is no domain is left out, for it can be nobody's. */
function readDomainList(reading: Reading, report: Report): ReadonlySet<string> | undefined {
  const paths = reading.list('publisher_domains', { min: 1, max: MAX_DOMAINS_OF_A_SELECTOR });
  if (paths === undefined) return undefined;
  const domains = new Set<string>();
  for (const { value, pointer } of paths) {
    const name = typeof value === 'string' ? domainName(value) : undefined;
    if (name === undefined) {
      report.warn(
        pointer,
        'pattern',
        `${quoteValue(value)} is no domain; readers leave it out`,
        'Write a domain such as news.example.',
      );
      continue;
    }
    const publisher = publisherDomain(name);
    if (publisher !== value)
      report.warn(pointer, 'pattern', `${quoteValue(value)} is read as ${publisher}`, `Write "${publisher}".`);
    else if (domains.has(publisher))
      report.warn(pointer, 'duplicate', `${publisher} is listed twice`, 'Remove one of the two.');
    domains.add(publisher);
  }
  return domains;
}

function readCollections(entry: Reading, { report }: EntryContext): readonly CollectionSelector[] | undefined {
  return entry.list('collections', { min: 1 })?.flatMap((path) => {
    const reading = openReading(path, { name: 'collection selector', severity: 'error' }, report);
    if (reading === undefined) return [];
    const domain = readDomain(reading, 'publisher_domain', { required: true });
    const ids = reading.texts('collection_ids', { required: true, min: 1 });
    if (domain === undefined || ids === undefined || !reading.isUsable()) return [];
    return [{ publisher_domain: domain, collection_ids: new Set(ids) }];
  });
}

/** Pins are a limit: one that cannot be read makes the entry count for nothing. */
function readKeys(entry: Reading, report: Report): readonly PinnedKey[] {
  const holder = { name: 'key', severity: 'error' } as const;
  const keys = (entry.list('signing_keys', { min: 1 }) ?? []).map((path) => {
    const reading = openReading(path, holder, report);
    return reading && readPin(reading);
  });
  for (const path of entry.list('encryption_keys', { lenient: true, min: 1 }) ?? []) {
    const reading = openReading(path, holder, report);
    if (reading !== undefined) checkEncryptionKey(reading);
  }
  if (keys.includes(undefined)) {
    entry.fault('signing_keys', 'pattern', 'a signing key cannot be read', 'Correct or remove the key.');
  }
  return keys.filter((key) => key !== undefined);
}
