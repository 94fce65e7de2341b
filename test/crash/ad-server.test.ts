import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { createOutbound } from '../../src/platform/net/fetch.js';
import type { AdServerLine } from '../../src/seller/adserver/contract/ad-server.js';
import { type Fault, FaultProxy } from '../../src/seller/adserver/contract/proxy.js';
import { serveAssets } from '../kit/asset-server.js';
import { JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { createRequest, creative, freshKey, packageRequest, succeeded } from '../kit/buyer.js';
import { send } from '../kit/http.js';
import { startKevelContract } from '../kit/kevel/contract.js';
import { type Serving, startServe } from '../kit/process.js';
import { picture } from '../kit/renderer.js';
import { killRounds } from '../kit/rounds.js';
import { sellOneProduct } from '../kit/sold-through.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../kit/tenants.js';
import type { Payload, WireMediaBuy, WirePackage } from '../kit/wire.js';

/** How often the server is killed while it books; more in a long run. */
const ROUNDS = killRounds('ad-server');
/** 210 orders in 30 rounds. */
const ORDERS_A_ROUND = 7;
/** The price of the one option that is sold, for a thousand. */
const PRICE = 5;
const ACCOUNT = { account_id: LIVE_ACCOUNT };
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

/** Every buy that there is, in the order in which they were made. */
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

type Change = (packageId: string, round: number) => { readonly tool?: string; readonly request: object };

/** What buyers do to orders that may be on their way into the ad server. */
const CHANGES: readonly Change[] = [
  (package_id) => ({ request: { packages: [{ package_id, budget: 3000 }] } }),
  () => ({ request: { paused: true } }),
  (package_id, round) => ({
    tool: 'sync_creatives',
    request: {
      creatives: [creative(`banner_${round}`)],
      assignments: [{ creative_id: `banner_${round}`, package_id }],
    },
  }),
  () => ({ request: { canceled: true } }),
];

/** Changes some buys, others in every round. */
async function changeSome(round: number): Promise<void> {
  const open = (await readBuys()).filter(({ status }) => status === 'active' || status === 'pending_start');
  for (const [index, change] of CHANGES.entries()) {
    const buy = open[(round * 5 + index * 3) % open.length] ?? expect.fail('no buy runs');
    const { request, tool = 'update_media_buy' } = change(buy.packages[0]?.package_id ?? '', round);
    const { media_buy_id } = buy;
    const named = tool === 'update_media_buy' ? { media_buy_id } : {};
    await call(tool, { idempotency_key: freshKey(), account: ACCOUNT, ...named, ...request });
  }
}

/** A package as it has to be in the books of the ad server: once it has ended, whatever was sold of it. */
function lineOf({ media_buy_id, status }: WireMediaBuy, line: WirePackage): string {
  if (status === 'canceled') return `${media_buy_id} ${line.package_id} ended`;
  const approved = (line.creative_approvals ?? []).filter(({ approval_status }) => approval_status === 'approved');
  const shown = approved.map(({ creative_id }) => creative_id).toSorted();
  const state = status === 'paused' ? 'paused' : 'running';
  return `${media_buy_id} ${line.package_id} ${state} ${Math.round((line.budget / PRICE) * 1000)} at ${PRICE}: ${shown.join(' ')}`;
}

function bookedLine({ creative_ids, goal, media_buy_id, package_id, price, state }: AdServerLine): string {
  if (state === 'ended') return `${media_buy_id} ${package_id} ended`;
  return `${media_buy_id} ${package_id} ${state} ${goal} at ${price}: ${creative_ids.toSorted().join(' ')}`;
}

/** What is not in both books: nothing, once they agree. What was canceled before it was booked may be in none. */
function compare(buys: readonly WireMediaBuy[], booked: readonly string[]): readonly string[] {
  const ours = buys.flatMap((buy) => buy.packages.map((line) => lineOf(buy, line)));
  const unseen = new Set(ours);
  const strange = booked.filter((line) => !unseen.delete(line)).map((line) => `theirs: ${line}`);
  const missing = [...unseen].filter((line) => !line.endsWith(' ended'));
  return [...strange, ...missing.map((line) => `ours: ${line}`)];
}

test('orders are in the books of Kevel as in ours, to the line, through faults and kill -9', {
  timeout: 120_000 + ROUNDS * 60_000,
}, async () => {
  const kevel = await startKevelContract();
  const files = await serveAssets({ '/banner.png': await picture(300, 250) });
  const outbound = createOutbound({ development: false });
  const isWrite = kevel.isWrite ?? (() => true);
  const proxy = new FaultProxy({
    target: kevel.url,
    outbound,
    isWrite,
    onCrash: () => undefined,
    onSilence: () => undefined,
  });
  const settings = { ...kevel.settings(await proxy.start()), requests_per_second: 50 };
  const tenants = tenantsFolder((tenant) => {
    sellOneProduct(tenant, { settings, product: kevel.product });
    tenant.outbound = { resolve: { 'cdn.example': files.origin } };
    for (const principal of tenant.principals)
      if (principal.id === 'live') principal.policies = { creative_requirement: 'none', creative_approval: 'auto' };
  });
  const start = () => startServe({ dataDir, args: ['--tenants', tenants] });
  server = await start();
  const requests: Record<string, unknown>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const fresh = Array.from({ length: ORDERS_A_ROUND }, (_, index) =>
      createRequest({
        ...{ account: ACCOUNT, end_time: END },
        packages: [packageRequest({ budget: 1000 + round * 10 + index })],
      }),
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
    await changeSome(round);
  }
  const buys: WireMediaBuy[] = [];
  const settledFrom = performance.now();
  // Orders that wait for nobody but us are booked within a minute.
  await vi.waitFor(
    async () => {
      buys.splice(0, buys.length, ...(await readBuys()));
      expect(compare(buys, (await kevel.lines()).map(bookedLine))).toEqual([]);
    },
    { timeout: 60_000, interval: 500 },
  );
  expect(buys).toHaveLength(requests.length);
  expect(buys.filter(({ confirmed_at, status }) => status !== 'canceled' && !confirmed_at)).toEqual([]);
  expect(new Set(buys.map(({ status }) => status))).toEqual(new Set(['active', 'paused', 'canceled']));
  const shown = buys.flatMap(({ packages }) => packages.flatMap((line) => line.creative_approvals ?? []));
  expect(new Set(shown.map(({ approval_status }) => approval_status))).toEqual(new Set(['approved']));
  expect(kevel.fake.violations).toEqual([]);
  const settledSeconds = Math.round((performance.now() - settledFrom) / 1000);
  console.log(
    `${requests.length} orders, ${ROUNDS} kills, ${proxy.writes} writes: the books agree to the line ${settledSeconds} s after the last`,
  );
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
