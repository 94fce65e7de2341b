import type { LiveOrder } from '../../../domain/booking/live-order.js';
import type { DeliveryRow } from '../../port/delivery.js';
import { demand, fail } from '../broken.js';
import { sampleOrder } from '../orders.js';
import type { Fault } from '../proxy.js';
import type { ContractSession } from '../session.js';
import { deliverDays, requestOf, sumImpressions } from './delivery.js';
import { type NamedFault, type Scenario, scenario } from './scenario.js';

/** More requests than a report should need. */
const MAX_REQUESTS = 40;
/** So many requests of an inspection go wrong, one in each round. */
const INSPECTED = [1, 2, 3, 4, 5];
const DELIVERED = 4200;

/** Returns the scenarios of what only reads: nothing is lost of a report, and nothing is taken for deleted, whatever goes wrong on the way. */
export function readingIn(weather: readonly NamedFault[]): readonly Scenario[] {
  return [
    ...weather.map(([what, fault]) =>
      scenario(`reads a report whole whatever request meets ${what}`, async (session) => {
        for (let nth = 1; await strikeReport(session, fault, nth); nth += 1)
          demand(nth < MAX_REQUESTS, `sent more than ${MAX_REQUESTS} requests for a report`);
      }),
    ),
    ...weather.map(
      ([what, fault]): Scenario => ({
        name: `takes nothing for deleted where inspect meets ${what}`,
        run: async (session) => {
          if ((await session.adapter()).inspect === undefined) return 'it has no inspect';
          const order = sampleOrder(session.terms, 'mb_watched');
          await session.book(order);
          for (const nth of INSPECTED) await strikeInspection(session, order, { fault, nth });
          return undefined;
        },
      }),
    ),
  ];
}

/** Lets one request for a report go wrong; returns whether there was one. */
async function strikeReport(session: ContractSession, fault: Fault, nth: number): Promise<boolean> {
  await session.adServer.reset();
  session.forget();
  const order = sampleOrder(session.terms, 'mb_reported');
  await session.book(order);
  await deliverDays(session, order, { 1: DELIVERED });
  await session.arm(fault, nth, true);
  const armed = await session.proxy();
  const read = sumImpressions(await readReport(session, order));
  demand(read === DELIVERED, `read ${read} impressions for ${DELIVERED}`);
  const { isArmed } = armed;
  session.restart();
  return !isArmed;
}

async function readReport(session: ContractSession, order: LiveOrder): Promise<readonly DeliveryRow[]> {
  const request = requestOf(session, order, [1, 1]);
  let job: string | undefined;
  for (let call = 0; call < MAX_REQUESTS; call += 1) {
    const answer = await session.ask((adapter, signal) => adapter.delivery(request, { job, signal }));
    if (answer.kind === 'rows') return answer.rows;
    job = answer.job;
  }
  return fail(`did not have its report after ${MAX_REQUESTS} calls`);
}

type Strike = { readonly fault: Fault; readonly nth: number };

async function strikeInspection(session: ContractSession, order: LiveOrder, { fault, nth }: Strike): Promise<void> {
  await session.arm(fault, nth, true);
  const booked = session.bookedOrder(order);
  const inspections = await session.ask(
    async (adapter, signal) => (await adapter.inspect?.([booked], { signal })) ?? [],
  );
  const states = (inspections[0]?.packages ?? []).map(({ package_id, state }) => `${package_id} ${state}`);
  const seen = states.toSorted().join(', ');
  demand(seen === 'pkg_1 running, pkg_2 running', `sees ${seen || 'nothing'} of an order that runs`);
  session.restart();
}
