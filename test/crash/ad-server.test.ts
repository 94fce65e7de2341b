import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createOutbound } from '../../src/platform/net/fetch.js';
import { type Fault, FaultProxy } from '../../src/seller/adserver/contract/proxy.js';
import { JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { createRequest, freshKey, packageRequest, succeeded } from '../kit/buyer.js';
import { send } from '../kit/http.js';
import { startKevelContract } from '../kit/kevel/contract.js';
import { type Serving, startServe } from '../kit/process.js';
import { sellOneProduct } from '../kit/sold-through.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../kit/tenants.js';
import type { Payload, WireMediaBuy } from '../kit/wire.js';

/** How often the server is killed while it books; more in a long run. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 3);
/** 200 orders in 30 rounds. */
const ORDERS_A_ROUND = 7;
const END = new Date(Date.now() + 300 * 86_400_000).toISOString();
const FAULTS: readonly Fault[] = [
  { moment: 'after', sight: 'hang-up' },
  { moment: 'before', sight: 'error' },
  { moment: 'after', sight: 'error' },
  { moment: 'after', sight: 'page' },
  { moment: 'before', sight: 'throttle' },
  { moment: 'before', sight: 'hang-up' },
];

const dataDir = temporaryFolder('seller-agent-adserver-');
let server: Serving;

async function call(tool: string, request: object): Promise<Payload> {
  const response = await send(`${server.baseUrl}/sales/mcp`, {
    method: 'POST',
    headers: { ...JSON_HEADERS, authorization: `Bearer ${LIVE_TOKEN}` },
    body: JSON.stringify(toolCall(tool, request)),
  });
  return succeeded(readAnswer(response));
}

/** Every buy that there is. */
async function readBuys(): Promise<readonly WireMediaBuy[]> {
  const found: WireMediaBuy[] = [];
  for (let cursor: string | undefined; ; ) {
    const { media_buys, pagination } = await call('get_media_buys', {
      status_filter: ['pending_start', 'pending_creatives', 'active', 'paused', 'canceled', 'rejected'],
      pagination: { max_results: 100, cursor },
    });
    found.push(...media_buys);
    if (!pagination.has_more) return found;
    ({ cursor } = pagination);
  }
}

test('orders are in the books of Kevel as in ours, to the line, through faults and kill -9', {
  timeout: 120_000 + ROUNDS * 60_000,
}, async () => {
  const kevel = await startKevelContract();
  const outbound = createOutbound({ development: false });
  const isWrite = kevel.isWrite ?? (() => true);
  const proxy = new FaultProxy({ target: kevel.url, outbound, isWrite, onCrash: () => undefined });
  const settings = kevel.settings(await proxy.start());
  const tenants = tenantsFolder((tenant) => sellOneProduct(tenant, { settings, product: kevel.product }));
  const start = () => startServe({ dataDir, args: ['--tenants', tenants] });
  server = await start();
  const requests: Record<string, unknown>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = { account_id: LIVE_ACCOUNT };
    const fresh = Array.from({ length: ORDERS_A_ROUND }, (_, index) =>
      createRequest({ account, end_time: END, packages: [packageRequest({ budget: 1000 + round * 10 + index })] }),
    );
    requests.push(...fresh);
    proxy.arm(FAULTS[round % FAULTS.length] ?? expect.fail(), 1 + (round % 9));
    const writes = proxy.writes;
    const sent = fresh.map((request) => call('create_media_buy', request).catch(() => undefined));
    // The kill comes at another write of the ad server in every round.
    await until(() => proxy.writes > writes + (round % 11));
    const gone = once(server.child, 'exit');
    server.child.kill('SIGKILL');
    await gone;
    await Promise.all(sent);
    server = await start();
    for (const request of fresh) await call('create_media_buy', request);
    const [first] = await readBuys();
    if (first !== undefined && first.status === 'active')
      await call('update_media_buy', {
        ...{ idempotency_key: freshKey(), account, media_buy_id: first.media_buy_id },
        packages: [{ package_id: first.packages[0]?.package_id, budget: 3000 + round }],
      });
  }
  let buys: readonly WireMediaBuy[] = [];
  const ours = () =>
    buys.flatMap(({ media_buy_id, packages }) =>
      packages.map(
        ({ budget, package_id }) => `${media_buy_id} ${package_id} ${Math.floor(((budget ?? 0) / 5) * 1000)}`,
      ),
    );
  const theirs = async () =>
    (await kevel.lines()).map(({ goal, media_buy_id, package_id }) => `${media_buy_id} ${package_id} ${goal}`);
  const deadline = Date.now() + 90_000;
  do {
    await new Promise((resume) => setTimeout(resume, 500));
    buys = await readBuys();
  } while (
    Date.now() < deadline &&
    (buys.some(({ confirmed_at }) => confirmed_at === undefined || confirmed_at === null) ||
      (await theirs()).toSorted().join() !== ours().toSorted().join())
  );
  expect(buys).toHaveLength(requests.length);
  expect((await theirs()).toSorted()).toEqual(ours().toSorted());
  expect(kevel.fake.campaigns.size).toBe(requests.length);
  expect(kevel.fake.violations).toEqual([]);
  console.log(`${requests.length} orders, ${ROUNDS} kills, ${proxy.writes} writes: the books agree to the line`);
  server.child.kill('SIGTERM');
  await server.finished;
  proxy.stop();
  await outbound.close();
  await kevel.stop();
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!condition() && Date.now() < deadline) await new Promise((resume) => setTimeout(resume, 2));
}
