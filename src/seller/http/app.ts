import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { PREVIEWS_PATH } from '../../creative/preview/path.js';
import { RETRY_AFTER_SECONDS } from '../../platform/database/unavailable.js';
import { outboundThrough } from '../../platform/net/outbound.js';
import type { NonceStore } from '../../platform/signing/verify/nonces.js';
import { answerPreflight, isPreflight } from '../../platform/web/cors.js';
import { HEALTH_PATHS, isExpectedHost, isOurHost } from '../../platform/web/origin.js';
import { requestIdOf, takeRequestId } from '../../platform/web/request-id.js';
import type { App } from '../context.js';
import { PORTAL_PATH } from '../tasks/people/portal-links.js';
import type { Edge } from './arrival.js';
import { isOpenToPages } from './oauth/paths.js';
import type { HttpOptions } from './rest.js';
import type { Signatures } from './signatures/signatures.js';

/**
 * Returns the listener of the public address. MCP is dispatched before express, whose stack costs more than a whole
 * task call and loads on first use.
 */
export function createListener(app: App, options: HttpOptions): RequestListener {
  const { registry } = options;
  const edge = openEdge(app, options);
  const toRest = restOnDemand(app, options);
  const countThenRest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const seconds = await options.limits.takeStranger(options.senders.addressOf(request), 'calls');
    if (seconds === undefined && isPortalPath(request.url ?? '/')) return options.portal(request, response);
    if (seconds === undefined) return toRest(request, response);
    app.calls.refuse({ status: 429, code: 'RATE_LIMITED', requestId: requestIdOf(response) });
    response.setHeader('retry-after', `${seconds}`);
    refuseRequest(request, response, 429, tooMany(seconds));
  };
  return (request: IncomingMessage, response: ServerResponse) => {
    const path = pathOf(request.url ?? '/');
    const requestId = takeRequestId(request, response, options.newRequestId);
    const endpoint = options.endpoints().get(path);
    const isForAll = path.startsWith(`${PREVIEWS_PATH}/`) || (registry !== undefined && isRegistryPath(path));
    // Pages of other origins call what programs call, never the pages that people decide on.
    const isPageAllowed = (endpoint !== undefined || isOpenToPages(path)) && options.origins.allow(request, response);
    const isExpected = isForAll || isPageAllowed ? isOurHost : isExpectedHost;
    if (HEALTH_PATHS.has(path)) toRest(request, response);
    else if (!isExpected(request, options.hosts)) {
      app.calls.refuse({ status: 403, code: 'FORBIDDEN_HOST', requestId });
      refuseRequest(request, response, 403, FORBIDDEN_HOST);
    } else if (isPageAllowed && isPreflight(request)) answerPreflight(request, response);
    else if (endpoint !== undefined && options.isOpen()) void endpoint.serve(edge, request, response);
    else if (endpoint !== undefined) {
      response.setHeader('retry-after', `${RETRY_AFTER_SECONDS}`);
      refuseRequest(request, response, 503, NOT_OPEN);
    } else if (registry !== undefined) registry(request, response, () => countThenRest(request, response));
    else void countThenRest(request, response);
  };
}

function openEdge(app: App, { limits, maxBodyBytes, nonces, senders }: HttpOptions): Edge {
  let signatures: Promise<Signatures> | undefined;
  const findSignatures = (): Promise<Signatures> => {
    signatures ??= openSignatures(app, nonces);
    return signatures;
  };
  return { app, maxBodyBytes, senders, limits, signatures: findSignatures };
}

function restOnDemand(app: App, options: HttpOptions): (request: IncomingMessage, response: ServerResponse) => void {
  let rest: Promise<RequestListener> | undefined;
  return (request, response) => {
    rest ??= import('./rest.js').then(({ createRest }) => createRest(app, options));
    void rest.then((listener) => listener(request, response));
  };
}

async function openSignatures(app: App, nonces: NonceStore): Promise<Signatures> {
  const { Signatures } = await import('./signatures/signatures.js');
  const { clock, log, development } = app;
  return new Signatures({ clock, log, development, nonces, outbound: outboundThrough(() => app.renderer().outbound) });
}

/** Reads of a registry are for pages of every origin. */
function isRegistryPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/') || path === '/mcp';
}

function isPortalPath(url: string): boolean {
  return url.startsWith(`${PORTAL_PATH}/`);
}

const FORBIDDEN_HOST = {
  code: 'FORBIDDEN_HOST',
  message: 'This host or origin is not served here.',
  suggestion: 'Use the address of the base URL; other host names are allowed with allowed_hosts in seller-agent.json.',
};

/** While the process starts and drains. */
const NOT_OPEN = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'This server is starting or ending.',
  suggestion: 'Call again in a few seconds; an idempotency_key makes that safe.',
};

function tooMany(seconds: number): object {
  return {
    code: 'RATE_LIMITED',
    message: 'Too many requests of this address in a short time.',
    suggestion: `Wait ${seconds} seconds, then go on.`,
    retry_after: seconds,
  };
}

/** Returns the path without query and without a trailing slash, so that `/sales/mcp/` is served like `/sales/mcp`. */
function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Answers with an error; the rest of the request is read to nowhere. */
function refuseRequest(request: IncomingMessage, response: ServerResponse, status: number, error: object): void {
  request.resume();
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
