import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/platform/kernel/clock.js';
import { boot } from '../../kit/boot.js';
import { consoleAs, localConsole } from '../../kit/console.js';
import { send } from '../../kit/http.js';
import { serveOrigins } from '../../kit/origins.js';
import { FAILING_PUBLISHER, fillRegistry, WITH_REGISTRY } from '../../kit/served-registry.js';
import { tenantsFolder } from '../../kit/tenants.js';

const origins = await serveOrigins([FAILING_PUBLISHER]);
const tenants = tenantsFolder((tenant) => Object.assign(tenant, { outbound: { resolve: origins.resolve } }));
const server = await boot({ tenants, ids: 'system', ...WITH_REGISTRY });
const { keyId, organizationId, reviewId, token } = await fillRegistry(server);
const admin = await localConsole(server);
let ending = '';

/** The acts of a name that are stored, the newest first. */
async function actsOf(action: string) {
  const { audit } = server.server().app.store.read;
  return (await audit.list({ limit: 50, after: undefined }, { actor: undefined, action })).filter(
    ({ phase }) => phase !== 'begun',
  );
}

describe('the registry in the console', () => {
  test('is no screen where none is served', async () => {
    const alone = await localConsole(await boot());
    expect((await alone.get('/console')).text).not.toContain('/console/registry');
    expect((await alone.get('/console/registry')).status).toBe(404);
  });

  test('shows why a publisher cannot be read, what to do, and has it read again at once', async () => {
    const { text } = await admin.get('/console/registry');
    expect(text).toContain(`/console/registry/publishers/${FAILING_PUBLISHER}`);
    expect(text).toContain('Serve /.well-known/adagents.json on the domain');
    const { read } = await admin
      .get(`/console/registry/publishers/${FAILING_PUBLISHER}`)
      .then((page) => ({ read: page.text }));
    expect(read).toContain('Failures in a row');
    expect(read).toContain('href="/console/registry/publishers" aria-current="true"');
    expect(text).toContain('href="/console/registry" aria-current="page">Overview');
    const asked = origins.asked.length;
    const sent = await admin.post('/console/registry/crawl', { domains: FAILING_PUBLISHER, from: 'publisher' });
    expect(sent.headers.location).toBe(`/console/registry/publishers/${FAILING_PUBLISHER}`);
    expect((await admin.get('/console/registry')).text).toContain('1 publisher will be read with the next round.');
    await expect.poll(() => origins.asked.length, { timeout: 30_000 }).toBeGreaterThan(asked);
  });

  test('says what is wrong with a domain that is to be read, and stores that it was refused', async () => {
    await admin.post('/console/registry/crawl', { domains: 'not a domain!' });
    const { text } = await admin.get('/console/registry');
    expect(text).toMatch(
      /role="alert"[^>]*>[^<]*&quot;Domains, with commas&quot; is not a valid domain\. Send a host name/,
    );
    expect((await actsOf('registry.crawl'))[0]).toMatchObject({ phase: 'refused' });
  });

  test('shows a submission with what was sent, and publishes it once a moderator was asked and approved it', async () => {
    const resolve = () => fetch(`${server.baseUrl}/api/brands/resolve?domain=acrne.example`);
    const page = `/console/registry/reviews/${reviewId}`;
    expect((await admin.get('/console/registry')).text).toContain(page);
    expect((await admin.get(page)).text).toContain('&quot;brand_name&quot;: &quot;Acrne&quot;');
    expect((await admin.get('/console')).text).toMatch(/Registry <span class="count">1</);
    const asked = await admin.post(page, { decision: 'approve' });
    expect(asked.text).toContain('Approve this submission?');
    expect((await resolve()).status).toBe(404);
    expect(asked.text).toContain('name="reason"');
    await admin.post(page, { decision: 'approve', confirmed: 'yes', reason: 'It is another company' });
    expect((await resolve()).status).toBe(200);
    expect((await admin.get('/console/registry')).text).toContain('The brand of acrne.example is approved.');
    await admin.post(page, { decision: 'reject', confirmed: 'yes' });
    expect((await admin.get(page)).text).toContain('This was approved already.');
    expect((await actsOf('registry.decide_review')).map(({ actor, detail, phase }) => [actor, phase, detail])).toEqual([
      ['local operator', 'refused', 'This was approved already.'],
      ['local operator', 'done', 'approve: It is another company'],
    ]);
    const decided = (await admin.get('/console/registry/reviews')).text;
    for (const shown of [page, 'acrne.example', 'local operator', 'It is another company'])
      expect(decided).toContain(shown);
    expect((await admin.get('/console/registry/reviews?state=rejected')).text).toContain('None was rejected.');
  });

  test('shows why an agent of a member cannot be visited, what to do, and has it visited again', async () => {
    const url = 'https://ads.acme.example/mcp';
    const overview = async () => (await admin.get('/console/registry')).text;
    await expect.poll(overview, { timeout: 30_000 }).toContain(`<small>${url}</small>`);
    const { text } = await admin.get('/console/registry');
    expect(text).toContain('<b>1</b><span>Failing agents</span>');
    expect(text).toContain('Check the spelling of the host and its DNS records.');
    await admin.post('/console/registry/visit', { url });
    expect(await overview()).toContain(`${url} will be visited with the next round.`);
    await admin.post('/console/registry/visit', { url: 'https://nobody.example/mcp' });
    expect(await overview()).toContain('This registry visits no agent of this URL.');
    expect((await actsOf('registry.visit_agent')).map(({ phase, subject }) => [phase, subject])).toEqual([
      ['refused', 'https://nobody.example/mcp'],
      ['done', url],
    ]);
  });

  test('brings an entry back to an earlier revision once who may was asked, and stores who did', async () => {
    const page = '/console/registry/entries/brand/acme.example';
    const nameNow = async () => {
      const answer = await fetch(`${server.baseUrl}/api/brands/resolve?domain=acme.example`);
      return ((await answer.json()) as { brand_name?: string }).brand_name;
    };
    await send(`${server.baseUrl}/api/brands/save`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ domain: 'acme.example', brand_name: 'Acme, misspelt' }),
    });
    expect((await admin.get('/console/registry/entries')).text).toContain(page);
    const { text } = await admin.get(page);
    expect(text).toContain('Acme, misspelt');
    expect(text.match(/>Roll back</g)).toHaveLength(1);
    const asked = await admin.post(page, { revision: '1' });
    expect(asked.text).toContain('Roll back to revision 1?');
    expect(await nameNow()).toBe('Acme, misspelt');
    await admin.post(page, { revision: '1', confirmed: 'yes' });
    expect(await nameNow()).toBe('Acme');
    const after = (await admin.get(page)).text;
    expect(after).toContain('Rolled back to revision 1');
    expect(after).toContain('operator');
    await admin.post(page, { revision: '99', confirmed: 'yes' });
    expect(
      (await actsOf('registry.roll_back')).map(({ actor, detail, phase, subject }) => [actor, phase, subject, detail]),
    ).toEqual([
      ['local operator', 'refused', 'brand acme.example', 'There is no earlier revision of this number.'],
      ['local operator', 'done', 'brand acme.example', 'to revision 1'],
    ]);
  });

  test('makes a key that holds until it is revoked, and shows it once', async () => {
    const made = await admin.post('/console/registry/members/keys/new', {
      organization: organizationId,
      name: 'for a test',
      role: 'moderator',
    });
    const [token = ''] = /sk_[\w-]+/.exec(made.text) ?? [];
    const callWith = () =>
      fetch(`${server.baseUrl}/api/admin/reviews`, { headers: { authorization: `Bearer ${token}` } });
    expect((await callWith()).status).toBe(200);
    const page = await admin.get(`/console/registry/members/${organizationId}`);
    expect(page.text).not.toContain(token);
    const key = /for a test<small>([^<]+)/.exec(page.text)?.[1];
    await admin.post('/console/registry/members/keys/revoke', { organization: organizationId, key, confirmed: 'yes' });
    expect((await callWith()).status).toBe(401);
    expect((await actsOf('registry.create_key')).map(({ actor, detail }) => [actor, detail])).toEqual([
      ['local operator', 'for a test as moderator'],
      ['command line', 'nightly export'],
    ]);
  });

  test('lists the keys of all members with when each was used last and when it ends', async () => {
    const made = await admin.post('/console/registry/members/keys/new', {
      organization: organizationId,
      name: 'for a month',
      role: 'moderator',
      days: '30',
    });
    [ending = ''] = /sk_[\w-]+/.exec(made.text) ?? [];
    const { text } = await admin.get('/console/registry/keys');
    expect(text).not.toContain(ending);
    const rowOf = (name: string) => text.split('<tr').find((row) => row.includes(`${name}<small>`)) ?? '';
    expect(rowOf('nightly export')).toContain('Acme Media');
    expect(rowOf('nightly export')).not.toContain('never');
    expect(rowOf('nightly export')).toContain('when it is revoked');
    expect(rowOf('for a month')).toContain('never');
    expect(rowOf('for a month')).not.toContain('when it is revoked');
  });

  test('gives a badge to an agent of a member, and takes it back with why once who may was asked', async () => {
    const [url, page] = ['https://ads.acme.example/mcp', `/console/registry/members/${organizationId}`];
    const fields = { organization: organizationId, url, role: 'media-buy' };
    await admin.post('/console/registry/members/badges/give', {
      ...fields,
      specialisms: 'sales-guaranteed',
      modes: 'spec',
    });
    expect((await admin.get(page)).text).toContain('<div>sales-guaranteed</div>');
    const asked = await admin.post('/console/registry/members/badges/take', { ...fields, reason: 'bots' });
    expect(asked.text).toContain('Take this badge back?');
    await admin.post('/console/registry/members/badges/take', { ...fields, reason: 'bots', confirmed: 'yes' });
    expect((await admin.get(page)).text).toContain('No agent of it has a badge.');
    const revoked = await fetch(`${server.baseUrl}/api/registry/badges/revoked`);
    expect(await revoked.json()).toMatchObject({ revoked: [{ agent_url: url, reason: 'bots' }] });
    expect((await actsOf('registry.take_badge'))[0]).toMatchObject({
      phase: 'done',
      subject: url,
      detail: 'media-buy: bots',
    });
  });

  test('holds and removes for good once who may was asked, and says what a hold refuses', async () => {
    const thing = { kind: 'domain', name: 'acme.example', reason: 'court order 7' };
    const blocks = async () => (await admin.get('/console/registry/blocks')).text;
    await admin.post('/console/registry/blocks/hold', { ...thing, reason: 'case 12' });
    expect(await blocks()).toContain('case 12');
    const asked = await admin.post('/console/registry/blocks/remove', thing);
    expect(asked.text).toContain('Remove this for good?');
    await admin.post('/console/registry/blocks/remove', { ...thing, confirmed: 'yes' });
    expect(await blocks()).toContain('is under a legal hold (case 12)');
    await admin.post('/console/registry/blocks/add', { ...thing, reason: '', confirmed: 'yes' });
    expect(await blocks()).toContain('&quot;Why&quot; is empty');
    expect((await fetch(`${server.baseUrl}/api/brands/history?domain=acme.example`)).status).toBe(200);
    await admin.post('/console/registry/blocks/release', { ...thing, reason: 'settled', confirmed: 'yes' });
    await admin.post('/console/registry/blocks/remove', { ...thing, confirmed: 'yes' });
    expect(await blocks()).toContain('removed</');
    expect((await fetch(`${server.baseUrl}/api/brands/history?domain=acme.example`)).status).toBe(404);
    expect((await actsOf('registry.remove')).map(({ detail, phase }) => [phase, detail])).toEqual([
      ['done', 'court order 7'],
      ['refused', expect.stringContaining('legal hold')],
    ]);
  });

  test.each([
    ['view', 'crawl', { domains: 'acme.example' }],
    ['view', `reviews/unknown`, { decision: 'approve' }],
    ['view', 'entries/brand/acme.example', { revision: '1' }],
    ['view', 'visit', { url: 'https://ads.acme.example/mcp' }],
    ['operate', 'members/new', { slug: 'other' }],
    ['operate', 'members/keys/new', { organization: organizationId, role: 'admin' }],
    ['operate', 'members/keys/revoke', { organization: organizationId, key: keyId }],
    ['operate', 'members/people', { organization: organizationId, subject: 'me', role: 'admin' }],
    ['operate', 'members/badges/give', { url: 'https://ads.acme.example/mcp', role: 'media-buy' }],
    ['operate', 'members/badges/take', { url: 'https://ads.acme.example/mcp', role: 'media-buy' }],
    ['view', 'blocks/add', { kind: 'domain', name: 'a.example', reason: 'x' }],
    ['operate', 'blocks/remove', { kind: 'domain', name: 'a.example', reason: 'x' }],
    ['operate', 'blocks/hold', { kind: 'domain', name: 'a.example', reason: 'x' }],
    ['operate', 'blocks/release', { kind: 'domain', name: 'a.example', reason: 'x' }],
    ['operate', 'members/agents/remove', { url: 'https://ads.acme.example/mcp' }],
  ] as const)('does not let the role %s do %s', async (role, route, fields) => {
    const somebody = await consoleAs(server, role);
    const { status, text } = await somebody.post(`/console/registry/${route}`, { ...fields, confirmed: 'yes' });
    expect([status, text.includes('Your role does not allow this')]).toEqual([403, true]);
    expect((await somebody.get('/console/registry/members')).text).not.toContain('A new organization');
  });

  test('takes an agent out of the catalog', async () => {
    const url = 'https://ads.acme.example/mcp';
    const page = `/console/registry/members/${organizationId}`;
    expect((await admin.get(page)).text).toContain(url);
    await admin.post('/console/registry/members/agents/remove', {
      organization: organizationId,
      url,
      confirmed: 'yes',
    });
    expect((await admin.get(page)).text).not.toContain(`<small>${url}</small>`);
  });

  test('a key that was made for some days opens nothing after them', async () => {
    const callWith = () =>
      fetch(`${server.baseUrl}/api/admin/reviews`, { headers: { authorization: `Bearer ${ending}` } });
    expect((await callWith()).status).toBe(200);
    server.clock.advance(31 * DAY_MS);
    expect((await callWith()).status).toBe(401);
  });
});
