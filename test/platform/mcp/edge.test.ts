import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause } from '../../../src/platform/kernel/loop.js';
import { McpEdge, type McpEndpoint } from '../../../src/platform/mcp/edge.js';
import { McpRefusal } from '../../../src/platform/mcp/refusal.js';
import { parseBody, readBody, requireJson } from '../../../src/platform/mcp/request.js';
import { socketAddress } from '../../../src/platform/net/address.js';
import { BodyBudget } from '../../../src/platform/web/body.js';

type Caller = { readonly name: string };

const ENDPOINT: McpEndpoint<string | undefined, Caller> = {
  name: 'test',
  version: '1',
  instructions: 'Say hello.',
  log: pino({ level: 'silent' }),
  batch: { maxMessages: 50, maxDepth: 10 },
  admit: (proof) =>
    proof === undefined
      ? { denial: { status: 401, headers: { 'www-authenticate': 'Bearer' }, message: { jsonrpc: '2.0', id: null } } }
      : { caller: { name: proof } },
  listTools: ({ name }) => [{ name: `tool_of_${name}`, inputSchema: { type: 'object' } }],
  callTool: async ({ name }, params) => {
    const { name: tool } = params as { name: string };
    if (tool === 'missing') throw new McpRefusal(400, -32602, 'Unknown tool');
    if (tool === 'broken') throw new Error('a secret');
    if (tool === 'long') {
      begun += 1;
      return { content: [], structuredContent: { text: LONG } };
    }
    return { content: [], structuredContent: { name, tool } };
  },
};

let url = '';
let begun = 0;
const LONG = 'x'.repeat(1024 * 1024);
const bodies = new BodyBudget(socketAddress);
const closers: (() => void)[] = [];

beforeAll(async () => {
  const edge = await McpEdge.open(ENDPOINT);
  const server = createServer((request, response) => {
    void edge.serve(request, response, async () => {
      requireJson(request);
      const bytes = await readBody({ request, response, bodies }, 10_000);
      const { body } = await parseBody(bytes, { levels: 100, values: 10_000 });
      return { proof: request.headers.authorization, body };
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(() => {
  for (const close of closers) close();
});

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'anna', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const request = (id: number, method: string, params?: object): object => ({ jsonrpc: '2.0', id, method, params });
const call = (id: number, name: string): object => request(id, 'tools/call', { name });

describe('an MCP edge', () => {
  it('answers a call and a list for the caller that it admitted', async () => {
    expect(await (await post(call(7, 'greet'))).json()).toMatchObject({
      id: 7,
      result: { structuredContent: { name: 'anna', tool: 'greet' } },
    });
    expect(await (await post(request(8, 'tools/list'))).json()).toMatchObject({
      id: 8,
      result: { tools: [{ name: 'tool_of_anna' }] },
    });
  });

  it('answers a stream of events to a client that reads one', async () => {
    const answer = await post(call(1, 'greet'), { accept: 'application/json, text/event-stream' });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(await answer.text()).toMatch(/^event: message\ndata: \{.*"id":1.*\}\n\n$/);
  });

  it('answers a batch of the older revisions in its order, past what expects no answer', async () => {
    const answer = await post([request(1, 'tools/list'), call(2, 'greet')]);
    expect(((await answer.json()) as readonly { id: number }[]).map(({ id }) => id)).toEqual([1, 2]);
    expect((await post([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).toBe(202);
  });

  it('says of a call of a batch that breaks that it broke, and answers the others', async () => {
    const answer = await post([call(1, 'broken'), call(2, 'greet')]);
    expect(await answer.json()).toMatchObject([
      { id: 1, error: { code: -32603, message: 'Internal error' } },
      { id: 2, result: { structuredContent: { tool: 'greet' } } },
    ]);
  });

  it('answers a batch as a stream of events in one event', async () => {
    const answer = await post([call(1, 'greet'), call(2, 'greet')], { accept: 'text/event-stream' });
    const [, data = ''] = /^event: message\ndata: (.*)\n\n$/.exec(await answer.text()) ?? [];
    expect((JSON.parse(data) as readonly { id: number }[]).map(({ id }) => id)).toEqual([1, 2]);
  });

  it('begins no further call of a batch while nobody reads the answers', async () => {
    begun = 0;
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify(Array.from({ length: 50 }, (_, id) => call(id, 'long')));
    const head = ['POST / HTTP/1.1', 'host: a', 'authorization: anna', 'content-type: application/json'];
    socket.write(`${[...head, `content-length: ${body.length}`, '', body].join('\r\n')}`);
    await expect.poll(() => begun).toBeGreaterThan(0);
    let before = -1;
    while (before !== begun) {
      before = begun;
      await pause(300);
    }
    // What the system's own buffers take is read as far as we can tell; that is some megabytes of the fifty.
    expect(begun).toBeLessThan(30);
    socket.destroy();
  });

  it.each<
    readonly [what: string, body: unknown, headers: Readonly<Record<string, string>>, wanted: readonly unknown[]]
  >([
    ['another content type', call(1, 'greet'), { 'content-type': 'text/plain' }, [415, -32000]],
    ['an Accept header that names neither form', call(1, 'greet'), { accept: 'image/png' }, [406, -32000]],
    ['a body that is no JSON', '{', {}, [400, -32700]],
    ['a message that is no request', { hello: 1 }, {}, [400, -32600]],
    ['an empty batch', [], {}, [400, -32600]],
    ['a batch of too many', Array.from({ length: 51 }, (_, id) => call(id, 'greet')), {}, [400, -32600]],
    ['a revision that nobody speaks', call(1, 'greet'), { 'mcp-protocol-version': '1999-01-01' }, [400, -32000]],
    ['an unknown method', request(1, 'tools/burn'), {}, [200, -32601]],
    ['an unknown tool', call(1, 'missing'), {}, [200, -32602]],
    ['a tool that breaks, without its words', call(1, 'broken'), {}, [500, -32603]],
  ])('refuses %s', async (_what, body, headers, wanted) => {
    const answer = await post(body, headers);
    const text = await answer.text();
    const { error } = JSON.parse(text) as { error?: { code: number } };
    expect([answer.status, error?.code]).toEqual(wanted);
    expect(text).not.toContain('a secret');
  });

  it('denies a sender that is not admitted with the challenge of its endpoint', async () => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call(1, 'greet')),
    });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('takes no other method than POST', async () => {
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
