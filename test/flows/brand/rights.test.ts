import { createHash, createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { canonicalText } from '../../../src/platform/kernel/canonical.js';
import { boot } from '../../kit/boot.js';
import { freshKey, succeeded } from '../../kit/buyer.js';
import { runCommand } from '../../kit/command-line.js';
import { pass, verifierOf } from '../../kit/events.js';
import { send } from '../../kit/http.js';
import { operatorOf } from '../../kit/operator.js';
import { startReceiver } from '../../kit/receiver.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { sandboxToken } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const server = await boot();
const BRAND = { tenant: 'brand', version: '3.1' };
const OTHER = { ...BRAND, token: 'sandbox-token-2' };
const call = (task: string, args: object, options: object = BRAND) => server.call(task, args, options);

type Request = { readonly campaign: object } & Readonly<Record<string, unknown>>;

/** A request for the images of a climber in a month of its own, so that tests do not meet. */
let month = 0;
function request(campaign: object = {}, more: object = {}): Request {
  month += 1;
  const year = 2031 + Math.floor(month / 12);
  const start_date = `${year}-${String((month % 12) + 1).padStart(2, '0')}-01`;
  return {
    idempotency_key: freshKey(),
    rights_id: 'velez_images',
    pricing_option_id: 'images_monthly',
    buyer: { domain: 'acme-outdoor.example' },
    campaign: {
      description: 'Trail shoes',
      uses: ['likeness'],
      start_date,
      end_date: `${start_date.slice(0, 8)}20`,
      ...campaign,
    },
    revocation_webhook: { url: 'https://buyer.example/revoked' },
    ...more,
  };
}

const errorOf = ({ payload }: { readonly payload: Payload }) => payload.errors[0];

describe('who a brand is', () => {
  test('has every section for a caller with an account, and names to others what an account would add', async () => {
    const whole = succeeded(await call('get_brand_identity', { brand_id: 'acme_outdoor' }));
    expect(whole).toMatchObject({
      brand_id: 'acme_outdoor',
      house: { domain: 'northlight.example' },
      tone: { voice: expect.any(String) },
      rights: { available_uses: ['sync', 'background_music'] },
    });
    expect(whole).not.toHaveProperty('available_fields');
    const open = succeeded(await call('get_brand_identity', { brand_id: 'acme_outdoor' }, OTHER));
    expect(open).toMatchObject({
      colors: { primary: '#2E7D32' },
      available_fields: ['visual_guidelines', 'tone', 'assets', 'rights'],
    });
    for (const locked of ['tone', 'assets', 'rights']) expect(open).not.toHaveProperty(locked);
  });

  test('is narrowed to the fields that are asked for, and nobody is made up', async () => {
    const some = succeeded(await call('get_brand_identity', { brand_id: 'nova_motors', fields: ['colors'] }));
    expect(Object.keys(some).sort()).toEqual(['adcp_version', 'brand_id', 'colors', 'house', 'names', 'status']);
    const nobody = await call('get_brand_identity', { brand_id: 'nobody' });
    expect(errorOf(nobody)).toMatchObject({ code: 'REFERENCE_NOT_FOUND', field: 'brand_id' });
  });

  test('is declared in the capabilities, with its rights', async () => {
    expect(succeeded(await call('get_adcp_capabilities', {}))).toMatchObject({
      supported_protocols: ['brand'],
      specialisms: ['brand-rights'],
      experimental_features: ['brand.rights_lifecycle'],
      brand: { rights: true, right_types: ['talent', 'music'], available_uses: expect.arrayContaining(['likeness']) },
    });
  });
});

describe('claims about a house', () => {
  const trademark = {
    claim_type: 'trademark',
    claim: { mark: 'acme outdoor', countries: ['US'], use_case: 'editorial' },
  };

  test('are answered from its file, signed for this question by a key for answers alone', async () => {
    const context = { correlation_id: 'claims-1' };
    const answer = succeeded(await call('verify_brand_claim', { ...trademark, context }));
    expect(answer).toMatchObject({
      claim_type: 'trademark',
      verification_status: 'owned',
      details: { matched_registration: { number: '5550101' }, use_case_authorization: { authorized: true } },
    });
    const signed = answer.signed_response as unknown as { protected: string; payload: Payload; signature: string };
    const { status: _status, adcp_version: _version, signed_response: _signed, ...body } = answer;
    expect(signed.payload.response).toEqual(body);
    const asked = canonicalText({ task: 'verify_brand_claim', request: trademark });
    expect(signed.payload).toMatchObject({
      brand_domain: 'northlight.example',
      agent_url: server.url('brand'),
      request_hash: `sha256:${createHash('sha256').update(asked).digest('base64url')}`,
    });
    const header = JSON.parse(Buffer.from(signed.protected, 'base64url').toString()) as Payload;
    expect(header.typ).toBe('adcp-response-payload+jws');
    const { keys } = (await send(`${server.baseUrl}/.well-known/jwks.json`)).json() as { keys: readonly Payload[] };
    const key = keys.find(({ kid }) => kid === header.kid);
    expect(key).toMatchObject({ adcp_use: 'response-signing' });
    const text = Buffer.from(`${signed.protected}.${Buffer.from(canonicalText(signed.payload)).toString('base64url')}`);
    const publicKey = createPublicKey({ key: key as never, format: 'jwk' });
    expect(verify(null, text, publicKey, Buffer.from(signed.signature, 'base64url'))).toBe(true);
  });

  test('each keep their place among many, wrong ones too', async () => {
    const claims = [
      { claim_type: 'subsidiary', claim: { subsidiary_domain: 'ACME-outlet.example' } },
      { claim_type: 'parent', claim: {} },
      { claim_type: 'property', claim: { property: { type: 'website', identifier: 'nobody.example' } } },
      { claim_type: 'trademark', claim: { mark: 'Novawatt', countries: ['FR'] } },
    ];
    const { results, signed_response } = succeeded(await call('verify_brand_claims', { claims }));
    expect(results).toMatchObject([
      { claim_type: 'subsidiary', status: 'disputed', context_note: expect.any(String) },
      { error: { code: 'INVALID_REQUEST', field: 'claims[1].claim.parent_domain' } },
      { claim_type: 'property', status: 'unknown' },
      { status: 'licensed_in', details: { licensor_domain: 'novawatt.example' } },
    ]);
    expect((signed_response as unknown as { payload: Payload }).payload.response).toEqual({ results });
  });
});

describe('the brands of a house', () => {
  test('are found by words, industry, country of their rights and buyer, with what everybody may know of them', async () => {
    const find = async (args: object): Promise<readonly string[]> => {
      const answer = succeeded(await call('search_brands', { query: 'a climber who takes pictures', ...args }));
      if (hasSchemas('3.1')) expect(schemaJudge('3.1')('brand/search-brands-response', answer)).toEqual([]);
      return (answer.brands as unknown as readonly { brand_id: string }[]).map(({ brand_id }) => brand_id);
    };
    expect(await find({})).toEqual(['mara_velez', 'acme_outdoor', 'nova_motors']);
    expect(await find({ query: 'electric cars' })).toEqual(['nova_motors', 'acme_outdoor', 'mara_velez']);
    expect(await find({ industries: ['automotive'] })).toEqual(['nova_motors']);
    expect(await find({ industries: ['nothing of the kind'] })).toEqual([]);
    expect(await find({ countries: ['DE'] })).toContain('mara_velez');
    expect(await find({ countries: ['JP'] })).not.toContain('mara_velez');
    expect(await find({ countries: ['JP', 'DE'] })).toContain('mara_velez');
    expect(await find({ buyer_brand: { domain: 'summit-rival.example' } })).toEqual(['acme_outdoor', 'nova_motors']);
    const first = succeeded(await call('search_brands', { query: 'climber', pagination: { max_results: 1 } }));
    expect(first).toMatchObject({
      brands: [
        {
          brand_id: 'mara_velez',
          house: { domain: 'northlight.example' },
          rights: { countries: ['CA', 'DE', 'FR', 'GB', 'US'] },
        },
      ],
      pagination: { has_more: true },
    });
    expect(JSON.stringify(first)).not.toMatch(/tone|voice|assets"|available_fields/);
    const { cursor } = first.pagination as unknown as { cursor: string };
    const rest = succeeded(await call('search_brands', { query: 'climber', pagination: { cursor } }));
    expect(rest.brands).toMatchObject([{ brand_id: 'acme_outdoor' }, { brand_id: 'nova_motors' }]);
  });
});

describe('rights', () => {
  test('are found by use, country, brand and buyer; what is kept back is told where that is asked for', async () => {
    const find = async (args: object) =>
      succeeded(
        await call('get_rights', {
          query: 'the face of a climber',
          uses: ['likeness'],
          include_excluded: true,
          ...args,
        }),
      );
    const found = await find({});
    expect(found.rights).toMatchObject([{ rights_id: 'velez_images', right_type: 'talent' }]);
    expect(found.excluded).toMatchObject([{ brand_id: 'acme_outdoor', reason: 'Not licensed for likeness.' }]);
    expect((await find({ countries: ['JP'] })).excluded).toMatchObject([{ suggestions: expect.any(Array) }, {}]);
    const rival = await find({ buyer_brand: { domain: 'summit-rival.example' } });
    expect(rival.rights).toEqual([]);
    expect(JSON.stringify(rival.excluded)).not.toContain('summit-rival');
    const unknown = await call('get_rights', { query: '', uses: ['likeness'], brand_id: 'nobody' });
    expect(errorOf(unknown)).toMatchObject({ code: 'REFERENCE_NOT_FOUND', field: 'brand_id' });
  });

  test('are acquired once under a key, at a price, with what creatives have to carry', async () => {
    const args = request({ start_date: '2030-02-01', end_date: '2030-04-30' });
    const bought = succeeded(await call('acquire_rights', args));
    expect(bought).toMatchObject({
      rights_status: 'acquired',
      terms: { amount: 2400, period: 'monthly', start_date: '2030-02-01', end_date: '2030-04-30' },
      generation_credentials: [],
      disclosure: { required: true },
      rights_constraint: { rights_agent: { url: server.url('brand') }, impression_cap: 15_000_000 },
    });
    expect(succeeded(await call('acquire_rights', args))).toMatchObject({
      rights_id: bought.rights_id,
      replayed: true,
    });
    const priced = request({ estimated_impressions: 1_000_000 }, { pricing_option_id: 'images_cpm' });
    expect(succeeded(await call('acquire_rights', priced)).terms).toMatchObject({ amount: 1500, currency: 'USD' });
    const old = succeeded(await call('acquire_rights', request(), { ...BRAND, version: '3.0' }));
    expect(old.status).toBe('acquired');
  });

  test.each<readonly [string, object, object, object]>([
    [
      'a campaign that is over',
      { start_date: '2029-01-01', end_date: '2029-02-01' },
      {},
      { field: 'campaign.end_date' },
    ],
    [
      'an end before the start',
      { start_date: '2033-05-02', end_date: '2033-05-01' },
      {},
      { field: 'campaign.end_date' },
    ],
    ['uses that the price is not for', { uses: ['voice'] }, {}, { field: 'campaign.uses' }],
    ['no impressions to price', {}, { pricing_option_id: 'images_cpm' }, { field: 'campaign.estimated_impressions' }],
    ['unknown rights', {}, { rights_id: 'nothing' }, { code: 'REFERENCE_NOT_FOUND', field: 'rights_id' }],
    ['an unknown price', {}, { pricing_option_id: 'x' }, { code: 'REFERENCE_NOT_FOUND', field: 'pricing_option_id' }],
    [
      'a webhook that nobody may call',
      {},
      { revocation_webhook: { url: 'ftp://x.example' } },
      { field: 'revocation_webhook.url' },
    ],
  ])('are refused for %s', async (_what, campaign, more, error) => {
    expect(errorOf(await call('acquire_rights', request(campaign, more)))).toMatchObject({
      code: 'INVALID_REQUEST',
      suggestion: expect.any(String),
      ...error,
    });
  });

  test('are rejected where they are not licensed, with what would be where something would', async () => {
    const elsewhere = succeeded(await call('acquire_rights', request({ countries: ['US', 'JP'] })));
    expect(elsewhere).toMatchObject({
      rights_status: 'rejected',
      suggestions: expect.arrayContaining(['Ask for US alone.']),
    });
    const rival = succeeded(await call('acquire_rights', request({}, { buyer: { domain: 'summit-rival.example' } })));
    expect(rival.rights_status).toBe('rejected');
    expect(rival).not.toHaveProperty('suggestions');
  });
});

describe('exclusive rights', () => {
  const exclusive = { pricing_option_id: 'images_exclusive' };

  test('are sold once, however many ask at once', async () => {
    const { campaign } = request();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call('acquire_rights', request(campaign, exclusive))),
    );
    const outcomes = answers.map(({ payload }) => payload.rights_status).sort();
    expect(outcomes).toEqual(['acquired', ...Array.from({ length: 7 }, () => 'rejected')]);
  });

  test('keep out those who share, where and as long as they have them, and are not had where others share', async () => {
    const { campaign } = request();
    const us = { ...campaign, countries: ['US'] };
    const ask = async (more: object, options = exclusive, who: object = BRAND) =>
      succeeded(await call('acquire_rights', request({ ...us, ...more }, options), who)).rights_status;
    const shared = { pricing_option_id: 'images_monthly' };
    expect(await ask({})).toBe('acquired');
    expect(await ask({}, shared)).toBe('rejected');
    expect(await ask({ countries: ['DE'] }, shared)).toBe('acquired');
    expect(await ask({ countries: ['DE', 'FR'] })).toBe('rejected');
    expect(await ask({ uses: ['commercial'] }, shared)).toBe('acquired');
    // A sandbox has books of its own.
    expect(await ask({}, shared, OTHER)).toBe('acquired');
    const [offer] = succeeded(await call('get_rights', { query: '', uses: ['likeness'] }))
      .rights as unknown as Payload[];
    expect(offer?.exclusivity_status).toMatchObject({
      available: false,
      existing_exclusives: expect.arrayContaining([expect.stringContaining('likeness in US')]),
    });
  });
});

describe('rights that were acquired', () => {
  test('are extended, capped, paused and resumed, and never shortened or taken from another', async () => {
    const args = request({ start_date: '2040-01-01', end_date: '2040-01-31' });
    const { rights_id } = succeeded(await call('acquire_rights', args));
    const change = (more: object, who: object = BRAND) =>
      call('update_rights', { idempotency_key: freshKey(), rights_id, ...more }, who);
    expect(succeeded(await change({ end_date: '2040-03-31', impression_cap: 100 }))).toMatchObject({
      terms: { end_date: '2040-03-31', impression_cap: 100 },
      rights_constraint: { valid_until: '2040-04-01T00:00:00Z', impression_cap: 300 },
    });
    expect(succeeded(await change({ paused: true })).paused).toBe(true);
    expect(succeeded(await change({ paused: false })).paused).toBe(false);
    expect(errorOf(await change({ end_date: '2040-02-01' }))).toMatchObject({ field: 'end_date' });
    expect(errorOf(await change({ paused: true }, OTHER))).toMatchObject({ code: 'REFERENCE_NOT_FOUND' });
    const next = request(
      { start_date: '2040-04-10', end_date: '2040-04-20' },
      { pricing_option_id: 'images_exclusive' },
    );
    succeeded(await call('acquire_rights', next));
    expect(errorOf(await change({ end_date: '2040-04-15' }))).toMatchObject({ code: 'CONFLICT', field: 'end_date' });
  });

  test('wait for a person where the tenant says so; its yes makes the grant and is told by webhook', async () => {
    const receiver = await startReceiver();
    const account = { account_id: 'acct_licensee' };
    const dear = request(
      { start_date: '2041-01-01', end_date: '2041-12-31' },
      { pricing_option_id: 'images_exclusive', account, push_notification_config: { url: `${receiver.url}/done` } },
    );
    const waiting = succeeded(await call('acquire_rights', dear));
    expect(waiting).toMatchObject({
      status: 'submitted',
      rights_id: 'velez_images',
      rights_status: 'pending_approval',
    });
    const operator = operatorOf(server);
    const [one] = (await operator.waiting()).filter(({ tenant }) => tenant === 'brand');
    expect(one).toMatchObject({
      id: waiting.task_id,
      what: expect.stringContaining('Mara Velez, images for 108,000 USD'),
    });
    expect((await operator.post(`/approvals/${one?.id}`, { decision: 'approve' })).status).toBe(200);
    await receiver.received(1);
    expect(receiver.posts[0]?.json).toMatchObject({
      task_id: waiting.task_id,
      task_type: 'acquire_rights',
      status: 'completed',
      result: { rights_status: 'acquired', terms: { amount: 9000 } },
    });
    const polled = succeeded(await call('get_task_status', { task_id: waiting.task_id, include_result: true }));
    expect(polled).toMatchObject({ status: 'completed', protocol: 'brand', result: { rights_status: 'acquired' } });
  });

  test('are refused by the governance agent of the account before anything is granted', async () => {
    const governance = { tenant: 'governance', token: sandboxToken('governance') };
    const account = { account_id: 'acct_licensee' };
    const plan = {
      plan_id: 'plan-rights',
      brand: { domain: 'acme-outdoor.example' },
      objectives: 'A face',
      budget: { total: 3000, currency: 'USD', reallocation_unlimited: true },
      flight: { start: '2029-12-01T00:00:00Z', end: '2060-01-01T00:00:00Z' },
    };
    succeeded(await call('sync_plans', { idempotency_key: freshKey(), plans: [plan] }, governance));
    const agent = {
      url: server.url('governance'),
      authentication: { schemes: ['Bearer'], credentials: governance.token },
    };
    const accounts = [{ account, governance_agents: [agent] }];
    succeeded(await call('sync_governance', { idempotency_key: freshKey(), accounts }));
    const buy = (campaign: object) => call('acquire_rights', request(campaign, { account, plan_id: 'plan-rights' }));
    expect(errorOf(await buy({ start_date: '2042-01-01', end_date: '2042-06-30' }))).toMatchObject({
      code: 'GOVERNANCE_DENIED',
    });
    expect(succeeded(await buy({ start_date: '2042-01-01', end_date: '2042-01-31' })).rights_status).toBe('acquired');
  });
});

describe('rights that are taken back', () => {
  test('are told to their buyer by a signed webhook, in part and then wholly; nothing more can be done with them', async () => {
    const receiver = await startReceiver();
    const context = { order: 'A-1' };
    const args = request(
      { uses: ['likeness', 'commercial'] },
      { revocation_webhook: { url: `${receiver.url}/revoked` }, context },
    );
    const { rights_id } = succeeded(await call('acquire_rights', args));
    const data = ['--data', server.dataDir];
    const part = await runCommand([
      'rights',
      'revoke',
      String(rights_id),
      '--reason',
      'Contract',
      '--uses',
      'commercial',
      ...data,
    ]);
    expect([part.code, part.stdout]).toEqual([0, expect.stringContaining('is revoked for commercial')]);
    const whole = { reason: 'Conduct', effective_at: '2035-01-01T00:00:00Z' };
    const operator = operatorOf(server);
    expect((await operator.post(`/rights/${rights_id}`, whole)).status).toBe(200);
    await receiver.received(2);
    const bodies = receiver.posts.map(({ json }) => json);
    expect(bodies).toMatchObject([
      { rights_id, brand_id: 'mara_velez', reason: 'Contract', revoked_uses: ['commercial'], context },
      { rights_id, reason: 'Conduct', effective_at: '2035-01-01T00:00:00Z' },
    ]);
    expect(bodies[1]).not.toHaveProperty('revoked_uses');
    const verified = await verifierOf(server);
    for (const post of receiver.posts) expect(await verified(post, receiver.url)).toMatchObject({ ok: true });
    if (hasSchemas('3.1')) {
      for (const body of bodies) expect(schemaJudge('3.1')('brand/revocation-notification', body)).toEqual([]);
    }
    const change = await call('update_rights', { idempotency_key: freshKey(), rights_id, paused: true });
    expect(errorOf(change)).toMatchObject({ code: 'INVALID_STATE', field: 'rights_id' });
    expect((await operator.post(`/rights/${rights_id}`, whole)).status).toBe(409);
    expect((await operator.post('/rights/nothing', whole)).status).toBe(404);
    const listed = await runCommand(['rights', ...data]);
    expect(listed.stdout).toMatch(/revoked from 2035-01-01T00:00:00Z: Conduct/);
  });

  test('free what was exclusive, and are told after a restart where the buyer was away', async () => {
    const receiver = await startReceiver();
    receiver.script(500);
    const revocation_webhook = { url: `${receiver.url}/revoked` };
    const { campaign } = request({ start_date: '2045-01-01', end_date: '2045-02-01' });
    const exclusive = { pricing_option_id: 'images_exclusive', revocation_webhook };
    const { rights_id } = succeeded(await call('acquire_rights', request(campaign, exclusive)));
    expect((await operatorOf(server).post(`/rights/${rights_id}`, { reason: 'Conduct' })).status).toBe(200);
    await receiver.received(1);
    expect(succeeded(await call('acquire_rights', request(campaign))).rights_status).toBe('acquired');
    await server.restart();
    await pass(server, 60_000);
    await receiver.received(2);
    const [first, second] = receiver.posts.map(({ json }) => json);
    expect(second?.idempotency_key).toBe(first?.idempotency_key);
  });
});
