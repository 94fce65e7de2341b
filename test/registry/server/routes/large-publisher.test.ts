import { beforeAll, describe, expect, it } from 'vitest';
import type { AuthorizationRecord, PropertyRecord, RecordSelector } from '../../../../src/registry/model/records.js';
import type { HttpAnswer } from '../../../kit/http.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';
import { type Contract, publicContract } from '../../../kit/registry-contract.js';

const BIG = 'big.example';
const HUGE = 'huge.example';
const AT = '2026-01-01T00:00:00Z';
/** Enough for an answer that is no longer sent whole, and for more than one page of rows. */
const PROPERTIES = 1230;
const AGENTS = 1150;
const SHARED = 'com.big.shared';
const encoded = encodeURIComponent;

const agentUrl = (number: number): string => `https://a${number}.example/mcp`;
/** Behind a thousand rows in their order. */
const LAST = agentUrl(AGENTS - 1);

const properties: readonly PropertyRecord[] = Array.from({ length: PROPERTIES }, (_, at) => ({
  property_rid: `big#${String(at).padStart(5, '0')}`,
  publisher_domain: BIG,
  property_id: `p${at}`,
  property_type: at % 3 === 0 ? 'website' : 'mobile_app',
  name: `App ${at}`,
  classification: 'property',
  source: 'authoritative',
  identifiers: [
    { type: 'bundle_id', value: `com.big.app${at}` },
    { type: 'bundle_id', value: at < 60 ? SHARED : `com.big.other${at}` },
    { type: 'domain', value: BIG },
  ],
  tags: [`t${at % 7}`, 'all'],
  ...(at % 100 === 99 && { inline: true as const }),
  status: at % 50 === 49 ? 'stale' : 'active',
}));

const selectorsOf = (number: number): readonly RecordSelector[] =>
  number % 3 === 0
    ? [{ selection_type: 'by_tag', property_tags: [`t${number % 7}`, 'none'] }]
    : number % 3 === 1
      ? [{ selection_type: 'by_id', property_ids: [`p${number}`, `p${number + 1}`, 'none'] }]
      : [{ selection_type: 'all' }];

const rows: readonly AuthorizationRecord[] = Array.from({ length: AGENTS }, (_, at) => ({
  id: `row${String(at).padStart(5, '0')}`,
  agent_url: agentUrl(at),
  agent_url_canonical: agentUrl(at),
  publisher_domain: BIG,
  authorization_type: 'publisher_properties',
  authorized_for: `what ${at} sells`,
  property_rid: null,
  property_id_slug: null,
  selectors: selectorsOf(at),
  evidence: 'adagents_json',
  disputed: false,
  created_by: null,
  expires_at: null,
  created_at: AT,
  updated_at: AT,
}));

const active = properties.filter(({ status }) => status === 'active');
const listed = active.filter(({ inline }) => inline !== true);

/** Whether an agent's row covers a property, by the words of the selectors alone. */
const isCovered = (number: number, { property_id, tags }: PropertyRecord): boolean =>
  selectorsOf(number).some((one) => {
    if (one.selection_type === 'by_id') return one.property_ids.includes(property_id ?? '');
    return one.selection_type === 'all' || one.property_tags.some((tag) => tags.includes(tag));
  });
const coveredBy = (number: number): readonly PropertyRecord[] => listed.filter((record) => isCovered(number, record));

let contract: Contract | undefined;
let registry: BootedRegistry;

function judged(operation: string, answer: HttpAnswer): Record<string, unknown> {
  expect(answer.status, answer.text.slice(0, 400)).toBe(200);
  expect(contract?.faultOf(operation, answer)).toBeUndefined();
  return answer.json() as Record<string, unknown>;
}

const get = async (operation: string, path: string): Promise<Record<string, unknown>> =>
  judged(operation, await registry.get(path));
const post = async (operation: string, path: string, body: unknown): Promise<Record<string, unknown>> =>
  judged(operation, await registry.post(path, body));
const product = (agent_url: string, ...publisher_properties: object[]): object => ({ agent_url, publisher_properties });

beforeAll(async () => {
  contract = publicContract();
  registry = await bootRegistry({ isSeeded: true });
  const huge = Array.from(
    { length: 10_050 },
    (_, at): PropertyRecord => ({
      ...(properties[0] as PropertyRecord),
      property_rid: `huge#${String(at).padStart(5, '0')}`,
      publisher_domain: HUGE,
      property_id: `h${at}`,
      identifiers: [{ type: 'bundle_id', value: `com.huge.app${at}` }],
      status: 'active',
    }),
  );
  await registry.server().registry.store.transact(async (tx) => {
    for (const domain of [BIG, HUGE]) await tx.publisher.put({ domain, standing: 'open', adagents_valid: true });
    for (const record of [...properties, ...huge]) await tx.property.put(record);
    for (const row of rows) await tx.authorization.put(row);
    const whole = { ...(rows[2] as AuthorizationRecord), publisher_domain: HUGE };
    await tx.authorization.put({ ...whole, id: 'huge1' });
    const most: RecordSelector = {
      selection_type: 'by_id',
      property_ids: huge.slice(0, 10_000).map(({ property_id }) => property_id ?? ''),
    };
    await tx.authorization.put({
      ...whole,
      id: 'huge2',
      agent_url: LAST,
      agent_url_canonical: LAST,
      selectors: [most],
    });
  });
});

describe('a publisher with many properties and agents', () => {
  it('shows all of it, and what its first agents may sell', async () => {
    const answer = await get('lookupPublisher', `/api/registry/publisher?domain=${BIG}`);
    expect(answer.properties).toEqual(
      active.map(({ identifiers, name, property_id, property_rid, property_type, tags }) => ({
        id: property_id,
        property_rid,
        type: property_type,
        name,
        identifiers,
        tags,
        source: 'adagents_json',
      })),
    );
    expect(answer.authorized_agents).toEqual(
      Array.from({ length: 50 }, (_, number) => ({
        url: agentUrl(number),
        authorized_for: `what ${number} sells`,
        source: 'adagents_json',
        properties_authorized: coveredBy(number).length,
        properties_total: active.length,
        publisher_wide: number % 3 === 2,
      })),
    );
    expect(answer.rollup_truncated).toEqual({ cap: 50, total_agents: AGENTS });
    expect(answer).not.toHaveProperty('properties_total');
  });

  it('says how many there are where not all are listed, and counts all of them', async () => {
    const answer = await get('lookupPublisher', `/api/registry/publisher?domain=${HUGE}`);
    expect(answer).toMatchObject({
      properties: { length: 10_000 },
      properties_total: 10_050,
      authorized_agents: [
        { properties_authorized: 10_050, properties_total: 10_050, publisher_wide: true },
        // Who sells all that is listed does not sell all that there is.
        { url: LAST, properties_authorized: 10_000, properties_total: 10_050, publisher_wide: false },
      ],
    });
    expect(answer).not.toHaveProperty('rollup_truncated');
  });

  it('resolves to all of its own properties, alone and among others', async () => {
    const one = await get('resolveProperty', `/api/properties/resolve?domain=${BIG}`);
    expect((one.properties as { id: string }[]).map(({ id }) => id)).toEqual(
      active.map(({ property_id }) => property_id),
    );
    expect(one.authorized_agents).toHaveLength(500);
    // The public contract has no null for a domain that is not known.
    const { json, status } = await registry.post('/api/properties/resolve/bulk', {
      domains: ['no.example', BIG, 'x.example'],
    });
    expect(status).toBe(200);
    expect(json()).toEqual({ results: { 'no.example': null, [BIG]: one, 'x.example': null } });
  });

  it('stands for its properties and identifiers, each once', async () => {
    const wanted = [
      { publisher_domain: BIG, property_tags: ['t1', 't2'] },
      { publisher_domains: [BIG, 'no.example', `www.${BIG}`], property_ids: ['p1', 'p3', 'p99'] },
      { publisher_domain: BIG, property_types: ['website'] },
    ];
    const meant = listed.filter(
      ({ property_id, property_type, tags }) =>
        tags.includes('t1') || tags.includes('t2') || property_id === 'p3' || property_type === 'website',
    );
    const answer = await post(
      'expandProductIdentifiers',
      '/api/registry/expand/product-identifiers',
      product(LAST, ...wanted),
    );
    expect((answer.properties as { property_id: string }[]).map(({ property_id }) => property_id)).toEqual(
      meant.map(({ property_id }) => property_id),
    );
    expect(answer.identifiers).toEqual(
      meant.flatMap(({ identifiers, property_id }) =>
        identifiers.map((one) => ({ ...one, property_id, publisher_domain: BIG })),
      ),
    );
    expect(answer).toMatchObject({ property_count: meant.length, identifier_count: 3 * meant.length });
  });

  it.each([0, 1, 2, 1149])('agent %i may sell what its row covers, and nothing else', async (number) => {
    const covered = coveredBy(number).length;
    expect(
      await get(
        'lookupPublisherAgentAuthorization',
        `/api/registry/publisher/authorization?domain=${BIG}&agent=${encoded(agentUrl(number))}`,
      ),
    ).toMatchObject({
      authorized: covered,
      total: listed.length,
      publisher_wide: number % 3 === 2,
      authorized_for: `what ${number} sells`,
      unauthorized_properties: { length: Math.min(100, listed.length - covered) },
    });
    const ids = ['p2', 'p1150', 'p98', 'p99', 'none'];
    const named = listed.filter(({ property_id }) => ids.includes(property_id ?? ''));
    const mine = coveredBy(number).filter((one) => named.includes(one));
    expect(
      await post(
        'validateProductAuthorization',
        '/api/registry/validate/product-authorization',
        product(agentUrl(number), { publisher_domain: BIG }, { publisher_domain: BIG, property_ids: ids }),
      ),
    ).toMatchObject({
      authorized: false,
      total_requested: listed.length + 5,
      total_authorized: covered + mine.length,
      selectors: [
        { requested_count: listed.length, authorized_count: covered },
        { requested_count: 5, authorized_count: mine.length },
      ],
    });
  });

  it('one identifier of many properties has their agents, property by property', async () => {
    const answer = await get('lookupProperty', `/api/registry/lookup/property?type=bundle_id&value=${SHARED}`);
    const claimants = registry
      .server()
      .registry.index.identifier('bundle_id', SHARED)
      .slice(0, 50)
      .map(({ property_rid }) => properties.find((one) => one.property_rid === property_rid) as PropertyRecord);
    const pairs = claimants
      .filter(({ status }) => status === 'active')
      .flatMap((record) =>
        // A thousand rows of a publisher are looked at.
        Array.from({ length: 1000 }, (_, number) => number)
          .filter((number) => listed.includes(record) && isCovered(number, record))
          .map((number) => [agentUrl(number), record.property_id]),
      );
    const agents = answer.agents as { agent_url: string; property: { property_id: string } }[];
    expect(agents.map(({ agent_url, property }) => [agent_url, property.property_id])).toEqual(pairs.slice(0, 500));
    expect(answer.count).toBe(500);
  });

  it.each([1, 400])(
    'declares what its brand.json of %i properties says while it has no file, and says it anew',
    async (count) => {
      const domain = `brand${count}.example`;
      const put = (relationship: string): Promise<boolean> =>
        registry.server().registry.store.transact((tx) =>
          tx.brand.put({
            domain,
            canonical_id: domain,
            canonical_domain: domain,
            brand_name: 'B',
            source: 'brand_json',
            brand_json: {
              house: { domain, name: 'B' },
              brands: [
                {
                  id: 'b',
                  names: [{ en: 'B' }],
                  agents: [{ type: 'sales', id: relationship, url: `https://${domain}/mcp` }],
                  properties: Array.from({ length: count }, (_, at) => ({
                    type: 'website',
                    identifier: `s${at}.${domain}`,
                    relationship,
                  })),
                },
              ],
            },
          }),
        );
      for (const relationship of ['delegated', 'ad_network']) {
        await put(relationship);
        for (const _time of ['first', 'again']) {
          const answer = await get('lookupPublisher', `/api/registry/publisher?domain=${domain}`);
          expect(answer.properties).toEqual(
            Array.from({ length: count }, (_, at) => ({
              type: 'website',
              name: `s${at}.${domain}`,
              identifiers: [{ type: 'domain', value: `s${at}.${domain}` }],
              tags: [],
              source: 'brand_json',
              publisher_domain: domain,
              delegation_type: relationship,
            })),
          );
          expect(await get('lookupOperator', `/api/registry/operator?domain=${domain}`)).toEqual({
            domain,
            member: null,
            agents: [{ url: `https://${domain}/mcp`, name: relationship, type: 'sales', authorized_by: [] }],
          });
        }
      }
    },
  );

  it('a tool answers what REST does', async () => {
    const call = (name: string, args: object): Promise<HttpAnswer> =>
      registry.request('POST', '/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      });
    const answer = (await call('lookup_publisher', { domain: BIG })).json() as {
      result: { structuredContent: object; content: { text: string }[] };
    };
    const rest = await get('lookupPublisher', `/api/registry/publisher?domain=${BIG}`);
    expect(answer.result.structuredContent).toEqual(rest);
    expect(JSON.parse(answer.result.content[0]?.text ?? '')).toEqual(rest);
    const small = (await call('lookup_publisher', { domain: 'no.example' })).json();
    expect(small).toMatchObject({ result: { structuredContent: { domain: 'no.example', properties: [] } } });
  });
});
