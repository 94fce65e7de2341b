import { once } from 'node:events';
import { createServer } from 'node:http';
import { openReceiverFolder } from '../../dist/receiver/folder.js';
import { openSenderKeys } from '../../dist/receiver/keys.js';
import { createReceiver } from '../../dist/receiver/receiver.js';

/** A buyer's receiver as a process of its own, to be killed: says where it listens and which events its handler began and ended. */
const [folder, jwksUri, handling] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/hooks`;
const store = await openReceiverFolder(folder);
const receiver = createReceiver({
  store,
  keys: openSenderKeys({ local: true }),
  endpoints: [{ url, mode: 'rfc9421', agents: [{ url: 'https://seller.example/mcp', jwksUri }] }],
  handler: async ({ idempotencyKey, attempt }) => {
    say({ began: idempotencyKey, attempt });
    if (handling === 'never ends') await new Promise(() => undefined);
    say({ ended: idempotencyKey });
  },
});
server.on('request', receiver.listener);
process.once('SIGTERM', async () => {
  await receiver.close();
  await store.close();
  process.exit();
});
say({ url });
