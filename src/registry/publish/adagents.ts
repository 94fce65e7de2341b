import { domainName } from '../model/domains.js';
import type { ConfiguredProperty, ConfiguredPublisher, HostedAgent, Publication } from './types.js';

const SCHEMA = 'https://adcontextprotocol.org/schemas/v3/adagents.json';
const MAX_WORDS = 500;

/**
 * Returns the host's own adagents.json: a valid file of the public schema, whose extension `tenants` lists every agent with its tools. It
 * authorizes nobody's inventory, for only the file of a publisher's own domain does; on such a domain it is that.
 */
export function hostAdagents(publication: Publication): object {
  const { agents, operator, publishers, signingKeys, nowIso } = publication;
  const tenants = agents.map(({ path, protocols, tools, url }) => ({ path, url, protocols, tools }));
  const own = publishers.find(({ domain }) => domain === hostOf(publication));
  if (own !== undefined) return { ...publisherAdagents(own, publication), tenants };
  const sold = agents.find(({ publisherDomains }) => publisherDomains.length > 0)?.publisherDomains[0];
  const speaker = domainName(operator.domain) ?? sold ?? 'localhost';
  return {
    $schema: SCHEMA,
    contact: { name: operator.name ?? agents[0]?.name ?? 'seller-agent' },
    authorized_agents: agents.map(({ name, publisherDomains, url }) => ({
      url,
      authorized_for: cutText(`${name}: everything this agent offers`),
      authorization_type: 'publisher_properties',
      // An entry selects from somebody: an agent that sells nobody's inventory speaks for its operator, or stands beside those that sell.
      publisher_properties: (publisherDomains.length === 0 ? [speaker] : publisherDomains).map(allOf),
      ...pinKeys(signingKeys),
    })),
    tenants,
    last_updated: nowIso,
  };
}

/** Returns the host that the agents are served at; it serves its files itself. */
export function hostOf({ jwksUri }: Publication): string {
  return new URL(jwksUri).hostname;
}

/** The agents that sell publishers, and the keys that are theirs. */
type Sellers = Pick<Publication, 'signingKeys' | 'nowIso'> & {
  readonly agents: readonly Pick<HostedAgent, 'name' | 'url' | 'publisherDomains'>[];
};

/**
 * Returns the adagents.json to put at a publisher's domain: its properties, and every agent of this host that sells them, beside the
 * other sellers that it has. Every domain is selected by itself, which readers of 3.0 understand too.
 */
export function publisherAdagents(publisher: ConfiguredPublisher, { agents, signingKeys, nowIso }: Sellers): object {
  const { collections, contact, domain, other_agents, placement_tags, placements, tags } = publisher;
  const pins = publisher.pin_signing_keys === false ? [] : signingKeys;
  const sellers = agents.filter(({ publisherDomains }) => publisherDomains.includes(domain));
  return {
    $schema: SCHEMA,
    contact: contact ?? { name: domain, domain },
    properties: publisherProperties(publisher),
    ...(isFilled(collections) && { collections }),
    ...(isFilled(placements) && { placements }),
    ...(tags && { tags }),
    ...(placement_tags && { placement_tags }),
    authorized_agents: [
      ...sellers.map((agent) => ({ ...entryOf(agent, publisher), ...pinKeys(pins) })),
      ...(other_agents ?? []),
    ],
    last_updated: nowIso,
  };
}

/** Returns the properties of a publisher as its file lists them. */
export function publisherProperties({
  domain,
  properties,
}: ConfiguredPublisher): readonly (ConfiguredProperty & { readonly publisher_domain: string })[] {
  const listed = isFilled(properties)
    ? properties
    : [
        {
          property_id: domain.replaceAll(/[^a-z0-9]/g, '_'),
          property_type: 'website' as const,
          name: domain,
          identifiers: [{ type: 'domain' as const, value: domain }],
        },
      ];
  return listed.map((property) => ({ ...property, publisher_domain: domain }));
}

function entryOf({ name, url }: Pick<HostedAgent, 'name' | 'url'>, publisher: ConfiguredPublisher): object {
  const { authorized_for, delegation_type, domain, limits } = publisher;
  return {
    url,
    authorized_for: cutText(authorized_for ?? `${name} sells the inventory of ${domain}`),
    ...scopeOf(publisher),
    delegation_type,
    ...limits,
  };
}

function scopeOf({ domain, property_ids, property_tags }: ConfiguredPublisher): object {
  if (isFilled(property_ids)) return { authorization_type: 'property_ids', property_ids };
  if (isFilled(property_tags)) return { authorization_type: 'property_tags', property_tags };
  return { authorization_type: 'publisher_properties', publisher_properties: [allOf(domain)] };
}

function allOf(publisher_domain: string): object {
  return { publisher_domain, selection_type: 'all' };
}

function pinKeys(signing_keys: Publication['signingKeys']): object {
  return signing_keys.length === 0 ? {} : { signing_keys };
}

function isFilled<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list.length > 0;
}

function cutText(text: string): string {
  return text.length <= MAX_WORDS ? text : `${text.slice(0, MAX_WORDS - 1)}…`;
}
