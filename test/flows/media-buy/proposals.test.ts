import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequestByKey, KIT_TOKEN, succeeded } from '../../kit/buyer.js';
import { operatorOf } from '../../kit/operator.js';
import { tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const ACCOUNT = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
const BRIEF = 'Premium video and display on sports and outdoor lifestyle. $50K budget. Adults 25-54, US and Canada.';
/** Offers of the shipped tenant: one that is ready to buy, and one that has to be finalized. */
const READY = 'balanced_reach_q2';
const RESERVED = 'premium_video_reserved';

type Proposal = {
  readonly proposal_id: string;
  readonly proposal_status?: string;
  readonly expires_at?: string;
  readonly allocations: readonly { readonly product_id: string; readonly allocation_percentage: number }[];
  readonly total_budget_guidance: { readonly min: number; readonly recommended?: number; readonly currency: string };
  readonly forecast: { readonly points: readonly { readonly budget: number; readonly metrics: object }[] };
};
type Applied = {
  readonly scope: string;
  readonly status: string;
  readonly notes?: string;
  readonly proposal_id?: string;
};

const proposalsOf = (payload: Payload): readonly Proposal[] =>
  (payload as unknown as { proposals?: readonly Proposal[] }).proposals ?? [];
const appliedOf = (payload: Payload): readonly Applied[] =>
  (payload as unknown as { refinement_applied: readonly Applied[] }).refinement_applied;
const sharesOf = (proposal: Proposal | undefined) =>
  proposal?.allocations.map(({ product_id, allocation_percentage }) => [product_id, allocation_percentage]);

/** A buyer of a public test kit. */
function buyer(server: Booted, token = KIT_TOKEN) {
  const call = (tool: string, args: object, version?: string) =>
    server.call(tool, args, { token, ...(version === undefined ? {} : { version }) });
  const products = (args: object) => call('get_products', { account: ACCOUNT, ...args });
  return {
    call,
    products,
    brief: async (brief = BRIEF) => succeeded(await products({ buying_mode: 'brief', brief })),
    refine: async (...refine: object[]) => succeeded(await products({ buying_mode: 'refine', refine })),
    refused: async (...refine: object[]) => (await products({ buying_mode: 'refine', refine })).payload.errors[0],
    order: (proposal_id: string, changes: object = {}) =>
      createRequestByKey({
        packages: undefined,
        proposal_id,
        total_budget: { amount: 50_000, currency: 'USD' },
        ...changes,
      }),
  };
}
const about = (proposal_id: string, more: object = {}) => ({ scope: 'proposal', proposal_id, ...more });
const finalize = (proposal_id: string) => about(proposal_id, { action: 'finalize' });
const asking = (proposal_id: string, ask: string) => about(proposal_id, { ask });

describe('a brief with an account', async () => {
  const server = await boot();
  const one = buyer(server);
  const payload = await one.brief();

  test('gets proposals over products of the answer, whose shares add up', () => {
    const listed = new Set(payload.products.map(({ product_id }) => product_id));
    const proposals = proposalsOf(payload);
    expect(proposals.length).toBeGreaterThan(2);
    for (const proposal of proposals) {
      expect(proposal.allocations.every(({ product_id }) => listed.has(product_id))).toBe(true);
      expect(proposal.allocations.reduce((sum, part) => sum + part.allocation_percentage, 0)).toBe(100);
      const [half, asked, more] = proposal.forecast.points;
      expect([half?.budget, asked?.budget, more?.budget].every((budget) => (budget ?? 0) > 0)).toBe(true);
      expect(asked?.metrics).toMatchObject({
        impressions: { mid: expect.any(Number) },
        spend: { mid: expect.any(Number) },
      });
    }
  });

  test('plans with the budget that it names, and no product that this cannot pay', async () => {
    const made = proposalsOf(payload).filter(({ proposal_id }) => proposal_id.startsWith('prop_'));
    expect(made.length).toBeGreaterThan(0);
    for (const { total_budget_guidance: guidance } of made) {
      expect(guidance).toMatchObject({ recommended: 50_000, currency: 'USD' });
      expect(guidance.min).toBeLessThanOrEqual(50_000);
    }
    const poor = proposalsOf(await one.brief(`${BRIEF.replace('$50K', '$900')}`));
    for (const { total_budget_guidance: guidance } of poor.filter(({ proposal_id }) => proposal_id.startsWith('prop_')))
      expect(guidance.min).toBeLessThanOrEqual(900);
  });

  test('gets the same again, after a restart too, and nothing is written for it', async () => {
    expect(proposalsOf(await one.brief())).toEqual(proposalsOf(payload));
    await server.restart();
    expect(proposalsOf(await one.brief())).toEqual(proposalsOf(payload));
  });

  test('gets none without an account, without a brief or without a credential', async () => {
    const { call } = server;
    const kit = { token: KIT_TOKEN };
    for (const args of [{ brief: BRIEF }, { buying_mode: 'wholesale', account: ACCOUNT }])
      expect(succeeded(await call('get_products', args, kit))).not.toHaveProperty('proposals');
    const anybody = await call('get_products', { brief: BRIEF, account: ACCOUNT }, { token: null });
    expect(anybody.payload).not.toHaveProperty('proposals');
  });

  test('buys what it was shown', async () => {
    const ready = proposalsOf(payload).find(
      ({ proposal_id, proposal_status }) => proposal_id.startsWith('prop_') && proposal_status === undefined,
    );
    const bought = succeeded(await one.call('create_media_buy', one.order(ready?.proposal_id ?? '')));
    expect(bought).toMatchObject({ proposal_id: ready?.proposal_id, total_budget: 50_000 });
    expect(bought.packages.map(({ product_id, budget }) => [product_id, budget])).toEqual(
      ready?.allocations.map((part) => [part.product_id, part.allocation_percentage * 500]),
    );
  });
});

describe('a proposal', async () => {
  test('is refined, finalized and bought under its id', async () => {
    const server = await boot();
    const one = buyer(server);
    const ask = 'Shift 60% of budget to CTV. Drop the display product and redistribute that budget to video.';
    const refined = await one.refine(asking(READY, ask), { scope: 'request', ask: 'frequency capping at 3 per day' });
    const shares = [
      ['play_live_sports', 60],
      ['northlight_outstream', 40],
    ];
    expect(sharesOf(proposalsOf(refined)[0])).toEqual(shares);
    expect(appliedOf(refined)).toMatchObject([
      { scope: 'proposal', proposal_id: READY, status: 'applied' },
      { scope: 'request', status: 'unable' },
    ]);
    await server.restart();
    const [held] = proposalsOf(await one.refine(finalize(READY)));
    expect(held).toMatchObject({
      proposal_id: READY,
      proposal_status: 'committed',
      expires_at: '2030-01-03T00:00:00Z',
    });
    expect(sharesOf(held)).toEqual(shares);
    const [again] = proposalsOf(await one.refine(finalize(READY)));
    expect(again).toEqual(held);
    const unchanged = await one.refine(asking(READY, 'drop CTV'));
    expect(appliedOf(unchanged)).toMatchObject([{ status: 'unable' }]);
    expect(proposalsOf(unchanged)).toEqual([held]);

    const bought = succeeded(await one.call('create_media_buy', one.order(READY)));
    expect(bought.packages.map(({ product_id, budget }) => [product_id, budget])).toEqual([
      ['play_live_sports', 30_000],
      ['northlight_outstream', 20_000],
    ]);
    const second = await one.call('create_media_buy', one.order(READY));
    expect(second.payload.errors[0]).toMatchObject({ code: 'INVALID_STATE', field: 'proposal_id' });
    // The offer stands; what this buyer made of it is done.
    expect(sharesOf(proposalsOf(await one.brief()).find(({ proposal_id }) => proposal_id === READY))).toHaveLength(3);
  });

  test('with guaranteed products is a draft until it is finalized', async () => {
    const one = buyer(await boot());
    const order = one.order(RESERVED, { total_budget: { amount: 100_000, currency: 'USD' } });
    const early = await one.call('create_media_buy', order);
    expect(early.payload.errors[0]).toMatchObject({
      code: 'PROPOSAL_NOT_COMMITTED',
      field: 'proposal_id',
      suggestion: expect.stringContaining('finalize'),
    });
    await one.refine(finalize(RESERVED));
    // A refused call leaves its key free.
    expect(succeeded(await one.call('create_media_buy', order)).packages).toHaveLength(2);
  });

  test('ends: a hold after two days, an offer after a week; the same brief gets it anew', async () => {
    const server = await boot();
    const one = buyer(server);
    const [shown] = proposalsOf(await one.brief()).filter(({ proposal_id }) => proposal_id.startsWith('prop_'));
    const id = shown?.proposal_id ?? '';
    await one.refine(finalize(READY));
    server.clock.advance(2 * DAY);
    const late = await one.call('create_media_buy', one.order(READY, { end_time: '2030-02-28T00:00:00Z' }));
    expect(late.payload.errors[0]).toMatchObject({ code: 'PROPOSAL_EXPIRED', field: 'proposal_id' });
    server.clock.advance(5 * DAY);
    expect(await one.refused(finalize(id))).toMatchObject({ code: 'PROPOSAL_EXPIRED', field: 'refine[0].proposal_id' });
    expect(appliedOf(await one.refine(asking(id, 'more video')))).toMatchObject([{ status: 'unable' }]);
    const anew = proposalsOf(await one.brief()).find(({ proposal_id }) => proposal_id === id);
    expect(anew?.expires_at).toBe('2030-01-15T00:00:00Z');
    expect(proposalsOf(await one.refine(finalize(READY)))[0]?.expires_at).toBe('2030-01-10T00:00:00Z');
  });

  test('holds its prices while the catalog changes', async () => {
    const tenants = tenantsFolder(() => undefined);
    const dear = tenantsFolder((tenant) => {
      const products = tenant.products as { product_id: string; pricing_options: { fixed_price?: number }[] }[];
      for (const option of products.find(({ product_id }) => product_id === 'play_prime_drama')?.pricing_options ?? [])
        option.fixed_price = 99;
    });
    const before = await boot({ tenants });
    await buyer(before).refine(finalize(RESERVED));
    await before.close();
    const after = await boot({ tenants: dear, dataDir: before.dataDir });
    const bought = succeeded(
      await buyer(after).call(
        'create_media_buy',
        buyer(after).order(RESERVED, { total_budget: { amount: 100_000, currency: 'USD' } }),
      ),
    );
    after.clock.advance(HOUR);
    const { media_buy_deliveries } = succeeded(
      await buyer(after).call('get_media_buy_delivery', { media_buy_ids: [bought.media_buy_id] }),
    );
    expect(media_buy_deliveries[0]?.by_package[0]).toMatchObject({ rate: 38 });
  });

  test('stays open while an order for it waits for a person', async () => {
    const tenants = tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{ timeout_hours: 96 }] }));
    const server = await boot({ tenants });
    const one = buyer(server);
    await one.refine(finalize(RESERVED));
    const order = one.order(RESERVED, { total_budget: { amount: 100_000, currency: 'USD' } });
    const { task_id } = succeeded(await one.call('create_media_buy', order));
    server.clock.advance(3 * DAY);
    await operatorOf(server).post(`/approvals/${task_id}`, { decision: 'approve' });
    const done = succeeded(await one.call('get_task_status', { task_id, include_result: true }));
    expect(done).toMatchObject({ status: 'completed', result: { proposal_id: RESERVED, total_budget: 100_000 } });
  });

  test('is the buyer’s own: another one meets the offer as it stands, and none of its made ones', async () => {
    const server = await boot();
    const [one, other] = [buyer(server), buyer(server, 'demo-nova-motors-v1')];
    const id = proposalsOf(await one.brief()).at(-1)?.proposal_id ?? '';
    await one.refine(asking(READY, 'only CTV'));
    expect(sharesOf(proposalsOf(await other.refine(about(READY)))[0])).toHaveLength(3);
    const foreign = await other.call('create_media_buy', other.order(id));
    const unknown = await other.call('create_media_buy', other.order('prop_nobody'));
    expect(foreign.payload.errors).toEqual(unknown.payload.errors);
    expect(await other.refused(finalize(id))).toEqual(await other.refused(finalize('prop_nobody')));
  });
});

describe('refine', async () => {
  const server = await boot();
  const one = buyer(server);

  /** Calls that are refused, and the field that each is about. */
  const REFUSED: readonly (readonly [what: string, args: object, code: string, field: string])[] = [
    ['nothing to refine', { buying_mode: 'refine' }, 'INVALID_REQUEST', 'refine'],
    ['an empty list', { buying_mode: 'refine', refine: [] }, 'INVALID_REQUEST', 'refine'],
    ['refine in another mode', { brief: 'tv', refine: [{ scope: 'request', ask: 'x' }] }, 'INVALID_REQUEST', 'refine'],
    [
      'a brief beside it',
      { buying_mode: 'refine', brief: 'tv', refine: [{ scope: 'request', ask: 'x' }] },
      'INVALID_REQUEST',
      'brief',
    ],
    [
      'an unknown scope',
      { buying_mode: 'refine', refine: [{ scope: 'world', ask: 'x' }] },
      'INVALID_REQUEST',
      'refine[0].scope',
    ],
    [
      'a request without ask',
      { buying_mode: 'refine', refine: [{ scope: 'request' }] },
      'INVALID_REQUEST',
      'refine[0].ask',
    ],
    [
      'a product without id',
      { buying_mode: 'refine', refine: [{ scope: 'product', ask: 'x' }] },
      'INVALID_REQUEST',
      'refine[0].product_id',
    ],
    [
      'an action of another scope',
      { buying_mode: 'refine', refine: [{ scope: 'product', product_id: 'a', action: 'finalize' }] },
      'INVALID_REQUEST',
      'refine[0].action',
    ],
    [
      'a proposal twice',
      { buying_mode: 'refine', refine: [about(READY), asking(READY, 'only CTV')] },
      'INVALID_REQUEST',
      'refine[1].proposal_id',
    ],
    [
      'finalizing beside something else',
      { buying_mode: 'refine', refine: [finalize(READY), { scope: 'request', ask: 'only CTV' }] },
      'INVALID_REQUEST',
      'refine[1].action',
    ],
    [
      'finalizing what is not there',
      { buying_mode: 'refine', refine: [finalize(READY), finalize('prop_nobody')] },
      'PROPOSAL_NOT_FOUND',
      'refine[1].proposal_id',
    ],
  ];

  test.each(REFUSED)('refuses %s', async (_what, args, code, field) => {
    const { payload, isError } = await one.call('get_products', { account: ACCOUNT, ...args }, '3.1');
    expect(isError).toBe(true);
    expect(payload.errors[0]).toMatchObject({ code, field, suggestion: expect.any(String) });
  });

  test('finalizes all or none', async () => {
    await one.refused(finalize(READY), finalize('prop_nobody'));
    expect(proposalsOf(await one.refine(about(READY)))[0]).not.toHaveProperty('proposal_status');
    const both = await one.refine(finalize(READY), finalize(RESERVED));
    expect(proposalsOf(both).map(({ proposal_status }) => proposal_status)).toEqual(['committed', 'committed']);
  });

  test('narrows the catalog by what the request asks for', async () => {
    const ask = 'Only guaranteed packages. Must include completion rate SLA above 80%.';
    const narrowed = await one.refine(
      { scope: 'request', ask },
      { scope: 'product', product_id: 'nobody', ask: 'more' },
    );
    expect(narrowed.products.length).toBeGreaterThan(1);
    for (const product of narrowed.products) expect(product).toMatchObject({ delivery_type: 'guaranteed' });
    expect(appliedOf(narrowed)).toMatchObject([
      { scope: 'request', status: 'applied' },
      { scope: 'product', product_id: 'nobody', status: 'unable' },
    ]);
  });

  test('takes products out, adds some like them, and forecasts a budget', async () => {
    const rest = await one.refine({ scope: 'product', product_id: 'test-product', action: 'omit' });
    expect(rest.products.map(({ product_id }) => product_id)).not.toContain('test-product');
    const alike = await one.refine({ scope: 'product', product_id: 'play_prime_drama', action: 'more_like_this' });
    expect(alike.products[0]?.product_id).toBe('play_prime_drama');
    expect(alike.products.length).toBeGreaterThan(1);
    const ask = 'Increase budget allocation to $30K';
    const { products } = await one.refine({ scope: 'product', product_id: 'play_prime_drama', ask });
    expect(products).toMatchObject([{ forecast: { currency: 'USD', points: [{}, { budget: 30_000 }, {}] } }]);
  });

  test('of proposals wants a credential', async () => {
    const { payload } = await server.call(
      'get_products',
      { buying_mode: 'refine', refine: [finalize(READY)] },
      { token: null, version: '3.1' },
    );
    expect(payload.code).toBe('UNAUTHORIZED');
  });
});

describe('an order for a proposal', async () => {
  const one = buyer(await boot());

  /** Orders that are refused, and the field that each is about. */
  const REFUSED: readonly (readonly [what: string, changes: object, code: string, field: string])[] = [
    ['without a total budget', { total_budget: undefined }, 'INVALID_REQUEST', 'total_budget'],
    [
      'in another currency',
      { total_budget: { amount: 1e5, currency: 'EUR' } },
      'INVALID_REQUEST',
      'total_budget.currency',
    ],
    ['with too little', { total_budget: { amount: 1249, currency: 'USD' } }, 'BUDGET_TOO_LOW', 'total_budget.amount'],
    ['with nothing', { total_budget: { amount: 0, currency: 'USD' } }, 'BUDGET_TOO_LOW', 'total_budget.amount'],
    [
      'with packages beside it',
      { packages: [{ product_id: 'test-product', pricing_option_id: 'default', budget: 5 }] },
      'INVALID_REQUEST',
      'packages',
    ],
    ['that is not there', { proposal_id: 'nobody' }, 'PROPOSAL_NOT_FOUND', 'proposal_id'],
  ];

  test.each(REFUSED)('%s is refused', async (_what, changes, code, field) => {
    const { payload, isError } = await one.call('create_media_buy', one.order(READY, changes), '3.1');
    expect(isError).toBe(true);
    expect(payload.errors[0]).toMatchObject({ code, field, suggestion: expect.any(String) });
  });

  test('at the least total is taken', async () => {
    const order = one.order(READY, { total_budget: { amount: 1250, currency: 'USD' } });
    expect(succeeded(await one.call('create_media_buy', order)).packages).toHaveLength(3);
  });
});
