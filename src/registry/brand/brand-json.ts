import { isUrl } from '../../platform/net/url.js';
import { readDomain } from '../adagents/properties.js';
import { createReport, type Finding, quoteValue } from '../documents/finding.js';
import { readJsonObject } from '../documents/json-document.js';
import { type DocumentPath, openReading, type Reading } from '../documents/reading.js';
import { readContact } from './contact.js';
import { type BrandContext, readBrand, readBrandAgents, readBrandRefs, readOperators, warnOfUnknown } from './parts.js';
import type { BrandContent, BrandDocument } from './types.js';

/** How a document is read. */
type BrandOptions = {
  /** URL or path of the file, for the findings. */
  readonly file: string;
  /** Lets http and loopback agents through, in development mode only. */
  readonly local?: boolean;
};

/** A document that was read. Without content it can be used for nothing; with errors among the findings parts of it count for nothing. */
type BrandRead = { readonly findings: readonly Finding[]; readonly content?: BrandDocument };

type Variant = {
  /** Whether a document is of this variant; the first that fits counts. */
  readonly fits: (root: Reading) => boolean;
  readonly read: (root: Reading, context: BrandContext) => BrandDocument | undefined;
  /** The members of a closed variant. */
  readonly members?: ReadonlySet<string>;
};

const REASONS = ['acquisition', 'divestiture', 'rebrand', 'regional', 'legacy', 'consolidation', 'other'] as const;
const REDIRECT_MEMBERS = ['$schema', 'redirect_reason', 'redirect_effective_at', 'note', 'last_updated'];
const CONTENT_MEMBERS = ['$schema', 'version', 'contact', 'last_updated'];
/** What a document of its own may not hold: it would be a house, or a redirect. */
const FOREIGN_TO_A_BRAND = [
  'house',
  'brands',
  'brand_refs',
  'authorized_operators',
  'redirect_reason',
  'redirect_effective_at',
  'region',
  'note',
];
const ARCHITECTURES = ['branded_house', 'house_of_brands', 'hybrid'] as const;

/** The five variants in the order in which they are told apart. */
const VARIANTS: readonly Variant[] = [
  {
    fits: (root) => root.holds('authoritative_location'),
    read: readRedirect,
    members: new Set([...REDIRECT_MEMBERS, 'authoritative_location']),
  },
  {
    fits: (root) => typeof root.value('house') === 'string',
    read: readHouseRedirect,
    members: new Set([...REDIRECT_MEMBERS, 'house', 'region']),
  },
  {
    fits: (root) => root.holds('house'),
    read: readPortfolio,
    members: new Set([...CONTENT_MEMBERS, 'house', 'brands', 'brand_refs', 'authorized_operators', 'trademarks']),
  },
  { fits: (root) => root.holds('id') && root.holds('names'), read: readCanonical },
  {
    fits: (root) => root.holds('agents') || root.holds('brand_agent'),
    read: readAgentDocument,
    members: new Set([...CONTENT_MEMBERS, 'agents', 'brand_agent', 'data_subject_contestation']),
  },
];

/** Reads and validates a brand.json of 3.0 and 3.1. The caller caps the size of the text. */
export function readBrandJson(source: string | Uint8Array, { file, local = false }: BrandOptions): BrandRead {
  const report = createReport(file);
  const object = readJsonObject(source, report);
  const root = object && openReading({ value: object, pointer: '' }, { name: 'document', severity: 'error' }, report);
  const variant = root && VARIANTS.find(({ fits }) => fits(root));
  if (root !== undefined && variant === undefined) {
    const fix = 'Write one of: authoritative_location, house, id with names, agents.';
    root.fault('', 'required', 'it is no variant of brand.json', fix);
  }
  if (root === undefined || variant === undefined) return { findings: report.findings() };
  const content = variant.read(root, { report, local });
  if (variant.members !== undefined) warnOfUnknown(root, variant.members);
  if (content !== undefined) warnOfVersion(content, root);
  for (const key of ['$schema', 'version', 'note']) root.text(key, { lenient: true, min: 0 });
  const contact = root.child('contact', { name: 'contact', severity: 'warning' });
  if (contact !== undefined) readContact(contact);
  root.instant('last_updated', { lenient: true });
  return { findings: report.findings(), content };
}

/** Returns the content of a brand.json; undefined for one that points elsewhere or is of no use. */
export function readBrandContent(source: string | Uint8Array, options: BrandOptions): BrandContent | undefined {
  const { content } = readBrandJson(source, options);
  return content !== undefined && 'brands' in content ? content : undefined;
}

function readRedirect(root: Reading): BrandDocument | undefined {
  const location = root.text('authoritative_location');
  readRedirectReason(root);
  if (location === undefined) return undefined;
  if (/^https:\/\//i.test(location) && isUrl(location)) return { variant: 'authoritative_location', location };
  const why = `${quoteValue(location)} is no https URL`;
  root.fault('authoritative_location', 'pattern', why, 'Write the https URL of the document that counts.');
  return undefined;
}

function readHouseRedirect(root: Reading): BrandDocument | undefined {
  const house = readDomain(root, 'house', { required: true });
  const region = root.text('region', { lenient: true, pattern: { shape: /^[A-Z]{2}$/, says: 'two capital letters' } });
  readRedirectReason(root);
  if (house === undefined) return undefined;
  return { variant: 'house_redirect', house, region };
}

function readRedirectReason(root: Reading): void {
  root.choice('redirect_reason', REASONS, { lenient: true });
  root.instant('redirect_effective_at', { lenient: true });
}

function readBrandOfHouse(path: DocumentPath, context: BrandContext) {
  const reading = openReading(path, { name: 'brand', severity: 'error' }, context.report);
  if (reading?.holds('house_domain') === true) {
    const fix = 'Remove it here; only a document of its own names its house.';
    reading.fault('house_domain', 'conflict', 'a brand inside a house has no house_domain', fix);
  }
  return reading && readBrand(reading, context);
}

function readPortfolio(root: Reading, context: BrandContext): BrandDocument | undefined {
  const house = root.child('house', { name: 'house', severity: 'error' });
  const domain = house && readDomain(house, 'domain', { required: true });
  const name = house?.text('name', { required: true });
  house?.choice('architecture', ARCHITECTURES, { lenient: true });
  const agents = house === undefined ? [] : readBrandAgents(house, context);
  if (!root.holds('brands') && !root.holds('brand_refs')) {
    root.warn('brands', 'required', 'a house lists brands or brand_refs', 'Add "brands" or "brand_refs".');
  }
  const brands = (root.list('brands', { lenient: true, min: 1 }) ?? []).flatMap(
    (path) => readBrandOfHouse(path, context) ?? [],
  );
  const refs = readBrandRefs(root.list('brand_refs', { lenient: true, min: 1 }) ?? [], context);
  const operators = readOperators(root.list('authorized_operators', { lenient: true }) ?? [], context);
  reportDuplicates(
    root,
    'brands',
    [...brands.map(({ id }) => id), ...refs.map(({ brand_id }) => brand_id)],
    'brand id',
  );
  reportDuplicates(
    root,
    'brand_refs',
    refs.map((ref) => ref.domain),
    'domain of a reference',
  );
  if (domain === undefined || name === undefined || !root.isUsable()) return undefined;
  return {
    variant: 'house_portfolio',
    house: { domain, name, agents },
    brands,
    brand_refs: refs,
    authorized_operators: operators,
    agents: [],
  };
}

function readCanonical(root: Reading, context: BrandContext): BrandDocument | undefined {
  for (const member of FOREIGN_TO_A_BRAND.filter((one) => root.holds(one))) {
    root.fault(member, 'conflict', `a brand of its own has no ${member}`, `Remove "${member}".`);
  }
  const houseDomain = readDomain(root, 'house_domain');
  const brand = readBrand(root, context);
  if (brand === undefined) return undefined;
  return {
    variant: 'brand_canonical',
    house_domain: houseDomain,
    brands: [brand],
    brand_refs: [],
    authorized_operators: [],
    agents: [],
  };
}

function readAgentDocument(root: Reading, context: BrandContext): BrandDocument {
  const legacy = root.child('brand_agent', { name: 'brand_agent', severity: 'error' });
  if (legacy !== undefined) {
    legacy.text('url', { required: true });
    legacy.text('id', { required: true });
    root.warn(
      'brand_agent',
      'deprecated',
      'brand_agent was replaced by agents',
      'List it in "agents" with type "brand".',
    );
  }
  return {
    variant: 'brand_agent',
    brands: [],
    brand_refs: [],
    authorized_operators: [],
    agents: readBrandAgents(root, context),
  };
}

/** Warns of what readers of 3.0 do not know. */
function warnOfVersion(content: BrandDocument, root: Reading): void {
  const isNew =
    content.variant === 'brand_canonical' || (content.variant === 'house_portfolio' && !root.holds('brands'));
  if (isNew) {
    const why = 'readers of 3.0 do not know this variant';
    root.warn('', 'version', why, 'Nothing, unless buyers of 3.0 matter: those want a house with brands.');
  }
}

function reportDuplicates(root: Reading, member: string, names: readonly string[], what: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) {
      root.fault(member, 'duplicate', `${quoteValue(name)} is used twice as ${what}`, 'Give each brand one entry.');
    }
    seen.add(name);
  }
}

/** Returns every agent of a document with content: of its brands, of its house, its own. */
export function allBrandAgents({ brands, house, agents }: BrandContent): readonly BrandContent['agents'][number][] {
  return [...brands.flatMap((brand) => brand.agents), ...(house?.agents ?? []), ...agents];
}
