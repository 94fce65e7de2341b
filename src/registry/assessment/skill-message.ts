import { isObject } from '../../platform/kernel/json/json.js';
import { openEnvelope } from '../../protocol/webhook-envelope.js';
import { isRevision1, objectsOf } from './agent-card.js';
import type { Exchange, JsonObject, SkillAnswer, TaskRegistration } from './evidence.js';

/** The headers and the message of JSON-RPC for one operation of A2A. */
type A2aRequest = { readonly message: JsonObject; readonly headers: Readonly<Record<string, string>> };

/** A skill that a message calls. */
export type SkillCall = {
  readonly skill: string;
  readonly input: JsonObject;
  readonly messageId: string;
  readonly isStreamed?: boolean | undefined;
  /** The registration for the webhooks of the task. */
  readonly push?: Pick<TaskRegistration, 'operationId' | 'url'> | undefined;
};

/** The methods of each operation: in revision 0.3, and since 1.0. */
const METHODS = {
  send: ['message/send', 'SendMessage'],
  stream: ['message/stream', 'SendStreamingMessage'],
  task: ['tasks/get', 'GetTask'],
  pushes: ['tasks/pushNotificationConfig/list', 'ListTaskPushNotificationConfigs'],
} as const;

/** Returns a request of an operation in the shapes of a revision. */
export function a2aRequest(revision: string, operation: keyof typeof METHODS, params: JsonObject): A2aRequest {
  const [older, newer] = METHODS[operation];
  const isNewer = isRevision1(revision);
  return {
    message: { method: isNewer ? newer : older, params },
    headers: isNewer ? { 'a2a-version': revision } : {},
  };
}

/** Returns the request that calls a skill, its arguments in a data part. */
export function skillRequest(
  revision: string,
  { input, isStreamed = false, messageId, push, skill }: SkillCall,
): A2aRequest {
  const data = { skill, input };
  const isNewer = isRevision1(revision);
  const message = isNewer
    ? { role: 'ROLE_USER', messageId, parts: [{ data }] }
    : { kind: 'message', role: 'user', messageId, parts: [{ kind: 'data', data }] };
  return a2aRequest(revision, isStreamed ? 'stream' : 'send', {
    message,
    configuration: push && writePush(isNewer, push),
  });
}

/**
 * Writes the registration of a push; the shapes of 1.0 take no other members, those before it the contents of a task's
 * argument.
 */
function writePush(isNewer: boolean, { operationId, url }: NonNullable<SkillCall['push']>): object {
  if (isNewer) return { taskPushNotificationConfig: { url } };
  return { pushNotificationConfig: { url, operation_id: operationId } };
}

/** Reads what a message that called a skill was answered. */
export function readSkillAnswer(exchange: Exchange): SkillAnswer {
  const result = exchange.ok ? exchange.message?.result : undefined;
  return { exchange, ...readTask(result) };
}

/** Returns the members of a Task, or of the event of its status, in either revision; none of what is neither. */
export function readTask(value: unknown): Omit<SkillAnswer, 'exchange'> {
  const task = isObject(value) ? openEnvelope(value) : {};
  if (!isObject(task.status) || typeof task.status.state !== 'string') return {};
  const { id = task.taskId } = task;
  const { message, state } = task.status;
  const [artifact] = objectsOf(task.artifacts);
  const final = objectsOf(artifact?.parts).flatMap(dataOfPart);
  const interim = isObject(message) ? objectsOf(message.parts).flatMap(dataOfPart) : [];
  return {
    state: state
      .replace(/^TASK_STATE_/, '')
      .replaceAll('_', '-')
      .toLowerCase(),
    taskId: typeof id === 'string' ? id : undefined,
    payload: final.at(-1) ?? interim[0],
  };
}

function dataOfPart({ data }: JsonObject): readonly JsonObject[] {
  return isObject(data) ? [data] : [];
}
