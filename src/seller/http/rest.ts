import type { RequestListener } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { isDatabaseBusyOrAway, RETRY_AFTER_SECONDS } from '../../platform/database/unavailable.js';
import type { Readiness } from '../../platform/health/readiness.js';
import type { NonceStore } from '../../platform/signing/verify/nonces.js';
import type { Senders } from '../../platform/web/body.js';
import { clientFault } from '../../platform/web/client-fault.js';
import type { AllowedOrigins } from '../../platform/web/cors.js';
import type { WebListener } from '../../platform/web/listener.js';
import type { OurHosts } from '../../platform/web/origin.js';
import { hostAdagents } from '../../registry/publish/adagents.js';
import { operatorBrandJson } from '../../registry/publish/brand.js';
import type { App } from '../context.js';
import { BRAND_JSON_PATH } from '../domain/tenant/seller.js';
import { CARD_PATHS, describeAgent, hostSeller } from './a2a/card.js';
import { approvalRoutes } from './approvals/approvals.js';
import { authenticate } from './arrival.js';
import type { Endpoint } from './endpoint.js';
import type { Limits } from './limits.js';
import { oauthRoutes } from './oauth/routes.js';
import { previewRoutes } from './previews.js';
import { describeHost, JWKS_PATH } from './well-known.js';

/** The needs of the public listener beside the app. */
export type HttpOptions = {
  /** The hosts that requests may name. */
  readonly hosts: OurHosts;
  /** The origins whose pages may call endpoints from a browser. */
  readonly origins: AllowedOrigins;
  readonly readiness: Readiness;
  /** Of the program, as agent cards name it. */
  readonly version: string;
  readonly maxBodyBytes: number;
  readonly senders: Senders;
  readonly limits: Limits;
  /** Remembers the nonces of signed calls. */
  readonly nonces: NonceStore;
  /** Returns the id of a request that brought none. */
  readonly newRequestId: () => string;
  /** Endpoints by path (`/sales/mcp`, `/sales/a2a`); replaced when tenants change. */
  readonly endpoints: () => ReadonlyMap<string, Endpoint>;
  /** What buyers with a link see of their own things. */
  readonly portal: RequestListener;
  /** A registry that is served beside the tenants. */
  readonly registry?: WebListener | undefined;
  /** Whether the process takes requests: false while it starts and drains. */
  readonly isOpen: () => boolean;
  /** The files that `registry export` writes, published below /.well-known where they are there. */
  readonly exported: { readonly folder: string; readonly names: readonly string[] };
};

/** Verifiers keep keys for half an hour at most; what is new reaches them well before it signs. */
const CACHE_CONTROL = 'public, max-age=300';

/** Returns every route of the public address beside MCP. */
export function createRest(app: App, options: HttpOptions): RequestListener {
  const rest = express();
  rest.disable('x-powered-by');
  rest.disable('etag');
  rest.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  rest.get('/readyz', (_request, response) => sendReadiness(app, options, response));
  serveWellKnown(rest, app);
  serveCards(rest, app, options);
  serveExported(rest, options);
  rest.use(approvalRoutes(app));
  rest.use(oauthRoutes(app, options.senders.addressOf));
  rest.use(previewRoutes({ ...app.renderer(), clock: app.clock, shareLinks: app.shareLinks }));
  rest.use((request: Request, response: Response) => sendNotFound(app, options, request, response));
  rest.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    answerFault(app, error, response),
  );
  return rest;
}

/** Serves adagents.json, the keys and the brand.json of the host. */
function serveWellKnown(rest: Express, app: App): void {
  rest.get('/.well-known/adagents.json', (_request, response) => {
    response.set('access-control-allow-origin', '*').json(hostAdagents(describeHost(app)));
  });
  rest.get(JWKS_PATH, async (_request, response) => {
    // What another process signs with has to be here at once; those that are known go on being served without the database.
    await app.keys
      .refresh()
      .catch((error: unknown) => app.log.warn({ err: error }, 'the signing keys could not be read'));
    response.set('access-control-allow-origin', '*').set('cache-control', CACHE_CONTROL).json(app.keys.publicJwks());
  });
  rest.get(BRAND_JSON_PATH, (_request, response) => {
    response
      .set('access-control-allow-origin', '*')
      .set('cache-control', CACHE_CONTROL)
      .json(operatorBrandJson(describeHost(app)));
  });
}

/** Answers that nothing is served at a path. Who sells here besides is nobody's business outside development. */
function sendNotFound(app: App, options: HttpOptions, request: Request, response: Response): void {
  const suggestion = app.development
    ? `Endpoints: ${[...options.endpoints().keys()].join(', ')}.`
    : 'Use the address that came with your credential; an endpoint ends in /mcp, or in /a2a.';
  response.status(options.isOpen() ? 404 : 503).json({
    error: { code: 'NOT_FOUND', message: `Nothing is served at ${request.path.slice(0, 200)}.`, suggestion },
  });
}

/** Serves the agent cards of the host and of each tenant. */
function serveCards(rest: Express, app: App, { version }: HttpOptions): void {
  rest.get(CARD_PATHS, (request, response, next) => {
    const seller = hostSeller(app.sellers().values());
    if (seller === undefined) return next();
    sendCard({ app, seller, version }, request, response);
  });
  rest.get(
    CARD_PATHS.flatMap((path) => [`/:tenant${path}`, `/:tenant/a2a${path}`]),
    (request, response, next) => {
      const seller = app.sellers().get(String(request.params.tenant));
      if (seller === undefined) return next();
      sendCard({ app, seller, version }, request, response);
    },
  );
}

/** Serves the exported files. */
function serveExported(rest: Express, { exported }: HttpOptions): void {
  for (const name of exported.names) {
    rest.get(`/.well-known/${name}`, (_request, response, next) => {
      response.set('access-control-allow-origin', '*').set('cache-control', CACHE_CONTROL);
      response.sendFile(name, { root: exported.folder, cacheControl: false }, (error) => {
        // There is none, or the reader has gone.
        if (error !== undefined && !response.headersSent) next();
      });
    });
  }
}

/** Sends the card of a tenant, to a principal of the sandbox with the skills of the sandbox. */
function sendCard(parts: Parameters<typeof describeAgent>[0], request: Request, response: Response): void {
  const proof = authenticate(parts.seller, request.headers, parts.app);
  const isSandbox = proof.kind === 'principal' && proof.principal.sandbox;
  response.set('access-control-allow-origin', '*').set('vary', 'authorization');
  response
    .set('cache-control', isSandbox ? 'private, max-age=300' : CACHE_CONTROL)
    .json(describeAgent(parts, isSandbox));
}

function answerFault({ log }: App, error: unknown, response: Response): void {
  const fault = clientFault(error);
  if (fault !== undefined) {
    response.status(fault).json({ error: MALFORMED });
    return;
  }
  if (isDatabaseBusyOrAway(error)) {
    response.status(503).set('retry-after', `${RETRY_AFTER_SECONDS}`);
    response.json({ error: { ...NOT_NOW, retry_after: RETRY_AFTER_SECONDS } });
    return;
  }
  log.error({ err: error }, 'a request failed unexpectedly');
  response.status(500).json({ error: NOT_NOW });
}

const NOT_NOW = { code: 'SERVICE_UNAVAILABLE', message: 'The request could not be carried out just now.' };

const MALFORMED = {
  code: 'INVALID_REQUEST',
  message: 'The request cannot be read as it is written.',
  suggestion:
    'Percent-encode the path as encodeURIComponent does, and send bodies in the form that they are announced in.',
};

async function sendReadiness(app: App, options: HttpOptions, response: Response): Promise<void> {
  const { degraded, ill, isReady, parts } = await options.readiness.report();
  const isServing = options.isOpen() && isReady;
  response.status(isServing ? 200 : 503).json({
    status: isServing ? 'ready' : 'not_ready',
    ill,
    degraded,
    ...parts,
    tenants: app.development ? [...app.sellers().keys()] : undefined,
    // A registry that lags withholds products; the server answers all the same.
    registry: app.registry.report(),
  });
}
