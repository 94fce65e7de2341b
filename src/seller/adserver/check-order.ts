import { SECOND_MS } from '../../platform/kernel/clock.js';
import type { ForeignIds } from '../domain/booking/foreign-ids.js';
import type { LiveOrder, LivePackage } from '../domain/booking/live-order.js';
import { callWithin } from './call.js';
import type { Connection } from './connection.js';
import type { AdServerAdapter } from './port/adapter.js';
import type { CheckVerdict } from './port/answers.js';

/** An order that is to be checked, and what the ad server has of it. */
type CheckedOrder = {
  readonly order: LiveOrder;
  readonly booked: LiveOrder | undefined;
  readonly foreign: ForeignIds | undefined;
};

/** How long an ad server is asked before an order is accepted. */
const TIMEOUT_MS = 10 * SECOND_MS;

/** Returns whether an ad server would take an order: by what it declares, then by its own word. Throws where it does not answer. */
export async function checkOrder({ adapter }: Connection, checked: CheckedOrder): Promise<CheckVerdict> {
  const { order, booked, foreign } = checked;
  const undeclared = findUndeclared(adapter, order);
  if (undeclared !== undefined) return undeclared;
  const { check } = adapter;
  if (check === undefined) return checkAvailability(adapter, checked);
  return callWithin(TIMEOUT_MS, (signal) => adapter.check?.(order, { booked, foreign, signal }) ?? ACCEPTED);
}

const ACCEPTED: CheckVerdict = { verdict: 'accepted' };

/** Returns why an order cannot be by what the ad server declares; undefined where nothing speaks against it. */
function findUndeclared({ declaration }: AdServerAdapter, order: LiveOrder): CheckVerdict | undefined {
  const { currency, pacings, targeting } = declaration;
  if (order.currency !== currency)
    return {
      verdict: 'refused',
      message: `The ad server counts in ${currency}, the order is in ${order.currency}.`,
      suggestion: `Choose a price in ${currency}.`,
    };
  for (const { package_id, pacing, targeting: wanted } of order.packages) {
    if (!pacings.includes(pacing))
      return {
        ...{ verdict: 'refused', package_id, field: 'pacing', message: `The ad server cannot pace "${pacing}".` },
        suggestion: `Order "${pacings.join('" or "')}".`,
      };
    const name = Object.keys(wanted).find((one) => !targeting.includes(one));
    if (name !== undefined)
      return {
        ...{ verdict: 'refused', package_id, field: `targeting_overlay.${name}` },
        message: 'This targeting does not reach the ad server.',
        suggestion: `Leave ${name} out. What reaches it: ${targeting.join(', ')}.`,
      };
  }
  return undefined;
}

/** Holds the goals of guaranteed packages against what the ad server says is left. */
async function checkAvailability(adapter: AdServerAdapter, { order, booked }: CheckedOrder): Promise<CheckVerdict> {
  if (adapter.availability === undefined) return ACCEPTED;
  for (const line of order.packages) {
    const missing = neededOf(line, booked);
    if (missing === undefined) continue;
    const { product_id, adapter: mapping, package_id, start_time, end_time, targeting } = line;
    const request = { products: [{ product_id, adapter: mapping }], start_time, end_time, targeting };
    const [answer] = await callWithin(TIMEOUT_MS, (signal) => adapter.availability?.(request, { signal }) ?? []);
    if (answer?.available === undefined || answer.unit !== line.goal?.unit || answer.available >= missing) continue;
    return {
      ...{ verdict: 'refused', package_id, field: 'budget' },
      message: `The ad server has ${answer.available} ${answer.unit} left in this flight, the order needs ${missing}.`,
      suggestion: 'Order less, another flight, or other targeting.',
    };
  }
  return ACCEPTED;
}

/** Returns the units that a guaranteed package needs beyond what is booked of it; undefined where it needs none. */
function neededOf(
  { delivery_type, goal, package_id, state }: LivePackage,
  booked: LiveOrder | undefined,
): number | undefined {
  if (delivery_type !== 'guaranteed' || goal === undefined || state === 'canceled') return undefined;
  const before = booked?.packages.find((line) => line.package_id === package_id)?.goal?.count ?? 0;
  return goal.count > before ? goal.count - before : undefined;
}
