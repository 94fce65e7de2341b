import { beforeAll, describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../../../src/platform/kernel/event-loop.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';

const AT = '2026-01-01T00:00:00Z';
const AGENTS = 1300;
const BRANDS = 700;
const REVISIONS = 130;

const agentUrl = (number: number): string => `https://a${String(number).padStart(5, '0')}.example/mcp`;
const call = (name: string, args: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});
type ToolAnswer = { readonly result: { readonly isError?: boolean; readonly structuredContent: object } };

describe('a registry with many of everything', () => {
  let registry: BootedRegistry;

  beforeAll(async () => {
    registry = await bootRegistry();
    const { store } = registry.server().registry;
    await store.transact(async (tx) => {
      await tx.organization.put({ org_id: 'o', slug: 'o', name: 'O', tier: 'api', created_at: AT });
      for (let number = 0; number < AGENTS; number += 1) {
        await tx.member_agent.put({
          agent_url: agentUrl(number),
          org_id: 'o',
          name: `Agent ${number}`,
          description: 'x'.repeat(2000),
          type: number % 2 === 0 ? 'sales' : 'measurement',
          protocol: 'mcp',
          visibility: 'public',
          added_date: AT,
          updated_at: AT,
        });
      }
      for (let number = 0; number < BRANDS; number += 1) {
        const domain = `b${String(number).padStart(5, '0')}.example`;
        const source = number % 7 === 0 ? ('enriched' as const) : ('community' as const);
        await tx.brand.put({
          domain,
          canonical_id: domain,
          canonical_domain: domain,
          brand_name: `B ${number}`,
          source,
        });
      }
      for (let number = 1; number <= REVISIONS; number += 1) {
        await tx.revision.put({
          kind: 'brand',
          domain: 'acme.example',
          revision_number: number,
          editor_name: 'somebody',
          edit_summary: `change ${number}`,
          source: 'community',
          is_rollback: false,
          created_at: AT,
          content: { brand_name: 'Acme' },
        });
      }
    });
  });

  it('lists all agents, each once and in order, and counts them', async () => {
    const answer = await registry.get('/api/registry/agents?health=true&compliance=true');
    const { agents, count } = answer.json() as { agents: readonly { url: string }[]; count: number };
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(agents.map(({ url }) => url)).toEqual(Array.from({ length: AGENTS }, (_, at) => agentUrl(at)));
    expect(count).toBe(AGENTS);
    const few = (await registry.get('/api/registry/agents?type=sales')).json() as typeof answer & { count: number };
    expect(few.count).toBe(AGENTS / 2);
    const none = await registry.get('/api/registry/agents?q=nowhere');
    expect(none.json()).toEqual({ agents: [], count: 0 });
  });

  it('refuses a filter that cannot be met before a list begins', async () => {
    const answer = await registry.get('/api/registry/agents?type=sales&q=views');
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ field: 'type' });
  });

  it('says over /mcp that a list is too long for a message, and hands on a shorter one', async () => {
    const long = (await registry.post('/mcp', call('list_agents', {}))).json() as ToolAnswer;
    expect(long.result).toMatchObject({ isError: true, structuredContent: { code: 'invalid_request' } });
    const short = (await registry.post('/mcp', call('list_agents', { q: 'nowhere' }))).json() as ToolAnswer;
    expect(short.result.structuredContent).toEqual({ agents: [], count: 0 });
  });

  it('counts brands of each source, and as many again when some are gone', async () => {
    const stats = async () => ((await registry.get('/api/brands/registry?limit=1')).json() as { stats: object }).stats;
    const nothing = { hosted: 0, brand_json: 0, stub: 0, houses: 0, sub_brands: 0, with_manifest: 0 };
    expect(await stats()).toEqual({ ...nothing, total: BRANDS, enriched: 100, community: 600 });
    const { store } = registry.server().registry;
    await store.transact(async (tx) => void (await tx.brand.remove('b00000.example')));
    expect(await stats()).toEqual({ ...nothing, total: BRANDS - 1, enriched: 99, community: 600 });
  });

  it('pages through a long history from the newest revision down', async () => {
    const numbers = async (page: string): Promise<readonly number[]> => {
      const answer = await registry.get(`/api/brands/history?domain=acme.example&${page}`);
      const { revisions, total } = answer.json() as { revisions: { revision_number: number }[]; total: number };
      expect(total).toBe(REVISIONS);
      return revisions.map(({ revision_number }) => revision_number);
    };
    const all = Array.from({ length: REVISIONS }, (_, at) => REVISIONS - at);
    expect(await numbers('limit=100')).toEqual(all.slice(0, 100));
    expect(await numbers('limit=100&offset=100')).toEqual(all.slice(100));
    expect(await numbers('limit=7&offset=128')).toEqual(all.slice(128));
    expect(await numbers('offset=130')).toEqual([]);
    expect(await numbers('offset=999999999')).toEqual([]);
  });

  it('gives way to others while it writes its description', async () => {
    let turns = 0;
    let isWriting = true;
    const others = (async () => {
      for (; isWriting; turns += 1) await yieldToEventLoop();
    })();
    const { openApiYaml } = await import('../../../../src/registry/server/openapi/openapi.js');
    const { REGISTRY_ROUTES } = await import('../../../../src/registry/server/routes/routes.js');
    turns = 0;
    await openApiYaml({ baseUrl: () => 'https://registry.example', version: '1' }, REGISTRY_ROUTES);
    isWriting = false;
    await others;
    expect(turns).toBeGreaterThan(0);
  });
});

describe('a body that takes long to look at', () => {
  let registry: BootedRegistry;
  const values = (count: number): readonly number[] => Array.from({ length: count }, () => 1);

  beforeAll(async () => {
    registry = await bootRegistry();
  });

  it('is refused for the number of its values, or for their levels, before they are read', async () => {
    const path = '/api/registry/expand/product-identifiers';
    const crowded = await registry.post(path, {
      agent_url: 'https://a.example/mcp',
      publisher_properties: values(30_001),
    });
    expect(crowded.status).toBe(413);
    expect(crowded.json()).toMatchObject({ code: 'payload_too_large' });
    const refused = await registry.post(path, {
      agent_url: 'https://a.example/mcp',
      publisher_properties: values(1000),
    });
    expect(refused.json()).toMatchObject({
      code: 'invalid_request',
      field: expect.stringContaining('publisher_properties'),
    });
    const nested = JSON.parse('['.repeat(33) + ']'.repeat(33));
    expect((await registry.post(path, nested)).json()).toMatchObject({ error: expect.stringContaining('levels') });
  });

  it('is refused over /mcp too', async () => {
    const args = (count: number) => ({ domains: ['acme.example'], more: values(count) });
    const crowded = await registry.post('/mcp', call('resolve_brands_bulk', args(15_001)));
    expect(crowded.status).toBe(400);
    expect(crowded.json()).toMatchObject({ error: { code: -32600, message: expect.stringContaining('values') } });
    expect((await registry.post('/mcp', call('resolve_brands_bulk', args(10_000)))).status).toBe(200);
  });
});
