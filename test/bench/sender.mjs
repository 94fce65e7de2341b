/**
 * A process that sends signed webhooks to receivers, and prints how many a second: `ours` from the durable outbox, `bare` in a plain
 * loop over undici with the same bodies, the same key and as many in flight.
 *
 * node sender.mjs ours|bare <count> <ports as JSON> <folder for the store> [port of an endpoint that never answers]
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { systemClock } from '../../dist/platform/kernel/clock.js';
import { systemIds } from '../../dist/platform/kernel/ids.js';
import { createLog } from '../../dist/platform/kernel/log.js';
import { createOutbound } from '../../dist/platform/net/fetch.js';
import { signRequest } from '../../dist/platform/signing/sign.js';
import { protocolNames } from '../../dist/protocol/names.js';
import { openStore } from '../../dist/seller/store/store.js';
import { createDelivery } from '../../dist/seller/webhooks/delivery/delivery.js';

const [who, count, portsText, folder, hole] = process.argv.slice(2);
const ports = JSON.parse(portsText);
const names = protocolNames('adcp');
const { privateKey } = generateKeyPairSync('ed25519');
const key = { kid: 'bench', alg: 'ed25519', purpose: 'request-signing', privateKey };
const filling = 'x'.repeat(600);

function bodyOf(idempotency_key) {
  const task_id = 'mb_01a1fdca718c7598b2b9df56d86bab8c';
  return {
    idempotency_key,
    operation_id: 'op-1',
    task_id,
    task_type: 'create_media_buy',
    status: 'completed',
    filling,
  };
}

/** How many events wait for the endpoint that never answers. */
const HELD = 10_000;

const urlOf = (n) => `http://127.0.0.1:${ports[n % ports.length]}/webhooks`;

async function ours() {
  const store = openStore(path.join(folder, 'store.db'));
  const outbound = createOutbound({ development: true });
  const log = createLog('error');
  const sign = () => ({ names, key });
  const answers = { left: 0, done: () => undefined };
  const counting = {
    fetch: async (...request) => {
      const answer = await outbound.fetch(...request);
      answers.left -= 1;
      if (answers.left === 0) answers.done();
      return answer;
    },
  };
  const delivery = createDelivery({ store, clock: systemClock, ids: systemIds, log, outbound: counting, sign });
  const letterTo = (n, url = urlOf(n)) => {
    const channel = { url, mode: 'rfc9421', operation_id: 'op-1', local: true };
    return { owner: 'sales#bench', tenant: 'sales', channel, body: bodyOf };
  };
  async function post(many, letter) {
    for (let at = 0; at < many; at += 250) {
      const some = Array.from({ length: Math.min(250, many - at) }, (_, n) => letter(at + n));
      await store.transact(async (tx) => {
        for (const one of some) await delivery.post(tx, one);
      });
    }
  }
  const waiting = hole === undefined ? 0 : HELD;
  await post(waiting, () => letterTo(0, `http://127.0.0.1:${hole}/webhooks`));
  return {
    async send(many) {
      await post(many, letterTo);
      const others = waiting;
      const answered = new Promise((resolve) => Object.assign(answers, { left: many, done: resolve }));
      const begin = performance.now();
      await delivery.start();
      await answered;
      // To ask earlier would cost more than it tells: all that waits is counted.
      while ((await store.read.webhookLog.backlog()).pending > others) await setTimeout(2);
      const seconds = (performance.now() - begin) / 1000;
      if (hole === undefined) await delivery.close();
      const { pending } = await store.read.webhookLog.backlog();
      if (pending !== others) throw new Error(`${pending} events are still there`);
      return many / seconds;
    },
    async close() {
      await outbound.close();
      await store.close();
    },
  };
}

async function bare() {
  const pools = ports.map((port) => new Pool(`http://127.0.0.1:${port}`, { connections: 4, pipelining: 1 }));
  return {
    async send(many) {
      let next = 0;
      const sender = async () => {
        while (next < many) {
          const n = next++;
          const body = Buffer.from(JSON.stringify(bodyOf(randomUUID())));
          const options = {
            tag: names.webhookTag,
            nowSeconds: Math.floor(Date.now() / 1000),
            nonce: systemIds.secret(),
          };
          const request = { method: 'POST', url: urlOf(n), contentType: 'application/json', body };
          const headers = { 'content-type': 'application/json', ...signRequest(request, key, options) };
          const answer = await pools[n % pools.length].request({ path: '/webhooks', method: 'POST', headers, body });
          await answer.body.dump();
        }
      };
      const begin = performance.now();
      await Promise.all(Array.from({ length: 64 }, sender));
      return many / ((performance.now() - begin) / 1000);
    },
    close: () => Promise.all(pools.map((pool) => pool.close())),
  };
}

const sender = await { ours, bare }[who]();
await sender.send(Number(count) / 2);
const cpuBefore = process.cpuUsage();
const perSecond = await sender.send(Number(count));
const { user, system } = process.cpuUsage(cpuBefore);
process.stdout.write(`${JSON.stringify({ perSecond, cpuMicros: (user + system) / Number(count) })}\n`);
if (hole === undefined) await sender.close();
else process.exit(0);
