import { beforeAll, describe, expect, it } from 'vitest';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';

const AGENT = 'https://sales.example/mcp';
const FILED = 'filed.example';
const HOSTED = 'hosted.example';
const BRAND = 'brand.example';
const ENRICHED = 'enriched.example';

describe('what an operator blocks', () => {
  let registry: BootedRegistry;
  let acme: { readonly org_id: string; readonly token: string };
  let reader: string;
  const operate = (path: string, body?: object): Promise<object> =>
    registry.server().operate({ path: `/api/admin/${path}`, ...(body !== undefined && { body }) });
  const status = async (path: string, token?: string): Promise<number> => (await registry.get(path, token)).status;
  const answer = async (path: string, token?: string): Promise<unknown> => (await registry.get(path, token)).json();
  const types = async (after: string): Promise<readonly string[]> => {
    const { events } = (await answer(`/api/registry/feed?limit=500${after}`, reader)) as {
      readonly events: readonly { readonly event_type: string; readonly payload: { readonly reason?: string } }[];
    };
    return events.map(({ event_type, payload }) =>
      payload.reason === undefined ? event_type : `${event_type}: ${payload.reason}`,
    );
  };
  const cursor = async (): Promise<string> =>
    ((await answer('/api/registry/feed?limit=500', reader)) as { readonly cursor: string }).cursor;
  const file = (): object => ({
    domain: FILED,
    text: JSON.stringify({
      properties: [
        { property_id: 'p', property_type: 'website', name: 'P', identifiers: [{ type: 'domain', value: FILED }] },
      ],
      authorized_agents: [
        { url: AGENT, authorized_for: 'all', authorization_type: 'property_ids', property_ids: ['p'] },
      ],
    }),
  });
  const hosted = { publisher_domain: HOSTED, authorized_agents: [], properties: [{ type: 'website', name: 'Hosted' }] };
  const mayAgent = `/api/registry/validate/property-authorization?agent_url=${encodeURIComponent(AGENT)}&identifier_type=domain&identifier_value=${FILED}`;

  beforeAll(async () => {
    registry = await bootRegistry({ service: { policy: { ownership: 'off', lookAlikes: 'off', liveLookups: false } } });
    acme = await registry.member('acme');
    reader = (await registry.member('reader')).token;
    await operate('import', { files: [file()] });
    expect((await registry.post('/api/properties/save', hosted, acme.token)).status).toBe(200);
    expect((await registry.post('/api/brands/save', { domain: BRAND, brand_name: 'Brand' }, acme.token)).status).toBe(
      200,
    );
  });

  it('a domain with a file of its own is gone from look-ups, the feed says so with why, and no crawl or import brings it back', async () => {
    expect(await answer(mayAgent)).toMatchObject({ authorized: true });
    const before = await cursor();
    await operate('blocked', { kind: 'domain', name: `www.${FILED}`, reason: 'court order 7' });
    expect(await answer(mayAgent)).toMatchObject({ authorized: false });
    expect(await status(`/api/properties/resolve?domain=${FILED}`)).toBe(404);
    expect(await types(`&cursor=${before}`)).toEqual(
      expect.arrayContaining([
        'property.stale: blocked',
        'authorization.revoked',
        'publisher.adagents_changed',
        'agent.removed',
      ]),
    );
    expect(await operate('import', { files: [file()] })).toMatchObject({
      publishers: 0,
      refused: [{ domain: FILED, reason: 'blocked' }],
    });
    expect(await operate('crawls', { domains: [FILED, 'other.example'] })).toEqual({ due: 1, new: 1, blocked: 1 });
    const asked = await registry.post('/api/registry/crawl-request', { domain: FILED }, acme.token);
    expect(asked.status).toBe(403);
    expect(asked.json()).toMatchObject({ code: 'blocked', reason: 'court order 7' });
    expect(await operate('blocked')).toMatchObject({
      blocked: [{ kind: 'domain', name: FILED, reason: 'court order 7', blocked_by: 'operator' }],
    });
    await operate('blocked/end', { kind: 'domain', name: FILED });
    await operate('import', { files: [file()] });
    expect(await answer(mayAgent)).toMatchObject({ authorized: true });
    await expect(operate('blocked/end', { kind: 'domain', name: FILED })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a domain that members saved is hidden with its history, refused to be saved, and shown again as it was', async () => {
    const paths = [
      `/api/properties/resolve?domain=${HOSTED}`,
      `/api/properties/history?domain=${HOSTED}`,
      `/api/brands/resolve?domain=${BRAND}`,
      `/api/brands/resolve?domain=${ENRICHED}`,
      `/api/brands/history?domain=${BRAND}`,
    ];
    const listed = async (): Promise<string> => (await registry.get('/api/properties/registry')).text;
    expect(await listed()).toContain(HOSTED);
    // What a provider knew stays stored while its domain is blocked.
    await registry.server().registry.store.transact((tx) =>
      tx.brand.put({
        domain: ENRICHED,
        canonical_id: ENRICHED,
        canonical_domain: ENRICHED,
        brand_name: 'Enriched',
        source: 'enriched',
      }),
    );
    const bulk = async (): Promise<unknown> =>
      (await registry.post('/api/brands/resolve/bulk', { domains: [BRAND, ENRICHED] })).json();
    expect(await bulk()).toMatchObject({ results: { [ENRICHED]: { brand_name: 'Enriched' } } });
    const before = await Promise.all(paths.map((path) => answer(path)));
    for (const name of [HOSTED, BRAND, ENRICHED]) await operate('blocked', { kind: 'domain', name, reason: 'a fraud' });
    for (const path of paths) expect(await status(path), path).toBe(404);
    expect(await bulk()).toEqual({ results: { [BRAND]: null, [ENRICHED]: null } });
    expect(await listed()).not.toContain(HOSTED);
    for (const [path, body] of [
      ['/api/properties/save', hosted],
      ['/api/brands/save', { domain: BRAND, brand_name: 'Brand' }],
      ['/api/brands/discovered/community', { domain: BRAND, brand_name: 'Brand' }],
    ] as const) {
      const refused = await registry.post(path, body, acme.token);
      expect(refused.status, path).toBe(403);
      expect(refused.json()).toMatchObject({ code: 'blocked', error: expect.stringContaining('a fraud') });
    }
    for (const name of [HOSTED, BRAND, ENRICHED]) await operate('blocked/end', { kind: 'domain', name });
    expect(await Promise.all(paths.map((path) => answer(path)))).toEqual(before);
    expect(await listed()).toContain(HOSTED);
  });

  it('an agent leaves the catalog and is not enrolled again, and an organization opens nothing', async () => {
    const url = 'https://own.example/mcp';
    const enrolled = { url, type: 'sales', name: 'Own', visibility: 'public' };
    expect((await registry.post('/api/me/agents', enrolled, acme.token)).status).toBeLessThan(300);
    const listed = async (): Promise<string> => (await registry.get('/api/registry/agents')).text;
    expect(await listed()).toContain(url);
    await operate('blocked', { kind: 'agent', name: url, reason: 'malware' });
    expect(await listed()).not.toContain(url);
    expect((await registry.post('/api/me/agents', enrolled, acme.token)).json()).toMatchObject({ code: 'blocked' });
    await operate('blocked/end', { kind: 'agent', name: url });
    expect((await registry.post('/api/me/agents', enrolled, acme.token)).status).toBeLessThan(300);

    await operate('blocked', { kind: 'organization', name: 'acme', reason: 'unpaid' });
    expect(await status('/api/me/agents', acme.token)).toBe(401);
    expect(await listed()).not.toContain(url);
    await operate('blocked/end', { kind: 'organization', name: acme.org_id });
    expect(await answer('/api/me/agents', acme.token)).toMatchObject({ agents: [{ url, visibility: 'private' }] });
    await expect(operate('blocked', { kind: 'agent', name: 'nothing', reason: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is let in again, and its hold ended, by the name it is listed under, also where that is no domain', async () => {
    const name = 'bad..example';
    const { store } = registry.server().registry;
    const row = { kind: 'domain', name, reason: 'typed before names were checked' } as const;
    const at = '2026-01-01T00:00:00.000Z';
    await store.transact(async (tx) => {
      await tx.blocked.put({ ...row, blocked_by: 'operator', blocked_at: at });
      await tx.legal_hold.put({ ...row, held_by: 'operator', held_at: at });
    });
    const end = (what: string) => operate(`${what}/end`, { kind: 'domain', name, reason: 'over' });
    for (const what of ['blocked', 'holds']) {
      expect(await end(what)).toEqual({ kind: 'domain', name });
      await expect(end(what)).rejects.toMatchObject({ code: 'invalid_domain' });
    }
    expect(await operate('crawls')).toEqual({ crawls: [] });
  });
});
