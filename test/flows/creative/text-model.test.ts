import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { text as readStream } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/platform/kernel/errors.js';
import { serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { picture, rendererClient, type WireManifest } from '../../kit/renderer.js';
import { temporaryFolder } from '../../kit/surroundings.js';
import { shippedTenant, writeTenant } from '../../kit/tenants.js';

const KEY = 'key-of-the-text-endpoint-0123456789';
const ENV = { TEXT_KEY: KEY };
const MESSAGE = 'Summer sale: 20% off trail running shoes until Sunday';
const WORDS = { headline: 'Run further', body: 'Shoes that <b>forget</b> the road.', call_to_action: 'Find your pair' };

type Asked = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** A text endpoint at `/v1` and at the root of a real server; what it was asked stands in `asked`. */
async function textEndpoint(answer: (response: ServerResponse) => void): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const listener: RequestListener = async (request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers, body: await readStream(request) });
    answer(response);
  };
  const paths = ['/v1/chat/completions', '/chat/completions', '/other'];
  const { origin } = await serveAssets(Object.fromEntries(paths.map((path) => [path, listener])));
  return { url: origin, asked };
}

function say(content: unknown, status = 200): (response: ServerResponse) => void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: text } }] }));
  };
}

/** A folder of creative tenants, each with its endpoint, and `plain` with none. */
function tenantsWith(endpoints: Readonly<Record<string, object>>): string {
  const folder = temporaryFolder('seller-agent-tenants-');
  const tenant = { ...shippedTenant('creative'), public_sandbox: true };
  writeTenant(folder, tenant, 'plain');
  for (const [name, llm] of Object.entries(endpoints)) writeTenant(folder, { ...tenant, llm }, name);
  return folder;
}

const BRAND = { domain: 'acme-outdoor.example', name: 'Acme Outdoor' };

async function build(server: Booted, tenant: string): Promise<WireManifest['assets']> {
  const { format, must } = rendererClient(server, { tenant });
  const request = { message: MESSAGE, brand: BRAND, target_format_id: format('display_300x250') };
  return (await must('build_creative', request)).creative_manifest.assets;
}

/** The headlines of a campaign in three sizes. */
async function campaign(server: Booted): Promise<readonly (string | undefined)[]> {
  const { format, must } = rendererClient(server);
  const target_format_ids = ['display_300x250', 'display_728x90', 'display_320x50'].map(format);
  const answer = await must('build_creative', { message: MESSAGE, brand: BRAND, target_format_ids });
  return answer.creative_manifests.map(({ assets }) => assets.headline?.content);
}

describe('a tenant with a text endpoint', () => {
  let endpoint: Awaited<ReturnType<typeof textEndpoint>>;
  let server: Booted;
  let builtIn: WireManifest['assets'];
  let answer: (response: ServerResponse) => void;

  beforeAll(async () => {
    endpoint = await textEndpoint((response) => answer(response));
    const common = { model: 'copy-1', api_key: { env: 'TEXT_KEY' } };
    const tenants = tenantsWith({
      creative: { ...common, base_url: `${endpoint.url}/v1/` },
      hasty: { ...common, base_url: `${endpoint.url}/v1`, timeout_ms: 100 },
      gone: { ...common, base_url: 'http://127.0.0.1:1' },
      open: { model: 'copy-2', base_url: endpoint.url },
    });
    server = await boot({ tenants, env: ENV });
    builtIn = await build(server, 'plain');
  });
  beforeEach(() => {
    endpoint.asked.length = 0;
    answer = say(WORDS);
  });

  test('has its words in what it builds, cleaned, and asks with model, key and brief', async () => {
    const before = server.log.length;
    const { headline } = await build(server, 'creative');
    expect(headline?.content).toBe('Run further');
    expect(endpoint.asked).toHaveLength(1);
    const [{ path, headers, body } = { path: '', headers: {}, body: '{}' }] = endpoint.asked;
    expect(path).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    const request = JSON.parse(body);
    expect(request.model).toBe('copy-1');
    expect(JSON.parse(request.messages[1].content)).toMatchObject({ brief: expect.stringContaining('trail running') });
    expect(server.log.slice(before)).toEqual([]);
  });

  test('asks once for all sizes of a campaign, which say the same', async () => {
    expect(await campaign(server)).toEqual(['Run further', 'Run further', 'Run further']);
    expect(endpoint.asked).toHaveLength(1);
  });

  test('sends no key where none is configured', async () => {
    await build(server, 'open');
    expect(endpoint.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/chat/completions', undefined],
    ]);
  });

  test('that has none asks nobody', async () => {
    expect(await build(server, 'plain')).toEqual(builtIn);
    expect(builtIn.headline?.content).toContain('20% off');
    expect(endpoint.asked).toEqual([]);
  });

  const failures: readonly (readonly [
    what: string,
    tenant: string,
    answer: (response: ServerResponse) => void,
    reason: RegExp,
  ])[] = [
    ['nobody answers', 'gone', say(WORDS), /nothing answers there/],
    ['it answers never', 'hasty', () => undefined, /in time/],
    ['a status', 'creative', say(WORDS, 500), /answered 500/],
    ['a refusal that repeats the key', 'creative', say(`Bearer ${KEY} is not known`, 401), /answered 401/],
    ['a redirect', 'creative', (response) => response.writeHead(307, { location: '/other' }).end(), /answered 307/],
    ['no JSON', 'creative', (response) => response.end(`<html>${KEY}`), /something else than the agreed JSON/],
    ['prose that repeats the key', 'creative', say(`Sure: ${KEY}`), /something else than the agreed JSON/],
    ['a text left out', 'creative', say({ headline: 'x' }), /a text that is none/],
    ['an empty headline', 'creative', say({ ...WORDS, headline: ' ' }), /left a text out/],
    ['a headline without end', 'creative', say({ ...WORDS, headline: 'Run '.repeat(500) }), /more than twice/],
    ['an answer that is too large', 'creative', say({ ...WORDS, more: 'x'.repeat(100_000) }), /larger than allowed/],
    [
      'an answer that breaks off',
      'creative',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"choices":', () => response.destroy());
      },
      /could not be fetched/,
    ],
  ];

  test.each(failures)('falls back on its own writer, and says so once: %s', async (_what, tenant, given, reason) => {
    answer = given;
    const before = server.log.length;
    // The address of a picture is its owner's alone.
    const owned = { ...builtIn, image: { ...builtIn.image, url: expect.any(String) } };
    expect(await build(server, tenant)).toEqual(owned);
    const lines = server.log.slice(before);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 'warn', text: expect.stringMatching(reason) });
    expect(lines[0]?.text).toContain(`"tenant":"${tenant}"`);
    expect(lines[0]?.text).not.toContain(KEY);
    expect(endpoint.asked.filter(({ path }) => path === '/other')).toEqual([]);
  });

  test('says a failure once for all sizes', async () => {
    answer = say(WORDS, 503);
    const before = server.log.length;
    expect(new Set(await campaign(server))).toEqual(new Set([builtIn.headline?.content]));
    expect(server.log.length - before).toBe(1);
    expect(endpoint.asked).toHaveLength(1);
  });
});

test('outside development mode the operator’s own network is reached, and a buyer’s address there is not', async () => {
  const endpoint = await textEndpoint(say(WORDS));
  const tenants = tenantsWith({ creative: { base_url: endpoint.url, model: 'm', api_key: { env: 'TEXT_KEY' } } });
  const server = await boot({ tenants, env: ENV, settings: { development: false } });
  const image = { asset_type: 'image', url: `${endpoint.url}/chat/completions`, width: 300, height: 250 };
  expect((await build(server, 'creative')).headline?.content).toBe('Run further');
  const { format, refused } = rendererClient(server);
  const request = {
    message: MESSAGE,
    target_format_id: format('display_300x250'),
    creative_manifest: { assets: { image } },
  };
  expect((await refused('build_creative', request)).code).toBe('VALIDATION_ERROR');
  // Of the two builds each had its words written; nobody asked for the picture.
  expect(endpoint.asked.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
});

test('a key that is not in the environment stops the start, with its place', async () => {
  const tenants = tenantsWith({
    creative: { base_url: 'https://llm.example/v1', model: 'm', api_key: { env: 'TEXT_KEY' } },
  });
  const error = await boot({ tenants }).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ConfigError);
  const [problem, ...others] = (error as ConfigError).problems;
  expect(others).toEqual([]);
  expect(problem).toMatchObject({
    pointer: '/llm/api_key/env',
    message: expect.stringContaining('TEXT_KEY is not set'),
  });
});

describe('translation', () => {
  const IN_GERMAN = { text_0: 'Schuhe, die halten', text_1: 'Mehr dazu' };
  const request = (server: Booted) => ({
    idempotency_key: randomUUID(),
    transformer_id: 'translate',
    brand: { domain: 'acme-outdoor.example' },
    config: { language: 'de' },
    target_format_id: { agent_url: server.url('plain'), id: 'display_300x250' },
    creative_manifest: {
      assets: {
        banner_image: { asset_type: 'image', url: files.url('/photo.png'), width: 300, height: 250 },
        headline: { asset_type: 'text', content: 'Shoes that last' },
        cta_text: { asset_type: 'text', content: 'More of it' },
        click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/' },
      },
    },
  });
  let files: Awaited<ReturnType<typeof serveAssets>>;
  beforeAll(async () => {
    files = await serveAssets({ '/photo.png': await picture(300, 250) });
  });

  async function open(answer: (response: ServerResponse) => void) {
    const { url, asked } = await textEndpoint(answer);
    const llm = { base_url: `${url}/v1`, model: 'small' };
    return { asked, server: await boot({ tenants: tenantsWith({ model: llm }) }) };
  }

  test('is listed where there is a text endpoint, and puts its words into the creative', async () => {
    const { server, asked } = await open(say(IN_GERMAN));
    const listed = async (tenant: string) =>
      JSON.stringify((await server.call('list_transformers', {}, { tenant, version: '3.1' })).payload);
    expect(await listed('model')).toContain('"translate"');
    expect(await listed('plain')).not.toContain('"translate"');
    const { payload, isError } = await server.call('build_creative', request(server), {
      tenant: 'model',
      version: '3.1',
    });
    expect({ isError, errors: payload.errors }).toEqual({ isError: false, errors: undefined });
    expect(JSON.stringify(payload)).toContain('Schuhe, die halten');
    expect(JSON.stringify(payload)).not.toContain('Shoes that last');
    const [first] = asked.filter(({ body }) => body.includes('translate'));
    expect(first?.body).toContain('Shoes that last');
    const unknown = await server.call('build_creative', request(server), { tenant: 'plain', version: '3.1' });
    expect(unknown.payload.errors[0]).toMatchObject({ code: 'REFERENCE_NOT_FOUND', field: 'transformer_id' });
    const { config: _language, ...without } = request(server);
    const needed = await server.call('build_creative', without, { tenant: 'model', version: '3.1' });
    expect(needed.payload.errors[0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'config.language' });
  });

  test('fails when the endpoint does, and answers nothing that was not translated', async () => {
    const { server } = await open(say({ text_0: '' }));
    const { payload, isError } = await server.call('build_creative', request(server), {
      tenant: 'model',
      version: '3.1',
    });
    expect({ isError, code: payload.errors[0]?.code }).toEqual({ isError: true, code: 'SERVICE_UNAVAILABLE' });
  });
});
