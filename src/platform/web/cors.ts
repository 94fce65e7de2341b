import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUrl } from '../net/url.js';

/** The word that lets pages of every origin call. */
export const ANY_ORIGIN = 'any';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What pages may send and read: what clients of MCP and OAuth do. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers':
    'authorization, content-type, accept, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, x-request-id',
  'access-control-max-age': '3600',
};
const EXPOSED = 'www-authenticate, retry-after, x-request-id, mcp-session-id';

/** The origins whose pages may call from a browser; those of this machine too where it is `local`. */
export class AllowedOrigins {
  readonly #origins: ReadonlySet<string>;
  readonly #isLocal: boolean;

  constructor(origins: readonly string[], { local }: { readonly local: boolean }) {
    this.#origins = new Set(origins);
    this.#isLocal = local;
  }

  /** Whether the page that sends a request may; the answer's head then says so. A request that names no origin is no page's. */
  allow({ headers: { origin } }: IncomingMessage, response: ServerResponse): boolean {
    if (origin === undefined || !this.#has(origin)) return false;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', EXPOSED);
    response.setHeader('vary', 'origin');
    return true;
  }

  #has(origin: string): boolean {
    if (this.#origins.has(origin) || this.#origins.has(ANY_ORIGIN)) return true;
    return this.#isLocal && isUrl(origin) && LOOPBACK.has(new URL(origin).hostname);
  }
}

/** Whether a browser asks beforehand what a page may send. */
export function isPreflight({ headers, method }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Answers a browser that asks beforehand, for a page that may. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(204, PREFLIGHT).end();
}
