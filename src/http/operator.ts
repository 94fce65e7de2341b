import { timingSafeEqual } from 'node:crypto';
import type { RequestListener } from 'node:http';
import express, { type Request, type Response } from 'express';
import type { App, Caller } from '../context.js';
import { sha256Hex } from '../kernel/canonical.js';
import { isObject } from '../kernel/json.js';
import type { Limits } from './limits.js';
import { callTool } from './mcp-server.js';

/** A task call by the operator, in the name of one of a tenant's principals. */
export type OperatorCall = {
  readonly tenant: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** Id of the principal; left out: the first sandbox principal, else the first one. */
  readonly principal?: string | undefined;
};

/** Runs a task call as a principal of a tenant. Throws an Error that says which tenant or principal is missing. */
export async function operatorCall(app: App, limits: Limits, call: OperatorCall): Promise<object> {
  const caller = callerOf(app, call);
  const { payload } = await callTool(app, limits, caller, { name: call.tool, arguments: call.arguments });
  return payload;
}

function callerOf(app: App, call: OperatorCall): Caller {
  const seller = app.sellers().get(call.tenant);
  if (seller === undefined)
    throw new Error(`There is no tenant "${call.tenant}". Tenants: ${[...app.sellers().keys()].join(', ')}.`);
  const principals = [...new Set(seller.principals.values())];
  const wanted = call.principal;
  const principal =
    wanted === undefined
      ? (principals.find((one) => one.sandbox) ?? principals[0])
      : principals.find((one) => one.id === wanted);
  if (principal === undefined)
    throw new Error(`The tenant has no such principal. Principals: ${principals.map((one) => one.id).join(', ')}.`);
  return { seller, principal };
}

/** The operator's own API: loopback only, and only for who can read the token in the data folder. */
export function createOperatorListener(app: App, limits: Limits, token: string): RequestListener {
  const operator = express();
  const expected = Buffer.from(sha256Hex(token));
  operator.disable('x-powered-by');
  operator.use((request, response, next) => {
    const given = Buffer.from(sha256Hex(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''));
    if (timingSafeEqual(given, expected)) next();
    else response.status(401).json({ error: 'The operator token is wrong.' });
  });
  operator.use(express.json({ limit: '8mb' }));
  operator.get(
    '/status',
    (_request, response) => void response.json({ tenants: [...app.sellers().keys()], store: app.store.stats() }),
  );
  operator.post('/call', async (request: Request, response: Response) => {
    const body: unknown = request.body;
    if (!isObject(body) || typeof body.tenant !== 'string' || typeof body.tool !== 'string') {
      response.status(400).json({ error: 'Send tenant, tool and arguments.' });
      return;
    }
    const { tenant, tool, principal } = body;
    try {
      const call = {
        tenant,
        tool,
        arguments: body.arguments,
        principal: typeof principal === 'string' ? principal : undefined,
      };
      response.json(await operatorCall(app, limits, call));
    } catch (error) {
      response.status(404).json({ error: error instanceof Error ? error.message : String(error) });
    }
  });
  return operator;
}
