import { type Task as A2aTaskView, type Artifact, type Message, type Part, Role, TaskState } from 'a2a-sdk';
import { isOver, TASK_STATUSES, type TaskStatus } from '../../../protocol/tasks.js';
import { lastStep, type Task } from '../../domain/task/task.js';

const STATES: Readonly<Record<TaskStatus, TaskState>> = {
  submitted: TaskState.TASK_STATE_SUBMITTED,
  working: TaskState.TASK_STATE_WORKING,
  'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  canceled: TaskState.TASK_STATE_CANCELED,
  rejected: TaskState.TASK_STATE_REJECTED,
};

const FINAL_STATES: ReadonlySet<unknown> = new Set(
  TASK_STATUSES.filter((status) => isOver(status)).map((status) => STATES[status]),
);

/** The facts of a task that A2A shows. */
type Shown = {
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The name of the task's type. */
  readonly name: string;
  /** For a person. */
  readonly message?: string | undefined;
  /** The answer of the task, or what is said of its state. */
  readonly data?: object | undefined;
};

/** Returns a Task as the SDK has it: what is final lies in its artifact, what is said meanwhile in the message of its status. */
export function showTask({ id, contextId, status, at, name, message, data }: Shown): A2aTaskView {
  const parts = [
    ...(message === undefined ? [] : [textPart(message)]),
    ...(data === undefined ? [] : [dataPart(data)]),
  ];
  const over = isOver(status);
  return {
    id,
    contextId,
    status: {
      state: STATES[status],
      timestamp: at,
      message: over || parts.length === 0 ? undefined : agentMessage(id, contextId, parts),
    },
    artifacts: over && parts.length > 0 ? [artifactOf(id, name, parts)] : [],
    history: [],
    metadata: undefined,
  };
}

/** Returns a stored task as it stands. */
export function showStoredTask(task: Task, contextId: string): A2aTaskView {
  const { status, at, message, result } = lastStep(task);
  return showTask({ id: task.task_id, contextId, status, at, name: task.task_type, message, data: result });
}

/** Whether a Task is over. */
export function isFinal({ status }: Pick<A2aTaskView, 'status'>): boolean {
  return FINAL_STATES.has(status?.state);
}

function artifactOf(id: string, name: string, parts: Part[]): Artifact {
  return {
    artifactId: `${id}_result`,
    name: `${name}_result`,
    description: '',
    parts,
    metadata: undefined,
    extensions: [],
  };
}

function agentMessage(taskId: string, contextId: string, parts: Part[]): Message {
  return {
    messageId: `${taskId}_status`,
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function textPart(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' };
}

function dataPart(value: object): Part {
  return { content: { $case: 'data', value }, metadata: undefined, filename: '', mediaType: '' };
}
