import type { Payload } from '../../../../protocol/envelope.js';
import { type MediaBuy, totalBudget } from '../../../domain/media-buy/media-buy.js';
import { findOpenSignal, type SignalPrice } from '../../../domain/signal/signal.js';
import type { Principal } from '../../../domain/tenant/principal.js';
import type { Seller } from '../../../domain/tenant/seller.js';
import { unitPrice } from '../summary/outcomes.js';
import {
  amountText,
  countNoun,
  dayText,
  type Facts,
  idText,
  joinParts,
  listOf,
  objectOf,
  quoteText,
} from '../summary/words.js';

/** A call that spends, tried before: what its person is asked about. */
export type Tried = {
  readonly args: Payload;
  /** What the call would be answered. */
  readonly order: Facts;
  readonly seller: Seller;
  readonly principal: Principal | undefined;
  /** The buy that it changes, as it is; undefined where it changes none. */
  readonly before: MediaBuy | undefined;
};

/** How a person is asked about the calls of a task. */
export type Question = {
  /** The box that they tick. */
  readonly title: string;
  /** What has not happened where they do not. */
  readonly undone: string;
  /** The arguments with which the call is tried; as they are unless set. */
  readonly rehearsed?: (args: Payload) => Payload;
  /** Whether the task may be called without an idempotency key. */
  readonly keyOptional?: true;
  /** Returns the lines of the question; none where the call spends nothing more. */
  readonly lines: (tried: Tried) => readonly string[];
};

/** The tasks that a person is asked about before they are carried out. */
export const QUESTIONS: Readonly<Record<string, Question>> = {
  create_media_buy: { title: 'Buy this', undone: 'Nothing was bought.', lines: orderLines },
  update_media_buy: { title: 'Change this', undone: 'Nothing was changed.', lines: changeLines },
  activate_signal: { title: 'Activate this', undone: 'Nothing was activated.', lines: activationLines },
  build_creative: {
    title: 'Build this',
    undone: 'Nothing was built.',
    keyOptional: true,
    rehearsed: (args) => ({ ...args, mode: 'estimate' }),
    lines: buildLines,
  },
};

/** Most things that have a line of their own. */
const MAX_ROWS = 10;

function orderLines({ order, principal, seller: { products, tenant } }: Tried): readonly string[] {
  const packages = listOf(order, 'packages');
  const total = packages.reduce((sum, { budget }) => sum + (typeof budget === 'number' ? budget : 0), 0);
  const rows = packages.map(({ budget, pricing_option_id, product_id }) => {
    const product = typeof product_id === 'string' ? products.get(product_id) : undefined;
    const option: Facts | undefined = product?.pricing_options.find(
      (one) => one.pricing_option_id === pricing_option_id,
    );
    const price = option === undefined ? '' : priceOf(option);
    return joinParts([
      `${quoteText(product?.name)} (${idText(product_id)})`,
      price,
      amountText(budget, order.currency),
    ]);
  });
  return [
    `Buy from ${quoteText(tenant.name)}?`,
    ...listRows(rows, 'package'),
    `Total: ${amountText(total, order.currency)}, ${dayText(order.start_time)} to ${dayText(order.end_time)}.`,
    ...sandboxLine(principal),
  ];
}

/** Returns the question about a change by which the buy costs more. */
function changeLines({ before, order, principal, seller: { tenant } }: Tried): readonly string[] {
  const { currency, total_budget: total } = order;
  if (before === undefined || typeof total !== 'number' || total <= totalBudget(before)) return [];
  const rows = listOf(order, 'affected_packages').flatMap(({ budget, package_id }) => {
    const was = before.packages.find((line) => line.package_id === package_id)?.budget;
    if (was === budget) return [];
    const instead = was === undefined ? ', new' : ` instead of ${amountText(was, currency)}`;
    return [`${idText(package_id)}: ${amountText(budget, currency)}${instead}`];
  });
  return [
    `Spend more on ${idText(before.media_buy_id)} at ${quoteText(tenant.name)}?`,
    ...listRows(rows, 'package'),
    `Total: ${amountText(total, currency)} instead of ${amountText(totalBudget(before), currency)}.`,
    ...sandboxLine(principal),
  ];
}

/** Returns the question about a signal that has a price and is not taken back. */
function activationLines({ args, order, principal, seller }: Tried): readonly string[] {
  const id = args.signal_agent_segment_id;
  const signal = typeof id === 'string' ? findOpenSignal(seller.signals, id, principal?.id) : undefined;
  const price = signal?.pricing_options.find((one) => one.pricing_option_id === args.pricing_option_id);
  if (signal === undefined || price === undefined || args.action === 'deactivate') return [];
  const targets = listOf(order, 'deployments').map(({ agent_url, platform }) => idText(platform ?? agent_url));
  return [
    `Activate ${quoteText(signal.name)} (${idText(id)}) of ${quoteText(seller.tenant.name)}?`,
    ...listRows(targets, 'destination'),
    `Price: ${signalPrice(price)}.`,
    ...sandboxLine(principal),
  ];
}

/** Returns the question about a build that costs something; one that no account pays for is refused. */
function buildLines({ args, order, principal, seller: { tenant } }: Tried): readonly string[] {
  const { cost_high: most, cost_low: least, currency, leaves_total: count } = objectOf(order, 'estimate');
  if (args.mode === 'estimate' || args.account === undefined || typeof most !== 'number' || most <= 0) return [];
  const atLeast = least === most ? '' : `${amountText(least, currency)} to `;
  return [
    `Have ${quoteText(tenant.name)} build ${typeof count === 'number' ? countNoun(count, 'creative') : 'creatives'}?`,
    `Total: ${atLeast}${amountText(most, currency)}.`,
    ...sandboxLine(principal),
  ];
}

function listRows(rows: readonly string[], noun: string): readonly string[] {
  const rest = rows.length - MAX_ROWS;
  return [
    ...rows.slice(0, MAX_ROWS).map((row) => `- ${row}`),
    ...(rest > 0 ? [`- and ${countNoun(rest, `more ${noun}`)}`] : []),
  ];
}

function sandboxLine(principal: Principal | undefined): readonly string[] {
  return principal?.sandbox === true ? ['This is the sandbox: nothing is charged.'] : [];
}

function priceOf({ currency, fixed_price, floor_price, pricing_model }: Facts): string {
  const fixed = unitPrice(fixed_price, currency, pricing_model);
  const floor = unitPrice(floor_price, currency, pricing_model);
  return fixed === '' && floor !== '' ? `bids from ${floor}` : fixed;
}

function signalPrice(price: SignalPrice): string {
  switch (price.model) {
    case 'cpm':
      return unitPrice(price.cpm, price.currency, 'cpm');
    case 'percent_of_media': {
      const most = price.max_cpm === undefined ? '' : `at most ${unitPrice(price.max_cpm, price.currency, 'cpm')}`;
      return joinParts([`${price.percent} % of media`, most]);
    }
    case 'flat_fee':
      return `${amountText(price.amount, price.currency)}, ${idText(price.period)}`;
    case 'per_unit':
      return `${amountText(price.unit_price, price.currency)} per ${idText(price.unit)}`;
    case 'custom':
      return quoteText(price.description);
  }
}
