import type { RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { WebListener } from '../../platform/web/listener.js';
import { hostAdagents } from '../../registry/publish/adagents.js';
import { operatorBrandJson } from '../../registry/publish/brand.js';
import type { App } from '../context.js';
import { BRAND_JSON_PATH } from '../domain/tenant/seller.js';
import { approvalRoutes } from './approvals/approvals.js';
import type { Endpoint } from './mcp/endpoint.js';
import type { Metrics } from './metrics.js';
import { previewRoutes } from './previews.js';
import { describeHost, JWKS_PATH } from './well-known.js';

/** The needs of the public listener beside the app. */
export type HttpOptions = {
  /** Host names (without port) that requests may name, beside localhost. */
  readonly hosts: ReadonlySet<string>;
  readonly maxBodyBytes: number;
  /** MCP endpoints by path (`/sales/mcp`); replaced when tenants change. */
  readonly endpoints: () => ReadonlyMap<string, Endpoint>;
  /** A registry that is served beside the tenants. */
  readonly registry?: WebListener | undefined;
  /** Whether the process takes requests: false while it starts and drains. */
  readonly isOpen: () => boolean;
  /** The files that `registry export` writes, published below /.well-known where they are there. */
  readonly exported: { readonly folder: string; readonly names: readonly string[] };
};

/** Verifiers keep keys for half an hour at most; what is new reaches them well before it signs. */
const CACHE_CONTROL = 'public, max-age=300';

/** Every route of the public address beside MCP. */
export function createRest(app: App, options: HttpOptions): RequestListener {
  const rest = express();
  let metrics: Promise<Metrics> | undefined;
  rest.disable('x-powered-by');
  rest.disable('etag');
  rest.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  rest.get('/readyz', (_request, response) => readiness(app, options, response));
  rest.get('/metrics', async (_request, response) => {
    metrics ??= import('./metrics.js').then(({ createMetrics }) => createMetrics(app));
    const { contentType, text } = await (await metrics)();
    response.set('content-type', contentType).send(text);
  });
  rest.get('/.well-known/adagents.json', (_request, response) => {
    response.set('access-control-allow-origin', '*').json(hostAdagents(describeHost(app)));
  });
  rest.get(JWKS_PATH, (_request, response) => {
    response.set('access-control-allow-origin', '*').set('cache-control', CACHE_CONTROL).json(app.keys.publicJwks());
  });
  rest.get(BRAND_JSON_PATH, (_request, response) => {
    response
      .set('access-control-allow-origin', '*')
      .set('cache-control', CACHE_CONTROL)
      .json(operatorBrandJson(describeHost(app)));
  });
  for (const name of options.exported.names) {
    rest.get(`/.well-known/${name}`, (_request, response, next) => {
      response.set('access-control-allow-origin', '*').set('cache-control', CACHE_CONTROL);
      response.sendFile(name, { root: options.exported.folder, cacheControl: false }, (error) => {
        // There is none, or the reader has gone.
        if (error !== undefined && !response.headersSent) next();
      });
    });
  }
  rest.use(approvalRoutes(app));
  rest.use(previewRoutes({ ...app.renderer(), clock: app.clock }));
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
  // A registry that lags withholds products; the server answers all the same.
  const registry = app.registry.report();
  response.status(ready ? 200 : 503).json({
    status: ready ? 'ready' : 'not_ready',
    store: { status: store, ...app.store.stats() },
    tenants: [...app.sellers().keys()],
    ...(registry === undefined ? {} : { registry }),
  });
}
