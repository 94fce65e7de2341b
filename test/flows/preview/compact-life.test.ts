import { describe, expect, it } from 'vitest';
import { boot } from '../../kit/boot.js';
import { freshKey, SANDBOX_ACCOUNT } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';

const VERSION = '3.2-beta.5';
const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const BRAND = { domain: 'acme-outdoor.example' };
const judge = hasSchemas(VERSION) ? schemaJudge(VERSION) : () => [];

/** Members that tests look at; all others stay unknown. */
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Any = any;

const server = await boot({ settings: { protocolPreview: true } });

/** Calls a task of the preview; its answer has to be valid by the public schema. */
async function call(tool: string, args: object): Promise<Any> {
  const keyed = tool.startsWith('list') || tool.startsWith('get') ? args : { idempotency_key: freshKey(), ...args };
  const { payload, isError } = await server.call(tool, keyed, { version: VERSION });
  if (!isError)
    expect({ tool, payload, faults: judge(`media-buy/${tool.replaceAll('_', '-')}-response`, payload) }).toMatchObject({
      faults: [],
    });
  return payload;
}

const BRIEF = 'video on sports in the US, 20000 USD, 2030-03-01 to 2030-03-31';

describe('the compact life of a buy', () => {
  it('goes from a brief over a held proposal to delivery', async () => {
    const { media_buy } = (await server.call('get_adcp_capabilities', {}, { version: VERSION })).payload as Any;
    expect(media_buy.lifecycle_tools).toEqual([
      'list_products',
      'request_proposals',
      'refine_proposals',
      'decline_proposals',
      'buy_products',
      'accept_proposal',
      'control_media_buy',
    ]);
    const listed = await call('list_products', {
      account: ACCOUNT,
      criteria: { offer_filters: { channels: ['olv'] } },
    });
    expect(listed.outcome).toBe('listed');
    const asked = await call('request_proposals', { account: ACCOUNT, brand: BRAND, brief: BRIEF });
    expect(asked).toMatchObject({ status: 'completed', outcome: 'proposed', adcp_version: VERSION });
    const [draft] = asked.proposals;
    expect(draft).toMatchObject({ proposal_kind: 'new_media_buy', proposal_status: 'draft' });
    const revised = await call('refine_proposals', {
      refinements: [
        {
          proposal_id: draft.proposal_id,
          action: 'revise',
          constraints: { total_budget: { max: 15_000, currency: 'USD' } },
        },
      ],
    });
    expect(revised.results[0]).toMatchObject({ outcome: 'revised', source_proposal_id: draft.proposal_id });
    const [second] = revised.results[0].proposals;
    expect(second.commercial_terms.total_budget.amount).toBeLessThanOrEqual(15_000);
    expect(second).toMatchObject({ parent_proposal_id: draft.proposal_id, proposal_status: 'draft' });
    const finalized = await call('refine_proposals', {
      refinements: [{ proposal_id: second.proposal_id, action: 'finalize' }],
    });
    const { proposal: committed } = finalized.results[0];
    expect(committed).toMatchObject({
      proposal_status: 'committed',
      terms_digest: second.terms_digest,
      parent_proposal_id: second.proposal_id,
    });
    const accepted = await call('accept_proposal', {
      account: ACCOUNT,
      proposal_id: committed.proposal_id,
      proposal_terms_digest: committed.terms_digest,
    });
    expect(accepted).toMatchObject({
      status: 'completed',
      revision: 1,
      accepted_proposal: {
        proposal_status: 'accepted',
        terms_digest: committed.terms_digest,
        media_buy_id: accepted.media_buy_id,
      },
    });
    const { purchases } = committed.commercial_terms;
    expect(accepted.purchase_bindings.map(({ product_id }: Any) => product_id)).toEqual(
      purchases.map(({ product_id }: Any) => product_id),
    );
    const paused = await call('control_media_buy', {
      account: ACCOUNT,
      media_buy_id: accepted.media_buy_id,
      revision: accepted.revision,
      paused: true,
    });
    expect(paused.revision).toBe(2);
    const cut = await call('control_media_buy', {
      account: ACCOUNT,
      media_buy_id: accepted.media_buy_id,
      revision: paused.revision,
      total_budget: { amount: 12_000, currency: 'USD' },
      paused: false,
    });
    const read = await call('get_media_buys', { account: ACCOUNT, media_buy_ids: [accepted.media_buy_id] });
    expect(read.media_buys[0]).toMatchObject({ total_budget: 12_000, revision: cut.revision });
    const { package_id } = accepted.purchase_bindings[0];
    expect(package_id).toBe(read.media_buys[0].packages[0].package_id);
    const delivery = await call('get_media_buy_delivery', { account: ACCOUNT, media_buy_ids: [accepted.media_buy_id] });
    expect(delivery.media_buy_deliveries).toHaveLength(1);
  });

  it('buys published offers under their version, once per key, and cancels by a proposal of its own', async () => {
    const listed = await call('list_products', { account: ACCOUNT, fields: ['format_options', 'pricing_options'] });
    const { feed_version } = listed;
    expect(await call('list_products', { account: ACCOUNT, if_feed_version: feed_version })).toMatchObject({
      outcome: 'unchanged',
      feed_version,
    });
    const wholesale = await call('get_products', { buying_mode: 'wholesale' });
    expect(wholesale.wholesale_feed_version).toBe(feed_version);
    const purchase = {
      idempotency_key: freshKey(),
      account: ACCOUNT,
      brand: BRAND,
      feed_version,
      start_time: '2030-02-01T00:00:00Z',
      end_time: '2030-03-01T00:00:00Z',
      purchases: [{ product_id: 'test-product', pricing_option_id: 'default', budget: 900 }],
      purchase_order_ref: 'PO-7',
    };
    const bidding = { bid_amount: 2 };
    const lines = purchase.purchases.map((line) => ({ ...line, bidding }));
    for (const [bids, field] of [
      [{ bidding }, 'bidding.bid_amount'],
      [{ purchases: lines }, 'purchases[0].bidding.bid_amount'],
    ] as const)
      expect(await call('buy_products', { ...purchase, ...bids, idempotency_key: freshKey() })).toMatchObject({
        errors: [{ code: 'INVALID_REQUEST', field, details: { fixed_price: 5, currency: 'USD' } }],
      });
    const bought = await call('buy_products', purchase);
    expect(bought).toMatchObject({
      status: 'completed',
      ext: { adcp_version: VERSION },
      accepted_proposal: { proposal_status: 'accepted', commercial_terms: { source_feed_version: feed_version } },
      purchase_bindings: [{ purchase_index: 0, product_id: 'test-product' }],
    });
    expect(await call('buy_products', purchase)).toEqual({ ...bought, replayed: true });
    const stale = await call('buy_products', { ...purchase, idempotency_key: freshKey(), feed_version: 'feed_of_old' });
    expect(stale).toMatchObject({ status: 'failed', errors: [{ code: 'CONFLICT', field: 'feed_version' }] });
    expect(judge('media-buy/buy-products-response', stale)).toEqual([]);
    const { proposal_id } = bought.accepted_proposal;
    const cancel = { proposal_id, action: 'revise', change_kind: 'cancellation', ask: 'The season is over.' };
    const [draft] = (await call('refine_proposals', { refinements: [cancel] })).results[0].proposals;
    expect(draft).toMatchObject({ proposal_kind: 'media_buy_cancellation', media_buy_id: bought.media_buy_id });
    const finalize = { proposal_id: draft.proposal_id, action: 'finalize' };
    const { proposal } = (await call('refine_proposals', { refinements: [finalize] })).results[0];
    const ended = await call('accept_proposal', {
      account: ACCOUNT,
      proposal_id: proposal.proposal_id,
      proposal_terms_digest: proposal.terms_digest,
    });
    expect(ended).toMatchObject({ media_buy_id: bought.media_buy_id, media_buy_status: 'canceled' });
  });

  it('a snapshot stays as it is: declined and accepted ones are over, and no other task changes one', async () => {
    const { proposals } = await call('request_proposals', { account: ACCOUNT, brand: BRAND, brief: BRIEF });
    const [{ proposal_id, terms_digest }] = proposals;
    const revise = { proposal_id, action: 'revise', ask: 'budget 30000 USD' };
    const revised = (await call('refine_proposals', { refinements: [revise] })).results[0];
    expect(revised.proposals[0].terms_digest).not.toBe(terms_digest);
    const acceptance = { account: ACCOUNT, proposal_id, proposal_terms_digest: terms_digest };
    expect(await call('accept_proposal', acceptance)).toMatchObject({ errors: [{ code: 'PROPOSAL_NOT_COMMITTED' }] });
    const finalized = await call('refine_proposals', { refinements: [{ proposal_id, action: 'finalize' }] });
    const { proposal: held } = finalized.results[0];
    const other = {
      ...acceptance,
      proposal_id: held.proposal_id,
      proposal_terms_digest: revised.proposals[0].terms_digest,
    };
    expect(await call('accept_proposal', other)).toMatchObject({
      errors: [{ code: 'CONFLICT', field: 'proposal_terms_digest' }],
    });
    const create = {
      account: ACCOUNT,
      brand: BRAND,
      start_time: '2030-03-01T00:00:00Z',
      end_time: '2030-03-31T00:00:00Z',
      proposal_id: held.proposal_id,
      total_budget: held.commercial_terms.total_budget,
    };
    expect(await call('create_media_buy', create)).toMatchObject({
      errors: [{ code: 'INVALID_STATE', field: 'proposal_id' }],
    });
    const refine = [{ scope: 'proposal', proposal_id: held.proposal_id, ask: 'budget 1 USD' }];
    expect(await call('get_products', { buying_mode: 'refine', account: ACCOUNT, refine })).toMatchObject({
      errors: [{ code: 'INVALID_STATE', field: 'refine[0].proposal_id' }],
    });
    const declines = [
      { proposal_id: held.proposal_id, reason: 'price' },
      { proposal_id: 'prop_of_nobody', reason: 'other', detail: 'Another seller' },
    ];
    expect((await call('decline_proposals', { declines })).results).toEqual([
      { proposal_id: held.proposal_id, outcome: 'declined' },
      { proposal_id: 'prop_of_nobody', outcome: 'unable', reason: 'There is no such proposal.' },
    ]);
    const late = { ...acceptance, proposal_id: held.proposal_id };
    expect(await call('accept_proposal', late)).toMatchObject({
      status: 'failed',
      errors: [{ code: 'INVALID_STATE', recovery: 'correctable' }],
    });
  });

  it('a key is of one task: the same key with another task is a conflict', async () => {
    const idempotency_key = freshKey();
    await call('request_proposals', { idempotency_key, brand: BRAND, brief: BRIEF });
    const declines = [{ proposal_id: 'prop_of_nobody', reason: 'price' }];
    expect(await call('decline_proposals', { idempotency_key, declines })).toMatchObject({
      errors: [{ code: 'IDEMPOTENCY_CONFLICT', recovery: 'correctable' }],
      adcp_error: { code: 'IDEMPOTENCY_CONFLICT', recovery: 'correctable' },
    });
  });

  it('says what of a revision is not possible, and refuses dimensions that it does not declare', async () => {
    const { proposals } = await call('request_proposals', { brand: BRAND, brief: BRIEF });
    const [{ proposal_id }] = proposals;
    const constraints = { cpm: { max: 0.01, currency: 'USD' } };
    const { results } = await call('refine_proposals', {
      refinements: [{ proposal_id, action: 'revise', constraints }],
    });
    expect(results[0]).toMatchObject({
      outcome: 'unable',
      reason_code: 'constraint_unsatisfiable',
      unsatisfied_constraints: ['cpm'],
    });
    const impressions = { min: 1000 };
    expect(
      await call('refine_proposals', {
        refinements: [{ proposal_id, action: 'revise', constraints: { impressions } }],
      }),
    ).toMatchObject({ errors: [{ code: 'UNSUPPORTED_FEATURE', field: 'refinements[0].constraints.impressions' }] });
  });
});
