import type { LiveOrder } from '../../../domain/booking/live-order.js';
import { demandBooks } from '../books.js';
import { demand } from '../broken.js';
import { changeOrder, sampleCreative, sampleOrder } from '../orders.js';
import type { Fault } from '../proxy.js';
import type { ContractSession } from '../session.js';
import { cancelOrder } from './changes.js';
import { readingIn } from './reading.js';
import { type NamedFault, type Scenario, scenario } from './scenario.js';

/** What goes wrong with a request, for people. */
const FAULTS: readonly NamedFault[] = [
  ['a time-out before the ad server did it', { moment: 'before', sight: 'silence' }],
  ['a time-out after the ad server did it', { moment: 'after', sight: 'silence' }],
  ['a connection that breaks before', { moment: 'before', sight: 'hang-up' }],
  ['a connection that breaks after', { moment: 'after', sight: 'hang-up' }],
  ['a 500 before', { moment: 'before', sight: 'error' }],
  ['a 500 after', { moment: 'after', sight: 'error' }],
  ['an HTML page before', { moment: 'before', sight: 'page' }],
  ['an HTML page after', { moment: 'after', sight: 'page' }],
  ['a 429 with Retry-After', { moment: 'before', sight: 'throttle' }],
  ['a key that has expired', { moment: 'before', sight: 'key' }],
  ['a kill -9 before', { moment: 'before', sight: 'crash' }],
  ['a kill -9 after', { moment: 'after', sight: 'crash' }],
];

/** Something that is done while that happens; `undefined` before is an order that nobody has booked. */
type OrderStep = readonly [name: string, change: ((order: LiveOrder) => LiveOrder) | undefined];

const STEPS: readonly OrderStep[] = [
  ['books an order once', undefined],
  ['changes a budget', (order) => changeOrder(order, {}, { goal: { unit: 'impressions', count: 170_000 } })],
  ['pauses an order', (order) => changeOrder(order, { state: 'paused' })],
  ['cancels an order', cancelOrder],
  ['replaces creatives', (order) => changeOrder(order, {}, { creatives: [sampleCreative('fresh', 'pkg_1')] })],
];

/** More changes than an adapter should need for two packages. */
const MAX_WRITES = 60;

/** Each step under each fault, at every change that it sends, one after the other. */
export const BAD_WEATHER: readonly Scenario[] = [
  ...STEPS.flatMap(([step, change]) =>
    FAULTS.map(([what, fault]) =>
      scenario(`${step} whatever change meets ${what}`, async (session) => {
        for (let nth = 1; await strike(session, change, { fault, nth }); nth += 1) {
          demand(nth < MAX_WRITES, `sent more than ${MAX_WRITES} changes`);
        }
      }),
    ),
  ),
  ...FAULTS.filter(([, { moment }]) => moment === 'before').map(([what, fault]) =>
    scenario(`books an order once where a look-up meets ${what}`, async (session) => {
      for (const nth of [1, 2, 5]) await strike(session, undefined, { fault, nth, isOfReads: true });
    }),
  ),
  ...readingIn(FAULTS),
  scenario(
    'says that an ad server which does not answer is to be tried later, and books once it does',
    async (session) => {
      const order = sampleOrder(session.terms, 'mb_down');
      for (let outage = 0; outage < 3; outage += 1) {
        await session.arm({ moment: 'before', sight: 'crash' }, 1, outage > 0);
        const { kind } = await session.attempt(order);
        demand(kind !== 'refused' && kind !== 'booked', `called it ${kind}`);
      }
      await session.book(order);
      await demandBooks(session, order);
    },
  ),
  scenario('never tells the key in an error', async (session) => {
    await session.arm({ moment: 'before', sight: 'key' }, 1, true);
    const { reason } = await session.attempt(sampleOrder(session.terms, 'mb_key'));
    const settings = session.adServer.settings(session.adServer.url);
    const secrets = Object.entries(settings).filter(([name]) => /key|token|secret|password/i.test(name));
    const leaked = secrets.find(([, secret]) => typeof secret === 'string' && reason.includes(secret));
    demand(leaked === undefined, `told ${leaked?.[0]}: ${reason}`);
  }),
];

type Strike = { readonly fault: Fault; readonly nth: number; readonly isOfReads?: boolean };

/** Lets one request of a deed go wrong; returns whether there was one. */
async function strike(
  session: ContractSession,
  change: OrderStep[1],
  { fault, nth, isOfReads }: Strike,
): Promise<boolean> {
  await session.adServer.reset();
  session.forget();
  const order = sampleOrder(session.terms, 'mb_storm');
  if (change !== undefined) await session.book(order);
  const wanted = change === undefined ? order : change(order);
  await session.arm(fault, nth, isOfReads);
  const armed = await session.proxy();
  await session.book(wanted);
  await demandBooks(session, wanted);
  const { isArmed } = armed;
  session.restart();
  return !isArmed;
}
