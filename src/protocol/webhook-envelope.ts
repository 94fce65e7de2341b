import { isObject, withoutUndefined } from '../platform/kernel/json/json.js';
import type { Echo } from './channels.js';
import { isOver, TASK_PROTOCOLS, type TaskStatus, type TaskType } from './tasks.js';

/** The content of an event about a task. */
export type TaskUpdate = {
  readonly taskId: string;
  readonly taskType: TaskType;
  readonly status: TaskStatus;
  /** ISO 8601, UTC: when it came about. */
  readonly timestamp: string;
  /** For a person. */
  readonly message?: string | undefined;
  /** The task's response, progress, reason or acknowledgment, as the status wants it. */
  readonly result?: object | undefined;
  /** `context` of the request that began the task; comes back as it was. */
  readonly context?: object | undefined;
  readonly contextId?: string | undefined;
  /** Of state-shaped events: stays the same when the event is emitted again. */
  readonly notificationId?: string | undefined;
};

/**
 * Returns the MCP envelope, the whole body of a POST for a registration by task argument over any transport; the task's id stands in for
 * a missing operation_id. `key` comes first and is never used for another event.
 */
export function mcpEnvelope(key: string, notice: TaskUpdate, echo: Echo): Readonly<Record<string, unknown>> {
  const { taskId, taskType, status, timestamp, message, result, context, contextId, notificationId } = notice;
  const protocol = TASK_PROTOCOLS[taskType];
  return withoutUndefined({
    idempotency_key: key,
    notification_id: notificationId,
    operation_id: echo.operation_id ?? taskId,
    task_id: taskId,
    task_type: taskType,
    protocol,
    // The older name of `protocol`, which receivers of both kinds read.
    domain: protocol,
    status,
    timestamp,
    message,
    context_id: contextId,
    token: echo.token,
    result,
    context,
  });
}

/**
 * Returns the A2A payload, for a registration by A2A's own mechanism: a Task for a last state, a TaskStatusUpdateEvent before. What
 * the native shapes have no member for, the key among it, is in `metadata`.
 */
export function a2aEnvelope(key: string, notice: TaskUpdate, echo: Echo): Readonly<Record<string, unknown>> {
  const { taskId, taskType, status, timestamp, message, result, context, notificationId } = notice;
  const contextId = notice.contextId ?? taskId;
  const metadata = withoutUndefined({
    idempotency_key: key,
    notification_id: notificationId,
    operation_id: echo.operation_id ?? taskId,
    task_type: taskType,
    token: echo.token,
    context,
  });
  const parts = [
    ...(message === undefined ? [] : [{ kind: 'text', text: message }]),
    ...(result === undefined ? [] : [{ kind: 'data', data: result }]),
  ];
  if (isOver(status)) {
    const artifacts = parts.length === 0 ? [] : [{ artifactId: `${taskId}_result`, name: `${taskType}_result`, parts }];
    return { kind: 'task', id: taskId, contextId, status: { state: status, timestamp }, artifacts, metadata };
  }
  const update = parts.length === 0 ? {} : { message: { kind: 'message', role: 'agent', messageId: key, parts } };
  return {
    kind: 'status-update',
    id: taskId,
    taskId,
    contextId,
    status: { state: status, timestamp, ...update },
    final: false,
    metadata,
  };
}

/** The members that alone wrap an A2A payload where its sender posts it as one of a stream. */
const A2A_WRAPPERS = ['task', 'statusUpdate'] as const;

/** Returns the Task or TaskStatusUpdateEvent of a payload that wraps one, any other payload as it is. */
export function openEnvelope(payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const [name, ...others] = Object.keys(payload);
  const wrapper = others.length === 0 ? A2A_WRAPPERS.find((one) => one === name) : undefined;
  const wrapped = wrapper === undefined ? undefined : payload[wrapper];
  return isObject(wrapped) ? wrapped : payload;
}

/** Returns the A2A payload in the shapes of A2A 1.0: one member that names its kind, and states and roles in capitals. */
export function a2aEnvelopeOf10(key: string, notice: TaskUpdate, echo: Echo): Readonly<Record<string, unknown>> {
  const { kind, id, contextId, status, artifacts, metadata } = a2aEnvelope(key, notice, echo) as A2aTaskShape;
  const { message } = status;
  const present = {
    ...status,
    state: `TASK_STATE_${status.state.toUpperCase().replace('-', '_')}`,
    message: message && { messageId: message.messageId, role: 'ROLE_AGENT', parts: message.parts.map(partOf10) },
  };
  if (kind !== 'task') return { statusUpdate: { taskId: id, contextId, status: present, metadata } };
  const made = artifacts?.map(({ parts, ...artifact }) => ({ ...artifact, parts: parts.map(partOf10) }));
  return { task: { id, contextId, status: present, artifacts: made, metadata } };
}

function partOf10({ kind: _kind, ...part }: Part): object {
  return part;
}

type A2aTaskShape = {
  readonly kind: string;
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: TaskStatus; readonly message?: { messageId: string; parts: readonly Part[] } };
  readonly artifacts?: readonly { readonly parts: readonly Part[] }[];
  readonly metadata: object;
};

/** Returns the envelope that a payload is, for a receiver without a configured format; undefined for neither. */
export function detectFormat(payload: Readonly<Record<string, unknown>>): 'mcp' | 'a2a' | undefined {
  const { status, task_id } = payload;
  if (typeof status === 'string') return typeof task_id === 'string' ? 'mcp' : undefined;
  const state = typeof status === 'object' && status !== null && 'state' in status ? status.state : undefined;
  return typeof state === 'string' ? 'a2a' : undefined;
}

/** Returns the service data of either envelope: `result`, or the data part in which the state puts it. */
export function resultOf(payload: Readonly<Record<string, unknown>>): unknown {
  const opened = openEnvelope(payload);
  if (detectFormat(opened) === 'mcp') return opened.result;
  const { artifacts, status } = opened as A2aShape;
  const final = artifacts?.[0]?.parts?.filter(isData).at(-1);
  return (final ?? status?.message?.parts?.find(isData))?.data;
}

/** Whether a part carries data: its newer shape has no `kind`. */
function isData({ kind, data }: Part): boolean {
  return kind === undefined ? data !== undefined : kind === 'data';
}

type Part = { readonly kind?: string; readonly data?: unknown };
type A2aShape = {
  readonly artifacts?: readonly { readonly parts?: readonly Part[] }[];
  readonly status?: { readonly message?: { readonly parts?: readonly Part[] } };
};
