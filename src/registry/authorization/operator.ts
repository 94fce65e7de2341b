import type { Relationship } from '../../protocol/brand-words.js';
import type { DelegationType, Property } from '../adagents/types.js';
import { allBrandAgents } from '../brand/brand-json.js';
import type { BrandAgent, BrandContent, BrandProperty } from '../brand/types.js';
import { canonicalAgentUrl } from '../model/agent-url.js';
import { coversHost } from '../model/domains.js';
import type { AuthorizationQuestion } from './question.js';

/** What the two sides say of each other. */
export type TwoSidedMatch = 'both' | 'delegation_unspecified' | 'orphaned' | 'missing' | 'mismatch' | 'unknown';

/** What the operator says, in the members of the wire. */
export type OperatorSide = {
  /** Whether its brand.json lists the agent; without that it says nothing about it. */
  readonly lists_agent: boolean;
  /** Whether it declares the property. */
  readonly declared: boolean;
  readonly relationship?: Relationship;
};

/** What of a property can be declared; of a host that is asked for, its own hosts do not matter. */
export type Declarable = Pick<Property, 'property_type' | 'identifiers' | 'hosts'>;

/** A text that is the same for properties of which an operator declares the same. */
export function declarableKey({ identifiers, property_type }: Declarable): string {
  return JSON.stringify([property_type, ...new Set(identifiers.map(({ type, value }) => `${type} ${value}`).sort())]);
}

/** The relationships that confirm each delegation_type. */
const CONFIRMING: Readonly<Record<DelegationType, ReadonlySet<Relationship>>> = {
  direct: new Set<Relationship>(['direct', 'owned']),
  delegated: new Set<Relationship>(['delegated']),
  ad_network: new Set<Relationship>(['ad_network']),
};

type Declared = { readonly position: number; readonly property: BrandProperty };

/** What is declared of a host whatever has it, and under its names of what has no host, which may be the property. */
type DeclaredOfHost = {
  readonly host: string;
  readonly country: string | undefined;
  readonly declared: readonly Declared[];
  readonly properties: readonly BrandProperty[];
  readonly others: readonly Declared[];
};

/** The place that a question is about, where it names no property. */
type AskedHost = { readonly host?: string; readonly identifier?: string } & Pick<AuthorizationQuestion, 'country'>;

/** The document of whoever operates an agent, by what is asked of it. */
export class Operator {
  readonly #content: BrandContent;
  /** By canonical URL; undefined for one that two entries have: nobody could tell which of them is meant. */
  #agents: ReadonlyMap<string, BrandAgent | undefined> | undefined;
  /** By place, a host or another identifier, and by place and region. */
  #declared: ReadonlyMap<string, readonly Declared[]> | undefined;
  /** Of the host that was asked for last. */
  #host: DeclaredOfHost | undefined;

  constructor(content: BrandContent) {
    this.#content = content;
  }

  /** Whether the document lists an agent, once. */
  lists(agent: string): boolean {
    const canonical = canonicalAgentUrl(agent);
    this.#agents ??= agentsByUrl(this.#content);
    return canonical !== undefined && this.#agents.get(canonical) !== undefined;
  }

  /**
   * Returns what the operator declares of a property, or of a host or an identifier when nothing more is known, in the order of its
   * document; what it says twice, once. A region that is another country says nothing.
   */
  declared(property: Declarable | undefined, asked: AskedHost): readonly BrandProperty[] {
    const { country, host, identifier } = asked;
    const ofHost = host === undefined ? undefined : this.#ofHost(host, country);
    const own =
      ofHost === undefined ? namesOf(property, identifier) : (property?.identifiers ?? []).map(({ value }) => value);
    const others = [...(ofHost?.others ?? []), ...this.#under(own, country)];
    const found = new Set(others.filter((one) => isThere(one.property, property, asked)));
    if (ofHost !== undefined && found.size === 0) return ofHost.properties;
    for (const one of ofHost?.declared ?? []) found.add(one);
    return inOrder([...found]);
  }

  /** Returns what is declared of a host; a crowd of properties with one host asks for it again and again (bench row `holds`). */
  #ofHost(host: string, country: string | undefined): DeclaredOfHost {
    if (this.#host?.host === host && this.#host.country === country) return this.#host;
    const all = this.#under(hostNames(host), country);
    const declared = all.filter(({ property }) => property.host !== undefined && coversHost(property.host, host));
    const others = all.filter(({ property }) => property.host === undefined);
    this.#host = { host, country, declared, others, properties: inOrder(declared) };
    return this.#host;
  }

  /** Returns what is declared under names, where a country is given of it and of no region. */
  #under(names: readonly string[], country: string | undefined): readonly Declared[] {
    this.#declared ??= declaredByName(this.#content);
    const byName = this.#declared;
    if (country === undefined) return names.flatMap((name) => byName.get(name) ?? []);
    return names.flatMap((name) => [
      ...(byName.get(regionGroup(name)) ?? []),
      ...(byName.get(regionGroup(name, country)) ?? []),
    ]);
  }
}

/** Returns what is declared in the order of its document, each once. */
function inOrder(declared: readonly Declared[]): readonly BrandProperty[] {
  return [...new Set(declared)].sort((one, other) => one.position - other.position).map(({ property }) => property);
}

function agentsByUrl(content: BrandContent): ReadonlyMap<string, BrandAgent | undefined> {
  const agents = new Map<string, BrandAgent | undefined>();
  for (const agent of allBrandAgents(content)) {
    agents.set(agent.canonicalUrl, agents.has(agent.canonicalUrl) ? undefined : agent);
  }
  return agents;
}

/** Of properties that say the same, the first. */
function declaredByName({ brands }: BrandContent): ReadonlyMap<string, readonly Declared[]> {
  const [byName, seenRules] = [new Map<string, Declared[]>(), new Set<string>()];
  for (const [position, property] of brands.flatMap(({ properties }) => properties).entries()) {
    const { host, identifier, region, relationship, type } = property;
    const name = host?.host ?? identifier;
    for (const group of [name, regionGroup(name, region)]) {
      const ruleKey = `${group} ${type} ${host?.covers} ${relationship}`;
      if (seenRules.has(ruleKey)) continue;
      seenRules.add(ruleKey);
      const others = byName.get(group);
      if (others === undefined) byName.set(group, [{ position, property }]);
      else others.push({ position, property });
    }
  }
  return byName;
}

/** Returns the group of places in a region; those of no region count in each. */
function regionGroup(name: string, region = ''): string {
  return `${name} ${region}`;
}

/** Returns where a property, or an identifier, may be declared: its identifiers and the names of its hosts. */
function namesOf(property: Declarable | undefined, identifier: string | undefined): readonly string[] {
  if (property === undefined) return identifier === undefined ? [] : [identifier];
  return [
    ...property.identifiers.map(({ value }) => value),
    ...property.hosts.flatMap((pattern) => hostNames(pattern.host)),
  ];
}

/** Returns a host and its parents, for their subdomains. */
function hostNames(host: string): readonly string[] {
  const names = [host];
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) names.push(host.slice(dot + 1));
  return names;
}

/** Sets the publisher's word beside the operator's. */
export function matchSides(
  delegation: DelegationType | undefined,
  side: OperatorSide | undefined,
  declared: readonly BrandProperty[],
): TwoSidedMatch {
  if (side === undefined || !side.lists_agent) return 'unknown';
  if (declared.length === 0) return 'orphaned';
  if (delegation === undefined) return 'delegation_unspecified';
  return declared.some(({ relationship }) => CONFIRMING[delegation].has(relationship)) ? 'both' : 'mismatch';
}

function isThere(declared: BrandProperty, property: Declarable | undefined, { host, identifier }: AskedHost): boolean {
  const { host: pattern } = declared;
  if (pattern !== undefined) {
    if (host !== undefined) return coversHost(pattern, host);
    return (property?.hosts ?? []).some((one) =>
      one.covers === 'subdomains'
        ? pattern.covers === 'subdomains' && pattern.host === one.host
        : coversHost(pattern, one.host),
    );
  }
  if (property === undefined) return identifier === declared.identifier;
  if (property.property_type !== declared.type) return false;
  return property.identifiers.some(({ value }) => value === declared.identifier);
}
