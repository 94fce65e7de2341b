import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Booted, boot } from '../kit/boot.js';
import { createRequest, creative, freshKey, packageRequest, SANDBOX_ACCOUNT } from '../kit/buyer.js';
import { PROJECT } from '../kit/surroundings.js';
import { SHIPPED, shippedTenant } from '../kit/tenants.js';

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

/** The call that proves a leaf, or the test that makes it, by its file and its name. */
type Proof = ((leaf: Leaf) => Promise<void>) | { readonly file: string; readonly test: string };

let server: Booted;
const leaves: Leaf[] = [];
const answers = new Map<string, Any>();
/** What the file of each tenant says that it is. */
const descriptions = new Map(SHIPPED.map((tenant): [string, unknown] => [tenant, shippedTenant(tenant).description]));

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
const inTest = (file: string, name: string): Proof => ({ file: `test/${file}.test.ts`, test: name });

/** Every declared task answers, whatever the call lacks. */
const isServed =
  (tasks: (leaf: Leaf) => readonly string[]) =>
  async (leaf: Leaf): Promise<void> => {
    for (const task of tasks(leaf)) {
      const payload = await call(leaf, task, {});
      expect({ task, message: String(payload.errors?.[0]?.message ?? '') }).toEqual({
        task,
        message: expect.not.stringMatching(/^Unknown tool/),
      });
    }
  };

/** A feature of the seller: its tasks are served, and a search for sellers that have it finds this one's products. */
const isFeature =
  (tasks: readonly string[]): Proof =>
  async (leaf) => {
    await isServed(() => tasks)(leaf);
    const filters = { required_features: { [leaf.at.split('.').at(-1) ?? '']: true } };
    expect((await call(leaf, 'get_products', { buying_mode: 'wholesale', filters })).products).not.toEqual([]);
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

/** A task of each experiment, by the name of its feature. */
const OF_EXPERIMENT: Readonly<Record<string, string>> = {
  'creative.evaluator': 'build_creative',
  'creative.signal_fanout': 'build_creative',
  'governance.campaign': 'check_governance',
  'brand.rights_lifecycle': 'acquire_rights',
};

const HASH = 'a'.repeat(64);

/** The member of an event that has a declared value. */
function eventWith(at: string, value: string): object {
  if (at.endsWith('supported_action_sources'))
    return value === 'website'
      ? { action_source: value, event_source_url: 'https://shop.acme.example/' }
      : { action_source: value };
  return {
    user_match: at.endsWith('supported_uid_types') ? { uids: [{ type: value, value: 'u-1' }] } : { [value]: HASH },
  };
}

/** The text of a test in a file, from its name to the next test; undefined where there is none of that name. */
function testNamed(file: string, name: string): string | undefined {
  const source = readFileSync(path.join(PROJECT, file), 'utf8');
  const at = source.indexOf(`'${name}'`);
  return at < 0 ? undefined : source.slice(at).split(/\n\s*(?:test|it|describe)[.(]/, 1)[0];
}

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
  [
    /^(adcp\.)?idempotency\.supported$/,
    async (leaf) => {
      const request = keyed({
        accounts: [{ brand: { domain: 'again.example' }, operator: 'again.example', billing: 'operator' }],
      });
      const first = await call(leaf, 'sync_accounts', request);
      expect(await call(leaf, 'sync_accounts', request)).toEqual({ ...first, replayed: true });
    },
  ],
  [
    /^(adcp\.)?idempotency\.replay_ttl_seconds$/,
    inTest(
      'seller/idempotency/server',
      'replays through a restart, expires, is remembered for ninety days, then forgotten',
    ),
  ],
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
  [/^account\.account_scope$/, inTest('flows/account/account-scope', 'the policy is in the capabilities')],
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
  [
    /^media_buy\.reporting_delivery_methods$/,
    inTest(
      'flows/webhooks/reports',
      'by the hour follow the UTC clock, each when its numbers are there, and a last one has them all',
    ),
  ],
  [/^media_buy\.features\.inline_creative_management$/, buys({ creatives: [creative('inline')] })],
  [
    /^media_buy\.features\.property_list_filtering$/,
    inTest(
      'flows/governance/followed-lists',
      'lists the products that run on what is on it, from a reading that is good for a day',
    ),
  ],
  [/^media_buy\.features\.catalog_management$/, isFeature(['sync_catalogs'])],
  [/^media_buy\.features\.audience_targeting$/, isFeature(['sync_audiences'])],
  [/^media_buy\.features\.conversion_tracking$/, isFeature(['sync_event_sources', 'log_event'])],
  [
    /^media_buy\.audience_targeting\.supported_(identifier|uid)_types$/,
    async (leaf) => {
      const isUid = leaf.at.endsWith('uid_types');
      for (const type of leaf.value as string[]) {
        const known = isUid ? { uids: [{ type, value: 'u-1' }] } : { [type]: HASH };
        const audience = { audience_id: `by_${type}`, name: type, add: [{ external_id: 'one', ...known }] };
        const { audiences } = await call(leaf, 'sync_audiences', keyed({ account: ACCOUNT, audiences: [audience] }));
        const [{ match_breakdown }] = audiences;
        expect(match_breakdown).toEqual([expect.objectContaining({ id_type: type, submitted: 1 })]);
      }
    },
  ],
  [
    /^media_buy\.audience_targeting\.minimum_audience_size$/,
    inTest(
      'flows/account/audiences',
      'takes any of a sandbox, whose people are made up, and says the least size that the schema has',
    ),
  ],
  [
    /^media_buy\.conversion_tracking\.supported_targets$/,
    inTest('flows/media-buy/optimization', 'meets its cost per conversion and its return on what is spent'),
  ],
  [
    /^media_buy\.conversion_tracking\.multi_source_event_dedup$/,
    inTest('flows/media-buy/optimization', 'counts a conversion once, however many of its sources tell of it'),
  ],
  [
    /^media_buy\.conversion_tracking\./,
    async (leaf) => {
      await call(
        leaf,
        'sync_event_sources',
        keyed({ account: ACCOUNT, event_sources: [{ event_source_id: 'till', name: 'Till' }] }),
      );
      const events = (leaf.value as string[]).map((each) => ({
        event_id: `${leaf.release}_${each}`,
        event_type: 'purchase',
        event_time: '2029-12-31T12:00:00Z',
        custom_data: { value: 1, currency: 'USD' },
        ...eventWith(leaf.at, each),
      }));
      const answer = await call(leaf, 'log_event', keyed({ account: ACCOUNT, event_source_id: 'till', events }));
      expect(answer).toMatchObject({ events_received: events.length, events_processed: events.length });
      expect(answer.partial_failures ?? []).toEqual([]);
    },
  ],
  [/^media_buy\.execution\.targeting\.geo_countries$/, buys({ targeting_overlay: { geo_countries: ['US'] } })],
  [/^media_buy\.execution\.targeting\.geo_regions$/, buys({ targeting_overlay: { geo_regions: ['US-CA'] } })],
  [
    /^media_buy\.execution\.targeting\.age_restriction\./,
    inTest(
      'flows/media-buy/signal-targeting',
      'a restriction of age is kept by a product that knows ages, and declared',
    ),
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
    inTest(
      'flows/webhooks/artifacts',
      'gets what each hour was sampled, signed, in batches that add up to get_media_buy_artifacts',
    ),
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
  [
    /^media_buy\.portfolio\.primary_countries$/,
    async (leaf) => {
      for (const country of leaf.value as string[]) {
        const asked = { buying_mode: 'wholesale', filters: { countries: [country] } };
        expect({ country, sold: (await call(leaf, 'get_products', asked)).products.length > 0 }).toEqual({
          country,
          sold: true,
        });
      }
    },
  ],
  [
    /^media_buy\.portfolio\.advertising_policies$/,
    inTest('flows/media-buy/policy', 'is refused in a brief, an order and a landing page, with what is not accepted'),
  ],
  [/^media_buy\.portfolio\.description$/, async ({ tenant, value }) => expect(value).toBe(descriptions.get(tenant))],
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
  [
    /^media_buy\.governance_aware$/,
    inTest('flows/account/governance', 'is refused with the findings when the agent denies, and bought once it fits'),
  ],
  [
    /^media_buy\.propagation_surfaces$/,
    inTest(
      'flows/webhooks/impairments',
      'impairs its buy at once: in the snapshot, and in a signed event that waits for nothing',
    ),
  ],
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
    inTest(
      'flows/media-buy/optimization',
      'is the same in its products and its capabilities, in the shapes of both releases',
    ),
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
  [
    /^media_buy\.proposal_refinement\.supported_dimensions$/,
    inTest(
      'flows/preview/amendments',
      'is drafted, held and accepted: budget, flight and products become what its terms say, and the rest stays',
    ),
  ],
  [
    /^media_buy\.proposal_refinement\.max_alternatives$/,
    inTest('flows/preview/amendments', 'makes as many alternatives as are asked for, each with terms of its own'),
  ],
  [
    /^wholesale_feed_versioning\./,
    async (leaf) => {
      const task = leaf.tenant === 'signals' ? 'get_signals' : 'get_products';
      const whole = { buying_mode: 'wholesale', discovery_mode: 'wholesale' };
      const { wholesale_feed_version } = await call(leaf, task, whole);
      const again = await call(leaf, task, { ...whole, if_wholesale_feed_version: wholesale_feed_version });
      expect(again).toMatchObject({ unchanged: true, wholesale_feed_version });
    },
  ],
  [
    /^wholesale_feed_webhooks\./,
    inTest(
      'flows/webhooks/wholesale-feeds',
      'events of a feed that an agent does not have are refused, and its capabilities name those that it has',
    ),
  ],
  [
    /^specialisms$/,
    isServed(({ value }) =>
      (value as string[]).map(
        (one) => Object.entries(OF_SPECIALISM).find(([start]) => one.startsWith(start))?.[1] ?? `no_row_for_${one}`,
      ),
    ),
  ],
  [
    /^request_signing\./,
    inTest(
      'surface/signing-capabilities',
      'supports what it requires and what it warns for, of the tasks that are offered',
    ),
  ],
  [
    /^webhook_signing\.legacy_hmac_fallback$/,
    inTest(
      'seller/webhooks/delivery/delivery',
      'HMAC goes over timestamp and raw body, under both names of the headers, and nothing else is signed',
    ),
  ],
  [
    /^webhook_signing\.coalescence/,
    inTest(
      'flows/webhooks/impairments',
      'of urgent impairments is off, and where a tenant sets it one that is mended meanwhile is told as that',
    ),
  ],
  [
    /^webhook_signing\.delivery/,
    inTest(
      'seller/webhooks/delivery/schedule',
      'outlasts every outage of 20 hours and ends within 24, whatever the jitter; each delay is within 20 %',
    ),
  ],
  [
    /^webhook_signing\./,
    inTest('surface/signing-capabilities', 'names the algorithms of the keys that are published now'),
  ],
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
    /^creative\.supports_refinement$/,
    inTest('flows/creative/transformers', 'changes the headline that it names, and leaves what it does not name'),
  ],
  [
    /^creative\.refinable_retention_seconds$/,
    inTest('flows/creative/transformers', 'is taken for as long as the capabilities say, and no longer'),
  ],
  [
    /^creative\.supports_spend_controls$/,
    inTest('flows/creative/transformers', 'hold a ceiling: what fits is built, and what does not is said'),
  ],
  [
    /^creative\.bills_through_adcp$/,
    inTest(
      'flows/creative/transformers',
      'say that a sandbox is free, and are refused where building is not billed through the protocol',
    ),
  ],
  [
    /^creative\.multiplicity\.(supports_catalog_fanout|max_creatives_limit|selection_strategies)$/,
    inTest(
      'flows/creative/fan-out',
      'is sampled to max_creatives, the same way for the same key, and says how many there are',
    ),
  ],
  [
    /^creative\.multiplicity\.(supports_signal_fanout|max_signal_conditions_limit)$/,
    inTest('flows/creative/fan-out', 'have a group of creatives each, which says what it is for and is like no other'),
  ],
  [
    /^creative\.multiplicity\.(supports_variants|variant_dimensions)$/,
    inTest('flows/creative/transformers', 'along a parameter have the values that were named, of each format'),
  ],
  [
    /^creative\.multiplicity\.max_variants_limit$/,
    inTest('flows/creative/transformers', 'beyond the most of one answer are left out, and counted'),
  ],
  [
    /^creative\.supports_evaluator$/,
    inTest('flows/creative/evaluator', 'measures each creative and orders them by what the buyer names'),
  ],
  [
    /^creative\.supported_formats\[\]/,
    inTest('flows/creative/canonical', 'buys each product and fills it with a creative of each kind that it declares'),
  ],
  [
    /^governance\./,
    inTest(
      'flows/governance/creative-features',
      'measures every feature that the capabilities declare, within its range and categories',
    ),
  ],
  [
    /^experimental_features$/,
    async (leaf) => {
      const unknown = (leaf.value as string[]).filter((one) => OF_EXPERIMENT[one] === undefined);
      expect(unknown).toEqual([]);
      const tasks = (leaf.value as string[]).flatMap((one) => OF_EXPERIMENT[one] ?? []);
      await isServed(() => tasks)(leaf);
    },
  ],
  [/^signals\.data_provider_domains$|^signals\.features/, isServed(() => ['get_signals'])],
  [
    /^signals\.discovery_modes$/,
    async (leaf) => {
      const brief = await call(leaf, 'get_signals', { discovery_mode: 'brief', signal_spec: 'car buyers' });
      const wholesale = await call(leaf, 'get_signals', { discovery_mode: 'wholesale' });
      expect([codeOf(brief), codeOf(wholesale)]).toEqual([undefined, undefined]);
    },
  ],
  [
    /^brand\.(rights|right_types|available_uses)$/,
    async (leaf) => {
      const listed = (uses: readonly string[]) =>
        call(leaf, 'get_rights', { query: 'anything', uses, buyer_brand: { domain: 'acme-outdoor.example' } });
      if (leaf.at === 'brand.available_uses')
        for (const use of leaf.value as string[])
          expect({ use, rights: (await listed([use])).rights.length > 0 }).toEqual({ use, rights: true });
      else expect(codeOf(await listed(['commercial']))).toBeUndefined();
    },
  ],
  [/^brand\.description$/, async ({ tenant, value }) => expect(value).toBe(descriptions.get(tenant))],
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
        const text = testNamed(proof.file, proof.test);
        expect({ ...proof, text }).toEqual({ ...proof, text: expect.stringContaining('expect(') });
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
