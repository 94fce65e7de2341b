import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, succeeded } from '../../kit/buyer.js';

const TAKEOVER = 'northlight_homepage_takeover';
const PREROLL = 'northlight_preroll';
const MONEY = 'northlight_money_viewable';
const WEEK = { start_date: '2030-03-01', end_date: '2030-03-07' };
const BRIEF = { buying_mode: 'brief', brief: 'Homepage takeover' };

type Found = {
  readonly products: readonly { readonly product_id: string }[];
  readonly message?: string;
  readonly pagination?: { readonly total_count?: number };
};

async function open() {
  const server = await boot();
  const find = async (args: object): Promise<Found> =>
    succeeded(await server.call('get_products', args)) as unknown as Found;
  const buy = async (line: object, start: string, end: string) =>
    succeeded(
      await server.call(
        'create_media_buy',
        createRequest({ start_time: `${start}T00:00:00Z`, end_time: `${end}T00:00:00Z`, packages: [line] }),
      ),
    );
  const takeover = (days: number) => ({
    product_id: TAKEOVER,
    pricing_option_id: 'day_flat',
    budget: 18_000 * days,
  });
  return { ...server, find, buy, takeover };
}

const idsOf = ({ products }: Found) => products.map(({ product_id }) => product_id);

describe('what is sold out', () => {
  test('for the flight that a brief asks about is left out and named, and offered for days that are free', async () => {
    const { find, buy, takeover } = await open();
    expect(idsOf(await find({ ...BRIEF, filters: WEEK }))).toContain(TAKEOVER);
    await buy(takeover(6), '2030-03-01', '2030-03-07');
    expect(idsOf(await find({ ...BRIEF, filters: WEEK }))).toContain(TAKEOVER);
    await buy(takeover(1), '2030-03-07', '2030-03-08');
    const found = await find({ ...BRIEF, filters: WEEK });
    expect(idsOf(found)).not.toContain(TAKEOVER);
    expect(found.message).toMatch(
      /^Sold out from 2030-03-01T00:00:00Z to 2030-03-08T00:00:00Z: northlight_homepage_takeover/,
    );
    expect(idsOf(await find({ ...BRIEF, filters: { ...WEEK, end_date: '2030-03-08' } }))).toContain(TAKEOVER);
    expect(idsOf(await find(BRIEF))).toContain(TAKEOVER);
  });

  test('in volume is left out of the whole catalog, and of what is counted of its pages', async () => {
    const { find, buy } = await open();
    const catalog = { buying_mode: 'wholesale', filters: WEEK, pagination: { max_results: 1 } };
    const before = await find(catalog);
    const week = 7 * 640_000;
    const line = { product_id: PREROLL, pricing_option_id: 'cpm_fixed', budget: (week * 19) / 1000 };
    await buy(line, '2030-03-01', '2030-03-08');
    const after = await find(catalog);
    expect(after.pagination?.total_count).toBe((before.pagination?.total_count ?? 0) - 1);
    expect(after.message).toContain(PREROLL);
  });

  test('is not refined into an answer', async () => {
    const { call, buy, takeover } = await open();
    await buy(takeover(7), '2030-03-01', '2030-03-08');
    const refine = [{ scope: 'product', product_id: TAKEOVER, action: 'include' }];
    const answer = succeeded(await call('get_products', { buying_mode: 'refine', filters: WEEK, refine }));
    expect(answer).toMatchObject({
      refinement_applied: [{ status: 'unable', notes: expect.stringContaining('sold out') }],
    });
  });

  test('without dates is what has no day left in a year', async () => {
    const { find, buy, takeover } = await open();
    const year = 368;
    await buy(takeover(year), '2030-01-01', '2031-01-04');
    const found = await find(BRIEF);
    expect(idsOf(found)).not.toContain(TAKEOVER);
    expect(found.message).toContain('Sold out for the coming year: northlight_homepage_takeover');
  });
});

describe('a product that is sold to one advertiser of an industry', () => {
  test('is left out for a rival of who has it, and offered to others', async () => {
    const { find, call } = await open();
    const product_id = MONEY;
    const order = createRequest({
      start_time: '2030-03-01T00:00:00Z',
      end_time: '2030-03-08T00:00:00Z',
      brand: { domain: 'one-car.example', industries: ['automotive'] },
      packages: [{ product_id, pricing_option_id: 'vcpm_fixed', budget: 10_000 }],
    });
    succeeded(await call('create_media_buy', order));
    const ask = (domain: string, industry: string) =>
      find({ buying_mode: 'wholesale', filters: WEEK, brand: { domain, industries: [industry] } });
    expect(idsOf(await ask('other-car.example', 'automotive'))).not.toContain(product_id);
    expect(idsOf(await ask('one-car.example', 'automotive'))).toContain(product_id);
    expect(idsOf(await ask('shoes.example', 'retail'))).toContain(product_id);
  });

  test.each([
    ['automotive', [], undefined],
    ['finance.x', ['retail'], 'no industry of the protocol: the buy counts as one of finance.'],
    [
      'automotve',
      ['retail', 'cpg'],
      'no industry of the protocol (automotive?): the buy counts as one of retail, cpg.',
    ],
    ['', [], 'no industry of the protocol: the buy counts as one of none.'],
  ])('the answer says what an order for the industry "%s" counts as', async (industry, industries, expected) => {
    const { call } = await open();
    const brand = { domain: 'one-car.example', industries };
    const order = createRequest({ brand, advertiser_industry: industry });
    const { message = '' } = succeeded(await call('create_media_buy', order));
    if (expected === undefined) expect(message).not.toContain('advertiser_industry');
    else expect(message).toContain(`advertiser_industry is ${expected}`);
  });
});
