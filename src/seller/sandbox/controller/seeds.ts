import { z } from 'zod';
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
import { SIGNAL_ID } from '../../domain/signal/signal.js';
import type { SandboxItem, SandboxKind } from '../../store/sandboxes.js';
import { amount, brandRef } from '../../tasks/pipeline/shapes.js';
import { completeProduct } from '../fixtures.js';
import { type Scenario, type ScenarioContext, scenario } from './action.js';
import { mediaBuyFixture, seedMediaBuy } from './seed-buy.js';
import { seedCreative } from './seed-creative.js';
import { divideFixture, formatName, formatRef, priceFixture, productFixture } from './seed-product.js';
import { signalFixture } from './seed-signal.js';

const id = z.string().min(1).max(255);
const text = z.string().min(1).max(2000);
const words = z.array(z.string().min(1).max(255)).max(100);
const pixels = z.int().min(1).max(100_000);

const servingPrice = z
  .object({
    pricing_option_id: id,
    rate: amount.optional(),
    cpm: amount.optional(),
    currency: priceFixture.shape.currency,
  })
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
  budget: z.looseObject({ total: amount.optional(), currency: priceFixture.shape.currency }).optional(),
  flight: z
    .looseObject({
      start: z.iso.datetime({ offset: true }).optional(),
      end: z.iso.datetime({ offset: true }).optional(),
    })
    .optional(),
  // As sync_plans has them, or the allowed ones alone.
  channels: z.union([words, z.looseObject({ allowed: words.optional() })]).optional(),
  countries: productFixture.shape.countries,
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
  seed_product: scenario(seeding({ product_id: id }, productFixture), async (context, { product_id, fixture }) => {
    const { taken, left } = divideFixture(fixture);
    // What cannot be completed is refused now, and not when it is read.
    completeProduct(product_id, taken, [], context.call.seller);
    const { message } = await saveFixture(context, 'product', product_id, taken);
    return {
      message: left.length === 0 ? message : `${message} It is without ${left.join(', ')}, which no product here has.`,
    };
  }),
  seed_pricing_option: scenario(
    seeding({ product_id: id, pricing_option_id: id }, priceFixture),
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

/** Returns the parameters of a seed: the ids of what is seeded, and its fixture. */
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
