import { createRequire } from 'node:module';

type Suffixes = {
  readonly getDomain: (host: string, options: Readonly<Record<string, boolean>>) => string | null;
};
/** Hosts, not URLs, are looked up, and the tenants of a host are told apart. */
const SUFFIX_OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
let suffixes: Suffixes | undefined;

/**
 * The part of a domain name that one registrant owns, by the list of public suffixes: `news.example.co.uk` is of `example.co.uk`,
 * and every tenant of `github.io` is its own. Undefined for a public suffix.
 */
export function registrableDomain(domain: string): string | undefined {
  suffixes ??= createRequire(import.meta.url)('tldts') as Suffixes;
  return suffixes.getDomain(domain, SUFFIX_OPTIONS) ?? undefined;
}

/** Whether two hosts are of one registrant. Two public suffixes are only when they are the same (facts 2.3). */
export function isSameSite(one: string, other: string): boolean {
  const site = registrableDomain(one);
  return one === other || (site !== undefined && site === registrableDomain(other));
}
