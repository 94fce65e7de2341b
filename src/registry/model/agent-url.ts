import { hostKind } from '../../platform/net/address.js';
import { isUrl } from '../../platform/net/url.js';
import { canonicalTargetUri } from '../../platform/signing/target-uri.js';
import { quoteValue } from '../documents/finding.js';
import type { Reading } from '../documents/reading.js';
import { domainName } from './domains.js';

/** The URL of an agent as written, and as it is compared. */
export type AgentUrl = { readonly url: string; readonly canonicalUrl: string };

/** Returns the one spelling by which agents are compared, in eight steps; undefined for what has none. */
export function canonicalAgentUrl(url: string): string | undefined {
  try {
    return canonicalTargetUri(url).uri;
  } catch {
    return undefined;
  }
}

/**
 * Returns what a careless reader makes of a canonical URL: case, final slashes and the query do not count. Two agents that share it are
 * not the same; it only explains why an agent that looks listed is not.
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
    reading.fault('url', 'pattern', `${quoteValue(url)} is no absolute URL`, 'Write it as buyers call it: https://…');
    return undefined;
  }
  for (const { fix, message } of unsafeParts(url, local)) reading.fault('url', 'unsafe', message, fix);
  return { url, canonicalUrl };
}

/** Why a URL is not one that buyers can call, and what to do instead. */
type UrlFault = { readonly message: string; readonly fix: string };

/** Names that only a local network answers for (RFC 6762, 8375 and the reserved top-level domains). */
const LOCAL_NAME = /\.(?:local|internal|lan|home\.arpa|onion)$/;

/** Returns why an agent cannot be listed under a URL: buyers anywhere have to be able to call it. `local` as for `readAgentUrl`. */
export function findUrlFault(url: string, local: boolean): UrlFault | undefined {
  if (canonicalAgentUrl(url) === undefined || !isUrl(url)) {
    return { message: 'is no absolute URL', fix: PUBLIC_URL };
  }
  const [unsafe] = unsafeParts(url, local);
  if (unsafe !== undefined) return unsafe;
  const { hostname } = new URL(url);
  if (hostKind(hostname) !== undefined) return undefined;
  const name = domainName(hostname);
  return name === undefined || LOCAL_NAME.test(name)
    ? { message: 'the host is no public domain name', fix: PUBLIC_URL }
    : undefined;
}

const PUBLIC_URL = 'Send the absolute https URL that buyers call, such as https://ads.example/mcp.';

function unsafeParts(url: string, local: boolean): readonly UrlFault[] {
  const faults: UrlFault[] = [];
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') {
    faults.push({ message: 'the URL carries a user name or password', fix: 'Leave credentials out of the URL.' });
  }
  const kind = hostKind(hostname);
  const isLocal = local && kind === 'loopback' && (protocol === 'http:' || protocol === 'https:');
  if (protocol !== 'https:' && !isLocal) {
    faults.push({ message: 'the URL is not https', fix: 'Serve the agent over https and write the URL so.' });
  } else if (kind !== undefined && kind !== 'public' && !isLocal) {
    faults.push({ message: 'the URL leads into a private network', fix: 'Write the public URL of the agent.' });
  }
  return faults;
}
