import { DAY_MS, HOUR_MS, isoTime } from '../../../../platform/kernel/clock.js';
import { readForeignIds } from '../../../domain/booking/foreign-ids.js';
import { demandBooks } from '../books.js';
import { demand } from '../broken.js';
import { changeOrder, sampleCreative, sampleOrder, samplePackage } from '../orders.js';
import { type Scenario, scenario } from './scenario.js';

const { signal } = new AbortController();

/** Booking what nobody has booked, and finding it again. */
export const BOOKING: readonly Scenario[] = [
  scenario('books an order with each of its packages once', async (session) => {
    const order = sampleOrder(session.terms, 'mb_once');
    await session.book(order);
    await demandBooks(session, order);
  }),
  scenario('changes nothing where an order is booked again as it is', async (session) => {
    const order = sampleOrder(session.terms, 'mb_again');
    await session.book(order);
    const { writes } = await session.proxy();
    await session.book(order);
    const now = await session.proxy();
    demand(now.writes === writes, `sent ${now.writes - writes} changes for an order that had not changed`);
    await demandBooks(session, order);
  }),
  scenario('answers ids of the order and of each package, as strings', async (session) => {
    const order = sampleOrder(session.terms, 'mb_ids');
    await session.book(order);
    const foreign = session.foreignOf(order);
    demand(foreign.order !== undefined, 'did not answer an id of the order');
    const lines = await session.lines(order);
    for (const { id, package_id } of lines) {
      demand(foreign.packages?.[package_id] === id, `answered ${foreign.packages?.[package_id]} for the line ${id}`);
    }
  }),
  scenario('stores ids while it books, so that a process that dies has them', async (session) => {
    const order = sampleOrder(session.terms, 'mb_saves');
    await session.book(order);
    demand(session.savedOf(order) > 0, 'did not call saveIds');
  }),
  scenario('finds an order by our ids alone', async (session) => {
    const order = sampleOrder(session.terms, 'mb_found');
    await session.book(order);
    const booked = session.foreignOf(order);
    session.restart();
    const { find } = await session.adapter();
    demand(find !== undefined, 'has no find, so that what a time-out left behind is lost');
    const ids = readForeignIds(await (await session.adapter()).find?.(order, { signal }));
    demand(ids?.order === booked.order, `found the order ${ids?.order} for ${booked.order}`);
    demand(Object.keys(ids?.packages ?? {}).length === 2, 'did not find both lines');
  }),
  scenario('finds nothing of an order that is not there', async (session) => {
    await session.book(sampleOrder(session.terms, 'mb_there'));
    const ids = await (await session.adapter()).find?.(sampleOrder(session.terms, 'mb_the'), { signal });
    demand(ids === undefined, 'found an order that nobody booked');
  }),
  scenario('makes nothing twice where all ids were lost', async (session) => {
    const order = sampleOrder(session.terms, 'mb_lost');
    await session.book(order);
    session.forget();
    session.restart();
    await session.book(order);
    await demandBooks(session, order);
  }),
  scenario('keeps two orders of one brand apart', async (session) => {
    const [one, other] = [sampleOrder(session.terms, 'mb_1'), sampleOrder(session.terms, 'mb_11')];
    await session.book(one);
    await session.book(other);
    await demandBooks(session, one);
    await demandBooks(session, other);
  }),
  scenario('finds an order under a long name in any script', async (session) => {
    const name = 'Frühling 春 🌷 <&"\' '.repeat(40);
    const packages = [samplePackage(session.terms, 'pkg_1', { name })];
    const order = sampleOrder(session.terms, 'mb_names', { name, packages });
    await session.book(order);
    session.forget();
    await session.book(order);
    await demandBooks(session, order);
  }),
  scenario('books an order of twenty packages', async (session) => {
    const packages = Array.from({ length: 20 }, (_, index) => samplePackage(session.terms, `pkg_${index + 1}`));
    const order = sampleOrder(session.terms, 'mb_many', { packages });
    await session.book(order);
    await demandBooks(session, order);
  }),
  scenario('books an order whose start has passed by the time it arrives', async (session) => {
    const start_time = isoTime(session.terms.nowMs - HOUR_MS);
    const packages = [samplePackage(session.terms, 'pkg_1', { start_time })];
    const order = sampleOrder(session.terms, 'mb_now', { start_time, packages });
    await session.book(order);
    const [line] = await session.lines(order);
    demand(line?.state === 'running', 'did not let it run');
  }),
  scenario('books a flight from and to odd minutes, across a change of summer time', async (session) => {
    const year = new Date(session.terms.nowMs).getUTCFullYear() + 1;
    const flight = { start_time: `${year}-03-25T00:17:00Z`, end_time: `${year}-11-09T23:43:00Z` };
    const order = sampleOrder(session.terms, 'mb_dst', { packages: [samplePackage(session.terms, 'pkg_1', flight)] });
    await session.book(order);
    await demandBooks(session, order);
  }),
  scenario('books prices to the cent, in the currency that it declares', async (session) => {
    const price = { model: 'cpm', amount: 4.37, kind: 'fixed' } as const;
    const order = sampleOrder(session.terms, 'mb_price', {
      packages: [samplePackage(session.terms, 'pkg_1', { price })],
    });
    await session.book(order);
    await demandBooks(session, order);
  }),
  scenario('does not let an order run that is paused before it is booked', async (session) => {
    const order = sampleOrder(session.terms, 'mb_held', { state: 'paused' });
    await session.book(order);
    await demandBooks(session, order);
  }),
  scenario('does not let a package run that has no creative yet', async (session) => {
    const packages = [samplePackage(session.terms, 'pkg_1', { creatives: [] })];
    const order = sampleOrder(session.terms, 'mb_bare', { packages });
    await session.book(order);
    await demandBooks(session, order);
    const creatives = [sampleCreative('late', 'pkg_1')];
    const supplied = changeOrder(order, {}, { creatives });
    await session.book(supplied);
    await demandBooks(session, supplied);
  }),
  scenario('leaves nothing to run of an order that was canceled before it was booked', async (session) => {
    const order = sampleOrder(session.terms, 'mb_never');
    const packages = order.packages.map((line) => ({ ...line, state: 'canceled' as const }));
    await session.book({ ...order, state: 'canceled', packages });
    const running = (await session.lines(order)).filter(({ state }) => state !== 'ended');
    demand(running.length === 0, `left ${running.length} lines that are not ended`);
  }),
  ...[DAY_MS, -DAY_MS].map((skewMs) =>
    scenario(
      `books the flight that was ordered where our clock is a day ${skewMs > 0 ? 'ahead' : 'behind'}`,
      async (session) => {
        session.clockSkewMs = skewMs;
        const order = sampleOrder(session.terms, 'mb_skew');
        await session.book(order);
        await demandBooks(session, order);
      },
    ),
  ),
];
