import { expect, it } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, freshKey, packageRequest, SANDBOX_ACCOUNT } from '../../kit/buyer.js';

const server = await boot({ settings: { protocolPreview: true } });

it.each([
  [
    'create_media_buy',
    createRequest({ packages: [packageRequest({ bidding: { max_bid: 3 } })] }),
    'packages[0].bidding',
  ],
  ['create_media_buy', createRequest({ daily_budget_cap: 5 }), 'daily_budget_cap'],
  ['get_media_buys', { account: { account_id: SANDBOX_ACCOUNT, timezone: 'UTC' } }, 'account.timezone'],
] as const)('what 3.2 adds to %s is refused to its callers, not passed over', async (task, args, field) => {
  const keyed = task === 'get_media_buys' ? args : { ...args, idempotency_key: freshKey() };
  const { payload } = await server.call(task, keyed, { version: '3.2-beta.5' });
  expect(payload.errors[0]).toMatchObject({ code: 'UNSUPPORTED_FEATURE', field });
  const { isError } = await server.call(task, keyed, { version: '3.1' });
  expect(isError).toBe(false);
});
