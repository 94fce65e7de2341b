import type { IncomingMessage } from 'node:http';
import { isUrl } from '../net/url.js';
import type { WebListener } from './listener.js';

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Paths by which a balancer asks for the health of a process, under whatever name or address it has it. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** The word that allows every host name. */
export const ANY_HOST = 'any';

/** The host names that are ours, without port: exact ones, all below `*.example.com`, or `any`. localhost is always ours. */
export class OurHosts {
  readonly #names: ReadonlySet<string>;
  /** Beginning with a dot. */
  readonly #endings: readonly string[];

  constructor(hosts: readonly string[]) {
    const lower = hosts.map((host) => host.toLowerCase());
    this.#names = new Set(lower.filter((host) => !host.startsWith('*.')));
    this.#endings = lower.filter((host) => host.startsWith('*.')).map((host) => host.slice(1));
  }

  /** Whether the value of a Host header, or the host of an origin, is ours. */
  has(host: string): boolean {
    const name = host.replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase();
    return (
      LOCAL.has(name) ||
      this.#names.has(name) ||
      this.#names.has(ANY_HOST) ||
      this.#endings.some((ending) => name.endsWith(ending) && name.length > ending.length)
    );
  }
}

/** Whether a request comes to a host name that is ours and, from a browser, from a page that is: the guard against DNS rebinding. */
export function isExpectedHost(request: IncomingMessage, hosts: OurHosts): boolean {
  const { origin } = request.headers;
  if (!isOurHost(request, hosts)) return false;
  return origin === undefined || (isUrl(origin) && hosts.has(new URL(origin).host));
}

/** Whether a request comes to a host name that is ours, from any page: for pages that other sites may frame, whose frames have no origin. */
export function isOurHost(request: IncomingMessage, hosts: OurHosts): boolean {
  const { host } = request.headers;
  return host === undefined || hosts.has(host);
}

/** Returns a listener for the loopback alone: a page whose name was rebound to it comes with that name, and is refused. */
export function localOnly(serve: WebListener): WebListener {
  const hosts = new OurHosts([]);
  return (request, response, next) => {
    if (isExpectedHost(request, hosts)) return serve(request, response, next);
    request.resume();
    const error = { error: 'This address answers under 127.0.0.1 and localhost alone.', code: 'forbidden' };
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(error));
  };
}

const ABSOLUTE = /^https?:\/\//i;

/**
 * Has a request say once, in `url` and in its header Host, where it goes: an address in the place of the path counts before that header
 * (RFC 9112, 3.2.2). Returns false for one that names several hosts, or none that can be read.
 */
export function settleTarget(request: IncomingMessage): boolean {
  const { rawHeaders, url = '' } = request;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] ?? '')) hosts += 1;
  if (hosts > 1) return false;
  if (!ABSOLUTE.test(url)) return true;
  if (!isUrl(url)) return false;
  const { host, username, password } = new URL(url);
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  request.headers.host = host;
  request.url = path.startsWith('/') ? path : `/${path}`;
  return username === '' && password === '';
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}
