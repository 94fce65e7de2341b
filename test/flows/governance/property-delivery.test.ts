import { cpSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, succeeded } from '../../kit/buyer.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';
import { PROJECT } from '../../kit/surroundings.js';
import { sandboxToken, tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const GOVERNANCE = { tenant: 'governance', token: sandboxToken('governance'), version: '3.1' } as const;
const OTHER = { ...GOVERNANCE, token: sandboxToken('governance', 'sandbox-token-2') };
const RELEASES: readonly SchemaRelease[] = (['3.0', '3.1'] as const).filter(hasSchemas);

let server: Booted;
beforeAll(async () => {
  const tenants = tenantsFolder();
  cpSync(path.join(PROJECT, 'tenants'), tenants, { recursive: true });
  server = await boot({ tenants });
});

const domain = (value: string) => ({ type: 'domain', value });
const hosts = (...values: readonly string[]) => ({ selection_type: 'identifiers', identifiers: values.map(domain) });
const northlight = (...property_ids: readonly string[]) => ({
  selection_type: 'publisher_ids',
  publisher_domain: 'northlight.example',
  property_ids,
});

async function listOf(rules: object): Promise<string> {
  const args = { idempotency_key: freshKey(), name: 'Ours', ...rules };
  const { list } = succeeded(await server.call('create_property_list', args, GOVERNANCE));
  return (list as unknown as { readonly list_id: string }).list_id;
}

type Result = {
  readonly record_id?: string;
  readonly status: string;
  readonly features: readonly { readonly feature_id: string; readonly status: string }[];
  readonly authorization?: Readonly<Record<string, unknown>>;
};
type Judged = Payload & {
  readonly compliant?: boolean;
  readonly summary: Readonly<Record<string, number>>;
  readonly authorization_summary?: Readonly<Record<string, number>>;
  readonly results: readonly Result[];
};

async function judge(list_id: string, records: readonly object[], more: object = {}): Promise<Judged> {
  const args = { list_id, records, ...more };
  const answer = succeeded(await server.call('validate_property_delivery', args, GOVERNANCE));
  for (const version of RELEASES)
    expect(schemaJudge(version)('property/validate-property-delivery-response', answer)).toEqual([]);
  return answer as unknown as Judged;
}

const record = (identifier: object, more: object = {}) => ({ identifier, impressions: 100, ...more });

async function statusOf(rules: object, identifier: object): Promise<string | undefined> {
  const { results } = await judge(await listOf(rules), [record(identifier)], { include_compliant: true });
  return results[0]?.status;
}

describe('validate_property_delivery', () => {
  test('counts records and impressions by what the list says of them, and names those that are not on it', async () => {
    const list = await listOf({
      base_properties: [northlight('northlight_money'), hosts('elsewhere.example')],
      filters: { exclude_identifiers: [domain('bad.example')] },
    });
    const records = [
      record(domain('money.northlight.example'), { record_id: 'listed' }),
      record(domain('www.elsewhere.example'), { record_id: 'www' }),
      record(domain('home.northlight.example'), { record_id: 'known', impressions: 7 }),
      record(domain('bad.example'), { record_id: 'excluded', impressions: 5 }),
      record({ type: 'facility_id', value: 'fcc:73953' }, { record_id: 'foreign', impressions: 3 }),
    ];
    const answer = await judge(list, records);
    expect(answer).toMatchObject({
      compliant: false,
      list_id: list,
      summary: {
        total_records: 5,
        total_impressions: 215,
        compliant_records: 2,
        compliant_impressions: 200,
        non_compliant_records: 2,
        non_compliant_impressions: 12,
        not_covered_records: 0,
        unidentified_records: 1,
        unidentified_impressions: 3,
      },
      list_resolved_at: '2030-01-01T00:00:00Z',
    });
    expect(answer).not.toHaveProperty('authorization_summary');
    expect(
      answer.results.map(({ record_id, status, features }) => [record_id, status, features[0]?.feature_id]),
    ).toEqual([
      ['known', 'non_compliant', 'record:list_membership'],
      ['excluded', 'non_compliant', 'record:excluded'],
      ['foreign', 'unidentified', 'record:list_membership'],
    ]);
    const all = await judge(list, records, { include_compliant: true });
    expect(all.results).toHaveLength(5);
    expect(all.results[0]).toMatchObject({ status: 'compliant', features: [{ status: 'passed' }] });
    expect(await judge(list, records.slice(0, 2))).toMatchObject({ compliant: true, results: [] });
  });

  test.each<readonly [what: string, rules: object, identifier: object, status: string]>([
    [
      'a page below a listed host',
      { base_properties: [hosts('site.example')] },
      domain('a.site.example'),
      'non_compliant',
    ],
    [
      'a host that a pattern stands for',
      { base_properties: [hosts('*.site.example')] },
      domain('a.site.example'),
      'compliant',
    ],
    ['the base of a pattern', { base_properties: [hosts('*.site.example')] }, domain('site.example'), 'non_compliant'],
    [
      'a subdomain that is listed as a domain',
      { base_properties: [hosts('a.site.example')] },
      { type: 'subdomain', value: 'A.site.example' },
      'compliant',
    ],
    ['what is no host', { base_properties: [hosts('site.example')] }, domain('not a host'), 'unidentified'],
    [
      'an unlisted host, where the list selects from a publisher whose file nobody here has',
      { base_properties: [{ ...northlight('home'), publisher_domain: 'unread.example' }] },
      domain('unread.example'),
      'not_covered',
    ],
    [
      'a host that the list names and its filters could not judge',
      { base_properties: [hosts('unread.example')], filters: { channels_any: ['display'] } },
      domain('unread.example'),
      'not_covered',
    ],
    [
      'a property that fails the filters',
      { base_properties: [northlight('northlight_home')], filters: { channels_any: ['podcast'] } },
      domain('home.northlight.example'),
      'non_compliant',
    ],
  ])('says of %s what is known', async (_what, rules, identifier, status) => {
    expect(await statusOf(rules, identifier)).toBe(status);
  });

  test('says neither yes nor no where nothing is known to be wrong and something could not be judged', async () => {
    const list = await listOf({ base_properties: [{ ...northlight('home'), publisher_domain: 'unread.example' }] });
    expect(await judge(list, [record(domain('unread.example'))])).not.toHaveProperty('compliant');
  });

  test('holds sellers against the files of publishers, and counts those that they do not authorize', async () => {
    const list = await listOf({ base_properties: [northlight('northlight_home'), hosts('elsewhere.example')] });
    const home = domain('home.northlight.example');
    const answer = await judge(
      list,
      [
        record(home, { record_id: 'ours', sales_agent_url: server.url('sales') }),
        record(home, { record_id: 'theirs', sales_agent_url: 'https://resold.example/mcp' }),
        record(domain('elsewhere.example'), { record_id: 'unread', sales_agent_url: server.url('sales') }),
        record(home, { record_id: 'unsaid' }),
      ],
      { include_compliant: true },
    );
    expect(answer.authorization_summary).toMatchObject({
      records_checked: 3,
      impressions_checked: 300,
      authorized_records: 1,
      unauthorized_records: 1,
      unknown_records: 1,
      unknown_impressions: 100,
    });
    const [ours, theirs, unread, unsaid] = answer.results;
    expect(ours?.authorization).toMatchObject({ status: 'authorized', publisher_domain: 'northlight.example' });
    expect(theirs?.authorization).toMatchObject({
      status: 'unauthorized',
      violation: { code: 'agent_not_listed', message: expect.any(String) },
    });
    expect(unread?.authorization).toMatchObject({ status: 'unknown', publisher_domain: 'elsewhere.example' });
    expect(unsaid).not.toHaveProperty('authorization');
  });

  test('is of the caller’s lists alone, and of property lists', async () => {
    const list_id = await listOf({});
    const made = { idempotency_key: freshKey(), name: 'Shows' };
    const { list } = succeeded(await server.call('create_collection_list', made, GOVERNANCE));
    const collection = (list as unknown as { readonly list_id: string }).list_id;
    const records = [record(domain('site.example'))];
    for (const refused of [
      await server.call('validate_property_delivery', { list_id, records }, OTHER),
      await server.call('validate_property_delivery', { list_id: collection, records }, GOVERNANCE),
    ])
      expect(refused.payload.errors[0]).toMatchObject({ code: 'REFERENCE_NOT_FOUND', field: 'list_id' });
  });

  test.each<readonly [what: string, records: readonly object[], field: string]>([
    ['no records', [], 'records'],
    ['a record without impressions', [{ identifier: domain('site.example') }], 'records[0].impressions'],
    ['an identifier of no type', [record({ type: 'name', value: 'x' })], 'records[0].identifier.type'],
    [
      'a seller that is no URL',
      [record(domain('site.example'), { sales_agent_url: 'sales' })],
      'records[0].sales_agent_url',
    ],
  ])('refuses %s', async (_what, records, field) => {
    const list_id = await listOf({});
    const { payload } = await server.call('validate_property_delivery', { list_id, records }, GOVERNANCE);
    expect(payload.errors[0]).toMatchObject({ code: 'INVALID_REQUEST', field, suggestion: expect.any(String) });
  });

  test('takes ten thousand records, hostile values among them', async () => {
    const hostile = [
      '*.'.repeat(500),
      `${'a.'.repeat(500)}example`,
      '__proto__',
      '‮evil.example',
      '%00',
      'http://[::1]/',
    ];
    const list = await listOf({ base_properties: [hosts('site.example')] });
    const records = Array.from({ length: 10_000 }, (_, index) =>
      record(domain(hostile[index % 12] ?? `s${index}.example`), {
        sales_agent_url: `https://s${index % 50}.example/mcp`,
      }),
    );
    const { summary } = await judge(list, records);
    expect(summary.total_records).toBe(10_000);
    expect(summary.compliant_records).toBe(0);
  });
});
