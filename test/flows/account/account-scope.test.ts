import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, creative, freshKey, succeeded } from '../../kit/buyer.js';
import { packageIds, shopper } from '../../kit/shopper.js';
import {
  addAccount,
  addLivePrincipal,
  LIVE_ACCOUNT,
  LIVE_TOKEN,
  type TenantDraft,
  tenantsFolder,
} from '../../kit/tenants.js';

const TOKEN = 'key-of-a-principal-with-two-accounts';
const ONE = { account_id: 'acct_one' };
const TWO = { account_id: 'acct_two' };
const OLD_LIVE_ACCOUNT = 'acct_live_two';
const ASK = 'Shift 60% of budget to CTV.';
const BRIEF = 'Premium video and display on sports and outdoor lifestyle. $50K budget.';

/** Adds a sandbox principal with two accounts, whose requests reach as far as `account_scope` says. */
function addPrincipal(tenant: TenantDraft, account_scope?: string): void {
  tenant.principals.push({
    id: 'two-accounts',
    sandbox: true,
    key: { sha256: createHash('sha256').update(TOKEN).digest('hex') },
    policies: { creative_requirement: 'none', account_scope },
  });
  for (const { account_id } of [ONE, TWO]) addAccount(tenant, account_id, { principal: 'two-accounts' });
}

const open = (account_scope?: string): Promise<Booted> =>
  boot({
    tenants: tenantsFolder((tenant) => {
      addPrincipal(tenant, account_scope);
      addLivePrincipal(tenant);
      addAccount(tenant, OLD_LIVE_ACCOUNT, { principal: 'live' });
    }),
  });

/** A buyer with something of each kind in its first account. */
async function stock(server: Booted) {
  const buyer = shopper(server, { token: TOKEN, account: ONE });
  const call = async (tool: string, args: object, version?: string) =>
    server.call(tool, args, version === undefined ? { token: TOKEN } : { token: TOKEN, version });
  const bought = await buyer.create();
  const [packageId = ''] = packageIds(bought);
  await buyer.sync({ banner: [packageId] });
  return { call, buyer, buyId: bought.media_buy_id, packageId };
}

const apart = await open('account');
const mixed = await open();
const shop = await stock(apart);
const mixedShop = await stock(mixed);

/** Calls that name things of the first account, as they are made under a second account or none. */
type Named = { readonly buyId: string; readonly packageId: string };
const CHANGES: readonly (readonly [tool: string, args: (named: Named) => object, code: string])[] = [
  [
    'update_media_buy',
    ({ buyId }) => ({ media_buy_id: buyId, end_time: '2030-01-30T00:00:00Z' }),
    'MEDIA_BUY_NOT_FOUND',
  ],
  [
    'update_media_buy',
    ({ buyId, packageId }) => ({
      media_buy_id: buyId,
      packages: [{ package_id: packageId, creatives: [creative('inline')] }],
    }),
    'MEDIA_BUY_NOT_FOUND',
  ],
  [
    'provide_performance_feedback',
    ({ buyId }) => ({
      media_buy_id: buyId,
      measurement_period: { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' },
      performance_index: 1.2,
    }),
    'MEDIA_BUY_NOT_FOUND',
  ],
];

describe('under the scope of an account', () => {
  test.each(CHANGES)(
    '%s finds nothing of another account, and answers as for what does not exist',
    async (tool, args, code) => {
      const before = await shop.buyer.read(shop.buyId);
      const request = (named: Named) => ({ ...args(named), account: TWO, idempotency_key: freshKey() });
      const elsewhere = await shop.call(tool, request(shop));
      const nowhere = await shop.call(tool, request({ buyId: 'mb_none', packageId: 'pkg_none' }));
      expect(elsewhere.payload.errors).toMatchObject([{ code }]);
      expect(elsewhere.payload.errors).toEqual(nowhere.payload.errors);
      expect(await shop.buyer.read(shop.buyId)).toEqual(before);
    },
  );

  test('the same changes go through under the account of the buy, and under none', async () => {
    for (const account of [ONE, undefined])
      for (const [tool, args] of CHANGES)
        succeeded(await shop.call(tool, { ...args(shop), account, idempotency_key: freshKey() }));
  });

  test('reads of buys, deliveries, creatives and tasks by id answer nothing of another account', async () => {
    const byBuy = { media_buy_ids: [shop.buyId], account: TWO };
    const buys = succeeded(await shop.call('get_media_buys', byBuy));
    expect(buys).toMatchObject({ media_buys: [], errors: [{ code: 'MEDIA_BUY_NOT_FOUND' }] });
    const delivery = succeeded(await shop.call('get_media_buy_delivery', byBuy));
    expect(delivery).toMatchObject({ media_buy_deliveries: [], errors: [{ code: 'MEDIA_BUY_NOT_FOUND' }] });
    const used = succeeded(await shop.call('get_creative_delivery', { ...byBuy, creative_ids: ['banner'] }));
    expect(used).toMatchObject({
      creatives: [],
      errors: [{ code: 'MEDIA_BUY_NOT_FOUND' }, { code: 'CREATIVE_NOT_FOUND' }],
    });
    const library = succeeded(await shop.call('list_creatives', { account: TWO }));
    expect(library.creatives).toEqual([]);
  });

  test('a creative of one account is not put into a buy of another, from either side', async () => {
    const second = shopper(apart, { token: TOKEN, account: TWO });
    const theirs = await second.create();
    const [line = ''] = packageIds(theirs);
    const assignment = { creative_id: 'banner', package_id: line };
    const borrowed = await second.sync({}, { creatives: [creative('own')], assignments: [assignment] });
    expect(borrowed.creatives.find(({ creative_id }) => creative_id === 'banner')).toMatchObject({
      action: 'failed',
      errors: [{ code: 'CREATIVE_NOT_FOUND' }],
    });
    const lent = await second.sync(
      {},
      { creatives: [creative('own')], assignments: [{ creative_id: 'own', package_id: shop.packageId }] },
    );
    expect(lent.creatives).toMatchObject([
      { assignment_errors: { [shop.packageId]: expect.stringContaining('no such package') } },
    ]);
    const unnamed = await shop.call('update_media_buy', {
      idempotency_key: freshKey(),
      media_buy_id: theirs.media_buy_id,
      packages: [{ package_id: line, creative_assignments: [{ creative_id: 'banner' }] }],
    });
    expect(unnamed.payload.errors).toMatchObject([{ code: 'CREATIVE_NOT_FOUND' }]);
  });

  test('a creative sent without assets does not get those of another account', async () => {
    const second = shopper(apart, { token: TOKEN, account: TWO });
    const secret = creative('secret');
    const assets = { ...(secret.assets as object), click_url: { asset_type: 'url', url: 'https://secret.example/' } };
    await shop.buyer.sync({}, { creatives: [{ ...secret, assets }] });
    const { assets: _assets, ...bare } = secret;
    const answer = await second.call('sync_creatives', {
      idempotency_key: freshKey(),
      account: TWO,
      creatives: [bare],
    });
    expect(JSON.stringify(answer.payload)).not.toContain('secret.example');
    expect(JSON.stringify(succeeded(await second.call('list_creatives', { account: TWO })))).not.toContain(
      'secret.example',
    );
  });

  test('an account that was never opened has nothing', async () => {
    const account = { brand: { domain: 'new-brand.example' }, operator: 'new-agency.example' };
    const { media_buys } = succeeded(await shop.call('get_media_buys', { media_buy_ids: [shop.buyId], account }));
    expect(media_buys).toEqual([]);
  });

  test('a read without an account covers all accounts and says which', async () => {
    const second = shopper(apart, { token: TOKEN, account: TWO });
    const first = await shop.buyer.create();
    await shop.buyer.sync({ shared: packageIds(first) });
    const { media_buy_id } = await second.create();
    await second.sync({ shared: [] });
    const ids = { media_buy_ids: [first.media_buy_id, media_buy_id] };
    const { media_buys } = succeeded(await shop.call('get_media_buys', ids));
    expect(
      media_buys.map((buy) => (buy as unknown as { account: { account_id: string } }).account.account_id).sort(),
    ).toEqual(['acct_one', 'acct_two']);
    const { media_buy_deliveries: reports } = succeeded(await shop.call('get_media_buy_delivery', ids));
    expect(reports.map((report) => (report as unknown as { account_id: string }).account_id).sort()).toEqual([
      'acct_one',
      'acct_two',
    ]);
    const { creatives } = succeeded(await shop.call('list_creatives', { filters: { creative_ids: ['shared'] } }));
    const rows = creatives as unknown as readonly {
      account: { account_id: string };
      assignments: { assignment_count: number };
    }[];
    expect(rows.map(({ account, assignments }) => [account.account_id, assignments.assignment_count]).sort()).toEqual([
      ['acct_one', 1],
      ['acct_two', 0],
    ]);
    const { creatives: ofTwo } = succeeded(
      await shop.call('list_creatives', { filters: { creative_ids: ['shared'], accounts: [TWO] } }),
    );
    expect(ofTwo).toMatchObject([{ account: TWO }]);
  });

  test('the policy is in the capabilities', async () => {
    const capabilities = async (server: Booted, token: string) =>
      succeeded(await server.call('get_adcp_capabilities', {}, { token })) as unknown as {
        account: { account_scope: string };
      };
    expect((await capabilities(apart, TOKEN)).account.account_scope).toBe('account');
    expect((await capabilities(mixed, TOKEN)).account.account_scope).toBe('principal');
    expect((await capabilities(mixed, LIVE_TOKEN)).account.account_scope).toBe('account');
  });

  test('is what a live principal has unless its file says otherwise', async () => {
    const live = shopper(mixed, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
    const { media_buy_id } = await live.create();
    const change = { idempotency_key: freshKey(), media_buy_id, canceled: true };
    expect(await live.refused('update_media_buy', { ...change, account: { account_id: OLD_LIVE_ACCOUNT } })).toBe(
      'MEDIA_BUY_NOT_FOUND',
    );
  });
});

type Shown = { readonly proposal_id: string; readonly allocations: readonly { allocation_percentage: number }[] };

/** The proposals for a brief under an account, by id. */
async function proposalsFor(
  shown: typeof shop,
  account: object | undefined,
  refine?: object,
): Promise<ReadonlyMap<string, Shown>> {
  const asked =
    refine === undefined ? { buying_mode: 'brief', brief: BRIEF } : { buying_mode: 'refine', refine: [refine] };
  const { proposals = [] } = succeeded(await shown.call('get_products', { ...asked, account })) as unknown as {
    proposals?: readonly Shown[];
  };
  return new Map(proposals.map((proposal) => [proposal.proposal_id, proposal]));
}

const sharesIn = (proposals: ReadonlyMap<string, Shown>, id: string) =>
  proposals.get(id)?.allocations.map(({ allocation_percentage }) => allocation_percentage);

const BUDGET = { amount: 50_000, currency: 'USD' };
const THIRD = { brand: { domain: 'third-brand.example' }, operator: 'third-agency.example' };
const IN_FILE = ['balanced_reach_q2', 'premium_video_reserved'];

/** The ids of the proposals that were made of the brief. */
const madeIn = (proposals: ReadonlyMap<string, Shown>): readonly string[] =>
  [...proposals.keys()].filter((id) => !IN_FILE.includes(id));

describe('a proposal', () => {
  test('is refined for its own account alone, which alone may buy it so', async () => {
    const before = await proposalsFor(shop, ONE);
    expect(sharesIn(await proposalsFor(shop, TWO), 'balanced_reach_q2')).toEqual(sharesIn(before, 'balanced_reach_q2'));
    const refined = await proposalsFor(shop, ONE, {
      scope: 'proposal',
      proposal_id: 'balanced_reach_q2',
      ask: ASK,
    });
    const changed = sharesIn(refined, 'balanced_reach_q2');
    expect(changed).not.toEqual(sharesIn(before, 'balanced_reach_q2'));
    expect(sharesIn(await proposalsFor(shop, ONE), 'balanced_reach_q2')).toEqual(changed);
    expect(sharesIn(await proposalsFor(shop, TWO), 'balanced_reach_q2')).toEqual(sharesIn(before, 'balanced_reach_q2'));
    const order = { proposal_id: 'balanced_reach_q2', total_budget: BUDGET, packages: undefined };
    succeeded(await shop.call('create_media_buy', createRequest({ ...order, account: ONE })));
    const again = await shop.call('create_media_buy', createRequest({ ...order, account: ONE }));
    expect(again.payload.errors).toMatchObject([{ code: 'INVALID_STATE' }]);
    succeeded(await shop.call('create_media_buy', createRequest({ ...order, account: TWO })));
  });

  test('is held for its own account alone, and not there for one that was never shown it', async () => {
    await proposalsFor(shop, TWO);
    const [made = ''] = madeIn(await proposalsFor(shop, ONE));
    await proposalsFor(shop, ONE, { scope: 'proposal', proposal_id: made, action: 'finalize' });
    const order = { proposal_id: made, total_budget: BUDGET, packages: undefined };
    const under = async (account: object) =>
      (await shop.call('create_media_buy', createRequest({ ...order, account }), '3.1')).payload.errors?.[0]?.code;
    expect(await under(THIRD)).toBe('PROPOSAL_NOT_FOUND');
    expect(await under(TWO)).toBe('PROPOSAL_NOT_COMMITTED');
    expect(await under(ONE)).toBeUndefined();
  });

  test('that was shown for a brand before its account was opened is bought with it', async () => {
    const fresh = { brand: { domain: 'fresh-brand.example' }, operator: 'fresh-agency.example' };
    const [made = ''] = madeIn(await proposalsFor(shop, fresh));
    await proposalsFor(shop, fresh, { scope: 'proposal', proposal_id: made, action: 'finalize' });
    const order = { proposal_id: made, total_budget: BUDGET, packages: undefined };
    succeeded(await shop.call('create_media_buy', createRequest({ ...order, account: fresh })));
  });

  test('that several accounts were shown is not changed under none of them', async () => {
    await proposalsFor(shop, ONE);
    const [made = ''] = madeIn(await proposalsFor(shop, TWO));
    const answer = await shop.call('get_products', {
      buying_mode: 'refine',
      refine: [{ scope: 'proposal', proposal_id: made, ask: ASK }],
    });
    expect(answer.payload.errors).toMatchObject([{ code: 'ACCOUNT_AMBIGUOUS', field: 'account' }]);
  });
});

describe('under the scope of a principal', () => {
  test('which a sandbox has unless its file says otherwise, an account reaches what is in another', async () => {
    for (const [tool, args] of CHANGES)
      succeeded(await mixedShop.call(tool, { ...args(mixedShop), account: TWO, idempotency_key: freshKey() }));
    const { media_buys } = succeeded(
      await mixedShop.call('get_media_buys', { media_buy_ids: [mixedShop.buyId], account: TWO }),
    );
    expect(media_buys).toHaveLength(1);
    const refine = { scope: 'proposal', proposal_id: 'balanced_reach_q2', ask: ASK };
    const refined = await proposalsFor(mixedShop, ONE, refine);
    expect(sharesIn(await proposalsFor(mixedShop, TWO), 'balanced_reach_q2')).toEqual(
      sharesIn(refined, 'balanced_reach_q2'),
    );
  });
});

describe('a cursor', () => {
  const ALL = { status_filter: ['active', 'paused', 'pending_start', 'canceled'] };
  const first = async (args: object): Promise<string> =>
    succeeded(await shop.call('get_media_buys', { ...ALL, ...args, pagination: { max_results: 1 } })).pagination
      .cursor ?? '';

  test.each([
    ['under another filter', 'get_media_buys', { account: ONE, status_filter: ['active', 'paused'] }],
    ['under another account', 'get_media_buys', { ...ALL, account: TWO }],
    ['under no account', 'get_media_buys', ALL],
    ['of another list', 'get_media_buy_delivery', { ...ALL, account: ONE }],
    ['of another list of creatives', 'list_creatives', { account: ONE }],
  ])('is refused %s, and says what to do', async (_where, tool, args) => {
    for (let more = 0; more < 2; more += 1) await shop.buyer.create();
    const cursor = await first({ account: ONE });
    succeeded(await shop.call('get_media_buys', { ...ALL, account: ONE, pagination: { cursor, max_results: 2 } }));
    const refused = await shop.call(tool, { ...args, pagination: { cursor } });
    expect(refused.payload.errors).toMatchObject([
      { code: 'INVALID_REQUEST', field: 'pagination.cursor', suggestion: expect.stringContaining('leave it out') },
    ]);
  });

  test('is refused for another caller', async () => {
    const cursor = await first({});
    const other = await apart.call('get_media_buys', { ...ALL, pagination: { cursor } }, { token: LIVE_TOKEN });
    expect(other.payload.errors).toMatchObject([{ code: 'INVALID_REQUEST', field: 'pagination.cursor' }]);
  });
});
