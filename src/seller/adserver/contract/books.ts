import type { LiveOrder, LivePackage } from '../../domain/booking/live-order.js';
import type { AdServerLine } from './ad-server.js';
import { demand } from './broken.js';
import type { ContractSession } from './session.js';

/** Throws ContractBrokenError unless the ad server has an order as it is: each package once, and nothing else. */
export async function demandBooks(session: ContractSession, order: LiveOrder): Promise<void> {
  const lines = await session.lines(order);
  const orders = new Set(lines.map((line) => line.order));
  demand(orders.size <= 1, `made ${orders.size} orders of ${order.media_buy_id}`);
  for (const line of order.packages) {
    const own = lines.filter(({ package_id }) => package_id === line.package_id);
    demandLine(order, line, own);
  }
  const names = order.packages.map(({ package_id }) => package_id);
  const strange = lines.find(({ package_id }) => !names.includes(package_id));
  demand(strange === undefined, `made a line for ${strange?.package_id}, which is no package of the order`);
}

function demandLine(order: LiveOrder, line: LivePackage, own: readonly AdServerLine[]): void {
  const { package_id } = line;
  const wanted = stateOf(order, line);
  demand(own.length <= 1, `made ${own.length} lines of ${package_id}`);
  const [there] = own;
  if (there === undefined) {
    demand(wanted === 'ended', `did not make a line of ${package_id}`);
    return;
  }
  const isStopped = line.state === 'completed' || order.state === 'completed';
  const isRight = isStopped ? there.state !== 'running' : there.state === wanted;
  demand(isRight, `left ${package_id} ${there.state}, which is to be ${wanted}`);
  if (wanted === 'ended') return;
  const goal = line.goal?.count;
  demand(goal === undefined || there.goal === goal, `gave ${package_id} a goal of ${there.goal} for ${goal}`);
  demand(there.price === line.price.amount, `gave ${package_id} a price of ${there.price} for ${line.price.amount}`);
  for (const name of ['start_time', 'end_time'] as const) {
    demand(isSameInstant(there[name], line[name]), `gave ${package_id} a ${name} of ${there[name]} for ${line[name]}`);
  }
  demandCreatives(line, there);
}

function demandCreatives({ creatives, package_id }: LivePackage, there: AdServerLine): void {
  const ids = creatives.map(({ creative_id }) => creative_id).toSorted();
  const running = [...there.creative_ids].toSorted();
  demand(running.join() === ids.join(), `lets ${running.join() || 'nothing'} run in ${package_id} for ${ids.join()}`);
  const pictures = creatives.flatMap(({ assets }) => Object.values(assets).flatMap(pictureOf)).toSorted();
  const shown = [...there.pictures].toSorted();
  demand(shown.join() === pictures.join(), `shows ${shown.join()} in ${package_id} for ${pictures.join()}`);
}

function pictureOf(asset: unknown): readonly string[] {
  const { asset_type, url } = (asset ?? {}) as { readonly asset_type?: unknown; readonly url?: unknown };
  return asset_type === 'image' && typeof url === 'string' ? [url] : [];
}

function stateOf(order: LiveOrder, line: LivePackage): AdServerLine['state'] {
  const states = [order.state, line.state];
  if (states.includes('canceled') || states.includes('completed')) return 'ended';
  const canRun = !states.includes('paused') && (line.creatives.length > 0 || !line.needs_creative);
  return canRun ? 'running' : 'paused';
}

function isSameInstant(one: string, other: string): boolean {
  return Math.floor(Date.parse(one) / 1000) === Math.floor(Date.parse(other) / 1000);
}
