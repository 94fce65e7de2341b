import { expect, it } from 'vitest';
import { openGam } from '../../../kit/gam/adapter.js';
import { GAM_LINE, GAM_ORDER } from '../../../kit/gam/order.js';

const NEW = { booked: undefined, foreign: undefined };

/** Opens a network with so much left of so much, and checks an order that is sold as a part of it, or by its impressions. */
async function setUp(left: { readonly availableUnits: number; readonly matchedUnits?: number | undefined }) {
  const { adapter, fail, signal, state } = await openGam();
  Object.assign(state.network, left);
  const check = async (line: object, booked = false) => {
    const order = { ...GAM_ORDER, packages: [{ ...GAM_LINE, ...line }] };
    const present = booked ? { booked: order, foreign: { order: '1' } } : NEW;
    return adapter.check?.(order, { ...present, signal });
  };
  return { check, fail };
}

const sponsorship = (share_percent: number) => ({
  price: { model: 'flat_rate', amount: 1000, kind: 'fixed' },
  goal: undefined,
  adapter: { ...GAM_LINE.adapter, share_percent },
});

it('refuses a sponsorship of more than is left, with both figures, whatever units its forecast comes in', async () => {
  for (const left of [
    { availableUnits: 400_000, matchedUnits: 1_000_000 },
    { availableUnits: 40, matchedUnits: 100 },
  ]) {
    const { check } = await setUp(left);
    expect(await check(sponsorship(40))).toEqual({ verdict: 'accepted' });
    expect(await check(sponsorship(50))).toEqual({
      verdict: 'refused',
      package_id: 'pkg_1',
      field: 'start_time',
      message: 'This is sold as 50 percent of what there is, of which 40 percent are left in its flight.',
      suggestion: 'Order another flight, or another product.',
    });
    // What it has already is not left for itself.
    expect(await check(sponsorship(50), true)).toEqual({ verdict: 'accepted' });
  }
});

it('leaves a sponsorship to the approval where there is no forecast, or one of nothing', async () => {
  for (const left of [
    { availableUnits: 0, matchedUnits: undefined },
    { availableUnits: 0, matchedUnits: 0 },
  ]) {
    expect(await (await setUp(left)).check(sponsorship(100))).toEqual({ verdict: 'accepted' });
  }
  const { check, fail } = await setUp({ availableUnits: 0, matchedUnits: 10 });
  fail(/getAvailabilityForecast/, ...Array.from({ length: 4 }, () => 'html' as const));
  expect(await check(sponsorship(100))).toEqual({ verdict: 'accepted' });
});

it('refuses guaranteed impressions of which there are fewer, by what is needed beyond those that are booked', async () => {
  const { check } = await setUp({ availableUnits: 79_999 });
  expect(await check({})).toMatchObject({
    ...{ verdict: 'refused', field: 'budget', message: 'Of 80000 impressions the ad server has 79999.' },
  });
  expect(await check({}, true)).toEqual({ verdict: 'accepted' });
});
