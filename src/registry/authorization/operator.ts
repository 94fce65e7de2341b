import type { DelegationType, Property } from '../adagents/types.js';
import { allBrandAgents } from '../brand/brand-json.js';
import type { BrandAgent, BrandContent, BrandProperty, Relationship } from '../brand/types.js';
import { canonicalAgentUrl } from '../model/agent-url.js';
import { coversHost } from '../model/domains.js';
import type { AuthorizationQuestion } from './question.js';

/** What the two sides say of each other (facts 3.4). */
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

/** The relationships that confirm each delegation_type (facts 3.4). */
const CONFIRMING: Readonly<Record<DelegationType, ReadonlySet<Relationship>>> = {
  direct: new Set<Relationship>(['direct', 'owned']),
  delegated: new Set<Relationship>(['delegated']),
  ad_network: new Set<Relationship>(['ad_network']),
};

/** What an operator's document says, by what is asked of it. */
type OperatorIndex = {
  /** By canonical URL; one that two entries have is kept as undefined. */
  readonly agents: ReadonlyMap<string, BrandAgent | undefined>;
  /** Declared properties by place, a host or another identifier, and by place and region. Of those that say the same, the first. */
  readonly declared: ReadonlyMap<string, readonly Declared[]>;
};

type Declared = { readonly position: number; readonly property: BrandProperty };

const indexes = new WeakMap<BrandContent, OperatorIndex>();

function operatorIndex(operator: BrandContent): OperatorIndex {
  const known = indexes.get(operator);
  if (known !== undefined) return known;
  const agents = new Map<string, BrandAgent | undefined>();
  for (const agent of allBrandAgents(operator)) {
    agents.set(agent.canonicalUrl, agents.has(agent.canonicalUrl) ? undefined : agent);
  }
  const index = { agents, declared: declaredByPlace(operator) };
  indexes.set(operator, index);
  return index;
}

function declaredByPlace({ brands }: BrandContent): ReadonlyMap<string, readonly Declared[]> {
  const [found, said] = [new Map<string, Declared[]>(), new Set<string>()];
  for (const [position, property] of brands.flatMap(({ properties }) => properties).entries()) {
    const { host, identifier, region, relationship, type } = property;
    const place = host?.host ?? identifier;
    for (const group of [place, regionGroup(place, region)]) {
      const saying = `${group} ${type} ${host?.covers} ${relationship}`;
      if (said.has(saying)) continue;
      said.add(saying);
      const others = found.get(group);
      if (others === undefined) found.set(group, [{ position, property }]);
      else others.push({ position, property });
    }
  }
  return found;
}

/** Places in a region; those of no region count in each. */
function regionGroup(place: string, region = ''): string {
  return `${place} ${region}`;
}

/** The entry of a document that is the agent. Of two, none: nobody could tell which one is meant. */
export function operatorAgent(operator: BrandContent, agent: string): BrandAgent | undefined {
  const canonical = canonicalAgentUrl(agent);
  return canonical === undefined ? undefined : operatorIndex(operator).agents.get(canonical);
}

/**
 * What an operator declares of a property, or of a host when a site is asked for, in the order of its document; what it says twice,
 * once. A region that is another country says nothing.
 */
export function declaredBy(
  operator: BrandContent,
  property: Declarable | undefined,
  { host, country }: { readonly host?: string } & Pick<AuthorizationQuestion, 'country'>,
): readonly BrandProperty[] {
  const { declared } = operatorIndex(operator);
  const found: Declared[] = [];
  const look = (group: string): void => {
    for (const one of declared.get(group) ?? []) {
      if (isThere(one.property, property, host) && !found.includes(one)) found.push(one);
    }
  };
  for (const place of placesOf(property, host)) {
    if (country === undefined) look(place);
    else {
      look(regionGroup(place));
      look(regionGroup(place, country));
    }
  }
  if (found.length > 1) found.sort((one, other) => one.position - other.position);
  return found.map((one) => one.property);
}

/** Where what covers a property, or a host, may be declared: identifiers and hosts, and the parents of hosts, for their subdomains. */
function placesOf(property: Declarable | undefined, host: string | undefined): readonly string[] {
  const places = (property?.identifiers ?? []).map(({ value }) => value);
  for (const one of host === undefined ? (property?.hosts ?? []).map((pattern) => pattern.host) : [host]) {
    places.push(one);
    for (let dot = one.indexOf('.'); dot !== -1; dot = one.indexOf('.', dot + 1)) places.push(one.slice(dot + 1));
  }
  return places;
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

function isThere(declared: BrandProperty, property: Declarable | undefined, host: string | undefined): boolean {
  const { host: pattern } = declared;
  if (pattern !== undefined) {
    if (host !== undefined) return coversHost(pattern, host);
    return (property?.hosts ?? []).some((one) =>
      one.covers === 'subdomains'
        ? pattern.covers === 'subdomains' && pattern.host === one.host
        : coversHost(pattern, one.host),
    );
  }
  if (property === undefined || property.property_type !== declared.type) return false;
  return property.identifiers.some(({ value }) => value === declared.identifier);
}
