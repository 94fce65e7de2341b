import { expect, it } from 'vitest';
import { boot } from '../../kit/boot.js';
import { freshKey, SANDBOX_ACCOUNT } from '../../kit/buyer.js';
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
