import type { CanonicalKind } from '../../creative/formats/canonical/kind.js';
import { matchOptions } from '../../creative/formats/canonical/select.js';
import { houseFormats } from '../../creative/formats/catalog/catalog.js';
import type { Format, FormatId, FormatType } from '../../creative/formats/format.js';
import { parseFormatId, resolveFormatId } from '../../creative/formats/format-id.js';
import { TaskError } from '../../protocol/errors.js';
import { MEDIA_CHANNELS } from '../../protocol/media-channel.js';
import { completeMetrics, type SteeredMetric } from '../domain/optimization/goal.js';
import { reportsOfGoals } from '../domain/optimization/reports.js';
import type { Inventory, PricingModel, PricingOption, Product, PropertySelector } from '../domain/product/product.js';

import type { Signal, SignalPrice } from '../domain/signal/signal.js';
import type { SelectableSignal, SignalOffer } from '../domain/targeting/signals.js';
import type { Seller } from '../domain/tenant/seller.js';

/** A reference to a format as fixtures write it: whose it is may be left out. */
export type FixtureFormat = { readonly id: string } & Partial<FormatId>;

/** A product as a sandbox principal seeds it: whatever is left out is filled in. */
export type ProductFixture = Partial<
  Pick<
    Product,
    | 'name'
    | 'description'
    | 'delivery_type'
    | 'exclusivity'
    | 'expires_at'
    | 'delivery_measurement'
    | 'allowed_actions'
    | 'creative_policy'
    | 'metric_optimization'
    | 'conversion_tracking'
    | 'max_optimization_goals'
  >
> & {
  readonly format_options?: readonly FixtureOption[];
  readonly reporting_capabilities?: Partial<Product['reporting_capabilities']>;
  readonly channels?: readonly string[];
  readonly format_ids?: readonly FixtureFormat[];
  readonly pricing_options?: readonly (PriceFixture & { readonly pricing_option_id: string })[];
  readonly publisher_properties?: readonly PropertySelector[];
  readonly countries?: readonly string[];
  readonly placements?: readonly PlacementFixture[];
  readonly signal_targeting_allowed?: boolean;
  readonly signal_targeting_options?: readonly SignalOption[];
  readonly signal_targeting_rules?: SignalOffer['rules'];
};

/** A placement of a seeded product; its name is its id unless it says another. */
type PlacementFixture = {
  readonly placement_id: string;
  readonly name?: string;
  readonly format_ids?: readonly FixtureFormat[];
};

/** A signal of a seeded product by its members on the wire, which tell nothing of how many people it is true of. */
type SignalOption = Partial<Omit<SelectableSignal, 'signal_id' | 'data_provider_domain' | 'share'>> &
  Pick<SelectableSignal, 'value_type' | 'allowed_targeting_modes'> & {
    readonly signal_ref: Pick<SelectableSignal, 'signal_id' | 'data_provider_domain'>;
  };

/** An option of a product as fixtures write it: the formats that it is, or their kind and parameters. */
type FixtureOption = {
  readonly format_kind: CanonicalKind;
  readonly params: Readonly<Record<string, unknown>>;
  readonly v1_format_ref?: readonly FixtureFormat[];
};

/** A price as a sandbox principal seeds it. */
export type PriceFixture = Partial<Omit<PricingOption, 'pricing_option_id'>>;

/** A creative format as a sandbox principal seeds it. */
export type FormatFixture = Partial<Pick<Format, 'name' | 'description' | 'type' | 'renders' | 'assets'>>;

/** The price of a fixture that brings none, in its currency, per unit of its model. */
const USUAL_PRICE = 10;
/** The impressions that a day of a fixture can deliver. */
const USUAL_SUPPLY = 1_000_000;

/** The part of a fixture's supply that a signal of it is true of. */
const USUAL_SHARE = 0.2;

/** A signal as a sandbox principal seeds it, by its wire names. */
export type SignalFixture = Partial<Omit<Signal, 'signal_agent_segment_id' | 'signal_id' | 'access'>>;

/** Words for channels that fixtures use and the protocol does not. */
const CHANNEL_WORDS: Readonly<Record<string, Product['channels'][number]>> = {
  video: 'olv',
  audio: 'streaming_audio',
  native: 'display',
};

/** Models that always have a fixed price here. */
const FIXED_ONLY: ReadonlySet<PricingModel> = new Set(['cpa', 'flat_rate']);

/** The parameters without which a price of a model means nothing. */
const PARAMETERS: Partial<Record<PricingModel, Readonly<Record<string, unknown>>>> = {
  cpv: { view_threshold: 0.5 },
  cpp: { demographic: 'A18+' },
  time: { time_unit: 'day' },
};

/** Returns a price that a buyer can be charged, of what a fixture says. Without any price it is a fixed one. */
export function completePrice(pricing_option_id: string, fixture: PriceFixture): PricingOption {
  const { pricing_model = 'cpm', currency = 'USD', floor_price, ...rest } = fixture;
  const parameters = fixture.parameters ?? PARAMETERS[pricing_model];
  const isAuction = floor_price !== undefined && rest.fixed_price === undefined && !FIXED_ONLY.has(pricing_model);
  return {
    ...rest,
    pricing_option_id,
    pricing_model,
    currency,
    ...(isAuction ? { floor_price } : { fixed_price: rest.fixed_price ?? floor_price ?? USUAL_PRICE }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(pricing_model === 'cpa' ? { event_type: fixture.event_type ?? 'purchase' } : {}),
  };
}

/** Returns a product that can be offered and bought, of what a fixture says. `seeded` are the prices that came by themselves. */
export function completeProduct(
  product_id: string,
  fixture: ProductFixture,
  seeded: readonly PricingOption[],
  seller: Seller,
): Product {
  const { tenant } = seller;
  const { channels = [], pricing_options, publisher_properties, countries, ...others } = fixture;
  const { format_ids: named_ids = [], format_options = [], reporting_capabilities, placements, ...more } = others;
  const { signal_targeting_allowed, signal_targeting_options: options, signal_targeting_rules, ...rest } = more;
  const format_ids = [...named_ids, ...format_options.flatMap((option, index) => formatsMeant(option, index, seller))];
  const all = readChannels(channels);
  const reach_unit = rest.metric_optimization?.supported_reach_units?.[0];
  const own = (pricing_options ?? []).map(({ pricing_option_id, ...price }) => completePrice(pricing_option_id, price));
  const prices = withPrices(own, seeded);
  return {
    ...rest,
    product_id,
    name: rest.name ?? product_id,
    description: rest.description ?? `Fixture ${product_id} of a sandbox.`,
    publisher_properties: publisher_properties ?? [
      { publisher_domain: tenant.publisherDomains[0] ?? 'publisher.example', selection_type: 'all' },
    ],
    channels: all,
    format_ids: withTwins(
      format_ids.length === 0 ? [usualFormat(seller)] : format_ids.map((ref) => completeRef(ref, seller)),
      seller,
    ),
    delivery_type: rest.delivery_type ?? 'non_guaranteed',
    pricing_options: prices.length === 0 ? [completePrice('default', {})] : prices,
    metric_optimization: completeMetrics(rest.metric_optimization, { reach_unit }, all),
    ...(placements !== undefined && { placements: placements.map((one) => completePlacement(one, seller)) }),
    reporting_capabilities: withReports({ ...usualReporting(seller), ...reporting_capabilities }, reportsOfGoals(rest)),
    inventory: {
      countries: countries ?? usualCountries(seller),
      keywords: [],
      daily_impressions: USUAL_SUPPLY,
      reach_unit,
      signals: signal_targeting_allowed === false ? undefined : completeOffer(options ?? [], signal_targeting_rules),
      ...goalNumbers(fixture),
    },
  };
}

/** Returns the channels that a fixture names in its words or in ours; display where it names none. */
function readChannels(words: readonly string[]): Product['channels'] {
  const named = words
    .map((word) => CHANNEL_WORDS[word] ?? MEDIA_CHANNELS.find((channel) => channel === word))
    .filter((channel) => channel !== undefined);
  return named.length === 0 ? ['display'] : [...new Set(named)];
}

function completePlacement({ format_ids, ...placement }: PlacementFixture, seller: Seller): PlacementFixture {
  const named = { name: placement.placement_id, ...placement };
  if (format_ids === undefined) return named;
  return { ...named, format_ids: format_ids.map((ref) => completeRef(ref, seller, 'params.fixture.placements')) };
}

/** Returns the signals that packages of a seeded product can be targeted by; undefined where it has none. */
function completeOffer(options: readonly SignalOption[], rules: SignalOffer['rules']): SignalOffer | undefined {
  if (options.length === 0) return undefined;
  return { options: options.map(completeOption), ...(rules !== undefined && { rules }) };
}

function completeOption({ signal_ref, ...option }: SignalOption): SelectableSignal {
  const { signal_id, data_provider_domain } = signal_ref;
  const categories = option.categories ?? [];
  const share = categories.length === 0 ? USUAL_SHARE : evenShares(categories);
  const owner = data_provider_domain === undefined ? {} : { data_provider_domain };
  return { name: signal_id, ...option, signal_id, ...owner, share };
}

function evenShares(categories: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(categories.map((category) => [category, 1 / categories.length]));
}

function withReports(reporting: Product['reporting_capabilities'], more: readonly string[]): typeof reporting {
  return { ...reporting, available_metrics: [...new Set([...reporting.available_metrics, ...more])] };
}

/** Returns what goals need of a product's numbers, where a fixture brings goals: no fixture says how many convert. */
function goalNumbers({ metric_optimization: metrics, conversion_tracking }: ProductFixture): Partial<Inventory> {
  const needs = (metric: SteeredMetric) => metrics?.supported_metrics.includes(metric) === true;
  const hasConversions = conversion_tracking !== undefined;
  return {
    viewable_rate: needs('views') ? 0.6 : undefined,
    completion_rate: needs('completed_views') ? 0.7 : undefined,
    conversion_rate: hasConversions ? 0.001 : undefined,
    conversion_value: hasConversions ? 50 : undefined,
  };
}

/** Prices with further ones; one of the same id takes the other's place. */
export function withPrices(prices: readonly PricingOption[], more: readonly PricingOption[]): readonly PricingOption[] {
  const replaced = new Set(more.map((price) => price.pricing_option_id));
  return [...prices.filter((price) => !replaced.has(price.pricing_option_id)), ...more];
}

/** Returns a format reference with its owner: the house, unless the fixture names another. Throws INVALID_FORMAT_ID. */
export function completeRef(ref: FixtureFormat, seller: Seller, field = 'format_ids'): FormatId {
  const named = parseFormatId({ agent_url: seller.formatOwner, ...ref }, field);
  return resolveFormatId(named, seller.formatOwner, seller.formatIds);
}

/** Returns a format that can be published, of what a fixture says. */
export function completeFormat(id: string, fixture: FormatFixture, seller: Seller): Format {
  const type: FormatType = fixture.type ?? 'display';
  const assets = fixture.assets ?? [];
  const { name = id, description = `Fixture ${id} of a sandbox.` } = fixture;
  return {
    format_id: { agent_url: seller.formatOwner, id },
    name,
    description,
    type,
    renders: fixture.renders ?? [{ role: 'primary', dimensions: { width: 300, height: 250 } }],
    assets,
    assets_required: assets.filter((slot) => slot.required),
    supported_macros: [],
  };
}

/** The usual price of a segment, for whoever seeds one without any. */
const USUAL_SIGNAL_PRICE: SignalPrice = { pricing_option_id: 'default', model: 'cpm', cpm: 1, currency: 'USD' };

/** Returns a segment that can be found and activated, of what a fixture says. A marketplace's belongs to a provider. */
export function completeSignal(signal_agent_segment_id: string, fixture: SignalFixture, { tenant }: Seller): Signal {
  const { signal_type = 'owned', data_provider, data_provider_domain } = fixture;
  const provider = signal_type === 'marketplace' ? 'data-provider.example' : undefined;
  return {
    ...fixture,
    signal_agent_segment_id,
    signal_id: signal_agent_segment_id,
    name: fixture.name ?? signal_agent_segment_id,
    description: fixture.description ?? `Fixture ${signal_agent_segment_id} of a sandbox.`,
    signal_type,
    data_provider: data_provider ?? tenant.name,
    data_provider_domain: data_provider_domain ?? provider,
    value_type: fixture.value_type ?? 'binary',
    coverage_percentage: fixture.coverage_percentage ?? 10,
    pricing_options: fixture.pricing_options ?? [USUAL_SIGNAL_PRICE],
    tags: fixture.tags ?? [],
    countries: fixture.countries ?? [],
    access: { activation_minutes: 0 },
  };
}

/** Returns the formats that products take and the seller does not offer yet: those of the house, and one made up for every other id. */
export function formatsFor(products: readonly Product[], seller: Seller): readonly Format[] {
  const offered = new Set(seller.formats.map((format) => format.format_id.id));
  const wanted = products.flatMap((product) => product.format_ids).filter((ref) => !offered.has(ref.id));
  const ours = wanted.filter((ref) => ref.agent_url === seller.formatOwner).map((ref) => ref.id);
  if (ours.length === 0) return [];
  const house = houseFormats(seller.formatOwner);
  return [...new Set(ours)].map(
    (id) => house.find((format) => format.format_id.id === id) ?? completeFormat(id, {}, seller),
  );
}

/** Formats with those of the house that are shown alike and made of the same: a fixture names one of a kind and means the kind. */
function withTwins(named: readonly FormatId[], { formatOwner }: Seller): readonly FormatId[] {
  const house = houseFormats(formatOwner);
  const meant = new Set(
    house
      .filter((format) => named.some((ref) => ref.agent_url === formatOwner && ref.id === format.format_id.id))
      .map(kindOf),
  );
  const twins = house.filter((format) => meant.has(kindOf(format))).map((format) => format.format_id);
  return [...named, ...twins.filter((twin) => named.every((ref) => ref.id !== twin.id))];
}

function kindOf({ type, renders, assets_required, accepts_parameters }: Format): string {
  const made = assets_required.map((slot) =>
    slot.item_type === 'individual' ? [slot.asset_type, slot.requirements?.max_duration_ms] : slot,
  );
  return JSON.stringify([type, renders, made, accepts_parameters]);
}

function usualReporting({ tenant }: Seller): Product['reporting_capabilities'] {
  return (
    tenant.products[0]?.reporting_capabilities ?? {
      available_reporting_frequencies: ['daily'],
      expected_delay_minutes: 60,
      timezone: 'UTC',
      supports_webhooks: true,
      available_metrics: ['impressions', 'spend', 'clicks', 'ctr'],
      date_range_support: 'date_range',
      windowed_pull_granularities: ['daily'],
    }
  );
}

/** Returns the formats that an option of a fixture is. Throws FORMAT_NOT_SUPPORTED where nothing of the house is of its kind and parameters. */
function formatsMeant(option: FixtureOption, index: number, seller: Seller): readonly FixtureFormat[] {
  if (option.v1_format_ref !== undefined) return option.v1_format_ref;
  const house = seller.formatOptions.list(houseFormats(seller.formatOwner).map(({ format_id }) => format_id));
  const field = `params.fixture.format_options[${index}]`;
  const meant = matchOptions(house, option, field);
  const { width, height, duration_ms_exact } = option.params;
  const asked = Object.entries({ width, height, duration_ms_exact }).filter(([, value]) => value !== undefined);
  const exact = meant.filter(({ declaration }) => asked.every(([name, value]) => declaration.params[name] === value));
  if (exact.length > 0) return exact.map(({ format }) => format.format_id);
  throw new TaskError('FORMAT_NOT_SUPPORTED', 'No format of the house is of this size or length.', {
    field: `${field}.params`,
    suggestion: 'Name formats in v1_format_ref, with the size or length of a template, or other params.',
  });
}

function usualFormat(seller: Seller): FormatId {
  return seller.tenant.products[0]?.format_ids[0] ?? { agent_url: seller.formatOwner, id: 'display_300x250_image' };
}

function usualCountries({ tenant }: Seller): readonly string[] {
  const { primary_countries: countries } = tenant.portfolio;
  return countries.length === 0 ? ['US'] : countries;
}
