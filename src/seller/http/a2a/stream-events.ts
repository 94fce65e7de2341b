import type { StreamResponse, Task as TaskView } from 'a2a-sdk';
import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { isOver } from '../../../protocol/tasks.js';
import { lastStep, type Step, type Task } from '../../domain/task/task.js';
import { isFinal, showStoredTask, showTask } from './task-view.js';

/** How far a stream has come: the steps that its reader knows, and the last of them as it was. */
type Position = { readonly steps: number; readonly last: string };

/** Yields the events of a stream about a task: the Task as it stands, then its changes, until it is over. */
export async function* followedEvents(tasks: AsyncIterable<Task>, contextId: string): AsyncGenerator<StreamResponse> {
  let position: Position | undefined;
  for await (const task of tasks) {
    if (position === undefined) yield* viewEvents(showStoredTask(task, contextId));
    else yield* changeEvents(position, task, contextId);
    if (isOver(task.status)) return;
    position = { steps: task.steps.length, last: digest(lastStep(task)) };
  }
}

/** Yields a Task as it stands, and where it is over that nothing follows. */
export function* viewEvents(view: TaskView): Generator<StreamResponse> {
  yield { payload: { $case: 'task', value: view } };
  if (isFinal(view)) yield statusEvent(view);
}

/** Yields each step of a task that its reader does not know, as its status; what is final as an artifact before it. */
function* changeEvents(position: Position, task: Task, contextId: string): Generator<StreamResponse> {
  for (const { at, message, result, status } of newSteps(position, task)) {
    const view = showTask({ id: task.task_id, contextId, status, at, name: task.task_type, message, data: result });
    yield* artifactEvents(view);
    yield statusEvent(view);
  }
}

/** Returns the steps that came since, or the last one again where it says something else by now. */
function newSteps({ last, steps }: Position, task: Task): readonly Step[] {
  const added = task.steps.slice(steps);
  if (added.length > 0) return added;
  const present = lastStep(task);
  return digest(present) === last ? [] : [present];
}

function digest(step: Step): string {
  return sha256Hex(JSON.stringify(step));
}

function statusEvent({ contextId, id, status }: TaskView): StreamResponse {
  return { payload: { $case: 'statusUpdate', value: { taskId: id, contextId, status, metadata: undefined } } };
}

function* artifactEvents({ artifacts, contextId, id }: TaskView): Generator<StreamResponse> {
  for (const artifact of artifacts) {
    const value = { taskId: id, contextId, artifact, append: false, lastChunk: true, metadata: undefined };
    yield { payload: { $case: 'artifactUpdate', value } };
  }
}
