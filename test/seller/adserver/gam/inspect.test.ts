import { expect, it } from 'vitest';
import type { BookedOrder } from '../../../../src/seller/adserver/port/delivery.js';
import { describeDrift, findDrift } from '../../../../src/seller/domain/booking/drift.js';
import { GAM_START, openGam } from '../../../kit/gam/adapter.js';
import { GAM_LINE, GAM_ORDER } from '../../../kit/gam/order.js';
import type { FakeGam } from '../../../kit/gam/server.js';

const ORDERS = 500;
/** What a network that is not of the larger kind may be asked a second, by REST and SOAP together. */
const PER_SECOND = 2;
const MORNING = [{ days: ['monday'], start_hour: 6, end_hour: 12 }];
const ORDER = {
  ...GAM_ORDER,
  packages: [GAM_LINE, { ...GAM_LINE, package_id: 'pkg_2', creatives: [], targeting: { daypart_targets: MORNING } }],
};

/** Puts more orders there that are like the one that was booked: booking them takes longer than the test. */
function multiply({ state }: Pick<FakeGam, 'state'>, foreign: BookedOrder['foreign']): readonly BookedOrder[] {
  const order = state.orders.get(foreign.order ?? '') ?? expect.fail('no order');
  const lines = [...state.lines.values()];
  const associations = [...state.associations];
  state.network.page = 500;
  return Array.from({ length: ORDERS }, (_, at) => {
    const media_buy_id = `mb_${at}`;
    if (at === 0) return { order: { ...ORDER, media_buy_id }, foreign };
    const id = state.nextId();
    state.orders.set(id, { ...order, id });
    const packages = lines.map((line) => {
      const lineId = state.nextId();
      state.lines.set(lineId, { ...line, id: lineId, rest: { ...line.rest, order: state.nameOf('orders', id) } });
      for (const one of associations)
        if (one.lineItemId === line.id) state.associations.push({ ...one, lineItemId: lineId });
      return [line.rest.externalLineItemId, lineId];
    });
    return {
      order: { ...ORDER, media_buy_id },
      foreign: { ...foreign, order: id, packages: Object.fromEntries(packages) as Record<string, string> },
    };
  });
}

/** Books an order, lets there be many like it, and tells what is otherwise than it was booked each time they are read. */
async function setUp() {
  const gam = await openGam();
  await gam.book(ORDER);
  const orders = multiply(gam, gam.foreign() ?? {});
  const drift = async (): Promise<readonly string[]> => {
    const before = gam.calls.length;
    const found = (await gam.adapter.inspect?.(orders, { signal: gam.signal })) ?? [];
    expect(gam.calls.length - before, 'half of what may be asked in a minute').toBeLessThan((PER_SECOND * 60) / 2);
    return orders.flatMap(({ order }, at) => {
      const differs = findDrift(order, found[at]?.packages ?? [], GAM_START);
      return differs.map((one) => `${order.media_buy_id} ${describeDrift([one])}`);
    });
  };
  return { drift, ...gam };
}

it('500 orders are read in half of what a network may be asked in a minute, whatever was deleted, paused or taken away there', async () => {
  const { drift, state } = await setUp();
  expect(await drift()).toEqual([]);
  const [first, , third] = [...state.lines.values()].slice(-4);
  state.lines.delete(first?.id ?? '');
  Object.assign(third ?? {}, { isPaused: true });
  const [shown] = state.associations;
  Object.assign(shown ?? {}, { status: 'INACTIVE' });
  expect(await drift()).toEqual([
    'mb_0 pkg_1: creatives none of them, booked banner',
    'mb_498 pkg_1: state missing, booked running',
    'mb_499 pkg_1: state paused, booked running',
  ]);
});

it('parts of days are read by SOAP, of lines that were changed first, and seen where they are others or there were none', async () => {
  const { adapter, book, fail, foreign, signal, state } = await openGam();
  await book(ORDER);
  const drift = async () => {
    const [found] = (await adapter.inspect?.([{ order: ORDER, foreign: foreign() ?? {} }], { signal })) ?? [];
    return describeDrift(findDrift(ORDER, found?.packages ?? [], GAM_START));
  };
  const [all, morning] = state.lines.values();
  const { dayParts = [] } = morning ?? {};
  expect(await drift()).toBe('');
  Object.assign(morning ?? {}, { dayParts: [] });
  expect(await drift()).toBe('pkg_2: targeting another, booked as ordered');
  Object.assign(morning ?? {}, { dayParts });
  Object.assign(all ?? {}, { dayParts });
  expect(await drift()).toBe('pkg_1: targeting another, booked as ordered');
  Object.assign(all ?? {}, { dayParts: [] });
  expect(await drift()).toBe('');
  // Where SOAP is away, the rest is seen.
  Object.assign(all ?? {}, { dayParts });
  fail(/soap/, ...Array.from({ length: 8 }, () => 'html' as const));
  expect(await drift()).toBe('');
});
