import { onTestFinished } from 'vitest';
import { createLog } from '../../../src/platform/kernel/log.js';
import { createOutbound } from '../../../src/platform/net/fetch.js';
import type { SampleTerms } from '../../../src/seller/adserver/contract/orders.js';
import { kevelModule } from '../../../src/seller/adserver/kevel/kevel.js';
import type { ForeignIds } from '../../../src/seller/domain/booking/foreign-ids.js';
import { joinForeignIds } from '../../../src/seller/domain/booking/foreign-ids.js';
import type { LiveOrder } from '../../../src/seller/domain/booking/live-order.js';
import { FAKE_NETWORK, FakeKevel } from './fake.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');

/** What the products of tests say of the fake network. */
export const KEVEL_PRODUCT = { priority_id: 5001, ad_types: { '300x250': 5, '728x90': 4 }, sites: [{ site_id: 31 }] };

/** Settings of the fake network at an address. */
export function kevelSettings(base_url: string): Readonly<Record<string, unknown>> {
  return { adapter: 'kevel', network_id: 1234, api_key: FAKE_NETWORK.apiKey, base_url, currency: 'USD' };
}

/** The adapter of Kevel on a fake of it, and orders that it takes. `book` keeps the ids as the booking machine does. */
export async function openKevel(more: Readonly<Record<string, unknown>> = {}) {
  const fake = new FakeKevel();
  const settings = { ...kevelSettings(await fake.start()), ...more };
  const outbound = createOutbound({ development: false });
  const clock = { nowMs: NOW, now: () => clock.nowMs };
  const adapter = kevelModule.open({
    settings,
    outbound,
    pace: async () => undefined,
    clock,
    log: createLog('silent'),
  });
  onTestFinished(async () => {
    await outbound.close();
    fake.stop();
  });
  const terms: SampleTerms = { nowMs: NOW, currency: 'USD', adapter: KEVEL_PRODUCT };
  const { signal } = new AbortController();
  let foreign: ForeignIds | undefined;
  return {
    ...{ adapter, clock, fake, signal, terms },
    foreign: () => foreign ?? {},
    forget: () => {
      foreign = undefined;
    },
    book: async (order: LiveOrder) => {
      const saveIds = async (ids: ForeignIds) => {
        foreign = joinForeignIds(foreign, ids);
      };
      const answered = await adapter.book(order, { foreign, booked: undefined, changes: ['create'], saveIds, signal });
      foreign = joinForeignIds(foreign, answered);
    },
  };
}
