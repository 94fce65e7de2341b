import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/platform/kernel/log.js';
import { MasterKeys } from '../../src/platform/sealing/master-keys.js';
import { openSharedStore, type Store } from '../../src/seller/store/store.js';
import { checkClaims, logClaims } from '../kit/claim-log.js';
import { freshDatabase } from '../kit/postgres.js';
import { startReceiver } from '../kit/receiver.js';
import { turnableClock } from '../kit/surroundings.js';
import {
  addressOf,
  addressOfBuy,
  keepBuy,
  type Sender,
  type SenderOptions,
  startSender,
} from '../seller/webhooks/sender.js';

/** A long run has 10,000. */
const EVENTS = Number(process.env.CLAIM_EVENTS ?? 800);
const ENDPOINTS = 40;
const KEYS = MasterKeys.open({ file: '', given: Buffer.alloc(32, 7).toString('base64') });
const clock = turnableClock();
let url: string;
let database: pg.Client;

beforeEach(async () => {
  url = await freshDatabase();
  database = new pg.Client(url);
  await database.connect();
  onTestFinished(() => database.end());
});

/** Starts a sender with a store of its own on the one database, as another process has it. */
async function startProcess(options: SenderOptions = {}): Promise<Sender> {
  const store: Store = await openSharedStore(url, { keys: KEYS, log: createLog('silent') });
  onTestFinished(() => store.close());
  return startSender({ store, clock, ...options });
}

/** Posts several events in one transaction. */
async function postAll(sender: Sender, recipients: readonly Parameters<Sender['send']>[0][]): Promise<void> {
  await sender.store.transact(async (tx) => {
    for (const to of recipients)
      await sender.delivery.post(tx, {
        ...to,
        body: (idempotency_key) => ({ idempotency_key, of: to.mediaBuyId ?? '' }),
      });
  });
}

describe('the outbox of several processes', () => {
  it('is sent by all of them: each event once, those of a buy in their order, whoever sends them', async () => {
    const receiver = await startReceiver();
    const senders = await Promise.all(Array.from({ length: 4 }, () => startProcess({ start: false })));
    await logClaims(database);
    const [first] = senders as [Sender];
    const buys = await Promise.all(
      Array.from({ length: 12 }, (_, n) => addressOfBuy(first.store, `mb_${n}`, { url: receiver.url })),
    );
    for (let round = 0; round < 8; round++)
      await postAll(first, [...buys, ...Array.from({ length: 12 }, () => addressOf(receiver.url))]);
    await Promise.all(senders.map(({ delivery }) => delivery.start()));
    const isDone = async () => {
      await Promise.all(senders.map(({ settle }) => settle()));
      return (await first.store.read.webhookLog.backlog()).pending;
    };
    await expect.poll(isDone, { timeout: 30_000, interval: 5 }).toBe(0);
    const posted = receiver.posts.map((post) => post.json.idempotency_key);
    expect([posted.length, new Set(posted).size]).toEqual([192, 192]);
    expect((await checkClaims(database)).claims).toBe(192);
    const { rowCount } = await database.query('SELECT DISTINCT after FROM claim_log');
    expect(rowCount, 'one process has sent all').toBeGreaterThan(4);
  });

  it(`is emptied by eight that claim at once while ${EVENTS} events wait: each is claimed once`, async () => {
    const posted: string[] = [];
    const fetch: SenderOptions['fetch'] = async (url, options) => {
      posted.push(String(JSON.parse(String(options?.body)).idempotency_key));
      return { status: 200, headers: {}, url: String(url), bytes: Buffer.alloc(0) };
    };
    const senders = await Promise.all(Array.from({ length: 8 }, () => startProcess({ start: false, fetch })));
    const [first] = senders as [Sender];
    for (let at = 0; at < EVENTS; at += 500)
      await postAll(
        first,
        Array.from({ length: Math.min(500, EVENTS - at) }, (_, n) => addressOf(`http://127.0.0.1:9/${n % ENDPOINTS}`)),
      );
    await logClaims(database);
    const from = performance.now();
    await Promise.all(senders.map(({ delivery }) => delivery.start()));
    const pending = async () => {
      await Promise.all(senders.map(({ settle }) => settle()));
      return (await first.store.read.webhookLog.backlog()).pending;
    };
    await expect.poll(pending, { timeout: 120_000, interval: 5 }).toBe(0);
    const seconds = (performance.now() - from) / 1000;
    expect([posted.length, new Set(posted).size]).toEqual([EVENTS, EVENTS]);
    expect(await checkClaims(database)).toEqual({ claims: EVENTS, takenOver: 0 });
    const { rows } = await database.query('SELECT count(DISTINCT after)::int AS batches FROM claim_log');
    const retries = senders.reduce((sum, { store }) => sum + store.stats().retries, 0);
    console.log(
      `${EVENTS} events, 8 claimers: ${seconds.toFixed(1)} s, ${Math.round(EVENTS / seconds)} events/s, ${rows[0].batches} claims, ${retries} retries`,
    );
  });

  it('outlives a process that stops in the middle: another sends what it had, and what it brings back later is nothing', async () => {
    const receiver = await startReceiver();
    let goOn: () => void = () => undefined;
    const stopped = new Promise<void>((resume) => {
      goOn = resume;
    });
    let isPosting: () => void = () => undefined;
    const posting = new Promise<void>((resume) => {
      isPosting = resume;
    });
    const paused = await startProcess({
      fetch: async () => {
        isPosting();
        await stopped;
        return { status: 500, headers: {}, url: receiver.url, bytes: Buffer.alloc(0) };
      },
    });
    await logClaims(database);
    const other = await startProcess();
    const buy = await addressOfBuy(paused.store, 'mb_1', { url: receiver.url });
    await postAll(paused, [buy, buy]);
    await posting;
    await other.settle();
    expect(receiver.posts, 'the second event of a buy overtakes the first').toEqual([]);
    // As its time would.
    await database.query('UPDATE webhook_event SET claimed_until = 0 WHERE claim IS NOT NULL');
    clock.advance(10_000);
    const isDone = async () => other.settle().then(() => receiver.posts.length);
    await expect.poll(isDone, { timeout: 20_000, interval: 5 }).toBe(2);
    await other.settle();
    const rows = async () =>
      (await database.query('SELECT state, attempts::int, claim, reason FROM webhook_event ORDER BY seq')).rows;
    const delivered = { state: 'delivered', attempts: 1, claim: null, reason: null };
    expect(await rows()).toEqual([delivered, delivered]);
    goOn();
    await paused.settle();
    expect(await rows()).toEqual([delivered, delivered]);
    expect(paused.log.map(({ said }) => said[1])).toContain('a webhook was sent too late: another process has it');
    expect((await database.query('SELECT 1 FROM webhook_attempt')).rowCount).toBe(2);
    expect(await checkClaims(database)).toEqual({ claims: 3, takenOver: 1 });
  });

  it('gives an event that waited while no process ran its whole time', async () => {
    const receiver = await startReceiver();
    const first = await startProcess();
    await first.settle();
    await keepBuy(first.store, 'mb_1', {});
    await first.delivery.close();
    await postAll(first, [addressOf(receiver.url)]);
    // Two days in which nobody had the outbox.
    clock.advance(48 * 3600_000);
    await database.query("UPDATE lease SET until_ms = until_ms - 48 * 3600000 WHERE name = 'webhooks'");
    const second = await startProcess();
    await second.settle();
    await receiver.received(1);
  });

  it('sends all that waits when an outage is over, and lets nothing expire that was never tried', async () => {
    const statuses = { now: 503 };
    const posted: string[] = [];
    const fetch: SenderOptions['fetch'] = async (called, options) => {
      posted.push(String(JSON.parse(String(options?.body)).idempotency_key));
      return { status: statuses.now, headers: {}, url: called, bytes: Buffer.alloc(0) };
    };
    const sender = await startProcess({ fetch });
    const to = addressOf('http://127.0.0.1:9/hooks');
    await postAll(
      sender,
      Array.from({ length: 30 }, () => to),
    );
    await sender.pass(25 * 3_600_000, 3_600_000);
    await sender.pass(120_000, 30_000);
    expect(new Set(posted).size, 'each was tried').toBe(30);
    await postAll(
      sender,
      Array.from({ length: 6 }, () => to),
    );
    await sender.pass(300_000, 30_000);
    const from = posted.length;
    statuses.now = 200;
    await sender.pass(60_000, 5_000);
    expect(new Set(posted.slice(from)).size).toBe(6);
    expect(await sender.store.read.webhookLog.backlog()).toMatchObject({ pending: 0, dead: 30 });
  });
});
