import { expect, it } from 'vitest';
import { MINUTE_MS } from '../../../../src/platform/kernel/clock.js';
import {
  changeOrder,
  sampleCreative,
  sampleOrder,
  samplePackage,
} from '../../../../src/seller/adserver/contract/orders.js';
import { KEVEL_PRODUCT, openKevel } from '../../../kit/kevel/adapter.js';

/** A booked order that has delivered on two days, and a reader of what it has. */
async function delivered(kind: 'fixed' | 'bid' = 'fixed') {
  const kevel = await openKevel();
  const { adapter, book, fake, foreign, signal, terms } = kevel;
  const line = samplePackage(terms, 'pkg_1', { price: { model: 'cpm', amount: 5, kind } });
  const order = sampleOrder(terms, 'mb_1', { packages: [line] });
  await book(order);
  await book(changeOrder(order, {}, { creatives: [sampleCreative('banner_pkg_1', 'pkg_1', 2)] }));
  const [flightId = 0] = fake.flights.keys();
  const [old = 0, present = 0] = fake.creatives.keys();
  const row = { flightId, clicks: 1, revenue: 0.5 };
  fake.delivered.push(
    { ...row, date: '2026-03-02', creativeId: old, impressions: 100 },
    { ...row, date: '2026-03-02', creativeId: present, impressions: 20 },
    { ...row, date: '2026-03-03', creativeId: present, impressions: 7 },
    { ...row, date: '2026-03-04', creativeId: present, impressions: 1000 },
    { ...row, date: '2026-03-02', creativeId: 1, impressions: 3 },
  );
  const request = { orders: [{ order, foreign: foreign() }], from_date: '2026-03-02', to_date: '2026-03-03' };
  return { ...kevel, request, read: (job?: string) => adapter.delivery(request, { job, signal }) };
}

it('orders a report, polls it, and reads days by package and creative, whatever version of it ran', async () => {
  const { fake, read } = await delivered();
  const first = await read();
  expect(first).toMatchObject({ kind: 'pending', retry_after_ms: 10_000 });
  const job = first.kind === 'pending' ? first.job : undefined;
  expect(await read(job)).toEqual({ ...first });
  const row = { package_id: 'pkg_1', spend: undefined };
  expect(await read(job)).toEqual({
    kind: 'rows',
    rows: [
      { ...row, creative_id: 'banner_pkg_1', date: '2026-03-02', impressions: 120, clicks: 2 },
      { ...row, creative_id: undefined, date: '2026-03-02', impressions: 3, clicks: 1 },
      { ...row, creative_id: 'banner_pkg_1', date: '2026-03-03', impressions: 7, clicks: 1 },
    ],
  });
  expect(fake.violations).toEqual([]);
  expect(fake.refusals).toEqual([]);
});

it('takes what an auction cost from the report', async () => {
  const { fake, read } = await delivered('bid');
  fake.polls = 0;
  const first = await read();
  const answer = await read(first.kind === 'pending' ? first.job : undefined);
  expect(answer).toMatchObject({ rows: [{ impressions: 120, spend: 1 }, { spend: 0.5 }, { spend: 0.5 }] });
});

it('orders another report where one never ends or is not kept any more', async () => {
  const { clock, fake, read } = await delivered();
  fake.polls = undefined;
  const first = await read();
  const job = first.kind === 'pending' ? first.job : expect.fail('rows');
  clock.nowMs += 31 * MINUTE_MS;
  fake.polls = 0;
  const second = await read(job);
  expect(second).toMatchObject({ kind: 'pending', job: expect.not.stringContaining(job) });
  expect(await read(second.kind === 'pending' ? second.job : undefined)).toMatchObject({ kind: 'rows' });
  const lost = await read(`${clock.nowMs} 00000000-0000-4000-8000-000000000000`);
  expect(lost).toMatchObject({ kind: 'pending' });
});

it('asks for nothing where nothing was booked', async () => {
  const { adapter, fake, signal } = await openKevel();
  const request = { orders: [], from_date: '2026-03-02', to_date: '2026-03-03' };
  expect(await adapter.delivery(request, { job: undefined, signal })).toEqual({ kind: 'rows', rows: [] });
  expect(fake.calls).toEqual([]);
});

it('tries the connection and what products name, and changes nothing', async () => {
  const { adapter, fake, signal } = await openKevel();
  const lost = { ...KEVEL_PRODUCT, priority_id: 9, ad_types: { '300x250': 77 }, sites: [{ site_id: 31, zone_id: 8 }] };
  const ping = await adapter.ping?.(
    [
      { product_id: 'right', adapter: KEVEL_PRODUCT },
      { product_id: 'wrong', adapter: lost },
    ],
    { signal },
  );
  expect(ping?.network).toBe('network 1234');
  expect(ping?.problems.map(({ product_id, message }) => [product_id, message])).toEqual([
    ['wrong', 'The network has no priority 9.'],
    ['wrong', 'The network has no ad type 77.'],
    ['wrong', 'The network has no zone 8.'],
  ]);
  expect(fake.calls.every((call) => call.startsWith('GET'))).toBe(true);
  expect(fake.violations).toEqual([]);
});

it('says what to do about a key that is not taken, without the key', async () => {
  const { adapter, signal } = await openKevel({ api_key: 'expired-key' });
  const error = await adapter.ping?.([], { signal }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    name: 'RetryLaterError',
    message: expect.stringMatching(/does not take the key .*ad_server\.api_key/),
  });
  expect(String(error)).not.toContain('expired-key');
});
