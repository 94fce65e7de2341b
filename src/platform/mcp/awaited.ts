import type { ServerResponse } from 'node:http';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { toJson, Written } from '../kernel/json/json.js';
import { writeEvents, writeMessage } from './answer.js';
import type { Awaiting } from './methods.js';
import { McpRefusal, rpcErrorOf } from './refusal.js';
import type { Writing } from './request.js';

/** The method whose answer comes when a task is over. */
export const AWAITED_METHOD = 'tasks/result';

/** A request whose result may be long in coming, and how its client reads. */
type Awaited<Caller> = {
  readonly caller: Caller;
  readonly message: JSONRPCRequest;
  readonly response: ServerResponse;
  readonly writing: Writing;
};

/** Answers a request once its result is there; where the client reads a stream, notifications go before it. Ends when the client goes. */
export async function answerAwaited<Caller>(
  run: Awaiting<Caller>,
  { caller, message, response, writing }: Awaited<Caller>,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const messages = messagesOf(message.id, run(caller, message.params, gone.signal));
  if (writing === 'events') return writeEvents(response, writeEach(messages));
  let last: object = {};
  for await (const one of messages) last = one;
  writeMessage(response, writing, last);
}

/** Yields the notifications of a request that goes on, and its answer last. */
async function* messagesOf(id: JSONRPCRequest['id'], running: ReturnType<Awaiting<unknown>>): AsyncGenerator<object> {
  try {
    for (;;) {
      const { done, value } = await running.next();
      if (done === true) return yield { jsonrpc: '2.0', id, result: value };
      yield { jsonrpc: '2.0', ...value };
    }
  } catch (error) {
    if (!(error instanceof McpRefusal)) throw error;
    yield { jsonrpc: '2.0', id, error: rpcErrorOf(error) };
  } finally {
    await running.return({});
  }
}

async function* writeEach(messages: AsyncIterable<object>): AsyncGenerator<Written> {
  for await (const message of messages) yield new Written(toJson(message));
}
