import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { pause } from '../../../src/platform/kernel/loop.js';
import { type Bound, bindHttp, boundByFiles } from '../../../src/platform/web/bind.js';
import { BodyBudget, readBytes } from '../../../src/platform/web/body.js';
import type { ConnectionBounds } from '../../../src/platform/web/connections.js';

const GET = 'GET /first HTTP/1.1\r\nhost: a\r\n\r\n';
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function bind(
  listener: RequestListener,
  connections: ConnectionBounds['connections'] = { total: 100, perAddress: 100 },
  trustedProxies: readonly string[] = [],
): Promise<Bound> {
  const log = pino({ level: 'silent' });
  const bound = await bindHttp(listener, { host: '127.0.0.1', port: 0 }, { log, connections, trustedProxies });
  closers.push(() => bound.drain());
  return bound;
}

/** A connection to a bound address, and what it received. */
type Client = { readonly socket: Socket; readonly received: () => string; readonly isClosed: () => boolean };

async function open({ port }: Bound, from = '127.0.0.1', reads = true): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  closers.push(() => socket.destroy());
  let text = '';
  let isClosed = false;
  socket.on('error', () => undefined);
  socket.once('close', () => {
    isClosed = true;
  });
  if (reads)
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return { socket, received: () => text, isClosed: () => isClosed };
}

const MEGABYTE = 1024 * 1024;
const bodies = new BodyBudget(() => 'sender');

/** Answers with the number of bytes of a small body, or why it was not read. */
const refuseLarge: RequestListener = async (request, response) => {
  const read = await readBytes({ request, response, bodies }, 1000);
  response.end(`<${typeof read === 'string' ? read : read.length}>`);
};

describe('connections', () => {
  it('end where one address has too many, and go on for another', async () => {
    const bound = await bind((_request, response) => response.end('hello'), { total: 100, perAddress: 3 });
    const greedy: Client[] = [];
    for (let number = 0; number < 5; number++) greedy.push(await open(bound, '127.0.0.2'));
    await expect.poll(() => greedy.filter(({ isClosed }) => isClosed()).length).toBe(2);
    const other = await open(bound, '127.0.0.3');
    other.socket.write(GET);
    await expect.poll(other.received).toContain('hello');
  });

  it('that retire end with one answer more, the one in hand or the next, which says so', async () => {
    const held: (() => void)[] = [];
    const bound = await bind(({ url }, response) => {
      if (url === '/held') held.push(() => response.end('held'));
      else response.end('hello');
    });
    const busy = await open(bound);
    busy.socket.write('GET /held HTTP/1.1\r\nhost: a\r\n\r\n');
    const idle = await open(bound);
    idle.socket.write(GET);
    await expect.poll(() => held.length > 0 && idle.received().includes('hello')).toBe(true);
    expect(idle.received()).toMatch(/connection: keep-alive/i);
    const retired = bound.retire();
    idle.socket.write(GET);
    held[0]?.();
    await retired;
    await expect.poll(() => [busy, idle].every(({ isClosed }) => isClosed())).toBe(true);
    expect(busy.received()).toMatch(/connection: close[\s\S]*held$/i);
    expect(idle.received()).toMatch(/hello[\s\S]*connection: close[\s\S]*hello/i);
    await expect(open(bound)).rejects.toThrow('ECONNREFUSED');
  });

  it.each([
    ['GET /a HTTP/1.1\r\nhost: a\r\nHOST: b', '400'],
    ['GET /a HTTP/1.1\r\nhost: a\r\nhost: a', '"error":{"code":"INVALID_REQUEST",'],
    ['GET http://user@b/a HTTP/1.1\r\nhost: a', '400'],
    ['GET http://:1/a HTTP/1.1\r\nhost: a', '400'],
    ['GET http://b.example:81/a?b#c HTTP/1.1\r\nhost: a', '<b.example:81 /a?b#c>'],
    ['GET HTTP://b?x HTTP/1.1\r\nhost: a', '<b /?x>'],
    ['GET /a?http://b/ HTTP/1.1\r\nhost: a', '<a /a?http://b/>'],
    ['OPTIONS * HTTP/1.1\r\nhost: a', '<a *>'],
  ])('name one host, in the address before the header: %j', async (head, wanted) => {
    const bound = await bind(({ headers, url }, response) => response.end(`<${headers.host} ${url}>`));
    const { received, socket } = await open(bound);
    socket.write(`${head}\r\n\r\n`);
    await expect.poll(received).toContain(wanted);
  });

  it('of a trusted proxy are for many callers', async () => {
    const bound = await bind((_request, response) => response.end(), { total: 100, perAddress: 1 }, ['127.0.0.2']);
    const opened = [await open(bound, '127.0.0.2'), await open(bound, '127.0.0.2')];
    for (const { socket } of opened) socket.write(GET);
    await expect.poll(() => opened.every(({ received }) => received().includes('200 OK'))).toBe(true);
  });

  it('bring a refusal to who writes a whole large body before reading, and take the next request', async () => {
    const bound = await bind(refuseLarge);
    const head = 'POST / HTTP/1.1\r\nhost: a\r\n';
    const body = 'x'.repeat(10 * MEGABYTE);
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const messages = [
      `${head}content-length: ${body.length}\r\n\r\n${body}`,
      `${head}transfer-encoding: chunked\r\n\r\n${chunked}`,
      `${head}content-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    ];
    const answers = messages.map(async (message) => {
      const client = await open(bound, '127.0.0.1', false);
      await new Promise((resolve) => client.socket.write(message + GET, resolve));
      let text = '';
      client.socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      await expect.poll(() => text.match(/HTTP[^ ]* \d+/g)?.length, { timeout: 5000 }).toBe(2);
      return text.match(/<\w*>/g);
    });
    expect(await Promise.all(answers)).toEqual([
      ['<too_large>', '<0>'],
      ['<too_large>', '<0>'],
      ['<encoded>', '<0>'],
    ]);
  });

  it('end where a refused body goes on without end', async () => {
    const bound = await bind(refuseLarge);
    const client = await open(bound);
    client.socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${1024 * MEGABYTE}\r\n\r\n`);
    const piece = Buffer.alloc(MEGABYTE);
    for (let pieces = 0; pieces < 1024 && !client.socket.destroyed; pieces++) {
      await new Promise((resolve) => client.socket.write(piece, resolve));
    }
    await expect.poll(client.isClosed).toBe(true);
    expect(client.received()).toContain('<too_large>');
    expect(client.socket.bytesWritten).toBeLessThan(128 * MEGABYTE);
  });

  it('make room for somebody else when all are taken: an idle one of whoever has the most ends', async () => {
    const bound = await bind((_request, response) => response.end('hello'), { total: 4, perAddress: 4 });
    const greedy: Client[] = [];
    for (let number = 0; number < 4; number++) greedy.push(await open(bound, '127.0.0.2'));
    const other = await open(bound, '127.0.0.3');
    other.socket.write(GET);
    await expect.poll(other.received).toContain('hello');
    expect(greedy.filter(({ isClosed }) => isClosed())).toHaveLength(1);
  });

  it('have one request in hand at a time, in the order in which they came', async () => {
    let running = 0;
    let most = 0;
    const bound = await bind(async (request, response) => {
      running += 1;
      most = Math.max(most, running);
      await pause(5);
      running -= 1;
      response.end(`<${request.url}>`);
    });
    const client = await open(bound);
    client.socket.write([1, 2, 3, 4, 5].map((number) => GET.replace('first', `${number}`)).join(''));
    await expect.poll(client.received).toContain('</5>');
    expect(client.received().match(/<.*?>/g)).toEqual(['</1>', '</2>', '</3>', '</4>', '</5>']);
    expect(most).toBe(1);
  });

  it('end when they pipeline more requests than anybody needs to', async () => {
    let served = 0;
    const bound = await bind(async () => {
      served += 1;
    });
    const client = await open(bound);
    client.socket.write(GET.repeat(500));
    await expect.poll(client.isClosed).toBe(true);
    expect(served).toBe(1);
  });

  it('are no memory of answers that nobody reads: the oldest of the greediest end', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024);
    const bound = await bind((_request, response) => response.end(large));
    const silent: Client[] = [];
    for (let number = 0; number < 20; number++) {
      const client = await open(bound, '127.0.0.2', false);
      client.socket.write(GET);
      silent.push(client);
    }
    const reader = await open(bound, '127.0.0.3');
    reader.socket.write(GET);
    await expect.poll(() => reader.received().length, { timeout: 20_000 }).toBeGreaterThan(large.length);
    // A paused socket does not notice its end by itself.
    for (const { socket } of silent) socket.resume();
    await expect.poll(() => silent.filter(({ isClosed }) => isClosed()).length, { timeout: 20_000 }).toBeGreaterThan(8);
  });
});

describe('how many connections are taken', () => {
  it.each([
    ['as many as are asked for, where nobody says how many files may be open', 2048, undefined, 2048],
    ['as many as are asked for, where that many files may be open', 2048, 524_288, 2048],
    ['as many as leave files for the process', 2048, 1024, 768],
    ['half of the files, where there are few', 2048, 200, 100],
  ])('is %s', (_what, total, limit, taken) => {
    const bounds = { connections: { total, perAddress: 256 }, trustedProxies: [] };
    expect(boundByFiles(bounds, limit).connections).toEqual({ total: taken, perAddress: 256 });
  });
});
