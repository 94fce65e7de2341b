import type { IncomingMessage } from 'node:http';
import { isUrl } from '../net/url.js';

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
