import { describe, expect, it } from 'vitest';
import { responseTo, toolPayload } from '../../../../src/platform/mcp/client/answers.js';

const json = (value: unknown) => ({
  bytes: Buffer.from(JSON.stringify(value)),
  headers: { 'content-type': 'application/json' },
});
const stream = (text: string) => ({
  bytes: Buffer.from(text),
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
});

describe('what an MCP server answered', () => {
  it('is read of one JSON message', () => {
    expect(responseTo(json({ jsonrpc: '2.0', id: 1, result: { a: 1 } }), 1)).toMatchObject({ result: { a: 1 } });
    expect(responseTo(json({ jsonrpc: '2.0', id: 1, error: { code: -32601 } }), 1)).toHaveProperty('error');
  });

  it.each(['\n', '\r\n'])('is read of the event that answers the request, lines ended by %j', (end) => {
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
    expect(responseTo(stream(lines.join(end)), 1)).toMatchObject({ result: { b: 2 } });
  });

  it.each([json({ id: 2, result: {} }), json([1]), json({ id: 1 }), stream('data: {"id":1'), stream('')])(
    'is nothing where no message answers the request: %#',
    (answer) => {
      expect(responseTo(answer, 1)).toBeUndefined();
    },
  );

  it('holds the answer of a tool as content of its own, or in the text of an older server', () => {
    expect(toolPayload({ structuredContent: { c: 3 }, content: [{ text: '{"d":4}' }] })).toEqual({ c: 3 });
    expect(toolPayload({ content: [{ type: 'text', text: 'Hello' }, { text: '{"d":4}' }] })).toEqual({ d: 4 });
    expect(toolPayload({ content: [{ text: '[1]' }] })).toBeUndefined();
    expect(toolPayload({})).toBeUndefined();
  });
});
