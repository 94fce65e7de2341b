import { describe, expect, it } from 'vitest';
import { readResponse, toolPayload } from '../../../../src/platform/mcp/client/answers.js';

const json = (value: unknown) => ({
  bytes: Buffer.from(JSON.stringify(value)),
  headers: { 'content-type': 'application/json' },
});
const stream = (text: string) => ({
  bytes: Buffer.from(text),
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
});

describe('what an MCP server answered', () => {
  it('is read of one JSON message, behind a byte order mark too', async () => {
    const answer = json({ jsonrpc: '2.0', id: 1, result: { a: 1 } });
    expect(await readResponse(answer, 1)).toMatchObject({ response: { result: { a: 1 } } });
    const marked = { ...answer, bytes: Buffer.concat([Buffer.from('\ufeff'), answer.bytes]) };
    expect(await readResponse(marked, 1)).toEqual(await readResponse(answer, 1));
    expect(await readResponse(json({ jsonrpc: '2.0', id: 1, error: { code: -32601 } }), 1)).toHaveProperty(
      'response.error',
    );
  });

  it('is not read beyond the bounds', async () => {
    const bounds = { levels: 5, values: 100 };
    expect(await readResponse(json({ id: 1, result: { a: [[[[1]]]] } }), 1, bounds)).toEqual({ exceeded: 'levels' });
    const many = stream(`data: {}\n\ndata: {"id":1,"result":{"a":[${'1,'.repeat(200)}1]}}\n\n`);
    expect(await readResponse(many, 1, bounds)).toEqual({ exceeded: 'values' });
  });

  it.each(['\n', '\r\n'])('is read of the event that answers the request, lines ended by %j', async (end) => {
    const lines = [
      'event: message',
      'data: {"jsonrpc":"2.0","method":"notifications/progress"}',
      '',
      'data: {"jsonrpc":"2.0","id":1,',
      'data: "result":{"b":2}}',
      '',
      'data: {"jsonrpc":"2.0","id":2,"result":{}}',
      '',
      '',
    ];
    expect(await readResponse(stream(lines.join(end)), 1)).toMatchObject({ response: { result: { b: 2 } } });
  });

  it.each([json({ id: 2, result: {} }), json([1]), json({ id: 1 }), stream('data: {"id":1'), stream('')])(
    'is nothing where no message answers the request: %#',
    async (answer) => {
      expect(await readResponse(answer, 1)).toEqual({});
    },
  );

  it('holds the answer of a tool as content of its own, or in the text of an older server', () => {
    expect(toolPayload({ structuredContent: { c: 3 }, content: [{ text: '{"d":4}' }] })).toEqual({ c: 3 });
    expect(toolPayload({ content: [{ type: 'text', text: 'Hello' }, { text: '{"d":4}' }] })).toEqual({ d: 4 });
    expect(toolPayload({ content: [{ text: '[1]' }] })).toBeUndefined();
    expect(toolPayload({})).toBeUndefined();
  });
});
