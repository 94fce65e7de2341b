import { describe, expect, it, vi } from 'vitest';
import { serveAgent } from '../../../kit/agent.js';
import { bootRegistry } from '../../../kit/registry.js';

const AGENT = 'https://ads.acme.example/mcp';
type Event = { event_type: string; entity_id: string; payload: Record<string, unknown> };

/** The registry runs a round every two seconds; on a busy machine one takes longer. */
const WAIT = { timeout: 60_000, interval: 100 };

/** A registry as it is run for the public; one for the file. */
const publicRegistry = await bootRegistry({
  service: { policy: { ownership: 'off' } },
  settings: { development: false },
});
let members = 0;

async function scene() {
  const registry = await bootRegistry({ service: { policy: { ownership: 'off' } } });
  const [acme, other, admin] = [
    await registry.member('acme'),
    await registry.member('other', 'member', 'basic'),
    await registry.member('operators', 'admin'),
  ];
  const events = async (): Promise<readonly Event[]> =>
    ((await registry.get('/api/registry/feed', acme.token)).json() as { events: Event[] }).events;
  return { registry, acme, other, admin, events };
}

describe('agents of members', () => {
  it('are told to the feed once they are public, and again only when something changed', async () => {
    const { registry, acme, events } = await scene();
    const enrol = (body: object) => registry.post('/api/me/agents', { url: AGENT, type: 'sales', ...body }, acme.token);
    expect((await enrol({})).json()).toMatchObject({ agent: { url: AGENT, visibility: 'private' } });
    expect(await events()).toEqual([]);
    await enrol({ visibility: 'public', name: 'Ads' });
    expect((await events()).map(({ event_type, entity_id }) => [event_type, entity_id])).toEqual([
      ['agent.profile_updated', AGENT],
    ]);
    await enrol({ visibility: 'public', name: 'Ads' });
    expect(await events()).toHaveLength(1);
    await enrol({ visibility: 'public', name: 'Ads 2' });
    expect((await events()).at(-1)?.payload).toMatchObject({ changed_fields: ['name'], name: 'Ads 2' });
    expect(
      (await registry.request('DELETE', `/api/me/agents/${encodeURIComponent(AGENT)}`, { token: acme.token })).status,
    ).toBe(204);
    expect((await events()).at(-1)?.event_type).toBe('agent.removed');
  });

  it('are visited by the registry itself, and shown and searched with what they say', async () => {
    const { registry, acme, events } = await scene();
    const agent = await serveAgent({
      get_adcp_capabilities: {
        supported_protocols: ['media_buy'],
        media_buy: { portfolio: { publisher_domains: ['news.example'], primary_channels: ['olv'] } },
      },
      get_products: { products: [{ product_id: 'p', delivery_type: 'guaranteed', channels: ['ctv'] }] },
      create_media_buy: {},
    });
    const body = { url: agent.url, type: 'sales', name: 'Ads', visibility: 'public' };
    expect((await registry.post('/api/me/agents', body, acme.token)).status).toBe(201);
    const search = '/api/registry/agents/search?channels=ctv&delivery_types=guaranteed';
    await vi.waitFor(async () => {
      expect((await registry.get(search, acme.token)).json()).toMatchObject({ results: [{ name: 'Ads' }] });
    }, WAIT);
    expect((await registry.get('/api/registry/agents?health=true&capabilities=true')).json()).toMatchObject({
      agents: [{ name: 'Ads', health: { online: true }, capabilities: { tools_count: 3 } }],
    });
    expect((await events()).map(({ event_type }) => event_type)).toEqual([
      'agent.profile_updated',
      'agent.profile_updated',
    ]);
  });

  it('are gone from every surface and from the feed once they are private, and back once they are public', async () => {
    const { registry, acme, other, events } = await scene();
    await registry.post('/api/me/agents', { url: AGENT, type: 'sales', visibility: 'public' }, acme.token);
    const show = (visibility: string) =>
      registry.request('PATCH', `/api/me/agents/${encodeURIComponent(AGENT)}`, {
        token: acme.token,
        body: { visibility },
      });
    const seen = async (): Promise<readonly boolean[]> => {
      const paths = ['agents', 'agents/search', 'operator?domain=acme.example'];
      const answers = await Promise.all(paths.map((path) => registry.get(`/api/registry/${path}`, other.token)));
      return answers.map(({ text }) => text.includes(AGENT));
    };
    expect(await seen()).toEqual([true, true, true]);
    for (const visibility of ['private', 'members_only']) {
      expect((await show(visibility)).status).toBe(200);
      expect(await seen()).toEqual([false, false, false]);
      expect((await events()).at(-1)).toMatchObject({ event_type: 'agent.removed', payload: { agent_url: AGENT } });
    }
    await show('public');
    expect(await seen()).toEqual([true, true, true]);
    expect((await events()).map(({ event_type }) => event_type)).toEqual([
      'agent.profile_updated',
      'agent.removed',
      'agent.profile_updated',
    ]);
  });

  it.each([
    'http://127.0.0.1:3000/mcp',
    'https://127.0.0.1/mcp',
    'http://169.254.169.254/latest',
    'https://169.254.169.254/latest',
    'http://ads.example/mcp',
    'ftp://ads.example/mcp',
    'https://agent/mcp',
    'https://ads.internal/mcp',
    'https://user:secret@ads.example/mcp',
    '<script>alert(1)</script>',
    'javascript:alert(1)',
  ])('cannot be listed under %s outside development', async (url) => {
    const registry = publicRegistry;
    members += 1;
    const { token } = await registry.member(`org${members}`);
    const enrolled = await registry.post('/api/me/agents', { url, type: 'sales', visibility: 'public' }, token);
    expect([enrolled.status, enrolled.json()]).toMatchObject([
      400,
      { code: 'invalid_request', field: '/url', suggestion: expect.any(String) },
    ]);
    const body = { publisher_domain: 'acme.example', authorized_agents: [{ url }] };
    const saved = await registry.post('/api/properties/save', body, token);
    expect([saved.status, saved.json()]).toMatchObject([
      400,
      { code: 'invalid_request', field: '/authorized_agents/0/url', suggestion: expect.any(String) },
    ]);
  });

  it('have contacts that link to https alone, as brands do', async () => {
    const { registry, acme } = await scene();
    for (const url of [
      'http://acme.example/',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://a:b@acme.example/',
    ]) {
      const agent = { url: AGENT, type: 'sales', contact: { website: url } };
      const brand = (brand_manifest: object) =>
        registry.post('/api/brands/save', { domain: 'acme.example', brand_name: 'Acme', brand_manifest }, acme.token);
      const answers = [
        await registry.post('/api/me/agents', agent, acme.token),
        await brand({ logos: [{ url }] }),
        await brand({ website: url }),
        await brand({ contact: { website_url: url } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
      expect(answers.map((answer) => (answer.json() as { field: string }).field)).toEqual([
        '/contact/website',
        '/brand_manifest/logos/0/url',
        '/brand_manifest/website',
        '/brand_manifest/contact/website_url',
      ]);
    }
  });

  it('belong to one organization, and are shown by tier', async () => {
    const { registry, acme, other, admin } = await scene();
    const body = { url: AGENT, type: 'sales', visibility: 'members_only' };
    expect((await registry.post('/api/me/agents', body, acme.token)).status).toBe(201);
    expect((await registry.post('/api/me/agents', body, other.token)).status).toBe(409);
    const seen = async (token?: string): Promise<number> =>
      ((await registry.get('/api/registry/agents', token)).json() as { count: number }).count;
    expect([await seen(), await seen(other.token), await seen(admin.token), await seen(acme.token)]).toEqual([
      0, 0, 1, 1,
    ]);
    await registry.request('PATCH', `/api/me/agents/${encodeURIComponent(AGENT)}`, {
      token: acme.token,
      body: { visibility: 'private' },
    });
    expect([await seen(), await seen(other.token), await seen(acme.token)]).toEqual([0, 0, 1]);
  });

  it('earn and lose badges and standing, each told to the feed', async () => {
    const { registry, acme, admin, events } = await scene();
    await registry.post('/api/me/agents', { url: AGENT, type: 'sales', visibility: 'public' }, acme.token);
    const input = (path: string, body: object) =>
      registry.post(`/api/admin/${path}`, { url: AGENT, ...body }, admin.token);
    await input('badges', { role: 'sales', verified_specialisms: ['sales-broadcast-tv'] });
    await input('compliance', { status: 'failing', storyboards_passing: 1, storyboards_total: 3 });
    await input('badges', { role: 'sales', reason: 'expired' });
    expect((await events()).slice(1).map(({ event_type, payload }) => [event_type, payload])).toEqual([
      [
        'agent.verification_earned',
        {
          agent_url: AGENT,
          role: 'sales',
          adcp_version: '3.1',
          verified_specialisms: ['sales-broadcast-tv'],
          verification_modes: ['spec'],
          badge_id: expect.any(String),
        },
      ],
      [
        'agent.compliance_changed',
        expect.objectContaining({ previous_status: 'unknown', current_status: 'failing', storyboards_total: 3 }),
      ],
      ['agent.verification_lost', { agent_url: AGENT, role: 'sales', reason: 'expired' }],
    ]);
    const agent = await registry.server().registry.store.read.agent.find(AGENT);
    expect(agent).toMatchObject({ badges: [], compliance: { status: 'failing' } });
  });

  it('are found by what their badges rest on; both have to be met where both are asked for', async () => {
    const { registry, acme, admin } = await scene();
    await registry.post('/api/me/agents', { url: AGENT, type: 'sales', visibility: 'public' }, acme.token);
    const give = (role: string, verification_modes?: string[]) =>
      registry.post(
        '/api/admin/badges',
        {
          url: AGENT,
          role,
          verified_specialisms: ['sales-broadcast-tv'],
          ...(verification_modes && { verification_modes }),
        },
        admin.token,
      );
    const counts = async (): Promise<readonly number[]> => {
      const found = [];
      for (const query of ['spec', 'live', 'spec&verification_mode=live']) {
        const answer = await registry.get(`/api/registry/agents?verification_mode=${query}`);
        found.push((answer.json() as { count: number }).count);
      }
      return found;
    };
    expect(await counts()).toEqual([0, 0, 0]);
    await give('sales');
    expect(await counts()).toEqual([1, 0, 0]);
    await give('sales', ['live']);
    expect(await counts()).toEqual([0, 1, 0]);
    await give('creative', ['spec']);
    expect(await counts()).toEqual([1, 1, 1]);
    expect((await give('sales', ['hearsay'])).status).toBe(400);
    expect((await give('sales', [])).status).toBe(400);
  });
});

describe('hosted properties', () => {
  it('stay the same ones when two have one type and name, and are gone when they are left out', async () => {
    const { registry, acme, events } = await scene();
    const app = (value: string) => ({ type: 'mobile_app', name: 'App', identifiers: [{ type: 'ios_bundle', value }] });
    const save = async (...properties: object[]): Promise<void> => {
      const body = { publisher_domain: 'acme.example', authorized_agents: [], properties };
      expect((await registry.post('/api/properties/save', body, acme.token)).status).toBe(200);
    };
    const catalog = async (): Promise<Readonly<Record<string, string>>> => {
      const { properties } = (await registry.get('/api/registry/catalog', acme.token)).json() as {
        properties: { property_rid: string; status: string; identifiers: { value: string }[] }[];
      };
      const active = properties.filter(({ status }) => status === 'active');
      return Object.fromEntries(active.map((one) => [one.identifiers[0]?.value ?? '', one.property_rid]));
    };
    await save(app('a.one'), app('b.two'));
    const first = await catalog();
    expect(Object.keys(first).toSorted()).toEqual(['a.one', 'b.two']);
    await save(app('b.two'), app('a.one'));
    expect(await catalog()).toEqual(first);
    expect(await events()).toHaveLength(2);
    await save(app('b.two'));
    expect(await catalog()).toEqual({ 'b.two': first['b.two'] });
    await save(app('b.two'), app('c.three'), app('a.one'));
    expect(await catalog()).toMatchObject(first);
    await save();
    expect(await catalog()).toEqual({});
    expect((await registry.get('/api/registry/stats')).json()).toMatchObject({
      discovered_properties: 0,
      properties_by_type: {},
    });
  });

  it('are told to the feed as they come, change and go, and authorize nobody', async () => {
    const { registry, acme, events } = await scene();
    const save = (properties: object[]) =>
      registry.post(
        '/api/properties/save',
        { publisher_domain: 'acme.example', authorized_agents: [{ url: AGENT }], properties },
        acme.token,
      );
    await save([{ type: 'website', name: 'News' }]);
    await save([{ type: 'website', name: 'News' }]);
    await save([
      { type: 'website', name: 'News', tags: ['sports'] },
      { type: 'podcast', name: 'Talk' },
    ]);
    await save([{ type: 'podcast', name: 'Talk' }]);
    await save([
      { type: 'podcast', name: 'Talk' },
      { type: 'website', name: 'News', tags: ['sports'] },
    ]);
    expect((await events()).map(({ event_type, payload }) => [event_type, payload.name])).toEqual([
      ['property.created', 'News'],
      ['property.updated', 'News'],
      ['property.created', 'Talk'],
      ['property.stale', 'News'],
      ['property.reactivated', 'News'],
    ]);
    const question = `agent_url=${encodeURIComponent(AGENT)}&identifier_type=domain&identifier_value=acme.example`;
    expect((await registry.get(`/api/registry/validate/property-authorization?${question}`)).json()).toMatchObject({
      authorized: false,
    });
  });
});
