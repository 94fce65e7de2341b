import { isObject } from '../../../platform/kernel/json/json.js';
import { isUrl } from '../../../platform/net/url.js';
import type { App } from '../../context.js';

/** A reference to a brand, as requests name one. */
type BrandReference = {
  readonly domain: string;
  readonly brand_id?: string | undefined;
  readonly industries?: readonly string[] | undefined;
};

const MAX_INDUSTRIES = 20;
const MAX_INDUSTRY_CHARS = 128;

/** Returns a reference with the industries of its brand: its own, else those that the registry knows of; as it is where neither says any. */
export async function withIndustries<Reference extends BrandReference>(
  registry: Pick<App['registry'], 'brandOf'>,
  reference: Reference,
): Promise<Reference> {
  if (reference.industries !== undefined) return reference;
  const domain = reference.domain.toLowerCase();
  const document = await registry.brandOf(domain);
  if (document === undefined) return reference;
  const industries = readIndustries(document, { ...reference, domain });
  return industries.length === 0 ? reference : { ...reference, industries };
}

/** Returns the industries that a brand.json or a manifest says of a brand; none where it describes several and the reference names none of them. */
function readIndustries(
  document: Readonly<Record<string, unknown>>,
  { domain, brand_id }: BrandReference,
): readonly string[] {
  const brands = Array.isArray(document.brands) ? document.brands.filter(isObject) : [];
  const named = brands.find(({ id }) => brand_id !== undefined && id === brand_id);
  const own = named ?? brands.find(({ url }) => isAt(url, domain)) ?? (brands.length === 1 ? brands[0] : undefined);
  const listed = own?.industries ?? document.industries;
  if (!Array.isArray(listed)) return [];
  return listed
    .filter((each): each is string => typeof each === 'string' && each.length <= MAX_INDUSTRY_CHARS)
    .slice(0, MAX_INDUSTRIES);
}

function isAt(url: unknown, domain: string): boolean {
  if (typeof url !== 'string' || !isUrl(url)) return false;
  const host = new URL(url).hostname;
  return host === domain || host === `www.${domain}`;
}
