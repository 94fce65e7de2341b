import { once } from 'node:events';
import { expect, it } from 'vitest';
import { DAY_MS, isoTime } from '../../src/platform/kernel/clock.js';
import { JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { createRequest, packageRequest, succeeded } from '../kit/buyer.js';
import { send } from '../kit/http.js';
import { operatorOf } from '../kit/operator.js';
import { type Serving, startServe } from '../kit/process.js';
import { killRounds } from '../kit/rounds.js';
import { sellOneProduct } from '../kit/sold-through.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../kit/tenants.js';
import type { Payload } from '../kit/wire.js';

/** How often the server is killed. */
const ROUNDS = killRounds('manual-orders');
const ORDERS = 8;
/** The shipped command line has the machine's own clock. */
const END = isoTime(Date.now() + 365 * DAY_MS);
const TODAY = isoTime(Date.now()).slice(0, 10);

const dataDir = temporaryFolder('seller-agent-kill-');
const args = ['--tenants', tenantsFolder((tenant) => sellOneProduct(tenant, { settings: { adapter: 'manual' } }))];
const operator = operatorOf({ dataDir });
let server: Serving;

async function call(tool: string, request: object): Promise<Payload> {
  const response = await send(`${server.baseUrl}/sales/mcp`, {
    method: 'POST',
    headers: { ...JSON_HEADERS, authorization: `Bearer ${LIVE_TOKEN}` },
    body: JSON.stringify(toolCall(tool, request)),
  });
  return succeeded(readAnswer(response));
}

/** An order that a person books, with what they enter of it. */
type Order = {
  readonly id: string;
  readonly packages: readonly string[];
  readonly lines: Readonly<Record<string, string>>;
  readonly rows: readonly { readonly package_id: string; readonly impressions: number; readonly spend: number }[];
};

/** Buys two packages and books them by hand. */
async function order(number: number): Promise<Order> {
  const packages = [packageRequest({ budget: 1000 }), packageRequest({ budget: 2000 })];
  const account = { account_id: LIVE_ACCOUNT };
  const { task_id } = await call('create_media_buy', createRequest({ account, end_time: END, packages }));
  const booked = await operator.post(`/approvals/${task_id}`, { decision: 'approve', order_id: `ORDER-${number}` });
  expect(booked.status).toBe(200);
  const { result } = await call('get_task_status', { task_id, include_result: true });
  const ids = (result?.packages ?? []).map(({ package_id }) => package_id);
  expect(ids).toHaveLength(packages.length);
  return {
    id: result?.media_buy_id ?? '',
    packages: ids,
    lines: Object.fromEntries(ids.map((id, index) => [id, `LINE-${number}-${index}`])),
    rows: ids.map((package_id, index) => ({ package_id, date: TODAY, impressions: 1000 * (index + 1), spend: 10 })),
  };
}

/** What is read back of an order: the ids of its lines, and the impressions of its packages. */
async function readBack({ id, packages }: Order) {
  const { lines } = (await operator.post(`/orders/${id}/ids`, {})).json() as Pick<Order, 'lines'>;
  const { media_buy_deliveries } = await call('get_media_buy_delivery', { media_buy_ids: [id] });
  const [delivery] = media_buy_deliveries;
  const counts = packages.map(
    (one) => delivery?.by_package.find(({ package_id }) => package_id === one)?.impressions ?? 0,
  );
  return { lines, counts };
}

it('ids and delivery that a person entered hold once they were answered, and are there whole or not at all', async () => {
  server = await startServe({ dataDir, args });
  const orders: Order[] = [];
  const acknowledged = new Set<string>();
  const enter = async ({ id, lines, rows }: Order): Promise<void> => {
    const ids = await operator.post(`/orders/${id}/ids`, { lines }).catch(() => undefined);
    if (ids?.status === 200) acknowledged.add(`${id} ids`);
    const delivery = await operator.post('/delivery', { rows }).catch(() => undefined);
    if (delivery?.status === 200) acknowledged.add(`${id} delivery`);
  };
  let [entered, missing] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const made: Order[] = [];
    for (let one = 0; one < ORDERS; one += 1) made.push(await order(orders.length + made.length));
    orders.push(...made);
    const gone = once(server.child, 'exit');
    const before = acknowledged.size;
    const entering = Promise.all(made.map(enter));
    while (acknowledged.size <= before + (round % (2 * ORDERS - 2)))
      await new Promise((resume) => setImmediate(resume));
    server.child.kill('SIGKILL');
    await Promise.all([gone, entering]);
    server = await startServe({ dataDir, args });

    for (const one of made) {
      const { lines, counts } = await readBack(one);
      const hasIds = Object.keys(lines).length > 0;
      const hasDelivery = counts.some((count) => count > 0);
      expect(lines).toEqual(hasIds ? one.lines : {});
      expect(counts).toEqual(one.rows.map(({ impressions }) => (hasDelivery ? impressions : 0)));
      if (acknowledged.has(`${one.id} ids`)) expect(hasIds).toBe(true);
      if (acknowledged.has(`${one.id} delivery`)) expect(hasDelivery).toBe(true);
      if (hasIds && hasDelivery) entered += 1;
      else missing += 1;
      await enter(one);
    }
  }
  expect(entered).toBeGreaterThan(0);
  expect(missing).toBeGreaterThan(0);
  for (const one of orders) {
    expect(await readBack(one)).toEqual({ lines: one.lines, counts: one.rows.map(({ impressions }) => impressions) });
    const again = await operator.post('/delivery', { rows: one.rows });
    expect(again.json()).toEqual({ rows: one.rows.map(() => ({ action: 'unchanged' })) });
  }
});
