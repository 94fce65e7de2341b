import { once } from 'node:events';
import path from 'node:path';
import { expect, it } from 'vitest';
import { DAY_MS, isoTime } from '../../src/platform/kernel/clock.js';
import { JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { createRequest, succeeded } from '../kit/buyer.js';
import { send } from '../kit/http.js';
import { runCli, type Serving, startServe } from '../kit/process.js';
import { temporaryFolder } from '../kit/surroundings.js';
import type { Payload } from '../kit/wire.js';

/** How many backups are made and restored; see docs/operations.md for a long run. */
const ROUNDS = Number(process.env.BACKUP_ROUNDS ?? 2);
const WORKERS = 12;
/** The shipped command line has the machine's own clock. */
const END = isoTime(Date.now() + 365 * DAY_MS);

type Order = Readonly<Record<string, unknown>>;

async function call(server: Serving, tool: string, request: object): Promise<Payload> {
  const body = JSON.stringify(toolCall(tool, request));
  return succeeded(
    readAnswer(await send(`${server.baseUrl}/sales/mcp`, { method: 'POST', headers: JSON_HEADERS, body })),
  );
}

it('a backup of a server under load holds all that was acknowledged before it began, and can be restored', async () => {
  const server = await startServe();
  const acknowledged = new Map<string, Order>();
  let isOver = false;
  /** Settled while orders are sent; they rest while a restored copy is asked for all that it should have. */
  let resumed = Promise.resolve();
  const sell = async (): Promise<void> => {
    while (!isOver) {
      await resumed;
      const order = createRequest({ end_time: END });
      const { media_buy_id } = await call(server, 'create_media_buy', order);
      acknowledged.set(media_buy_id, order);
    }
  };
  const working = Promise.all(Array.from({ length: WORKERS }, sell));

  let checked = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const enough = acknowledged.size + 100;
    while (acknowledged.size < enough) await new Promise((resume) => setTimeout(resume, 5));
    const before = new Map(acknowledged);
    const backup = path.join(temporaryFolder('seller-agent-backup-'), 'new');
    const dataDir = path.join(temporaryFolder('seller-agent-restored-'), 'new');
    const made = await runCli(['backup', backup, '--data', server.dataDir]);
    expect(made.stderr).toBe('');
    // The server sold on all the while.
    expect(acknowledged.size).toBeGreaterThan(before.size);
    expect(await runCli(['backup', 'verify', backup])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('whole'),
    });
    expect(await runCli(['restore', backup, '--data', dataDir])).toMatchObject({ code: 0 });

    let resume = (): void => undefined;
    resumed = new Promise((resolve) => {
      resume = resolve;
    });
    const restored = await startServe({ dataDir });
    const missing: string[] = [];
    const waiting = [...before];
    const ask = async (): Promise<void> => {
      for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
        const [media_buy_id, order] = entry;
        const answer = await call(restored, 'create_media_buy', order).catch(() => undefined);
        if (answer?.media_buy_id !== media_buy_id || answer.replayed !== true) missing.push(media_buy_id);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, ask));
    resume();
    expect(missing, `of ${before.size} acknowledged before backup ${round}`).toEqual([]);
    checked += before.size;
    const gone = once(restored.child, 'exit');
    restored.child.kill('SIGTERM');
    await gone;
  }
  isOver = true;
  await working;
  console.log(`${ROUNDS} backups under ${WORKERS} callers, each restored: 0 missing of ${checked} acknowledged before`);
}, 1_800_000);
