import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, packageRequest, SANDBOX_ACCOUNT_2, succeeded } from '../../kit/buyer.js';
import { settle } from '../../kit/events.js';
import { listAgent } from '../../kit/list-agent.js';
import { listenLocally } from '../../kit/listen.js';
import { tenantsFolder } from '../../kit/tenants.js';

const DAY = 86_400_000;
const NEWS = { identifiers: [{ type: 'domain', value: 'northlight.example' }] };
const answer = (structuredContent: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, result: { structuredContent } });

/** The address of an agent that answers as it likes. */
async function hostileAgent(listener: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => listener(request, response));
  });
  const origin = await listenLocally(server);
  return `${origin}/mcp`;
}

const reply =
  (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };

const MIB = 1024 * 1024;

/** What agents of strangers answer instead of a list, and what the buyer is told. */
const HOSTILE: readonly (readonly [what: string, listener: RequestListener, code: string])[] = [
  [
    'a body without end',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): unknown =>
        response.destroyed || (response.write(' '.repeat(65_536)) ? setImmediate(more) : response.once('drain', more));
      more();
    },
    'SERVICE_UNAVAILABLE',
  ],
  [
    '64 MiB in 64 KiB of gzip',
    reply(gzipSync(Buffer.alloc(64 * MIB, ' ')), { 'content-encoding': 'gzip' }),
    'SERVICE_UNAVAILABLE',
  ],
  [
    'lists in one another by the hundred thousand',
    reply(`${'['.repeat(120_000)}${']'.repeat(120_000)}`),
    'REFERENCE_NOT_FOUND',
  ],
  ['no JSON', reply('<html>'), 'REFERENCE_NOT_FOUND'],
  ['a result that is none', reply(answer({ identifiers: 'all' })), 'REFERENCE_NOT_FOUND'],
  [
    'entries of every other type',
    reply(answer({ identifiers: [null, 1, [], { type: 1, value: {} }] })),
    'PRODUCT_UNAVAILABLE',
  ],
  [
    'page after page',
    reply(answer({ identifiers: [], pagination: { has_more: true, cursor: 'again' } })),
    'UNSUPPORTED_FEATURE',
  ],
  [
    'a way to somewhere else',
    (_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    'REFERENCE_NOT_FOUND',
  ],
  ['a connection that is cut', (request) => request.socket.destroy(), 'SERVICE_UNAVAILABLE'],
];

/** The shipped tenants, whose test product can be narrowed to lists. */
function listTenants(): string {
  return tenantsFolder(({ products }) => {
    for (const product of products) {
      if (product.product_id !== 'test-product') continue;
      const { targeting, ...inventory } = product.inventory as Readonly<Record<string, object>>;
      product.inventory = {
        ...inventory,
        targeting: { ...targeting, property_list: true, collection_list: { Morning: 1 } },
      };
    }
  });
}

const server = await boot({ tenants: listTenants() });

const order = (property_list: object, lines = 1) => {
  const line = packageRequest({ targeting_overlay: { property_list } });
  return createRequest({ packages: Array.from({ length: lines }, () => line) });
};

test.each(HOSTILE)(
  'an order that names a list whose agent answers %s is refused, and nothing is bought',
  async (_what, listener, code) => {
    const { call } = server;
    const list = { agent_url: await hostileAgent(listener), list_id: 'theirs' };
    const refused = (await call('create_media_buy', order(list), { version: '3.1' })).payload;
    expect(refused.errors[0]).toMatchObject({ code, field: 'packages[0].targeting_overlay.property_list' });
    const found = (await call('get_products', { buying_mode: 'wholesale', property_list: list }, { version: '3.1' }))
      .payload;
    if (code !== 'PRODUCT_UNAVAILABLE') expect(found.errors[0]).toMatchObject({ code, field: 'property_list' });
    else expect(found.products).toEqual([]);
  },
);

test('a list that many packages name is asked for once', async () => {
  const { call } = server;
  const agent = await listAgent({ ours: NEWS });
  succeeded(await call('create_media_buy', order({ agent_url: agent.url, list_id: 'ours' }, 20), { version: '3.1' }));
  expect(agent.tokens).toHaveLength(1);
});

test('the lists of others are followed while the agents of one owner take their time', async () => {
  const one = await boot({ tenants: listTenants() });
  let isSlow = false;
  let askedOther = (): void => undefined;
  const others = new Promise<void>((resolve) => {
    askedOther = resolve;
  });
  const slow = await hostileAgent(async (request, response) => {
    // It answers only once the other owner's agent was asked.
    if (isSlow) await others;
    reply(answer(NEWS))(request, response);
  });
  const prompt = await listAgent({
    ours: () => {
      if (isSlow) askedOther();
      return NEWS;
    },
  });
  const bought = succeeded(
    await one.call('create_media_buy', order({ agent_url: slow, list_id: 'ours' }), { version: '3.1' }),
  );
  one.clock.advance(1000);
  succeeded(
    await one.call(
      'create_media_buy',
      { ...order({ agent_url: prompt.url, list_id: 'ours' }), account: { account_id: SANDBOX_ACCOUNT_2 } },
      { version: '3.1', token: 'sandbox-token-2' },
    ),
  );
  isSlow = true;
  one.clock.advance(2 * DAY);
  await settle(one);
  expect(prompt.tokens).toHaveLength(2);
  const asked = { media_buy_ids: [bought.media_buy_id], include_history: 100 };
  const { media_buys } = succeeded(await one.call('get_media_buys', asked, { version: '3.1' }));
  expect(JSON.stringify(media_buys)).not.toContain('list_unreadable');
});
