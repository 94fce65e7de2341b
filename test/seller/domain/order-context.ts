import { expect } from 'vitest';
import { FormatOptions } from '../../../src/creative/formats/canonical/declaration.js';
import { HOUSE_FORMAT_IDS, houseFormats } from '../../../src/creative/formats/catalog/catalog.js';
import { listFormatAgents } from '../../../src/creative/formats/format-agents.js';

import { isoTime } from '../../../src/platform/kernel/clock.js';
import { type ErrorCode, taskErrorOrThrow } from '../../../src/protocol/errors.js';
import type { Account } from '../../../src/seller/domain/account/account.js';
import type { ChangeContext } from '../../../src/seller/domain/media-buy/change/change.js';
import type { MediaBuy } from '../../../src/seller/domain/media-buy/media-buy.js';
import { type Order, openMediaBuy, type PackageRequest } from '../../../src/seller/domain/media-buy/order.js';
import { SoldTerms } from '../../../src/seller/domain/media-buy/pricing.js';
import type { Rotations } from '../../../src/seller/domain/media-buy/rotation.js';
import { settleBuy } from '../../../src/seller/domain/media-buy/settlement.js';
import type { PricingOption, Product } from '../../../src/seller/domain/product/product.js';

/** The moment at which the tests' orders are placed. */
export const NOW = Date.parse('2030-06-01T12:00:00Z');

/** Who owns the formats of the tests' products. */
export const OWNER = 'https://seller.example/creative/mcp';

/** An instant of the wire, `ms` after `NOW`. */
export function fromNow(ms: number): string {
  return isoTime(NOW + ms);
}

/** A product that runs in two countries and takes two formats. */
export function product(product_id: string, options: readonly PricingOption[], extra: Partial<Product> = {}): Product {
  return {
    product_id,
    name: product_id,
    description: product_id,
    publisher_properties: [{ publisher_domain: 'pub.example', selection_type: 'all' }],
    channels: ['display'],
    format_ids: [
      { agent_url: OWNER, id: 'display_300x250_image' },
      { agent_url: OWNER, id: 'display_728x90_image' },
    ],
    delivery_type: 'non_guaranteed',
    pricing_options: options,
    reporting_capabilities: {
      available_reporting_frequencies: ['daily'],
      expected_delay_minutes: 60,
      timezone: 'UTC',
      supports_webhooks: false,
      available_metrics: ['impressions', 'spend'],
      date_range_support: 'date_range',
      windowed_pull_granularities: ['daily'],
    },
    inventory: { countries: ['US', 'CA'], keywords: ['news'], daily_impressions: 1_000_000 },
    ...extra,
  };
}

/** A pricing option in dollars unless `extra` says otherwise. */
export function price(pricing_option_id: string, extra: Partial<PricingOption>): PricingOption {
  return { pricing_option_id, pricing_model: 'cpm', currency: 'USD', ...extra };
}

/** The catalog of the tests: every kind of price once. */
export const PRODUCTS: readonly Product[] = [
  product('banner', [
    price('fixed', { fixed_price: 5, min_spend_per_package: 100 }),
    price('free', { fixed_price: 5 }),
    price('auction', { floor_price: 2, min_spend_per_package: 50 }),
    price('euro', { fixed_price: 5, currency: 'EUR' }),
  ]),
  product('takeover', [price('flat', { pricing_model: 'flat_rate', fixed_price: 1000 })], {
    delivery_type: 'guaranteed',
  }),
  product('gone', [price('fixed', { fixed_price: 5 })], { expires_at: fromNow(0) }),
  product('last_call', [price('fixed', { fixed_price: 5 })], { expires_at: fromNow(1) }),
  product('needs_none', [price('fixed', { fixed_price: 5 })], {
    inventory: { countries: ['US'], keywords: [], daily_impressions: 1000, creative_requirement: 'none' },
  }),
];

/** A context at `ms` whose ids count. */
export function contextAt(ms: number, extra: Partial<ChangeContext> = {}): ChangeContext {
  let last = 0;
  return {
    products: new Map(PRODUCTS.map((one) => [one.product_id, one])),
    formats: { owner: OWNER, ids: HOUSE_FORMAT_IDS, agents: listFormatAgents(OWNER, [], []), examples: false },
    formatOptions: new FormatOptions(houseFormats(OWNER), OWNER),
    creativeRequirement: 'none',
    authority: { account: ACCOUNT },
    fulfillment: 'simulated',
    soldTerms: new SoldTerms(),
    ids: {
      next: (prefix) => {
        last += 1;
        return `${prefix}_${last}`;
      },
      uuid: () => '00000000-0000-4000-8000-000000000000',
      uuid7: () => '00000000-0000-7000-8000-000000000000',
      secret: () => 'secret',
    },
    now: { ms, iso: isoTime(ms) },
    ...extra,
  };
}

/** The account that the tests' orders are for. */
export const ACCOUNT: Account = {
  account_id: 'acct_1',
  name: 'Acme',
  status: 'active',
  brand: { domain: 'acme.example' },
  operator: 'agency.example',
  billing: 'operator',
  payment_terms: 'net_30',
  sandbox: true,
};

/** A valid package of the catalog. */
export function packageOf(extra: Partial<PackageRequest> = {}): PackageRequest {
  return { product_id: 'banner', pricing_option_id: 'fixed', budget: 1000, ...extra };
}

/** A valid order: one package, at once, for thirty days. */
export function orderOf(extra: Partial<Order> = {}): Order {
  return {
    brand: { domain: 'acme.example' },
    start_time: 'asap',
    end_time: '2030-07-01T12:00:00Z',
    packages: [packageOf()],
    echoed: {},
    callbacks: {},
    ...extra,
  };
}

/** A buy as create_media_buy leaves it: opened at `ms`, and moved to where its facts put it. */
export function boughtAt(ms: number, extra: Partial<Order> = {}, context = contextAt(ms)): MediaBuy {
  const opened = openMediaBuy(orderOf(extra), ACCOUNT, context);
  return { ...settleBuy({ ...opened, confirmed_at: context.now.iso }, new Map(), context.now).buy, revision: 1 };
}

/** One creative, taking all turns in each of these packages. */
export function rotating(packageIds: readonly string[]): Rotations {
  return new Map(packageIds.map((id) => [id, [{ creative_id: 'banner' }]]));
}

/** What a refusal must look like: its code and, where there is one, its field. */
export type Refusal = readonly [code: ErrorCode, field?: string];

/** The code and field of the TaskError that `work` throws. Fails when it throws none. */
export function refusalOf(action: () => unknown): Refusal {
  try {
    action();
  } catch (thrown) {
    const error = taskErrorOrThrow(thrown);
    const { field, suggestion } = error.extras;
    // A refusal that a language model cannot act on is half a refusal; a conflict must say nothing more.
    if (error.code !== 'IDEMPOTENCY_CONFLICT') expect(suggestion, `${error.code} without a suggestion`).toBeTruthy();
    return field === undefined ? [error.code] : [error.code, field];
  }
  throw new Error('nothing was refused');
}
