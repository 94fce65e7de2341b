import { onTestFinished } from 'vitest';
import { createLog } from '../../../src/platform/kernel/log.js';
import { createOutbound } from '../../../src/platform/net/fetch.js';
import { gamModule } from '../../../src/seller/adserver/gam/module.js';
import type { AdServerAdapter } from '../../../src/seller/adserver/port/adapter.js';
import { type ForeignIds, joinForeignIds } from '../../../src/seller/domain/booking/foreign-ids.js';
import type { LiveOrder } from '../../../src/seller/domain/booking/live-order.js';
import { GAM_SETTINGS } from './order.js';
import { startFakeGam } from './server.js';

/** When tests of the adapter begin. */
export const GAM_START = Date.parse('2030-01-01T00:00:00Z');

/** The fake, an adapter that speaks to it, and its clock; `book` keeps ids as the port does. */
export async function openGam(settings: object = {}, skewMs = 0) {
  const { signal } = new AbortController();
  const time = { ms: GAM_START };
  const now = () => time.ms;
  const fake = await startFakeGam(() => time.ms + skewMs);
  const outbound = createOutbound({ development: true, resolve: fake.resolve });
  onTestFinished(() => outbound.close());
  const adapter: AdServerAdapter = gamModule.open({
    settings: { ...GAM_SETTINGS, service_account: JSON.stringify(fake.account), ...settings },
    outbound,
    pace: async () => undefined,
    clock: { now },
    log: createLog('silent'),
  });
  let foreign: ForeignIds | undefined;
  let booked: LiveOrder | undefined;
  const book = async (order: LiveOrder): Promise<ForeignIds | undefined> => {
    const saveIds = async (ids: ForeignIds): Promise<void> => {
      foreign = joinForeignIds(foreign, ids);
    };
    const answered = await adapter.book(order, { foreign, booked, changes: ['create'], saveIds, signal });
    booked = order;
    return answered;
  };
  const find = async (order: LiveOrder) => {
    const found = await adapter.find?.(order, { signal });
    foreign = joinForeignIds(foreign, found);
    return found;
  };
  const lines = () => [...fake.state.lines.values()].map((line) => fake.state.showLine(line));
  return {
    ...fake,
    adapter,
    signal,
    book,
    find,
    lines,
    time,
    foreign: () => foreign,
    forget: () => {
      foreign = undefined;
    },
  };
}
