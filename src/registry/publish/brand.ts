import { BRAND_PROPERTY_TYPES, type Relationship } from '../../protocol/brand-words.js';
import type { IdentifierType } from '../adagents/types.js';
import { domainName, isSameSite } from '../model/domains.js';
import type { ConfiguredProperty, ConfiguredPublisher, Publication, PublishedBrand } from './types.js';

const SCHEMA = 'https://adcontextprotocol.org/schemas/v3/brand.json';
const MAX_DESCRIPTION = 500;
const MAX_ID = 90;
/** Which store an identifier of an app is of; absent for those of none. */
const STORES: Readonly<Partial<Record<IdentifierType, string>>> = {
  ios_bundle: 'apple',
  apple_app_store_id: 'apple',
  apple_tv_bundle: 'apple',
  android_package: 'google',
  google_play_id: 'google',
  roku_store_id: 'roku',
  fire_tv_asin: 'amazon',
  samsung_app_id: 'samsung',
};
const TYPES: ReadonlySet<string> = new Set(BRAND_PROPERTY_TYPES);

/**
 * Returns the operator's brand.json: the agents of this host, each with exactly the URL that buyers call and the place of its keys, so
 * that a signature leads back to the agent. With publishers or brands of its own it is a house that also declares the publishers'
 * properties, with the relationship that their files state, and what everybody may know of the brands.
 */
export function operatorBrandJson(publication: Publication): object {
  const { brands, nowIso, operator, publishers } = publication;
  const { domain } = operator;
  const name = operator.name ?? publication.agents[0]?.name ?? domain;
  const agents = brandAgents(publication);
  // An address of this machine is nobody's house.
  const isDomain = domainName(domain) === domain;
  const head = { $schema: SCHEMA, version: '1.0' };
  const tail = {
    contact: { name, ...(isDomain ? { domain } : {}) },
    last_updated: nowIso,
  };
  const properties = publishers.flatMap((publisher) => declaredProperties(publisher, domain));
  if ((properties.length === 0 && brands.length === 0) || !isDomain) return { ...head, agents, ...tail };
  const own: PublishedBrand = { id: idOf(domain), names: [{ en: name }], keller_type: 'master' };
  return { ...head, house: { domain, name, agents }, brands: withProperties(brands, properties, own), ...tail };
}

/** Returns the brands with the properties at the house's own brand: the first that is its master, else one that carries the operator's name. */
function withProperties(
  brands: readonly PublishedBrand[],
  properties: readonly object[],
  own: PublishedBrand,
): readonly PublishedBrand[] {
  if (properties.length === 0) return brands;
  const master = brands.find(({ id, keller_type }) => keller_type === 'master' || id === own.id);
  if (master === undefined) return [{ ...own, properties }, ...brands];
  return brands.map((brand) => (brand === master ? { ...brand, properties } : brand));
}

function brandAgents({ agents, jwksUri }: Publication): readonly object[] {
  const ids = new Set<string>();
  return agents.map(({ name, path, type, url }) => ({
    type,
    url,
    id: uniqueId(path.replace(/^\/|\/mcp$/g, ''), ids),
    description: name.slice(0, MAX_DESCRIPTION),
    jwks_uri: jwksUri,
  }));
}

/** Returns what the operator says of a publisher's properties. Kinds that brand.json does not know, and stars for hosts, are left out. */
function declaredProperties(publisher: ConfiguredPublisher, operatorDomain: string): readonly object[] {
  const { delegation_type, domain, properties } = publisher;
  const isOwn = delegation_type === 'direct' && isSameSite(domain, operatorDomain);
  const relationship: Relationship = isOwn ? 'owned' : delegation_type;
  if (properties === undefined || properties.length === 0) {
    return [{ type: 'website', identifier: domain, relationship }];
  }
  return properties
    .filter(({ property_type }) => TYPES.has(property_type))
    .flatMap((property) => declareIdentifiers(property).map((one) => ({ ...one, relationship })));
}

function declareIdentifiers({ identifiers, property_type: type }: ConfiguredProperty): readonly object[] {
  return identifiers
    .filter(({ value }) => type !== 'website' || domainName(value) === value)
    .map((identifier) => {
      const store = STORES[identifier.type];
      return { type, identifier: identifier.value, ...(store === undefined ? {} : { store }) };
    });
}

/** Returns a path or domain as an id of brand.json. */
function idOf(text: string): string {
  return text.replaceAll(/[^a-z0-9_]/g, '_').slice(0, MAX_ID);
}

/** Returns an id that was not given yet, told apart from the ones before it. */
function uniqueId(text: string, taken: Set<string>): string {
  const base = idOf(text);
  let id = base;
  for (let number = 2; taken.has(id); number += 1) id = `${base}_${number}`;
  taken.add(id);
  return id;
}
