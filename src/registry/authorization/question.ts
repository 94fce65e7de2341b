import { TaskError } from '../../protocol/errors.js';
import { IDENTIFIER_TYPES, type IdentifierType, type Property } from '../adagents/types.js';
import { canonicalAgentUrl } from '../model/agent-url.js';
import { coversHost, domainName, typedDomain } from '../model/domains.js';

/** A property by its id in the publisher's file, by its id in the registry's records, or by one of its identifiers. */
export type PropertyReference =
  | { readonly property_id: string }
  | { readonly property_rid: string }
  | { readonly type: IdentifierType; readonly value: string };

/** Where and when inventory would be sold, as far as the question says. */
export type Circumstances = {
  /** Milliseconds. */
  readonly at: number;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  /** Of the publisher asked about, unless it names another one. */
  readonly collection?: { readonly publisher_domain?: string; readonly collection_id: string };
  readonly placement?: string;
  /**
   * What an entry limits (countries, collections, placements) and the question leaves open: refused, which is the rule, for nobody
   * knows that the case is within the limits; or reported with the answer, for "is there anything that it may sell?".
   */
  readonly openLimits?: 'refuse' | 'report';
  /** Refuses also what only the publisher confirms, and agents that several entries name. */
  readonly strict?: boolean;
};

/** Whether an agent may sell a property, or the site at a domain; one of the two is asked for. */
export type AuthorizationQuestion = Circumstances & {
  readonly agent: string;
  readonly property?: PropertyReference;
  readonly domain?: string;
};

/** A question in comparable form. */
export type Asked = Circumstances & {
  readonly agent: string;
  readonly canonicalAgent: string;
  /** What is asked for, as sentences name it. */
  readonly subject: string;
  /** The host, when a site is asked for. */
  readonly host?: string;
  readonly propertyId?: string;
  /** The identifier, when no site is asked for. */
  readonly identifier?: string;
  /** The property of the file itself, when that is what is asked for. */
  readonly property?: Property;
  readonly matches: (property: Property) => boolean;
};

/** A question in comparable form before what it asks for. */
type AskedCircumstances = Circumstances & Pick<Asked, 'agent' | 'canonicalAgent'>;

/** The property or publisher that a question asks about. */
type Subject = Pick<Asked, 'subject' | 'host' | 'propertyId' | 'identifier' | 'property' | 'matches'>;

const HOST_TYPES: ReadonlySet<IdentifierType> = new Set<IdentifierType>(['domain', 'subdomain']);

/** Reads a question; `canonicalize` may remember what it was asked before. Throws VALIDATION_ERROR with `field` for one that names no agent, or not exactly one property or domain. */
export function readQuestion(
  question: AuthorizationQuestion,
  canonicalize: typeof canonicalAgentUrl = canonicalAgentUrl,
): Asked {
  const { agent, property, domain } = question;
  if ((property === undefined) === (domain === undefined)) {
    throw refusal('property', 'One property or one domain has to be asked for.', 'Send property or domain, not both.');
  }
  const circumstances = readCircumstances(agent, question, canonicalize);
  if (domain !== undefined) return completeQuestion(circumstances, siteOf(domain, 'domain'));
  if (property === undefined) throw new Error('a question without a property passed');
  if ('property_id' in property) {
    const { property_id } = property;
    return completeQuestion(circumstances, {
      subject: `property ${property_id}`,
      propertyId: property_id,
      matches: (one) => one.property_id === property_id,
    });
  }
  if ('property_rid' in property) {
    const { property_rid } = property;
    return completeQuestion(circumstances, {
      subject: `property ${property_rid}`,
      matches: ({ pointer }) => pointer === property_rid,
    });
  }
  const { type, value } = property;
  if (!IDENTIFIER_TYPES.includes(type)) {
    throw refusal('property.type', 'The identifier has no known type.', `Use one of: ${IDENTIFIER_TYPES.join(', ')}.`);
  }
  if (HOST_TYPES.has(type)) return completeQuestion(circumstances, siteOf(value, 'property.value'));
  return completeQuestion(circumstances, {
    subject: `${type} ${value}`,
    identifier: value,
    matches: ({ identifiers }) => identifiers.some((one) => one.type === type && one.value === value),
  });
}

/** Returns a question about a property of a file. Throws like `readQuestion`. */
export function askAboutProperty(agent: string, property: Property, circumstances: Circumstances): Asked {
  const { identifiers, name, property_id } = property;
  const own = new Set(identifiers.map(({ type, value }) => `${type} ${value}`));
  return completeQuestion(readCircumstances(agent, circumstances, canonicalAgentUrl), {
    subject: property_id === undefined ? name : `property ${property_id}`,
    property,
    matches: (one) =>
      (property_id !== undefined && one.property_id === property_id) ||
      one.identifiers.some(({ type, value }) => own.has(`${type} ${value}`)),
  });
}

/** Completes a question member by member: a spread costs more than all the rest of it (bench row `snapshot`). */
function completeQuestion(
  circumstances: AskedCircumstances,
  { host, identifier, matches, property, propertyId, subject }: Subject,
): Asked {
  const { agent, at, canonicalAgent, collection, country, openLimits, placement, strict } = circumstances;
  return {
    agent,
    canonicalAgent,
    at,
    country,
    collection,
    placement,
    openLimits,
    strict,
    subject,
    host,
    propertyId,
    identifier,
    property,
    matches,
  };
}

function readCircumstances(
  agent: string,
  circumstances: Circumstances,
  canonicalize: typeof canonicalAgentUrl,
): AskedCircumstances {
  const canonicalAgent = canonicalize(agent);
  if (canonicalAgent === undefined) {
    throw refusal(
      'agent',
      'The agent is no absolute URL.',
      'Send the URL of the agent, such as https://sales.example/mcp.',
    );
  }
  const { at, country, collection, placement, openLimits, strict } = circumstances;
  if (country !== undefined && !/^[A-Za-z]{2}$/.test(country)) {
    throw refusal('country', 'The country is no ISO 3166-1 code.', 'Send two letters such as US.');
  }
  if (!Number.isFinite(at)) throw refusal('at', 'The instant is no number.', 'Send milliseconds since 1970.');
  return {
    agent,
    canonicalAgent,
    at,
    country: country?.toUpperCase(),
    collection,
    placement,
    openLimits,
    strict,
  };
}

function siteOf(text: string, field: string): Subject {
  const host = domainName(text) ?? typedDomain(text);
  if (host === undefined) throw refusal(field, 'This is no domain name.', 'Send a domain such as news.example.');
  return { subject: host, host, matches: ({ hosts }) => hosts.some((pattern) => coversHost(pattern, host)) };
}

function refusal(field: string, message: string, suggestion: string): TaskError {
  return new TaskError('VALIDATION_ERROR', message, { field, suggestion });
}
