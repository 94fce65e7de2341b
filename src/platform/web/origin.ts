import type { IncomingMessage } from 'node:http';
import { isUrl } from '../net/url.js';

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a request comes to a host name that is ours and, from a browser, from a page that is: the guard against DNS rebinding.
 * `hosts` are host names without port; localhost is always ours.
 */
export function isExpectedHost(request: IncomingMessage, hosts: ReadonlySet<string>): boolean {
  const { origin } = request.headers;
  if (!isOurHost(request, hosts)) return false;
  if (origin === undefined) return true;
  return isUrl(origin) && isOurs(new URL(origin).host, hosts);
}

/** Whether a request comes to a host name that is ours, from any page: for pages that other sites may frame, whose frames have no origin. */
export function isOurHost(request: IncomingMessage, hosts: ReadonlySet<string>): boolean {
  const { host } = request.headers;
  return host === undefined || isOurs(host, hosts);
}

function isOurs(host: string, hosts: ReadonlySet<string>): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return LOCAL.has(name) || hosts.has(name);
}
