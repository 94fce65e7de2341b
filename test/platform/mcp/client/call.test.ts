import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callTool } from '../../../../src/platform/mcp/client/call.js';
import { createOutbound } from '../../../../src/platform/net/fetch.js';

const outbound = createOutbound({ development: true });
const closers: (() => void)[] = [];

afterAll(async () => {
  for (const close of closers) close();
  await outbound.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const call = (url: string, args: Readonly<Record<string, unknown>> = { plan_id: 'p' }) =>
  callTool(outbound, { url, credentials: 'c'.repeat(32), local: true }, 'check_governance', args);

/** A server of the public MCP library with one tool; `stateful`: it keeps sessions, `json`: it answers without a stream. */
async function publicServer(stateful: boolean, json: boolean): Promise<string> {
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const server = new McpServer({ name: 'governance', version: '1.0.0' });
    server.registerTool('check_governance', { inputSchema: { plan_id: z.string() } }, ({ plan_id }) => {
      const structuredContent = { check_id: 'chk', verdict: 'approved', plan_id };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: stateful ? () => randomUUID() : undefined,
      enableJsonResponse: json,
    });
    await server.connect(transport);
    return transport;
  };
  const session = stateful ? await open() : undefined;
  return serve((request, response) => {
    void (async () => (session ?? (await open())).handleRequest(request, response))();
  });
}

describe('a server of the public MCP library', () => {
  test.each([
    ['with sessions, as a stream', true, false],
    ['with sessions, as JSON', true, true],
    ['without sessions, as a stream', false, false],
    ['without sessions, as JSON', false, true],
  ])('%s', async (_what, stateful, json) => {
    const url = await publicServer(stateful, json);
    expect(await call(url)).toEqual({
      payload: { check_id: 'chk', verdict: 'approved', plan_id: 'p' },
      isError: false,
    });
  });
});

describe('a stream that the server leaves open after the response', () => {
  test.each([
    ['in one part', ['data: {"jsonrpc":"2.0","method":"notifications/message"}\n\nDATA']],
    [
      'in parts, the end of the event too',
      ['data: {"jsonrpc":"2.0","id":7,"method":"ping"}\r\n\r', '\nDATA', ': so far\n\n'],
    ],
  ])('is read up to it, %s', async (_how, parts) => {
    const response = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { structuredContent: { a: 1 } } });
    const event = `data: ${response.slice(0, 17)}\ndata: ${response.slice(17)}\n\n`;
    const url = await serve((_request, answer) => {
      answer.writeHead(200, { 'content-type': 'Text/Event-Stream;charset=utf-8' });
      void (async () => {
        for (const part of parts.join('|').replace('DATA', event.replace('\n\n', '\n|\n')).split('|')) {
          answer.write(part);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
    });
    expect(await call(url)).toEqual({ payload: { a: 1 }, isError: false });
  });
});

describe('what other servers answer', () => {
  const body = (text: string, type = 'application/json'): RequestListener => {
    return (_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(text);
    };
  };
  const result = (value: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, result: value });
  const event = (text: string) => `event: message\ndata: ${text}\n\n`;

  test.each<readonly [what: string, listener: RequestListener, answer: unknown]>([
    [
      'text alone',
      body(result({ content: [{ type: 'text', text: '{"a":1}' }] })),
      { payload: { a: 1 }, isError: false },
    ],
    [
      'an error of the tool',
      body(result({ isError: true, structuredContent: { code: 'X' } })),
      { payload: { code: 'X' }, isError: true },
    ],
    [
      'a stream with something before the answer',
      body(
        `: hello\n\n${event('{"jsonrpc":"2.0","method":"notifications/progress"}')}${event(result({ structuredContent: { a: 2 } }))}`,
        'text/event-stream; charset=utf-8',
      ),
      { payload: { a: 2 }, isError: false },
    ],
    ['no text that is JSON', body(result({ content: [{ type: 'text', text: 'approved' }] })), { fault: 'no_answer' }],
    [
      'an error of JSON-RPC',
      body('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}'),
      { fault: 'no_answer' },
    ],
    ['a page', body('<html>', 'text/html'), { fault: 'no_answer' }],
    ['nothing', body(''), { fault: 'no_answer' }],
    ['too much', body(result({ structuredContent: { a: 'x'.repeat(300_000) } })), { fault: 'unreachable' }],
    [
      'a redirect',
      (_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      { fault: 'no_answer' },
    ],
    ['that we are nobody', (_request, response) => response.writeHead(403).end(), { fault: 'unauthorized' }],
    ['that it is broken', (_request, response) => response.writeHead(502).end(), { fault: 'unreachable' }],
    ['400 to everything', (_request, response) => response.writeHead(400).end(), { fault: 'no_answer' }],
  ])('%s', async (_what, listener, answer) => {
    expect(await call(await serve(listener))).toEqual(answer);
  });

  test.each(['Schlüssel', 'two\nlines'])(
    'the token %j, which no header can carry, is one that opens nothing',
    async (credentials) => {
      const url = await serve(body(result({ structuredContent: { a: 1 } })));
      expect(await callTool(outbound, { url, credentials, local: true }, 'check_governance', {})).toEqual({
        fault: 'unauthorized',
      });
    },
  );

  test('a private address is not called', async () => {
    const url = await serve(body(result({ structuredContent: { a: 1 } })));
    const agent = { url, credentials: 'c'.repeat(32), local: false };
    expect(await callTool(outbound, agent, 'check_governance', {})).toEqual({ fault: 'unreachable' });
  });
});
