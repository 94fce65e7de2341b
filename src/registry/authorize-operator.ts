import type { DelegationType, Property } from './adagents-types.js';
import { canonicalAgentUrl } from './agent-url.js';
import type { AuthorizationQuestion } from './authorize-question.js';
import { allBrandAgents } from './brand-json.js';
import type { BrandAgent, BrandContent, BrandProperty, Relationship } from './brand-types.js';
import { coversHost } from './domains.js';

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

/** The relationships that confirm each delegation_type (facts 3.4). */
const CONFIRMING: Readonly<Record<DelegationType, ReadonlySet<Relationship>>> = {
  direct: new Set<Relationship>(['direct', 'owned']),
  delegated: new Set<Relationship>(['delegated']),
  ad_network: new Set<Relationship>(['ad_network']),
};

/** The entry of a document that is the agent. Of two, none: nobody could tell which one is meant. */
export function operatorAgent(operator: BrandContent, agent: string): BrandAgent | undefined {
  const canonical = canonicalAgentUrl(agent);
  const [found, twin] = allBrandAgents(operator).filter(({ canonicalUrl }) => canonicalUrl === canonical);
  return twin === undefined ? found : undefined;
}

/** What an operator declares of a property, or of a host when a site is asked for. A region that is another country says nothing. */
export function declaredBy(
  operator: BrandContent,
  property: Property | undefined,
  { host, country }: { readonly host?: string } & Pick<AuthorizationQuestion, 'country'>,
): readonly BrandProperty[] {
  return operator.brands
    .flatMap(({ properties }) => properties)
    .filter(({ region }) => region === undefined || country === undefined || region === country)
    .filter((declared) => isThere(declared, property, host));
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

function isThere(declared: BrandProperty, property: Property | undefined, host: string | undefined): boolean {
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
