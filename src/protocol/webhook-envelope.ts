import type { Echo } from './channels.js';
import { isOver, TASK_PROTOCOLS, type TaskStatus, type TaskType } from './tasks.js';

/** What an event tells of a task. */
export type TaskUpdate = {
  readonly taskId: string;
  readonly taskType: TaskType;
  readonly status: TaskStatus;
  /** ISO 8601, UTC: when it came about. */
  readonly timestamp: string;
  /** For a person. */
  readonly message?: string | undefined;
  /** The task's response, progress, reason or acknowledgment, as the status wants it (facts 1.4). */
  readonly result?: object | undefined;
  /** `context` of the request that began the task; comes back as it was. */
  readonly context?: object | undefined;
  readonly contextId?: string | undefined;
  /** Of state-shaped events: stays the same when the event is emitted again. */
  readonly notificationId?: string | undefined;
};

/**
 * The MCP envelope: the whole body of a POST for a registration by task argument, whatever transport it came by (spec 3, MCP
 * envelope). `key` comes first and is never used for another event. Without an operation_id the task's id stands in for it.
 */
export function mcpEnvelope(key: string, notice: TaskUpdate, echo: Echo): Readonly<Record<string, unknown>> {
  const { taskId, taskType, status, timestamp, message, result, context, contextId, notificationId } = notice;
  const protocol = TASK_PROTOCOLS[taskType];
  return withoutAbsent({
    idempotency_key: key,
    notification_id: notificationId,
    operation_id: echo.operation_id ?? taskId,
    task_id: taskId,
    task_type: taskType,
    protocol,
    // Specification 3 calls it so; the public schema has the other name.
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
 * The A2A payload, for a registration by A2A's own mechanism: a Task for a last state, a TaskStatusUpdateEvent before (spec 3, A2A
 * payload). What the native shapes have no member for, the key among it, stands in `metadata`.
 */
export function a2aEnvelope(key: string, notice: TaskUpdate, echo: Echo): Readonly<Record<string, unknown>> {
  const { taskId, taskType, status, timestamp, message, result, context, notificationId } = notice;
  const contextId = notice.contextId ?? taskId;
  const metadata = withoutAbsent({
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
  const said = parts.length === 0 ? {} : { message: { kind: 'message', role: 'agent', messageId: key, parts } };
  return {
    kind: 'status-update',
    id: taskId,
    taskId,
    contextId,
    status: { state: status, timestamp, ...said },
    final: false,
    metadata,
  };
}

/** Which envelope a payload is, as a receiver without a configured format tells (spec 3, Format detection); undefined for neither. */
export function detectFormat(payload: Readonly<Record<string, unknown>>): 'mcp' | 'a2a' | undefined {
  const { status, task_id } = payload;
  if (typeof status === 'string') return typeof task_id === 'string' ? 'mcp' : undefined;
  const state = typeof status === 'object' && status !== null && 'state' in status ? status.state : undefined;
  return typeof state === 'string' ? 'a2a' : undefined;
}

/** The service data of either envelope: `result`, or the data part that the state puts it in (spec 3, A2A payload). */
export function resultOf(payload: Readonly<Record<string, unknown>>): unknown {
  if (detectFormat(payload) === 'mcp') return payload.result;
  const { artifacts, status } = payload as A2aShape;
  const final = artifacts?.[0]?.parts?.filter((part) => part.kind === 'data').at(-1);
  return (final ?? status?.message?.parts?.find((part) => part.kind === 'data'))?.data;
}

type Part = { readonly kind?: string; readonly data?: unknown };
type A2aShape = {
  readonly artifacts?: readonly { readonly parts?: readonly Part[] }[];
  readonly status?: { readonly message?: { readonly parts?: readonly Part[] } };
};

function withoutAbsent(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
