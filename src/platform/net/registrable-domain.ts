import { createRequire } from 'node:module';

type Suffixes = {
  readonly getDomain: (host: string, options: Readonly<Record<string, boolean>>) => string | null;
};
/** Hosts, not URLs, are looked up, and each tenant of a shared host is a registrant of its own. */
const SUFFIX_OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
let suffixes: Suffixes | undefined;

/**
 * Returns the part of a domain name that one registrant owns, by the list of public suffixes: `news.example.co.uk` is of `example.co.uk`,
 * and every tenant of `github.io` is its own. Undefined for a public suffix.
 */
export function registrableDomain(domain: string): string | undefined {
  suffixes ??= createRequire(import.meta.url)('tldts') as Suffixes;
  return suffixes.getDomain(domain, SUFFIX_OPTIONS) ?? undefined;
}

/** Whether two hosts are of one registrant. Two public suffixes are so only when they are equal. */
export function isSameSite(one: string, other: string): boolean {
  const site = registrableDomain(one);
  return one === other || (site !== undefined && site === registrableDomain(other));
}
