import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/platform/kernel/clock.js';
import { clearActs } from '../../../../src/registry/server/service/acts.js';
import { pruneFeed } from '../../../../src/registry/server/service/feed/feed.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';

const DOMAIN = 'gone.example';
const AGENT = 'https://ads.gone.example/mcp';
const SECRET = 'Secret Site';
const SERVICE = { policy: { ownership: 'off', lookAlikes: 'off', liveLookups: false } } as const;

let registry: BootedRegistry;
let standby: BootedRegistry;
let acme: { readonly org_id: string; readonly token: string };
let reader: string;

const operate = (path: string, body?: object): Promise<object> =>
  registry.server().operate({ path: `/api/admin/${path}`, ...(body !== undefined && { body }) });
const file = (domain: string) => ({
  domain,
  text: JSON.stringify({
    properties: [
      { property_id: 'p', property_type: 'website', name: SECRET, identifiers: [{ type: 'domain', value: domain }] },
    ],
    authorized_agents: [{ url: AGENT, authorized_for: 'all', authorization_type: 'property_ids', property_ids: ['p'] }],
  }),
});
const saveBoth = async (domain: string, token = acme.token): Promise<number[]> => {
  const hosted = { publisher_domain: domain, authorized_agents: [], properties: [{ type: 'website', name: SECRET }] };
  const answers = [
    await registry.post('/api/properties/save', hosted, token),
    await registry.post('/api/brands/save', { domain, brand_name: SECRET }, token),
  ];
  return answers.map(({ status }) => status);
};
const enrol = async (url: string): Promise<number> =>
  (await registry.post('/api/me/agents', { url, type: 'sales', name: SECRET, visibility: 'public' }, acme.token))
    .status;

/** Returns every row of a registry that holds a text, but those of the feed and of what the operator did. */
async function rowsWith(text: string, { server }: BootedRegistry = registry): Promise<readonly string[]> {
  const { read } = server().registry.store;
  const tables = [
    ...(['property', 'brand', 'agent', 'publisher'] as const).map((noun) => ({ noun, page: read[noun].page('', 500) })),
    ...(['entry', 'revision', 'review', 'member', 'member_agent', 'api_key', 'organization', 'ownership'] as const).map(
      (noun) => ({ noun, page: read[noun].page('', 500) }),
    ),
  ];
  const found = await Promise.all(
    tables.map(async ({ noun, page }) =>
      (await (page as Promise<readonly object[]>)).map((row) => [noun, row] as const),
    ),
  );
  return found.flatMap((rows) => rows.filter(([, row]) => JSON.stringify(row).includes(text)).map(([noun]) => noun));
}

beforeAll(async () => {
  registry = await bootRegistry({ service: SERVICE });
  acme = await registry.member('acme');
  reader = (await registry.member('reader')).token;
  const { token } = await registry.member('operator', 'admin');
  const mirror = { url: registry.baseUrl, token, isStandby: true };
  standby = await bootRegistry({ mirror, service: SERVICE, clock: registry.clock });
});

describe('what an operator removes for good', () => {
  it('a domain loses its entries, their history, its brand and what its file said, and nothing brings it back', async () => {
    expect(await saveBoth(DOMAIN)).toEqual([200, 200]);
    await operate('import', { files: [file(DOMAIN)] });
    await standby.server().tick();
    expect(new Set(await rowsWith(SECRET, standby))).toEqual(new Set(['property', 'brand', 'entry', 'revision']));
    const removed = { kind: 'domain', name: `www.${DOMAIN}`, reason: 'court order 7' };
    expect(await operate('removed', removed)).toMatchObject({ name: DOMAIN, removed_at: expect.any(String) });
    expect(await rowsWith(SECRET)).toEqual([]);
    await standby.server().tick();
    expect(await rowsWith(SECRET, standby)).toEqual([]);
    const { events } = (await registry.get('/api/registry/feed?limit=500', reader)).json() as {
      readonly events: readonly { readonly payload: object }[];
    };
    expect(events.at(-1)?.payload).toMatchObject({ reason: 'removed', publisher_domain: DOMAIN });
    expect(await saveBoth(DOMAIN)).toEqual([403, 403]);
    expect(await operate('import', { files: [file(DOMAIN)] })).toMatchObject({ publishers: 0 });
    await registry.server().tick();
    expect(await rowsWith(SECRET)).toEqual([]);
    const { acts } = (await operate('acts')) as { readonly acts: readonly object[] };
    expect(acts).toContainEqual(expect.objectContaining({ action: 'adminRemove', reason: 'court order 7' }));
    await operate('blocked/end', { kind: 'domain', name: DOMAIN });
    expect((await registry.get(`/api/brands/history?domain=${DOMAIN}`)).status).toBe(404);
    expect(await saveBoth(DOMAIN)).toEqual([200, 200]);
  });

  it('an agent, a member and an organization with its keys, people, agents and entries', async () => {
    const other = await registry.member('other');
    await operate('members', { organization: 'other', subject: 'sub-1', name: SECRET });
    await operate('removed', { kind: 'member', name: 'sub-1', reason: 'left' });
    const again = { organization: 'other', subject: 'sub-1', name: 'Again' };
    await expect(operate('members', again)).rejects.toMatchObject({ code: 'blocked' });
    expect(await enrol(AGENT)).toBeLessThan(300);
    await operate('removed', { kind: 'agent', name: AGENT, reason: 'malware' });
    expect(await enrol(AGENT)).toBe(403);
    await operate('members', { organization: 'other', subject: 'sub-2', name: SECRET });
    expect(await saveBoth('theirs.example', other.token)).toEqual([200, 200]);
    await operate('removed', { kind: 'organization', name: 'other', reason: 'a fraud' });
    expect(await rowsWith(other.org_id)).toEqual(['organization']);
    expect((await rowsWith('theirs.example')).filter((noun) => noun !== 'property')).toEqual([]);
    expect((await registry.get('/api/me/agents', other.token)).status).toBe(401);
    await expect(operate('organizations', { slug: 'other', name: 'Other' })).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

describe('a legal hold', () => {
  it('has removals refused with who holds it and why, of what belongs to an organization under a hold too, until it ends', async () => {
    const url = 'https://held.example/mcp';
    expect(await enrol(url)).toBeLessThan(300);
    expect(await saveBoth('held.example')).toEqual([200, 200]);
    await operate('holds', { kind: 'organization', name: 'acme', reason: 'case 12' });
    const held = { code: 'legal_hold', extras: { details: { held: { reason: 'case 12', held_by: 'operator' } } } };
    for (const [path, kind, name] of [
      ['removed', 'organization', 'acme'],
      ['removed', 'domain', 'held.example'],
      ['removed', 'agent', url],
      ['blocked', 'domain', 'held.example'],
      ['blocked', 'agent', url],
    ] as const)
      await expect(operate(path, { kind, name, reason: 'x' }), `${path} ${kind}`).rejects.toMatchObject(held);
    await expect(operate('agents/remove', { url })).rejects.toMatchObject({ code: 'legal_hold' });
    const own = await registry.request('DELETE', `/api/me/agents/${encodeURIComponent(url)}`, { token: acme.token });
    expect([own.status, own.text.includes('case 12')]).toEqual([409, false]);
    expect(await rowsWith(url)).toContain('member_agent');
    await operate('holds/end', { kind: 'organization', name: 'acme', reason: 'settled' });
    await expect(operate('holds/end', { kind: 'organization', name: 'acme', reason: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await operate('removed', { kind: 'agent', name: url, reason: 'malware' });
    expect(await rowsWith(url)).not.toContain('member_agent');
  });

  it('keeps feed and acts from what clears them, and readers of the feed do not see what is over', async () => {
    const { store } = registry.server().registry;
    for (const name of ['kept.example', 'cleared.example']) await operate('import', { files: [file(name)] });
    await operate('holds', { kind: 'domain', name: 'kept.example', reason: 'case 13' });
    registry.clock.advance(800 * DAY_MS);
    const nowMs = registry.clock.now();
    await operate('crawls', { domains: ['new.example'] });
    await clearActs(store, nowMs);
    while ((await pruneFeed(store, registry.clock)) > 0);
    const about = async (name: string) => {
      const events = await store.read.events.page('', 1000);
      const { acts } = (await operate('acts')) as { readonly acts: readonly { readonly subject: string }[] };
      return [
        events.some((one) => JSON.stringify(one).includes(name)),
        acts.some(({ subject }) => subject.includes(name)),
      ];
    };
    expect(await about('kept.example')).toEqual([true, true]);
    expect(await about('cleared.example')).toEqual([false, false]);
    const fresh = (await registry.member('late')).token;
    const { events } = (await registry.get('/api/registry/feed?limit=500', fresh)).json() as {
      readonly events: readonly object[];
    };
    expect(events).toEqual([]);
    await operate('holds/end', { kind: 'domain', name: 'kept.example', reason: 'settled' });
    await clearActs(store, nowMs + 800 * DAY_MS);
    expect((await about('kept.example'))[1]).toBe(false);
  });
});
