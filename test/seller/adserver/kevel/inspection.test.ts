import { expect, it } from 'vitest';
import { sampleOrder } from '../../../../src/seller/adserver/contract/orders.js';
import type { BookedOrder } from '../../../../src/seller/adserver/port/delivery.js';
import { describeDrift, findDrift } from '../../../../src/seller/domain/booking/drift.js';
import { openKevel } from '../../../kit/kevel/adapter.js';
import type { FakeKevel } from '../../../kit/kevel/fake.js';

const ORDERS = 500;
/** What a network is asked a second unless its settings say otherwise. */
const PER_SECOND = 20;

/** Puts more orders there that are like one, as if each had been booked: booking them takes longer than the test. */
function multiply(fake: FakeKevel, { order, foreign }: BookedOrder): readonly BookedOrder[] {
  const campaign = fake.campaigns.get(Number(foreign.order)) ?? expect.fail('no campaign');
  const flights = [...fake.flights.values()];
  const ads = [...fake.ads.values()];
  return Array.from({ length: ORDERS }, (_, at) => {
    const idOf = (id: number): number => (at === 0 ? id : 100_000 + at * 1000 + (id % 1000));
    const campaignId = idOf(campaign.Id);
    fake.campaigns.set(campaignId, { ...campaign, Id: campaignId });
    for (const flight of flights) {
      const Id = idOf(flight.Id);
      fake.flights.set(Id, { ...flight, Id, CampaignId: campaignId });
    }
    for (const ad of ads) {
      const [Id, FlightId] = [idOf(ad.Id), idOf(Number(ad.FlightId))];
      fake.ads.set(Id, { ...ad, Id, FlightId, CampaignId: campaignId });
    }
    const packages = Object.entries(foreign.packages ?? {}).map(([name, id]) => [name, `${idOf(Number(id))}`]);
    return {
      order: { ...order, media_buy_id: `mb_${at}` },
      foreign: { ...foreign, order: `${campaignId}`, packages: Object.fromEntries(packages) as Record<string, string> },
    };
  });
}

/** Books an order, lets there be many like it, and tells what is otherwise than it was booked each time they are read. */
async function setUp() {
  const { adapter, book, fake, foreign, signal, terms } = await openKevel();
  const first = sampleOrder(terms, 'mb_0');
  await book(first);
  const orders = multiply(fake, { order: first, foreign: foreign() });
  const drift = async (): Promise<readonly string[]> => {
    fake.calls.length = 0;
    const found = (await adapter.inspect?.(orders, { signal })) ?? [];
    expect(found.map(({ media_buy_id }) => media_buy_id)).toEqual(orders.map(({ order }) => order.media_buy_id));
    return orders.flatMap(({ order }, at) => {
      const differs = findDrift(order, found[at]?.packages ?? [], terms.nowMs);
      return differs.map((one) => `${order.media_buy_id} ${describeDrift([one])}`);
    });
  };
  return { drift, fake, flights: [...fake.flights.values()], orders };
}

it('500 orders are read in a quarter of what a network is asked in a minute, whatever was deleted, paused or archived there', async () => {
  const { drift, fake, flights } = await setUp();
  expect(await drift()).toEqual([]);
  expect(fake.calls.length).toBeLessThan((PER_SECOND * 60) / 4);
  const [first, second, third, fourth] = flights.slice(-4);
  Object.assign(first ?? {}, { IsDeleted: true });
  Object.assign(second ?? {}, { IsActive: false });
  Object.assign(third ?? {}, { IsArchived: true });
  for (const ad of fake.adsOf(fourth?.Id ?? 0)) ad.IsActive = false;
  expect(await drift()).toEqual([
    'mb_498 pkg_1: state missing, booked running',
    'mb_498 pkg_2: state paused, booked running',
    'mb_499 pkg_1: state canceled, booked running',
    'mb_499 pkg_2: creatives none of them, booked banner_pkg_2',
  ]);
  expect(fake.violations).toEqual([]);
});

it('hours of flights, which take a request each, are read in turn and remembered', async () => {
  const { drift, fake, flights } = await setUp();
  const hours = { StartTime: '08:00:00', EndTime: '12:00:00', WeekDays: ['MO'] };
  for (const { Id } of flights) fake.dayParts.set(Id, { ...hours, TimepartId: Id, FlightId: Id });
  const counts = [await drift(), await drift(), await drift()].map(({ length }) => length);
  expect(counts).toEqual([100, 200, 300]);
});

it('what lists leave out of an order that has ended is not asked for one by one', async () => {
  const { drift, fake, flights, orders } = await setUp();
  for (const flight of flights) flight.IsArchived = true;
  for (const one of orders) Object.assign(one, { order: { ...one.order, state: 'canceled' } });
  expect(await drift()).toEqual([]);
  expect(fake.calls.length).toBeLessThan(10);
});
