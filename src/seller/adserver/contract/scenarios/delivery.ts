import { DAY_MS, isoTime } from '../../../../platform/kernel/clock.js';
import type { LiveOrder } from '../../../domain/booking/live-order.js';
import type { DeliveryAnswer, DeliveryRequest, DeliveryRow } from '../../port/delivery.js';
import { demandBooks } from '../books.js';
import { demand, fail } from '../broken.js';
import { changeOrder, sampleCreative, sampleOrder } from '../orders.js';
import type { ContractSession } from '../session.js';
import { type Scenario, scenario } from './scenario.js';

const { signal } = new AbortController();
const MAX_POLLS = 20;

/** Returns the day so many days from now. */
function dayIn({ terms }: ContractSession, days: number): string {
  return isoTime(terms.nowMs + days * DAY_MS).slice(0, 10);
}

/** Asks until the report is there, as the seller does. */
async function readRows(session: ContractSession, request: DeliveryRequest): Promise<readonly DeliveryRow[]> {
  let job: string | undefined;
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const answer: DeliveryAnswer = await (await session.adapter()).delivery(request, { job, signal });
    if (answer.kind === 'rows') return answer.rows;
    job = answer.job;
    demand(job.length >= 1 && job.length <= 500, 'answered a handle of no or more than 500 characters');
    // The handle outlives the process.
    session.restart();
  }
  return fail(`did not have its report after ${MAX_POLLS} calls`);
}

/** Books an order and lets its first line deliver on days from now. */
export async function deliverDays(
  session: ContractSession,
  order: LiveOrder,
  days: Readonly<Record<number, number>>,
): Promise<void> {
  const line = (await session.lines(order)).find(({ package_id }) => package_id === 'pkg_1');
  if (line === undefined) return fail('did not make a line of pkg_1');
  for (const [day, impressions] of Object.entries(days)) {
    const row = { creative_id: line.creative_ids[0], date: dayIn(session, Number(day)), impressions };
    await session.adServer.deliver(line, row);
  }
}

/** Returns the request for the delivery of an order on days from now. */
export function requestOf(
  session: ContractSession,
  order: LiveOrder,
  [from, to]: readonly [number, number],
): DeliveryRequest {
  return { orders: [session.bookedOrder(order)], from_date: dayIn(session, from), to_date: dayIn(session, to) };
}

/** Returns the impressions of rows, or of those of a day. */
export function sumImpressions(rows: readonly DeliveryRow[], date?: string): number {
  return rows.filter((row) => date === undefined || row.date === date).reduce((sum, row) => sum + row.impressions, 0);
}

/** Reading what was delivered. */
export const DELIVERY: readonly Scenario[] = [
  scenario('reads what packages delivered by day, the first and the last day too', async (session) => {
    const order = sampleOrder(session.terms, 'mb_days');
    await session.book(order);
    await deliverDays(session, order, { 1: 100, 2: 200, 3: 300 });
    const rows = await readRows(session, requestOf(session, order, [1, 3]));
    for (const day of [1, 2, 3]) {
      const read = sumImpressions(rows, dayIn(session, day));
      demand(read === day * 100, `read ${read} impressions of day ${day} for ${day * 100}`);
    }
    demand(
      rows.every(({ package_id }) => package_id === 'pkg_1'),
      'gave rows to another package',
    );
  }),
  scenario('reads the days that are asked for and no others', async (session) => {
    const order = sampleOrder(session.terms, 'mb_window');
    await session.book(order);
    await deliverDays(session, order, { 1: 100, 2: 200, 3: 300 });
    const rows = await readRows(session, requestOf(session, order, [2, 2]));
    demand(sumImpressions(rows) === 200, `read ${sumImpressions(rows)} impressions of one day for 200`);
  }),
  scenario('reads corrections that come late, also those that take away', async (session) => {
    const order = sampleOrder(session.terms, 'mb_late');
    await session.book(order);
    await deliverDays(session, order, { 1: 500 });
    await readRows(session, requestOf(session, order, [1, 1]));
    await deliverDays(session, order, { 1: 420 });
    const rows = await readRows(session, requestOf(session, order, [1, 1]));
    demand(sumImpressions(rows) === 420, `read ${sumImpressions(rows)} impressions for 420`);
  }),
  scenario('answers no rows where nothing was delivered', async (session) => {
    const order = sampleOrder(session.terms, 'mb_none');
    await session.book(order);
    demand(sumImpressions(await readRows(session, requestOf(session, order, [1, 3]))) === 0, 'made something up');
  }),
  scenario('keeps the delivery of two orders apart', async (session) => {
    const [one, other] = [sampleOrder(session.terms, 'mb_one'), sampleOrder(session.terms, 'mb_two')];
    await session.book(one);
    await session.book(other);
    await deliverDays(session, one, { 1: 10 });
    await deliverDays(session, other, { 1: 1000 });
    const rows = await readRows(session, requestOf(session, one, [1, 1]));
    demand(sumImpressions(rows) === 10, `read ${sumImpressions(rows)} impressions for 10`);
  }),
  {
    name: 'tells creatives apart by our ids, where it declares that',
    run: async (session) => {
      const { declaration } = await session.adapter();
      if (!declaration.has_creative_delivery) return 'it declares has_creative_delivery: false';
      const order = sampleOrder(session.terms, 'mb_creatives');
      await session.book(order);
      await deliverDays(session, order, { 1: 60 });
      await session.book(changeOrder(order, {}, { creatives: [sampleCreative('fresh', 'pkg_1')] }));
      await deliverDays(session, order, { 2: 40 });
      const rows = await readRows(session, requestOf(session, order, [1, 2]));
      const read = rows.map(({ creative_id, impressions }) => `${creative_id} ${impressions}`).toSorted();
      demand(read.join() === 'banner_pkg_1 60,fresh 40', `read ${read.join()}`);
      return undefined;
    },
  },
  scenario('reads what was delivered before an order was canceled', async (session) => {
    const order = sampleOrder(session.terms, 'mb_over');
    await session.book(order);
    await deliverDays(session, order, { 1: 70 });
    const packages = order.packages.map((line) => ({ ...line, state: 'canceled' as const }));
    await session.book({ ...order, revision: 2, state: 'canceled', packages });
    const rows = await readRows(session, requestOf(session, order, [1, 1]));
    demand(sumImpressions(rows) === 70, `read ${sumImpressions(rows)} impressions for 70`);
  }),
  scenario(
    'waits for a report that does not end without holding anybody up, and reads it in the end',
    async (session) => {
      const order = sampleOrder(session.terms, 'mb_slow');
      await session.book(order);
      await deliverDays(session, order, { 1: 30 });
      session.adServer.holdReports(true);
      const request = requestOf(session, order, [1, 1]);
      const first = await (await session.adapter()).delivery(request, { job: undefined, signal });
      session.adServer.holdReports(false);
      if (first.kind === 'rows')
        return demand(sumImpressions(first.rows) === 30, 'answered a report that had not ended');
      session.clockSkewMs = DAY_MS;
      session.restart();
      const again = await (await session.adapter()).delivery(request, { job: first.job, signal });
      const rows = again.kind === 'rows' ? again.rows : await readRows(session, request);
      demand(sumImpressions(rows) === 30, `read ${sumImpressions(rows)} impressions for 30`);
    },
  ),
];

/** What people do there by hand. */
export const DRIFT: readonly Scenario[] = [
  {
    name: 'sees what is there, and what a person has paused or deleted there',
    run: async (session) => {
      const adapter = await session.adapter();
      if (adapter.inspect === undefined) return 'it has no inspect';
      const order = sampleOrder(session.terms, 'mb_seen');
      await session.book(order);
      const [first, second] = await session.lines(order);
      if (first === undefined || second === undefined) return fail('did not make both lines');
      const inspected = await inspectStates(session, order);
      demand(inspected === 'pkg_1 running, pkg_2 running', `sees ${inspected}`);
      await session.adServer.removeByHand(first);
      await session.adServer.pauseByHand(second);
      const drifted = await inspectStates(session, order);
      const wanted = [`${first.package_id} missing`, `${second.package_id} paused`].toSorted().join(', ');
      demand(drifted === wanted, `sees ${drifted} for ${wanted}`);
      return undefined;
    },
  },
  scenario('makes a line again, once, that a person has deleted', async (session) => {
    const order = sampleOrder(session.terms, 'mb_gone');
    await session.book(order);
    const [line] = await session.lines(order);
    if (line !== undefined) await session.adServer.removeByHand(line);
    await session.book({ ...order, revision: 2 });
    await session.book({ ...order, revision: 3 });
    await demandBooks(session, order);
  }),
  scenario('lets a line run again that a person has paused, at the next change', async (session) => {
    const order = sampleOrder(session.terms, 'mb_hand');
    await session.book(order);
    const [line] = await session.lines(order);
    if (line !== undefined) await session.adServer.pauseByHand(line);
    await session.book({ ...order, revision: 2 });
    await demandBooks(session, order);
  }),
];

async function inspectStates(session: ContractSession, order: LiveOrder): Promise<string> {
  const adapter = await session.adapter();
  const [inspected] = (await adapter.inspect?.([session.bookedOrder(order)], { signal })) ?? [];
  return (inspected?.packages ?? [])
    .map(({ package_id, state }) => `${package_id} ${state}`)
    .toSorted()
    .join(', ');
}
