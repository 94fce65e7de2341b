import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequestByKey, KIT_TOKEN, succeeded } from '../../kit/buyer.js';

const ACCOUNT = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
const TAKEOVER = 'northlight_homepage_takeover';
const MARCH = { start_date: '2030-03-01', end_date: '2030-03-30' };

type Range = { readonly high: number };
type Proposal = {
  readonly proposal_id: string;
  readonly allocations: readonly { product_id: string; start_time?: string; end_time?: string }[];
  readonly total_budget_guidance: { readonly max?: number };
  readonly forecast: { readonly points: readonly { budget: number; metrics: { impressions: Range; spend: Range } }[] };
};

async function open() {
  const server = await boot();
  const proposals = async (brief: string, filters: object = MARCH): Promise<readonly Proposal[]> => {
    const args = { account: ACCOUNT, buying_mode: 'brief', brief, filters };
    const payload = succeeded(await server.call('get_products', args, { token: KIT_TOKEN }));
    return (payload as unknown as { proposals?: readonly Proposal[] }).proposals ?? [];
  };
  const buy = async (line: object, start: string, end: string) =>
    succeeded(
      await server.call(
        'create_media_buy',
        createRequestByKey({ start_time: `${start}T00:00:00Z`, end_time: `${end}T00:00:00Z`, packages: [line] }),
        { token: KIT_TOKEN },
      ),
    );
  const takeover = (budget: number) => ({ product_id: TAKEOVER, pricing_option_id: 'day_flat', budget });
  return { ...server, proposals, buy, takeover };
}

const takeovers = (proposals: readonly Proposal[]) =>
  proposals.flatMap(({ allocations }) => allocations.filter(({ product_id }) => product_id === TAKEOVER));

describe('a plan for a month', () => {
  const BRIEF = 'Homepage takeover, launch day, $70,000';

  test('has one day of a product that is sold by the day, the first that is free, and none once all are sold', async () => {
    const { proposals, buy, takeover } = await open();
    const [first] = takeovers(await proposals(BRIEF));
    expect(first).toMatchObject({ start_time: '2030-03-01T00:00:00Z', end_time: '2030-03-02T00:00:00Z' });
    await buy(takeover(18_000 * 3), '2030-03-01', '2030-03-04');
    const [later] = takeovers(await proposals(BRIEF));
    expect(later).toMatchObject({ start_time: '2030-03-04T00:00:00Z', end_time: '2030-03-05T00:00:00Z' });
    await buy(takeover(18_000 * 27), '2030-03-04', '2030-03-31');
    expect(takeovers(await proposals(BRIEF))).toEqual([]);
  });

  test('with such a day is finalized and bought, and the day is taken', async () => {
    const { call, proposals } = await open();
    const plan = (await proposals(BRIEF)).find((proposal) => takeovers([proposal]).length > 0);
    const { proposal_id } = plan ?? { proposal_id: '' };
    const finalize = { scope: 'proposal', proposal_id, action: 'finalize' };
    const args = { account: ACCOUNT, buying_mode: 'refine', filters: MARCH, refine: [finalize] };
    succeeded(await call('get_products', args, { token: KIT_TOKEN }));
    const order = createRequestByKey({
      ...{ start_time: '2030-03-01T00:00:00Z', end_time: '2030-03-31T00:00:00Z', packages: undefined },
      ...{ proposal_id, total_budget: { amount: 70_000, currency: 'USD' } },
    });
    const bought = succeeded(await call('create_media_buy', order, { token: KIT_TOKEN }));
    expect(bought.packages).toContainEqual(
      expect.objectContaining({ product_id: TAKEOVER, end_time: '2030-03-02T00:00:00Z' }),
    );
    const [later] = takeovers(await proposals(BRIEF));
    expect(later).toMatchObject({ start_time: '2030-03-02T00:00:00Z' });
  });
});

test('an order for a plan that asks for more than is left is refused with the budget of the whole plan that would do', async () => {
  const { call, proposals } = await open();
  const filters = { start_date: '2030-03-01', end_date: '2030-03-07' };
  const plans = await proposals('Prime time drama on television and preroll video on news, US, $300,000', filters);
  const { proposal_id } = plans.find(({ allocations }) => allocations.length > 1) ?? { proposal_id: '' };
  const finalize = { scope: 'proposal', proposal_id, action: 'finalize' };
  const refine = { account: ACCOUNT, buying_mode: 'refine', refine: [finalize] };
  succeeded(await call('get_products', refine, { token: KIT_TOKEN }));
  const order = (amount: number) => {
    const flight = { start_time: '2030-03-01T00:00:00Z', end_time: '2030-03-08T00:00:00Z' };
    const request = { ...flight, packages: undefined, proposal_id, total_budget: { amount, currency: 'USD' } };
    return call('create_media_buy', createRequestByKey(request), { token: KIT_TOKEN });
  };
  let amount = 900_000_000;
  let answer = await order(amount);
  // Each product of the plan may be the one that has the least left.
  for (let round = 0; round < 5 && answer.isError; round += 1) {
    const [error] = answer.payload.errors;
    expect(error).toMatchObject({ code: 'PRODUCT_UNAVAILABLE', field: 'total_budget.amount' });
    expect(error?.suggestion).toContain('for the whole plan');
    expect(Number(error?.details?.maximum_budget)).toBeLessThan(amount);
    amount = Number(error?.details?.maximum_budget);
    answer = await order(amount);
  }
  succeeded(answer);
  expect(amount).toBeGreaterThan(100_000);
  expect(amount).toBeLessThan(10_000_000);
});

describe('a forecast', () => {
  const BRIEF = 'Prime time drama on television, US, $900,000';
  const WEEK = { start_date: '2030-03-01', end_date: '2030-03-07' };
  const drama = (plans: readonly Proposal[]) =>
    plans.filter(({ allocations }) => allocations.every(({ product_id }) => product_id === 'play_prime_drama'));

  test('is never more than what is free in its flight, and what is sold out is not proposed', async () => {
    const { proposals, buy } = await open();
    const [free] = drama(await proposals(BRIEF, WEEK));
    expect(free?.total_budget_guidance.max).toBe(Math.floor((7 * 420_000 * 38) / 1000));
    const line = (impressions: number) => ({
      product_id: 'play_prime_drama',
      pricing_option_id: 'cpm_fixed',
      budget: Math.floor(impressions * 3.8) / 100,
    });
    await buy(line(7 * 400_000), '2030-03-01', '2030-03-08');
    const [scarce] = drama(await proposals(BRIEF, WEEK));
    expect(scarce?.total_budget_guidance.max).toBeLessThanOrEqual((7 * 20_000 * 38) / 1000);
    const spends = scarce?.forecast.points.map(({ metrics }) => metrics.spend.high) ?? [];
    expect(Math.max(...spends)).toBeLessThanOrEqual((7 * 20_000 * 38) / 1000);
    const rest = 7 * 420_000 - 7 * 400_000;
    await buy(line(rest - 1000), '2030-03-01', '2030-03-08');
    expect(drama(await proposals(BRIEF, WEEK))).toEqual([]);
  });

  test('of some countries is of their part of the supply', async () => {
    const { proposals } = await open();
    const brief = 'Preroll video on news, $900,000';
    const most = async (filters: object) => {
      const plans = await proposals(brief, { ...WEEK, delivery_type: 'guaranteed', channels: ['olv'], ...filters });
      const all = plans.filter(({ allocations }) => allocations.length === 1);
      return all[0]?.total_budget_guidance.max ?? 0;
    };
    const [everywhere, canada] = [await most({}), await most({ countries: ['CA'] })];
    expect(everywhere).toBeGreaterThan(0);
    expect(canada / everywhere).toBeCloseTo(0.11, 2);
  });
});
