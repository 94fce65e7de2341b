import { formatOwnerUrl } from '../../../creative/formats/format-id.js';
import { findNearest, quoteNames } from '../../../platform/kernel/nearest.js';
import { MEDIA_CHANNELS } from '../../../protocol/media-channel.js';
import { hasClicks } from '../../domain/delivery/billing.js';
import { findLack, METRIC_NAMES, type ReportedMetric } from '../../domain/delivery/reported-metrics.js';
import { GOAL_REPORTS } from '../../domain/optimization/reports.js';
import type { Inventory, PricingModel } from '../../domain/product/product.js';
import {
  type Draft,
  draftAt,
  draftsAt,
  isDraft,
  type Located,
  type Report,
  type Rule,
  type RuleOptions,
  reportDuplicates,
  stringsAt,
  textAt,
} from '../draft.js';
import type { JsonPath } from '../json-file.js';

/** The checks over several fields that concern products and their prices. */
export const PRODUCT_RULES: readonly Rule[] = [
  productsAreDistinct,
  checkFormats,
  publishersAreListed,
  selectorsReachProperties,
  pricesAreSound,
  metricsAreHeld,
  goalsCanBeMet,
  goalsAreReported,
  checkRegions,
  checkSignals,
];

type ModelRow = {
  readonly maxBid: boolean;
  readonly fixedOnly: boolean;
  /** Parameters without which the price means nothing. */
  readonly required: readonly string[];
  readonly parameters: readonly string[];
};

const DOOH = [
  'type',
  'sov_percentage',
  'loop_duration_seconds',
  'min_plays_per_hour',
  'venue_package',
  'duration_hours',
  'daypart',
] as const;
const TIME = ['time_unit', 'min_duration', 'max_duration'] as const;
const POINTS = ['demographic', 'demographic_system', 'min_points'] as const;
const BIDDABLE: ModelRow = { maxBid: true, fixedOnly: false, required: [], parameters: [] };

/** The parameters that each pricing model requires and forbids. A flat rate that nobody can name is no offer, so it is fixed. */
const MODELS: Readonly<Record<PricingModel, ModelRow>> = {
  cpm: BIDDABLE,
  vcpm: BIDDABLE,
  cpc: BIDDABLE,
  cpcv: BIDDABLE,
  cpv: { ...BIDDABLE, required: ['view_threshold'], parameters: ['view_threshold'] },
  cpp: { maxBid: false, fixedOnly: false, required: ['demographic'], parameters: POINTS },
  cpa: { maxBid: false, fixedOnly: true, required: [], parameters: [] },
  flat_rate: { maxBid: false, fixedOnly: true, required: [], parameters: DOOH },
  time: { maxBid: false, fixedOnly: false, required: ['time_unit'], parameters: TIME },
};

function productsAreDistinct(draft: Draft, report: Report): void {
  const products = draftsAt(draft, 'products');
  reportDuplicates(products, 'product_id', report);
  for (const { path, draft: product } of products) {
    reportDuplicates(draftsAt(product, 'pricing_options', path), 'pricing_option_id', report);
    reportDuplicates(draftsAt(product, 'placements', path), 'placement_id', report);
    reportDuplicates(draftsAt(product, 'allowed_actions', path), 'action', report);
    const reporting = draftAt(product, 'reporting_capabilities');
    const windows = draftsAt(reporting, 'measurement_windows', [...path, 'reporting_capabilities']);
    reportDuplicates(windows, 'window_id', report);
  }
}

function checkFormats(draft: Draft, report: Report, { formatIds, baseUrl }: RuleOptions): void {
  const products = draftsAt(draft, 'products');
  const placements = products.flatMap(({ path, draft: product }) => draftsAt(product, 'placements', path));
  for (const { path, draft: owner } of [...products, ...placements]) {
    for (const { at, id } of houseFormats(owner, baseUrl)) {
      if (formatIds.has(id)) continue;
      const meant = findNearest(id, formatIds);
      const offer =
        meant === undefined
          ? 'Use an id that list_creative_formats shows'
          : `Did you mean "${meant}"? Use a house format`;
      report(
        [...path, 'format_ids', ...at],
        `"${id}" is not a house format`,
        `${offer}, {"agent_url", "id"} of the agent that owns it, or a format of your own in a folder "templates" beside the tenants.`,
      );
    }
  }
}

function houseFormats(owner: Draft, baseUrl: string): readonly { readonly at: JsonPath; readonly id: string }[] {
  const plain = stringsAt(owner, 'format_ids').map(({ index, value }) => ({ at: [index], id: value }));
  const referred = draftsAt(owner, 'format_ids').flatMap(({ path, draft: { agent_url, id } }) =>
    agent_url === formatOwnerUrl(baseUrl) && typeof id === 'string' ? [{ at: [...path.slice(1), 'id'], id }] : [],
  );
  return [...plain, ...referred];
}

function publishersAreListed(draft: Draft, report: Report): void {
  const domains = stringsAt(draft, 'publisher_domains').map(({ value }) => value);
  for (const product of draftsAt(draft, 'products')) {
    for (const { path, draft: selector } of draftsAt(product.draft, 'publisher_properties', product.path)) {
      const domain = textAt(selector, 'publisher_domain');
      if (domain === undefined || domains.includes(domain)) continue;
      report(
        [...path, 'publisher_domain'],
        `"${domain}" is not in publisher_domains`,
        `Add "${domain}" to publisher_domains, or use one of: ${quoteNames(domains)}.`,
      );
    }
  }
}

/** Selectors by id or tag, and the publisher's properties that they are compared with. */
const SELECTED = {
  by_id: ['property_ids', 'id'],
  by_tag: ['property_tags', 'tag'],
} as const;

/** Reports what a product selects of a listed publisher that has no such thing: it could never be authorized. */
function selectorsReachProperties(draft: Draft, report: Report, { publishers = [] }: RuleOptions): void {
  for (const product of draftsAt(draft, 'products')) {
    for (const { path, draft: selector } of draftsAt(product.draft, 'publisher_properties', product.path)) {
      const { properties } = publishers.find(({ domain }) => domain === selector.publisher_domain) ?? {};
      const how = selector.selection_type;
      if (properties === undefined || (how !== 'by_id' && how !== 'by_tag')) continue;
      const [member, noun] = SELECTED[how];
      const named = properties.flatMap(({ property_id, tags }) =>
        how === 'by_id' ? (property_id ?? []) : (tags ?? []),
      );
      const values = [...new Set(named)];
      for (const { index, value } of stringsAt(selector, member)) {
        if (values.includes(value)) continue;
        const meant = findNearest(value, values);
        const offer = meant === undefined ? `Use one of: ${quoteNames(values)}` : `Did you mean "${meant}"? Use that`;
        report(
          [...path, member, index],
          `no property of ${selector.publisher_domain} has the ${noun} "${value}"`,
          `${offer}, or add the property to publishers.json.`,
        );
      }
    }
  }
}

/** A product of a draft as far as its numbers go. */
type Measured = Parameters<typeof findLack>[1] & { readonly inventory: Partial<Inventory> };

function measuredOf(product: Draft): Measured {
  return {
    channels: stringsAt(product, 'channels').flatMap(({ value }) =>
      MEDIA_CHANNELS.filter((channel) => channel === value),
    ),
    inventory: draftAt(product, 'inventory') as Partial<Inventory>,
    pricing_options: draftsAt(product, 'pricing_options').map(({ draft: { pricing_model } }) => ({
      pricing_model: pricing_model as PricingModel,
    })),
  };
}

/** Reports metrics that no report of the product could hold. */
function metricsAreHeld(draft: Draft, report: Report): void {
  for (const { path, draft: product } of draftsAt(draft, 'products')) {
    const measured = measuredOf(product);
    for (const { index, value } of stringsAt(draftAt(product, 'reporting_capabilities'), 'available_metrics')) {
      const lack = METRIC_NAMES.includes(value as ReportedMetric)
        ? findLack(value as ReportedMetric, measured)
        : undefined;
      if (lack === undefined) continue;
      report(
        [...path, 'reporting_capabilities', 'available_metrics', index],
        `no report of this product would hold ${value}`,
        `Remove "${value}", or give the product ${lack}.`,
      );
    }
  }
}

/** What each metric of a goal needs of a product; undefined where it has that. */
const GOAL_NEEDS: Readonly<Record<string, (product: Measured) => string | undefined>> = {
  clicks: ({ channels, inventory: { click_rate } }) =>
    (click_rate ?? Number(hasClicks(channels))) > 0 ? undefined : 'a click_rate above zero',
  views: ({ inventory: { viewable_rate } }) => (viewable_rate === undefined ? 'a viewable_rate' : undefined),
  completed_views: (product) => findLack('completed_views', product),
};

/** Reports goals that no report of their product shows. */
function goalsAreReported(draft: Draft, report: Report): void {
  for (const { path, draft: product } of draftsAt(draft, 'products')) {
    const held = stringsAt(draftAt(product, 'reporting_capabilities'), 'available_metrics').map(({ value }) => value);
    const lacks = (metric: ReportedMetric | undefined, at: JsonPath) => {
      if (metric === undefined || held.includes(metric) || (held.length === 0 && metric === 'clicks')) return;
      const fix = `Add "${metric}" to reporting_capabilities.available_metrics, or remove it.`;
      report([...path, ...at], `no report of the product shows ${metric}`, fix);
    };
    for (const [name, member] of [
      ['metric_optimization', 'supported_metrics'],
      ['conversion_tracking', 'supported_targets'],
    ] as const)
      for (const { index, value } of stringsAt(draftAt(product, name), member))
        lacks(GOAL_REPORTS[value], [name, member, index]);
    if (isDraft(product.conversion_tracking)) lacks('conversions', ['conversion_tracking']);
  }
}

/** Reports goals that the numbers of a product leave nothing to work with. */
function goalsCanBeMet(draft: Draft, report: Report): void {
  for (const { path, draft: product } of draftsAt(draft, 'products')) {
    const measured = measuredOf(product);
    const { conversion_rate, conversion_value } = measured.inventory;
    for (const { index, value } of stringsAt(draftAt(product, 'metric_optimization'), 'supported_metrics')) {
      const lack = GOAL_NEEDS[value]?.(measured);
      if (lack === undefined) continue;
      const at = [...path, 'metric_optimization', 'supported_metrics', index];
      report(at, `the product cannot be steered toward ${value}`, `Remove "${value}", or give the product ${lack}.`);
    }
    const at = [...path, 'conversion_tracking'];
    if (isDraft(product.conversion_tracking) && !(Number(conversion_rate) > 0))
      report(at, 'nothing says how many convert', 'Add inventory.conversion_rate, or remove "conversion_tracking".');
    for (const { index, value } of stringsAt(draftAt(product, 'conversion_tracking'), 'supported_targets')) {
      if (value === 'cost_per' || Number(conversion_value) > 0) continue;
      const fix = `Add inventory.conversion_value, or remove "${value}".`;
      report([...at, 'supported_targets', index], 'nothing says what a conversion is worth', fix);
    }
  }
}

/** Reports rows by region of a product whose file does not say what each region has. */
function checkRegions(draft: Draft, report: Report): void {
  for (const { path, draft: product } of draftsAt(draft, 'products')) {
    const { region } = draftAt(draftAt(product, 'reporting_capabilities'), 'supports_geo_breakdown');
    const regions = draftAt(draftAt(product, 'inventory'), 'targeting').geo_regions;
    if (region !== true || isDraft(regions)) continue;
    report(
      [...path, 'reporting_capabilities', 'supports_geo_breakdown', 'region'],
      'nothing says what part of the supply each region has',
      'Add inventory.targeting.geo_regions with the part of each region, or remove "region".',
    );
  }
}

/** Reports signals of which it is not said what they are true of. */
function checkSignals(draft: Draft, report: Report): void {
  for (const { path, draft: product } of draftsAt(draft, 'products')) {
    const options = draftsAt(draftAt(draftAt(product, 'inventory'), 'signals'), 'options', [
      ...path,
      'inventory',
      'signals',
    ]);
    reportDuplicates(options, 'signal_id', report);
    for (const { path: at, draft: signal } of options) {
      const { value_type: type = 'binary', share } = signal;
      const categories = stringsAt(signal, 'categories').map(({ value }) => value);
      if ((type === 'categorical') !== categories.length > 0)
        report(
          [...at, 'categories'],
          'categorical signals have categories, and no others',
          'Set "value_type": "categorical" with "categories", or neither.',
        );
      if ((type === 'numeric') !== isDraft(signal.range))
        report(
          [...at, 'range'],
          'numeric signals have a range, and no others',
          'Set "value_type": "numeric" with "range", or neither.',
        );
      if ((type === 'categorical') !== isDraft(share))
        report(
          [...at, 'share'],
          'a categorical signal has its parts by category, another one a number',
          'Give "share" as {"category": 0.2} for a categorical signal, and as a number for others.',
        );
      const stray = isDraft(share) ? Object.keys(share).find((name) => !categories.includes(name)) : undefined;
      if (stray !== undefined)
        report(
          [...at, 'share', stray],
          `"${stray}" is none of the categories`,
          'Add it to "categories", or remove its share.',
        );
    }
  }
}

function pricesAreSound(draft: Draft, report: Report): void {
  for (const { path, draft: product } of draftsAt(draft, 'products')) {
    for (const option of draftsAt(product, 'pricing_options', path)) {
      const model = option.draft.pricing_model;
      priceIsSound(option, report);
      if (typeof model === 'string' && Object.hasOwn(MODELS, model))
        modelIsSound(option, model as PricingModel, report);
    }
  }
}

function priceIsSound({ path, draft: option }: Located, report: Report): void {
  if (option.fixed_price !== undefined && option.floor_price !== undefined) {
    report(
      [...path, 'floor_price'],
      'a price is either fixed or an auction with a floor',
      'Remove "floor_price" for a fixed price, or "fixed_price" for an auction.',
    );
  }
  const guidance = draftAt(option, 'price_guidance');
  const steps = ['p25', 'p50', 'p75', 'p90'].map((name) => guidance[name]).filter((value) => typeof value === 'number');
  if (steps.some((value, index) => value < (steps[index - 1] ?? 0))) {
    report([...path, 'price_guidance'], 'the percentiles do not rise', 'Order them so that p25 <= p50 <= p75 <= p90.');
  }
}

function modelIsSound({ path, draft: option }: Located, model: PricingModel, report: Report): void {
  const row = MODELS[model];
  const given = draftAt(option, 'parameters');
  if (option.max_bid === true && !row.maxBid) {
    report([...path, 'max_bid'], `max_bid has no meaning for ${model}`, 'Remove "max_bid".');
  }
  if (row.fixedOnly && option.fixed_price === undefined) {
    report(
      [...path, 'fixed_price'],
      `${model} needs a fixed price`,
      'Add "fixed_price", in the currency of the option.',
    );
  }
  if (model === 'cpa') paidEventIsSound(path, option, report);
  for (const name of row.required) {
    if (given[name] !== undefined) continue;
    report([...path, 'parameters', name], `${model} needs parameters.${name}`, `Add "parameters": {"${name}": …}.`);
  }
  for (const name of Object.keys(given)) {
    if (row.parameters.includes(name) || name.startsWith('$') || !isParameter(name)) continue;
    report([...path, 'parameters', name], `parameters.${name} has no meaning for ${model}`, `Remove "${name}".`);
  }
  if (model === 'flat_rate' && isDraft(option.parameters) && given.type === undefined) {
    report(
      [...path, 'parameters', 'type'],
      'flat_rate has parameters for dooh only',
      'Add "type": "dooh", or remove "parameters".',
    );
  }
  if (Number(given.min_duration) > Number(given.max_duration)) {
    report(
      [...path, 'parameters', 'max_duration'],
      'max_duration is below min_duration',
      'Raise max_duration or lower min_duration.',
    );
  }
}

function paidEventIsSound(path: JsonPath, option: Draft, report: Report): void {
  if (option.event_type === undefined) {
    report(
      [...path, 'event_type'],
      'cpa needs an event_type',
      'Add "event_type", the event that is paid for, such as "purchase".',
    );
  }
  if (option.fixed_price === 0) {
    report([...path, 'fixed_price'], 'cpa needs a price above zero', 'Set "fixed_price" to what one event costs.');
  }
  if (option.price_guidance !== undefined) {
    report([...path, 'price_guidance'], 'price_guidance has no meaning for cpa', 'Remove "price_guidance".');
  }
}

/** Whether some model has a parameter of this name; any other name is the schema's to report. */
function isParameter(name: string): boolean {
  return Object.values(MODELS).some((row) => row.parameters.includes(name));
}
