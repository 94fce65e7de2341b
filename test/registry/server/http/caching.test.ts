import { get as httpGet, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, send } from '../../../kit/http.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';

const RESOLVE = '/api/brands/resolve?domain=acme.example';
const LONG = 'A brand of many words. '.repeat(200);

let registry: BootedRegistry;
let token: string;

/** An answer with its body as it came. */
function fetchRaw(url: string, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const outgoing = httpGet(url, { headers }, async (incoming) => {
      const bytes = Buffer.concat(await incoming.toArray());
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes });
    });
    outgoing.on('error', reject);
  });
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> =>
  send(`${registry.baseUrl}${path}`, { method: 'GET', headers });

const save = (description: string): Promise<HttpAnswer> =>
  registry.post(
    '/api/brands/save',
    { domain: 'acme.example', brand_name: 'Acme', brand_manifest: { description } },
    token,
  );

beforeAll(async () => {
  registry = await bootRegistry({ service: { policy: { ownership: 'off' } } });
  ({ token } = await registry.member('acme'));
  expect((await save(LONG)).status).toBe(200);
});

describe('answers of the registry', () => {
  it.each([RESOLVE, '/api/brands/resolve?domain=nobody.example', '/api/registry/feed', '/docs', '/nowhere'])(
    'tell browsers to take %s for what it says it is',
    async (path) => {
      expect((await get(path)).headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it('to public reads are asked again with their ETag, until they change', async () => {
    const { headers } = await get(RESOLVE);
    const etag = String(headers.etag);
    expect([etag.startsWith('W/"'), headers['cache-control']]).toEqual([true, 'no-cache']);
    const strong = etag.slice(2);
    for (const given of [etag, strong, `"other", ${etag}`, `W/"a, b",${strong} , "c"`, '*']) {
      const same = await get(RESOLVE, { 'if-none-match': given });
      expect([given, same.status, same.text, same.headers.etag]).toEqual([given, 304, '', etag]);
    }
    for (const given of ['"other"', 'W/"other", "more"', strong.slice(1, -1)]) {
      expect((await get(RESOLVE, { 'if-none-match': given })).status).toBe(200);
    }
    await save(`${LONG} More.`);
    expect((await get(RESOLVE, { 'if-none-match': etag })).status).toBe(200);
    for (const _again of [1, 2]) expect((await get(RESOLVE)).text).toContain('More.');
    const path = '/api/brands/resolve?domain=blocked.example';
    expect(
      (await registry.post('/api/brands/save', { domain: 'blocked.example', brand_name: 'Blocked' }, token)).status,
    ).toBe(200);
    for (const _again of [1, 2]) expect((await get(path)).status).toBe(200);
    const body = { kind: 'domain', name: 'blocked.example', reason: 'asked for' };
    await registry.server().operate({ path: '/api/admin/blocked', body });
    expect((await get(path)).status).toBe(404);
  });

  it('are compressed for whoever asks for gzip, and plain for whoever asks for identity', async () => {
    const read = async (accepted: string | undefined) => {
      const headers = accepted === undefined ? undefined : { 'accept-encoding': accepted };
      return fetchRaw(`${registry.baseUrl}${RESOLVE}`, headers);
    };
    const plain = await read(undefined);
    for (const accepted of ['gzip', 'br, gzip;q=0.8', '*']) {
      const packed = await read(accepted);
      expect([accepted, packed.headers['content-encoding'], packed.headers.vary]).toEqual([
        accepted,
        'gzip',
        'accept-encoding',
      ]);
      expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    }
    for (const accepted of ['identity', 'gzip;q=0', 'br', 'identity, gzip;q=0.5', '*;q=0']) {
      const answer = await read(accepted);
      expect([accepted, answer.headers['content-encoding']]).toEqual([accepted, undefined]);
      expect(answer.bytes.equals(plain.bytes)).toBe(true);
    }
  });

  it('give the snapshot of authorizations plain to whoever asks for identity', async () => {
    const url = `${registry.baseUrl}/api/registry/authorizations/snapshot`;
    const authorization = `Bearer ${token}`;
    const plain = await fetchRaw(url, { authorization, 'accept-encoding': 'identity' });
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    const packed = await fetchRaw(url, { authorization });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    for (const given of [`W/${packed.headers.etag}`, `"x", ${packed.headers.etag}`]) {
      expect((await fetchRaw(url, { authorization, 'if-none-match': given })).status).toBe(304);
    }
  });
});
