import { describe, expect, it } from 'vitest';
import { boot } from '../../kit/boot.js';
import { freshKey, SANDBOX_ACCOUNT } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';

const VERSION = '3.2-beta.5';
const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const judge = hasSchemas(VERSION) ? schemaJudge(VERSION) : () => [];

/** Members that tests look at; all others stay unknown. */
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Any = any;

const server = await boot({ settings: { protocolPreview: true } });

/** Calls a task of the preview; its answer has to be valid by the public schema. */
async function call(tool: string, args: object): Promise<Any> {
  const keyed = tool.startsWith('list') || tool.startsWith('get') ? args : { idempotency_key: freshKey(), ...args };
  const { payload, isError } = await server.call(tool, keyed, { version: VERSION });
  if (!isError || tool === 'accept_proposal')
    expect({ tool, payload, faults: judge(`media-buy/${tool.replaceAll('_', '-')}-response`, payload) }).toMatchObject({
      faults: [],
    });
  return payload;
}

/** Buys two published offers. */
async function buy(): Promise<Any> {
  const { feed_version, products } = await call('list_products', {
    account: ACCOUNT,
    fields: ['pricing_options', 'delivery_type'],
    criteria: { offer_filters: { is_fixed_price: true, pricing_currencies: ['USD'] } },
  });
  const [one, other, third] = products;
  const purchases = [one, other].map(({ product_id, pricing_options: [option] }: Any) => ({
    product_id,
    pricing_option_id: option.pricing_option_id,
    budget: 20_000.01,
  }));
  const bought = await call('buy_products', {
    account: ACCOUNT,
    brand: { domain: 'acme-outdoor.example' },
    feed_version,
    start_time: '2030-02-01T00:00:00Z',
    end_time: '2030-03-01T00:00:00Z',
    purchases,
  });
  expect(bought).toMatchObject({ status: 'completed' });
  return { ...bought, one, other, third };
}

async function refine(refinement: object): Promise<Any> {
  return (await call('refine_proposals', { refinements: [refinement] })).results[0];
}

async function accept({ proposal_id, terms_digest }: Any): Promise<Any> {
  return call('accept_proposal', { account: ACCOUNT, proposal_id, proposal_terms_digest: terms_digest });
}

async function read(media_buy_id: string): Promise<Any> {
  return (await call('get_media_buys', { account: ACCOUNT, media_buy_ids: [media_buy_id] })).media_buys[0];
}

describe('an amendment of an accepted buy', () => {
  it('is drafted, held and accepted: budget, flight and products become what its terms say, and the rest stays', async () => {
    const bought = await buy();
    const { media_buy_id, accepted_proposal, available_actions } = bought;
    expect(available_actions).toContainEqual(
      expect.objectContaining({ task: 'refine_proposals', action: 'extend_flight' }),
    );
    const { proposal_id } = accepted_proposal;
    const revised = await refine({
      proposal_id,
      action: 'revise',
      constraints: { flight: { end_no_earlier_than: '2030-03-11T00:00:00Z' } },
      product_changes: { [bought.third.product_id]: 'include' },
    });
    expect(revised).toMatchObject({ outcome: 'revised', source_proposal_id: proposal_id });
    const [draft] = revised.proposals;
    expect(draft).toMatchObject({
      proposal_kind: 'media_buy_update',
      proposal_status: 'draft',
      parent_proposal_id: proposal_id,
      media_buy_id,
      base_media_buy_revision: bought.revision,
      commercial_terms: { start_time: '2030-02-01T00:00:00Z', end_time: '2030-03-11T00:00:00Z' },
    });
    expect(await read(media_buy_id)).toMatchObject({
      revision: bought.revision,
      end_time: bought.accepted_proposal.commercial_terms.end_time,
    });
    const { proposal } = await refine({ proposal_id: draft.proposal_id, action: 'finalize' });
    expect(proposal).toMatchObject({ proposal_status: 'committed', terms_digest: draft.terms_digest });
    const changed = await accept(proposal);
    expect(changed).toMatchObject({
      status: 'completed',
      media_buy_id,
      revision: bought.revision + 1,
      accepted_proposal: { proposal_status: 'accepted', terms_digest: draft.terms_digest },
    });
    const after = await read(media_buy_id);
    expect(after).toMatchObject({
      accepted_proposal_id: proposal.proposal_id,
      accepted_proposal_terms_digest: draft.terms_digest,
      accepted_proposal: changed.accepted_proposal,
    });
    const { purchases } = draft.commercial_terms;
    expect(after.end_time).toBe('2030-03-11T00:00:00Z');
    expect(after.packages.map(({ product_id, budget }: Any) => [product_id, budget])).toEqual(
      purchases.map(({ product_id, budget }: Any) => [product_id, budget]),
    );
    expect(changed.purchase_bindings.map(({ package_id }: Any) => package_id)).toEqual(
      after.packages.map(({ package_id }: Any) => package_id),
    );
  });

  it('in words changes the total alone, in proportion, and leaves out a product when it is told to', async () => {
    const { accepted_proposal, media_buy_id, other } = await buy();
    const raised = await refine({
      proposal_id: accepted_proposal.proposal_id,
      action: 'revise',
      ask: 'raise the budget to 50000 USD',
    });
    expect(raised).toMatchObject({
      outcome: 'revised',
      proposals: [{ commercial_terms: { total_budget: { amount: 50_000 } } }],
    });
    expect(raised.proposals[0].commercial_terms.purchases.map(({ budget }: Any) => budget)).toEqual([25_000, 25_000]);
    const first = (await refine({ proposal_id: raised.proposals[0].proposal_id, action: 'finalize' })).proposal;
    const { accepted_proposal: second } = await accept(first);
    const without = await refine({
      proposal_id: second.proposal_id,
      action: 'revise',
      product_changes: { [other.product_id]: 'omit' },
    });
    const held = (await refine({ proposal_id: without.proposals[0].proposal_id, action: 'finalize' })).proposal;
    await accept(held);
    const { packages } = await read(media_buy_id);
    expect(packages.map(({ canceled = false }: Any) => canceled)).toEqual([false, true]);
  });

  it('is refused once the buy has changed since, and where the seller would not make the change', async () => {
    const { accepted_proposal, media_buy_id, revision } = await buy();
    const { proposal_id } = accepted_proposal;
    const ask = 'raise the budget to 50000 USD';
    const { proposals } = await refine({ proposal_id, action: 'revise', ask });
    const { proposal } = await refine({ proposal_id: proposals[0].proposal_id, action: 'finalize' });
    await call('control_media_buy', { account: ACCOUNT, media_buy_id, revision, paused: true });
    expect(await accept(proposal)).toMatchObject({ errors: [{ code: 'CONFLICT', field: 'proposal_id' }] });
    expect(
      await refine({ proposal_id, action: 'revise', constraints: { total_budget: { max: 0.5, currency: 'USD' } } }),
    ).toMatchObject({
      outcome: 'partial',
      reason_code: 'constraint_unsatisfiable',
      unsatisfied_constraints: ['total_budget'],
    });
    await call('control_media_buy', { account: ACCOUNT, media_buy_id, revision: revision + 1, canceled: true });
    expect(await refine({ proposal_id, action: 'revise', ask })).toMatchObject({
      outcome: 'unable',
      reason_code: 'source_unavailable',
    });
  });
});

describe('a revision', () => {
  const BRIEF = 'video on sports in the US, 20000 USD, 2030-03-01 to 2030-03-31';

  it('makes as many alternatives as are asked for, each with terms of its own', async () => {
    const { proposals } = await call('request_proposals', {
      account: ACCOUNT,
      brand: { domain: 'acme-outdoor.example' },
      brief: BRIEF,
    });
    const [{ proposal_id, terms_digest }] = proposals;
    const made = await refine({ proposal_id, action: 'revise', alternatives: { count: 3 } });
    expect(made.outcome).toBe('revised');
    const digests = made.proposals.map((one: Any) => one.terms_digest);
    expect(new Set([...digests, terms_digest]).size).toBe(4);
    expect(
      await call('refine_proposals', { refinements: [{ proposal_id, action: 'revise', alternatives: { count: 6 } }] }),
    ).toMatchObject({ errors: [{ code: 'VALIDATION_ERROR', field: 'refinements[0].alternatives.count' }] });
  });

  it('keeps to the criteria that it changes and to those that it inherits', async () => {
    const criteria = { offer_filters: { channels: ['olv', 'ctv'] } };
    const { proposals } = await call('request_proposals', {
      account: ACCOUNT,
      brand: { domain: 'acme-outdoor.example' },
      brief: BRIEF,
      criteria,
    });
    const [{ proposal_id }] = proposals;
    const listed = async (offer_filters: object): Promise<readonly string[]> =>
      (await call('list_products', { criteria: { offer_filters }, max_results: 100 })).products.map(
        (one: Any) => one.product_id,
      );
    const display = await listed({ channels: ['display'] });
    const moved = await refine({
      proposal_id,
      action: 'revise',
      criteria: { offer_filters: { channels: ['display'] } },
    });
    expect(moved.outcome).toBe('revised');
    const [draft] = moved.proposals;
    const sold = (one: Any) => one.commercial_terms.purchases.map(({ product_id }: Any) => product_id);
    expect(display).toEqual(expect.arrayContaining(sold(draft)));
    const more = await refine({ proposal_id: draft.proposal_id, action: 'revise', alternatives: { count: 2 } });
    expect(display).toEqual(expect.arrayContaining(more.proposals.flatMap(sold)));
    expect(
      await refine({ proposal_id, action: 'revise', criteria: { product_ids: ['product-of-nobody'] } }),
    ).toMatchObject({
      outcome: 'unable',
      reason_code: 'commercially_declined',
    });
  });
});
