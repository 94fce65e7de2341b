import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { RegistryClient } from '../../../src/registry/client/client.js';
import { RegistryError } from '../../../src/registry/client/error.js';
import { OPERATIONS } from '../../../src/registry/client/operations.js';
import { freePort } from '../../kit/http.js';
import { SCHEMA_FOLDERS } from '../../kit/schemas.js';
import { BOOT_TIME } from '../../kit/surroundings.js';
import { type Line, scripted } from './scripted-registry.js';

/** Every endpoint of specification 1, and those that add to it. */
const ENDPOINTS: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/api/brands/resolve'],
  ['POST', '/api/brands/resolve/bulk'],
  ['GET', '/api/brands/brand-json'],
  ['GET', '/api/brands/registry'],
  ['GET', '/api/brands/enrich'],
  ['GET', '/api/brands/history'],
  ['POST', '/api/brands/save'],
  ['POST', '/api/brands/discovered/community'],
  ['GET', '/api/properties/resolve'],
  ['POST', '/api/properties/resolve/bulk'],
  ['GET', '/api/properties/registry'],
  ['GET', '/api/properties/validate'],
  ['GET', '/api/properties/history'],
  ['POST', '/api/properties/save'],
  ['GET', '/api/registry/agents'],
  ['GET', '/api/registry/agents/search'],
  ['GET', '/api/registry/operator'],
  ['GET', '/api/registry/publisher'],
  ['GET', '/api/registry/publishers'],
  ['GET', '/api/registry/stats'],
  ['POST', '/api/registry/crawl-request'],
  ['GET', '/api/registry/feed'],
  ['GET', '/api/registry/lookup/domain/{domain}'],
  ['GET', '/api/registry/lookup/property'],
  ['GET', '/api/registry/lookup/agent/{agentUrl}/domains'],
  ['POST', '/api/registry/validate/product-authorization'],
  ['POST', '/api/registry/expand/product-identifiers'],
  ['GET', '/api/registry/validate/property-authorization'],
  ['POST', '/api/adagents/validate'],
  ['POST', '/api/adagents/create'],
  ['GET', '/api/search'],
  ['GET', '/api/manifest-refs/lookup'],
  ['GET', '/api/public/discover-agent'],
  ['GET', '/api/public/agent-formats'],
  ['GET', '/api/public/agent-products'],
  ['GET', '/api/public/validate-publisher'],
];
/** What only members may ask. */
const BEARER = [
  '/api/brands/save',
  '/api/brands/discovered/community',
  '/api/properties/save',
  '/api/registry/agents/search',
  '/api/registry/crawl-request',
  '/api/registry/feed',
];

/** The public description of the API, where it lies beside the schemas of 3.1. */
const DESCRIPTION = path.join(path.dirname(SCHEMA_FOLDERS['3.1']), 'registry-3.1.0.yaml');

const refusal = async (request: Promise<unknown>): Promise<RegistryError> => {
  const error = await request.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof RegistryError)) throw new Error(`no RegistryError: ${String(error)}`);
  return error;
};

describe('the table of operations', () => {
  const rows = Object.entries(OPERATIONS);

  it('has every endpoint of the specification once', () => {
    const keys = rows.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(expect.arrayContaining(ENDPOINTS.map(([method, path]) => `${method} ${path}`)));
  });

  it('sends a token where the specification wants one, and to no public endpoint of it', () => {
    const specified = rows.filter(([, { path }]) => ENDPOINTS.some(([, one]) => one === path));
    const wanting = specified.filter(([, { access }]) => access === 'bearer').map(([, { path }]) => path);
    expect(wanting.sort()).toEqual([...BEARER].sort());
  });

  it.skipIf(!existsSync(DESCRIPTION))('agrees with the public description of the API on methods and parameters', () => {
    const { paths } = parse(readFileSync(DESCRIPTION, 'utf8')) as { paths: Record<string, Record<string, unknown>> };
    const unknown = ENDPOINTS.filter(([method, path]) => paths[path]?.[method.toLowerCase()] === undefined);
    // This one stands in the documentation alone.
    expect(unknown).toEqual([['POST', '/api/brands/discovered/community']]);
  });
});

describe('a call', () => {
  it('puts path parameters into the path, the rest into query or body, and the token where it belongs', async () => {
    const { client, heard } = await scripted(() => ({ body: { results: {} } }));
    await client.domainsOfAgent({ agentUrl: 'https://a.example/sales/mcp?x=1' });
    await client.resolveBrands({ domains: ['acme.example'] });
    await client.feed({ cursor: 'c', types: ['property.*', 'agent.removed'], limit: 5 });
    await client.agents({ metric_id: ['a', 'b'], capabilities: true });
    expect(heard.map(({ body, headers, method, url }) => [method, url, headers.authorization, body])).toEqual([
      ['GET', '/api/registry/lookup/agent/https%3A%2F%2Fa.example%2Fsales%2Fmcp%3Fx%3D1/domains', undefined, ''],
      ['POST', '/api/brands/resolve/bulk', undefined, '{"domains":["acme.example"]}'],
      ['GET', '/api/registry/feed?cursor=c&types=property.*%2Cagent.removed&limit=5', 'Bearer sk_test', ''],
      ['GET', '/api/registry/agents?metric_id=a&metric_id=b&capabilities=true', 'Bearer sk_test', ''],
    ]);
  });

  it('that needs a token is not sent without one', async () => {
    const { client, heard } = await scripted(() => ({}), { token: undefined });
    for (const request of [client.feed(), client.searchAgents(), client.requestCrawl({ domain: 'a.example' })]) {
      expect(await refusal(request)).toMatchObject({ status: 401, code: 'token_missing' });
    }
    await client.stats();
    expect(heard.map(({ headers, url }) => [url, headers.authorization])).toEqual([['/api/registry/stats', undefined]]);
  });

  it.each<[what: string, line: Line, error: object]>([
    [
      'a sentence',
      { status: 400, body: { error: 'No such domain' } },
      { code: 'invalid_request', message: 'No such domain' },
    ],
    [
      'a code',
      { status: 410, body: { error: 'cursor_expired', message: 'Begin anew' } },
      { code: 'cursor_expired', status: 410 },
    ],
    [
      'a code beside it',
      { status: 403, body: { error: 'Prove it', code: 'ownership_proof_required' } },
      { code: 'ownership_proof_required' },
    ],
    [
      'a conflict',
      { status: 409, body: { error: 'It is managed by its file', domain: 'a.example' } },
      { code: 'conflict', body: { domain: 'a.example' } },
    ],
    [
      'a page',
      { status: 500, body: '<html>' },
      { code: 'server_error', status: 500, message: 'the registry answered 500' },
    ],
    ['a list', { body: [] }, { code: 'not_json', status: 200 }],
    ['cut text', { body: '{"a":' }, { code: 'not_json', status: 200 }],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://elsewhere.example/' } },
      { code: 'not_json', status: 302 },
    ],
  ])('that is answered with %s is a typed error', async (_what, line, expected) => {
    const { client, heard } = await scripted([line]);
    const error = await refusal(client.stats());
    expect(error).toMatchObject(expected);
    expect(heard).toHaveLength(1);
  });

  it('that nobody answers is one too', async () => {
    const port = await freePort();
    const { client } = await scripted([], { url: `http://127.0.0.1:${port}/base/` });
    expect(client.url).toBe(`http://127.0.0.1:${port}/base`);
    expect(await refusal(client.stats())).toMatchObject({ status: 0, code: 'unreachable' });
  });

  it('takes no answer beyond its limit', async () => {
    const { client } = await scripted([{ body: `{"a":"${'x'.repeat(9 * 1024 * 1024)}"}` }]);
    expect(await refusal(client.stats())).toMatchObject({ status: 0, code: 'too_large' });
  });
});

describe('a busy registry', () => {
  const busy = (headers: Line['headers'] = {}, body: object = {}): Line => ({ status: 429, headers, body });
  const later = new Date(Date.parse(BOOT_TIME) + 7000).toUTCString();

  it.each<[what: string, line: Line, waitMs: number]>([
    ['seconds', busy({ 'retry-after': '3' }), 3000],
    ['a date', busy({ 'retry-after': later }), 7000],
    ['retry_after', busy({}, { error: 'Rate limit exceeded', retry_after: 4 }), 4000],
    ['retryAfter', busy({}, { error: 'Too many requests', retryAfter: 5 }), 5000],
    ['nothing', { status: 503 }, 1000],
  ])('is asked again when it says so: %s', async (_what, line, waitMs) => {
    const { client, heard, waits } = await scripted([line, { body: { publishers: 1 } }]);
    expect(await client.requestCrawl({ domain: 'a.example' })).toEqual({ publishers: 1 });
    expect(waits).toEqual([waitMs]);
    expect(heard).toHaveLength(2);
  });

  it('is not waited for longer than allowed: the error says how long it would be', async () => {
    const { client, heard, waits } = await scripted([busy({ 'retry-after': '300' })]);
    expect(await refusal(client.stats())).toMatchObject({ status: 429, code: 'rate_limited', retry_after: 300 });
    expect([waits, heard.length]).toEqual([[], 1]);
  });

  it('is given up on, and all waits together are bounded', async () => {
    const often = await scripted(() => busy({ 'retry-after': '1' }));
    expect(await refusal(often.client.stats())).toMatchObject({ status: 429 });
    expect(often.heard).toHaveLength(4);
    const long = await scripted(() => busy({ 'retry-after': '40' }));
    await refusal(long.client.stats());
    expect(long.waits).toEqual([40_000]);
  });
});

describe('a long list', () => {
  const event = (id: number): object => ({ event_id: `e${id}`, event_type: 'agent.removed' });
  const ids = async (rows: AsyncIterable<{ event_id: string }>): Promise<string[]> => {
    const all: string[] = [];
    for await (const { event_id } of rows) all.push(event_id);
    return all;
  };

  it('is read to its end by its cursor', async () => {
    const { client, heard } = await scripted([
      { body: { events: [event(1), event(2)], cursor: 'e2', has_more: true } },
      { body: { events: [], cursor: 'e3', has_more: true } },
      { body: { events: [event(4)], cursor: 'e4', has_more: false } },
    ]);
    expect(await ids(client.eachEvent({ types: ['agent.*'] }))).toEqual(['e1', 'e2', 'e4']);
    expect(heard.map(({ url }) => url)).toEqual([
      '/api/registry/feed?limit=1000&types=agent.*',
      '/api/registry/feed?limit=1000&types=agent.*&cursor=e2',
      '/api/registry/feed?limit=1000&types=agent.*&cursor=e3',
    ]);
  });

  it('is asked for page by page: who stops early asks for no more', async () => {
    const { client, heard } = await scripted(() => ({
      body: { events: [event(heard.length)], cursor: `c${heard.length}`, has_more: true },
    }));
    for await (const { event_id } of client.eachEvent()) if (event_id === 'e2') break;
    expect(heard).toHaveLength(2);
  });

  it.each([
    ['stands still', { events: [event(1)], cursor: 'e1', has_more: true }],
    ['is missing', { events: [event(1)], cursor: null, has_more: true }],
  ])('whose cursor %s is refused, not read for ever', async (_what, body) => {
    const { client, heard } = await scripted(() => ({ body }));
    expect(await refusal(ids(client.eachEvent({ cursor: 'e1' })))).toMatchObject({ code: 'cursor_stuck' });
    expect(heard).toHaveLength(1);
  });

  it('without its rows is refused', async () => {
    const { client } = await scripted([{ body: { cursor: 'x', has_more: false } }]);
    expect(await refusal(ids(client.eachEvent()))).toMatchObject({ code: 'not_json' });
  });

  it('with offsets ends at the page that is not full', async () => {
    const brands = Array.from({ length: 5 }, (_, index) => ({ domain: `b${index}.example` }));
    const { client, heard } = await scripted(({ url }) => {
      const query = new URL(url, 'http://r').searchParams;
      const offset = Number(query.get('offset') ?? 0);
      return { body: { brands: brands.slice(offset, offset + Number(query.get('limit'))), stats: {} } };
    });
    const found: string[] = [];
    for await (const { domain } of client.eachBrand({ limit: 2, search: 'b' })) found.push(domain);
    expect(found).toEqual(brands.map(({ domain }) => domain));
    expect(heard.map(({ url }) => url)).toEqual([
      '/api/brands/registry?limit=2&search=b',
      '/api/brands/registry?limit=2&search=b&offset=2',
      '/api/brands/registry?limit=2&search=b&offset=4',
    ]);
  });

  it('of a registry that knows no offset is read once', async () => {
    const publishers = [{ domain: 'a.example' }, { domain: 'b.example' }];
    const { client, heard } = await scripted(() => ({ body: { publishers, count: 2 } }));
    const found: string[] = [];
    for await (const { domain } of client.eachPublisher({ limit: 2 })) found.push(domain);
    expect([found, heard.length]).toEqual([['a.example', 'b.example'], 2]);
  });

  it('names the next offset, or none', async () => {
    const { client, heard } = await scripted([
      { body: { collections: [{ collection_rid: '1' }], total: 2, next_offset: 1 } },
      { body: { collections: [{ collection_rid: '2' }], total: 2, next_offset: null } },
    ]);
    const found: unknown[] = [];
    for await (const row of client.eachCollection()) found.push(row.collection_rid);
    expect([found, heard.length]).toEqual([['1', '2'], 2]);
  });
});

describe('what comes as it happens', () => {
  const rows = Array.from({ length: 5000 }, (_, id) => ({
    id: `a${id}`,
    agent_url: 'https://a.example/mcp',
    text: 'ä€😀',
  }));
  const lines = `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
  const taken = async (client: RegistryClient, most = Number.POSITIVE_INFINITY): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const row of client.eachAuthorization()) {
      found.push(row);
      if (found.length >= most) break;
    }
    return found;
  };

  it.each<[what: string, line: Line]>([
    ['plain', { body: lines }],
    ['gzipped', { body: gzipSync(lines), headers: { 'content-encoding': 'gzip' } }],
    ['without a last line end', { body: lines.trimEnd() }],
  ])('a snapshot of authorizations is read row by row: %s', async (_what, line) => {
    const { client, heard } = await scripted([line]);
    expect(await taken(client)).toEqual(rows);
    expect(heard).toMatchObject([
      { url: '/api/registry/authorizations/snapshot', headers: { authorization: 'Bearer sk_test' } },
    ]);
  });

  it('who has enough of it ends it', async () => {
    const { client } = await scripted([{ body: lines }]);
    expect(await taken(client, 3)).toEqual(rows.slice(0, 3));
  });

  it('a row that breaks off is refused, and so is a line without end', async () => {
    const { client } = await scripted([
      { body: '{"id":"a"}\n\n{"id":"b' },
      { body: `{"id":"${'x'.repeat(3_000_000)}` },
    ]);
    expect(await refusal(taken(client))).toMatchObject({ code: 'not_json' });
    expect(await refusal(taken(client))).toMatchObject({ code: 'too_large' });
  });

  it('a refusal is a typed error', async () => {
    const { client } = await scripted([{ status: 404, body: { error: 'Not found' } }]);
    expect(await refusal(taken(client))).toMatchObject({ status: 404, code: 'not_found' });
    const { client: stranger, heard } = await scripted([], { token: undefined });
    expect(await refusal(taken(stranger))).toMatchObject({ code: 'token_missing' });
    expect(heard).toEqual([]);
  });

  it('the feed calls back for every message, not for heartbeats, until it is stopped', async () => {
    const event = (name: string, id: number): string => `event: ${name}\nid: ${id}\ndata: {}\n\n`;
    let end: () => void = () => undefined;
    const { client, heard } = await scripted([
      {
        headers: { 'content-type': 'text/event-stream' },
        stream: (write, over) => {
          write(event('feed', 1) + event('heartbeat', 2));
          write(event('feed', 3).slice(0, 7));
          write(event('feed', 3).slice(7));
          end = over;
        },
      },
      { stream: (write) => write(event('feed', 1)) },
    ]);
    let count = 0;
    let first: ReturnType<RegistryClient['listen']> | undefined;
    await new Promise<void>((rung) => {
      first = client.listen('c1', () => {
        count += 1;
        if (count === 2) rung();
      });
    });
    end();
    expect(await refusal(first?.done ?? Promise.resolve())).toMatchObject({ message: 'the stream ended' });
    let second: ReturnType<RegistryClient['listen']> | undefined;
    await new Promise<void>((rung) => {
      second = client.listen('', rung);
    });
    second?.stop();
    await second?.done;
    expect([count, heard.map(({ url }) => url)]).toEqual([
      2,
      ['/api/registry/feed/stream?cursor=c1', '/api/registry/feed/stream'],
    ]);
  });
});
