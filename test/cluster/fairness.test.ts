import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/platform/kernel/log.js';
import { MasterKeys } from '../../src/platform/sealing/master-keys.js';
import { openSharedStore } from '../../src/seller/store/store.js';
import { freshDatabase } from '../kit/postgres.js';
import { startReceiver } from '../kit/receiver.js';
import { turnableClock } from '../kit/surroundings.js';
import { addressOf, type Sender, startSender } from '../seller/webhooks/sender.js';

const KEYS = MasterKeys.open({ file: '', given: Buffer.alloc(32, 7).toString('base64') });
const OTHERS = 200;
const HEALTHY = 60;

it('serves a path that answers at once beside 200 principals whose calls hang, from each of two processes', async () => {
  const url = await freshDatabase();
  const clock = turnableClock();
  const startProcess = async (): Promise<Sender> => {
    const store = await openSharedStore(url, { keys: KEYS, log: createLog('silent') });
    onTestFinished(() => store.close());
    return startSender({ store, clock, policy: { timeoutMs: 60_000 } });
  };
  const receiver = await startReceiver();
  receiver.always((post) => (post.path.startsWith('/bad') ? 'hang' : 200));
  const senders = [await startProcess(), await startProcess()];
  // Ended before the senders, which wait for what hangs: what is registered last runs first.
  onTestFinished(() => receiver.close());
  const [first] = senders as [Sender];
  await first.store.transact(async (tx) => {
    for (let n = 0; n < 4 * OTHERS; n += 1) {
      const owner = `sales#other-${n % OTHERS}`;
      const to = { ...addressOf(`${receiver.url}/bad/${n % OTHERS}`), owner };
      await first.delivery.post(tx, { ...to, body: (idempotency_key) => ({ idempotency_key }) });
    }
  });
  const posted = (path: string) => receiver.posts.filter((post) => post.path.startsWith(path));
  for (let n = 0; n < HEALTHY; n += 1) {
    await (senders[n % 2] as Sender).send(addressOf(`${receiver.url}/good`));
    await expect.poll(() => posted('/good').length, { interval: 2, timeout: 20_000 }).toBe(n + 1);
  }
  const keys = posted('/bad').map((post) => post.json.idempotency_key);
  expect(new Set(keys).size, 'none was sent by both').toBe(keys.length);
  // One call at a time to each path from each process.
  expect(keys.length).toBeLessThanOrEqual(2 * OTHERS);
});
