import { expect, inject, it, onTestFinished } from 'vitest';
import { startRelay } from '../../../../scripts/cluster/relay.mjs';
import { boot } from '../../../kit/boot.js';
import { createRequest, succeeded } from '../../../kit/buyer.js';
import { freshDatabase } from '../../../kit/postgres.js';

/** Long enough for what is sent without waiting for an answer to be sent before the answer is there. */
const LATENCY_MS = 60;
/**
 * What others have changed and what is due, both at once; the key, the account, the buy, and its commit: BEGIN, COMMIT and three waits, where
 * BEGIN goes along with another.
 */
const MAX_ROUND_TRIPS = 6;

it('a create waits for the database five times, its commit included', async () => {
  const relay = await startRelay({ port: Number(new URL(inject('postgresUrl')).port) });
  const store = new URL(await freshDatabase());
  store.port = String(relay.port);
  const server = await boot({ settings: { store: store.href } });
  onTestFinished(async () => {
    await server.close();
    await relay.close();
  });
  for (let warm = 0; warm < 20; warm++) succeeded(await server.call('create_media_buy', createRequest()));
  relay.setLatency(LATENCY_MS);
  const counts: number[] = [];
  for (let count = 0; count < 10; count++) {
    const before = relay.rounds();
    succeeded(await server.call('create_media_buy', createRequest()));
    counts.push(relay.rounds() - before);
  }
  relay.setLatency(0);
  // What the clock brings about has round trips of its own now and then.
  expect(Math.min(...counts)).toBeLessThanOrEqual(MAX_ROUND_TRIPS);
});
