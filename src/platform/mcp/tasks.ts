import { isObject } from '../kernel/json/json.js';
import { McpRefusal } from './refusal.js';

/** The revisions by whose rules a call may be followed as a task: the older one has them at its core, the newest one as an extension. */
export type TaskRevision = '2025-11-25' | '2026-07-28';

/** The extension of the newest revision. https://github.com/modelcontextprotocol/ext-tasks */
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** What an endpoint whose calls may be followed declares, by revision. */
export const TASK_CAPABILITIES = {
  '2025-11-25': { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  '2026-07-28': { extensions: { [TASKS_EXTENSION]: {} } },
} as const satisfies Readonly<Record<TaskRevision, object>>;

/** Whether a client of the newest revision declares that it follows tasks. */
export function declaresTasks({ extensions }: Readonly<Record<string, unknown>>): boolean {
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
}

/** Returns the refusal of a method of the extension to a client that does not declare it. */
export function noTasksExtension(): McpRefusal {
  return new McpRefusal(400, -32021, `Declare the extension ${TASKS_EXTENSION} with the request.`, {
    requiredCapabilities: TASK_CAPABILITIES['2026-07-28'],
  });
}

/** The revision of a client that begins with `initialize` and names none that is served is the latest of those. */
const LATEST_OLDER = '2025-11-25';

/** Returns the revision by whose rules a client that begins with `initialize` follows tasks; undefined where its revision has none. */
export function taskRevisionOf(revision: unknown, served: readonly string[]): TaskRevision | undefined {
  return typeof revision !== 'string' || revision === LATEST_OLDER || !served.includes(revision)
    ? LATEST_OLDER
    : undefined;
}
