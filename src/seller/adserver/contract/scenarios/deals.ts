import { DAY_MS, isoTime } from '../../../../platform/kernel/clock.js';
import type { Deal } from '../../../domain/booking/deals.js';
import { readForeignIds } from '../../../domain/booking/foreign-ids.js';
import type { LiveOrder } from '../../../domain/booking/live-order.js';
import type { AdServerDeal } from '../ad-server.js';
import { demand } from '../broken.js';
import { changeOrder, type SampleTerms, sampleOrder, samplePackage } from '../orders.js';
import type { Fault } from '../proxy.js';
import type { ContractSession } from '../session.js';
import { cancelOrder } from './changes.js';
import type { NamedFault, Scenario } from './scenario.js';

const { signal } = new AbortController();
/** More changes than an adapter should need for two packages with two deals each. */
const MAX_WRITES = 80;

const FAULTS: readonly NamedFault[] = [
  ['a time-out after the ad server did it', { moment: 'after', sight: 'silence' }],
  ['a connection that breaks after', { moment: 'after', sight: 'hang-up' }],
  ['a 500 before', { moment: 'before', sight: 'error' }],
  ['a kill -9 before', { moment: 'before', sight: 'crash' }],
  ['a kill -9 after', { moment: 'after', sight: 'crash' }],
];

/** The private deals of packages, of an adapter that declares that it makes them. */
export const DEALS: readonly Scenario[] = [
  dealScenario('makes a deal of each package for each of its DSPs, and answers their ids', async (session) => {
    const order = dealOrder(session.terms, 'mb_deals');
    await session.book(order);
    await demandDeals(session, order);
  }),
  dealScenario('changes deals with their packages: floor, flight and seats', async (session) => {
    const order = dealOrder(session.terms, 'mb_floor');
    await session.book(order);
    const deals = dealsOf(session.terms, { bidfloor: 9.5, wseat: ['seat-7', 'seat-8'] });
    const end_time = isoTime(Math.floor(session.terms.nowMs / DAY_MS + 30) * DAY_MS);
    const changed = changeOrder(order, {}, { deals, end_time });
    await session.book(changed);
    await demandDeals(session, changed);
  }),
  dealScenario('pauses the deals of what is paused, and lets them run again', async (session) => {
    const order = dealOrder(session.terms, 'mb_rest');
    await session.book(order);
    const paused = changeOrder(order, { state: 'paused' });
    await session.book(paused);
    await demandDeals(session, paused);
    const resumed = { ...order, revision: 3 };
    await session.book(resumed);
    await demandDeals(session, resumed);
  }),
  dealScenario('ends the deals of what is canceled', async (session) => {
    const order = dealOrder(session.terms, 'mb_ended');
    await session.book(order);
    await session.book(cancelOrder(order));
    await demandDeals(session, cancelOrder(order));
  }),
  dealScenario('finds deals by our ids alone', async (session) => {
    const order = dealOrder(session.terms, 'mb_lost_deals');
    await session.book(order);
    const deals = session.foreignOf(order).deals;
    session.forget();
    session.restart();
    const dealIds = readForeignIds(await (await session.adapter()).find?.(order, { signal }))?.deals;
    demand(JSON.stringify(sortIds(dealIds)) === JSON.stringify(sortIds(deals)), 'did not find the deals that it made');
    await session.book(order);
    await demandDeals(session, order);
  }),
  ...FAULTS.map(([what, fault]) =>
    dealScenario(`makes deals once whatever change meets ${what}`, async (session) => {
      for (let nth = 1; await strike(session, fault, nth); nth += 1)
        demand(nth < MAX_WRITES, `sent more than ${MAX_WRITES} changes`);
    }),
  ),
];

function dealScenario(name: string, run: (session: ContractSession) => Promise<void>): Scenario {
  return {
    name,
    run: async (session) => {
      if ((await session.adapter()).declaration.makes_deals !== true) return 'it makes no deals';
      if (session.adServer.deals === undefined) return 'its ad server shows no deals';
      await run(session);
      return undefined;
    },
  };
}

function dealsOf({ currency }: SampleTerms, more: Partial<Deal> = {}): readonly Deal[] {
  const terms = { bidfloor: 12, bidfloorcur: currency, at: 3, wadomain: ['brand.example'] } as const;
  return [
    { ...terms, dsp: 'dsp.example', wseat: ['seat-7'], ...more },
    { ...terms, dsp: 'other-dsp.example' },
  ];
}

function dealOrder(terms: SampleTerms, id: string): LiveOrder {
  const deals = dealsOf(terms);
  const packages = [samplePackage(terms, 'pkg_1', { deals }), samplePackage(terms, 'pkg_2', { deals })];
  return sampleOrder(terms, id, { packages });
}

/** Throws ContractBrokenError unless the ad server has the deals of an order as they are, each once, under the ids that were answered. */
async function demandDeals(session: ContractSession, order: LiveOrder): Promise<void> {
  const all = (await session.adServer.deals?.()) ?? [];
  const own = all.filter(({ media_buy_id }) => media_buy_id === order.media_buy_id);
  const wanted = order.packages.flatMap((line) => (line.deals ?? []).map((deal) => ({ deal, line })));
  demand(own.length === wanted.length, `made ${own.length} deals for ${wanted.length}`);
  const ids = session.foreignOf(order).deals ?? {};
  for (const { deal, line } of wanted) {
    const name = `${line.package_id}@${deal.dsp}`;
    const there = own.find((one) => one.package_id === line.package_id && one.dsp === deal.dsp);
    demand(there !== undefined, `made no deal of ${name}`);
    demand(ids[name] === there?.id, `answered ${ids[name]} for the deal ${there?.id} of ${name}`);
    const shown = JSON.stringify(there && termsOf(there));
    const state = stateOf(order, line);
    const terms = JSON.stringify(termsOf({ ...deal, state, start_time: line.start_time, end_time: line.end_time }));
    demand(shown === terms, `has ${shown} of ${name} for ${terms}`);
  }
}

function termsOf({
  at,
  bidfloor,
  bidfloorcur,
  end_time,
  start_time,
  state,
  wseat,
}: Omit<AdServerDeal, 'id' | 'media_buy_id' | 'package_id' | 'dsp'>) {
  return [state, bidfloor, bidfloorcur, at, Date.parse(start_time), Date.parse(end_time), ...(wseat ?? [])];
}

function stateOf(order: LiveOrder, line: LiveOrder['packages'][number]): AdServerDeal['state'] {
  const states = [order.state, line.state];
  if (states.includes('canceled') || states.includes('completed')) return 'ended';
  return states.includes('paused') ? 'paused' : 'running';
}

function sortIds(ids: Readonly<Record<string, string>> = {}) {
  return Object.entries(ids).toSorted(([one], [other]) => one.localeCompare(other));
}

async function strike(session: ContractSession, fault: Fault, nth: number): Promise<boolean> {
  await session.adServer.reset();
  session.forget();
  const order = dealOrder(session.terms, 'mb_deal_storm');
  await session.arm(fault, nth);
  const armed = await session.proxy();
  await session.book(order);
  await demandDeals(session, order);
  const { isArmed } = armed;
  session.restart();
  return !isArmed;
}
