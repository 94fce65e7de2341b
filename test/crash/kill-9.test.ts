import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { DAY_MS, isoTime } from '../../src/platform/kernel/clock.js';
import { JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import {
  createRequest,
  creative,
  freshKey,
  packageRequest,
  SANDBOX_ACCOUNT,
  succeeded,
  updateRequest,
} from '../kit/buyer.js';
import { send } from '../kit/http.js';
import { type Serving, startServe } from '../kit/process.js';
import { killRounds } from '../kit/rounds.js';
import { temporaryFolder } from '../kit/surroundings.js';
import type { Payload, WireMediaBuy } from '../kit/wire.js';

/** How often the server is killed, and under how many callers; see docs/operations.md for a long run. */
const ROUNDS = killRounds('kill-9');
const WORKERS = Number(process.env.KILL_CALLERS ?? 12);
/** The shipped command line has the machine's own clock. */
const END = isoTime(Date.now() + 365 * DAY_MS);

/** A changing call under its key: what was sent, and what was answered, if an answer ever came. */
type Sent = {
  readonly tool: 'create_media_buy' | 'update_media_buy' | 'sync_creatives';
  readonly request: Readonly<Record<string, unknown>>;
  answer?: Payload;
};

/** Everything that was ever sent to the store under test, over all rounds. */
const ledger: Sent[] = [];
/** Changing calls that were under way when the server was killed. */
let inFlight = 0;
const dataDir = temporaryFolder('seller-agent-kill-');
let server: Serving;

async function call(tool: string, request: object): Promise<Payload> {
  const response = await send(`${server.baseUrl}/sales/mcp`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify(toolCall(tool, request)),
  });
  return succeeded(readAnswer(response));
}

/** Sends a changing call; it stands in the ledger before it leaves. */
async function change(tool: Sent['tool'], request: Readonly<Record<string, unknown>>): Promise<Payload> {
  const entry: Sent = { tool, request };
  ledger.push(entry);
  entry.answer = await call(tool, request);
  return entry.answer;
}

/** Buys, changes and syncs, one call after the other, until the server is gone. Every change is one that counts a revision. */
async function buyUntilKilled(worker: number): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const packages = [packageRequest(), packageRequest({ budget: 50 })].slice(0, 1 + (worker % 2));
    const { media_buy_id, packages: lines } = await change(
      'create_media_buy',
      createRequest({ end_time: END, packages }),
    );
    const package_id = lines[0]?.package_id;
    for (let step = 1; step <= turn % 4; step += 1)
      await change(
        'update_media_buy',
        updateRequest(media_buy_id, { packages: [{ package_id, budget: 1000 + step }] }),
      );
    if (turn % 3 === 0) {
      const account = { account_id: SANDBOX_ACCOUNT };
      await change('sync_creatives', { idempotency_key: freshKey(), account, creatives: [creative(freshKey())] });
    }
  }
}

/** Loads the server, kills it in the middle, and starts it again on what it left behind. */
async function killUnderLoad(afterMs: number): Promise<void> {
  const gone = once(server.child, 'exit');
  const before = ledger.length;
  const workers = Promise.all(
    Array.from({ length: WORKERS }, (_, worker) => buyUntilKilled(worker).catch(onlyDisconnected)),
  );
  await Promise.race([until(() => ledger.length > before + 2 * WORKERS), workers]);
  await new Promise((resume) => setTimeout(resume, afterMs));
  server.child.kill('SIGKILL');
  await gone;
  await workers;
  server = await startServe({ dataDir });
}

/** A worker ends when its connection does; anything else that ends it is a fault. */
function onlyDisconnected(error: NodeJS.ErrnoException): void {
  if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code ?? '')) throw error;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resume) => setTimeout(resume, 2));
}

/** All pages of a list. */
async function readAll<R>(tool: string, request: object, rows: (page: Payload) => readonly R[]): Promise<readonly R[]> {
  const found: R[] = [];
  for (let cursor: string | undefined; ; ) {
    const pagination = { max_results: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page = await call(tool, { ...request, pagination });
    found.push(...rows(page));
    if (!page.pagination.has_more) return found;
    ({ cursor } = page.pagination);
  }
}

/** The ids a ledger entry speaks of: the buy it made or changed. */
const buyOf = ({ request, answer }: Sent): string => String(request.media_buy_id ?? answer?.media_buy_id);
const updatesOf = (id: string): readonly Sent[] =>
  ledger.filter((entry) => entry.tool === 'update_media_buy' && buyOf(entry) === id);
const budgetOf = ({ request }: Sent): number => (request.packages as readonly { budget: number }[])[0]?.budget ?? 0;

async function readBuys(): Promise<ReadonlyMap<string, WireMediaBuy>> {
  const buys = await readAll('get_media_buys', { status_filter: ['active', 'paused'] }, (page) => page.media_buys);
  expect(new Set(buys.map((buy) => buy.media_buy_id)).size, 'a buy is listed twice').toBe(buys.length);
  return new Map(buys.map((buy) => [buy.media_buy_id, buy]));
}

/** Every acknowledged buy is there, with what was acknowledged of it; an update in flight may have happened or not. */
function checkAcknowledged(buys: ReadonlyMap<string, WireMediaBuy>): void {
  for (const created of ledger.filter((entry) => entry.tool === 'create_media_buy' && entry.answer !== undefined)) {
    const id = buyOf(created);
    const buy = buys.get(id) ?? expect.fail(`the acknowledged buy ${id} is lost`);
    const updates = updatesOf(id);
    const acknowledged = updates.filter((entry) => entry.answer !== undefined);
    const last = acknowledged.at(-1)?.answer ?? created.answer;
    expect(buy.packages.map((line) => line.package_id)).toEqual(
      created.answer?.packages.map((line) => line.package_id),
    );
    expect(buy.revision).toBeGreaterThanOrEqual(last?.revision ?? 1);
    expect(buy.revision).toBeLessThanOrEqual(1 + updates.length);
    const present = updates[buy.revision - 2];
    expect(buy.packages[0]?.budget, `budget at revision ${buy.revision}`).toBe(
      present === undefined ? 1000 : budgetOf(present),
    );
  }
}

/** A retry of everything: what was acknowledged answers the same, the rest executes or replays, once. */
async function retryAll(entries: readonly Sent[]): Promise<void> {
  const waiting = [...entries];
  const next = async (): Promise<void> => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const again = await call(entry.tool, entry.request);
      if (entry.answer === undefined) {
        const { replayed: _replayed, ...answer } = again;
        entry.answer = answer as Payload;
        expect(await call(entry.tool, entry.request)).toEqual({ ...entry.answer, replayed: true });
      } else {
        const { replayed: _replayed, ...answer } = entry.answer;
        expect(again, 'an acknowledged answer changed').toEqual({ ...answer, replayed: true });
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, next));
}

/** When every key has had its effect, there are as many effects as keys. */
async function checkCounts(): Promise<void> {
  const buys = await readBuys();
  const creates = ledger.filter((entry) => entry.tool === 'create_media_buy');
  expect([...buys.keys()].sort(), 'buys').toEqual(creates.map(buyOf).sort());
  for (const [id, buy] of buys) expect(buy.revision, `revision of ${id}`).toBe(1 + updatesOf(id).length);
  const creatives = await readAll('list_creatives', {}, (page) => page.creatives);
  const synced = ledger.filter((entry) => entry.tool === 'sync_creatives');
  expect(creatives.map((one) => one.creative_id).toSorted()).toEqual(
    synced.map(({ request }) => (request.creatives as readonly { creative_id: string }[])[0]?.creative_id ?? '').sort(),
  );
}

afterAll(async () => {
  server?.child.kill('SIGTERM');
  await server?.finished;
});

describe('kill -9 in the middle of it', () => {
  it('the server starts', async () => {
    server = await startServe({ dataDir });
  });

  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'round %i: nothing is lost and nothing is done twice',
    async () => {
      const from = ledger.length;
      const afterMs = Math.floor(Math.random() * 400);
      await killUnderLoad(afterMs);
      const round = ledger.slice(from);
      // The round must have caught the server at work, or it shows nothing.
      expect(round.filter((entry) => entry.answer !== undefined).length, `killed after ${afterMs} ms`).toBeGreaterThan(
        0,
      );
      const unanswered = round.filter((entry) => entry.answer === undefined).length;
      expect(unanswered, 'calls in flight').toBeGreaterThan(0);
      inFlight += unanswered;
      checkAcknowledged(await readBuys());
      await retryAll(round);
      await checkCounts();
    },
    120_000,
  );

  it('after all rounds the keys of the first still replay', async () => {
    await retryAll(ledger.slice(0, 200));
    await checkCounts();
    const acknowledged = ledger.length - inFlight;
    console.log(
      `${ROUNDS} kills under ${WORKERS} callers: ${acknowledged} changes acknowledged, ${inFlight} in flight; 0 lost, 0 doubled`,
    );
  }, 120_000);
});
