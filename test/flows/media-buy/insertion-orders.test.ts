import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/platform/kernel/canonical.js';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, createRequestByKey, freshKey, KIT_TOKEN, SANDBOX_ACCOUNT, succeeded } from '../../kit/buyer.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';
import { tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const ACCOUNT = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
const READY = 'balanced_reach_q2';
const TEXT = 'The advertiser pays what was delivered, and nothing else.';
const TOTAL = { amount: 50_000, currency: 'USD' };

type InsertionOrder = {
  readonly io_id: string;
  readonly requires_signature: boolean;
  readonly terms: Readonly<Record<string, unknown>> & {
    readonly total_budget: typeof TOTAL;
    readonly flight_start: string;
    readonly flight_end: string;
  };
};
type Shown = { readonly proposal_status?: string; readonly insertion_order?: InsertionOrder };

const tenants = (settings: object) =>
  tenantsFolder((tenant) => {
    tenant.insertion_orders = { text: TEXT, payment_terms: 'net_30', ...settings };
  });

function buyer(server: Booted, version = '3.1') {
  const kit = { token: KIT_TOKEN, version };
  return {
    finalize: async (days: object = {}) => {
      const refine = [{ scope: 'proposal', proposal_id: READY, action: 'finalize' }];
      const args = { account: ACCOUNT, buying_mode: 'refine', refine, ...days };
      return succeeded(await server.call('get_products', args, kit));
    },
    order: (order: InsertionOrder | undefined, changes: object = {}) =>
      server.call(
        'create_media_buy',
        createRequestByKey({
          packages: undefined,
          proposal_id: READY,
          total_budget: order?.terms.total_budget ?? TOTAL,
          start_time: order?.terms.flight_start ?? 'asap',
          end_time: order?.terms.flight_end ?? '2030-06-30T00:00:00Z',
          ...changes,
        }),
        kit,
      ),
  };
}

const proposalOf = (payload: Payload): Shown =>
  (payload as unknown as { proposals: readonly Shown[] }).proposals[0] ?? {};

describe('a seller that wants insertion orders', async () => {
  const server = await boot({ tenants: tenants({}) });
  const one = buyer(server);

  test('wants every proposal finalized, and shows its insertion order then', async () => {
    expect((await one.order(undefined)).payload.errors[0]).toMatchObject({ code: 'PROPOSAL_NOT_COMMITTED' });
    const { proposal_status, insertion_order } = proposalOf(await one.finalize());
    expect(proposal_status).toBe('committed');
    expect(insertion_order).toMatchObject({
      io_id: expect.stringMatching(/^io_/),
      requires_signature: true,
      terms: {
        publisher: expect.any(String),
        payment_terms: 'net_30',
        text: TEXT,
        text_digest: `sha256:${sha256Hex(TEXT)}`,
        total_budget: { amount: expect.any(Number), currency: 'USD' },
      },
    });
  });

  test('sells to whoever accepts it, and says who accepted which text', async () => {
    const { insertion_order: order } = proposalOf(await one.finalize());
    const accepted = { io_id: order?.io_id, accepted_at: '2030-01-01T00:00:00Z', signatory: 'Ada, Pinnacle Agency' };
    const refused = async (changes: object) => (await one.order(order, changes)).payload.errors[0];
    expect(await refused({})).toMatchObject({
      code: 'IO_REQUIRED',
      field: 'io_acceptance',
      recovery: 'correctable',
      details: { io_id: order?.io_id },
    });
    expect(await refused({ io_acceptance: { ...accepted, io_id: 'io_other' } })).toMatchObject({
      code: 'REFERENCE_NOT_FOUND',
      field: 'io_acceptance.io_id',
    });
    expect(await refused({ io_acceptance: { ...accepted, accepted_at: '2031-01-01T00:00:00Z' } })).toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'io_acceptance.accepted_at',
    });
    const more = (order?.terms.total_budget.amount ?? 0) + 1;
    expect(await refused({ io_acceptance: accepted, total_budget: { amount: more, currency: 'USD' } })).toMatchObject({
      code: 'REQUOTE_REQUIRED',
      field: 'total_budget',
    });
    expect(await refused({ io_acceptance: accepted, end_time: '2032-01-01T00:00:00Z' })).toMatchObject({
      code: 'REQUOTE_REQUIRED',
      field: 'end_time',
    });
    const recorded = { ...accepted, text_digest: order?.terms.text_digest, received_at: expect.any(String) };
    const bought = succeeded(await one.order(order, { io_acceptance: accepted }));
    expect(bought).toMatchObject({ io_acceptance: recorded });
    await server.restart();
    const read = await server.call('get_media_buys', { media_buy_ids: [bought.media_buy_id] }, { token: KIT_TOKEN });
    expect(succeeded(read).media_buys[0]).toMatchObject({ io_acceptance: recorded });
  });

  test('takes an acceptance of nothing for a mistake', async () => {
    const io_acceptance = { io_id: 'io_none', accepted_at: '2030-01-01T00:00:00Z', signatory: 'Ada' };
    const { payload } = await server.call('create_media_buy', createRequest({ io_acceptance }));
    expect(payload.errors[0]).toMatchObject({ code: 'REFERENCE_NOT_FOUND', field: 'io_acceptance.io_id' });
    expect(succeeded(await server.call('create_media_buy', createRequest()))).not.toHaveProperty('io_acceptance');
  });
});

describe('a seller that has insertion orders signed by people, and sells in no other way', async () => {
  const signing_url = 'https://sign.example/orders';
  const server = await boot({
    tenants: tenants({ signing_url, terms_url: 'https://seller.example/terms', direct_orders: 'refused' }),
  });
  const one = buyer(server);

  test('wants the signature named', async () => {
    const { insertion_order: order } = proposalOf(await one.finalize());
    expect(order).toMatchObject({ signing_url, terms_url: 'https://seller.example/terms' });
    const io_acceptance = { io_id: order?.io_id, accepted_at: '2030-01-01T00:00:00Z', signatory: 'Ada' };
    const { payload } = await one.order(order, { io_acceptance });
    expect(payload.errors[0]).toMatchObject({ code: 'IO_REQUIRED', field: 'io_acceptance.signature_id' });
    expect(payload.errors[0]?.suggestion).toContain(signing_url);
    succeeded(await one.order(order, { io_acceptance: { ...io_acceptance, signature_id: 'sig-1' } }));
  });

  test('refuses packages without a proposal', async () => {
    const { payload } = await server.call('create_media_buy', createRequest());
    expect(payload.errors[0]).toMatchObject({ code: 'IO_REQUIRED', field: 'packages' });
  });
});

describe.each(['3.0', '3.1'] as const satisfies readonly SchemaRelease[])('by the schemas of %s', (release) => {
  test.skipIf(!hasSchemas(release))('an insertion order and its acceptance are valid', async () => {
    const server = await boot({ tenants: tenants({ terms_url: 'https://seller.example/terms' }) });
    const one = buyer(server, release);
    const judge = schemaJudge(release);
    const finalized = await one.finalize();
    expect(judge('media-buy/get-products-response', finalized)).toEqual([]);
    const { insertion_order: order } = proposalOf(finalized);
    const io_acceptance = { io_id: order?.io_id, accepted_at: '2030-01-01T00:00:00Z', signatory: 'Ada' };
    const refused = (await one.order(order)).payload;
    expect(judge('media-buy/create-media-buy-response', refused)).toEqual([]);
    expect(refused.errors[0]?.code).toBe('IO_REQUIRED');
    const bought = succeeded(await one.order(order, { io_acceptance, idempotency_key: freshKey() }));
    expect(judge('media-buy/create-media-buy-response', bought)).toEqual([]);
  });
});

test('the preview of 3.2 sells by insertion orders too', async () => {
  const version = '3.2-beta.5';
  const server = await boot({ tenants: tenants({}), settings: { protocolPreview: true } });
  const judge = hasSchemas(version) ? schemaJudge(version) : () => [];
  const call = async (tool: string, args: object) => {
    const { payload } = await server.call(tool, { idempotency_key: freshKey(), ...args }, { version });
    return payload as unknown as Preview;
  };
  const account = { account_id: SANDBOX_ACCOUNT };
  const brief = 'video on sports in the US, 20000 USD, 2030-03-01 to 2030-03-31';
  const asked = await call('request_proposals', { account, brand: ACCOUNT.brand, brief });
  const refinements = [{ proposal_id: asked.proposals[0]?.proposal_id, action: 'finalize' }];
  const finalized = await call('refine_proposals', { refinements });
  expect(judge('media-buy/refine-proposals-response', finalized)).toEqual([]);
  const committed = finalized.results[0]?.proposal;
  const terms = { proposal_id: committed?.proposal_id, proposal_terms_digest: committed?.terms_digest };
  const order = committed?.insertion_order;
  expect(order?.terms).toMatchObject({ total_budget: committed?.commercial_terms.total_budget, text: TEXT });
  expect((await call('accept_proposal', { account, ...terms })).errors?.[0]).toMatchObject({ code: 'IO_REQUIRED' });
  const io_acceptance = { io_id: order?.io_id, accepted_at: '2030-01-01T00:00:00Z', signatory: 'Ada' };
  expect(await call('accept_proposal', { account, ...terms, io_acceptance })).toMatchObject({
    status: 'completed',
    accepted_proposal: { proposal_status: 'accepted', insertion_order: { io_id: order?.io_id } },
  });
});

/** The members of answers of the preview that are looked at. */
type Preview = {
  readonly errors?: readonly { readonly code: string }[];
  readonly proposals: readonly { readonly proposal_id: string }[];
  readonly results: readonly {
    readonly proposal: {
      readonly proposal_id: string;
      readonly terms_digest: string;
      readonly insertion_order?: InsertionOrder;
      readonly commercial_terms: { readonly total_budget: object };
    };
  }[];
};
