import { isObject, QuotedText, writeOnce } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Caller } from '../../context.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { findTool } from '../../tasks/index.js';
import { runTask } from '../../tasks/pipeline/pipeline.js';
import { type Answer, addressee, answerFailure, ownerOf } from '../../tasks/pipeline/receive.js';
import type { Limits } from '../limits.js';

/** Returns an answer as the result of a `tools/call`: its payload as text and as structured content. */
export function callResult({ payload, isError }: Answer): Record<string, unknown> {
  const body = writeOnce(payload);
  const content = [{ type: 'text', text: new QuotedText(body) }];
  return isError ? { content, structuredContent: body, isError } : { content, structuredContent: body };
}

/** Runs the task that the `params` of a `tools/call` name; a failed answer says what is wrong with the call. */
export async function callTool(app: App, limits: Limits, caller: Caller, params: unknown): Promise<Answer> {
  const { name, arguments: given = {} } = isObject(params) ? params : {};
  const args = isObject(given) ? given : {};
  const to = addressee(caller, args);
  try {
    if (typeof name !== 'string') throw malformed('name', 'Name the tool to call; tools/list shows them.');
    if (!isObject(given)) throw malformed('arguments', 'Send the arguments as a JSON object.');
    const tool = findTool(caller.seller, name, caller.principal);
    if (tool === undefined) throw unknownTool(app, caller.seller, name);
    if (caller.principal !== undefined)
      await limits.take(ownerOf(caller), caller.principal, tool.kind === 'query' ? 'reads' : 'writes');
    return await runTask(app, tool, caller, args);
  } catch (error) {
    return answerFailure({ app, caller, to }, error);
  }
}

function malformed(field: string, suggestion: string): TaskError {
  return new TaskError('INVALID_REQUEST', `params.${field} is missing or has the wrong type.`, { field, suggestion });
}

/** Returns the error for an unknown tool: it begins with the words that clients look for, and names in development mode the tenants that have the tool. */
function unknownTool(app: App, seller: Seller, name: string): TaskError {
  const others = app.development ? [...app.sellers().values()] : [];
  const elsewhere = others.filter((other) => other !== seller && findTool(other, name) !== undefined);
  const shown = name.slice(0, 80);
  const message =
    elsewhere.length === 0
      ? `Unknown tool: ${shown}`
      : `Unknown tool: ${shown}. It is offered at ${elsewhere.map((other) => other.url).join(', ')}`;
  return new TaskError('INVALID_REQUEST', message, {
    field: 'name',
    suggestion: 'Call one of the tools that tools/list shows.',
  });
}
