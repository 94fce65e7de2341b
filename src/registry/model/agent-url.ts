import { hostKind } from '../../platform/net/address.js';
import { isUrl } from '../../platform/net/url.js';
import { canonicalTargetUri } from '../../platform/signing/target-uri.js';
import { quoted } from '../documents/finding.js';
import type { Reading } from '../documents/reading.js';

/** The URL of an agent as written, and as it is compared. */
export type AgentUrl = { readonly url: string; readonly canonicalUrl: string };

/** The one spelling by which agents are compared, in eight steps; undefined for what has none. */
export function canonicalAgentUrl(url: string): string | undefined {
  try {
    return canonicalTargetUri(url).uri;
  } catch {
    return undefined;
  }
}

/**
 * What a careless reader makes of a canonical URL: case, final slashes and the query do not count. Two agents that share it are not
 * the same; it only explains why an agent that looks listed is not.
 */
export function carelessSpelling(canonicalUrl: string): string {
  const bare = canonicalUrl.replace(/\?.*$/s, '').toLowerCase();
  let end = bare.length;
  while (bare[end - 1] === '/') end -= 1;
  return bare.slice(0, end);
}

/** Reads the `url` of an agent: https, public, without credentials. `local` lets http and loopback through, in development mode only. */
export function readAgentUrl(reading: Reading, local: boolean): AgentUrl | undefined {
  const url = reading.text('url', { required: true });
  if (url === undefined) return undefined;
  const canonicalUrl = canonicalAgentUrl(url);
  if (canonicalUrl === undefined || !isUrl(url)) {
    reading.fault('url', 'pattern', `${quoted(url)} is no absolute URL`, 'Write it as buyers call it: https://…');
    return undefined;
  }
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') {
    reading.fault('url', 'unsafe', 'the URL carries a user name or password', 'Leave credentials out of the URL.');
  }
  const kind = hostKind(hostname);
  const isLocal = local && kind === 'loopback' && (protocol === 'http:' || protocol === 'https:');
  if (protocol !== 'https:' && !isLocal) {
    reading.fault('url', 'unsafe', 'the URL is not https', 'Serve the agent over https and write the URL so.');
  } else if (kind !== undefined && kind !== 'public' && !isLocal) {
    reading.fault('url', 'unsafe', 'the URL leads into a private network', 'Write the public URL of the agent.');
  }
  return { url, canonicalUrl };
}
