import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createOutbound } from '../../../../src/platform/net/fetch.js';
import { RetryLaterError, UnknownOutcomeError } from '../../../../src/seller/adserver/errors.js';
import { RestRefusedError } from '../../../../src/seller/adserver/rest/errors.js';
import { RestClient, type RestRequest, type RestService } from '../../../../src/seller/adserver/rest/rest-client.js';

const KEY = 'key-of-the-network';
const NOW = Date.parse('2026-03-01T12:00:00Z');

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A service whose answers come in order (the last again and again), a client of it, and what reached the service and was waited. */
async function startService(answers: readonly Handler[], settings: Partial<RestService> = {}) {
  const seen: string[] = [];
  const waits: number[] = [];
  let paced = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push(
      `${request.method} ${request.url} ${request.headers['x-key']} ${Buffer.concat(chunks).toString('utf8')}`.trim(),
    );
    answers[Math.min(seen.length, answers.length) - 1]?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outbound = createOutbound({ development: false });
  onTestFinished(async () => {
    await outbound.close();
    server.closeAllConnections();
    server.close();
  });
  const client = new RestClient({
    name: 'Kit',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`,
    fetch: outbound.fetch,
    clock: { now: () => NOW },
    pace: async () => {
      paced += 1;
    },
    authorize: async () => ({ 'x-key': KEY }),
    secrets: () => [KEY],
    keyHelp: 'Set KIT_KEY.',
    wait: async (ms) => void waits.push(ms),
    ...settings,
  });
  return { client, seen, waits, paced: () => paced };
}

function answer(status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Handler {
  return (_request, response) =>
    void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
}

const hangUp: Handler = (request) => void request.socket.destroy();
const silence: Handler = () => undefined;
const CREATING: RestRequest = { method: 'POST', path: '/x', json: {} };
const PAGE = '<html><head><title>Bad Gateway</title></head><body>no</body></html>';

it('sends JSON, forms and queries below the base address, with the key', async () => {
  const { client, seen } = await startService([answer(200, { id: 1 })]);
  expect((await client.send({ path: '/a', query: { page: 1, none: undefined } })).body).toEqual({ id: 1 });
  await client.send({ method: 'POST', path: '/b', json: { x: 1 } });
  await client.send({ method: 'POST', path: '/c', form: { name: 'a b' }, effect: 'none' });
  await client.send({ method: 'PATCH', path: '/d', body: { contentType: 'text/plain', bytes: 'raw' } });
  expect(seen).toEqual([
    `GET /base/a?page=1 ${KEY}`,
    `POST /base/b ${KEY} {"x":1}`,
    `POST /base/c ${KEY} name=a+b`,
    `PATCH /base/d ${KEY} raw`,
  ]);
  await expect(client.send({ path: 'https://elsewhere.example/' })).rejects.toThrow(/stays at the host/);
});

it.each([
  ['a time-out', silence, { timeoutMs: 50 }],
  ['a broken connection', hangUp, {}],
  ['a 500', answer(500, { message: 'oops' }), {}],
  ['an HTML page with a 502', answer(502, PAGE), {}],
  ['an HTML page with a 200', answer(200, PAGE), {}],
  ['a redirect', answer(302, '', { location: '/elsewhere' }), {}],
])('never repeats what creates something after %s, whose outcome is unknown', async (_what, fault, settings) => {
  const { client, seen } = await startService([fault, answer(200)], settings);
  await expect(client.send(CREATING)).rejects.toThrow(UnknownOutcomeError);
  expect(seen).toHaveLength(1);
});

it.each([
  ['a broken connection', hangUp],
  ['a 500', answer(500, { message: 'oops' })],
  ['an HTML page with a 200', answer(200, PAGE)],
])('repeats what changes nothing after %s, and asks to come later where that does not help', async (_what, fault) => {
  const { client, seen, waits } = await startService([fault, fault, answer(200, { ok: true })]);
  expect((await client.send({ path: '/x' })).body).toEqual({ ok: true });
  expect(seen).toHaveLength(3);
  expect(waits).toHaveLength(2);
  expect((waits[1] ?? 0) > (waits[0] ?? 0), 'longer each time').toBe(true);
  const { client: other, seen: asked } = await startService([fault]);
  await expect(other.send({ path: '/x' })).rejects.toThrow(RetryLaterError);
  expect(asked).toHaveLength(4);
});

it('repeats a PUT, whose outcome stays unknown where one attempt may have been taken', async () => {
  const { client } = await startService([hangUp, answer(200, { id: 1 })]);
  expect((await client.send({ method: 'PUT', path: '/x', json: {} })).status).toBe(200);
  const { client: other } = await startService([hangUp, answer(429)]);
  await expect(other.send({ method: 'PUT', path: '/x', json: {} })).rejects.toThrow(UnknownOutcomeError);
});

it('waits a short pause that a 429 asks for, also before what creates, and hands a long one on', async () => {
  const { client, paced, seen, waits } = await startService([answer(429, {}, { 'retry-after': '0' }), answer(200)]);
  await client.send(CREATING);
  expect(seen).toHaveLength(2);
  expect(waits).toEqual([0]);
  expect(paced()).toBe(2);
  const date = answer(
    429,
    {},
    { date: 'Sun, 01 Mar 2026 09:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2026 09:02:00 GMT' },
  );
  const { client: other, seen: asked } = await startService([date]);
  const later = await other.send({ path: '/x' }).catch((error: unknown) => error);
  expect(later).toBeInstanceOf(RetryLaterError);
  expect(later).toMatchObject({ retryAfterMs: 120_000 });
  expect(asked).toHaveLength(1);
  await expect(other.send({ path: '/y' }), 'the pause is for the whole network').rejects.toThrow(/pause/);
  expect(asked).toHaveLength(1);
});

it('fetches a fresh key once where one is not taken, and then says what to do without naming the key', async () => {
  const keys: boolean[] = [];
  const authorize = async (isRefused: boolean) => {
    keys.push(isRefused);
    return { 'x-key': KEY };
  };
  const { client } = await startService([answer(401), answer(200)], { authorize });
  await client.send(CREATING);
  expect(keys).toEqual([false, true]);
  const { client: other, seen } = await startService([answer(401, { message: `no such key ${KEY}` })]);
  const later = await other.send({ path: '/x' }).catch((error: unknown) => error);
  expect(later).toBeInstanceOf(RetryLaterError);
  expect(later).toMatchObject({
    message: 'Kit does not take the key (401: no such key [redacted]). Set KIT_KEY.',
    retryAfterMs: 60_000,
  });
  expect(seen).toHaveLength(2);
});

it.each([
  [answer(400, { message: `bad\n\n${KEY} field` }), 'Kit answered 400: bad [redacted] field'],
  [answer(409, { errors: [{ message: 'twice' }] }), 'Kit answered 409: twice'],
  [answer(404, PAGE), 'Kit answered 404: Bad Gateway'],
  [answer(422, ''), 'Kit answered 422'],
  [answer(400, { error: { code: 3, message: 'nested' } }), 'Kit answered 400: nested'],
])('hands a refusal on with what the service says', async (refusal, message) => {
  const { client, seen } = await startService([refusal]);
  const refused = await client.send({ path: '/x' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RestRefusedError);
  expect(refused).toMatchObject({ message });
  expect(seen).toHaveLength(1);
});

it('takes a host without an address for one that nothing has reached', async () => {
  const { client } = await startService([answer(200)], { baseUrl: 'https://nowhere.invalid' });
  await expect(client.send(CREATING)).rejects.toThrow(RetryLaterError);
});

it('ends with its caller', async () => {
  const calling = new AbortController();
  const { client, seen } = await startService([() => calling.abort()]);
  await expect(client.send({ path: '/x', signal: calling.signal })).rejects.toThrow(RetryLaterError);
  expect(seen).toHaveLength(1);
});
