import type { CallContext } from '../port/adapter.js';
import type { InspectedOrder, InspectedPackage } from '../port/answers.js';
import type { BookedOrder } from '../port/delivery.js';
import { findLines } from './book/lines.js';
import { stateOf } from './book/states.js';
import { fromMicros, readMoney } from './mapping/money.js';
import type { RestLine } from './mapping/rest-line.js';
import type { GamNetwork } from './network.js';

/** Returns what the network has of orders. */
export async function inspectOrders(
  network: GamNetwork,
  orders: readonly BookedOrder[],
  { signal }: CallContext,
): Promise<readonly InspectedOrder[]> {
  const inspected: InspectedOrder[] = [];
  for (const { foreign, order } of orders) {
    const { media_buy_id } = order;
    if (foreign.order === undefined) continue;
    const lines = await findLines(network, foreign.order, signal);
    const packages = Object.keys(foreign.packages ?? {}).map((packageId) =>
      inspectLine(packageId, lines.get(packageId)),
    );
    inspected.push({ media_buy_id, packages: lines.size === 0 ? [] : packages });
  }
  return inspected;
}

function inspectLine(package_id: string, line: RestLine | undefined): InspectedPackage {
  if (line === undefined) return { package_id, state: 'missing' };
  const state = stateOf(line);
  const micros = readMoney(line.rate);
  // The goal of a sponsorship is a part, and its price is per day: neither is one of the package.
  const isCounted = line.lineItemType !== 'SPONSORSHIP';
  return {
    package_id,
    state: state === 'refused' ? 'canceled' : state,
    end_time: line.targetEndTime,
    goal: isCounted && line.goal?.units !== undefined ? Number(line.goal.units) : undefined,
    price: isCounted && micros !== undefined ? fromMicros(micros) : undefined,
    remarks: state === 'refused' ? [`Its status is ${String(line.status)}.`] : undefined,
  };
}
