import type { RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { App } from '../context.js';
import { isoTime } from '../kernel/clock.js';
import type { Endpoint } from './mcp.js';
import { previewRoutes } from './previews.js';
import { hostAdagents } from './well-known.js';

/** What the public listener needs beside the app. */
export type HttpOptions = {
  /** Host names (without port) that requests may name, beside localhost. */
  readonly hosts: ReadonlySet<string>;
  readonly maxBodyBytes: number;
  /** MCP endpoints by path (`/sales/mcp`); replaced when tenants change. */
  readonly endpoints: () => ReadonlyMap<string, Endpoint>;
  /** Whether the process takes requests: false while it starts and drains. */
  readonly isOpen: () => boolean;
};

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
      .json(hostAdagents([...app.sellers().values()], isoTime(app.clock.now())));
  });
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
