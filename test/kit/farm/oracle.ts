import type { FarmSeller } from './farm.js';
import type { FarmEntry, FarmFile, FarmProperty, FarmPublisher } from './publisher.js';

/** What a registry has to say of a publisher. */
export type PublisherFacts = {
  readonly domain: string;
  readonly adagents_valid: boolean;
  readonly status: string;
  readonly method: string | null;
  readonly manager: string | null;
  readonly mode: string;
  readonly url: string | null;
  /** Why there is no file that counts. */
  readonly reason: string | undefined;
  readonly properties: readonly string[];
  readonly agents: readonly string[];
};

/** What a registry has to say of an agent and the website of a publisher. */
export type SaleFacts = { readonly authorized: boolean; readonly match: string | undefined; readonly mutual: boolean };

/** Returns what a publisher of the farm has to come to. */
export function factsOf({ domain, outcome }: FarmPublisher): PublisherFacts {
  if ('reason' in outcome) {
    const { reason } = outcome;
    const none = { method: null, manager: null, url: null, properties: [], agents: [] };
    const mode = reason === 'not_found' ? 'none' : 'self_invalid';
    return { domain, adagents_valid: false, status: 'invalid', mode, reason, ...none };
  }
  const { file, method, url } = outcome;
  const properties = propertiesOf(file, domain);
  return {
    domain,
    adagents_valid: true,
    status: 'valid',
    method,
    manager: 'manager' in outcome ? outcome.manager : null,
    mode: method === 'direct' ? 'self' : 'self_redirected',
    url,
    reason: undefined,
    properties: properties.map(lineOfProperty).toSorted(),
    agents: agentsOf(file, properties),
  };
}

/** Returns whether an agent may sell the website of a publisher, and what both sides say of it. */
export function saleOf({ domain, outcome }: FarmPublisher, agent: string, sellers: readonly FarmSeller[]): SaleFacts {
  const entry = 'file' in outcome ? sellingEntry(outcome.file, domain, agent) : undefined;
  if (entry === undefined) return { authorized: false, match: undefined, mutual: false };
  const declared = sellers.find((one) => one.agent === agent)?.declares;
  if (declared === undefined) return { authorized: true, match: 'unknown', mutual: false };
  const own = declared.find((one) => one.domain === domain);
  if (own === undefined) return { authorized: true, match: 'orphaned', mutual: false };
  if (entry.delegation === undefined) return { authorized: true, match: 'delegation_unspecified', mutual: true };
  const agrees = own.relationship === entry.delegation;
  return { authorized: agrees, match: agrees ? 'both' : 'mismatch', mutual: agrees };
}

/** Returns the agents that any publisher lets sell, each with the publishers that do: an entry that has ended lets nobody. */
export function publishersByAgent(publishers: readonly FarmPublisher[]): ReadonlyMap<string, readonly string[]> {
  const byAgent = new Map<string, string[]>();
  for (const { domain, outcome } of publishers) {
    const open = 'file' in outcome ? openEntries(outcome.file) : [];
    for (const agent of new Set(open.map((entry) => entry.agent)))
      byAgent.set(agent, [...(byAgent.get(agent) ?? []), domain].toSorted());
  }
  return byAgent;
}

/** Returns the publishers without a file that counts, each with why, in the order of their domains. */
export function failures(publishers: readonly FarmPublisher[]): readonly (readonly [string, string])[] {
  return publishers
    .flatMap(({ domain, outcome }) => ('reason' in outcome ? [[domain, outcome.reason] as const] : []))
    .toSorted();
}

function sellingEntry(file: FarmFile, domain: string, agent: string): FarmEntry | undefined {
  const site = propertiesOf(file, domain).find(({ identifiers }) => identifiers.some(({ value }) => value === domain));
  return openEntries(file).find((entry) => entry.agent === agent && site !== undefined && isSold(entry, site, file));
}

/** Returns the entries of a file that let an agent sell something: none of a revoked one, and none that has ended. */
function openEntries({ entries, isRevoked }: FarmFile): readonly FarmEntry[] {
  return isRevoked === true ? [] : entries.filter(({ until }) => until === undefined);
}

/** Returns the properties of a publisher: those that its file lists, else its site, and those that stand in entries alone. */
function propertiesOf({ entries, properties }: FarmFile, domain: string): readonly FarmProperty[] {
  const site = { type: 'website', name: domain, identifiers: [{ type: 'domain', value: domain }], tags: [] };
  const inline = entries.flatMap(({ sells }) => (sells.by === 'inline' ? sells.properties : []));
  return [...(properties.length === 0 ? [site] : properties), ...inline];
}

/** An id that two properties have stands for neither. */
function isSold({ sells }: FarmEntry, property: FarmProperty, { properties }: FarmFile): boolean {
  switch (sells.by) {
    case 'all':
      return true;
    case 'ids':
      return (
        property.id !== undefined &&
        sells.ids.includes(property.id) &&
        properties.filter(({ id }) => id === property.id).length === 1
      );
    case 'tags':
      return property.tags.some((tag) => sells.tags.includes(tag));
    case 'inline':
      return sells.properties.includes(property);
  }
}

function agentsOf(file: FarmFile, properties: readonly FarmProperty[]): readonly string[] {
  const open = openEntries(file);
  return [...new Set(open.map(({ agent }) => agent))]
    .map((agent) => {
      const own = open.filter((entry) => entry.agent === agent);
      const sold = properties.filter((property) => own.some((entry) => isSold(entry, property, file)));
      const isWide = own.some(({ sells }) => sells.by === 'all');
      return lineOfAgent(agent, own[0]?.purpose, sold.length, properties.length, isWide);
    })
    .toSorted();
}

/** The members of an answer about a publisher that the oracle knows. */
type PublisherAnswer = {
  readonly domain: string;
  readonly adagents_valid: boolean;
  readonly discovery_method: string | null;
  readonly manager_domain: string | null;
  readonly hosting: { readonly mode: string; readonly resolved_url: string | null; readonly reason?: string };
  readonly files: { readonly adagents_json: { readonly status: string } };
  readonly properties: readonly (FarmProperty & { readonly property_rid: string; readonly source: string })[];
  readonly authorized_agents: readonly {
    readonly url: string;
    readonly authorized_for: string;
    readonly properties_authorized: number;
    readonly properties_total: number;
    readonly publisher_wide: boolean;
  }[];
};

/** Returns what a registry answered about a publisher, as the oracle puts it. */
export function readFacts(answer: unknown): PublisherFacts {
  const { adagents_valid, authorized_agents, discovery_method, domain, files, hosting, manager_domain, properties } =
    answer as PublisherAnswer;
  return {
    domain,
    adagents_valid,
    status: files.adagents_json.status,
    method: discovery_method,
    manager: manager_domain,
    mode: hosting.mode,
    url: hosting.resolved_url,
    reason: hosting.reason,
    properties: properties
      .map((one) => lineOfProperty({ ...one, id: one.id === one.property_rid ? undefined : one.id }))
      .toSorted(),
    agents: authorized_agents
      .map((one) =>
        lineOfAgent(one.url, one.authorized_for, one.properties_authorized, one.properties_total, one.publisher_wide),
      )
      .toSorted(),
  };
}

function lineOfProperty({
  id,
  identifiers,
  name,
  tags,
  type,
}: Omit<FarmProperty, 'id'> & { readonly id?: string | undefined }): string {
  return JSON.stringify([id ?? null, type, name, identifiers, tags.toSorted()]);
}

function lineOfAgent(...facts: readonly [string, string | undefined, number, number, boolean]): string {
  return JSON.stringify(facts);
}
