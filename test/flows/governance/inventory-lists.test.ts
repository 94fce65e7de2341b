import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, succeeded } from '../../kit/buyer.js';
import { settle, verifierOf } from '../../kit/events.js';
import { type ReceivedPost, type Receiver, startReceiver } from '../../kit/receiver.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';
import { sandboxToken, tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const TOKEN = sandboxToken('governance');
const GOVERNANCE = { tenant: 'governance', token: TOKEN };
const OTHER = { tenant: 'governance', token: sandboxToken('governance', 'sandbox-token-2') };
const RELEASES: readonly SchemaRelease[] = (['3.0', '3.1'] as const).filter(hasSchemas);

type Options = Parameters<Booted['call']>[2];
type List = Readonly<Record<string, unknown>> & { readonly list_id: string };
type Made = { readonly list: List; readonly auth_token: string };

let server: Booted;
beforeAll(async () => {
  server = await boot();
});

const call = (tool: string, args: object, options: Options = {}) =>
  server.call(tool, args, { ...GOVERNANCE, version: '3.1', ...options });

const keyed = (args: object) => ({ idempotency_key: freshKey(), ...args });

async function made(kind: string, args: object): Promise<Made> {
  const answer = succeeded(await call(`create_${kind}_list`, keyed({ name: 'Ours', ...args })));
  return answer as unknown as Made;
}

async function read(kind: string, list_id: string, options: Options = {}, more: object = {}): Promise<Payload> {
  return succeeded(await call(`get_${kind}_list`, { list_id, ...more }, options));
}

const northlight = (...property_ids: readonly string[]) => ({
  selection_type: 'publisher_ids',
  publisher_domain: 'northlight.example',
  property_ids,
});

describe('a property list', () => {
  test.each<readonly [what: string, rules: object, held: readonly string[]]>([
    [
      'ids of a publisher',
      { base_properties: [northlight('northlight_home', 'northlight_money')] },
      ['home.northlight.example', 'money.northlight.example'],
    ],
    [
      'tags of a publisher',
      {
        base_properties: [
          { selection_type: 'publisher_tags', publisher_domain: 'northlight.example', tags: ['finance'] },
        ],
      },
      ['money.northlight.example'],
    ],
    [
      'identifiers that nobody here knows',
      {
        base_properties: [
          { selection_type: 'identifiers', identifiers: [{ type: 'domain', value: 'elsewhere.example' }] },
        ],
      },
      ['elsewhere.example'],
    ],
    [
      'identifiers, of which a filter leaves those that are known to fit',
      {
        base_properties: [
          {
            selection_type: 'identifiers',
            identifiers: [
              { type: 'domain', value: 'elsewhere.example' },
              { type: 'domain', value: 'northlight.example' },
            ],
          },
        ],
        filters: { channels_any: ['olv'] },
      },
      ['northlight.example'],
    ],
    [
      'a publisher that nobody here knows',
      { base_properties: [{ ...northlight('home'), publisher_domain: 'elsewhere.example' }] },
      [],
    ],
    [
      'all that is known, narrowed by type and channel',
      { filters: { property_types: ['mobile_app'], channels_any: ['display'] } },
      ['example.northlight.news', 'example.northlight.news'],
    ],
    [
      'what is sold in all of some countries',
      {
        base_properties: [
          { selection_type: 'publisher_tags', publisher_domain: 'stadtblick.example', tags: ['regional', 'tv'] },
        ],
        filters: { countries_all: ['DE', 'US'] },
      },
      [],
    ],
    [
      'all but some identifiers',
      {
        base_properties: [northlight('northlight_home', 'northlight_money')],
        filters: { exclude_identifiers: [{ type: 'domain', value: 'www.home.northlight.example' }] },
      },
      ['money.northlight.example'],
    ],
  ])('holds %s', async (_what, rules, held) => {
    const { list } = await made('property', rules);
    const { identifiers, list: shown } = await read('property', list.list_id);
    expect((identifiers as unknown as readonly { value: string }[]).map(({ value }) => value)).toEqual(held);
    expect(shown).toMatchObject({ ...rules, property_count: held.length, account: { account_id: expect.any(String) } });
  });

  test('is answered as its schemas say, from its making to its end', async () => {
    for (const version of RELEASES) {
      const judge = schemaJudge(version);
      const base_properties = [northlight('northlight_home')];
      const steps: readonly (readonly [task: string, args: (list_id: string) => object])[] = [
        [
          'create_property_list',
          () => keyed({ name: 'Judged', base_properties, brand: { domain: 'acme-outdoor.example' } }),
        ],
        [
          'update_property_list',
          (list_id) => keyed({ list_id, webhook_url: 'http://127.0.0.1:9/hook', name: 'Judged again' }),
        ],
        ['list_property_lists', () => ({ name_contains: 'JUDGED', pagination: { max_results: 1 } })],
        ['get_property_list', (list_id) => ({ list_id })],
        ['delete_property_list', (list_id) => keyed({ list_id })],
      ];
      let list_id = '';
      for (const [task, args] of steps) {
        const payload = succeeded(await call(task, args(list_id), { version }));
        expect({ task, faults: judge(`property/${task.replaceAll('_', '-')}-response`, payload) }).toEqual({
          task,
          faults: [],
        });
        list_id = (payload.list as unknown as List | undefined)?.list_id ?? list_id;
      }
      const gone = await call('get_property_list', { list_id });
      expect(gone.payload.errors[0]).toMatchObject({ code: 'REFERENCE_NOT_FOUND', field: 'list_id' });
    }
  });

  test('shows a caller of an older release nothing of its brand that the release does not have', async () => {
    const brand = { domain: 'acme-outdoor.example', brand_kit_override: { tagline: 'Out there' }, countries: ['US'] };
    const { list } = await made('property', { brand });
    const shown = async (version: string): Promise<unknown> => (await read('property', list.list_id, { version })).list;
    expect(await shown('3.1')).toHaveProperty('brand', {
      domain: brand.domain,
      brand_kit_override: { tagline: 'Out there' },
    });
    expect(await shown('3.0')).toHaveProperty('brand', { domain: brand.domain });
  });

  test('is nobody else’s', async () => {
    const { list } = await made('property', {});
    const args = { list_id: list.list_id };
    const refused = [
      await call('get_property_list', args, OTHER),
      await call('update_property_list', keyed(args), OTHER),
      await call('delete_property_list', keyed(args), OTHER),
      await call('get_collection_list', args),
    ];
    for (const { payload } of refused) expect(payload.errors[0]).toMatchObject({ code: 'REFERENCE_NOT_FOUND' });
    expect(succeeded(await call('list_property_lists', {}, OTHER)).lists).toEqual([]);
  });

  test('is read page by page; a cursor goes with what the list held', async () => {
    const identifiers = Array.from({ length: 25 }, (_, index) => ({ type: 'domain', value: `site-${index}.example` }));
    const { list } = await made('property', { base_properties: [{ selection_type: 'identifiers', identifiers }] });
    const { list_id } = list;
    const first = await read('property', list_id, {}, { pagination: { max_results: 20 } });
    expect(first.pagination).toMatchObject({ has_more: true, total_count: 25 });
    const { cursor } = first.pagination as unknown as { readonly cursor: string };
    const rest = await read('property', list_id, {}, { pagination: { max_results: 20, cursor } });
    expect([...(first.identifiers as unknown as object[]), ...(rest.identifiers as unknown as object[])]).toEqual(
      identifiers,
    );
    const base_properties = [{ selection_type: 'identifiers', identifiers: identifiers.slice(0, 22) }];
    succeeded(await call('update_property_list', keyed({ list_id, base_properties })));
    const { payload } = await call('get_property_list', { list_id, pagination: { cursor } });
    expect(payload.errors[0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'pagination.cursor' });
  });

  test.each<readonly [what: string, args: object, code: string, field: string]>([
    [
      'features that nobody here measures',
      { filters: { feature_requirements: [{ feature_id: 'carbon', min_value: 1 }] } },
      'UNSUPPORTED_FEATURE',
      'filters.feature_requirements',
    ],
    ['an address inside as its webhook', { webhook_url: 'https://10.0.0.1/hook' }, 'INVALID_REQUEST', 'webhook_url'],
    [
      'more than a list names',
      {
        base_properties: [1, 2].map((part) => ({
          selection_type: 'identifiers',
          identifiers: Array.from({ length: 6000 }, (_, index) => ({
            type: 'domain',
            value: `s${part}-${index}.example`,
          })),
        })),
      },
      'INVALID_REQUEST',
      'base_properties',
    ],
    [
      'a source of no kind',
      { base_properties: [{ selection_type: 'everything' }] },
      'INVALID_REQUEST',
      'base_properties[0].selection_type',
    ],
  ])('of %s is refused', async (_what, args, code, field) => {
    const { payload } = await call('create_property_list', keyed({ name: 'Refused', ...args }));
    expect(payload.errors[0]).toMatchObject({ code, field, suggestion: expect.any(String) });
  });

  test('of a caller with several accounts has to name one', async () => {
    const account = { brand: { domain: 'second.example' }, operator: 'harbor-agency.example' };
    succeeded(await call('create_property_list', keyed({ name: 'Named', account }), OTHER));
    const { payload } = await call('create_property_list', keyed({ name: 'Unnamed' }), OTHER);
    expect(payload.errors[0]).toMatchObject({ code: 'ACCOUNT_AMBIGUOUS', field: 'account' });
  });
});

describe('the token of a list', () => {
  test('opens that list alone, shows nothing of its owner, and ends with it', async () => {
    const { auth_token, list } = await made('property', {
      webhook_url: 'http://127.0.0.1:9/hook',
      base_properties: [northlight('northlight_home')],
    });
    const another = await made('property', {});
    const { list_id } = list;
    const shared = await read('property', list_id, { token: auth_token });
    expect(shared).toMatchObject({
      identifiers: [{ value: 'home.northlight.example' }],
      cache_valid_until: '2030-01-02T00:00:00Z',
    });
    expect(shared.list).not.toHaveProperty('account');
    expect(JSON.stringify(shared)).not.toContain('127.0.0.1');
    const refused = [
      await call('get_property_list', { list_id: another.list.list_id }, { token: auth_token }),
      await call('get_collection_list', { list_id }, { token: auth_token }),
      await call('get_property_list', { list_id }, { token: `list_${'A'.repeat(43)}` }),
    ];
    for (const { payload } of refused) expect(payload.errors[0]).toMatchObject({ code: 'REFERENCE_NOT_FOUND' });
    for (const task of ['list_property_lists', 'update_property_list', 'delete_property_list', 'sync_plans']) {
      const { payload, status } = await call(task, keyed({ list_id }), { token: auth_token });
      expect({ task, status, code: payload.errors[0]?.code }).toEqual({ task, status: 401, code: 'AUTH_INVALID' });
    }
    succeeded(await call('delete_property_list', keyed({ list_id })));
    const { payload } = await call('get_property_list', { list_id }, { token: auth_token });
    expect(payload.errors[0]).toMatchObject({ code: 'REFERENCE_NOT_FOUND' });
    expect(JSON.stringify(payload)).not.toContain(auth_token);
  });

  test('is shown once: a retry under the same key has the same list and token', async () => {
    const args = keyed({ name: 'Once' });
    const first = succeeded(await call('create_property_list', args));
    const again = succeeded(await call('create_property_list', args));
    expect(again).toMatchObject({ replayed: true, auth_token: first.auth_token, list: first.list });
    const { list_id } = first.list as unknown as List;
    expect(JSON.stringify(await read('property', list_id))).not.toContain(String(first.auth_token));
    const files = readdirSync(server.dataDir).filter((name) => name.startsWith('seller-agent.db'));
    for (const name of files)
      expect(readFileSync(path.join(server.dataDir, name)).includes(String(first.auth_token))).toBe(false);
  });
});

describe('a collection list', () => {
  const ids = (...values: readonly string[]) => ({
    base_collections: [
      { selection_type: 'distribution_ids', identifiers: values.map((value) => ({ type: 'imdb_id', value })) },
    ],
  });

  test('holds identifiers that nobody here declares under themselves, and says which of them a filter could not judge', async () => {
    const { list } = await made('collection', {
      ...ids('tt1', 'tt2', 'tt3'),
      filters: { genres_exclude: ['horror'], exclude_distribution_ids: [{ type: 'imdb_id', value: 'TT2' }] },
    });
    const answer = await read('collection', list.list_id);
    expect(answer).toMatchObject({
      list: { collection_count: 2, cache_duration_hours: 168 },
      collections: [{ name: 'tt1', distribution_ids: [{ type: 'imdb_id', value: 'tt1' }] }, { name: 'tt3' }],
      coverage_gaps: { genre: [{ value: 'tt1' }, { value: 'tt3' }] },
    });
    for (const version of RELEASES)
      expect(schemaJudge(version)('collection/get-collection-list-response', answer)).toEqual([]);
  });
});

describe('the webhook_url of a list', () => {
  type Change = { readonly json: Readonly<Record<string, unknown>> };

  async function subscribed(at: Booted, rules: object): Promise<{ readonly list_id: string; readonly hook: Receiver }> {
    const hook = await startReceiver();
    const { list } = succeeded(
      await at.call(
        'create_property_list',
        keyed({ name: 'Watched', webhook_url: `${hook.url}/lists`, ...rules }),
        GOVERNANCE,
      ),
    ) as unknown as Made;
    return { list_id: list.list_id, hook };
  }

  test('is told, signed, when an update changes what the list holds, and of nothing else', async () => {
    const { hook, list_id } = await subscribed(server, { base_properties: [northlight('northlight_home')] });
    const update = (args: object) => call('update_property_list', keyed({ list_id, ...args }));
    succeeded(await update({ description: 'Fronts', filters: { channels_any: ['display'] } }));
    await settle(server);
    expect(hook.posts).toEqual([]);
    succeeded(await update({ base_properties: [northlight('northlight_news', 'northlight_money')] }));
    await settle(server);
    expect(hook.posts).toHaveLength(1);
    const [post] = hook.posts as unknown as readonly [ReceivedPost & Change];
    expect(post.json).toMatchObject({
      event: 'property_list_changed',
      list_id,
      list_name: 'Watched',
      change_summary: { properties_added: 2, properties_removed: 1, total_properties: 2 },
      cache_valid_until: '2030-01-02T00:00:00Z',
    });
    for (const version of RELEASES)
      expect(schemaJudge(version)('property/property-list-changed-webhook', post.json)).toEqual([]);
    expect(await (await verifierOf(server))(post, hook.url)).toMatchObject({ ok: true });
    succeeded(await update({ webhook_url: '' }));
    succeeded(await update({ base_properties: [northlight('northlight_home')] }));
    await settle(server);
    expect(hook.posts).toHaveLength(1);
  });

  test('is told when a publisher declares something else, and no change is told that is undone', async () => {
    const tenants = tenantsFolder(() => undefined, 'governance');
    const file = path.join(tenants, 'publishers.json');
    const properties = (...hosts: readonly string[]) =>
      hosts.map((host) => ({
        property_id: host,
        property_type: 'website',
        name: host,
        identifiers: [{ type: 'subdomain', value: `${host}.northlight.example` }],
        tags: ['news'],
      }));
    const declare = (...hosts: readonly string[]) =>
      writeFileSync(
        file,
        JSON.stringify({ publishers: [{ domain: 'northlight.example', properties: properties(...hosts) }] }),
      );
    declare('home');
    const own = await boot({ tenants });
    const tags = { selection_type: 'publisher_tags', publisher_domain: 'northlight.example', tags: ['news'] };
    const { hook, list_id } = await subscribed(own, { base_properties: [tags] });
    await settle(own);
    declare('home', 'money');
    await own.server().reload();
    await settle(own);
    expect(hook.posts).toHaveLength(1);
    expect(hook.posts[0]?.json).toMatchObject({
      event: 'property_list_changed',
      change_summary: { properties_added: 1, properties_removed: 0, total_properties: 2 },
    });
    const { identifiers } = succeeded(await own.call('get_property_list', { list_id }, GOVERNANCE));
    expect(identifiers).toMatchObject([{ value: 'home.northlight.example' }, { value: 'money.northlight.example' }]);
    const refused = await own.call(
      'update_property_list',
      keyed({ list_id, base_properties: [tags], filters: { feature_requirements: [{ feature_id: 'x' }] } }),
      GOVERNANCE,
    );
    expect(refused.isError).toBe(true);
    await settle(own);
    expect(hook.posts).toHaveLength(1);
  });
});
