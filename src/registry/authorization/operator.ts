import type { Relationship } from '../../protocol/brand-words.js';
import type { DelegationType, Property } from '../adagents/types.js';
import { allBrandAgents } from '../brand/brand-json.js';
import type { BrandAgent, BrandContent, BrandProperty } from '../brand/types.js';
import { canonicalAgentUrl } from '../model/agent-url.js';
import { coversHost } from '../model/domains.js';
import type { AuthorizationQuestion } from './question.js';

/** The relation between the publisher's word and the operator's. */
export type TwoSidedMatch = 'both' | 'delegation_unspecified' | 'orphaned' | 'missing' | 'mismatch' | 'unknown';

/** The operator's side of an authorization, in the members of the wire. */
export type OperatorSide = {
  /** Whether its brand.json lists the agent; without that it says nothing about it. */
  readonly lists_agent: boolean;
  /** Whether it declares the property. */
  readonly declared: boolean;
  readonly relationship?: Relationship;
};

/** The members of a property that can be declared; of a host that is asked for, its own hosts do not count. */
type Declarable = Pick<Property, 'property_type' | 'identifiers' | 'hosts'>;

/** Returns a text that is the same for properties of which an operator declares the same. */
export function declarableKey({ identifiers, property_type }: Declarable): string {
  return JSON.stringify([property_type, ...new Set(identifiers.map(({ type, value }) => `${type} ${value}`).sort())]);
}

/** The relationships that confirm each delegation_type. */
const CONFIRMING: Readonly<Record<DelegationType, ReadonlySet<Relationship>>> = {
  direct: new Set<Relationship>(['direct', 'owned']),
  delegated: new Set<Relationship>(['delegated']),
  ad_network: new Set<Relationship>(['ad_network']),
};

const NONE: readonly never[] = [];

type Declared = { readonly position: number; readonly property: BrandProperty };

/** The place that a question is about, where it names no property. */
type AskedHost = { readonly host?: string; readonly identifier?: string } & Pick<AuthorizationQuestion, 'country'>;

/** The document of whoever operates an agent, by what is asked of it. */
export class Operator {
  readonly #content: BrandContent;
  /** By canonical URL; undefined for one that two entries have: nobody could tell which of them is meant. */
  #agents: ReadonlyMap<string, BrandAgent | undefined> | undefined;
  /** By place, a host or another identifier, and by place and region. */
  #declared: ReadonlyMap<string, readonly Declared[]> | undefined;

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
  declared(property: Declarable | undefined, { host, identifier, country }: AskedHost): readonly BrandProperty[] {
    this.#declared ??= declaredByName(this.#content);
    let declarations: Set<Declared> | undefined;
    for (const name of namesOf(property, host, identifier)) {
      for (const group of country === undefined ? [name] : [regionGroup(name), regionGroup(name, country)]) {
        for (const one of this.#declared.get(group) ?? NONE) {
          if (!isThere(one.property, property, { host, identifier })) continue;
          declarations ??= new Set();
          declarations.add(one);
        }
      }
    }
    if (declarations === undefined) return NONE;
    const matches = [...declarations];
    if (matches.length > 1) matches.sort((one, other) => one.position - other.position);
    return matches.map((one) => one.property);
  }
}

function agentsByUrl(content: BrandContent): ReadonlyMap<string, BrandAgent | undefined> {
  const agents = new Map<string, BrandAgent | undefined>();
  for (const agent of allBrandAgents(content)) {
    agents.set(agent.canonicalUrl, agents.has(agent.canonicalUrl) ? undefined : agent);
  }
  return agents;
}

/** Returns declared properties by name; of those that say the same, the first. */
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

/** Returns where a property, or a host, may be declared: identifiers and hosts, and the parents of hosts, for their subdomains. */
function namesOf(
  property: Declarable | undefined,
  host: string | undefined,
  identifier: string | undefined,
): readonly string[] {
  if (property === undefined && identifier !== undefined) return [identifier];
  const names: string[] = [];
  for (const { value } of property?.identifiers ?? NONE) names.push(value);
  const hosts = host === undefined ? (property?.hosts ?? NONE).map((pattern) => pattern.host) : [host];
  for (const one of hosts) {
    if (!names.includes(one)) names.push(one);
    for (let dot = one.indexOf('.'); dot !== -1; dot = one.indexOf('.', dot + 1)) names.push(one.slice(dot + 1));
  }
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
