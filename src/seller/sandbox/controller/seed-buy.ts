import { z } from 'zod';
import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import { FIXTURE_ACCOUNT } from '../../domain/account/account.js';
import { slotsPrice } from '../../domain/inventory/slots.js';
import {
  isTerminal,
  MEDIA_BUY_STATUSES,
  type MediaBuy,
  type MediaBuyStatus,
} from '../../domain/media-buy/media-buy.js';
import { flightMs, openMediaBuy, type PackageRequest } from '../../domain/media-buy/order.js';
import { leastBudget } from '../../domain/media-buy/pricing.js';
import { asRevision, moveBySeller } from '../../domain/media-buy/settlement.js';
import type { PricingOption, Product } from '../../domain/product/product.js';
import { fieldOfNone, holdInventory, releaseInventory } from '../../lifecycle/inventory.js';
import { orderContext } from '../../tasks/pipeline/order-context.js';
import { amount, brandRef } from '../../tasks/pipeline/shapes.js';
import type { ScenarioContext } from './action.js';

const id = z.string().min(1).max(255);
const instant = z.iso.datetime({ offset: true });
const currency = z.string().regex(/^[A-Z]{3}$/);

/** A media buy as a fixture says it; what is left out is filled in from the catalog. */
export const mediaBuyFixture = z.looseObject({
  status: z.enum(MEDIA_BUY_STATUSES).optional(),
  currency: currency.optional(),
  total_budget: amount.optional(),
  budget: z.looseObject({ total: amount.optional(), currency: currency.optional() }).optional(),
  start_time: instant.optional(),
  end_time: instant.optional(),
  flight: z.looseObject({ start: instant.optional(), end: instant.optional() }).optional(),
  account_id: id.optional(),
  brand: brandRef.optional(),
  packages: z
    .array(
      z.looseObject({
        package_id: id.optional(),
        product_id: id.optional(),
        pricing_option_id: id.optional(),
        budget: amount.optional(),
        bid_price: amount.optional(),
      }),
    )
    .min(1)
    .max(50)
    .optional(),
});
type Fixture = z.output<typeof mediaBuyFixture>;

const USUAL_BUDGET = 10_000;
const USUAL_DAYS = 30;

/** The states that a new buy goes through to reach one. */
const MOVES_TO: Record<MediaBuyStatus, readonly MediaBuyStatus[]> = {
  pending_creatives: [],
  pending_start: ['pending_start'],
  active: ['active'],
  paused: ['paused'],
  completed: ['active', 'completed'],
  rejected: ['rejected'],
  canceled: ['canceled'],
};

/**
 * Stores a buy as a fixture has it: opened as an order is, and moved as its seller would. Seeded again, it begins anew. Throws
 * VALIDATION_ERROR for an id that cannot be used, and what the order is refused for.
 */
export async function seedMediaBuy(
  { app, call, db }: ScenarioContext,
  mediaBuyId: string,
  fixture: Fixture,
): Promise<void> {
  const before = await db.mediaBuys.findAnywhere(mediaBuyId);
  if (before !== undefined && before.owner !== call.owner) {
    throw new TaskError('VALIDATION_ERROR', 'This media_buy_id cannot be used here.', {
      field: 'params.media_buy_id',
      suggestion: 'Choose another media_buy_id.',
    });
  }
  const { status = 'active' } = fixture;
  const account =
    fixture.account_id === undefined ? undefined : await db.accounts.findById(call.owner, fixture.account_id);
  const orders = {
    ...orderContext(app, call),
    creativeRequirement: status === 'pending_creatives' ? ('required' as const) : ('none' as const),
    ids: { ...app.ids, next: (prefix: string) => (prefix === 'mb' ? mediaBuyId : app.ids.next(prefix)) },
  };
  const order = {
    brand: fixture.brand ?? (account ?? FIXTURE_ACCOUNT).brand,
    start_time: 'asap',
    end_time: isoTime(call.now.ms + USUAL_DAYS * DAY_MS),
    packages: readPackages(fixture, [...orders.products.values()], call.now.ms),
    echoed: {},
    callbacks: {},
  };
  const ordered = openMediaBuy(order, account ?? FIXTURE_ACCOUNT, orders);
  const opened = namePackages({ ...ordered, confirmed_at: call.now.iso }, fixture);
  const dated = priceFlight(setFlight(opened, fixture, status, call.now.ms), fixture);
  const moved = MOVES_TO[status].reduce<MediaBuy>(
    (buy, to) => moveBySeller(buy, { to }, new Map(), call.now).buy,
    dated,
  );
  const { buy } = asRevision({ buy: moved, moves: [] }, (before?.buy.revision ?? 0) + 1);
  const seeded = { ...buy, revision: (before?.buy.revision ?? 0) + 1 };
  const held = { owner: call.owner, buy: seeded, field: fieldOfNone, nowMs: call.now.ms };
  if (before !== undefined) await releaseInventory(db, before.buy, call.now.ms);
  if (!isTerminal(seeded.status)) await holdInventory(db, { ...held, isPartial: true });
  if (before === undefined) await app.lifecycle.open(db, call.owner, seeded);
  else await app.lifecycle.save(db, call.owner, seeded, []);
}

/** Returns the budget that a fixture names for a package; undefined where it names none. */
function namedBudget({ packages = [{}], total_budget, budget }: Fixture, index: number): number | undefined {
  const whole = total_budget ?? budget?.total;
  return packages[index]?.budget ?? (whole === undefined ? undefined : whole / packages.length);
}

/** Returns the packages that a fixture is opened with; what its own flight costs is judged once it has that. */
function readPackages(fixture: Fixture, products: readonly Product[], nowMs: number): readonly PackageRequest[] {
  const wanted = fixture.currency ?? fixture.budget?.currency;
  const lines = fixture.packages ?? [{}];
  const flight = { start_ms: nowMs, end_ms: nowMs + USUAL_DAYS * DAY_MS };
  return lines.map((line, index) => {
    const { product, option } = findOffer(line, wanted, products);
    const least = Math.max(leastBudget(option), slotsPrice({ option, inventory: product.inventory }, flight));
    const budget = Math.max(namedBudget(fixture, index) ?? USUAL_BUDGET, least);
    const bid =
      option.fixed_price === undefined ? { bid_price: line.bid_price ?? Math.max(option.floor_price ?? 0, 1) } : {};
    return {
      product_id: product.product_id,
      pricing_option_id: option.pricing_option_id,
      budget,
      ...bid,
    };
  });
}

function findOffer(
  line: { readonly product_id?: string | undefined; readonly pricing_option_id?: string | undefined },
  currencyWanted: string | undefined,
  products: readonly Product[],
): { readonly product: Product; readonly option: PricingOption } {
  const candidates = products
    .filter((product) => line.product_id === undefined || product.product_id === line.product_id)
    .flatMap((product) => product.pricing_options.map((option) => ({ product, option })))
    .filter(
      ({ option }) => line.pricing_option_id === undefined || option.pricing_option_id === line.pricing_option_id,
    );
  const offer = candidates.find(({ option }) => option.currency === currencyWanted) ?? candidates[0];
  if (offer !== undefined) return offer;
  throw new TaskError('PRODUCT_NOT_FOUND', 'There is no such product, or it has no such price.', {
    field: 'params.fixture.packages',
    suggestion: 'Seed the product and its price first, or leave them out.',
  });
}

/** Gives the packages the budgets of the fixture, or what its own flight costs at least. */
function priceFlight(buy: MediaBuy, fixture: Fixture): MediaBuy {
  const packages = buy.packages.map((line, index) => {
    const least = Math.max(leastBudget(line.sold.option), slotsPrice(line.sold, flightMs(line)));
    return { ...line, budget: Math.max(namedBudget(fixture, index) ?? USUAL_BUDGET, least) };
  });
  return { ...buy, packages };
}

/** Gives packages the ids that the fixture names, in place of ours. */
function namePackages(buy: MediaBuy, { packages = [] }: Fixture): MediaBuy {
  const renamed = buy.packages.map((line, index) => ({
    ...line,
    package_id: packages[index]?.package_id ?? line.package_id,
  }));
  return { ...buy, packages: renamed };
}

/** Returns the flight of the fixture, unless it is over and the buy is not: then the one that it was opened with, which starts now. */
function setFlight(buy: MediaBuy, fixture: Fixture, status: MediaBuyStatus, nowMs: number): MediaBuy {
  const start = fixture.start_time ?? fixture.flight?.start ?? buy.start_time;
  const end = fixture.end_time ?? fixture.flight?.end ?? buy.end_time;
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
  if (startMs >= endMs) {
    throw new TaskError('VALIDATION_ERROR', 'The flight of the fixture ends before it starts.', {
      field: 'params.fixture.end_time',
      suggestion: 'Move the end behind the start.',
    });
  }
  if (endMs <= nowMs && !isTerminal(status)) return buy;
  const dates = { start_time: isoTime(startMs), end_time: isoTime(endMs) };
  return { ...buy, ...dates, packages: buy.packages.map((line) => ({ ...line, ...dates })) };
}
