import { z } from 'zod';
import { CANONICAL_KINDS } from '../../../creative/formats/canonical/kind.js';
import { FORMAT_TYPES, SLOT_ASSET_TYPES } from '../../../creative/formats/format.js';

import { HOST_NAME } from '../../../platform/net/url.js';
import { TaskError } from '../../../protocol/errors.js';
import {
  ACCOUNT_STATUSES,
  type Account,
  BILLING,
  FIXTURE_ACCOUNT,
  naturalKey,
  PAYMENT_TERMS,
} from '../../domain/account/account.js';
import { CREATIVE_STATUSES } from '../../domain/creative/creative.js';
import { ACTION_SOURCES } from '../../domain/event/event.js';
import { ALLOWABLE_ACTIONS, ALLOWED_MODES } from '../../domain/media-buy/allowed-actions.js';
import { MEDIA_BUY_STATUSES } from '../../domain/media-buy/media-buy.js';
import { EVENT_TARGETS, METRIC_TARGETS, STEERED_METRICS } from '../../domain/optimization/goal.js';
import { DELIVERY_TYPES, PRICING_MODELS } from '../../domain/product/product.js';
import { SIGNAL_ID } from '../../domain/signal/signal.js';
import { REACH_UNITS } from '../../domain/targeting/offer.js';
import type { SandboxItem, SandboxKind } from '../../store/sandboxes.js';
import { amount, brandRef } from '../../tasks/pipeline/shapes.js';
import { completeProduct } from '../fixtures.js';
import { type Scenario, type ScenarioContext, scenario } from './action.js';
import { mediaBuyFixture, seedMediaBuy } from './seed-buy.js';
import { seedCreative } from './seed-creative.js';
import { signalFixture } from './seed-signal.js';

const id = z.string().min(1).max(255);
const text = z.string().min(1).max(2000);
const words = z.array(z.string().min(1).max(255)).max(100);
const pixels = z.int().min(1).max(100_000);
const formatName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);
const formatRef = z
  .union([
    formatName.transform((name) => ({ id: name })),
    z.looseObject({ id: formatName, agent_url: z.url().optional() }),
  ])
  .transform(({ id: name, ...rest }) => ({ ...rest, id: name }));

const price = z.object({
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

const vendorMetric = z.object({
  vendor: z.object({ domain: z.string().regex(HOST_NAME) }),
  metric_id: z.string().regex(/^[a-z][a-z0-9_]*$/),
});

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

const product = z.object({
  name: text.optional(),
  description: text.optional(),
  delivery_type: z.enum(DELIVERY_TYPES).optional(),
  exclusivity: z.enum(['none', 'category', 'exclusive']).optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
  channels: words.optional(),
  format_ids: z.array(formatRef).max(100).optional(),
  pricing_options: z
    .array(price.extend({ pricing_option_id: id }))
    .max(100)
    .optional(),
  publisher_properties: z
    .array(
      z.discriminatedUnion('selection_type', [
        z.object({ selection_type: z.literal('all'), publisher_domain: z.string().regex(HOST_NAME) }),
        z.object({
          selection_type: z.literal('by_id'),
          publisher_domain: z.string().regex(HOST_NAME),
          property_ids: words.min(1),
        }),
        z.object({
          selection_type: z.literal('by_tag'),
          publisher_domain: z.string().regex(HOST_NAME),
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
  reporting_capabilities: z
    .object({ vendor_metrics: z.array(vendorMetric).min(1).max(50), measurement_windows: windows })
    .partial()
    .optional(),
});

const servingPrice = z
  .object({ pricing_option_id: id, rate: amount.optional(), cpm: amount.optional(), currency: price.shape.currency })
  .transform(({ pricing_option_id, rate, cpm = rate ?? 0, currency = 'USD' }) => ({
    pricing_option_id,
    model: 'cpm' as const,
    cpm,
    currency,
  }));

const creative = z.object({
  name: text.optional(),
  status: z.enum(CREATIVE_STATUSES).optional(),
  rejection_reason: text.optional(),
  format_id: formatRef.optional(),
  assets: z.record(z.string().max(255), z.looseObject({})).optional(),
  tags: words.optional(),
  pricing_options: z.array(servingPrice).min(1).max(20).optional(),
});

const format = z.object({
  name: text.optional(),
  description: text.optional(),
  type: z.enum(FORMAT_TYPES).optional(),
  renders: z
    .array(z.object({ role: text.default('primary'), dimensions: z.object({ width: pixels, height: pixels }) }))
    .min(1)
    .max(20)
    .optional(),
  assets: z
    .array(
      z.object({
        item_type: z.literal('individual').default('individual'),
        asset_id: id,
        asset_type: z.enum(SLOT_ASSET_TYPES),
        required: z.boolean().default(true),
      }),
    )
    .max(50)
    .optional(),
});

const plan = z.looseObject({
  budget: z.looseObject({ total: amount.optional(), currency: price.shape.currency }).optional(),
  flight: z
    .looseObject({
      start: z.iso.datetime({ offset: true }).optional(),
      end: z.iso.datetime({ offset: true }).optional(),
    })
    .optional(),
  // As sync_plans has them, or the allowed ones alone.
  channels: z.union([words, z.looseObject({ allowed: words.optional() })]).optional(),
  countries: product.shape.countries,
});

const account = z.object({
  name: text.optional(),
  status: z.enum(ACCOUNT_STATUSES).optional(),
  brand: brandRef.optional(),
  operator: z.string().regex(HOST_NAME).max(253).optional(),
  billing: z.enum(BILLING).optional(),
  payment_terms: z.enum(PAYMENT_TERMS).optional(),
});

/** Longest fixture, in characters of its JSON: it is held in memory. */
const MAX_FIXTURE_CHARS = 16_384;
/** How many fixtures of one kind a principal may have. */
const MAX_FIXTURES = 200;

/** seed_*: things that are there without anybody having made them; what a fixture leaves out is filled in. */
export const SEEDS = {
  seed_product: scenario(seeding({ product_id: id }, product), async (context, { product_id, fixture }) => {
    // What cannot be completed is refused now, and not when it is read.
    completeProduct(product_id, fixture, [], context.call.seller);
    return saveFixture(context, 'product', product_id, fixture);
  }),
  seed_pricing_option: scenario(
    seeding({ product_id: id, pricing_option_id: id }, price),
    async (context, { product_id, pricing_option_id, fixture }) => {
      if (!context.call.seller.products.has(product_id)) {
        throw new TaskError('PRODUCT_NOT_FOUND', 'There is no such product.', {
          field: 'params.product_id',
          suggestion: 'Seed the product with seed_product first, or name one of get_products.',
        });
      }
      const key = JSON.stringify([product_id, pricing_option_id]);
      return saveFixture(context, 'pricing_option', key, { ...fixture, product_id, pricing_option_id });
    },
  ),
  seed_creative: scenario(seeding({ creative_id: id }, creative), async (context, { creative_id, fixture }) => {
    await seedCreative(context, creative_id, fixture);
    return saveFixture(context, 'creative', creative_id, {});
  }),
  seed_plan: scenario(seeding({ plan_id: id }, plan), (context, { plan_id, fixture }) =>
    saveFixture(context, 'plan', plan_id, fixture),
  ),
  seed_media_buy: scenario(
    seeding({ media_buy_id: id }, mediaBuyFixture),
    async (context, { media_buy_id, fixture }) => {
      await seedMediaBuy(context, media_buy_id, fixture);
      return saveFixture(context, 'media_buy', media_buy_id, {});
    },
  ),
  seed_creative_format: scenario(seeding({ format_id: formatName }, format), (context, { format_id, fixture }) =>
    saveFixture(context, 'creative_format', format_id, fixture),
  ),
  seed_signal: scenario(
    seeding({ signal_agent_segment_id: z.string().regex(SIGNAL_ID) }, signalFixture),
    async (context, { signal_agent_segment_id, fixture }) =>
      saveFixture(context, 'signal', signal_agent_segment_id, fixture),
  ),
  seed_account: scenario(seeding({ account_id: id }, account), async (context, { account_id, fixture }) => {
    await saveAccount(context, account_id, fixture);
    return { message: `Account ${account_id} is there.` };
  }),
} satisfies Record<string, Scenario>;

/** The parameters of a seed: the ids of what is seeded, and its fixture. */
function seeding<Ids extends z.core.$ZodLooseShape, Fixture extends z.ZodType>(ids: Ids, fixture: Fixture) {
  return z.looseObject({ ...ids, fixture: fixture.prefault({} as z.input<Fixture>) });
}

async function saveFixture(
  { app, call, db }: ScenarioContext,
  kind: SandboxKind,
  key: string,
  doc: object,
): Promise<{ readonly message: string }> {
  const { sandboxes } = app;
  if (JSON.stringify(doc).length > MAX_FIXTURE_CHARS) {
    throw new TaskError('VALIDATION_ERROR', 'The fixture is larger than 16 KB.', {
      field: 'params.fixture',
      suggestion: 'Leave out what the test does not read.',
    });
  }
  if (sandboxes.find(call.owner, kind, key) === undefined && sandboxes.count(call.owner, kind) >= MAX_FIXTURES) {
    throw new TaskError('VALIDATION_ERROR', `A sandbox holds at most ${MAX_FIXTURES} fixtures of a kind.`, {
      field: 'scenario',
      suggestion: 'Seed one that is there already again, under its id.',
    });
  }
  const { account_id } = FIXTURE_ACCOUNT;
  if ((await db.accounts.findById(call.owner, account_id)) === undefined)
    await db.accounts.save(call.owner, FIXTURE_ACCOUNT);
  await sandboxes.save(db, { owner: call.owner, kind, key, doc: doc as SandboxItem['doc'] });
  return { message: `The fixture is there for every account of this caller.` };
}

async function saveAccount(
  { call, db }: ScenarioContext,
  account_id: string,
  fixture: z.output<typeof account>,
): Promise<void> {
  const before = await db.accounts.findById(call.owner, account_id);
  const { domain, brand_id } = fixture.brand ?? before?.brand ?? { domain: 'sandbox.example' };
  const seeded: Account = {
    account_id,
    name: fixture.name ?? before?.name ?? account_id,
    status: fixture.status ?? before?.status ?? 'active',
    brand: { domain, brand_id },
    operator:
      fixture.operator ?? before?.operator ?? `${account_id.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-')}.example`,
    billing: fixture.billing ?? before?.billing ?? 'operator',
    payment_terms: fixture.payment_terms ?? before?.payment_terms ?? 'net_30',
    sandbox: true,
  };
  const same = await db.accounts.findByKey(call.owner, naturalKey(seeded.brand, seeded.operator, true));
  if (same !== undefined && same.account_id !== account_id) {
    throw new TaskError('VALIDATION_ERROR', 'Another account of this caller has this brand and operator.', {
      field: 'params.fixture.operator',
      suggestion: `Name another brand or operator, or use ${same.account_id}.`,
    });
  }
  await db.accounts.save(call.owner, seeded);
}
