import { TaskError } from '../../../protocol/errors.js';
import type { AuthorizationQuestion } from '../../authorization/question.js';
import { canonicalAgentUrl } from '../../model/agent-url.js';
import { domainName, publisherDomain, registrableDomain, typedDomain } from '../../model/domains.js';

/**
 * Whether an agent may sell a property. Without a publisher, that of the property is meant; where several publishers claim the same
 * one, none is.
 */
export type IndexQuestion = AuthorizationQuestion & { readonly publisher_domain?: string };

/** Deeper hosts are looked up under this many of their parents. */
const MAX_LABELS = 32;

/** Returns the identifiers under which a host is looked up: itself, the site without www. or m., and its parents with a star. */
export function patternsOfHost(host: string): readonly string[] {
  const patterns = [host];
  const site = publisherDomain(host);
  if (site !== host) patterns.push(site);
  const top = registrableDomain(host);
  if (top === undefined) return patterns;
  let parent = host;
  for (let labels = 0; labels < MAX_LABELS && parent.length > top.length; labels += 1) {
    parent = parent.slice(parent.indexOf('.') + 1);
    patterns.push(`*.${parent}`);
  }
  return patterns;
}

/** Returns the domains whose publisher may speak for a host: the nearest first, up to the registrant's. */
export function domainsAbove(host: string): readonly string[] {
  const top = registrableDomain(host) ?? host;
  const domains = [host];
  for (let at = host; at.length > top.length && at.includes('.'); ) {
    at = at.slice(at.indexOf('.') + 1);
    domains.push(at);
  }
  return domains;
}

/** Kinds of identifiers that developers derive from a domain of theirs, its labels in reverse. */
const DOMAIN_NAMED: ReadonlySet<string> = new Set([
  ...(['android_package', 'apple_tv_bundle', 'bundle_id', 'google_play_id', 'ios_bundle'] as const),
]);

/** Returns the domains that an app's identifier is named after, the nearest first: `com.acme.app` after acme.com; none for any other. */
export function domainsOfIdentifier(type: string, value: string): readonly string[] {
  if (!DOMAIN_NAMED.has(type)) return [];
  const labels = value.split('.', MAX_LABELS);
  const odd = labels.findIndex((label) => !/^[a-z\d-]+$/i.test(label));
  const host = domainName(
    labels
      .slice(0, odd < 0 ? undefined : odd)
      .toReversed()
      .join('.'),
  );
  return host === undefined || registrableDomain(host) === undefined ? [] : domainsAbove(host);
}

/** Returns a publisher's domain in the form in which publishers are looked up; undefined for what is no domain. */
export function lookupDomain(text: string): string | undefined {
  const domain = typedDomain(text) ?? domainName(text);
  return domain && publisherDomain(domain);
}

/** Returns a host in the form in which hosts are looked up; undefined for what is none. */
export function lookupHost(text: string): string | undefined {
  return domainName(text) ?? typedDomain(text);
}

/** Returns the canonical URL of an agent. Throws VALIDATION_ERROR for what is no URL. */
export function requireAgentUrl(url: string): string {
  const canonical = canonicalAgentUrl(url);
  if (canonical !== undefined) return canonical;
  throw new TaskError('VALIDATION_ERROR', 'The agent is no absolute URL.', {
    field: 'agent',
    suggestion: 'Send the URL of the agent, such as https://sales.example/mcp.',
  });
}

/** Refuses a question for a property by its id that names no publisher. */
export function noPublisherNamed(): TaskError {
  return new TaskError('VALIDATION_ERROR', 'A property id is known at one publisher alone.', {
    field: 'publisher_domain',
    suggestion: 'Send the domain of the publisher, or an identifier of the property.',
  });
}
