import { isObject } from '../../../platform/kernel/json/json.js';
import { messageId } from '../../../platform/mcp/request.js';
import { TaskError } from '../../../protocol/errors.js';
import type { A2aRevision } from '../../domain/task/a2a.js';
import { CHANGING_TASK } from '../mcp/tasks/needs.js';

/** The methods that send a message, in both revisions. */
const SENDING: ReadonlySet<string> = new Set(['message/send', 'message/stream', 'SendMessage', 'SendStreamingMessage']);
const STREAMING: ReadonlySet<string> = new Set([
  'message/stream',
  'tasks/resubscribe',
  'SendStreamingMessage',
  'SubscribeToTask',
]);
/** The methods that register for a task, and those that change something about one besides. */
const REGISTERING: ReadonlySet<string> = new Set([
  'tasks/pushNotificationConfig/set',
  'CreateTaskPushNotificationConfig',
]);
const CHANGING: ReadonlySet<string> = new Set([
  ...REGISTERING,
  'tasks/cancel',
  'tasks/pushNotificationConfig/delete',
  'CancelTask',
  'DeleteTaskPushNotificationConfig',
]);
const METHOD_OF_10 = /^[A-Z]/;

/** Most parts of a message, and the length of an id of its sender. */
const MAX_PARTS = 50;
const MAX_ID_CHARACTERS = 255;
const ROLES: readonly unknown[] = ['user', 'ROLE_USER'];

type Members = Readonly<Record<string, unknown>>;

/** A message as a task call. */
export type SkillCall = {
  /** Undefined where no data part names one. */
  readonly skill: string | undefined;
  readonly input: unknown;
  /** The registration by A2A's own mechanism. */
  readonly push: unknown;
  readonly contextId: string | undefined;
  /** A task that goes on, in whose context the call is made. */
  readonly taskId: string | undefined;
};

/** A request of A2A, in one of its revisions. */
export type A2aRequest = {
  readonly id: string | number;
  readonly method: string;
  readonly revision: A2aRevision;
  readonly params: Members;
};

/** Returns the request in a body; undefined for what is no request of JSON-RPC. */
export function readRequest(body: unknown): A2aRequest | undefined {
  const id = messageId(body);
  if (id === null || !isObject(body) || body.jsonrpc !== '2.0' || typeof body.method !== 'string') return undefined;
  const { method, params } = body;
  return { id, method, revision: METHOD_OF_10.test(method) ? '1.0' : '0.3', params: membersOf(params) };
}

/** Whether a request sends a message. */
export function isSending({ method }: A2aRequest): boolean {
  return SENDING.has(method);
}

/** Whether a request wants a stream of events. */
export function isStreaming({ method }: A2aRequest): boolean {
  return STREAMING.has(method);
}

/** Whether a request changes something about a task. */
export function isChanging({ method }: A2aRequest): boolean {
  return CHANGING.has(method);
}

/** Reads the task call of a request that sends a message: that of the first data part which names a skill. */
export function readSkillCall({ params }: A2aRequest): SkillCall {
  const { contextId, parts, taskId } = membersOf(params.message);
  const data = listOf(parts)
    .map((part) => membersOf(membersOf(part).data))
    .find(({ skill }) => typeof skill === 'string');
  const { pushNotificationConfig, taskPushNotificationConfig } = membersOf(params.configuration);
  return {
    skill: textOf(data?.skill),
    input: data?.input ?? data?.parameters ?? {},
    push: pushNotificationConfig ?? taskPushNotificationConfig,
    contextId: textOf(contextId),
    taskId: textOf(taskId),
  };
}

/** Returns the registration that a request for a task brings. */
export function pushInRequest({ params, revision }: A2aRequest): unknown {
  return revision === '1.0' ? params : params.pushNotificationConfig;
}

/** Throws INVALID_REQUEST for a request whose members are not what its method takes. */
export function requireWellFormed(request: A2aRequest): void {
  const { params } = request;
  const ids = isSending(request) ? sentIds(params) : params;
  for (const name of ['id', 'taskId', 'contextId', 'pushNotificationConfigId', 'messageId']) {
    const { [name]: id } = ids;
    if (id === undefined || (typeof id === 'string' && id.length <= MAX_ID_CHARACTERS)) continue;
    throw malformed(name, `Send a text of at most ${MAX_ID_CHARACTERS} characters.`);
  }
}

/** Returns the ids of a message after a look at its role and its parts. */
function sentIds({ message }: Members): Members {
  if (!isObject(message))
    throw malformed('message', 'Send {"message": {"role": "user", "messageId": …, "parts": […]}}.');
  const { contextId, messageId: id, parts, role, taskId } = message;
  if (!ROLES.includes(role)) throw malformed('message.role', 'A message to this agent has the role user.');
  if (typeof id !== 'string' || id === '') throw malformed('message.messageId', 'Send a UUID.');
  if (listOf(parts).length === 0 || listOf(parts).length > MAX_PARTS || !listOf(parts).every(isObject))
    throw malformed(
      'message.parts',
      `Send 1 to ${MAX_PARTS} parts, one of them {"kind": "data", "data": {"skill": …, "input": …}}.`,
    );
  return { contextId, messageId: id, taskId };
}

/** Returns a request with what the SDK needs of it to find the operation: what was asked for is read from the request itself. */
export function forSdk(request: A2aRequest): Record<string, unknown> {
  const { id, method, params, revision } = request;
  return { jsonrpc: '2.0', id, method, params: neededParams(request, params, revision) };
}

function neededParams(request: A2aRequest, params: Members, revision: A2aRevision): object {
  if (isSending(request)) {
    const role = revision === '1.0' ? 'ROLE_USER' : 'user';
    return { message: { kind: 'message', messageId: 'message', role, parts: [] } };
  }
  if (REGISTERING.has(request.method)) return { taskId: params.taskId, url: '', pushNotificationConfig: { url: '' } };
  const { id, pushNotificationConfigId, taskId } = params;
  return { id, pushNotificationConfigId, taskId };
}

/**
 * Returns a body as the tool call of MCP that it comes to, by which its sender and its bounds are judged. What is done about a task
 * needs what its polling or changing by a tool would need.
 */
export function asToolCall(body: unknown): object {
  const request = readRequest(body);
  const call = { jsonrpc: '2.0', id: messageId(body), method: 'tools/call' };
  if (request === undefined) return { ...call, params: {} };
  if (!isSending(request)) {
    const name = isChanging(request) ? CHANGING_TASK : 'get_task_status';
    const registration = REGISTERING.has(request.method) ? pushInRequest(request) : undefined;
    return { ...call, params: { name, arguments: { push_notification_config: registration } } };
  }
  const { input, push, skill } = readSkillCall(request);
  const given = membersOf(input);
  return { ...call, params: { name: skill, arguments: push === undefined ? given : withPush(given, push) } };
}

/** Returns where the context of a message that calls a skill lies in its body. */
export function contextPath(body: unknown): readonly (string | number)[] {
  const parts = listOf(membersOf(membersOf(membersOf(body).params).message).parts).map((part) =>
    membersOf(membersOf(part).data),
  );
  const at = parts.findIndex(({ skill }) => typeof skill === 'string');
  const isInput = (parts[at]?.input ?? undefined) !== undefined;
  return ['params', 'message', 'parts', at, 'data', isInput ? 'input' : 'parameters', 'context'];
}

/** Returns an input with both registrations, since both are looked at for what needs a signature. */
function withPush(input: Members, push: unknown): Members {
  const { push_notification_config: own } = input;
  return { ...input, push_notification_config: own === undefined ? push : [own, push] };
}

function malformed(field: string, suggestion: string): TaskError {
  return new TaskError('INVALID_REQUEST', `params.${field} is missing or has the wrong type.`, {
    field: `params.${field}`,
    suggestion,
  });
}

function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
