import { once } from 'node:events';
import { createServer } from 'node:http';
import { createReceiver, openSenderKeys } from 'seller-agent/receiver';

/** Receives one event with a store in memory. */
const events = [];
const store = {
  add: async (event) => {
    const isKnown = events.some((one) => one.idempotency_key === event.idempotency_key);
    if (isKnown) return 'duplicate';
    events.push({ ...event, seq: events.length, state: 'waiting', tries: 0, due_at: event.received_at });
    return 'added';
  },
  due: async (now) => events.filter(({ due_at }) => due_at !== null && due_at <= now).map(({ seq }) => seq),
  find: async (seq) => events[seq],
  list: async (state) => events.filter((one) => one.state === state),
  settle: async (result) => void Object.assign(events[result.seq], result),
  revive: async () => false,
  prune: async () => 0,
  close: async () => undefined,
};

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/hooks`;
const token = 'a-token-of-more-than-32-characters-x';
const keys = openSenderKeys();
const endpoint = { url, mode: 'bearer', credentials: [token], sender: 'https://seller.example/mcp' };
let resolveHandled;
const handled = new Promise((resolve) => {
  resolveHandled = resolve;
});
const receiver = createReceiver({ store, keys, endpoints: [endpoint], handler: (event) => resolveHandled(event) });
server.on('request', receiver.listener);
const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
const body = JSON.stringify({
  idempotency_key: '0123456789abcdef',
  task_id: 'task_1',
  task_type: 'create_media_buy',
  status: 'completed',
  timestamp: '2030-01-01T00:00:00Z',
});
const answer = await fetch(url, { method: 'POST', headers, body });
const { idempotencyKey, sender } = await handled;
process.stdout.write(JSON.stringify({ status: answer.status, idempotencyKey, sender }));
await receiver.close();
await keys.close();
server.closeAllConnections();
server.close();
