import type { JSONRPCMessage, JSONRPCRequest, MessageExtraInfo, Transport } from '@modelcontextprotocol/server';

/** The receiver of the messages about one request: notifications while it runs, then exactly one answer with the client's own id. */
export type Sink = {
  /** The request is understood, and what it asks for begins: an error that follows is its outcome. */
  readonly begin: () => void;
  readonly notify: (message: JSONRPCMessage) => void;
  readonly answer: (message: JSONRPCMessage) => void;
};

/** The transport between the HTTP edge and one long-lived MCP server: it carries requests of many clients side by side. */
type EdgeTransport = Transport & {
  /** Hands a request to the server; the result cancels it. Clients' ids collide, so each request gets an id of ours for its time at the server. */
  readonly request: (message: JSONRPCRequest, extra: MessageExtraInfo, sink: Sink) => () => void;
};

/** Returns the transport; connect a server to it before the first request. */
export function createEdgeTransport(): EdgeTransport {
  const pending = new Map<number, { sink: Sink; id: JSONRPCRequest['id'] }>();
  let last = 0;
  const transport: EdgeTransport = {
    start: async () => undefined,
    close: async () => transport.onclose?.(),
    send: async (message, options) => {
      if ('method' in message) {
        pending.get(Number(options?.relatedRequestId))?.sink.notify(message);
        return;
      }
      const entry = pending.get(Number(message.id));
      pending.delete(Number(message.id));
      entry?.sink.answer({ ...message, id: entry.id });
    },
    request: (message, extra, sink) => {
      last += 1;
      const id = last;
      pending.set(id, { sink, id: message.id });
      transport.onmessage?.({ ...message, id }, extra);
      return () => {
        if (!pending.delete(id)) return;
        transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      };
    },
  };
  return transport;
}
