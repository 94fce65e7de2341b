import { DAY_MS } from '../../platform/kernel/clock.js';
import { isUrl } from '../../platform/net/url.js';
import type { KellerType } from '../../protocol/brand-words.js';
import type { Steps } from '../documents/steps.js';
import { coversHost, domainName, publisherDomain } from '../model/domains.js';
import { type BrandDiscovery, discoverBrand } from './discovery.js';
import type { Brand, BrandContent, BrandRef } from './types.js';

/** How far a brand and its house vouch for each other. */
type RelationshipTrust = 'inline' | 'mutual' | 'leaf_only' | 'house_only' | 'standalone' | 'unverifiable';

/** A domain as a brand, in the members of the wire. */
export type ResolvedBrand = {
  readonly canonical_id: string;
  readonly canonical_domain: string;
  readonly brand_name: string;
  readonly source: 'brand_json';
  readonly names?: Brand['names'];
  readonly keller_type?: KellerType;
  readonly parent_brand?: string;
  /** Only when both sides say so. */
  readonly house_domain?: string;
  readonly house_name?: string;
  /** What one side alone says. */
  readonly claimed_house_domain?: string;
  readonly relationship_trust: RelationshipTrust;
  readonly brand_agent_url?: string;
};

/** The result of a resolution, with everything that was read on the way. */
export type BrandResolution = {
  readonly discovery: BrandDiscovery;
  readonly brand?: ResolvedBrand;
  readonly house?: BrandDiscovery;
};

/** A claim that nobody renewed for so long no longer counts. */
export const CLAIM_LASTS_MS = 180 * DAY_MS;

/**
 * Resolves a domain to its brand: the brand of a house that has the domain, a document of its own with or without a house
 * that confirms it, or the house itself. A property that is only sold or represented says nothing about who it is.
 */
export function* resolveBrand(domain: string, nowMs: number): Steps<BrandResolution> {
  const discovery = yield* discoverBrand(domain);
  const { content } = discovery;
  if (content === undefined) return { discovery };
  if (content.variant === 'brand_agent') return { discovery, brand: resolveStandalone(discovery.domain, content) };
  if (content.variant === 'house_portfolio') {
    const brand = yield* resolveInHouse(discovery, content, nowMs);
    return { discovery, brand };
  }
  return yield* resolveCanonical(discovery, content, nowMs);
}

function* resolveInHouse(
  discovery: BrandDiscovery,
  content: BrandContent,
  nowMs: number,
): Steps<ResolvedBrand | undefined> {
  const { house, brands, brand_refs: refs } = content;
  const { domain, speaker } = discovery;
  if (house === undefined) return undefined;
  // Anybody may write another one's name over a portfolio; only the house itself speaks as the house.
  const isHouseSpeaking = house.domain === speaker;
  const isHouse = isHouseSpeaking && house.domain === domain;
  const brand = brands.find((one) => isOf(one, domain)) ?? (isHouse ? brands.find(isMaster) : undefined);
  const inHouse = { house_domain: house.domain, house_name: house.name, relationship_trust: 'inline' } as const;
  const claim = { claimed_house_domain: house.domain, relationship_trust: 'leaf_only' } as const;
  if (brand !== undefined) return { ...describeBrand(brand, domain), ...(isHouseSpeaking ? inHouse : claim) };
  const ref = refs.find((one) => one.domain === domain && isCurrent(one, nowMs));
  if (ref !== undefined && isHouseSpeaking) return yield* resolveRef(ref, house);
  return isHouse
    ? { ...describeUnnamed(domain, house.name), ...inHouse }
    : { ...describeUnnamed(domain, domain), ...claim };
}

/** Resolves a brand that a house names and that publishes its own document; that one may name the house in turn. */
function* resolveRef(ref: BrandRef, house: NonNullable<BrandContent['house']>): Steps<ResolvedBrand> {
  const own = yield* discoverBrand(ref.domain);
  const [brand] = own.content?.variant === 'brand_canonical' ? own.content.brands : [];
  if (brand === undefined) {
    const claim = { claimed_house_domain: house.domain, relationship_trust: 'house_only' } as const;
    return { ...describeUnnamed(ref.domain, ref.brand_id), ...claim };
  }
  const isMutual = own.content?.house_domain === house.domain;
  return {
    ...describeBrand(brand, ref.domain),
    ...(isMutual
      ? { house_domain: house.domain, house_name: house.name, relationship_trust: 'mutual' }
      : { claimed_house_domain: house.domain, relationship_trust: 'house_only' }),
  };
}

function* resolveCanonical(discovery: BrandDiscovery, content: BrandContent, nowMs: number): Steps<BrandResolution> {
  const { domain } = discovery;
  const [brand] = content.brands;
  if (brand === undefined) return { discovery };
  const { house_domain: claimed } = content;
  if (claimed === undefined)
    return { discovery, brand: { ...describeBrand(brand, domain), relationship_trust: 'standalone' } };
  const house = yield* discoverBrand(claimed);
  const claim = { claimed_house_domain: claimed } as const;
  if (house.content === undefined) {
    return {
      discovery,
      house,
      brand: { ...describeBrand(brand, domain), ...claim, relationship_trust: 'unverifiable' },
    };
  }
  const isHouseSpeaking = house.content.house?.domain === house.speaker;
  const refs = isHouseSpeaking ? house.content.brand_refs : [];
  const isConfirmed = refs.some((ref) => ref.domain === domain && isCurrent(ref, nowMs));
  const name = house.content.house?.name;
  const relation = isConfirmed
    ? {
        house_domain: claimed,
        house_name: name,
        relationship_trust: 'mutual' as const,
      }
    : { ...claim, relationship_trust: 'leaf_only' as const };
  return { discovery, house, brand: { ...describeBrand(brand, domain), ...relation } };
}

/** Whether a domain is a brand's own: one of the properties that it owns, or its address. */
function isOf(brand: Brand, domain: string): boolean {
  const owned = brand.properties.filter(({ relationship }) => relationship === 'owned');
  if (owned.some(({ host }) => host !== undefined && coversHost(host, domain))) return true;
  const host = brand.url !== undefined && isUrl(brand.url) ? domainName(new URL(brand.url).hostname) : undefined;
  return host !== undefined && publisherDomain(host) === domain;
}

function isMaster(brand: Brand): boolean {
  return brand.keller_type === 'master';
}

function isCurrent({ effectiveAt }: BrandRef, nowMs: number): boolean {
  return effectiveAt === undefined || (effectiveAt <= nowMs && nowMs - effectiveAt < CLAIM_LASTS_MS);
}

type Described = Omit<ResolvedBrand, 'relationship_trust'>;

function describeBrand(brand: Brand, domain: string): Described {
  const agent = brand.agents.find(({ type }) => type === 'brand');
  return {
    canonical_id: brand.parent_brand === undefined ? brand.id : `${brand.parent_brand}#${brand.id}`,
    canonical_domain: domain,
    brand_name: brand.name,
    source: 'brand_json',
    names: brand.names,
    keller_type: brand.keller_type,
    parent_brand: brand.parent_brand,
    brand_agent_url: agent?.url,
  };
}

function describeUnnamed(domain: string, name: string): Described {
  return { canonical_id: domain, canonical_domain: domain, brand_name: name, source: 'brand_json' };
}

function resolveStandalone(domain: string, { agents }: BrandContent): ResolvedBrand {
  const agent = agents.find(({ type }) => type === 'brand');
  return {
    ...describeUnnamed(domain, domain),
    relationship_trust: 'standalone',
    brand_agent_url: agent?.url,
  };
}
