import { z } from 'zod';
import { CANONICAL_KINDS } from '../../../creative/formats/canonical/kind.js';
import { HOST_NAME } from '../../../platform/net/url.js';
import { METRIC_NAMES } from '../../domain/delivery/reported-metrics.js';
import { ACTION_SOURCES } from '../../domain/event/event.js';
import { ALLOWABLE_ACTIONS, ALLOWED_MODES } from '../../domain/media-buy/allowed-actions.js';
import { MEDIA_BUY_STATUSES } from '../../domain/media-buy/media-buy.js';
import { REPORTING_FREQUENCIES } from '../../domain/media-buy/reporting.js';
import { EVENT_TARGETS, METRIC_TARGETS, STEERED_METRICS } from '../../domain/optimization/goal.js';
import { DELIVERY_TYPES, PRICING_MODELS } from '../../domain/product/product.js';
import { VALUE_TYPES } from '../../domain/signal/signal.js';
import { REACH_UNITS } from '../../domain/targeting/offer.js';
import { SELECTION_MODES, SIGNAL_MODES } from '../../domain/targeting/signals.js';
import { amount } from '../../tasks/pipeline/shapes.js';
import type { ProductFixture } from '../fixtures.js';

const id = z.string().min(1).max(255);
const text = z.string().min(1).max(2000);
const words = z.array(z.string().min(1).max(255)).max(100);
const domain = z.string().regex(HOST_NAME);

/** The name of a format. */
export const formatName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);

/** A format as fixtures name it: by its name alone, or with its owner. */
export const formatRef = z
  .union([
    formatName.transform((name) => ({ id: name })),
    z.looseObject({ id: formatName, agent_url: z.url().optional() }),
  ])
  .transform(({ id: name, ...rest }) => ({ ...rest, id: name }));

/** A price as a sandbox principal seeds it. */
export const priceFixture = z.object({
  pricing_model: z.enum(PRICING_MODELS).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  fixed_price: amount.optional(),
  floor_price: amount.optional(),
  max_bid: z.boolean().optional(),
  price_guidance: z
    .object({ p25: amount.optional(), p50: amount.optional(), p75: amount.optional(), p90: amount.optional() })
    .optional(),
  min_spend_per_package: amount.optional(),
  parameters: z.looseObject({}).optional(),
  event_type: z.string().max(64).optional(),
});

const creativePolicy = z.object({
  co_branding: z.enum(['required', 'optional', 'none']).default('none'),
  landing_page: z.enum(['any', 'retailer_site_only', 'must_include_retailer']).default('any'),
  templates_available: z.boolean().default(false),
  provenance_required: z.boolean().optional(),
  provenance_requirements: z
    .object({
      require_digital_source_type: z.boolean().optional(),
      require_disclosure_metadata: z.boolean().optional(),
      require_embedded_provenance: z.boolean().optional(),
    })
    .optional(),
  accepted_verifiers: z
    .array(
      z.object({
        agent_url: z.url({ protocol: /^https$/ }),
        feature_id: text.optional(),
        providers: words.min(1).optional(),
      }),
    )
    .min(1)
    .max(50)
    .optional(),
});

/** An option of a product is one of its formats: those that it names, else all of the house that are of its kind and parameters. */
const formatOption = z.object({
  format_kind: z.enum(CANONICAL_KINDS),
  params: z.looseObject({}).default({}),
  v1_format_ref: z.array(formatRef).min(1).max(100).optional(),
});

const vendorMetric = z.object({ vendor: z.object({ domain }), metric_id: z.string().regex(/^[a-z][a-z0-9_]*$/) });

const windows = z
  .array(
    z.object({
      window_id: z.string().min(1).max(50),
      description: z.string().max(500).optional(),
      duration_days: z.int().min(0),
      expected_availability_days: z.int().min(0).optional(),
      is_guarantee_basis: z.boolean().optional(),
    }),
  )
  .min(1)
  .max(20);

const frequencies = z.array(z.enum(REPORTING_FREQUENCIES)).min(1);

const reporting = z
  .strictObject({
    available_reporting_frequencies: frequencies,
    expected_delay_minutes: z.int().min(0),
    timezone: z.literal('UTC'),
    supports_webhooks: z.boolean(),
    available_metrics: z.array(z.enum(METRIC_NAMES)),
    supports_creative_breakdown: z.boolean(),
    supports_geo_breakdown: z.strictObject({ country: z.boolean() }).partial(),
    supports_device_type_breakdown: z.boolean(),
    supports_device_platform_breakdown: z.boolean(),
    supports_audience_breakdown: z.boolean(),
    supports_placement_breakdown: z.boolean(),
    vendor_metrics: z.array(vendorMetric).min(1).max(50),
    measurement_windows: windows,
    date_range_support: z.enum(['date_range', 'lifetime_only']),
    windowed_pull_granularities: frequencies,
  })
  .partial();

const placement = z.strictObject({
  placement_id: id,
  name: text.optional(),
  kind: z.enum(['seller_inline', 'publisher_ref']).default('seller_inline'),
  mode: z.enum(['targetable', 'included']).default('targetable'),
  publisher_domain: domain.optional(),
  description: text.optional(),
  tags: words.optional(),
  format_ids: z.array(formatRef).min(1).max(100).optional(),
});

const signalName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);

const signalOption = z
  .strictObject({
    signal_ref: z.discriminatedUnion('scope', [
      z.strictObject({ scope: z.literal('product'), signal_id: signalName }),
      z.strictObject({ scope: z.literal('data_provider'), data_provider_domain: domain, signal_id: signalName }),
    ]),
    name: text.optional(),
    description: text.optional(),
    value_type: z.enum(VALUE_TYPES).default('binary'),
    categories: words.min(1).optional(),
    range: z.strictObject({ min: z.number(), max: z.number() }).optional(),
    allowed_targeting_modes: z.array(z.enum(SIGNAL_MODES)).min(1).default(['include']),
    selection_group: text.optional(),
  })
  .refine(({ value_type, categories }) => (value_type === 'categorical') === (categories !== undefined), {
    path: ['categories'],
    message: 'categorical signals have categories, and no others',
  })
  .refine(({ value_type, range }) => (value_type === 'numeric') === (range !== undefined), {
    path: ['range'],
    message: 'numeric signals have a range, and no others',
  });

const count = z.int().min(1);

const signalRules = z
  .strictObject({
    selection_mode: z.enum(SELECTION_MODES),
    min_selected_signals: z.int().min(0),
    max_selected_signals: count,
    max_selected_per_group: count,
    max_signal_targeting_groups: count,
    max_signals_per_targeting_group: count,
  })
  .partial();

/** What a product has of signals, by its members on the wire. */
const SIGNALS = {
  signal_targeting_allowed: z.boolean().optional(),
  signal_targeting_options: z.array(signalOption).min(1).max(100).optional(),
  signal_targeting_rules: signalRules.optional(),
};

/** A product as a sandbox principal seeds it, by its members on the wire. */
export const productFixture = z.looseObject({
  name: text.optional(),
  description: text.optional(),
  delivery_type: z.enum(DELIVERY_TYPES).optional(),
  exclusivity: z.enum(['none', 'category', 'exclusive']).optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
  channels: words.optional(),
  format_ids: z.array(formatRef).max(100).optional(),
  pricing_options: z
    .array(priceFixture.extend({ pricing_option_id: id }))
    .max(100)
    .optional(),
  publisher_properties: z
    .array(
      z.discriminatedUnion('selection_type', [
        z.object({ selection_type: z.literal('all'), publisher_domain: domain }),
        z.object({
          selection_type: z.literal('by_id'),
          publisher_domain: domain,
          property_ids: words.min(1),
        }),
        z.object({
          selection_type: z.literal('by_tag'),
          publisher_domain: domain,
          property_tags: words.min(1),
        }),
      ]),
    )
    .min(1)
    .max(100)
    .optional(),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .max(250)
    .optional(),
  allowed_actions: z
    .array(
      z.object({
        action: z.enum(ALLOWABLE_ACTIONS),
        modes: z.array(z.enum(ALLOWED_MODES)).min(1).default(['self_serve']),
        allowed_statuses: z.array(z.enum(MEDIA_BUY_STATUSES)).min(1).optional(),
      }),
    )
    .min(1)
    .max(50)
    .optional(),
  creative_policy: creativePolicy.optional(),
  metric_optimization: z
    .object({
      supported_metrics: z.array(z.enum(STEERED_METRICS)).min(1),
      supported_targets: z.array(z.enum(METRIC_TARGETS)).min(1).optional(),
      supported_reach_units: z.array(z.enum(REACH_UNITS)).min(1).max(1).optional(),
    })
    .optional(),
  conversion_tracking: z
    .object({
      action_sources: z.array(z.enum(ACTION_SOURCES)).min(1).optional(),
      supported_targets: z.array(z.enum(EVENT_TARGETS)).min(1).optional(),
    })
    .optional(),
  max_optimization_goals: z.int().min(1).max(20).optional(),
  format_options: z.array(formatOption).min(1).max(100).optional(),
  reporting_capabilities: reporting.optional(),
  placements: z.array(placement).min(1).max(100).optional(),
  delivery_measurement: z.object({ provider: text, notes: text.optional() }).optional(),
  ...SIGNALS,
});

/** Members of every fixture, which say nothing of the product. */
const NO_TERMS: ReadonlySet<string> = new Set(['product_id', 'ext', 'context']);
/** So many members that no product here has are named. */
const MAX_NAMED = 20;

/** Returns what a product here has of a fixture, and the names of what it has not: the caller is told that it is left. */
export function divideFixture(fixture: z.output<typeof productFixture>): {
  readonly taken: ProductFixture;
  readonly left: readonly string[];
} {
  const names = Object.keys(fixture).filter(
    (name) => !Object.hasOwn(productFixture.shape, name) && !NO_TERMS.has(name),
  );
  return { taken: z.object(productFixture.shape).parse(fixture), left: names.slice(0, MAX_NAMED) };
}
