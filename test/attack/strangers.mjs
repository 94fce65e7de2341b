/** Lists, feeds and brand files at addresses that strangers choose, whose servers mean harm. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { goodOrder } from './connections.mjs';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

const reply =
  (body, headers = {}) =>
  (response) =>
    response.writeHead(200, { ...JSON_TYPE, ...headers }).end(body);

const BOMB = gzipSync(Buffer.alloc(200 * MIB, ' '));
const DEEP = `${'['.repeat(120_000)}${']'.repeat(120_000)}`;
const entries = JSON.stringify(Array.from({ length: 6000 }, (_, at) => ({ type: 'domain', value: `${at}.example` })));

/** What a server of strangers does with whoever asks it. */
const KINDS = {
  'never answers': () => undefined,
  'a byte a second': (response) => {
    response.writeHead(200, JSON_TYPE);
    const timer = setInterval(() => response.write(' '), 1000);
    response.once('close', () => clearInterval(timer));
  },
  'a body without end': (response) => {
    response.writeHead(200, JSON_TYPE);
    const chunk = Buffer.alloc(MIB, ' ');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  },
  '200 MB in 200 KB of gzip': reply(BOMB, { 'content-encoding': 'gzip' }),
  '120,000 lists in one another': reply(DEEP),
  'page after page of 6,000 entries': (response) =>
    reply(
      `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"identifiers":${entries},"pagination":{"has_more":true,"cursor":"${randomUUID()}"}}}}`,
    )(response),
  'headers without end': (response) => {
    response.socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => response.socket.write(`x-${'y'.repeat(1000)}: z\r\n`.repeat(50)), 100);
    response.socket.once('close', () => clearInterval(timer));
  },
  'a redirect to itself': (response, { url }) => response.writeHead(302, { location: url }).end(),
  'a connection that is cut': (response) => response.socket.destroy(),
};

/** The servers of strangers, one for each kind: their origins. */
async function openStrangers(context) {
  let asked = 0;
  const origins = [];
  for (const treat of Object.values(KINDS)) {
    const server = createServer((request, response) => {
      asked += 1;
      response.on('error', () => undefined);
      request.socket.on('error', () => undefined);
      request.resume().once('end', () => treat(response, request));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    context.atEnd(() => {
      server.close();
      server.closeAllConnections();
    });
    origins.push(`http://127.0.0.1:${server.address().port}`);
  }
  return { origins, asked: () => asked };
}

/** The calls that have a server ask an address of a caller's choice, without the webhooks, which have rows of their own. */
const WAYS = [
  ({ origin, id }) => [
    'get_products',
    { buying_mode: 'wholesale', property_list: { agent_url: `${origin}/mcp`, list_id: id } },
  ],
  ({ origin, id, order }) => [
    'create_media_buy',
    {
      ...order,
      packages: order.packages.map((line) => ({
        ...line,
        targeting_overlay: { property_list: { agent_url: `${origin}/mcp`, list_id: id } },
      })),
    },
  ],
  ({ origin, id, account }) => [
    'sync_catalogs',
    { account, catalogs: [{ catalog_id: id, name: 'Feed', type: 'product', url: `${origin}/feed.json` }] },
  ],
  ({ at, agent }) => [
    'build_creative',
    {
      message: 'Boots for winter.',
      target_format_id: { agent_url: agent, id: 'display_300x250' },
      brand: { domain: `stranger-${at}.example` },
    },
    'creative',
  ],
];

export const rows = [
  {
    id: 'strangers-files',
    what: `${Object.keys(KINDS).length} kinds of hostile servers behind property lists, feeds and brand.json: silent, slow, endless, packed, nested, paged, looping`,
    short: true,
    target: 'own',
    async run(context) {
      const { origins, asked } = await openStrangers(context);
      const resolve = Object.fromEntries(origins.map((origin, at) => [`stranger-${at}.example`, origin]));
      const bend = (tenant) => {
        tenant.outbound = { resolve };
      };
      // Only in development may a buyer name addresses of this machine, and only one with a sandbox.
      const server = await context.launch({ development: true, bend });
      await context.watch(server);
      const as = context.principals.sandboxed;
      const account = { account_id: as.account };
      const order = { ...(await goodOrder(context)), account };
      const agent = `${server.origin}/creative/mcp`;
      const calls = origins.flatMap((origin, at) => WAYS.map((way) => ({ way, origin, at })));
      const rounds = context.size(3, 1);
      const wrong = [];
      let bought = 0;
      await context.inTurn(calls.length * rounds, 12, async (index) => {
        const { way, ...stranger } = calls[index % calls.length];
        const [task, args, tenant = 'sales'] = way({ ...stranger, id: randomUUID(), account, agent, order });
        const { answer, status, text } = await context.call(
          task,
          { idempotency_key: randomUUID(), ...args },
          { as, tenant },
        );
        if (answer?.media_buy_id !== undefined) bought += 1;
        if (status !== 200 || answer === undefined || /INTERNAL_ERROR/.test(text))
          wrong.push(`${task} at ${Object.keys(KINDS)[stranger.at]}: ${status} ${text.slice(0, 160)}`);
      });
      return {
        held: wrong.length === 0 && bought === 0 && asked() >= calls.length,
        figures:
          wrong.slice(0, 3).join('; ') ||
          `${calls.length * rounds} calls answered, ${asked()} requests to strangers, nothing bought`,
      };
    },
  },
];
