import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import { isObject, QuotedText, written } from '../../../platform/kernel/json/json.js';
import { connectServers, type McpHandler, type McpServers } from '../../../platform/mcp/servers.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Caller } from '../../context.js';
import type { Seller } from '../../domain/tenant/seller.js';
import type { TenantKind } from '../../domain/tenant/tenant.js';
import { findTool } from '../../tasks/index.js';
import { toolName } from '../../tasks/pipeline/define.js';
import { runTask } from '../../tasks/pipeline/pipeline.js';
import { publishTools } from '../../tasks/pipeline/published.js';
import { type Answer, addressee, answerFailure, ownerOf } from '../../tasks/pipeline/receive.js';
import type { Limits } from '../limits.js';

/** One tenant's two MCP servers, one per era of the protocol, each connected once for the life of the process. */
export type TenantMcp = McpServers & {
  /** Runs the task of a `tools/call`; its answer is the whole result. */
  readonly call: (caller: Caller, params: unknown) => Promise<Record<string, unknown>>;
};

/** What each kind of tenant is asked first, for the instructions that a model reads. */
const NEXT: Readonly<Record<TenantKind, string>> = {
  sales: 'get_products, create_media_buy, get_media_buys',
  creative: 'list_creative_formats, build_creative, preview_creative',
  signals: 'get_signals, activate_signal',
};

/** Connects a tenant's MCP servers. */
export async function openTenantMcp(app: App, limits: Limits, seller: Seller, version: string): Promise<TenantMcp> {
  const { tenant } = seller;
  const info = { name: tenant.name, version };
  const options = {
    capabilities: { tools: {} },
    instructions: `${tenant.description} Start with ${seller.names.capabilitiesTool}; then ${tenant.kinds.map((kind) => NEXT[kind]).join(', ')}. Every changing call needs a fresh idempotency_key.`,
  };
  const tools = new Map<boolean, ReturnType<typeof publishTools>>();
  const call: TenantMcp['call'] = async (caller, params) => callResult(await callTool(app, limits, caller, params));
  const handler: McpHandler = async (request, context) => {
    if (request.method === 'tools/list') {
      const sandbox = callerOf(context).principal?.sandbox === true;
      const published = tools.get(sandbox) ?? publishTools(seller, sandbox);
      tools.set(sandbox, published);
      return { tools: published };
    }
    if (request.method !== 'tools/call') throw Object.assign(new Error('Method not found'), { code: -32601 });
    return call(callerOf(context), request.params);
  };
  const transports = await connectServers(info, options, handler);
  return { ...transports, call };
}

/** The caller travels through the SDK in the place it keeps for authentication. */
export function authInfoOf(caller: Caller): AuthInfo {
  return { token: '', clientId: caller.principal?.id ?? '', scopes: [], extra: { caller } };
}

function callerOf(context: ServerContext): Caller {
  return context.http?.authInfo?.extra?.caller as Caller;
}

/** A `tools/call` result: the payload as text and as structured content (spec 2, Transport; facts A.2). */
export function callResult({ payload, isError }: Answer): Record<string, unknown> {
  const body = written(payload);
  const content = [{ type: 'text', text: new QuotedText(body) }];
  return { content, structuredContent: body, ...(isError ? { isError: true } : {}) };
}

/** Runs the task that a `tools/call` names; whatever is wrong with the call comes back as a failed answer. */
export async function callTool(app: App, limits: Limits, caller: Caller, params: unknown): Promise<Answer> {
  const { name, arguments: given = {} } = isObject(params) ? params : {};
  const args = isObject(given) ? given : {};
  const to = addressee(caller, args);
  try {
    if (typeof name !== 'string') throw malformed('name', 'Name the tool to call; tools/list shows them.');
    if (!isObject(given)) throw malformed('arguments', 'Send the arguments as a JSON object.');
    const tool = findTool(caller.seller, name, caller.principal?.sandbox);
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

/** An unknown tool keeps the words that clients look for, and names the tenant that has it (spec 2, Errors 1). */
function unknownTool(app: App, seller: Seller, name: string): TaskError {
  const elsewhere = [...app.sellers().values()].filter(
    (other) => other !== seller && findTool(other, name) !== undefined,
  );
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

/** Whether a task may be called without a credential. */
export function isPublic(seller: Seller, name: string): boolean {
  const tool = findTool(seller, name);
  return tool !== undefined && seller.tenant.publicTools.includes(toolName(tool, seller.names));
}
