import type { JSONRPCMessage, JSONRPCRequest, MessageExtraInfo } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEdgeTransport, type Sink } from '../../../src/platform/mcp/transport.js';

const request = (id: JSONRPCRequest['id'], method = 'tools/call'): JSONRPCRequest => ({ jsonrpc: '2.0', id, method });

/** A transport whose server side a test plays itself. */
function edge() {
  const heard: { message: JSONRPCMessage; extra: MessageExtraInfo | undefined }[] = [];
  const transport = createEdgeTransport();
  transport.onmessage = (message, extra) => void heard.push({ message, extra });
  const sinkInto = (into: JSONRPCMessage[]): Sink => ({
    begin: () => undefined,
    notify: (message) => void into.push(message),
    answer: (message) => void into.push(message),
  });
  const idAt = (index: number) => (heard.map(({ message }) => message as JSONRPCRequest)[index] ?? request(-1)).id;
  return { transport, heard, sinkInto, idAt };
}

describe('the edge transport', () => {
  it('never crosses answers, however ids collide and in whatever order they come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.nat(3), fc.constantFrom('a', '1')), { minLength: 1, maxLength: 30 }),
        fc.infiniteStream(fc.nat()),
        async (ids, order) => {
          const { transport, heard, sinkInto } = edge();
          const got = ids.map((id, index) => {
            const into: JSONRPCMessage[] = [];
            transport.request({ ...request(id), params: { index } }, {}, sinkInto(into));
            return into;
          });
          const waiting = heard.map(({ message }) => message as JSONRPCRequest);
          expect(new Set(waiting.map((message) => message.id)).size).toBe(ids.length);
          while (waiting.length > 0) {
            const [message] = waiting.splice((order.next().value ?? 0) % waiting.length, 1);
            if (message === undefined) break;
            await transport.send({ jsonrpc: '2.0', id: message.id, result: { index: message.params?.index } });
          }
          expect(got).toEqual(ids.map((id, index) => [{ jsonrpc: '2.0', id, result: { index } }]));
        },
      ),
    );
  });

  it('carries what belongs to the call to the server', () => {
    const { transport, heard, sinkInto } = edge();
    const authInfo = { token: '', clientId: 'me', scopes: [] };
    transport.request(request('x'), { authInfo }, sinkInto([]));
    expect(heard[0]?.extra).toEqual({ authInfo });
  });

  it('brings notifications to the request that they are about, and to no other', async () => {
    const { transport, sinkInto, idAt } = edge();
    const [first, second]: [JSONRPCMessage[], JSONRPCMessage[]] = [[], []];
    transport.request(request(1), {}, sinkInto(first));
    transport.request(request(1), {}, sinkInto(second));
    const progress: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
    await transport.send(progress, { relatedRequestId: idAt(1) });
    await transport.send(progress);
    await transport.send(progress, { relatedRequestId: 999 });
    expect([first, second]).toEqual([[], [progress]]);
  });

  it('brings an error with the client’s own id', async () => {
    const { transport, sinkInto, idAt } = edge();
    const into: JSONRPCMessage[] = [];
    transport.request(request('mine'), {}, sinkInto(into));
    await transport.send({ jsonrpc: '2.0', id: idAt(0), error: { code: -32601, message: 'no' } });
    expect(into).toEqual([{ jsonrpc: '2.0', id: 'mine', error: { code: -32601, message: 'no' } }]);
  });

  it('a cancel tells the server which one, once, and nothing is answered after it', async () => {
    const { transport, heard, sinkInto, idAt } = edge();
    const into: JSONRPCMessage[] = [];
    const cancel = transport.request(request(7), {}, sinkInto(into));
    cancel();
    cancel();
    expect(heard.slice(1).map(({ message }) => message)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: idAt(0) } },
    ]);
    await transport.send({ jsonrpc: '2.0', id: idAt(0), result: {} });
    await transport.send({ jsonrpc: '2.0', method: 'notifications/progress' }, { relatedRequestId: idAt(0) });
    expect(into).toEqual([]);
  });

  it('a cancel after the answer says nothing, and a second answer goes nowhere', async () => {
    const { transport, heard, sinkInto, idAt } = edge();
    const into: JSONRPCMessage[] = [];
    const cancel = transport.request(request(7), {}, sinkInto(into));
    await transport.send({ jsonrpc: '2.0', id: idAt(0), result: {} });
    await transport.send({ jsonrpc: '2.0', id: idAt(0), result: { again: true } });
    cancel();
    expect(heard).toHaveLength(1);
    expect(into).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }]);
  });

  it('an answer to nobody is dropped', async () => {
    await expect(edge().transport.send({ jsonrpc: '2.0', id: 42, result: {} })).resolves.toBeUndefined();
  });
});
