import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { readTrace } from '../../../platform/health/traces.js';
import { isObject, type Written } from '../../../platform/kernel/json/json.js';
import { type Arrival, McpEdge } from '../../../platform/mcp/edge.js';
import type { ClientSide } from '../../../platform/mcp/methods.js';
import { requestIdOf } from '../../../platform/web/request-id.js';
import type { Caller } from '../../context.js';
import type { Seller } from '../../domain/tenant/seller.js';
import type { TenantKind } from '../../domain/tenant/tenant.js';
import { publishTools } from '../../tasks/pipeline/published.js';
import { type Edge, MAX_BATCH_MESSAGES, type Proof, receive } from '../arrival.js';
import type { Endpoint } from '../endpoint.js';
import { admit, denialOf, MAX_DEPTH, type Presented } from './admission.js';
import { appOfTask } from './apps/apps.js';
import { callResult, callTool } from './call-tool.js';
import { serveCompletion } from './completion.js';
import { servePrompts } from './prompts/prompts.js';
import { asToolCall, serveResources } from './resources/resources.js';
import { confirmSpending } from './spending/confirm.js';
import { asksForTask, asTaskResult, callAsTask } from './tasks/call-as-task.js';
import { serveTasks, type TaskServices } from './tasks/tasks.js';

/** The tasks that each kind of tenant is asked first, for the instructions that a model reads. */
const FIRST_TASKS: Readonly<Record<TenantKind, string>> = {
  sales: 'get_products, create_media_buy, get_media_buys',
  creative: 'list_creative_formats, build_creative, preview_creative',
  signals: 'get_signals, activate_signal',
  brand: 'get_brand_identity, get_rights, acquire_rights',
  governance: 'sync_plans, check_governance, report_plan_outcome',
};

/** The parts of an endpoint of MCP. */
type EndpointParts = TaskServices & { readonly seller: Seller; readonly version: string };

/** Opens a tenant's endpoint of MCP. */
export async function openEndpoint({ app, limits, seller, streams, version }: EndpointParts): Promise<Endpoint> {
  const { tenant } = seller;
  const first = tenant.kinds.map((kind) => FIRST_TASKS[kind]).join(', ');
  const published = new PublishedTools(seller);
  const mcp = await McpEdge.open<Presented, Caller>({
    name: tenant.name,
    version,
    instructions: `${tenant.description} Start with ${seller.names.capabilitiesTool}; then ${first}. Every changing call needs a fresh idempotency_key.`,
    log: app.log,
    batch: { maxMessages: MAX_BATCH_MESSAGES, maxDepth: MAX_DEPTH },
    admit: (presented, message) => admit(app, seller, presented, message),
    hasApps: true,
    listTools: ({ principal }, client) => published.list(principal?.sandbox === true, client),
    callTool: async (caller, params, client) => {
      const before =
        client?.canAsk === true ? await confirmSpending(app, limits, { caller, params, client }) : undefined;
      if (before !== undefined) return before;
      if (asksForTask(params, client)) return callAsTask(app, limits, caller, params);
      const answer = await callTool(app, limits, caller, params);
      const name = isObject(params) ? params.name : undefined;
      const opened = client?.tasks === '2026-07-28' ? await asTaskResult(app, caller, name, answer) : undefined;
      return opened ?? callResult(answer, { caller, name });
    },
    tasks: serveTasks({ app, limits, streams }),
    features: [serveResources(app, limits), ...servePrompts(seller), ...serveCompletion(app, limits, seller)],
  });
  return { seller, serve: (edge, request, response) => serveMcp(edge, { mcp, seller }, request, response) };
}

/** Answers one HTTP request to a tenant's endpoint; never rejects. */
function serveMcp(
  edge: Edge,
  { mcp, seller }: { readonly mcp: McpEdge<Presented, Caller>; readonly seller: Seller },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return mcp.serve(request, response, async (): Promise<Arrival<Presented>> => {
    const { app, limits, maxBodyBytes, senders, signatures } = edge;
    const toCall = (message: unknown): unknown => asToolCall(seller, message);
    // Members by name: a spread with more after it has a new hidden class at each call (bench row `get_products`).
    const called: Edge = { app, maxBodyBytes, senders, limits, signatures, asToolCall: toCall };
    const arrived = await receive(called, seller, request, response);
    const requestId = requestIdOf(response);
    if ('denial' in arrived) return { denial: denialOf(app, seller, arrived.denial, requestId) };
    const { body, bytes, levels, proof, values } = arrived;
    const isBatch = Array.isArray(body);
    const isModel = isForModel(seller, proof, request.headers);
    const trace = readTrace(request.headers);
    const presented = {
      proof,
      bytes,
      levels,
      values,
      isBatch,
      protocol: 'mcp',
      isForModel: isModel,
      requestId,
      trace,
    } as const;
    return { proof: presented, body };
  });
}

/** How a request says which form of an answer it wants, the short one or the whole. https://www.rfc-editor.org/rfc/rfc7240#section-4.2 */
const PREFERRED_FORM = /(?:^|,)\s*return\s*=\s*"?(minimal|representation)"?\s*(?:;|,|$)/i;

/** Whether a request gets the answers for language models: as its tenant has it, else as it asks for, else where its sender signed in by OAuth. */
function isForModel({ tenant }: Seller, proof: Proof, { prefer }: IncomingHttpHeaders): boolean {
  const isSignedIn = proof.kind === 'principal' && proof.grant !== undefined;
  const [, form] = PREFERRED_FORM.exec(String(prefer ?? '')) ?? [];
  return tenant.modelAnswers ?? (form === undefined ? isSignedIn : form.toLowerCase() === 'minimal');
}

/** The tools of a tenant as `tools/list` shows them to sandbox principals and all others, by what their clients can do; written when first asked for. */
class PublishedTools {
  readonly #seller: Seller;
  readonly #written = new Map<string, Written>();

  constructor(seller: Seller) {
    this.#seller = seller;
  }

  list(isSandbox: boolean, client: ClientSide | undefined): Written {
    const hasApps = client?.canShowApps === true;
    const hasTasks = client?.tasks === '2025-11-25';
    const readers = `${isSandbox} ${hasApps} ${hasTasks}`;
    const written =
      this.#written.get(readers) ??
      publishTools(this.#seller, { isSandbox, hasTasks, metaOf: hasApps ? appOfTask : undefined });
    this.#written.set(readers, written);
    return written;
  }
}
