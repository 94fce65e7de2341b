import type { IncomingMessage, ServerResponse } from 'node:http';
import { readTrace } from '../../../platform/health/traces.js';
import { toJson, Written } from '../../../platform/kernel/json/json.js';
import { writeEvents, writeMessage, writeRefusal } from '../../../platform/mcp/answer.js';
import { McpRefusal } from '../../../platform/mcp/refusal.js';
import { requestIdOf } from '../../../platform/web/request-id.js';
import type { App } from '../../context.js';
import type { Seller } from '../../domain/tenant/seller.js';
import type { Answer } from '../../tasks/pipeline/receive.js';
import { type Denial, type Edge, receive } from '../arrival.js';
import type { Endpoint } from '../endpoint.js';
import { deniedAnswer, deniedId, judgeMessage } from '../mcp/admission.js';
import { rpcErrorOf } from '../rpc-error.js';
import type { EventStream, SkillAgent } from './agent.js';
import { type AgentParts, isRevisionSpoken } from './card.js';
import { type A2aRequest, asToolCall, contextPath, readRequest } from './request.js';

/** Opens a tenant's A2A endpoint; the SDK is loaded when it is first called. */
export function openA2aEndpoint(parts: AgentParts): Endpoint {
  const { app, seller } = parts;
  let agent: Promise<SkillAgent> | undefined;
  const findAgent = (): Promise<SkillAgent> => {
    agent ??= import('./agent.js').then((room) => new room.SkillAgent(parts));
    return agent;
  };
  const serve = async (edge: Edge, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      if (request.method !== 'POST')
        throw new McpRefusal(
          405,
          -32000,
          'Method not allowed: send JSON-RPC with POST; the agent card is below /.well-known.',
        );
      await answerCall({ edge: { ...edge, asToolCall, contextPath }, app, seller, findAgent }, request, response);
    } catch (error) {
      if (!(error instanceof McpRefusal)) app.log.error({ err: error }, 'an A2A request failed unexpectedly');
      writeRefusal(response, error instanceof McpRefusal ? error : new McpRefusal(500, -32603, 'Internal error'));
    }
  };
  return { seller, serve };
}

/** From the top of a message to the answer of a task in it: result, task, artifacts, parts. */
const MESSAGE_LEVELS = 8;

/** https://a2a-protocol.org/latest/specification/#54-error-code-mappings */
const VERSION_NOT_SUPPORTED = {
  code: -32009,
  message: 'This version of A2A is not supported: send A2A-Version 1.0 or 0.3.',
};

function headerText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value.trim() : value?.[0];
}

type Serving = {
  readonly edge: Edge;
  readonly app: App;
  readonly seller: Seller;
  readonly findAgent: () => Promise<SkillAgent>;
};

async function answerCall(
  { app, edge, findAgent, seller }: Serving,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const arrived = await receive(edge, seller, incoming, response);
  const requestId = requestIdOf(response);
  if ('denial' in arrived)
    return denyCall(
      response,
      arrived.denial,
      deniedId(arrived.denial),
      deniedAnswer(app, seller, arrived.denial, requestId),
    );
  const { body, ...presented } = arrived;
  const request = readRequest(body);
  if (request === undefined)
    throw new McpRefusal(400, -32600, 'Invalid Request: send one JSON-RPC 2.0 request with an id.');
  if (!isRevisionSpoken(headerText(incoming.headers['a2a-version'])))
    return writeMessage(response, 'json', { jsonrpc: '2.0', id: request.id, error: VERSION_NOT_SUPPORTED });
  const judged = judgeMessage(
    app,
    seller,
    { ...presented, isBatch: false, protocol: 'a2a', requestId, trace: readTrace(incoming.headers) },
    asToolCall(body),
  );
  if ('denied' in judged)
    return denyCall(response, judged.denied, request.id, deniedAnswer(app, seller, judged.denied, requestId));
  if ('failed' in judged) return writeMessage(response, 'json', writeFailure(request, judged.failed));
  const agent = await findAgent();
  const answered = await agent.answer(judged.caller, request);
  if ('message' in answered) writeMessage(response, 'json', encodeMessage(answered.message));
  else await writeStream(response, answered);
}

/** Writes a stream until it ends, or its reader is gone. */
async function writeStream(response: ServerResponse, { end, messages }: EventStream): Promise<void> {
  response.once('close', end);
  try {
    await writeEvents(response, writeEach(messages));
  } finally {
    end();
  }
}

async function* writeEach(messages: AsyncIterable<object>): AsyncGenerator<Written> {
  for await (const message of messages) yield encodeMessage(message);
}

/** Writes a message whose answer of a task lies deep in it, and is written already. */
function encodeMessage(message: object): Written {
  return new Written(toJson(message, MESSAGE_LEVELS));
}

function denyCall(
  response: ServerResponse,
  { challenge, status }: Pick<Denial, 'challenge' | 'status'>,
  id: string | number | null,
  answer: Answer,
): void {
  response.setHeader('www-authenticate', challenge);
  writeMessage(response, 'json', { jsonrpc: '2.0', id, error: rpcErrorOf(answer) }, status ?? 401);
}

/** Returns the error of JSON-RPC for a message that was too much to look at. */
function writeFailure({ id }: A2aRequest, answer: Answer): object {
  return { jsonrpc: '2.0', id, error: rpcErrorOf(answer) };
}
