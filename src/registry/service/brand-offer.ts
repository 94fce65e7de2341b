import { brandJsonUrl } from '../brand-discovery.js';
import { allBrandAgents, readBrandJson } from '../brand-json.js';
import type { BrandAgent, BrandProperty } from '../brand-types.js';

/** What a brand.json says that its house operates, and which properties it declares, brand by brand. */
export type BrandOffer = {
  readonly agents: readonly Pick<BrandAgent, 'canonicalUrl' | 'id' | 'type' | 'url'>[];
  readonly properties: readonly Pick<BrandProperty, 'identifier' | 'relationship' | 'type'>[];
};

/** What a brand says that has no document, or one that is of no use. */
export const NO_OFFER: BrandOffer = { agents: [], properties: [] };

/** Reads what the text of a brand.json offers; the domain is the brand's. */
export function readOffer(text: string, domain: string): BrandOffer {
  const { content } = readBrandJson(text, { file: brandJsonUrl(domain) });
  if (content === undefined || !('brands' in content)) return NO_OFFER;
  return {
    agents: allBrandAgents(content).map(({ canonicalUrl, id, type, url }) => ({ canonicalUrl, id, type, url })),
    properties: content.brands.flatMap(({ properties }) =>
      properties.map(({ identifier, relationship, type }) => ({ identifier, relationship, type })),
    ),
  };
}
