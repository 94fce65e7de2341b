import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { addressKind, hostKind } from '../../../src/platform/net/address.js';
import { createOutbound, type FetchOptions, type Outbound } from '../../../src/platform/net/fetch.js';
import { FetchError, fetchReason } from '../../../src/platform/net/fetch-error.js';

const LIMITS: FetchOptions = {
  maxBytes: 1000,
  timeoutMs: 5000,
  local: true,
  field: 'creative_manifest.assets.banner.url',
};
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A real server on loopback, how many connections it saw, and its port. */
async function serve(listener: RequestListener): Promise<{ url: string; port: number; seen: () => number }> {
  const server: Server = createServer(listener);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, seen: () => connections };
}

function open(options: Partial<Parameters<typeof createOutbound>[0]> = {}): Outbound {
  const outbound = createOutbound({ development: true, ...options });
  closers.push(outbound.close);
  return outbound;
}

async function reasonFor(
  outbound: Outbound,
  url: string,
  options: Partial<FetchOptions> = {},
): Promise<string | undefined> {
  const error: unknown = await outbound.fetch(url, { ...LIMITS, ...options }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return fetchReason(error);
}

describe('addresses', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['2606:4700::1111', 'public'],
    ['127.0.0.1', 'loopback'],
    ['0x7f.1', 'loopback'],
    ['2130706433', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['169.254.169.254', 'metadata'],
    ['::ffff:169.254.169.254', 'metadata'],
    ['0xa9fea9fe', 'metadata'],
    ['168.63.129.16', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['10.1.2.3', 'private'],
    ['172.20.0.1', 'private'],
    ['192.168.0.1', 'private'],
    ['169.254.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['224.0.0.1', 'private'],
    ['0.0.0.0', 'private'],
    ['198.18.0.1', 'private'],
    ['255.255.255.255', 'private'],
    ['fe80::1', 'private'],
    ['fc00::1', 'private'],
    ['ff02::1', 'private'],
    ['::7f00:1', 'private'],
    ['::ffff:0:7f00:1', 'private'],
    ['2002:7f00:1::', 'private'],
    ['2001:0:7f00:1::', 'private'],
    ['64:ff9b::7f00:1', 'private'],
    ['64:ff9b:1::1', 'private'],
    ['fec0::1', 'private'],
    ['no address', 'private'],
  ] as const)('%s is %s', (text, kind) => expect(addressKind(text)).toBe(kind));

  it('tells what a host name says of itself', () => {
    expect(hostKind('LOCALHOST.')).toBe('loopback');
    expect(hostKind('[::1]')).toBe('loopback');
    expect(hostKind('cdn.example')).toBeUndefined();
    for (const name of ['0x7f.1', '2130706433', '[fe80::1%eth0]', '[::ffff:127.0.0.1]'])
      expect(hostKind(name)).not.toBe(undefined);
  });
});

describe('what is fetched', () => {
  it('an answer of any status, with its headers and the final address', async () => {
    const { url } = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b?x=1' }).end();
      else response.writeHead(404, { 'X-One': '1' }).end('gone');
    });
    const got = await open().fetch(`${url}/a`, LIMITS);
    expect([got.status, got.headers['x-one'], got.bytes.toString(), got.url]).toEqual([
      404,
      '1',
      'gone',
      `${url}/b?x=1`,
    ]);
  });

  it('a body goes out as it was given, and a redirect of a POST is the answer', async () => {
    let body = '';
    const { url } = await serve((request, response) => {
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => response.writeHead(307, { location: '/elsewhere' }).end());
    });
    const got = await open().fetch(url, {
      ...LIMITS,
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    });
    expect([got.status, body]).toEqual([307, '{"a":1}']);
  });

  it('a host of a test stands for a loopback origin, in development mode only', async () => {
    const { url } = await serve((request, response) => void response.end(`${request.headers.host} ${request.url}`));
    const resolve = new Map([['cdn.example', url]]);
    const got = await open({ resolve }).fetch('https://cdn.example/x', { maxBytes: 100, timeoutMs: 5000 });
    expect([got.bytes.toString(), got.url]).toEqual(['cdn.example /x', 'https://cdn.example/x']);
    expect(() => createOutbound({ development: false, resolve })).toThrow(TypeError);
    expect(() => createOutbound({ development: true, resolve: new Map([['x', 'http://10.0.0.1']]) })).toThrow(
      TypeError,
    );
  });

  it('a compressed answer is read, though none was asked for', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'));
    });
    expect((await open().fetch(url, LIMITS)).bytes.toString()).toBe('hello');
  });

  it('credentials and cookies stay with their origin', async () => {
    const seen: unknown[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization, request.headers.cookie, request.headers.accept);
      response.end();
    });
    const { url } = await serve((_request, response) => {
      response.writeHead(302, { location: other.url, 'set-cookie': 'a=1' }).end();
    });
    await open().fetch(url, { ...LIMITS, headers: { Authorization: 'Bearer x', Cookie: 'b=2', accept: 'image/png' } });
    expect(seen).toEqual([undefined, undefined, 'image/png']);
  });
});

describe('an address of the operator', () => {
  const trusted = { maxBytes: 100, timeoutMs: 5000, trusted: true };

  it('is reached in every mode and network, and lends nothing of that to other calls', async () => {
    const { url, port } = await serve((request, response) => void response.end(request.headers.host));
    const outbound = open({ development: false, lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
    expect((await outbound.fetch(url, trusted)).bytes.toString()).toBe(`127.0.0.1:${port}`);
    expect((await outbound.fetch(`http://llm.internal:${port}`, trusted)).bytes.toString()).toBe(
      `llm.internal:${port}`,
    );
    expect(await reasonFor(outbound, url)).toBe('not_https');
    expect(await reasonFor(outbound, `https://llm.internal:${port}`)).toBe('private_address');
  });

  it('is no cloud metadata and no other scheme, and its redirect is the answer', async () => {
    const { url } = await serve((_request, response) => void response.writeHead(302, { location: '/x' }).end());
    const outbound = open({ development: false });
    expect(await reasonFor(outbound, 'http://169.254.169.254/latest', trusted)).toBe('private_address');
    expect(await reasonFor(outbound, 'file:///etc/passwd', trusted)).toBe('not_https');
    expect(await reasonFor(outbound, 'http://key@127.0.0.1/', trusted)).toBe('credentials');
    const { status, headers } = await outbound.fetch(url, trusted);
    expect([status, headers.location]).toEqual([302, '/x']);
  });
});

describe('what is refused', () => {
  it('is a VALIDATION_ERROR that names the field and the reason, and no host', async () => {
    const error: unknown = await open()
      .fetch('https://10.0.0.1/secret', LIMITS)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FetchError);
    const { code, message, extras } = error as FetchError;
    expect([code, extras.field, extras.details]).toEqual([
      'VALIDATION_ERROR',
      LIMITS.field,
      { reason: 'private_address' },
    ]);
    expect(`${message} ${extras.suggestion}`).not.toMatch(/10\.0|secret/);
  });

  it.each([
    ['not a url', 'not_a_url'],
    ['ftp://cdn.example/x', 'not_https'],
    ['data:text/plain,x', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['https://user@cdn.example/', 'credentials'],
    ['http://169.254.169.254/latest/meta-data', 'private_address'],
    ['http://[fd00:ec2::254]/', 'private_address'],
    ['http://2852039166/', 'private_address'],
    ['http://10.0.0.1/', 'private_address'],
    ['http://[64:ff9b::7f00:1]/', 'private_address'],
    ['http://[2002:7f00:1::]/', 'private_address'],
  ])('%s, even where loopback is allowed', async (url, reason) => expect(await reasonFor(open(), url)).toBe(reason));

  it('loopback and http without leave, before a connection is made', async () => {
    const { url, port, seen } = await serve((_request, response) => void response.end());
    const names = async () => [{ address: '127.0.0.1', family: 4 }];
    const attempts: readonly (readonly [Outbound, local: boolean])[] = [
      [open({ development: false, lookup: names }), true],
      [open({ lookup: names }), false],
    ];
    for (const [outbound, local] of attempts) {
      expect(await reasonFor(outbound, url, { local })).toBe('not_https');
      for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost', 'x.example']) {
        expect(await reasonFor(outbound, `https://${host}:${port}/`, { local })).toBe('private_address');
      }
    }
    expect(seen()).toBe(0);
  });

  it('a connection that a local call opened is no way round for another', async () => {
    const { url, port } = await serve((_request, response) => void response.end('x'));
    const outbound = open();
    await outbound.fetch(url, LIMITS);
    expect(await reasonFor(outbound, `https://127.0.0.1:${port}/`, { local: false })).toBe('private_address');
  });

  it('a redirect to a private address, to http and to nowhere', async () => {
    const inside = await serve((_request, response) => void response.end('secret'));
    const targets: Record<string, string> = {
      '/metadata': 'http://169.254.169.254/latest',
      '/inside': inside.url,
      '/private': 'https://10.0.0.1/',
      '/file': 'file:///etc/passwd',
      '/broken': 'http://[',
      '/loop': '/loop',
    };
    const { url } = await serve((request, response) => {
      response.writeHead(302, { location: targets[request.url ?? ''] ?? '/' }).end();
    });
    const outbound = open({ resolve: new Map([['cdn.example', url]]) });
    const reasons = Object.keys(targets).map((path) =>
      reasonFor(outbound, `https://cdn.example${path}`, { local: false }),
    );
    expect(await Promise.all(reasons)).toEqual([
      'not_https',
      'not_https',
      'private_address',
      'not_https',
      'broken_answer',
      'too_many_redirects',
    ]);
    expect(await reasonFor(outbound, 'https://cdn.example/metadata')).toBe('private_address');
    expect(inside.seen()).toBe(0);
  });

  it('a name that changes its address between check and use, or answers with both', async () => {
    const { port, seen } = await serve((_request, response) => void response.end('secret'));
    let asked = 0;
    const rebinding = open({
      lookup: async () => {
        asked += 1;
        return [{ address: asked === 1 ? '8.8.8.8' : '127.0.0.1', family: 4 }];
      },
    });
    const target = `https://rebind.example:${port}/`;
    expect(await reasonFor(rebinding, target, { timeoutMs: 300, local: false })).toMatch(/timeout|unreachable/);
    expect(asked).toBe(1);
    expect(await reasonFor(rebinding, target, { local: false })).toBe('private_address');
    const mixed = open({
      lookup: async () => [
        { address: '8.8.8.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    });
    expect(await reasonFor(mixed, target, { local: false })).toBe('private_address');
    expect(seen()).toBe(0);
  });

  it('a name that is not there, a port where nobody listens, a certificate that is not valid, an answer that is no HTTP', async () => {
    const unknown = open({ lookup: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await reasonFor(unknown, 'https://nowhere.example/')).toBe('unresolved');
    expect(await reasonFor(open({ lookup: async () => [] }), 'https://nowhere.example/')).toBe('unresolved');
    expect(await reasonFor(open(), 'http://127.0.0.1:1/')).toBe('unreachable');
    const babble = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('220 mail.example ESMTP\r\n', () => socket.destroy()));
    });
    babble.listen(0, '127.0.0.1');
    await once(babble, 'listening');
    closers.push(() => new Promise((resolve) => babble.close(resolve)));
    const { port } = babble.address() as AddressInfo;
    expect(await reasonFor(open(), `http://127.0.0.1:${port}/`)).toBe('broken_answer');
    expect(await reasonFor(open(), `https://127.0.0.1:${port}/`)).toMatch(/insecure|unreachable/);
  });
});

describe('a body that is taken as it comes', () => {
  it('goes to the sink part by part, no faster than it is taken, and leaves no bytes', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('x'.repeat(200_000)));
    });
    let size = 0;
    let isTaking = false;
    const { bytes, status } = await open().fetch(url, {
      ...LIMITS,
      maxBytes: 200_000,
      sink: async (chunk) => {
        expect(isTaking).toBe(false);
        isTaking = true;
        await new Promise((resolve) => setImmediate(resolve));
        size += chunk.length;
        isTaking = false;
      },
    });
    expect([status, size, bytes.length]).toEqual([200, 200_000, 0]);
  });

  it('keeps to the limit, and an answer that is no 200 is an answer as ever', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(request.url === '/' ? 200 : 404).end('y'.repeat(request.url === '/' ? 2000 : 20));
    });
    const taken: Buffer[] = [];
    const sink = (chunk: Buffer): void => void taken.push(chunk);
    const error = await open()
      .fetch(url, { ...LIMITS, sink })
      .catch((cause: unknown) => cause);
    expect(fetchReason(error)).toBe('too_large');
    taken.length = 0;
    const { bytes, status } = await open().fetch(`${url}/gone`, { ...LIMITS, sink });
    expect([status, bytes.toString(), taken]).toEqual([404, 'y'.repeat(20), []]);
  });

  it('ends when its reader has enough', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200);
      response.write('first');
    });
    const enough = new AbortController();
    const options = { ...LIMITS, sink: () => enough.abort(), signal: enough.signal };
    const error = await open()
      .fetch(url, options)
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(FetchError);
  });
});

describe('bounded time and memory', () => {
  it.each([
    ['a server that never answers', () => undefined],
    ['a server that drips', (_request: unknown, response: NodeJS.WritableStream) => void response.write('x')],
    [
      'a server that redirects slowly',
      (_request: unknown, response: Parameters<RequestListener>[1]) =>
        void setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 150),
    ],
  ] as const)('%s', async (_name, listener) => {
    const { url } = await serve(listener as RequestListener);
    const before = performance.now();
    expect(await reasonFor(open(), url, { timeoutMs: 300, maxRedirects: 100 })).toBe('timeout');
    // A hundred redirects would take fifteen seconds.
    expect(performance.now() - before).toBeLessThan(12_000);
  });

  it('a name server that never answers', async () => {
    const outbound = open({ lookup: () => new Promise(() => undefined) });
    expect(await reasonFor(outbound, 'https://slow.example/', { timeoutMs: 200 })).toBe('timeout');
  });

  it('an announced and an endless body stop at the cap', async () => {
    let sent = 0;
    const { url } = await serve((request, response) => {
      if (request.url === '/announced') {
        response.writeHead(200, { 'content-length': String(2 * 1024 ** 3) });
        response.write('x');
        return;
      }
      const chunk = Buffer.alloc(64 * 1024);
      const pour = (): void => {
        do sent += chunk.length;
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', pour);
      pour();
    });
    expect(await reasonFor(open(), `${url}/announced`)).toBe('too_large');
    expect(await reasonFor(open(), url, { maxBytes: 100_000 })).toBe('too_large');
    const cut = await open().fetch(url, { ...LIMITS, overflow: 'cut' });
    expect([cut.status, cut.bytes.length]).toEqual([200, 1000]);
    expect(sent).toBeLessThan(32 * 1024 ** 2);
  });

  it('a body of exactly the limit is taken, one byte more is not', async () => {
    const { url } = await serve((request, response) => void response.end('x'.repeat(Number(request.url?.slice(1)))));
    expect((await open().fetch(`${url}/1000`, LIMITS)).bytes.length).toBe(1000);
    expect(await reasonFor(open(), `${url}/1001`)).toBe('too_large');
  });

  it('a gzip bomb stops at the cap too, and an unknown or broken coding is refused', async () => {
    const { url } = await serve((request, response) => {
      const coding = request.url?.slice(1) ?? '';
      response.writeHead(200, { 'content-encoding': coding });
      if (coding !== 'gzip') response.end('nonsense');
      else {
        const gzip = createGzip({ level: 9 });
        gzip.on('error', () => undefined);
        gzip.pipe(response);
        gzip.end(Buffer.alloc(256 * 1024 ** 2));
      }
    });
    const before = process.memoryUsage().arrayBuffers;
    expect(await reasonFor(open(), `${url}/gzip`, { maxBytes: 1_000_000, timeoutMs: 20_000 })).toBe('too_large');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(400 * 1024 ** 2);
    for (const coding of ['br', 'deflate', 'zstd', 'gzip, gzip', 'constructor']) {
      expect(await reasonFor(open(), `${url}/${coding}`)).toBe('broken_answer');
    }
  });
});
