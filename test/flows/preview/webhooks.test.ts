import { expect, it } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, freshKey, SANDBOX_ACCOUNT } from '../../kit/buyer.js';
import { pass } from '../../kit/events.js';
import { startReceiver } from '../../kit/receiver.js';

const VERSION = '3.2-beta.5';
const ACCOUNT = { account_id: SANDBOX_ACCOUNT };

it('events of a buy of the preview are signed as in all of 3.x: base64url without padding, the digest covered', async () => {
  const receiver = await startReceiver();
  const server = await boot({ settings: { protocolPreview: true } });
  const call = async (task: string, args: object) =>
    (await server.call(task, { idempotency_key: freshKey(), ...args }, { version: VERSION }))
      .payload as unknown as Readonly<Record<string, never>>;
  const { feed_version } = await call('list_products', {});
  const { revision } = await call('buy_products', {
    account: ACCOUNT,
    brand: { domain: 'acme-outdoor.example' },
    feed_version,
    start_time: '2030-02-01T00:00:00Z',
    end_time: '2030-03-01T00:00:00Z',
    purchases: [{ product_id: 'test-product', pricing_option_id: 'default', budget: 900 }],
    push_notification_config: { url: `${receiver.url}/hooks`, operation_id: 'op-1' },
  });
  // The booking is confirmed once the answer is out, and what else happens is gathered for two seconds.
  await pass(server, 3000, 1000);
  const [post] = receiver.posts;
  const { signature = '', 'signature-input': input = '', 'content-digest': digest = '' } = post?.headers ?? {};
  expect(revision).toBe(1);
  expect(input).toContain('"content-digest"');
  expect(signature).toMatch(/^sig1=:[A-Za-z0-9_-]{86}:$/);
  expect(digest).toMatch(/^sha-256=:[A-Za-z0-9_-]{43}:$/);
});

it('a registration without an operation_id is refused: the envelope of every event needs it', async () => {
  const server = await boot({ settings: { protocolPreview: true } });
  const register = async (version: string, registration: object) =>
    (
      await server.call(
        'create_media_buy',
        createRequest({ push_notification_config: { url: 'https://buyer.example/hooks', ...registration } }),
        { version },
      )
    ).payload;
  expect((await register(VERSION, {})).errors?.[0]).toMatchObject({
    code: 'INVALID_REQUEST',
    field: 'push_notification_config.operation_id',
  });
  expect(await register(VERSION, { operation_id: 'op-1' })).toMatchObject({ status: 'completed' });
  expect(await register('3.1', {})).toMatchObject({ status: 'completed' });
});

it('buy_products says what its order says: which ad runs, and what an unknown industry counts as', async () => {
  const server = await boot({ settings: { protocolPreview: true } });
  const { payload: offers } = await server.call('list_products', {}, { version: VERSION });
  const { payload } = await server.call(
    'buy_products',
    {
      idempotency_key: freshKey(),
      account: ACCOUNT,
      brand: { domain: 'acme-outdoor.example' },
      feed_version: offers.feed_version,
      start_time: '2030-02-01T00:00:00Z',
      end_time: '2030-03-01T00:00:00Z',
      purchases: [{ product_id: 'test-product', pricing_option_id: 'default', budget: 900 }],
      advertiser_industry: 'hats',
    },
    { version: VERSION },
  );
  const { message } = payload.ext as { readonly message?: string };
  expect(message).toContain('No creative is needed here');
  expect(message).toContain('advertiser_industry is no industry of the protocol');
});
