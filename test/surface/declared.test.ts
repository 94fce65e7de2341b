import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Booted, boot } from '../kit/boot.js';
import { createRequest, creative, freshKey, packageRequest, SANDBOX_ACCOUNT } from '../kit/buyer.js';
import { PROJECT } from '../kit/surroundings.js';
import { SHIPPED } from '../kit/tenants.js';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Any = any;

const RELEASES = ['3.0', '3.1', '3.2-beta.5'] as const;

/** Something that a tenant declares to callers of a release: its path, lists without their positions, and its value. */
type Leaf = {
  readonly tenant: string;
  readonly release: (typeof RELEASES)[number];
  readonly at: string;
  readonly value: Any;
};

/** The call that proves a leaf, or the test that makes it: a file that has to speak of it. */
type Proof = ((leaf: Leaf) => Promise<void>) | { readonly file: string; readonly speaks: string };

let server: Booted;
const leaves: Leaf[] = [];
const answers = new Map<string, Any>();

beforeAll(async () => {
  server = await boot({ settings: { protocolPreview: true } });
  for (const tenant of SHIPPED)
    for (const release of RELEASES) {
      const { payload } = await server.call('get_adcp_capabilities', {}, { tenant, version: release });
      answers.set(`${tenant} ${release}`, payload);
      walk(payload, '', (at, value) => leaves.push({ tenant, release, at, value }));
    }
});

function walk(value: Any, at: string, found: (at: string, value: Any) => void): void {
  if (Array.isArray(value) && value.some((one) => typeof one === 'object' && one !== null))
    for (const one of value) walk(one, `${at}[]`, found);
  else if (typeof value === 'object' && value !== null && !Array.isArray(value))
    for (const [name, one] of Object.entries(value)) walk(one, at === '' ? name : `${at}.${name}`, found);
  else found(at, value);
}

async function call(
  { tenant, release }: Pick<Leaf, 'tenant' | 'release'>,
  task: string,
  args: object = {},
): Promise<Any> {
  return (await server.call(task, args, { tenant, version: release })).payload;
}

const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const keyed = (args: object): object => ({ idempotency_key: freshKey(), ...args });
const codeOf = (payload: Any): string | undefined => payload.errors?.[0]?.code;
const inFile = (file: string, speaks: string): Proof => ({ file, speaks });

/** Every declared task answers, whatever the call lacks. */
const isServed =
  (tasks: (leaf: Leaf) => readonly string[]): Proof =>
  async (leaf) => {
    for (const task of tasks(leaf)) {
      const payload = await call(leaf, task, {});
      expect({ task, message: String(payload.errors?.[0]?.message ?? '') }).toEqual({
        task,
        message: expect.not.stringMatching(/^Unknown tool/),
      });
    }
  };

const buys =
  (more: object, fails?: string): Proof =>
  async (leaf) => {
    const answer = await call(leaf, 'create_media_buy', createRequest({ packages: [packageRequest(more)] }));
    expect(codeOf(answer)).toBe(fails);
  };

const OF_PROTOCOL: Readonly<Record<string, string>> = {
  media_buy: 'get_products',
  creative: 'list_creative_formats',
  signals: 'get_signals',
  governance: 'create_content_standards',
  brand: 'get_brand_identity',
};

/** A task that each specialism is of, by the beginning of its name. */
const OF_SPECIALISM: Readonly<Record<string, string>> = {
  sales: 'create_media_buy',
  creative: 'build_creative',
  signal: 'activate_signal',
  audience: 'sync_audiences',
  governance: 'check_governance',
  content: 'create_content_standards',
  property: 'create_property_list',
  collection: 'create_collection_list',
  brand: 'get_rights',
};

const products = async (leaf: Leaf): Promise<readonly Any[]> =>
  (await call(leaf, 'get_products', { buying_mode: 'wholesale', pagination: { max_results: 100 } })).products;

/** A row for every leaf, by its path; the first that fits counts. */
const ROWS: readonly (readonly [at: RegExp, proof: Proof])[] = [
  [/^status$/, async ({ value }) => expect(value).toBe('completed')],
  [/^adcp_version$/, async ({ release, value }) => expect(value).toBe(release)],
  [
    /^adcp\.major_versions$/,
    async (leaf) => {
      expect(leaf.value).toEqual([3]);
      const wrong = await server.call('get_adcp_capabilities', { adcp_major_version: 4 }, { tenant: leaf.tenant });
      expect(codeOf(wrong.payload)).toBe('VERSION_UNSUPPORTED');
    },
  ],
  [
    /^adcp\.supported_versions$/,
    async ({ tenant, value }) => {
      for (const version of value as string[]) {
        const { payload } = await server.call('get_adcp_capabilities', {}, { tenant, version });
        expect(payload).toMatchObject({ adcp_version: version });
      }
      const other = await server.call('get_adcp_capabilities', {}, { tenant, version: '3.2-beta.4' });
      expect(codeOf(other.payload)).toBe('VERSION_UNSUPPORTED');
    },
  ],
  [/^(adcp\.)?idempotency\.supported$/, inFile('test/seller/idempotency/server.test.ts', 'replayed')],
  [/^(adcp\.)?idempotency\.replay_ttl_seconds$/, inFile('test/seller/idempotency/server.test.ts', 'ttl')],
  [
    /^supported_protocols$/,
    isServed(({ value }) => (value as string[]).flatMap((one) => OF_PROTOCOL[one] ?? `no_row_for_${one}`)),
  ],
  [/^account\.require_operator_auth$/, isServed(() => ['sync_accounts'])],
  [
    /^account\.supported_billing$/,
    async (leaf) => {
      for (const billing of ['operator', 'agent', 'advertiser']) {
        const accounts = [{ brand: { domain: `${billing}.example` }, operator: 'pinnacle-agency.example', billing }];
        const answer = await call(leaf, 'sync_accounts', keyed({ accounts }));
        const isTaken = !['BILLING_NOT_SUPPORTED', 'BILLING_NOT_PERMITTED_FOR_AGENT'].includes(
          answer.accounts?.[0]?.errors?.[0]?.code ?? codeOf(answer),
        );
        expect({ billing, isTaken }).toEqual({ billing, isTaken: (leaf.value as string[]).includes(billing) });
      }
    },
  ],
  [
    /^account\.required_for_products$/,
    async (leaf) => {
      if (leaf.tenant === 'sales')
        expect(codeOf(await call(leaf, 'get_products', { buying_mode: 'wholesale' }))).toBeUndefined();
    },
  ],
  [
    /^account\.account_financials$/,
    async (leaf) => {
      const answer = await call(leaf, 'get_account_financials', { account: ACCOUNT });
      expect(/^Unknown tool/.test(answer.errors?.[0]?.message ?? '')).toBe(leaf.value === false);
    },
  ],
  [/^account\.account_scope$/, inFile('test/flows/account/account-scope.test.ts', 'account_scope')],
  [
    /^account\.sandbox$/,
    async (leaf) => {
      expect((await call(leaf, 'list_accounts', {})).accounts.some(({ sandbox }: Any) => sandbox === true)).toBe(
        leaf.value,
      );
    },
  ],
  [
    /^media_buy\.supported_pricing_models$/,
    async (leaf) => {
      const models = (await products(leaf)).flatMap(({ pricing_options }) =>
        pricing_options.map((one: Any) => one.pricing_model),
      );
      expect([...new Set(models)].sort()).toEqual([...(leaf.value as string[])].sort());
    },
  ],
  [/^media_buy\.reporting_delivery_methods$/, inFile('test/flows/webhooks/reports.test.ts', 'reporting_webhook')],
  [/^media_buy\.features\.inline_creative_management$/, buys({ creatives: [creative('inline')] })],
  [
    /^media_buy\.features\.property_list_filtering$/,
    inFile('test/flows/governance/followed-lists.test.ts', 'property_list'),
  ],
  [/^media_buy\.features\.catalog_management$/, isServed(() => ['sync_catalogs'])],
  [/^media_buy\.features\.audience_targeting$/, isServed(() => ['sync_audiences'])],
  [/^media_buy\.features\.conversion_tracking$/, isServed(() => ['sync_event_sources', 'log_event'])],
  [/^media_buy\.audience_targeting\./, inFile('test/flows/account/audiences.test.ts', 'uids')],
  [
    /^media_buy\.conversion_tracking\.supported_targets$/,
    inFile('test/flows/media-buy/optimization.test.ts', 'cost_per'),
  ],
  [/^media_buy\.conversion_tracking\./, inFile('test/flows/account/events.test.ts', 'action_source')],
  [/^media_buy\.execution\.targeting\.geo_countries$/, buys({ targeting_overlay: { geo_countries: ['US'] } })],
  [/^media_buy\.execution\.targeting\.geo_regions$/, buys({ targeting_overlay: { geo_regions: ['US-CA'] } })],
  [
    /^media_buy\.execution\.targeting\.age_restriction\./,
    inFile('test/flows/media-buy/signal-targeting.test.ts', 'verification_methods'),
  ],
  [/^media_buy\.execution\.targeting\.language$/, buys({ targeting_overlay: { language: ['en'] } })],
  [
    /^media_buy\.content_standards\.supports_local_evaluation$/,
    async (leaf) => {
      expect(leaf.value).toBe(false);
      expect((await call(leaf, 'calibrate_content', {})).errors[0].message).toMatch(/^Unknown tool/);
    },
  ],
  [
    /^media_buy\.content_standards\.supports_webhook_delivery$/,
    inFile('test/flows/webhooks/artifacts.test.ts', 'artifact_webhook'),
  ],
  [
    /^media_buy\.portfolio\.primary_channels$/,
    async (leaf) => {
      const sold = new Set((await products(leaf)).flatMap(({ channels }) => channels));
      expect((leaf.value as string[]).filter((channel) => !sold.has(channel))).toEqual([]);
    },
  ],
  [
    /^media_buy\.portfolio\.publisher_domains$/,
    async (leaf) => {
      const sold = JSON.stringify((await products(leaf)).map(({ publisher_properties }) => publisher_properties));
      expect((leaf.value as string[]).filter((domain) => !sold.includes(domain))).toEqual([]);
    },
  ],
  [/^media_buy\.portfolio\./, inFile('test/flows/media-buy/policy.test.ts', 'portfolio')],
  [
    /^media_buy\.buying_modes$/,
    async (leaf) => {
      for (const buying_mode of ['brief', 'wholesale']) {
        const asked = buying_mode === 'brief' ? { buying_mode, brief: 'video' } : { buying_mode };
        expect(codeOf(await call(leaf, 'get_products', asked))).toBeUndefined();
      }
      expect(leaf.value).toEqual(['brief', 'wholesale', 'refine']);
    },
  ],
  [
    /^media_buy\.supports_proposals$/,
    async (leaf) => {
      const answer = await call(leaf, 'get_products', {
        buying_mode: 'brief',
        brief: 'video on sports',
        account: ACCOUNT,
      });
      expect(answer.proposals.length > 0).toBe(leaf.value);
    },
  ],
  [/^media_buy\.governance_aware$/, inFile('test/flows/account/governance.test.ts', 'governance')],
  [/^media_buy\.propagation_surfaces$/, inFile('test/flows/webhooks/impairments.test.ts', 'impairment')],
  [
    /^media_buy\.creative_approval_mode$/,
    async (leaf) => {
      const answer = await call(
        leaf,
        'sync_creatives',
        keyed({ account: ACCOUNT, creatives: [creative(`own_${freshKey()}`)] }),
      );
      expect(leaf.value).toBe('auto_approve');
      expect(answer.creatives[0]).toMatchObject({ action: 'created' });
    },
  ],
  [
    /^media_buy\.supported_optimization_metrics$/,
    inFile('test/flows/media-buy/optimization.test.ts', 'completed_views'),
  ],
  [
    /^media_buy\.frequency_capping\./,
    buys({
      targeting_overlay: {
        frequency_cap: { max_impressions: 3, per: 'individuals', window: { interval: 1, unit: 'days' } },
      },
    }),
  ],
  [/^media_buy\.lifecycle_tools$/, isServed(({ value }) => value as string[])],
  [/^media_buy\.proposal_refinement\./, inFile('test/flows/preview/amendments.test.ts', 'alternatives')],
  [/^wholesale_feed_versioning\./, inFile('test/flows/wholesale/versions.test.ts', 'wholesale_feed_version')],
  [/^wholesale_feed_webhooks\./, inFile('test/flows/webhooks/wholesale-feeds.test.ts', 'product.priced')],
  [
    /^specialisms$/,
    isServed(({ value }) =>
      (value as string[]).map(
        (one) => Object.entries(OF_SPECIALISM).find(([start]) => one.startsWith(start))?.[1] ?? `no_row_for_${one}`,
      ),
    ),
  ],
  [/^request_signing\./, inFile('test/surface/signing-capabilities.test.ts', 'request_signing')],
  [/^webhook_signing\.(delivery|coalescence)/, inFile('test/flows/webhooks/impairments.test.ts', '30')],
  [/^webhook_signing\./, inFile('test/surface/signing-capabilities.test.ts', 'webhook_signing')],
  [
    /^identity\./,
    async ({ value }) => {
      if (typeof value === 'string' && value.startsWith(server.baseUrl))
        expect((await fetch(`${value}/.well-known/jwks.json`)).status).toBe(200);
    },
  ],
  [
    /^compliance_testing\.scenarios$/,
    async (leaf) => {
      const { scenarios } = await call(leaf, 'comply_test_controller', { scenario: 'list_scenarios' });
      expect(scenarios).toEqual(expect.arrayContaining(leaf.value));
    },
  ],
  [/^creative\.supports_compliance$/, async ({ value }) => expect(value).toBe(false)],
  [
    /^creative\.has_creative_library$/,
    async (leaf) => {
      const answer = await call(leaf, 'list_creatives', {});
      expect(/^Unknown tool/.test(answer.errors?.[0]?.message ?? '')).toBe(leaf.value === false);
    },
  ],
  [/^creative\.supports_generation$|^creative\.supports_transformation$/, isServed(() => ['build_creative'])],
  [/^creative\.supports_transformers$/, isServed(() => ['list_transformers'])],
  [
    /^creative\.(supports_refinement|refinable|supports_spend|bills|multiplicity)/,
    inFile('test/flows/creative/transformers.test.ts', 'build_creative'),
  ],
  [
    /^creative\.supports_evaluator$/,
    inFile('test/flows/governance/creative-features.test.ts', 'get_creative_features'),
  ],
  [/^creative\.supported_formats\[\]/, inFile('test/flows/creative/canonical.test.ts', 'format_options')],
  [/^governance\./, inFile('test/flows/governance/creative-features.test.ts', 'creative_features')],
  [/^experimental_features$/, inFile('test/flows/governance/creative-features.test.ts', 'get_creative_features')],
  [/^signals\.data_provider_domains$|^signals\.features/, isServed(() => ['get_signals'])],
  [
    /^signals\.discovery_modes$/,
    async (leaf) => {
      const brief = await call(leaf, 'get_signals', { discovery_mode: 'brief', signal_spec: 'car buyers' });
      const wholesale = await call(leaf, 'get_signals', { discovery_mode: 'wholesale' });
      expect([codeOf(brief), codeOf(wholesale)]).toEqual([undefined, undefined]);
    },
  ],
  [/^brand\./, inFile('test/flows/brand/rights.test.ts', 'get_rights')],
];

const proofOf = (at: string): Proof | undefined => ROWS.find(([pattern]) => pattern.test(at))?.[1];

describe('what a tenant declares in its capabilities', () => {
  test('has a row for every leaf of every shipped tenant and release, and no row stands for nothing', () => {
    expect([...new Set(leaves.map(({ at }) => at))].filter((at) => proofOf(at) === undefined)).toEqual([]);
    expect(
      ROWS.filter(([pattern]) => !leaves.some(({ at }) => pattern.test(at))).map(([pattern]) => String(pattern)),
    ).toEqual([]);
  });

  test.each(ROWS.map(([pattern, proof]) => [String(pattern), pattern, proof] as const))(
    '%s is proven',
    async (_name, pattern, proof) => {
      if (typeof proof !== 'function') {
        const file = path.join(PROJECT, proof.file);
        expect(existsSync(file)).toBe(true);
        const isSpoken = readFileSync(file, 'utf8').includes(proof.speaks);
        expect({ ...proof, isSpoken }).toEqual({ ...proof, isSpoken: true });
        return;
      }
      const seen = new Set<string>();
      for (const leaf of leaves.filter(({ at }) => pattern.test(at) && proofOf(at) === proof)) {
        const once = `${leaf.tenant} ${leaf.release} ${leaf.at}`;
        if (seen.has(once)) continue;
        seen.add(once);
        await proof(leaf).catch((cause: unknown) => {
          throw new Error(`${once} = ${JSON.stringify(leaf.value)}`, { cause });
        });
      }
    },
  );
});
