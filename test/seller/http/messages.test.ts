import { describe, expect, it } from 'vitest';
import { boot } from '../../kit/boot.js';

const server = await boot();
const call = { name: 'get_adcp_capabilities', arguments: {} };

/** Messages that a client could send: every one is answered, with this HTTP status. */
const MESSAGES: readonly (readonly [what: string, message: unknown, statuses: readonly number[]])[] = [
  ['a call', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }, [200]],
  ['id 0', { jsonrpc: '2.0', id: 0, method: 'tools/call', params: call }, [200]],
  ['a text id', { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: call }, [200]],
  ['a negative id', { jsonrpc: '2.0', id: -1, method: 'tools/call', params: call }, [200]],
  ['no params', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, [200]],
  ['params null', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null }, [200, 400]],
  ['params a list', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: [] }, [200, 400]],
  ['params a text', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: 'x' }, [200, 400]],
  ['a member more', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call, extra: 1 }, [200, 400]],
  ['_meta a number', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, _meta: 5 } }, [200, 400]],
  ['_meta null', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, _meta: null } }, [200, 400]],
  ['_meta a list', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, _meta: [] } }, [200, 400]],
  [
    'an odd progress token',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, _meta: { progressToken: {} } } },
    [200, 400],
  ],
  [
    'an odd related task',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...call, _meta: { 'io.modelcontextprotocol/related-task': 1 } },
    },
    [200, 400],
  ],
  ['an odd task', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, task: 'x' } }, [200, 400]],
  ['an id of a half', { jsonrpc: '2.0', id: 1.5, method: 'tools/call', params: call }, [200, 400]],
  ['a huge id', { jsonrpc: '2.0', id: 1e300, method: 'tools/call', params: call }, [200, 400]],
  ['an id null', { jsonrpc: '2.0', id: null, method: 'tools/call', params: call }, [400]],
  ['an id true', { jsonrpc: '2.0', id: true, method: 'tools/call', params: call }, [400]],
  ['another jsonrpc', { jsonrpc: '1.0', id: 1, method: 'tools/call', params: call }, [400]],
  ['no jsonrpc', { id: 1, method: 'tools/call', params: call }, [400]],
  ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 5, params: call }, [400]],
  ['no method', { jsonrpc: '2.0', id: 1 }, [400]],
  ['an empty method', { jsonrpc: '2.0', id: 1, method: '', params: {} }, [200, 400, 404]],
  ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'no/such', params: {} }, [200, 404]],
  ['a request and a result', { jsonrpc: '2.0', id: 1, method: 'ping', result: {} }, [200, 400]],
  [
    'a name like a prototype',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: '__proto__', arguments: {} } },
    [200],
  ],
  ['no name', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }, [200]],
  [
    'arguments null',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_products', arguments: null } },
    [200],
  ],
  [
    'arguments a list',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_products', arguments: [] } },
    [200],
  ],
  ['an odd initialize', { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 5 } }, [200, 400]],
  ['initialize without params', { jsonrpc: '2.0', id: 1, method: 'initialize' }, [200, 400]],
  ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, [202]],
  ['a cancel of nothing', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, [202]],
  ['an odd notification', { jsonrpc: '2.0', method: 5 }, [202, 400]],
  ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, [202]],
  ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }, [202]],
  ['a number', 5, [400]],
  ['null', null, [400]],
  ['a text', '"text"', [400]],
  ['an empty list', [], [400]],
  ['a list of nothing known', [1, null], [202, 400]],
  [
    'a list with one odd request',
    [
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: 5 } },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ],
    [200, 400],
  ],
  ['no JSON', '{', [400]],
  ['nothing', '', [400]],
];

describe('every message is answered, and none with a server error', () => {
  it.each(MESSAGES)('%s', async (_what, message, statuses) => {
    const late = new Promise<never>((_resolve, reject) =>
      setTimeout(() => reject(new Error('no answer')), 60_000).unref(),
    );
    const answer = await Promise.race([server.raw(message), late]);
    expect(statuses, answer.text).toContain(answer.status);
    if (answer.status !== 202) expect(answer.json()).toEqual(expect.anything());
    expect(answer.text).not.toMatch(/\bat .*\.(ts|js):\d+/);
    expect(server.log.filter((line) => line.level === 'error')).toEqual([]);
  });
});
