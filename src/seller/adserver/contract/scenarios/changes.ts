import { DAY_MS, isoTime } from '../../../../platform/kernel/clock.js';
import type { LiveOrder, LivePackage } from '../../../domain/booking/live-order.js';
import { demandBooks } from '../books.js';
import { demand } from '../broken.js';
import { changeOrder, sampleCreative, sampleOrder, samplePackage } from '../orders.js';
import type { ContractSession } from '../session.js';
import { type Scenario, scenario } from './scenario.js';

/** A change of an order that is booked. */
type Change = readonly [name: string, change: (order: LiveOrder, session: ContractSession) => LiveOrder];

/** Returns an order whose every package is canceled with it. */
export function cancelOrder(order: LiveOrder): LiveOrder {
  const packages = order.packages.map((line) => ({ ...line, state: 'canceled' as const }));
  return { ...order, revision: order.revision + 1, state: 'canceled', packages };
}

const goal = (count: number): Partial<LivePackage> => ({ budget: count / 200, goal: { unit: 'impressions', count } });

const CHANGES: readonly Change[] = [
  ['raises a budget', (order) => changeOrder(order, {}, goal(250_000))],
  ['lowers a budget', (order) => changeOrder(order, {}, goal(50_000))],
  [
    'moves the end of a flight',
    (order, { terms }) => changeOrder(order, {}, { end_time: isoTime(Math.floor(terms.nowMs / DAY_MS + 30) * DAY_MS) }),
  ],
  ['changes a price', (order) => changeOrder(order, {}, { price: { model: 'cpm', amount: 6.5, kind: 'fixed' } })],
  ['pauses a package', (order) => changeOrder(order, {}, { state: 'paused' })],
  ['pauses an order', (order) => changeOrder(order, { state: 'paused' })],
  ['cancels a package and lets the other run', (order) => changeOrder(order, {}, { state: 'canceled' })],
  ['cancels an order', cancelOrder],
  ['completes an order before its time', (order) => changeOrder(order, { state: 'completed' })],
  [
    'adds a package',
    (order, { terms }) => changeOrder(order, { packages: [...order.packages, samplePackage(terms, 'pkg_3')] }),
  ],
  ['replaces the picture of a creative', (order) => changeOrder(order, {}, { creatives: [creativeOf(order, 2)] })],
  [
    'replaces a creative by another',
    (order) => changeOrder(order, {}, { creatives: [sampleCreative('fresh', 'pkg_1')] }),
  ],
  [
    'adds a creative beside the first',
    (order) => changeOrder(order, {}, { creatives: [creativeOf(order, 1), sampleCreative('second', 'pkg_1')] }),
  ],
  ['takes the last creative away, and the package stops', (order) => changeOrder(order, {}, { creatives: [] })],
  [
    'shows one creative in two packages',
    (order) =>
      changeOrder(order, {
        packages: order.packages.map((line) => ({ ...line, creatives: [sampleCreative('shared', line.package_id)] })),
      }),
  ],
  [
    'takes several changes at once, of revisions that it never saw',
    (order) => ({
      ...changeOrder(order, {}, { ...goal(300_000), state: 'paused', creatives: [creativeOf(order, 5)] }),
      revision: 9,
    }),
  ],
];

function creativeOf({ packages }: LiveOrder, version: number) {
  return sampleCreative(packages[0]?.creatives[0]?.creative_id ?? 'a', 'pkg_1', version);
}

/** Changing what is booked. */
export const CHANGING: readonly Scenario[] = [
  ...CHANGES.map(([name, change]) =>
    scenario(name, async (session) => {
      const order = sampleOrder(session.terms, 'mb_change');
      await session.book(order);
      const changed = change(order, session);
      await session.book(changed);
      await demandBooks(session, changed);
    }),
  ),
  scenario('resumes what was paused', async (session) => {
    const order = sampleOrder(session.terms, 'mb_resume');
    await session.book(order);
    await session.book(changeOrder(order, { state: 'paused' }, { state: 'paused' }));
    const resumed = changeOrder(order, {});
    await session.book(resumed);
    await demandBooks(session, resumed);
  }),
  scenario('goes back to what was before a change', async (session) => {
    const order = sampleOrder(session.terms, 'mb_back');
    await session.book(order);
    await session.book(changeOrder(order, {}, { ...goal(400_000), creatives: [creativeOf(order, 2)] }));
    await session.book({ ...order, revision: 3 });
    await demandBooks(session, order);
  }),
  scenario('leaves other orders as they are', async (session) => {
    const [one, other] = [sampleOrder(session.terms, 'mb_left'), sampleOrder(session.terms, 'mb_right')];
    await session.book(one);
    await session.book(other);
    await session.book(cancelOrder(one));
    await demandBooks(session, other);
  }),
  scenario('cancels without the ids of what it made', async (session) => {
    const order = sampleOrder(session.terms, 'mb_cancel');
    await session.book(order);
    session.forget();
    await session.book(cancelOrder(order));
    await demandBooks(session, cancelOrder(order));
  }),
];

/** What the ad server will not have. */
export const REFUSALS: readonly Scenario[] = [
  scenario('says that an order is refused which the ad server refuses, and leaves nothing to run', async (session) => {
    const order = session.adServer.spoil(sampleOrder(session.terms, 'mb_refused'));
    const { kind, reason } = await session.settle(order);
    demand(kind === 'refused', `did not throw OrderRefusedError for ${reason || 'an order that was refused'}`);
    demand(reason.length > 0 && reason.length <= 1000, 'gave no reason that a buyer could read');
    const running = (await session.lines(order)).filter(({ state }) => state === 'running');
    demand(running.length === 0, `left ${running.length} lines to run`);
  }),
  scenario('lets what is booked run on where a change of it is refused', async (session) => {
    const order = sampleOrder(session.terms, 'mb_kept');
    await session.book(order);
    const { kind } = await session.settle(session.adServer.spoil(changeOrder(order, {})));
    demand(kind === 'refused', 'did not throw OrderRefusedError');
    await session.book({ ...order, revision: 3 });
    await demandBooks(session, order);
  }),
  scenario('does not refuse an order for a product that the operator has mapped wrongly', async (session) => {
    const adapter = session.adServer.unknownProduct;
    const order = sampleOrder(session.terms, 'mb_map', {
      packages: [samplePackage(session.terms, 'pkg_1', { adapter })],
    });
    const { kind } = await session.attempt(order);
    demand(kind === 'later' || kind === 'unknown', `called it ${kind}, though no buyer can mend it`);
    const mended = sampleOrder(session.terms, 'mb_map', { packages: [samplePackage(session.terms, 'pkg_1')] });
    await session.book(mended);
    await demandBooks(session, mended);
  }),
];
