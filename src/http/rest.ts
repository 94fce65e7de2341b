import type { RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { App } from '../context.js';
import { BRAND_JSON_PATH } from '../domain/seller.js';
import { isoTime } from '../kernel/clock.js';
import { approvalRoutes } from './approvals.js';
import type { Endpoint } from './mcp.js';
import { previewRoutes } from './previews.js';
import { hostAdagents, JWKS_PATH, type Operator, operatorBrandJson } from './well-known.js';

/** What the public listener needs beside the app. */
export type HttpOptions = {
  /** Host names (without port) that requests may name, beside localhost. */
  readonly hosts: ReadonlySet<string>;
  readonly maxBodyBytes: number;
  readonly operator: Operator;
  /** MCP endpoints by path (`/sales/mcp`); replaced when tenants change. */
  readonly endpoints: () => ReadonlyMap<string, Endpoint>;
  /** Whether the process takes requests: false while it starts and drains. */
  readonly isOpen: () => boolean;
};

/** Verifiers keep keys for half an hour at most; what is new reaches them well before it signs (facts 5.4). */
const CACHE_CONTROL = 'public, max-age=300';

/** Every route of the public address beside MCP. */
export function createRest(app: App, options: HttpOptions): RequestListener {
  const rest = express();
  rest.disable('x-powered-by');
  rest.disable('etag');
  rest.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  rest.get('/readyz', (_request, response) => readiness(app, options, response));
  rest.get('/.well-known/adagents.json', (_request, response) => {
    response
      .set('access-control-allow-origin', '*')
      .json(hostAdagents([...app.sellers().values()], app.keys.pins(), isoTime(app.clock.now())));
  });
  rest.get(JWKS_PATH, (_request, response) => {
    response.set('access-control-allow-origin', '*').set('cache-control', CACHE_CONTROL).json(app.keys.publicJwks());
  });
  rest.get(BRAND_JSON_PATH, (_request, response) => {
    const jwksUri = `${app.studio().baseUrl}${JWKS_PATH}`;
    response
      .set('access-control-allow-origin', '*')
      .set('cache-control', CACHE_CONTROL)
      .json(operatorBrandJson(options.operator, [...app.sellers().values()], jwksUri, isoTime(app.clock.now())));
  });
  rest.use(approvalRoutes(app));
  rest.use(previewRoutes({ store: app.studio().previews, clock: app.clock }));
  rest.use((request: Request, response: Response) => {
    const served = [...options.endpoints().keys()];
    response.status(options.isOpen() ? 404 : 503).json({
      error: {
        code: 'NOT_FOUND',
        message: `Nothing is served at ${request.path.slice(0, 200)}.`,
        suggestion: `MCP endpoints: ${served.join(', ')}.`,
      },
    });
  });
  rest.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    app.log.error({ err: error }, 'a request failed unexpectedly');
    response
      .status(500)
      .json({ error: { code: 'SERVICE_UNAVAILABLE', message: 'The request could not be carried out just now.' } });
  });
  return rest;
}

async function readiness(app: App, options: HttpOptions, response: Response): Promise<void> {
  const store = await app.store.ping().then(
    () => 'ok',
    () => 'unreachable',
  );
  const ready = options.isOpen() && store === 'ok';
  response.status(ready ? 200 : 503).json({
    status: ready ? 'ready' : 'not_ready',
    store: { status: store, ...app.store.stats() },
    tenants: [...app.sellers().keys()],
  });
}
