import { once } from 'node:events';
import { expect, test } from 'vitest';
import { DAY_MS, isoTime } from '../../src/platform/kernel/clock.js';
import { JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { createRequest } from '../kit/buyer.js';
import { send } from '../kit/http.js';
import { type Serving, startServe } from '../kit/process.js';
import { killRounds } from '../kit/rounds.js';
import { temporaryFolder } from '../kit/surroundings.js';
import type { Payload } from '../kit/wire.js';

/** How often two buyers race. */
const ROUNDS = killRounds('inventory');
const FIRST_DAY_MS = (Math.floor(Date.now() / DAY_MS) + 30) * DAY_MS;

const dataDir = temporaryFolder('seller-agent-inventory-');
let server: Serving;

async function call(tool: string, request: object): Promise<Payload> {
  const response = await send(`${server.baseUrl}/sales/mcp`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify(toolCall(tool, request)),
  });
  return readAnswer(response).payload;
}

/** An order of the takeover for the day of a round. */
function orderDay(round: number): Record<string, unknown> {
  const startMs = FIRST_DAY_MS + round * DAY_MS;
  return createRequest({
    start_time: isoTime(startMs),
    end_time: isoTime(startMs + DAY_MS),
    packages: [{ product_id: 'northlight_homepage_takeover', pricing_option_id: 'day_flat', budget: 18_000 }],
  });
}

/** Returns the answer to an order, undefined where the server died first. */
async function tryToBuy(request: object): Promise<Payload | undefined> {
  return call('create_media_buy', request).catch((error: NodeJS.ErrnoException) => {
    if (['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code ?? '')) return undefined;
    throw error;
  });
}

async function restart(): Promise<void> {
  const gone = once(server.child, 'exit');
  server.child.kill('SIGKILL');
  await gone;
  server = await startServe({ dataDir });
}

test('the last day of a takeover is sold once, though two buyers race for it and the server is killed', {
  timeout: 60_000 + ROUNDS * 20_000,
}, async () => {
  server = await startServe({ dataDir });
  const sold = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const orders = [orderDay(round), orderDay(round)];
    const racing = orders.map(tryToBuy);
    // The kill comes before, within and after the two transactions, by the round.
    await new Promise((resume) => setTimeout(resume, round % 10));
    await restart();
    const early = await Promise.all(racing);
    const late = await Promise.all(orders.map((order) => call('create_media_buy', order)));
    const winners = late.flatMap(({ media_buy_id }) => media_buy_id ?? []);
    expect(winners, `round ${round}`).toHaveLength(1);
    expect(late.flatMap(({ errors }) => errors ?? [])).toMatchObject([{ code: 'PRODUCT_UNAVAILABLE' }]);
    // Whoever was answered before the kill is answered alike after it.
    for (const [index, answer] of early.entries())
      if (answer?.media_buy_id !== undefined) expect(late[index]?.media_buy_id).toBe(answer.media_buy_id);
    sold.add(winners[0] ?? '');
  }
  expect(sold.size).toBe(ROUNDS);
  expect((await call('create_media_buy', orderDay(ROUNDS - 1))).errors).toMatchObject([
    { code: 'PRODUCT_UNAVAILABLE' },
  ]);
});
