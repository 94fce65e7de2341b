import { expect, it } from 'vitest';
import { boot } from '../../kit/boot.js';
import { freshKey, SANDBOX_ACCOUNT } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { tenantsFolder } from '../../kit/tenants.js';

const VERSION = '3.2-beta.5';
const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Any = any;

it('a purchase that a person has to approve waits as a task, and is valid as the schema has it', async () => {
  const tenants = tenantsFolder((tenant) => {
    tenant.protocol = { preview: true };
    tenant.approvals = [
      {
        tasks: ['create_media_buy', 'update_media_buy'],
        timeout_hours: 24,
        on_timeout: 'approve',
        budget_over: { amount: 100, currency: 'USD' },
      },
    ];
  });
  const server = await boot({ tenants });
  const call = async (task: string, args: object): Promise<Any> =>
    (await server.call(task, args, { version: VERSION })).payload;
  const { feed_version } = await call('list_products', {});
  const submitted = await call('buy_products', {
    idempotency_key: freshKey(),
    account: ACCOUNT,
    brand: { domain: 'acme-outdoor.example' },
    feed_version,
    start_time: '2030-02-01T00:00:00Z',
    end_time: '2030-03-01T00:00:00Z',
    purchases: [{ product_id: 'test-product', pricing_option_id: 'default', budget: 900 }],
  });
  expect(submitted).toMatchObject({ status: 'submitted', task_id: expect.any(String) });
  if (hasSchemas(VERSION)) expect(schemaJudge(VERSION)('media-buy/buy-products-response', submitted)).toEqual([]);
  const poll = () => call('get_task_status', { task_id: submitted.task_id, include_result: true });
  expect(await poll()).toMatchObject({ task_type: 'buy_products', status: 'submitted' });
  server.clock.advance(25 * 3_600_000);
  await expect.poll(async () => (await poll()).status, { timeout: 10_000 }).toBe('completed');
  const { result } = await poll();
  expect(result).toMatchObject({ status: 'completed', accepted_proposal: { proposal_status: 'accepted' } });
  const { media_buys } = await call('get_media_buys', { account: ACCOUNT, media_buy_ids: [result.media_buy_id] });
  expect(media_buys).toHaveLength(1);
  // What an amendment adds is what a person decides about: until then the buy stays as it is.
  const refine = async (refinement: object): Promise<Any> =>
    (await call('refine_proposals', { idempotency_key: freshKey(), refinements: [refinement] })).results[0];
  const { proposals } = await refine({
    proposal_id: result.accepted_proposal.proposal_id,
    action: 'revise',
    constraints: { total_budget: { min: 5000, currency: 'USD' } },
  });
  const { proposal } = await refine({ proposal_id: proposals[0].proposal_id, action: 'finalize' });
  const waiting = await call('accept_proposal', {
    idempotency_key: freshKey(),
    account: ACCOUNT,
    proposal_id: proposal.proposal_id,
    proposal_terms_digest: proposal.terms_digest,
  });
  expect(waiting).toMatchObject({ status: 'submitted', task_id: expect.any(String) });
  if (hasSchemas(VERSION)) expect(schemaJudge(VERSION)('media-buy/accept-proposal-response', waiting)).toEqual([]);
  const ask = () => call('get_task_status', { task_id: waiting.task_id, include_result: true });
  const budget = async (): Promise<number> =>
    (await call('get_media_buys', { account: ACCOUNT, media_buy_ids: [result.media_buy_id] })).media_buys[0]
      .total_budget;
  expect(await budget()).toBe(900);
  server.clock.advance(25 * 3_600_000);
  await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe('completed');
  expect(await budget()).toBe(5000);
});
