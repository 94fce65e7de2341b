import { describe, expect, it } from 'vitest';
import { bootRegistry } from '../../../kit/registry.js';

const AGENT = 'https://ads.acme.example/mcp';
type Event = { event_type: string; entity_id: string; payload: Record<string, unknown> };

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
    await input('badges', { role: 'sales', verified_specialisms: ['video'] });
    await input('compliance', { status: 'failing', storyboards_passing: 1, storyboards_total: 3 });
    await input('badges', { role: 'sales', reason: 'expired' });
    expect((await events()).slice(1).map(({ event_type, payload }) => [event_type, payload])).toEqual([
      [
        'agent.verification_earned',
        { agent_url: AGENT, role: 'sales', verified_specialisms: ['video'], verification_modes: ['spec'] },
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
        { url: AGENT, role, verified_specialisms: ['video'], ...(verification_modes && { verification_modes }) },
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
