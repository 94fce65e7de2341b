import { expect, it } from 'vitest';
import { a2aBuyer } from '../../kit/a2a.js';
import { boot } from '../../kit/boot.js';
import { freshKey, SANDBOX_ACCOUNT } from '../../kit/buyer.js';

const VERSION = { adcp_version: '3.2-beta.5' };

it('the tasks of the preview are skills of A2A too, and answer the same', async () => {
  const server = await boot({ settings: { protocolPreview: true } });
  const buyer = a2aBuyer(server);
  const listed = await buyer.call('list_products', { ...VERSION, max_results: 2 });
  expect(listed.status.state).toBe('completed');
  const { payload } = await server.call('list_products', { max_results: 2 }, { version: VERSION.adcp_version });
  expect(listed.artifacts?.[0]?.parts.find(({ kind }) => kind === 'data')?.data).toEqual(payload);
  const bought = await buyer.call('buy_products', {
    ...VERSION,
    idempotency_key: freshKey(),
    account: { account_id: SANDBOX_ACCOUNT },
    brand: { domain: 'acme-outdoor.example' },
    feed_version: (payload as unknown as { feed_version: string }).feed_version,
    start_time: '2030-02-01T00:00:00Z',
    end_time: '2030-03-01T00:00:00Z',
    purchases: [{ product_id: 'test-product', pricing_option_id: 'default', budget: 900 }],
  });
  expect(bought.artifacts?.[0]?.parts.find(({ kind }) => kind === 'data')?.data).toMatchObject({
    status: 'completed',
    accepted_proposal: { proposal_status: 'accepted' },
  });
});
