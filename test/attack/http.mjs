/** Requests that are wrong as HTTP, or right and meant badly. */
import { brotliCompressSync, gzipSync } from 'node:zlib';

const CRLF = '\r\n';

/** A request's text: lines of its head, and a body as it is. */
function request(lines, body = '') {
  return `${[...lines, '', ''].join(CRLF)}${body}`;
}

function head(context, ...more) {
  return [
    'POST /sales/mcp HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${context.principals.attacker.token}`,
    'Content-Type: application/json',
    ...more,
  ];
}

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const SMUGGLED = request(['GET /metrics HTTP/1.1', 'Host: localhost']);

/** Statuses of the answers in a text. */
function statuses(text) {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}

/** Asks for each path: every answer is a 4xx that shows no file or token, and nothing of a stack is logged. Returns the result of a row. */
async function judgePaths(context, paths) {
  const before = context.target.log().length;
  const wrong = [];
  for (const path of paths) {
    const { text } = await context.exchange(request([`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close']));
    const [status] = statuses(text);
    if (!(status >= 400 && status < 500) || /root:|sqlite format|"token"/i.test(text))
      wrong.push(`${path.slice(0, 60)}: ${status}`);
  }
  const logged = context.target.log().slice(before);
  if (/\bat .*:\d+:\d+/.test(logged)) wrong.push(`a stack in the log: ${logged.slice(0, 200)}`);
  return {
    held: wrong.length === 0,
    figures: wrong.join('; ') || `${paths.length} paths, all 4xx, no stack in the log`,
  };
}

/** Sends each text on a connection of its own; `isRight(statuses)` judges the answers. Returns the result of a row. */
async function judgeEach(context, texts, isRight) {
  const wrong = [];
  const seen = new Map();
  for (const [name, text] of Object.entries(texts)) {
    const answer = await context.exchange(text, { quietMs: 400 });
    const got = statuses(answer.text);
    const shown = got.join('+') || (answer.closed ? 'closed' : 'nothing');
    seen.set(shown, (seen.get(shown) ?? 0) + 1);
    if (!isRight(got, answer)) wrong.push(`${name}: ${shown}`);
  }
  const counts = [...seen].map(([shown, count]) => `${count} × ${shown}`).join(', ');
  return { held: wrong.length === 0, figures: wrong.length === 0 ? counts : `not held: ${wrong.join('; ')}` };
}

/** At most one answer, and not a good one: nothing was smuggled in. */
const isRefused = (got, { closed }) => got.length <= 1 && (got.length === 1 ? got[0] >= 400 : closed);

export const rows = [
  {
    id: 'smuggling',
    what: 'Two lengths, length beside chunks, folded, spaced, repeated and bare-newline headers, a request within a request',
    short: true,
    run: (context) =>
      judgeEach(
        context,
        {
          'two lengths': request(head(context, `Content-Length: ${LIST.length}`, 'Content-Length: 0'), LIST + SMUGGLED),
          'length beside chunks': request(
            head(context, 'Content-Length: 4', 'Transfer-Encoding: chunked'),
            `0${CRLF}${CRLF}${SMUGGLED}`,
          ),
          'chunked twice': request(
            head(context, 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'),
            `0${CRLF}${CRLF}${SMUGGLED}`,
          ),
          'an unknown coding': request(head(context, 'Transfer-Encoding: xchunked'), LIST),
          'a space before the colon': request(head(context, 'Content-Length : 5'), LIST),
          'a folded header': request(head(context, 'X-A: 1', ' Transfer-Encoding: chunked', 'Content-Length: x'), LIST),
          'a signed length': request(head(context, 'Content-Length: +5'), LIST),
          'a negative length': request(head(context, 'Content-Length: -1'), LIST),
          'a length list': request(head(context, 'Content-Length: 5, 6'), LIST),
          'bare newlines': 'GET /healthz HTTP/1.1\nHost: localhost\n\n',
          'no host': request(['GET /healthz HTTP/1.1']),
          'two hosts': request([
            'GET /healthz HTTP/1.1',
            'Host: localhost',
            'Host: evil.example',
            'X: y',
            'Content-Length: x',
          ]),
          'another host': request(['GET /.well-known/jwks.json HTTP/1.1', 'Host: evil.example']),
          'a name with a null': request(['GET /healthz HTTP/1.1', 'Host: localhost', 'X\u0000A: 1']),
          'HTTP/9.9': request(['GET /healthz HTTP/9.9', 'Host: localhost']),
          'a method of nonsense': request(['HACK /healthz HTTP/1.1', 'Host: localhost']),
          'a TLS greeting': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
          'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        },
        isRefused,
      ),
  },
  {
    id: 'chunks',
    what: 'Chunks with a broken, negative or huge size, endless extensions, a trailer flood, no end',
    short: true,
    run: (context) => {
      const chunked = (body) => request(head(context, 'Transfer-Encoding: chunked'), body);
      return judgeEach(
        context,
        {
          broken: chunked(`zz${CRLF}abc${CRLF}`),
          negative: chunked(`-5${CRLF}abcde${CRLF}0${CRLF}${CRLF}`),
          overflowing: chunked(`${'f'.repeat(17)}${CRLF}abc`),
          'an endless extension': chunked(`5;${'x'.repeat(40_000)}${CRLF}abcde${CRLF}0${CRLF}${CRLF}`),
          'a trailer flood': chunked(`0${CRLF}${'X-Trailer: aaaaaaaaaaaaaaaa\r\n'.repeat(3000)}${CRLF}`),
          'more than is taken': chunked(
            `${(5_000_000).toString(16)}${CRLF}${' '.repeat(5_000_000)}${CRLF}0${CRLF}${CRLF}`,
          ),
        },
        isRefused,
      );
    },
  },
  {
    id: 'header-flood',
    what: 'Heads of 1 MB: one long header, 10,000 short ones, a long address, a long cookie',
    short: true,
    run: (context) =>
      judgeEach(
        context,
        {
          'one header': request(['GET /healthz HTTP/1.1', 'Host: localhost', `X-A: ${'a'.repeat(1_000_000)}`]),
          'many headers': request([
            'GET /healthz HTTP/1.1',
            'Host: localhost',
            ...Array.from({ length: 10_000 }, (_, index) => `X-${index}: ${'a'.repeat(80)}`),
          ]),
          'a long address': request([`GET /${'a'.repeat(1_000_000)} HTTP/1.1`, 'Host: localhost']),
          'a long cookie': request(['GET /healthz HTTP/1.1', 'Host: localhost', `Cookie: ${'a=b; '.repeat(200_000)}`]),
        },
        isRefused,
      ),
  },
  {
    id: 'compressed-bodies',
    what: 'Bodies of 100 MB that come as 100 KB of gzip, brotli or deflate, once and twice compressed',
    short: true,
    async run(context) {
      const large = Buffer.alloc(100 * 1024 * 1024, 0x20);
      const zipped = gzipSync(large);
      const bodies = {
        gzip: zipped,
        br: brotliCompressSync(large.subarray(0, 20 * 1024 * 1024)),
        deflate: zipped,
        'gzip, gzip': gzipSync(zipped),
      };
      const answers = [];
      for (const path of ['/sales/mcp', '/creative/mcp']) {
        for (const [coding, body] of Object.entries(bodies)) {
          const headers = {
            authorization: `Bearer ${context.principals.attacker.token}`,
            'content-type': 'application/json',
            'content-encoding': coding,
          };
          const { status } = await context.send({ method: 'POST', path, headers, body });
          answers.push(status);
        }
      }
      return {
        held: answers.every((status) => status >= 400 && status < 500),
        figures: `answers: ${[...new Set(answers)].join(', ')}`,
      };
    },
  },
  {
    id: 'pipelining',
    what: '50 connections that send 1,000 requests each in one go, without reading',
    short: true,
    async run(context) {
      const get = request(['GET /.well-known/jwks.json HTTP/1.1', 'Host: localhost']);
      const opened = Array.from({ length: 50 }, () => context.open({ text: get.repeat(1000), reads: false }));
      await context.pause(context.size(6000, 3000));
      for (const { socket } of opened) socket.resume();
      const countClosed = () => opened.filter(({ socket }) => socket.destroyed).length;
      for (let wait = 0; wait < 100 && countClosed() < 50; wait++) await context.pause(200);
      const closed = countClosed();
      return { held: closed === 50, figures: `${closed} of 50 connections ended by the server` };
    },
  },
  {
    id: 'paths',
    what: 'Paths that climb, are encoded twice, overlong or not at all, hold nulls, or name files of the server',
    short: true,
    async run(context) {
      const paths = [
        '/../../../../etc/passwd',
        '/.well-known/../../seller-agent.db',
        '/.well-known/..%2f..%2fseller-agent.db',
        '/.well-known/%2e%2e/seller-agent.db',
        '/previews/assets/..%2f..%2f..%2fpackage.json',
        '/previews/assets/%2e%2e%2f%2e%2e%2fpackage.json',
        '/previews/assets/..%5c..%5cpackage.json',
        '/previews/media/..%2f..%2f..%2fetc%2fpasswd',
        '/previews/media/%00',
        '/previews/%ff',
        '/previews/%c0%ae%c0%ae%c0%afetc',
        '/previews/%E0%A4%A',
        '/previews/sheet/%ff',
        '/previews/x/frame/%ff',
        '/approvals/%ff',
        '/%',
        '/%00',
        '/%ff/mcp',
        '//etc/passwd',
        '//evil.example/sales/mcp',
        '/sales//mcp',
        '/sales/%6dcp',
        '/sales/mcp/../../operator.json',
        '/operator.json',
        '/data/operator.json',
        '/api/admin/keys',
        '/metrics',
        '/constructor/mcp',
        '/__proto__/mcp',
        '/.git/config',
        '/.env',
        `/previews/${'a'.repeat(8000)}`,
        `/${'%2e%2e%2f'.repeat(500)}etc/passwd`,
        'http://evil.example/sales/mcp',
        '*',
        '',
      ];
      return judgePaths(context, paths);
    },
  },
  {
    id: 'registry-paths',
    what: 'The same kinds of paths and queries to a registry',
    short: true,
    target: 'registry',
    async run(context) {
      const paths = [
        '/api/../registry.db',
        '/api/brands/%ff',
        '/api/brands/resolve?domain=%ff',
        '/api/brands/resolve?domain[]=a&domain[]=b',
        `/api/brands/resolve?domain=${'a'.repeat(8000)}`,
        '/api/admin/keys',
        '/api/%2e%2e/%2e%2e/etc/passwd',
        '/api/registry/feed?cursor=forged',
        '/api/registry/feed?cursor=00000000-0000-0000-0000-000000000000&limit=-1',
        '/api/registry/feed?limit=1e99',
        '/%ff',
        '/%',
        '/metrics',
        '/operator.json',
      ];
      return judgePaths(context, paths);
    },
  },
];
