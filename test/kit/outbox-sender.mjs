/**
 * A sender that is killed: it stores buys, each with its event in the same transaction, and delivers the events, until it kills
 * itself at a named point of the send path, or is killed, or (at the point `none`) everything is delivered. What it does at a point
 * it does through the ports of delivery; the code under test knows nothing of it.
 *
 * node outbox-sender.mjs <file of the store> <URL of the receiver> <private JWK> <point> <which occurrence>
 */
import { createPrivateKey } from 'node:crypto';
import { writeSync } from 'node:fs';
import { systemClock } from '../../dist/platform/kernel/clock.js';
import { systemIds } from '../../dist/platform/kernel/ids.js';
import { createLog } from '../../dist/platform/kernel/log.js';
import { createOutbound } from '../../dist/platform/net/fetch.js';
import { protocolNames } from '../../dist/protocol/names.js';
import { openStore } from '../../dist/seller/store/store.js';
import { createDelivery } from '../../dist/seller/webhooks/delivery/delivery.js';
import { taskEvent } from '../../dist/seller/webhooks/outbox.js';

const [file, url, jwk, point, occurrence] = process.argv.slice(2);
const { kid, ...numbers } = JSON.parse(jwk);
const key = {
  kid,
  alg: 'ed25519',
  purpose: 'request-signing',
  privateKey: createPrivateKey({ key: numbers, format: 'jwk' }),
};
const OWNER = 'sales#buyer';
const WRITERS = 6;

let left = Number(occurrence);

/** Dies at once, without a chance to tidy up, when this is the point and its time has come. */
function reach(name) {
  if (name !== point) return;
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
}

function say(...words) {
  writeSync(1, `${words.join(' ')}\n`);
}

const outbound = createOutbound({ development: true });
const inner = openStore(file);

/** The store, with the points that lie within it. */
const store = {
  ...inner,
  transact: async (work) => {
    let settles = false;
    const outcome = await inner.transact(async (tx) => {
      const settle = async (event) => {
        await tx.outbox.settle(event);
        settles = true;
        reach('in-mark');
      };
      const outbox = new Proxy(tx.outbox, {
        get: (writer, name) => (name === 'settle' ? settle : writer[name].bind(writer)),
      });
      return work({ ...tx, outbox });
    });
    if (settles) reach('after-mark');
    return outcome;
  },
};

const delivery = createDelivery({
  store,
  clock: systemClock,
  ids: systemIds,
  log: createLog('error'),
  outbound: {
    fetch: async (...request) => {
      reach('after-claim');
      const answer = await outbound.fetch(...request);
      reach('after-answer');
      return answer;
    },
  },
  sign: () => ({ names: protocolNames('adcp'), key }),
});

/** A buy as far as the store is concerned. */
function buyOf(mediaBuyId, nowIso) {
  return {
    media_buy_id: mediaBuyId,
    account_id: 'acct_1',
    sandbox: true,
    status: 'active',
    revision: 1,
    created_at: nowIso,
    end_time: '2100-01-01T00:00:00Z',
    packages: [],
    echoed: {},
    callbacks: { push_notification_config: { url } },
  };
}

/** One change of state with its event; says so once it is durable. */
async function change() {
  const mediaBuyId = systemIds.next('mb');
  const timestamp = new Date().toISOString();
  const channel = { url, mode: 'rfc9421', local: true };
  const recipient = { owner: OWNER, tenant: 'sales', channel, mediaBuyId, field: 'push_notification_config' };
  const update = { taskId: mediaBuyId, taskType: 'create_media_buy', status: 'completed', timestamp };
  const posted = await store.transact(async (tx) => {
    await tx.mediaBuys.insert(OWNER, buyOf(mediaBuyId, timestamp), true);
    const idempotencyKey = await delivery.post(tx, taskEvent(recipient, update));
    reach('before-commit');
    return idempotencyKey;
  });
  say('posted', posted, mediaBuyId);
}

await delivery.start();
if (point === 'none') {
  await delivery.idle();
  await delivery.close();
  await outbound.close();
  await inner.close();
  say('drained');
} else {
  for (;;) {
    await Promise.all(Array.from({ length: WRITERS }, change));
    // Lets the events out before more come, so that every point is reached early.
    await delivery.idle();
  }
}
