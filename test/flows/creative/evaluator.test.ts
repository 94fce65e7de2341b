import { beforeAll, describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, succeeded } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { temporaryFolder } from '../../kit/surroundings.js';
import { shippedTenant, writeTenant } from '../../kit/tenants.js';

type Feature = { readonly feature_id: string; readonly value: unknown };
type Leaf = {
  readonly rank?: number;
  readonly recommended?: boolean;
  readonly eval?: { readonly features: readonly Feature[]; readonly ranked_against: number };
};
type Answer = {
  readonly creatives: readonly { readonly variants: readonly Leaf[] }[];
  readonly leaves_returned: number;
  readonly vendor_cost: number;
  readonly errors?: readonly { readonly code: string; readonly field?: string }[];
};

/** An agent that the sales tenant lets verify its creatives, at an address where nobody answers. */
const ON_LIST = 'https://judge.example/mcp';

let server: Booted;
beforeAll(async () => {
  const tenants = temporaryFolder('seller-agent-tenants-');
  const sales = shippedTenant();
  const policy = { co_branding: 'none', landing_page: 'any', templates_available: false };
  Object.assign(sales.products[0] ?? {}, {
    creative_policy: { ...policy, accepted_verifiers: [{ agent_url: ON_LIST }] },
  });
  writeTenant(tenants, sales, 'sales');
  const creative = shippedTenant('creative');
  creative.build_prices = [{ pricing_option_id: 'po_build', unit_price: 0.5, currency: 'USD' }];
  writeTenant(tenants, creative, 'creative');
  server = await boot({ tenants });
});

const HOUSE = { evaluator_id: 'creative_features' };

const request = (evaluator: object, more: object = {}) => ({
  account: { account_id: 'acct_studio' },
  brand: { domain: 'acme-outdoor.example' },
  message: 'Spring sale: 20% off trail running shoes',
  target_format_id: { agent_url: server.url('creative'), id: 'display_300x250_image' },
  max_variants: 4,
  evaluator,
  ...more,
});

async function call(args: object) {
  const options = { tenant: 'creative', version: '3.1' };
  return server.call('build_creative', { idempotency_key: freshKey(), ...args }, options);
}

async function build(args: object): Promise<Answer> {
  const payload = succeeded(await call(args));
  if (hasSchemas('3.1')) expect(schemaJudge('3.1')('media-buy/build-creative-response', payload)).toEqual([]);
  return payload as unknown as Answer;
}

const leavesOf = ({ creatives }: Answer) => creatives.flatMap(({ variants }) => variants);
const featureOf = (leaf: Leaf, id: string) =>
  leaf.eval?.features.find(({ feature_id }) => feature_id === id)?.value as number;
const WEIGHT = 'file_weight_kb';

describe('the evaluator of a build', () => {
  test('measures each creative and orders them by what the buyer names', async () => {
    for (const direction of ['minimize', 'maximize'] as const) {
      const rank_by = [{ feature_id: WEIGHT, direction }];
      const leaves = leavesOf(await build(request({ ...HOUSE, rank_by }, { keep_mode: 'keep_one' })));
      const weights = leaves.map((leaf) => featureOf(leaf, WEIGHT));
      const sorted = [...weights].sort((one, other) => one - other);
      expect(weights).toEqual(direction === 'minimize' ? sorted : sorted.reverse());
      expect(new Set(weights).size).toBeGreaterThan(1);
      expect(leaves.map(({ rank }) => rank)).toEqual([1, 2, 3, 4]);
      expect(leaves.map(({ recommended }) => recommended)).toEqual([true, false, false, false]);
      expect(leaves[0]?.eval).toMatchObject({ ranked_against: 4 });
      expect(featureOf(leaves[0] as Leaf, 'width_px')).toBe(300);
    }
  });

  test('drops what does not meet a requirement, charges for the rest, and looks on for others', async () => {
    const all = leavesOf(await build(request(HOUSE, { max_variants: 8 }))).map((leaf) => featureOf(leaf, WEIGHT));
    const limit = ([...all].sort((one, other) => one - other)[2] ?? 0) + 0.001;
    const feature_requirement = [{ feature_id: WEIGHT, max_value: limit }];
    const answer = await build(request({ ...HOUSE, feature_requirement }, { max_variants: 3 }));
    const leaves = leavesOf(answer);
    expect(leaves).toHaveLength(3);
    for (const leaf of leaves) expect(featureOf(leaf, WEIGHT)).toBeLessThanOrEqual(limit);
    expect(leaves[0]?.eval?.ranked_against).toBeGreaterThanOrEqual(3);
    expect(answer.vendor_cost).toBe(1.5);
  });

  test('refuses a build of which nothing meets the requirement, unless a feature without a value passes', async () => {
    const seconds = { feature_id: 'duration_seconds', max_value: 30 };
    const { payload } = await call(request({ ...HOUSE, feature_requirement: [seconds] }));
    expect(payload.errors[0]).toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'evaluator.feature_requirement',
      suggestion: expect.stringContaining('if_not_covered'),
    });
    const lenient = [{ ...seconds, if_not_covered: 'include' }];
    expect(leavesOf(await build(request({ ...HOUSE, feature_requirement: lenient })))).toHaveLength(4);
  });

  test('that is not known is replaced by the one of the agent, which the answer says', async () => {
    const answer = await build(request({ evaluator_id: 'my_preset', rank_by: [{ feature_id: WEIGHT }] }));
    expect(answer.errors).toEqual([
      expect.objectContaining({ code: 'REFERENCE_NOT_FOUND', field: 'evaluator.evaluator_id' }),
    ]);
    expect(leavesOf(answer)[0]?.rank).toBe(1);
  });

  test('that does not answer leaves the creatives as they were built, and drops none', async () => {
    const judged = { agent_url: ON_LIST, feature_requirement: [{ feature_id: 'quality', min_value: 0.9 }] };
    const answer = await build(request(judged));
    expect(answer.leaves_returned).toBe(4);
    expect(leavesOf(answer).map((leaf) => leaf.eval)).toEqual([undefined, undefined, undefined, undefined]);
    expect(answer.errors).toEqual([expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', field: 'evaluator' })]);
  });

  test.each([
    [{ agent_url: 'https://elsewhere.example/mcp' }, 'EVALUATOR_AGENT_NOT_ACCEPTED', 'evaluator.agent_url'],
    [
      { ...HOUSE, feature_agent: { agent_url: 'https://elsewhere.example/mcp' } },
      'EVALUATOR_AGENT_NOT_ACCEPTED',
      'evaluator.feature_agent.agent_url',
    ],
    [{ ...HOUSE, agent_url: ON_LIST }, 'INVALID_REQUEST', 'evaluator'],
    [{ rank_by: [{ feature_id: WEIGHT }] }, 'INVALID_REQUEST', 'evaluator'],
    [{ exemplars: { pass: [], fail: [] } }, 'UNSUPPORTED_FEATURE', 'evaluator.exemplars'],
    [{ ...HOUSE, rank_by: [{ feature_id: 'language' }] }, 'INVALID_REQUEST', 'evaluator.rank_by[0].feature_id'],
    [
      { ...HOUSE, feature_requirement: [{ feature_id: 'beauty' }] },
      'REFERENCE_NOT_FOUND',
      'evaluator.feature_requirement[0].feature_id',
    ],
    [{ ...HOUSE, ext: { vendor: { api_key: 'x' } } }, 'CREDENTIAL_IN_ARGS', 'evaluator.ext.vendor.api_key'],
  ])('%j is refused', async (evaluator, code, field) => {
    const { payload, isError } = await call(request(evaluator));
    expect(isError).toBe(true);
    expect(payload.errors[0]).toMatchObject({ code, field, suggestion: expect.any(String) });
  });

  test('has nothing to judge where one creative is asked for', async () => {
    const { payload } = await call(request(HOUSE, { max_variants: undefined }));
    expect(payload.errors[0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'evaluator' });
  });

  test('is declared with the features that it measures, and to no caller of 3.0', async () => {
    const read = async (version: string) =>
      succeeded(await server.call('get_adcp_capabilities', {}, { tenant: 'creative', version })) as unknown as {
        creative: { supports_evaluator?: boolean; multiplicity?: object };
        governance?: { creative_features: readonly { feature_id: string }[] };
        experimental_features?: readonly string[];
      };
    const { creative, governance, experimental_features } = await read('3.1');
    expect(creative).toMatchObject({
      supports_evaluator: true,
      multiplicity: { supports_catalog_fanout: true, max_creatives_limit: 20, supports_signal_fanout: true },
    });
    expect(experimental_features).toEqual(['creative.evaluator', 'creative.signal_fanout']);
    expect(governance?.creative_features.map(({ feature_id }) => feature_id)).toContain(WEIGHT);
    const older = await read('3.0');
    expect([older.creative.supports_evaluator, older.experimental_features]).toEqual([undefined, undefined]);
  });
});
