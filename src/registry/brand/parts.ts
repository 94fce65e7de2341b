import { BRAND_PROPERTY_TYPES, KELLER_TYPES, RELATIONSHIPS } from '../../protocol/brand-words.js';
import { COUNTRY } from '../adagents/agents.js';
import { readDomain } from '../adagents/properties.js';
import { pointerBelow, quoteValue, type Report } from '../documents/finding.js';
import { type DocumentPath, type Holder, openReading, type Pattern, type Reading } from '../documents/reading.js';
import { readAgentUrl } from '../model/agent-url.js';
import { hostPattern } from '../model/domains.js';
import { checkLooks, URL_SHAPE } from './looks.js';
import {
  type AuthorizedOperator,
  BRAND_AGENT_TYPES,
  type Brand,
  type BrandAgent,
  type BrandProperty,
  type BrandRef,
  OPERATOR_SCOPES,
} from './types.js';

/** The context in which the parts of a document are read. */
export type BrandContext = {
  readonly report: Report;
  /** Lets http and loopback agents through, in development mode only. */
  readonly local: boolean;
};

const ID: Pattern = { shape: /^[a-z0-9_]+$/, says: 'lower-case letters, digits and underscores' };
const BRAND_IDS: Pattern = { shape: /^([a-z0-9_]+|\*)$/, says: 'ids of brands, or * for all' };
const HTTPS: Pattern = { shape: /^https:\/\//, says: 'an https URL' };
const REGION: Pattern = { shape: /^([A-Z]{2}|global)$/, says: 'two capital letters such as US, or global' };
const STORES = ['apple', 'google', 'amazon', 'roku', 'samsung', 'lg', 'other'] as const;
/** What a portfolio entry may hold; readers of the closed schema refuse anything else. */
const REF_MEMBERS: ReadonlySet<string> = new Set(['domain', 'brand_id', 'managed_by', 'effective_at']);
/** Most agents of one list that readers of 3.0 take. */
const MOST_AGENTS_OF_3_0 = 20;

/** Returns the agents of a document, house or brand. Each URL may stand there once: a signature has to lead to one entry. */
export function readBrandAgents(holder: Reading, context: BrandContext): readonly BrandAgent[] {
  const paths = holder.list('agents', { lenient: true }) ?? [];
  if (paths.length > MOST_AGENTS_OF_3_0) {
    const why = `it lists ${paths.length} agents, and readers of 3.0 take ${MOST_AGENTS_OF_3_0}`;
    holder.warn('agents', 'version', why, 'Split the agents over brands, or leave out those that are not called.');
  }
  const agents = readEach(paths, { name: 'agent', severity: 'error' }, context, (reading) => {
    const url = readAgentUrl(reading, context.local);
    const type = reading.choice('type', BRAND_AGENT_TYPES, { required: true });
    const id = reading.text('id', { required: true, max: 100, pattern: ID });
    const description = reading.text('description', { lenient: true, max: 500, min: 0 });
    const jwksUri = reading.text('jwks_uri', context.local ? {} : { pattern: HTTPS });
    if (url === undefined || type === undefined || id === undefined || !reading.isUsable()) return undefined;
    return {
      ...url,
      type,
      id,
      description,
      jwks_uri: jwksUri,
      pointer: reading.pointer,
    };
  });
  return withoutTwins(agents, context.report);
}

/** Agents whose URL stands once. Of several entries nobody can tell which one a signature leads to, so that none counts. */
function withoutTwins(agents: readonly BrandAgent[], report: Report): readonly BrandAgent[] {
  const times = new Map<string, number>();
  for (const { canonicalUrl, pointer } of agents) {
    const before = times.get(canonicalUrl) ?? 0;
    times.set(canonicalUrl, before + 1);
    if (before === 0) continue;
    report.add({
      pointer: pointerBelow(pointer, 'url'),
      severity: 'error',
      keyword: 'ambiguous',
      message: 'another entry has the same URL; readers leave all of them out',
      fix: 'Keep one entry for each URL.',
    });
  }
  return agents.filter(({ canonicalUrl }) => times.get(canonicalUrl) === 1);
}

/** Returns a brand, inline in a portfolio or as a document of its own. */
export function readBrand(reading: Reading, context: BrandContext): Brand | undefined {
  const id = reading.text('id', { required: true, pattern: ID });
  const names = readNames(reading, context);
  const url = reading.text('url', { lenient: true, pattern: URL_SHAPE });
  const kellerType = reading.choice('keller_type', KELLER_TYPES, { lenient: true });
  const parent = reading.text('parent_brand', { lenient: true, pattern: ID });
  const agents = readBrandAgents(reading, context);
  const properties = readEach(
    reading.list('properties', { lenient: true }) ?? [],
    { name: 'property', severity: 'warning' },
    context,
    readBrandProperty,
  );
  checkLooks(reading, context.report);
  const name = Object.values(names[0] ?? {})[0];
  if (id === undefined || name === undefined || !reading.isUsable()) return undefined;
  return {
    id,
    name,
    names,
    url,
    keller_type: kellerType,
    parent_brand: parent,
    properties,
    agents,
    object: reading.object,
    pointer: reading.pointer,
  };
}

/** Returns the brands of a house that publish their own documents. */
export function readBrandRefs(paths: readonly DocumentPath[], context: BrandContext): readonly BrandRef[] {
  return readEach(paths, { name: 'brand reference', severity: 'error' }, context, (reading) => {
    const domain = readDomain(reading, 'domain', { required: true });
    const brand_id = reading.text('brand_id', { required: true, pattern: ID });
    const managedBy = readDomain(reading, 'managed_by');
    const effectiveAt = reading.instant('effective_at');
    warnOfUnknown(reading, REF_MEMBERS);
    if (domain === undefined || brand_id === undefined || !reading.isUsable()) return undefined;
    return {
      domain,
      brand_id,
      managed_by: managedBy,
      effectiveAt,
    };
  });
}

/** Returns who may act for the brands of a house. A limit that cannot be read is not the absence of a limit: the operator is left out. */
export function readOperators(paths: readonly DocumentPath[], context: BrandContext): readonly AuthorizedOperator[] {
  return readEach(paths, { name: 'operator', severity: 'error' }, context, (reading) => {
    const domain = readDomain(reading, 'domain', { required: true });
    const brands = reading.texts('brands', { required: true, min: 1, pattern: BRAND_IDS });
    const countries = reading.texts('countries', { pattern: COUNTRY });
    const scopes = reading.texts('scopes', { min: 1 });
    const validFrom = reading.instant('valid_from');
    const validUntil = reading.instant('valid_until');
    const validScopes = OPERATOR_SCOPES.filter((scope) => scopes?.includes(scope));
    if (scopes !== undefined && validScopes.length < new Set(scopes).size) {
      reading.fault('scopes', 'enum', 'a scope is not known', `Use some of: ${OPERATOR_SCOPES.join(', ')}.`);
    }
    if (domain === undefined || brands === undefined || !reading.isUsable()) return undefined;
    return {
      domain,
      brands: new Set(brands),
      countries: countries && new Set(countries),
      scopes: scopes && new Set(validScopes),
      validFrom,
      validUntil,
    };
  });
}

/** Warns of members that a closed schema does not have. */
export function warnOfUnknown(reading: Reading, members: ReadonlySet<string>): void {
  for (const member of Object.keys(reading.object)) {
    if (members.has(member)) continue;
    const why = `${quoteValue(member)} is no member here, and strict readers refuse the file`;
    reading.warn(member, 'unknown', why, 'Remove it, or correct its spelling.');
  }
}

function readBrandProperty(reading: Reading): BrandProperty | undefined {
  const type = reading.choice('type', BRAND_PROPERTY_TYPES, { required: true });
  const identifier = reading.text('identifier', { required: true });
  const store = reading.choice('store', STORES, { lenient: true });
  const region = reading.text('region', { pattern: REGION });
  const primary = reading.flag('primary', { lenient: true }) ?? false;
  const relationship = reading.choice('relationship', RELATIONSHIPS) ?? 'owned';
  const host = type === 'website' && identifier !== undefined ? hostPattern(identifier) : undefined;
  if (type === 'website' && identifier !== undefined && host === undefined) {
    reading.fault(
      'identifier',
      'pattern',
      `${quoteValue(identifier)} is no domain`,
      'Write a domain such as news.example.',
    );
  }
  if (type === undefined || identifier === undefined || !reading.isUsable()) return undefined;
  return {
    type,
    identifier,
    store,
    region: region === 'global' ? undefined : region,
    primary,
    relationship,
    host,
    pointer: reading.pointer,
  };
}

/** Reads names with their locales: `[{"en_US": "Tide"}]`. */
function readNames(brand: Reading, context: BrandContext): readonly Readonly<Record<string, string>>[] {
  const paths = brand.list('names', { required: true, min: 1 }) ?? [];
  return readEach(paths, { name: 'name', severity: 'error' }, context, (reading) => {
    const [entry, ...more] = Object.entries(reading.object);
    const [locale, name] = entry ?? [];
    if (locale !== undefined && typeof name === 'string' && name !== '' && more.length === 0) return { [locale]: name };
    reading.fault('', 'type', 'it is not one name with its locale', 'Write {"en_US": "Tide"}.');
    return undefined;
  });
}

function readEach<T>(
  paths: readonly DocumentPath[],
  holder: Holder,
  { report }: BrandContext,
  one: (reading: Reading) => T | undefined,
): readonly T[] {
  return paths.flatMap((path) => {
    const reading = openReading(path, holder, report);
    const made = reading === undefined ? undefined : one(reading);
    return made === undefined ? [] : [made];
  });
}
