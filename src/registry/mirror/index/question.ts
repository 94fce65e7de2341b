import { TaskError } from '../../../protocol/errors.js';
import type { AuthorizationQuestion } from '../../authorization/question.js';
import { canonicalAgentUrl } from '../../model/agent-url.js';
import { domainName, isWithin, publisherDomain, registrableDomain, typedDomain } from '../../model/domains.js';
import { CODES, COUNTERS, codeOf, OWN_HOST, type Tables } from './tables.js';

/**
 * Whether an agent may sell a property. Without a publisher, that of the property is meant; where several publishers claim the same
 * one, none is.
 */
export type IndexQuestion = AuthorizationQuestion & { readonly publisher_domain?: string };

/** Most hosts that a host is looked up under: itself, and its parents with a star. */
const MOST_LABELS = 32;

/** The number of an agent by its URL; 0 for one that nobody names. Throws VALIDATION_ERROR for what is no URL. */
export function findAgent(tables: Tables, url: string): number {
  // Most callers write the canonical form, which is quicker to find than to work out.
  const known = tables.agents.find(url);
  if (known !== 0) return known;
  const canonical = canonicalAgentUrl(url);
  if (canonical !== undefined) return tables.agents.find(canonical);
  throw new TaskError('VALIDATION_ERROR', 'The agent is no absolute URL.', {
    field: 'agent',
    suggestion: 'Send the URL of the agent, such as https://sales.example/mcp.',
  });
}

/** The number of a publisher by its domain; 0 for one that is not known. */
export function findDomain(tables: Tables, text: string): number {
  const known = tables.domains.find(text);
  if (known !== 0 && !text.startsWith('www.') && !text.startsWith('m.')) return known;
  const domain = typedDomain(text) ?? domainName(text);
  return domain === undefined ? 0 : tables.domains.find(publisherDomain(domain));
}

/** The domain whose publisher speaks for a host: the nearest that is known, up to the registrant's. */
export function publisherOfHost(tables: Tables, host: string): number {
  const top = registrableDomain(host) ?? host;
  for (let at = host; ; at = at.slice(at.indexOf('.') + 1)) {
    const domain = tables.domains.find(at);
    if (domain !== 0 && tables.domainStanding.at(domain) !== 0) return domain;
    if (at.length <= top.length || !at.includes('.')) return 0;
  }
}

/** Adds the rows of the properties with an identifier to `into`, one now and then twice. Hosts go through `propertiesOfHost`. */
export function propertiesWith(tables: Tables, type: string, value: string, into: number[]): void {
  const code = codeOf(CODES.identifier, type);
  const number = tables.values.find(value);
  if (number === 0) return;
  for (let one = tables.valueIdentifier.at(number); one !== 0; one = tables.nextOfValue.at(one)) {
    if (tables.identifierType.at(one) === code) into.push(tables.identifierProperty.at(one));
  }
}

/**
 * Adds the rows of the properties that stand for a host: it itself, the site without www. or m., and patterns with a star (facts 2.4 step
 * 6), one now and then twice. Of properties that name a host which is not their publisher's, only those are added that are of
 * `publisher`.
 */
export function propertiesOfHost(tables: Tables, host: string, publisher: number, into: number[]): void {
  addHost(tables, host, publisher, into);
  const site = publisherDomain(host);
  if (site !== host) addHost(tables, site, publisher, into);
  if (tables.counters.at(COUNTERS.stars) === 0) return;
  let at = host;
  for (let labels = 0; labels < MOST_LABELS; labels += 1) {
    const dot = at.indexOf('.');
    if (dot < 0) return;
    at = at.slice(dot + 1);
    if (tables.values.find(`*.${at}`) !== 0 && isWithin(host, at)) addHost(tables, `*.${at}`, publisher, into);
  }
}

function addHost(tables: Tables, pattern: string, publisher: number, into: number[]): void {
  const number = tables.values.find(pattern);
  if (number === 0) return;
  const [domain, subdomain] = HOST_CODES;
  for (let one = tables.valueIdentifier.at(number); one !== 0; one = tables.nextOfValue.at(one)) {
    const type = tables.identifierType.at(one);
    if (type !== domain && type !== subdomain) continue;
    const property = tables.identifierProperty.at(one);
    const isMeant =
      (tables.identifierFlags.at(one) & OWN_HOST) !== 0 || tables.propertyDomain.at(property) === publisher;
    if (isMeant) into.push(property);
  }
}

const HOST_CODES = [codeOf(CODES.identifier, 'domain'), codeOf(CODES.identifier, 'subdomain')] as const;

/** Adds the rows of a publisher's properties with an id. */
export function propertiesNamed(tables: Tables, publisher: number, id: string, into: number[]): void {
  const slug = tables.words.find(id);
  if (slug === 0) return;
  for (let row = tables.slugs.find(publisher, slug); row !== 0; row = tables.nextOfSlug.at(row)) into.push(row);
}
