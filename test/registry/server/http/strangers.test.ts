import { describe, expect, it } from 'vitest';
import { LIMIT_RULES, type LimitChanges, STRANGER_RULES } from '../../../../src/registry/settings.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';

const HOUR_MS = 3_600_000;

function bootPublic(limits: LimitChanges, development = false): Promise<BootedRegistry> {
  return bootRegistry({ service: { limits }, settings: { development } });
}

/** The statuses of the same request, sent `times` times. */
async function statusesOf(times: number, send: () => Promise<{ readonly status: number }>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < times; sent += 1) statuses.push((await send()).status);
  return statuses;
}

const calls = (points: number): LimitChanges => ({ stranger_calls: { points, windowMs: HOUR_MS } });

describe('limits of strangers at a registry', () => {
  it('count every request of an address without a credential, also one that nothing is served for', async () => {
    const registry = await bootPublic(calls(4));
    const paths = ['/api/registry/stats', '/api/brands/resolve?domain=leaf.example', '/api/nothing', '/api'];
    for (const path of paths) expect((await registry.get(path)).status).not.toBe(429);
    const refused = await registry.get('/api/registry/stats');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.json()).toMatchObject({
      code: 'rate_limited',
      limit: 4,
      suggestion: expect.stringContaining('Wait'),
    });
    expect((await registry.get('/api/nothing')).status).toBe(429);
    expect((await registry.request('OPTIONS', '/api/registry/stats')).status).toBe(429);
  });

  it('count what was asked before like what was not', async () => {
    const registry = await bootPublic(calls(3));
    const path = `/api/registry/validate/property-authorization?agent_url=${encodeURIComponent('https://a.example/mcp')}&identifier_type=bundle_id&identifier_value=com.none`;
    expect(await statusesOf(4, () => registry.get(path))).toEqual([200, 200, 200, 429]);
  });

  it('leave health to a balancer, and members to the limits of their own', async () => {
    const registry = await bootPublic(calls(1));
    const { token } = await registry.member('acme');
    expect(await statusesOf(2, () => registry.get('/api/registry/operator?domain=leaf.example'))).toEqual([200, 429]);
    expect(await statusesOf(3, () => registry.get('/healthz'))).toEqual([200, 200, 200]);
    const asMember = await statusesOf(3, () => registry.get('/api/registry/operator?domain=leaf.example', token));
    expect(asMember).toEqual([200, 200, 200]);
  });

  it('count credentials that are not valid apart from calls without one', async () => {
    const registry = await bootPublic({ stranger_failures: { points: 2, windowMs: HOUR_MS } });
    const guesses = await statusesOf(3, () => registry.post('/api/brands/save', {}, 'guessed'));
    expect(guesses).toEqual([401, 401, 429]);
    expect((await registry.get('/api/registry/operator?domain=leaf.example', 'guessed')).status).toBe(429);
    expect((await registry.get('/api/registry/operator?domain=leaf.example')).status).toBe(200);
  });

  it('count the bytes of bodies', async () => {
    const registry = await bootPublic({ bulk: false, stranger_bytes: { points: 3000, windowMs: HOUR_MS } });
    const domains = Array.from({ length: 60 }, (_, index) => `publisher-${index}.example`);
    const resolve = (): ReturnType<BootedRegistry['post']> => registry.post('/api/brands/resolve/bulk', { domains });
    expect(await statusesOf(3, resolve)).toEqual([200, 200, 429]);
  });

  it('hold for /mcp as for the REST API', async () => {
    const registry = await bootPublic(calls(1));
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const statuses = await statusesOf(2, () => registry.post('/mcp', list));
    expect(statuses[0]).not.toBe(429);
    expect(statuses[1]).toBe(429);
    const narrow = await bootPublic({ stranger_bytes: { points: 10, windowMs: HOUR_MS } });
    const refused = await narrow.post('/mcp', list);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('count nobody in development mode, where every address is this machine', async () => {
    const registry = await bootPublic(calls(1), true);
    expect(await statusesOf(3, () => registry.get('/api/registry/stats'))).not.toContain(429);
  });

  it('lie far above the limits of the public contract', () => {
    const { stranger_bytes, stranger_calls } = STRANGER_RULES;
    const perMinute = ({ points, windowMs }: { points: number; windowMs: number }): number =>
      (points * 60_000) / windowMs;
    const contract = Math.max(...Object.values(LIMIT_RULES).map((rule) => (rule === false ? 0 : perMinute(rule))));
    expect(perMinute(stranger_calls)).toBeGreaterThan(100 * contract);
    // Both bulk endpoints, each with its largest body as often as a minute allows, all at once.
    expect(stranger_bytes.points).toBeGreaterThan(2 * LIMIT_RULES.bulk.points * 1024 * 1024);
  });
});
