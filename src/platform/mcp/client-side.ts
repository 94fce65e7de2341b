import type { IncomingMessage } from 'node:http';
import { showsApps } from './apps.js';
import type { ClientSide } from './methods.js';
import type { TaskRevision } from './tasks.js';

const WITH_TASKS: TaskRevision = '2025-11-25';

/** Returns what the headers of a client of the older revisions say of it; undefined where they say nothing. */
export function clientOfHeaders(request: IncomingMessage): ClientSide | undefined {
  const tasks = request.headers['mcp-protocol-version'] === WITH_TASKS ? WITH_TASKS : undefined;
  const canShowApps = showsApps(request);
  if (tasks === undefined && !canShowApps) return undefined;
  return { canAsk: false, canShowApps, tasks, answers: undefined, state: undefined };
}
