import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freshKey } from './buyer.js';
import { listenLocally } from './listen.js';

/** One check_governance as it arrived. */
export type Check = {
  readonly authorization: string | undefined;
  readonly args: Readonly<Record<string, unknown>> & {
    readonly plan_id: string;
    readonly phase: string;
    readonly planned_delivery: Readonly<Record<string, unknown>>;
  };
};

/** What a tool answers: a payload as its result, an error result, or whatever a handler does with the response. */
export type Behaviour =
  | { readonly says: object }
  | { readonly fails: object }
  | { readonly does: (response: ServerResponse, request: IncomingMessage) => void };

/** A real governance agent on this machine: an MCP endpoint with one tool, which behaves as a test tells it. */
export type GovernanceAgentKit = {
  readonly url: string;
  readonly credentials: string;
  /** The checks that were asked for, in their order. */
  readonly checks: Check[];
  /** How it behaves from now on. */
  readonly behave: (behaviour: (check: Check) => Behaviour | Promise<Behaviour>) => void;
  /** What it publishes at its origin, by path; nothing unless a test puts it there. */
  readonly documents: Map<string, object>;
};

/** A verdict in the words of 3.1, or of 3.0 where `status` is asked for. */
export function verdict(decision: string, more: object = {}, word: 'verdict' | 'status' = 'verdict'): Behaviour {
  const base = { check_id: 'chk_1', plan_id: 'plan-1', explanation: 'Because of the plan.', [word]: decision };
  return { says: { ...base, expires_at: '2040-01-01T00:00:00Z', ...more } };
}

/** Approves whatever stays within a budget, denies the rest as a real plan would. */
export function budgetPlan(limit: number): (check: Check) => Behaviour {
  return ({ args }) => {
    const total = Number(args.planned_delivery.total_budget ?? 0);
    if (total <= limit) return verdict('approved', { governance_context: `ctx-${args.plan_id}` });
    const explanation = `${total} is over the plan's ${limit}.`;
    return verdict('denied', { findings: [{ category_id: 'budget_authority', severity: 'critical', explanation }] });
  };
}

/** Starts one that approves everything. Closed after its use. `sessions`: it takes calls only within a session. */
export async function startGovernanceAgent({ sessions = false } = {}): Promise<GovernanceAgentKit> {
  const checks: Check[] = [];
  const documents = new Map<string, object>();
  let behaviour: Parameters<GovernanceAgentKit['behave']>[0] = () => verdict('approved');
  const server = createServer((request, response) => {
    void answer(request, response);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      const document = documents.get(request.url ?? '');
      response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(document ?? {}));
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      id?: unknown;
      method: string;
      params?: { arguments?: Check['args'] };
    };
    const reply = (status: number, body: object, headers: object = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id ?? null, ...body }));
    };
    if (message.method === 'initialize')
      return reply(200, { result: { protocolVersion: '2025-06-18' } }, { 'mcp-session-id': 'session-1' });
    if (message.method === 'notifications/initialized') return void response.writeHead(202).end();
    if (sessions && request.headers['mcp-session-id'] !== 'session-1')
      return reply(400, { error: { code: -32000, message: 'Bad Request: Server not initialized' } });
    const check = { authorization: request.headers.authorization, args: message.params?.arguments as Check['args'] };
    checks.push(check);
    const chosen = await behaviour(check);
    if ('does' in chosen) return chosen.does(response, request);
    const payload = 'says' in chosen ? chosen.says : chosen.fails;
    const content = [{ type: 'text', text: JSON.stringify(payload) }];
    return reply(200, { result: { content, structuredContent: payload, isError: 'fails' in chosen } });
  }

  const origin = await listenLocally(server);
  return {
    url: `${origin}/mcp`,
    credentials: 'governance-credentials-of-the-buyer-0123456789',
    checks,
    documents,
    behave: (next) => {
      behaviour = next;
    },
  };
}

/** The arguments that appoint an agent for an account. */
export function appointment(agent: Pick<GovernanceAgentKit, 'url' | 'credentials'>, account: object): object {
  const { url, credentials } = agent;
  return {
    idempotency_key: freshKey(),
    accounts: [{ account, governance_agents: [{ url, authentication: { schemes: ['Bearer'], credentials } }] }],
  };
}
