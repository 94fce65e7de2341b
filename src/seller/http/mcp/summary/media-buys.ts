import { describeMore, type Summary } from './outcomes.js';
import {
  amountText,
  countNoun,
  dayText,
  type Facts,
  idText,
  joinParts,
  listOf,
  nameSome,
  objectOf,
  rowsOf,
  valuesOf,
} from './words.js';

/** Returns a media buy that was made: its state, what it may spend, and when. */
export function describePurchase(answer: Facts): Summary {
  const packages = listOf(answer, 'packages');
  return {
    lines: [
      `Media buy ${describeBuy(answer)}`,
      ...rowsOf(packages, (each) =>
        joinParts([
          idText(each.package_id),
          `product ${idText(each.product_id)}`,
          amountText(each.budget, answer.currency),
        ]),
      ),
    ],
    steps: nextForBuy(answer),
  };
}

/** Returns a media buy after a change, and the packages that changed. */
export function describeChange(answer: Facts): Summary {
  const packages = listOf(answer, 'affected_packages');
  return {
    lines: [
      `Changed: media buy ${describeBuy(answer)}`,
      packages.length === 0 ? '' : `Packages: ${nameSome(packages.map(({ package_id }) => package_id))}`,
      canDo(answer),
    ],
    steps: nextForBuy(answer),
  };
}

function canDo(buy: Facts): string {
  const actions = valuesOf(buy, 'valid_actions');
  return actions.length === 0 ? '' : `It allows: ${nameSome(actions)}.`;
}

function statusOf({ media_buy_status, status }: Facts): unknown {
  return media_buy_status ?? status;
}

function describeBuy(buy: Facts): string {
  const budget = amountText(buy.total_budget, buy.currency);
  return joinParts([
    `${idText(buy.media_buy_id)} is ${idText(statusOf(buy))}`,
    budget === '' ? '' : `budget ${budget}`,
    spanText(buy.start_time, buy.end_time),
    typeof buy.revision === 'number' ? `revision ${buy.revision}` : '',
  ]);
}

function spanText(from: unknown, to: unknown): string {
  const [first, last] = [dayText(from), dayText(to)];
  return first === '' || last === '' ? '' : `${first} to ${last}`;
}

function nextForBuy(buy: Facts): Summary['steps'] {
  const id = idText(buy.media_buy_id);
  if (statusOf(buy) === 'pending_creatives')
    return [['sync_creatives', `with creatives and assignments to the packages of ${id}`]];
  return [['get_media_buy_delivery', `with media_buy_ids ["${id}"], for what it delivered and spent`]];
}

/** Returns the media buys that were asked for. */
export function describeBuys(answer: Facts): Summary {
  const buys = listOf(answer, 'media_buys');
  const [first] = buys;
  if (first === undefined)
    return { lines: ['No media buys.'], steps: [['get_products', 'to find what can be bought']] };
  return {
    lines: [
      `Found ${countNoun(buys.length, 'media buy')}.`,
      ...rowsOf(buys, describeBuy),
      buys.length === 1 ? canDo(first) : '',
      describeMore(answer),
    ],
    steps: [
      ['get_media_buy_delivery', 'with media_buy_ids, to see what was delivered and spent'],
      ['update_media_buy', 'with media_buy_id and its revision, to change one'],
    ],
  };
}

/** Below this share of its plan a package of a running media buy is behind. */
const BEHIND = 0.9;

/** Returns what media buys delivered and cost, and which packages are behind their plan. */
export function describeDelivery(answer: Facts): Summary {
  const { start, end } = objectOf(answer, 'reporting_period');
  const deliveries = listOf(answer, 'media_buy_deliveries');
  const isBehind = deliveries.some((each) => listBehind(each).length > 0);
  return {
    lines: [
      `${joinParts([`Delivery of ${countNoun(deliveries.length, 'media buy')}`, spanText(start, end)])}.`,
      ...rowsOf(deliveries, (each) => describeDelivered(each, answer.currency)),
      deliveries.length > 1
        ? `Together: ${describeTotals(objectOf(answer, 'aggregated_totals'), answer.currency)}.`
        : '',
      describeMore(answer),
    ],
    steps: isBehind
      ? [['update_media_buy', 'with a higher bid, later end_time or wider targeting for what is behind']]
      : [['get_media_buys', 'for the state of each and what it allows']],
  };
}

function describeDelivered(delivery: Facts, currency: unknown): string {
  const late = listBehind(delivery).map(({ package_id }) => package_id);
  return joinParts([
    `${idText(delivery.media_buy_id)} is ${idText(delivery.status)}`,
    describeTotals(objectOf(delivery, 'totals'), delivery.currency ?? currency),
    late.length === 0 ? '' : `behind plan: ${nameSome(late)}`,
  ]);
}

function listBehind(delivery: Facts): readonly Facts[] {
  if (delivery.status !== 'active') return [];
  return listOf(delivery, 'by_package').filter(
    ({ pacing_index: pacing }) => typeof pacing === 'number' && pacing < BEHIND,
  );
}

function describeTotals({ impressions, spend, clicks }: Facts, currency: unknown): string {
  return joinParts([
    typeof impressions === 'number' ? countNoun(impressions, 'impression') : '',
    typeof clicks === 'number' ? countNoun(clicks, 'click') : '',
    typeof spend === 'number' ? `spent ${amountText(spend, currency)}` : '',
  ]);
}
