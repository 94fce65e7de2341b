import { FEATURES } from '../../../creative/features/features.js';
import { declareFormat } from '../../../creative/formats/canonical/declaration.js';
import type { Format } from '../../../creative/formats/format.js';
import { isMakeable } from '../../../creative/transformers/means.js';
import { projectMembers } from '../../../protocol/members.js';
import type { Release } from '../../../protocol/releases.js';
import { BILLING } from '../../domain/account/account.js';
import { feedEvents } from '../../domain/account/subscriber.js';
import { MINIMUM_AUDIENCE_SIZE } from '../../domain/audience/audience.js';
import { HASHED_IDENTIFIERS, UID_TYPES } from '../../domain/audience/identity.js';
import { licensesRights, offeredUses } from '../../domain/brand/brand.js';
import type { BuildPrice } from '../../domain/creative/build-price.js';
import { REFINABLE_MS } from '../../domain/creative/build-variant.js';
import type { CreativeApproval } from '../../domain/creative/creative.js';
import { ACTION_SOURCES } from '../../domain/event/event.js';
import { feedsOf } from '../../domain/feed/feed.js';
import { describePolicy } from '../../domain/policy/policy.js';
import type { Product } from '../../domain/product/product.js';
import { isOpenTo, type Signal } from '../../domain/signal/signal.js';
import { verificationMethods } from '../../domain/targeting/ages.js';
import { listDimensions } from '../../domain/targeting/check.js';
import { cappedUnits } from '../../domain/targeting/offer.js';
import { WINDOW_UNITS } from '../../domain/targeting/reach.js';
import type { Policies } from '../../domain/tenant/principal.js';
import { meansOf, type Seller } from '../../domain/tenant/seller.js';
import type { Tenant, TenantKind } from '../../domain/tenant/tenant.js';
import {
  MAX_CONDITIONS,
  MAX_CREATIVES,
  MAX_VARIANTS,
  SELECTION_STRATEGIES,
  VARIANT_DIMENSIONS,
} from '../creative/build/plan-build.js';
import { SELLER_FEATURES } from '../product/on-sale.js';

/** The protocol that each kind of tenant speaks, as `supported_protocols` writes it. */
const PROTOCOLS: Record<TenantKind, string> = {
  sales: 'media_buy',
  creative: 'creative',
  signals: 'signals',
  governance: 'governance',
  brand: 'brand',
};

/** Who asks, as far as the answer depends on it. */
type Asker = { readonly policies: Policies; readonly sandbox: boolean; readonly buildPrices: readonly BuildPrice[] };

type Block = (seller: Seller, release: Release, asker: Asker) => Readonly<Record<string, unknown>>;

/** The block of each protocol; nothing is claimed here that is not honored. */
const BLOCKS: Partial<Record<TenantKind, Block>> = {
  sales: mediaBuyBlock,
  creative: creativeBlock,
  signals: signalsBlock,
  governance: governanceBlock,
  brand: brandBlock,
};

/** The specialisms of a tenant of a kind, by what its file holds. */
const SPECIALISMS: Partial<Record<TenantKind, (seller: Seller) => readonly string[]>> = {
  sales: salesSpecialisms,
  creative: () => ['creative-template', 'creative-ad-server'],
  signals: signalSpecialisms,
  governance: () => [
    'governance-spend-authority',
    'governance-delivery-monitor',
    'content-standards',
    'property-lists',
    'collection-lists',
  ],
  brand: ({ tenant }) => (licensesRights(tenant) ? ['brand-rights'] : []),
};

/** The surfaces of a tenant of a kind that the protocol calls experimental, by their feature ids. */
const EXPERIMENTAL: Partial<Record<TenantKind, (seller: Seller, release: Release) => readonly string[]>> = {
  governance: () => ['governance.campaign'],
  creative: (_seller, release) => (release === '3.0' ? [] : ['creative.evaluator', 'creative.signal_fanout']),
  brand: ({ tenant }) => (licensesRights(tenant) ? ['brand.rights_lifecycle'] : []),
};

/** The approval policy in the words of 3.1. */
const APPROVAL_MODES: Record<CreativeApproval, string> = { auto: 'auto_approve', manual: 'require_human' };

/** What the versions of feeds tell: prices are part of them, and an account's answers are the account's. */
const FEED_VERSIONS = { supported: true, pricing_version_separate: false, cache_scope_account: true };

/** Returns the blocks on the versions and webhooks of wholesale feeds. */
function feedBlocks(kinds: readonly TenantKind[]): Readonly<Record<string, object>> {
  return {
    wholesale_feed_versioning: FEED_VERSIONS,
    wholesale_feed_webhooks: { supported: true, event_types: feedEvents(kinds) },
  };
}

/** Whether a block of the capabilities is about one protocol, as `supported_protocols` names it. */
export function isProtocol(name: string): name is 'media_buy' | 'creative' | 'signals' | 'governance' | 'brand' {
  return Object.values(PROTOCOLS).includes(name);
}

/** Returns the blocks of the capabilities that follow from the tenant's file, by name. */
export function buildBlocks(seller: Seller, release: Release, asker: Asker): Record<string, object> {
  const { tenant, names } = seller;
  const idempotency = { supported: true, replay_ttl_seconds: tenant.replayTtlSeconds };
  const blocks: Record<string, object> = {
    [names.capabilitiesRoot]: { major_versions: [3], supported_versions: tenant.releases, idempotency },
    idempotency,
    supported_protocols: tenant.kinds.map((kind) => PROTOCOLS[kind]),
    account: {
      require_operator_auth: false,
      supported_billing: BILLING,
      required_for_products: false,
      account_financials: tenant.kinds.includes('sales'),
      account_scope: asker.policies.account_scope,
      sandbox: true,
    },
  };
  for (const kind of tenant.kinds) {
    const block = BLOCKS[kind]?.(seller, release, asker);
    if (block !== undefined) blocks[PROTOCOLS[kind]] = block;
  }
  // The evaluator of build_creative measures the features that only this block names.
  if (release !== '3.0' && tenant.kinds.includes('creative')) blocks.governance ??= governanceBlock();
  if (release !== '3.0' && feedsOf(tenant.kinds).length > 0) Object.assign(blocks, feedBlocks(tenant.kinds));
  const specialisms = tenant.kinds.flatMap((kind) => SPECIALISMS[kind]?.(seller) ?? []);
  if (specialisms.length > 0) blocks.specialisms = specialisms;
  const experimental = tenant.kinds.flatMap((kind) => EXPERIMENTAL[kind]?.(seller, release) ?? []);
  if (experimental.length > 0) blocks.experimental_features = experimental;
  return blocks;
}

function mediaBuyBlock(
  { tenant }: Seller,
  release: Release,
  { policies, sandbox }: Asker,
): Readonly<Record<string, unknown>> {
  const models = tenant.products.flatMap((product) => product.pricing_options.map((option) => option.pricing_model));
  const channels = tenant.products.flatMap((product) => product.channels);
  const block = {
    supported_pricing_models: [...new Set(models)],
    buying_modes: ['brief', 'wholesale', 'refine'],
    supports_proposals: true,
    governance_aware: tenant.governance !== 'off',
    propagation_surfaces: ['snapshot', 'webhook'],
    creative_approval_mode: APPROVAL_MODES[policies.creative_approval],
    reporting_delivery_methods: tenant.products.some((product) => product.reporting_capabilities.supports_webhooks)
      ? ['webhook']
      : undefined,
    supported_optimization_metrics: steeredMetrics(tenant.products),
    frequency_capping: frequencyCapping(tenant.products),
    features: SELLER_FEATURES,
    audience_targeting: {
      supported_identifier_types: HASHED_IDENTIFIERS,
      supported_uid_types: UID_TYPES,
      // Of a sandbox there is none; the schema wants a number, and has none below 1.
      minimum_audience_size: sandbox ? 1 : MINIMUM_AUDIENCE_SIZE,
    },
    conversion_tracking: {
      multi_source_event_dedup: true,
      supported_targets: eventTargets(tenant.products),
      supported_uid_types: UID_TYPES,
      supported_hashed_identifiers: HASHED_IDENTIFIERS,
      supported_action_sources: ACTION_SOURCES,
    },
    execution: { targeting: offeredTargeting(tenant.products) },
    // What ads run beside is known of simulated delivery alone, and nobody here judges it.
    content_standards:
      sandbox || tenant.fulfillment === 'simulated'
        ? { supports_local_evaluation: false, supports_webhook_delivery: true }
        : undefined,
    portfolio: {
      publisher_domains: tenant.publisherDomains,
      primary_channels: [...new Set(channels)],
      primary_countries: tenant.portfolio.primary_countries,
      description: tenant.description,
      advertising_policies: describePolicies(tenant),
    },
  };
  return projectMembers('capabilities.media_buy', block, release);
}

function creativeBlock(seller: Seller, release: Release, { buildPrices }: Asker): Readonly<Record<string, unknown>> {
  const block = {
    supports_compliance: false,
    has_creative_library: true,
    supports_generation: true,
    supports_transformation: true,
    supports_transformers: true,
    supports_refinement: true,
    refinable_retention_seconds: REFINABLE_MS / 1000,
    supports_spend_controls: buildPrices.length > 0,
    bills_through_adcp: buildPrices.length > 0,
    supports_evaluator: true,
    multiplicity: {
      supports_catalog_fanout: true,
      max_creatives_limit: MAX_CREATIVES,
      supports_signal_fanout: true,
      max_signal_conditions_limit: MAX_CONDITIONS,
      supports_variants: true,
      max_variants_limit: MAX_VARIANTS,
      variant_dimensions: VARIANT_DIMENSIONS,
      selection_strategies: SELECTION_STRATEGIES,
    },
    supported_formats: listMakeable(seller).flatMap((format) => {
      const declaration = declareFormat(format)?.declaration;
      return declaration === undefined ? [] : [{ capability_id: declaration.format_option_id, format: declaration }];
    }),
  };
  return projectMembers('capabilities.creative', block, release);
}

/** Returns the formats that build_creative makes here, of words or of material that the buyer sends. */
function listMakeable(seller: Seller): readonly Format[] {
  const means = meansOf(seller);
  return seller.formats.filter((format) => isMakeable(format, 'material', means));
}

/** Returns whose impressions caps can count at some product; undefined where none can be capped. */
function frequencyCapping(products: readonly Product[]): Readonly<Record<string, unknown>> | undefined {
  const capped = products.filter(({ inventory }) => listDimensions(inventory).includes('frequency_cap'));
  if (capped.length === 0) return undefined;
  const units = new Set(capped.flatMap(({ inventory, channels }) => cappedUnits(inventory, channels)));
  return { supported_per_units: [...units], supported_window_units: WINDOW_UNITS };
}

/** Returns the metrics that packages of some product can be steered toward; undefined where there is none. */
function steeredMetrics(products: readonly Product[]): readonly string[] | undefined {
  const metrics = new Set(products.flatMap(({ metric_optimization }) => metric_optimization?.supported_metrics ?? []));
  return metrics.size === 0 ? undefined : [...metrics];
}

/** Returns the targets that goals of events can have at some product; undefined where there is none. */
function eventTargets(products: readonly Product[]): readonly string[] | undefined {
  const targets = new Set(products.flatMap(({ conversion_tracking }) => conversion_tracking?.supported_targets ?? []));
  return targets.size === 0 ? undefined : [...targets];
}

function brandBlock({ tenant }: Seller): Readonly<Record<string, unknown>> {
  const offers = tenant.brand?.rights ?? [];
  if (offers.length === 0) return { rights: false, description: tenant.description };
  return {
    rights: true,
    right_types: [...new Set(offers.map(({ right_type }) => right_type))],
    available_uses: [...new Set(offers.flatMap(offeredUses))],
    description: tenant.description,
  };
}

/** The dimensions that the capabilities have a member for and some product offers; the others are named by the suggestion of a refusal. */
const DECLARED_TARGETING = ['geo_countries', 'geo_regions', 'language'] as const;

function offeredTargeting(products: readonly Product[]): Readonly<Record<string, unknown>> {
  const offered = new Set(products.flatMap(({ inventory }) => listDimensions(inventory)));
  const declared = DECLARED_TARGETING.filter((name) => offered.has(name)).map((name) => [name, true] as const);
  return { ...Object.fromEntries(declared), age_restriction: ageRestriction(products) };
}

/** Returns how restrictions of age can be kept at some product; undefined where they cannot. */
function ageRestriction(products: readonly Product[]): Readonly<Record<string, unknown>> | undefined {
  const ages = products.flatMap(({ inventory }) => inventory.ages ?? []);
  if (ages.length === 0) return undefined;
  const methods = [...new Set(ages.flatMap(verificationMethods))];
  return { supported: true, verification_methods: methods.length === 0 ? undefined : methods };
}

/** Signals that not everybody may see are not told of here either. */
function openSignals({ tenant }: Seller): readonly Signal[] {
  return tenant.signals.filter((signal) => isOpenTo(signal, undefined));
}

function signalsBlock(seller: Seller, release: Release): Readonly<Record<string, unknown>> {
  const domains = new Set(openSignals(seller).flatMap((signal) => signal.data_provider_domain ?? []));
  const block = {
    data_provider_domains: domains.size === 0 ? undefined : [...domains].sort(),
    features: { catalog_signals: domains.size > 0 },
    discovery_modes: ['brief', 'wholesale'],
  };
  return projectMembers('capabilities.signals', block, release);
}

function governanceBlock(): Readonly<Record<string, unknown>> {
  return { creative_features: FEATURES.map(({ measure: _measure, unit: _unit, ...feature }) => feature) };
}

/** Returns the ways a seller sells, by its catalog; every one makes proposals of briefs and takes audiences. */
function salesSpecialisms({ tenant }: Seller): readonly string[] {
  const types = new Set(tenant.products.map((product) => product.delivery_type));
  return [
    ...(types.has('guaranteed') ? ['sales-guaranteed'] : []),
    ...(types.has('non_guaranteed') ? ['sales-non-guaranteed'] : []),
    'sales-proposal-mode',
    'audience-sync',
  ];
}

function signalSpecialisms(seller: Seller): readonly string[] {
  const types = new Set(openSignals(seller).map((signal) => signal.signal_type));
  return [...(types.has('marketplace') ? ['signal-marketplace'] : []), ...(types.has('owned') ? ['signal-owned'] : [])];
}

/** Returns what is not accepted, as the file has it in words and in topics; undefined where it says nothing. */
function describePolicies({ portfolio }: Tenant): string | undefined {
  const texts = [describePolicy(portfolio), portfolio.advertising_policies ?? ''].filter((text) => text !== '');
  return texts.length === 0 ? undefined : texts.join(' ');
}
