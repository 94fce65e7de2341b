import { expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { creative, freshKey, KIT_TOKEN, packageRequest } from '../../kit/buyer.js';
import { BuyerLedger, stateOf } from '../../kit/buyer-ledger.js';
import { controllerOf } from '../../kit/controller.js';
import { pass, settle } from '../../kit/events.js';
import { operatorOf } from '../../kit/operator.js';
import { startReceiver } from '../../kit/receiver.js';
import { shopper } from '../../kit/shopper.js';
import { tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

/** How many stories are told; more by hand. */
const ROUNDS = Number(process.env.STORIES ?? 4);
/** Of one story. */
const STEPS = 40;
const SEED = Number(process.env.STORY_SEED ?? 1);

const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A seller that asks about large changes, its buyer, and an endpoint that fails now and then. */
async function open(next: () => number) {
  const rules = [{ tasks: ['update_media_buy'], budget_over: { amount: 50_000, currency: 'USD' } }];
  const server = await boot({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: rules })) });
  const receiver = await startReceiver();
  const ledger = new BuyerLedger();
  let failing = 0;
  receiver.always((post) => {
    const isTaken = next() >= failing;
    ledger.event(post, isTaken);
    return isTaken ? 200 : 503;
  });
  const fail = (share: number): void => {
    failing = share;
  };
  return { server, receiver, ledger, fail };
}

/** Plays one story of acts that chance chooses; every step is the buyer's, the seller's or the clock's. */
async function play(seed: number): Promise<number> {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const { server, receiver, ledger, fail } = await open(next);
  const kit = shopper(server, 'kit');
  const controller = controllerOf(server);
  const push_notification_config = { url: `${receiver.url}/hook`, operation_id: 'op' };
  const waiting: string[] = [];
  let days = 0;

  const note = ({ isError, payload }: { isError: boolean; payload: Payload }): void => {
    if (isError) return;
    ledger.answer(payload);
    if (typeof payload.task_id === 'string') waiting.push(payload.task_id);
  };
  const create = async (): Promise<void> => {
    const start_time = pick(['asap', new Date(server.clock.now() + pick([HOUR, DAY, 3 * DAY])).toISOString()]);
    const end_time = new Date(server.clock.now() + pick([4, 9, 30]) * DAY).toISOString();
    const packages = [packageRequest(pick([{}, { creatives: [creative('inline')] }]))];
    ledger.answer(await kit.create({ start_time, end_time, packages, push_notification_config }));
  };
  const update = async (id: string, changes: object): Promise<void> =>
    note(await kit.call('update_media_buy', { idempotency_key: freshKey(), media_buy_id: id, ...changes }));
  const acts: readonly ((id: string) => Promise<unknown>)[] = [
    create,
    (id) => update(id, { paused: pick([true, false]) }),
    async (id) =>
      update(id, { packages: [{ package_id: `${id.replace('mb_', 'pkg_')}_1`, budget: pick([2000, 60_000]) }] }),
    (id) => (next() < 0.3 ? update(id, { canceled: true }) : update(id, { push_notification_config })),
    (id) => kit.call('sync_creatives', syncRequest(id)),
    (id) =>
      controller.run('force_media_buy_status', { media_buy_id: id, status: pick(MOVES), rejection_reason: 'No.' }),
    async () => {
      const task = waiting.shift();
      const decision = next() < 0.7 ? { decision: 'approve' } : { decision: 'reject', reason: 'No.' };
      if (task !== undefined) await operatorOf(server).post(`/approvals/${task}`, decision);
    },
    async () => fail(pick([0, 0, 0.5, 1])),
    async () => server.restart(),
    () => pass(server, SECOND),
    () => pass(server, 3 * SECOND, SECOND),
    () => pass(server, 20 * SECOND, 5 * SECOND),
    async () => {
      days += 1;
      // What fails for a day is given up.
      fail(0);
      if (days < 25) await pass(server, pick([HOUR, DAY]), 12 * HOUR);
    },
  ];

  await create();
  for (let step = 0; step < STEPS; step += 1) await pick(acts)(pick(ledger.buys));
  fail(0);
  await deliverAll(server);
  await check(server, ledger);
  return ledger.events;
}

const MOVES = ['active', 'paused', 'completed', 'rejected', 'canceled'];

function syncRequest(id: string): object {
  const account = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
  const assignments = [{ creative_id: 'banner', package_id: `${id.replace('mb_', 'pkg_')}_1` }];
  return { idempotency_key: freshKey(), account, creatives: [creative('banner')], assignments };
}

/** Lets a day pass in which the endpoint is well, and no buy moves on. */
async function deliverAll(server: Booted): Promise<void> {
  const { store } = server.server().app;
  for (let step = 0; step < 400; step += 1) {
    await settle(server);
    if ((await store.read.webhookLog.backlog()).pending === 0) return;
    server.clock.advance(60 * SECOND);
  }
  expect.fail('events wait for good');
}

async function check(server: Booted, ledger: BuyerLedger): Promise<void> {
  const { store } = server.server().app;
  for (const id of ledger.buys) {
    const found = (await store.read.mediaBuys.findAnywhere(id)) ?? expect.fail(`${id} is not there`);
    const { revision, status, confirmed_at } = found.buy;
    ledger.check(id, stateOf({ revision, status, confirmed_at } as unknown as Payload));
  }
  for (const [task_id, task_type] of ledger.tasks) {
    const { payload, isError } = await server.call('get_task_status', { task_id }, { token: KIT_TOKEN });
    expect([isError, payload.task_id, payload.task_type], task_id).toEqual([false, task_id, task_type]);
  }
}

test(`whatever buyer, seller and clock do, events tell news alone, in order, and the last of all says how a buy stands`, async () => {
  let events = 0;
  for (let round = 0; round < ROUNDS; round += 1) events += await play(SEED + round);
  // Without events this would show nothing.
  expect(events).toBeGreaterThan(ROUNDS);
  if (process.env.STORIES !== undefined) console.log(`${ROUNDS} stories of ${STEPS} steps, ${events} POSTs`);
});
