/** Connections that are opened, held, dripped into or never read. */
import { readdirSync } from 'node:fs';
import { pause } from './kit/wire.mjs';

const STATUSES = ['pending_start', 'pending_creatives', 'active', 'paused'];

function batchOf(context, messages) {
  const body = JSON.stringify(
    messages.map(([name, args], index) => ({
      jsonrpc: '2.0',
      id: index + 1,
      method: 'tools/call',
      params: { name, arguments: args },
    })),
  );
  return [
    'POST /sales/mcp HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${context.principals.attacker.token}`,
    'Content-Type: application/json',
    'Accept: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** Returns an order of five packages of the attacker's, good as it is but for its idempotency_key. */
export async function goodOrder(context) {
  const { answer: catalog } = await context.call('get_products', { brief: 'video', buying_mode: 'brief' });
  // Guaranteed products sell out.
  const product = catalog.products.find(
    ({ delivery_type, pricing_options: [option] }) =>
      delivery_type === 'non_guaranteed' && option?.fixed_price !== undefined,
  );
  const option = product.pricing_options.find(({ fixed_price }) => fixed_price !== undefined);
  return {
    account: { account_id: context.principals.attacker.account },
    brand: { domain: 'acme-outdoor.example' },
    start_time: new Date(Date.now() + 86_400_000).toISOString(),
    end_time: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    packages: Array.from({ length: 5 }, (_, number) => ({
      buyer_ref: `line-${number}`,
      product_id: product.product_id,
      pricing_option_id: option.pricing_option_id,
      budget: 10_000 + number,
    })),
  };
}

/** Books so many buys of five packages for the attacker. */
export async function bookBuys(context, count) {
  const order = await goodOrder(context);
  const answers = await context.inTurn(count, 8, (index) =>
    context.call('create_media_buy', { ...order, idempotency_key: `attack-${context.id}-${Date.now()}-${index}-0000` }),
  );
  const booked = answers.filter(({ answer }) => answer?.media_buy_id !== undefined).length;
  if (booked < count) {
    const { text } = answers.find(({ answer }) => answer?.media_buy_id === undefined);
    throw new Error(`${booked} of ${count} were booked: ${text.slice(0, 500)}`);
  }
  return booked;
}

/** Files and sockets that a process has open. */
const openSockets = (pid) => readdirSync(`/proc/${pid}/fd`).length;

/** Waits until as few are left as there should be, half a minute at most: the system takes connections before the server sees them. */
async function settled(count, wanted) {
  await pause(3000);
  const until = performance.now() + 30_000;
  while (count() > wanted && performance.now() < until) await pause(200);
  return count();
}

export const rows = [
  {
    id: 'batch-never-read',
    what: '30 connections send batches of 50 × get_media_buys(100) and never read an answer',
    short: true,
    async run(context) {
      const booked = await bookBuys(context, context.size(100, 40));
      const asks = Array.from({ length: 50 }, () => [
        'get_media_buys',
        { status_filter: STATUSES, pagination: { max_results: 100 } },
      ]);
      const text = batchOf(context, asks);
      const before = context.memory();
      for (let number = 0; number < 30; number++) context.open({ text: text + text, reads: false });
      await pause(context.size(20_000, 8000));
      // What was let go is given back when the collector comes to it, which with little to do may be a while.
      const until = performance.now() + 60_000;
      while (context.memory() - before >= 200 && performance.now() < until) await pause(500);
      const grown = context.memory() - before;
      return { held: grown < 200, figures: `${booked} buys; memory +${grown.toFixed(0)} MiB at the end` };
    },
  },
  {
    id: 'slowloris',
    what: '500 connections that send their header a byte at a time',
    short: true,
    async run(context) {
      const count = 500;
      const opened = Array.from({ length: count }, () =>
        context.open({ text: 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ' }),
      );
      const until = performance.now() + context.size(30_000, 5000);
      let closed = 0;
      for (const { ended } of opened) void ended.then(() => (closed += 1));
      while (performance.now() < until) {
        for (const { socket } of opened) if (socket.writable) socket.write('a');
        await pause(500);
      }
      const isShort = context.isShort;
      return { held: isShort || closed === count, figures: `${closed} of ${count} closed by the server` };
    },
  },
  {
    id: 'idle-connections',
    what: '3,000 connections from one address that send nothing',
    short: true,
    async run(context) {
      const opened = Array.from({ length: 3000 }, () => context.open());
      const open = await settled(() => openSockets(context.target.pid), 300);
      return {
        held: open <= 300 && opened.length === 3000,
        figures: `the server holds ${open} sockets and files open`,
      };
    },
  },
  {
    id: 'idle-from-many',
    what: '3,000 idle connections from 30 addresses, more than are taken in all',
    short: false,
    async run(context) {
      const opened = Array.from({ length: 3000 }, (_, index) => context.open({ from: `127.0.1.${1 + (index % 30)}` }));
      const open = await settled(() => openSockets(context.target.pid), 2100);
      return {
        held: open <= 2100 && opened.length === 3000,
        figures: `the server holds ${open} sockets and files open, and somebody new gets in`,
      };
    },
  },
  {
    id: 'slow-bodies',
    what: '200 connections that announce 4 MB and send it a few bytes at a time',
    short: false,
    async run(context) {
      const { token } = context.principals.attacker;
      const text = `POST /sales/mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n`;
      const opened = Array.from({ length: 200 }, () => context.open({ text: text + ' '.repeat(60_000) }));
      let closed = 0;
      for (const { ended } of opened) void ended.then(() => (closed += 1));
      const until = performance.now() + 70_000;
      while (closed < 200 && performance.now() < until) {
        for (const { socket } of opened) if (socket.writable) socket.write('  ');
        await pause(1000);
      }
      return { held: closed === 200, figures: `${closed} of 200 ended within 70 s` };
    },
  },
  {
    id: 'bodies-in-hand',
    what: '200 connections that send 3.9 MB of a body each and then nothing',
    short: true,
    async run(context) {
      const { token } = context.principals.attacker;
      const text = `POST /sales/mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n`;
      const part = Buffer.concat([Buffer.from(text), Buffer.alloc(3_900_000, 0x20)]);
      const before = context.memory();
      const opened = Array.from({ length: 200 }, () => context.open());
      for (const { socket } of opened) socket.write(part);
      await pause(context.size(10_000, 6000));
      const refused = opened.filter(({ received }) => received().startsWith('HTTP/1.1 503')).length;
      const grown = context.memory() - before;
      return { held: grown < 300, figures: `${refused} of 200 refused with 503, memory +${grown.toFixed(0)} MiB` };
    },
  },
];
