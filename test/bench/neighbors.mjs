/**
 * A process that sends webhooks of one principal, one after the other, beside those of others at the same origin, and prints how long each
 * took from its transaction to its answer: `{ p50, p99, worst }` in ms.
 *
 * node neighbors.mjs <path of the others> <principals> <events of them> <count> <port> <folder for the store>
 */
import { generateKeyPairSync } from 'node:crypto';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../dist/platform/kernel/clock.js';
import { systemIds } from '../../dist/platform/kernel/ids.js';
import { createLog } from '../../dist/platform/kernel/log.js';
import { createOutbound } from '../../dist/platform/net/fetch.js';
import { protocolNames } from '../../dist/protocol/names.js';
import { openStore } from '../../dist/seller/store/store.js';
import { createDelivery } from '../../dist/seller/webhooks/delivery/delivery.js';

const [theirs, principals, events, count, port, folder] = process.argv.slice(2);
const origin = `http://127.0.0.1:${port}`;
const { privateKey } = generateKeyPairSync('ed25519');
const key = { kid: 'bench', alg: 'ed25519', purpose: 'request-signing', privateKey };
const store = openStore(path.join(folder, 'store.db'));
const outbound = createOutbound({ development: true });
let answered = () => undefined;
const watched = {
  fetch: async (url, request) => {
    const answer = await outbound.fetch(url, request);
    if (url.endsWith('/good')) answered();
    return answer;
  },
};
const sign = () => ({ names: protocolNames('adcp'), key });
const log = createLog('silent');
const delivery = createDelivery({ store, clock: systemClock, ids: systemIds, log, outbound: watched, sign });
const filling = 'x'.repeat(600);

function eventTo(owner, url) {
  const channel = { url, mode: 'rfc9421', operation_id: 'op-1', local: true };
  return { owner, tenant: 'sales', channel, body: (idempotency_key) => ({ idempotency_key, filling }) };
}

async function sendOne() {
  const done = new Promise((resolve) => {
    answered = resolve;
  });
  const begin = performance.now();
  await store.transact((tx) => delivery.post(tx, eventTo('sales#good', `${origin}/good`)));
  await done;
  return performance.now() - begin;
}

await store.transact(async (tx) => {
  for (let n = 0; n < Number(events); n += 1) {
    const other = n % Number(principals);
    await delivery.post(tx, eventTo(`sales#other-${other}`, `${origin}/${theirs}/${other}`));
  }
});
await delivery.start();
const ticking = setInterval(() => void delivery.tick(), 1000);
// The others are under way, and this process is warm.
await setTimeout(1000);
for (let n = 0; n < 200; n += 1) await sendOne();
const took = [];
for (let n = 0; n < Number(count); n += 1) took.push(await sendOne());
clearInterval(ticking);
took.sort((a, b) => a - b);
const at = (part) => took[Math.min(took.length - 1, Math.floor(part * took.length))];
process.stdout.write(`${JSON.stringify({ p50: at(0.5), p99: at(0.99), worst: at(1) })}\n`);
process.exit(0);
