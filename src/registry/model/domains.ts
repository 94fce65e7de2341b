import { isSameSite, registrableDomain } from '../../platform/net/registrable-domain.js';
import { canonicalAuthority, unicodeHost } from '../../platform/signing/target-uri.js';

export { isSameSite, registrableDomain };

/** What a domain name is made of. A last label that is a number makes an address of it, and localhost is this machine. */
const NAME =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!(?:\d+|0x[0-9a-f]*|localhost)$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_CHARACTERS = 253;
/** What stands in no name, and would be cut away or read as something else on the way to one. */
const FOREIGN = /[\s@:/?#[\]\\%]/u;

/**
 * Returns a domain name in its one form: lower case, ASCII (UTS 46), no final dot, at least two labels. Undefined for what is none:
 * addresses, host names of this machine, A-labels that decode to nothing.
 */
export function domainName(text: string): string | undefined {
  if (isInOneForm(text)) return text;
  const name = text.trim();
  const ascii = FOREIGN.test(name) ? undefined : asciiName(name);
  return ascii !== undefined && isName(ascii) && isDecodable(ascii) ? ascii : undefined;
}

/** Returns the domain name in what a person types: scheme, path and port are cut away first. */
export function typedDomain(text: string): string | undefined {
  if (isInOneForm(text)) return text;
  const [host = ''] = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .split(/[/?#]/);
  return domainName(host.replace(/:\d*$/, ''));
}

/** Whether a host is the domain or stands below it, with nobody else's domain between. */
export function isWithin(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && isSameSite(host, domain));
}

/** Returns the domain whose files speak for a host: `www.` and `m.` before a registrable domain are the domain itself. */
export function publisherDomain(domain: string): string {
  const base = /^(?:www|m)\.(.+)$/.exec(domain)?.[1];
  return base !== undefined && registrableDomain(base) === base ? base : domain;
}

/** Hosts that an identifier of type domain stands for. */
export type HostPattern = {
  readonly host: string;
  /** `site`: the host, www and m below it; `host`: it alone; `subdomains`: all that is below, not itself. */
  readonly covers: 'site' | 'host' | 'subdomains';
};

/** Reads an identifier of type domain; undefined for what is no domain, and for a star before a public suffix. */
export function hostPattern(text: string): HostPattern | undefined {
  const isStar = text.trim().startsWith('*.');
  const host = domainName(isStar ? text.trim().slice(2) : text);
  if (host === undefined) return undefined;
  const registrable = registrableDomain(host);
  if (isStar) return registrable === undefined ? undefined : { host, covers: 'subdomains' };
  return { host, covers: registrable === host ? 'site' : 'host' };
}

/** Whether a pattern stands for a host. */
export function coversHost({ host: base, covers }: HostPattern, host: string): boolean {
  if (covers === 'subdomains') return host !== base && isWithin(host, base);
  return host === base || (covers === 'site' && (host === `www.${base}` || host === `m.${base}`));
}

/** Most names are in their one form already. */
function isInOneForm(text: string): boolean {
  return isName(text) && !text.includes('xn--');
}

function isName(text: string): boolean {
  return text.length <= MAX_CHARACTERS && NAME.test(text);
}

function asciiName(name: string): string | undefined {
  try {
    return canonicalAuthority('https', name);
  } catch {
    return undefined;
  }
}

function isDecodable(ascii: string): boolean {
  return !ascii.includes('xn--') || unicodeHost(ascii) !== undefined;
}
