import { createOutbound } from '../../../src/platform/net/fetch.js';
import type { AdServerLine, ContractAdServer } from '../../../src/seller/adserver/contract/ad-server.js';
import { gamModule } from '../../../src/seller/adserver/gam/module.js';
import type { AdServerModule } from '../../../src/seller/adserver/port/adapter.js';
import { GAM_SETTINGS } from './order.js';
import { type FakeGam, GOOGLE_HOSTS, startFakeGam } from './server.js';
import { type FakeLine, lastOf } from './state.js';

/** Starts a fake of Google Ad Manager whose network is in UTC, as the contract of adapters takes an ad server. */
export async function startGamContract(now: () => number): Promise<ContractAdServer & { readonly fake: FakeGam }> {
  const fake = await startFakeGam(now);
  const { state } = fake;
  state.network.timeZone = 'UTC';
  state.network.reportPolls = 1;
  const lineOf = ({ id }: Pick<AdServerLine, 'id'>): FakeLine => {
    const line = state.lines.get(id);
    if (line === undefined) throw new Error(`There is no line ${id}.`);
    return line;
  };
  const product = { ad_units: ['1001'], sizes: ['300x250'] };
  const settings = { ...GAM_SETTINGS, time_zone: 'UTC', requests_per_second: 50 };
  return {
    fake,
    url: [...fake.resolve.values()][0] ?? '',
    settings: () => ({ ...settings, service_account: JSON.stringify(fake.account) }),
    product,
    unknownProduct: { ...product, ad_units: ['9'] },
    reset: async () => state.reset(),
    lines: async () => [...state.lines.values()].map((line) => readLine(fake, line)),
    deliver: async ({ id }, { creative_id, date, impressions }) => {
      const day = date.replaceAll('-', '');
      const shown = state.associations.filter(({ lineItemId }) => lineItemId === id);
      const creativeId = shown.findLast((one) => creativeIdOf(fake, one.creativeId) === creative_id)?.creativeId ?? '';
      const others = state.rows.filter((row) => row.lineItemId !== id || row.date !== day);
      state.rows.splice(0, state.rows.length, ...others, {
        date: day,
        lineItemId: id,
        creativeId,
        impressions,
        clicks: 0,
      });
    },
    removeByHand: async ({ id }) => void state.lines.delete(id),
    pauseByHand: async (line) => void Object.assign(lineOf(line), { isPaused: true }),
    holdReports: (isHeld) => {
      state.network.reportPolls = isHeld ? Number.POSITIVE_INFINITY : 1;
    },
    spoil: (order) => ({ ...order, currency: 'SEK' }),
    stop: async () => undefined,
  };
}

/** The adapter with all hosts of Google's at the `base_url` of its settings, where the proxy of the contract stands. */
export const gamBehindProxy: AdServerModule = {
  ...gamModule,
  declare: ({ base_url: _url, ...settings }) => gamModule.declare(settings),
  open: ({ settings: { base_url, ...settings }, ...options }) => {
    const resolve = new Map(GOOGLE_HOSTS.map((host) => [host, String(base_url)]));
    const outbound = createOutbound({ development: true, resolve });
    return { ...gamModule.open({ ...options, settings, outbound }), close: () => outbound.close() };
  },
};

/** Starts the fake for an adapter that asks through the proxy of the contract. */
export async function startGamBehindProxy(now: () => number): Promise<ContractAdServer> {
  const gam = await startGamContract(now);
  return {
    ...gam,
    settings: (base_url) => ({ ...gam.settings(base_url), base_url }),
    // Tokens, reports and what SOAP reads change nothing there.
    isWrite: (method, path, body) =>
      method !== 'GET' && path !== '/token' && !path.includes('/reports') && !/<(?:\w+:)?get[A-Z]/.test(body),
  };
}

function readLine({ state }: FakeGam, line: FakeLine): AdServerLine {
  const { goal, order, rate, startTime, targetEndTime, externalLineItemId } = line.rest as {
    readonly [name: string]: unknown;
    readonly goal: { readonly units: string };
    readonly rate: { readonly units: string; readonly nanos: number };
  };
  const orderId = lastOf(order);
  const [, media_buy_id = ''] = /\[(\S+)\]$/.exec(String(state.orders.get(orderId)?.rest.displayName)) ?? [];
  const shown = state.associations.filter(({ lineItemId, status }) => lineItemId === line.id && status === 'ACTIVE');
  return {
    ...{ id: line.id, order: orderId, media_buy_id, package_id: String(externalLineItemId) },
    state: stateOf(state.statusOf(line), line, shown.length),
    goal: Number(goal.units),
    price: Number(rate.units) + rate.nanos / 1e9,
    start_time: String(startTime),
    end_time: String(targetEndTime),
    creative_ids: shown.map(({ creativeId }) => creativeIdOf({ state }, creativeId)),
    pictures: shown.map(({ creativeId }) => String(state.creatives.get(creativeId)?.members.imageUrl)),
  };
}

function stateOf(status: string, { isArchived }: FakeLine, shown: number): AdServerLine['state'] {
  if (isArchived) return 'ended';
  return ['READY', 'DELIVERING'].includes(status) && shown > 0 ? 'running' : 'paused';
}

/** Our id of a creative, of those whose names tell it: `Banner banner_1`. */
function creativeIdOf({ state }: Pick<FakeGam, 'state'>, id: string): string {
  return /^Banner (\S+) \[/.exec(state.creatives.get(id)?.name ?? '')?.[1] ?? '';
}
