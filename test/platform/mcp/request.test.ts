import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { McpRefusal } from '../../../src/platform/mcp/refusal.js';
import { chooseWriting, parseBody, readBody, routeMessage } from '../../../src/platform/mcp/request.js';
import { BodyBudget } from '../../../src/platform/web/body.js';

const VERSION_META = 'io.modelcontextprotocol/protocolVersion';

/** A request with these headers, and the answer to it. */
function exchange(headers: Readonly<Record<string, string>> = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return { request, response: new ServerResponse(request) };
}

/** What `work` answers, or the HTTP status and JSON-RPC code of its refusal. */
async function outcomeOf(action: () => unknown): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof McpRefusal)) throw error;
    return [error.status, error.code];
  }
}

describe('chooseWriting', () => {
  it.each<readonly [accept: string | undefined, expected: unknown]>([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['application/json', 'json'],
    ['application/json;q=0.9, text/html', 'json'],
    ['application/json, text/event-stream', 'events'],
    ['text/event-stream', 'events'],
    ['text/html', [406, -32000]],
    ['image/png, text/plain', [406, -32000]],
  ])('%j: %j', async (accept, expected) => {
    expect(await outcomeOf(() => chooseWriting(accept))).toEqual(expected);
  });
});

describe('readBody', () => {
  /** Feeds a body in pieces and reads it. */
  async function read(pieces: readonly (string | Buffer)[], maxBytes: number, headers = {}) {
    const { request, response } = exchange(headers);
    const outcome = outcomeOf(() => readBody({ request, response, bodies: new BodyBudget(() => 'sender') }, maxBytes));
    for (const piece of pieces) request.push(piece);
    request.push(null);
    return { outcome: textOf(await outcome), takes: response.getHeader('accept-encoding') };
  }

  const textOf = (outcome: unknown): unknown => (Buffer.isBuffer(outcome) ? outcome.toString() : outcome);
  const euro = Buffer.from('€');

  it.each<readonly [what: string, pieces: readonly (string | Buffer)[], max: number, text: string]>([
    ['nothing', [], 10, ''],
    ['one piece', ['abc'], 10, 'abc'],
    ['exactly as much as is allowed', ['abc', 'de'], 5, 'abcde'],
    ['a letter cut in two', [euro.subarray(0, 1), euro.subarray(1)], 10, '€'],
  ])('reads %s', async (_what, pieces, max, text) => {
    expect(await read(pieces, max)).toEqual({ outcome: text, takes: undefined });
  });

  it.each<readonly [what: string, pieces: readonly string[], headers: Record<string, string>]>([
    ['what announces too much', [], { 'content-length': '6' }],
    ['what turns out too much', ['abc', 'def'], {}],
    ['what announced less than it brings', ['abcdef'], { 'content-length': '3' }],
  ])('refuses %s', async (_what, pieces, headers) => {
    expect(await read(pieces, 5, headers)).toEqual({ outcome: [413, -32000], takes: undefined });
  });

  it.each([
    ['gzip', [415, -32000], 'identity'],
    ['identity, br', [415, -32000], 'identity'],
    ['x-unheard-of', [415, -32000], 'identity'],
    ['Identity', 'abc', undefined],
    ['', 'abc', undefined],
  ])('of a body in the encoding %j comes to %j', async (encoding, outcome, takes) => {
    expect(await read(['abc'], 5, { 'content-encoding': encoding })).toEqual({ outcome, takes });
  });
});

describe('parseBody', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['5', 5],
    ['', [400, -32700]],
    ['{', [400, -32700]],
    ['{"a":1}x', [400, -32700]],
    ['\ufeff{}', [400, -32700]],
    ['[[[[]]]]', [400, -32600]],
    ['[1,2,3,4,5,6]', [400, -32600]],
    ['{"a":1,"b":2,"c":3}', [400, -32600]],
    ['{"a":1,"a":1}', [400, -32700]],
    ['[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
  ])('%j', async (text, expected) => {
    const bounds = { levels: 3, values: 5, members: 2 };
    expect(await outcomeOf(async () => (await parseBody(Buffer.from(text), bounds)).body)).toEqual(expected);
  });

  it.each([
    ['{"params":{"budget":1,"b\\u0075dget":2}}', 'params.budget'],
    ['{"packages":[[],{"id":"{:"},{"a":{},"id":1,"b":[1,2],"id":null}]}', 'packages[2].id'],
    ['{"__proto__":1,"__proto__":{}}', '__proto__'],
    ['{"a:b":1,"a:b":2}', 'a:b'],
  ])('refuses %j, and says what is there twice, in small bodies and in those read in parts', async (text, field) => {
    const bounds = { levels: 9, values: 1_000_000 };
    for (const spaces of [0, 100_000]) {
      const padded = Buffer.from(`${text.slice(0, -1)}${' '.repeat(spaces)},"rest":[${'{},'.repeat(spaces)}{}]}`);
      await expect(parseBody(padded, bounds)).rejects.toMatchObject({ data: { code: 'INVALID_REQUEST', field } });
    }
  });

  it.each([
    ['a byte that no letter begins with', [0xff]],
    ['a letter that is cut off', [0xe2, 0x82]],
    ['a letter written longer than it is', [0xc0, 0xaf]],
    ['half of a pair', [0xed, 0xa0, 0x80]],
  ])('refuses %s, in small bodies and in those read in parts', async (_what, wrong) => {
    const bounds = { levels: 3, values: 1_000_000, members: 9 };
    for (const items of [0, 300_000]) {
      const body = (letter: Buffer) =>
        Buffer.concat([Buffer.from(`[${'1,'.repeat(items)}"`), letter, Buffer.from('"]')]);
      const outcome = (letter: Buffer) =>
        outcomeOf(async () => ((await parseBody(body(letter), bounds)).body as unknown[]).at(-1));
      expect(await outcome(Buffer.from(wrong))).toEqual([400, -32700]);
      expect(await outcome(Buffer.from('€'))).toBe('€');
    }
  });
});

describe('routeMessage', () => {
  const plain = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const client = {
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = { ...plain, params: { _meta: { [VERSION_META]: '2026-07-28', ...client } } };
  const called = { ...modern, method: 'tools/call', params: { ...modern.params, name: 'x', arguments: {} } };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const eraOf = (request: IncomingMessage, message: unknown) => outcomeOf(() => routeMessage(request, message).era);

  it.each<readonly [what: string, headers: Record<string, string>, message: unknown, expected: unknown]>([
    ['a plain call', {}, plain, 'legacy'],
    ['an older revision', { 'mcp-protocol-version': '2025-06-18' }, plain, 'legacy'],
    ['the present revision', headers, modern, 'modern'],
    ['the present revision, a call', { ...headers, 'mcp-method': 'tools/call', 'mcp-name': 'x' }, called, 'modern'],
    ['an unknown revision', { 'mcp-protocol-version': '1999-01-01' }, plain, 400],
    [
      'a future revision',
      { ...headers, 'mcp-protocol-version': '2099-01-01' },
      { ...plain, params: { _meta: { [VERSION_META]: '2099-01-01', ...client } } },
      400,
    ],
    ['an envelope without its headers', {}, modern, 400],
    ['no method header', { 'mcp-protocol-version': '2026-07-28' }, modern, 400],
    ['no name header on a call', { ...headers, 'mcp-method': 'tools/call' }, called, 400],
    ['a method header that says something else', { ...headers, 'mcp-method': 'tools/call' }, modern, 400],
    [
      'a name header that says something else',
      { ...headers, 'mcp-method': 'tools/call', 'mcp-name': 'y' },
      called,
      400,
    ],
    ['headers and envelope of two revisions', { ...headers, 'mcp-protocol-version': '2025-06-18' }, modern, 400],
  ])('%s', async (_what, given, message, expected) => {
    const outcome = await eraOf(exchange(given).request, message);
    expect(Array.isArray(outcome) ? outcome[0] : outcome).toBe(expected);
  });
});
