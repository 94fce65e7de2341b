import path from 'node:path';
import Libsql from 'libsql';
import { describe, expect, test } from 'vitest';
import { type BootOptions, boot } from '../../kit/boot.js';
import { createRequest, createRequestByKey, KIT_TOKEN, succeeded, updateRequest } from '../../kit/buyer.js';
import { controllerOf } from '../../kit/controller.js';
import { operatorOf } from '../../kit/operator.js';
import { tenantsFolder } from '../../kit/tenants.js';

const DAY = 86_400_000;
const WEEK = { start_time: '2030-03-01T00:00:00Z', end_time: '2030-03-08T00:00:00Z' };
const DATES = { start_date: '2030-03-01', end_date: '2030-03-07' };
const ACCOUNT = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
/** A draft of the shipped tenant: 100,000 USD, 65 % of it on drama at 38 USD, 420,000 impressions a day. */
const RESERVED = 'premium_video_reserved';
const HELD = Math.ceil(65_000_000 / 38);
const WHOLE_WEEK = 7 * 420_000;
const drama = (impressions: number) => ({
  product_id: 'play_prime_drama',
  pricing_option_id: 'cpm_fixed',
  budget: Math.floor(impressions * 3.8) / 100,
});
const TAKEOVER = { product_id: 'northlight_homepage_takeover', pricing_option_id: 'day_flat', budget: 18_000 };
const ONE_DAY = { start_time: '2030-03-01T00:00:00Z', end_time: '2030-03-02T00:00:00Z' };

async function open(options: BootOptions = {}, token = KIT_TOKEN) {
  const server = await boot(options);
  const request = token === KIT_TOKEN ? createRequestByKey : createRequest;
  const order = (changes: object) => server.call('create_media_buy', request({ ...WEEK, ...changes }), { token });
  return {
    ...server,
    order,
    buy: (line: object, flight: object = WEEK) => order({ ...flight, packages: [line] }),
    finalize: async (filters: object = DATES) =>
      server.call(
        'get_products',
        {
          account: ACCOUNT,
          buying_mode: 'refine',
          filters,
          refine: [{ scope: 'proposal', proposal_id: RESERVED, action: 'finalize' }],
        },
        { token },
      ),
  };
}

describe('a finalized proposal', () => {
  test('holds what it promises, and nobody else gets it until it expires', async () => {
    const { finalize, buy, clock } = await open();
    succeeded(await finalize());
    const refused = await buy(drama(WHOLE_WEEK));
    expect(refused.payload.errors).toMatchObject([
      { code: 'PRODUCT_UNAVAILABLE', details: { available_impressions: WHOLE_WEEK - HELD } },
    ]);
    clock.advance(2 * DAY + 1000);
    succeeded(await buy(drama(WHOLE_WEEK)));
  });

  test('is bought with what it holds, though nothing else is left', async () => {
    const { finalize, buy, order } = await open();
    succeeded(await finalize());
    succeeded(await buy(drama(WHOLE_WEEK - HELD)));
    const total_budget = { amount: 100_000, currency: 'USD' };
    succeeded(await order({ packages: undefined, proposal_id: RESERVED, total_budget }));
    expect((await buy(drama(200_000))).payload.errors).toMatchObject([{ code: 'PRODUCT_UNAVAILABLE' }]);
  });

  test('is refused where its inventory is sold', async () => {
    const { finalize, buy } = await open();
    succeeded(await buy(drama(WHOLE_WEEK)));
    expect((await finalize()).payload.errors).toMatchObject([
      { code: 'PRODUCT_UNAVAILABLE', field: 'refine[0].proposal_id' },
    ]);
    succeeded(await finalize({ start_date: '2030-03-08', end_date: '2030-03-14' }));
  });
});

describe('an order that waits for a person', () => {
  const OVER = [{ budget_over: { amount: 17_000, currency: 'USD' } }];
  const asking = () =>
    open({ tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: OVER })) }, 'sandbox-token');

  test('holds what it asks for, buys it when it is approved, and gives it back when it is rejected', async () => {
    const server = await asking();
    const first = succeeded(await server.buy(TAKEOVER, ONE_DAY));
    expect(first.status).toBe('submitted');
    expect((await server.buy(TAKEOVER, ONE_DAY)).payload.errors).toMatchObject([{ code: 'PRODUCT_UNAVAILABLE' }]);
    const decide = (task: unknown, decision: object) => operatorOf(server).post(`/approvals/${task}`, decision);
    await decide(first.task_id, { decision: 'reject', reason: 'No.' });
    const second = succeeded(await server.buy(TAKEOVER, ONE_DAY));
    const approved = await decide(second.task_id, { decision: 'approve' });
    expect(approved.json()).toMatchObject({ status: 'completed' });
    expect((await server.buy(TAKEOVER, ONE_DAY)).payload.errors).toMatchObject([{ code: 'PRODUCT_UNAVAILABLE' }]);
  });

  test('for a change holds what the change adds', async () => {
    const server = await asking();
    const bought = succeeded(await server.buy(drama(400_000)));
    const [{ package_id } = { package_id: '' }] = bought.packages;
    const budget = drama(2_000_000).budget;
    const change = updateRequest(bought.media_buy_id, { packages: [{ package_id, budget }] });
    expect(succeeded(await server.call('update_media_buy', change)).status).toBe('submitted');
    const left = (await server.buy(drama(1_000_000))).payload.errors;
    expect(left).toMatchObject([{ details: { available_impressions: WHOLE_WEEK - 2_000_000 } }]);
  });
});

test('a buy that the sandbox controller seeds holds what is left of what it asks for', async () => {
  const server = await open();
  const { arrange } = controllerOf(server);
  succeeded(await server.buy(drama(1_000_000)));
  const { product_id, pricing_option_id } = drama(1);
  const packages = [{ product_id, pricing_option_id, budget: drama(5_000_000).budget }];
  const flight = { start: WEEK.start_time, end: WEEK.end_time };
  await arrange('seed_media_buy', {
    media_buy_id: 'mb_seeded',
    fixture: { status: 'pending_start', flight, packages },
  });
  const left = (await server.buy(drama(500_000))).payload.errors;
  expect(left).toMatchObject([{ code: 'PRODUCT_UNAVAILABLE', details: { available_impressions: 0 } }]);
  await arrange('force_media_buy_status', { media_buy_id: 'mb_seeded', status: 'canceled' });
  succeeded(await server.buy(drama(1_900_000)));
});

test('buys from before inventory was held hold theirs at the next start', async () => {
  const server = await open();
  const { media_buy_id } = succeeded(await server.buy(TAKEOVER, ONE_DAY));
  const dataDir = server.dataDir;
  await server.close();
  const file = new Libsql(path.join(dataDir, 'seller-agent.db'));
  file.exec('DELETE FROM inventory_hold; DELETE FROM inventory_day;');
  file.prepare('INSERT INTO inventory_backlog VALUES (?)').run(media_buy_id);
  file.close();
  const again = await open({ dataDir });
  expect((await again.buy(TAKEOVER, ONE_DAY)).payload.errors).toMatchObject([{ code: 'PRODUCT_UNAVAILABLE' }]);
});

describe('a product that is sold to one advertiser of an industry', () => {
  const line = { product_id: 'northlight_money_viewable', pricing_option_id: 'vcpm_fixed', budget: 3000 };
  const brand = (domain: string, industries?: readonly string[]) => ({ brand: { domain, industries } });

  test('refuses a rival on its days, and takes the same brand and other industries', async () => {
    const { order } = await open({}, 'sandbox-token');
    const buy = (who: object, flight: object = WEEK) => order({ ...flight, ...who, packages: [line] });
    succeeded(await buy({ ...brand('bank-one.example'), advertiser_industry: 'finance' }));
    const refused = await buy(brand('bank-two.example', ['finance']));
    expect(refused.payload.errors).toMatchObject([
      {
        code: 'PRODUCT_UNAVAILABLE',
        field: 'packages[0].product_id',
        details: { available_from: '2030-03-08T00:00:00Z' },
      },
    ]);
    succeeded(await buy({ ...brand('cars.example'), advertiser_industry: 'automotive' }));
    succeeded(await buy({ ...brand('bank-one.example'), advertiser_industry: 'finance' }));
    const later = { start_time: '2030-03-08T00:00:00Z', end_time: '2030-03-09T00:00:00Z' };
    succeeded(await buy(brand('bank-two.example', ['finance']), later));
  });

  test('asks which industry an order is for', async () => {
    const { order } = await open({}, 'sandbox-token');
    const refused = await order({ packages: [line] });
    const asked = [{ code: 'INVALID_REQUEST', field: 'advertiser_industry' }];
    expect(refused.payload.errors).toMatchObject(asked);
    for (const advertiser_industry of ['nope', 'nope.banking', 'constructor', 7]) {
      expect((await order({ packages: [line], advertiser_industry })).payload.errors).toMatchObject(asked);
    }
  });

  test('takes an unknown part of an industry for the whole, and an unknown one for those of the brand', async () => {
    const { order } = await open({}, 'sandbox-token');
    const buy = (who: object) => order({ ...WEEK, ...who, packages: [line] });
    succeeded(await buy({ ...brand('bank-one.example'), advertiser_industry: 'finance.banking' }));
    for (const rival of [
      { ...brand('bank-two.example'), advertiser_industry: 'finance.pawnbroking' },
      { ...brand('bank-two.example', ['finance']), advertiser_industry: 'nope' },
    ]) {
      expect((await buy(rival)).payload.errors).toMatchObject([{ code: 'PRODUCT_UNAVAILABLE' }]);
    }
    succeeded(await buy({ ...brand('insurer.example'), advertiser_industry: 'finance.insurance' }));
  });
});
