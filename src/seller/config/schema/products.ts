import { z } from 'zod';
import { MEDIA_CHANNELS } from '../../../protocol/media-channel.js';
import { METRIC_NAMES } from '../../domain/delivery/reported-metrics.js';
import { ACTION_SOURCES, EVENT_TYPES, UNPRICED_EVENTS } from '../../domain/event/event.js';
import { ALLOWABLE_ACTIONS, ALLOWED_MODES } from '../../domain/media-buy/allowed-actions.js';
import { MEDIA_BUY_STATUSES } from '../../domain/media-buy/media-buy.js';
import { REPORTING_FREQUENCIES } from '../../domain/media-buy/reporting.js';
import { EVENT_TARGETS, METRIC_TARGETS, STEERED_METRICS } from '../../domain/optimization/goal.js';
import { DELIVERY_TYPES, PRICING_MODELS } from '../../domain/product/product.js';
import { AGE_VERIFICATIONS } from '../../domain/targeting/ages.js';
import { REACH_UNITS, TARGETING_OFFERS } from '../../domain/targeting/offer.js';
import { SELECTION_MODES, SIGNAL_MODES } from '../../domain/targeting/signals.js';
import {
  amount,
  country,
  currency,
  distinct,
  domainName,
  identifier,
  object,
  share,
  signalValues,
  timezone,
} from './shapes.js';

/** Events that a cpa price may be paid for. */
const PRICED_EVENTS = EVENT_TYPES.filter((type) => !UNPRICED_EVENTS.has(type));

const pixels = z.int().min(1).max(100_000);

const formatId = z
  .union([
    identifier('Id of a format of the house catalog.'),
    object({
      agent_url: z.url({ protocol: /^https?$/ }).describe('URL of the agent that owns the format.'),
      id: identifier('Id of the format there.'),
      width: pixels.optional().describe('Width in pixels, for a template format.'),
      height: pixels.optional().describe('Height in pixels, for a template format.'),
      duration_ms: z.int().min(1).optional().describe('Duration in milliseconds, for a template format.'),
    }),
  ])
  .describe('A format: the id of a house format, or {agent_url, id} of a format that another agent owns.');

const properties = z
  .discriminatedUnion('selection_type', [
    object({
      publisher_domain: domainName('Whose properties; one of publisher_domains.'),
      selection_type: z.literal('all').describe('Every property of the publisher.'),
    }),
    object({
      publisher_domain: domainName('Whose properties; one of publisher_domains.'),
      selection_type: z.literal('by_id').describe('The properties listed in property_ids.'),
      property_ids: distinct(z.string().min(1), 1).describe("Property ids of the publisher's adagents.json."),
    }),
    object({
      publisher_domain: domainName('Whose properties; one of publisher_domains.'),
      selection_type: z.literal('by_tag').describe('The properties that carry one of property_tags.'),
      property_tags: distinct(z.string().min(1), 1).describe("Property tags of the publisher's adagents.json."),
    }),
  ])
  .describe('Which properties: selection_type "all", "by_id" or "by_tag".');

const priceGuidance = object({
  p25: amount('A quarter of the winning bids lie below this.').optional(),
  p50: amount('Half of the winning bids lie below this.').optional(),
  p75: amount('Three quarters of the winning bids lie below this.').optional(),
  p90: amount('Nine of ten winning bids lie below this.').optional(),
});

const viewThreshold = z.union([
  share('Share of the video that must play.'),
  object({ duration_seconds: z.int().min(1).describe('Seconds of the video that must play.') }),
]);

const parameters = object({
  view_threshold: viewThreshold
    .optional()
    .describe('cpv: what counts as a view, a share from 0 to 1 or {duration_seconds}.'),
  demographic: z.string().min(1).optional().describe('cpp: the audience that points are counted in, such as "A18-49".'),
  demographic_system: z
    .enum(['nielsen', 'barb', 'agf', 'oztam', 'mediametrie', 'custom'])
    .optional()
    .describe('cpp: who defines the demographic.'),
  min_points: z.number().min(0).optional().describe('cpp: fewest rating points of a package.'),
  time_unit: z.enum(['hour', 'day', 'week', 'month']).optional().describe('time: the unit that the price is paid for.'),
  min_duration: z.int().min(1).optional().describe('time: fewest units of a package.'),
  max_duration: z.int().min(1).optional().describe('time: most units of a package.'),
  type: z
    .literal('dooh')
    .optional()
    .describe('flat_rate: says that the other parameters describe digital out-of-home.'),
  sov_percentage: z.number().min(0).max(100).optional().describe('flat_rate, dooh: share of voice in percent.'),
  loop_duration_seconds: z.int().min(1).optional().describe('flat_rate, dooh: length of the loop.'),
  min_plays_per_hour: z.int().min(1).optional().describe('flat_rate, dooh: guaranteed plays an hour.'),
  venue_package: z.string().min(1).optional().describe('flat_rate, dooh: name of the set of screens.'),
  duration_hours: z.number().min(0).optional().describe('flat_rate, dooh: how long the slot runs.'),
  daypart: z.string().min(1).optional().describe('flat_rate, dooh: name of the time of day.'),
});

const pricingOption = object({
  pricing_option_id: identifier('Unique within the product.'),
  pricing_model: z
    .enum(PRICING_MODELS)
    .describe('What is paid for: cpm per 1000 impressions, flat_rate for the whole.'),
  currency,
  fixed_price: amount('The price per unit of the model. Leave it out for an auction.').optional(),
  floor_price: amount('Auction: the lowest bid that is accepted. Not together with fixed_price.').optional(),
  max_bid: z.boolean().optional().describe('Auction: true when a bid is a ceiling and not the price.'),
  price_guidance: priceGuidance.optional().describe('Auction: percentiles of past winning bids.'),
  min_spend_per_package: amount("Smallest budget of a package, in the option's currency.").optional(),
  parameters: parameters.optional().describe('What cpv, cpp, time and dooh flat_rate prices need besides a number.'),
  event_type: z.enum(PRICED_EVENTS).optional().describe('cpa: the event that is paid for.'),
});

const reporting = object({
  available_reporting_frequencies: distinct(z.enum(REPORTING_FREQUENCIES), 1)
    .default(['daily'])
    .describe('How often figures are cut.'),
  expected_delay_minutes: z.int().min(0).default(60).describe('Minutes until figures are complete.'),
  timezone: timezone.default('UTC'),
  supports_webhooks: z.boolean().default(false).describe('Whether reports are pushed to the buyer.'),
  available_metrics: distinct(z.enum(METRIC_NAMES))
    .default(['impressions', 'spend', 'clicks', 'ctr'])
    .describe('What is reported: a report holds these, spend and impressions, and what the price bills.'),
  supports_creative_breakdown: z.boolean().optional().describe('Reports tell the creatives of a package apart.'),
  supports_geo_breakdown: object({
    country: z.boolean().optional().describe('Rows by country.'),
    region: z.boolean().optional().describe('Rows by region; inventory.targeting.geo_regions gives their parts.'),
  })
    .optional()
    .describe('Reports can be asked for rows by place.'),
  supports_device_type_breakdown: z.boolean().optional().describe('Reports can be asked for rows by kind of device.'),
  supports_device_platform_breakdown: z.boolean().optional().describe('Reports can be asked for rows by platform.'),
  supports_audience_breakdown: z
    .boolean()
    .optional()
    .describe('Reports can be asked for rows by the audiences that a package targets, none where it targets none.'),
  supports_placement_breakdown: z.boolean().optional().describe('Reports can be asked for rows by placement.'),
  vendor_metrics: z
    .array(
      object({
        vendor: object({ domain: domainName('Whose metric it is.') }).describe('The vendor, by its brand.'),
        metric_id: z
          .string()
          .regex(/^[a-z][a-z0-9_]*$/)
          .describe('The metric in the words of the vendor.'),
      }),
    )
    .min(1)
    .optional()
    .describe('Metrics that a vendor reports for the product beside the seller; reports hold their figures.'),
  measurement_windows: z
    .array(
      object({
        window_id: z.string().min(1).max(50).describe('Name of the stage, such as "c3".'),
        description: z.string().min(1).max(500).optional().describe('What is measured by then.'),
        duration_days: z.int().min(0).describe('Days that are gathered.'),
        expected_availability_days: z.int().min(0).optional().describe('Days after delivery when it can be had.'),
        is_guarantee_basis: z.boolean().optional().describe('Whether it is what a guarantee is held against.'),
      }),
    )
    .min(1)
    .optional()
    .describe('Stages in which figures ripen; measurement terms may name these alone.'),
  date_range_support: z
    .enum(['date_range', 'lifetime_only'])
    .default('date_range')
    .describe('Whether a report can be asked for a range of dates.'),
  windowed_pull_granularities: distinct(z.enum(REPORTING_FREQUENCIES))
    .optional()
    .describe('Windows that figures can be asked in; those of available_reporting_frequencies unless set.'),
});

const allowedAction = object({
  action: z.enum(ALLOWABLE_ACTIONS).describe('What a buyer may do.'),
  modes: distinct(z.enum(ALLOWED_MODES), 1)
    .default(['self_serve'])
    .describe('Whether at once or under conditions; what a person decides is said by the approvals of the tenant.'),
  allowed_statuses: distinct(z.enum(MEDIA_BUY_STATUSES), 1)
    .optional()
    .describe('The states in which it may be done; all that have not ended unless set.'),
});

const verifier = object({
  agent_url: z.url({ protocol: /^https$/ }).describe('URL of the agent that verifies.'),
  feature_id: z.string().min(1).optional().describe('What the agent is asked for.'),
  providers: distinct(z.string().min(1), 1).optional().describe('The providers whose marks it verifies.'),
});

const creativePolicy = object({
  co_branding: z
    .enum(['required', 'optional', 'none'])
    .default('none')
    .describe('Whether creatives show the seller, too.'),
  landing_page: z
    .enum(['any', 'retailer_site_only', 'must_include_retailer'])
    .default('any')
    .describe('Where creatives may lead; people who review them look at it.'),
  templates_available: z.boolean().default(false).describe('Whether the seller has templates for creatives.'),
  provenance_required: z.boolean().optional().describe('Creatives without provenance are refused.'),
  provenance_requirements: object({
    require_digital_source_type: z.boolean().optional().describe('Provenance names its digital_source_type.'),
    require_disclosure_metadata: z.boolean().optional().describe('Provenance says whether a disclosure is required.'),
    require_embedded_provenance: z.boolean().optional().describe('Provenance has an embedded_provenance.'),
  })
    .optional()
    .describe('What provenance has to say, where it is required.'),
  accepted_verifiers: z
    .array(verifier)
    .min(1)
    .optional()
    .describe('The agents that a buyer may name as verifiers; any other is refused.'),
});

const placement = object({
  placement_id: identifier('Unique within the product.'),
  name: z.string().min(1).describe('Name that buyers see.'),
  kind: z.enum(['seller_inline', 'publisher_ref']).default('seller_inline').describe('Who defines the placement.'),
  mode: z.enum(['targetable', 'included']).default('targetable').describe('Whether a buyer may pick it.'),
  publisher_domain: domainName('Publisher whose placement it is.').optional(),
  description: z.string().optional().describe('Where the placement appears.'),
  tags: distinct(z.string().min(1)).optional().describe('Words that group placements.'),
  format_ids: z
    .array(formatId)
    .min(1)
    .optional()
    .describe('Formats of this placement, if fewer than the product takes.'),
});

const metricOptimization = object({
  supported_metrics: distinct(z.enum(STEERED_METRICS), 1).describe('The metrics that a package can be steered toward.'),
  supported_targets: distinct(z.enum(METRIC_TARGETS), 1)
    .optional()
    .describe('The targets that a goal can have; none unless set, so that goals ask for as much as the budget brings.'),
});

const conversionTracking = object({
  action_sources: distinct(z.enum(ACTION_SOURCES), 1).optional().describe('Where the conversions happen.'),
  supported_targets: distinct(z.enum(EVENT_TARGETS), 1)
    .optional()
    .describe('The targets that a goal can have: per_ad_spend and maximize_value need inventory.conversion_value.'),
});

const targeting = z.partialRecord(
  z.enum(TARGETING_OFFERS),
  z.union([z.literal(true), z.record(z.string().min(1), share('Part of the supply.'))]),
);

const signal = object({
  signal_id: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,128}$/)
    .describe('Unique within the product; buyers name it when they target.'),
  data_provider_domain: domainName('Whose adagents.json defines the signal; the product does unless set.').optional(),
  name: z.string().min(1).describe('Name that buyers see.'),
  description: z.string().min(1).optional().describe('Who or what it is.'),
  ...signalValues,
  allowed_targeting_modes: distinct(z.enum(SIGNAL_MODES), 1)
    .default(['include'])
    .describe('Whether packages may include by it, exclude by it, or both.'),
  selection_group: z.string().min(1).optional().describe('Signals of which a package chooses among each other.'),
  share: z
    .union([share('Part of the supply.'), z.record(z.string().min(1), share('Part of the supply.'))])
    .describe('Part of the supply that it is known of; of a categorical signal by category.'),
});

const count = z.int().min(1);

const signals = object({
  options: z.array(signal).min(1).max(500).describe('The signals; they are part of the price of the product.'),
  rules: object({
    selection_mode: z.enum(SELECTION_MODES).optional().describe('Whether packages have to choose some.'),
    min_selected_signals: z.int().min(0).optional().describe('Fewest signals of a package.'),
    max_selected_signals: count.optional().describe('Most signals of a package.'),
    max_selected_per_group: count.optional().describe('Most signals of one selection_group.'),
    max_signal_targeting_groups: count.optional().describe('Most groups of a package.'),
    max_signals_per_targeting_group: count.optional().describe('Most signals of a group.'),
  })
    .optional()
    .describe('How packages may put signals together.'),
});

const parts = z.record(z.string().regex(/^(?:1[3-9]|[2-9][0-9])$/), share('Part of the supply.'));

const ages = object({
  known: parts.describe(
    'Parts of the supply by the age that people are known to have at least ({"18": 0.8, "21": 0.7}).',
  ),
  verified: z
    .partialRecord(z.enum(AGE_VERIFICATIONS), parts)
    .optional()
    .describe('Parts of which the age is verified, by method.'),
});

const inventory = object({
  countries: distinct(country, 1).describe('Where the product is sold, ISO 3166-1 alpha-2.'),
  keywords: distinct(z.string().min(1)).default([]).describe('Words a brief may use beyond name and description.'),
  daily_impressions: z.int().min(1).max(1e12).describe('Sellable impressions (plays, for dooh) a day.'),
  unique_users: z
    .int()
    .min(1)
    .max(1e12)
    .optional()
    .describe('People, households or screens reached in a month; from daily_impressions unless set.'),
  reach_unit: z
    .enum(REACH_UNITS)
    .optional()
    .describe('What unique_users and reach count; households for television, individuals otherwise, unless set.'),
  targeting: targeting
    .optional()
    .describe(
      'What buyers can target: true, or the parts of the supply by value ({"US": 0.8, "CA": 0.2}). Anything else is refused; everything usual is offered unless set.',
    ),
  signals: signals.optional().describe('Signals that buyers can target by.'),
  ages: ages.optional().describe('What is known of ages; buyers cannot restrict by age unless set.'),
  click_rate: share('Clicks per impression.').optional(),
  completion_rate: share('Completions per start.').optional(),
  viewable_rate: share('Viewable part of the measured impressions.').optional(),
  conversion_rate: share('Conversions per impression; conversion_tracking needs it.').optional(),
  conversion_value: amount('What a conversion is worth on average, in the currency of the price.').optional(),
  vendor_metrics: z
    .array(
      object({
        domain: domainName('Whose metric it is.'),
        metric_id: z.string().min(1).describe('A metric of reporting_capabilities.vendor_metrics.'),
        value: z.number().describe('What the vendor finds on average.'),
        unit: z.string().min(1).max(50).optional().describe('The unit that the vendor publishes, such as "score".'),
        coverage: share('Part of the impressions that the vendor can measure; 0.8 unless set.').optional(),
      }),
    )
    .max(50)
    .optional()
    .describe('What simulated delivery has as figures of vendors; an index of 0 to 100 unless set.'),
  creative_requirement: z
    .enum(['required', 'none'])
    .optional()
    .describe('Whether a package needs a creative before it runs; overrides the policies.'),
  slot_hours: z
    .int()
    .min(1)
    .max(8784)
    .optional()
    .describe(
      'flat_rate: hours that one price buys; 24 is a calendar day. A longer flight costs that many prices. The whole flight unless set.',
    ),
});

/** A product of a tenant file. `inventory` and `adapter` stay with the seller; the rest goes on the wire. */
export const productSchema = object({
  product_id: identifier('Unique within the tenant; buyers name it when they buy.'),
  name: z.string().min(1).describe('Name that buyers see.'),
  description: z
    .string()
    .min(1)
    .describe('What the product is, in the words of a planner; briefs are matched against it.'),
  publisher_properties: z.array(properties).min(1).describe('Which properties the product runs on.'),
  channels: distinct(z.enum(MEDIA_CHANNELS), 1).describe('Channels of the product.'),
  format_ids: z.array(formatId).min(1).describe('Creative formats the product accepts; at least one.'),
  delivery_type: z
    .enum(DELIVERY_TYPES)
    .describe('"guaranteed" reserves inventory, "non_guaranteed" delivers what is there.'),
  pricing_options: z.array(pricingOption).min(1).describe('Prices the product can be bought at; at least one.'),
  reporting_capabilities: reporting.prefault({}).describe('What is reported and how late.'),
  exclusivity: z
    .enum(['none', 'category', 'exclusive'])
    .optional()
    .describe('Whether competitors share the inventory.'),
  placements: z.array(placement).min(1).optional().describe('Named places within the product.'),
  delivery_measurement: object({
    provider: z.string().min(1).describe('Who counts the delivery.'),
    notes: z.string().optional().describe('How it is counted.'),
  })
    .optional()
    .describe('Who measures the delivery.'),
  allowed_actions: z
    .array(allowedAction)
    .min(1)
    .optional()
    .describe('What buys of the product may do; each action once. All that is possible unless set.'),
  metric_optimization: metricOptimization.optional().describe('Metrics that optimization_goals may name.'),
  conversion_tracking: conversionTracking.optional().describe('That optimization_goals may be of events.'),
  max_optimization_goals: z.int().min(1).max(20).optional().describe('Most goals of a package.'),
  creative_policy: creativePolicy.optional().describe('What the creatives of the product have to keep to.'),
  expires_at: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('When the product stops being sold: ISO 8601 with zone, such as "2027-01-31T23:59:59Z".'),
  inventory: inventory.describe('What the seller knows about supply; never sent to buyers.'),
  adapter: z
    .record(z.string().min(1).max(100), z.unknown())
    .optional()
    .describe('Where the ad server has the product, as its adapter reads it; never sent to buyers.'),
  deal: object({
    dsps: z
      .array(domainName('Domain of a DSP.'))
      .min(1)
      .max(20)
      .describe('The DSPs that it is bought through, such as "dsp.example".'),
    at: z
      .union([z.literal(1), z.literal(2), z.literal(3)])
      .optional()
      .describe(
        'How auctions are settled, as in OpenRTB: 1 first price, 2 second price plus, 3 the agreed price. 3 for a fixed price and 1 for an auction unless set.',
      ),
  })
    .optional()
    .describe(
      'That packages are delivered as private deals: their ids come from the ad server or are entered by hand, and buyers find them in ext.seller_agent.deals.',
    ),
});

/** A product as its file gives it, defaults filled in. */
export type ProductFile = z.output<typeof productSchema>;
/** A format as a file names it: a house id, or a reference. */
export type FormatIdFile = z.output<typeof formatId>;
