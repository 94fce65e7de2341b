import type { EffectiveAdagents } from '../adagents/discovery.js';
import type { Selection } from '../adagents/types.js';
import type { BrandContent } from '../brand/types.js';
import { publisherDomain } from '../model/domains.js';
import type { RecordSelector } from '../model/records.js';
import { decide } from './evaluate.js';
import { FileFacts, publisherProperties, selectProperties } from './file-facts.js';
import { Operator } from './operator.js';
import { askAboutProperty, type Circumstances } from './question.js';

/** Which properties of one publisher a product runs on, as the wire writes it. */
export type PropertySelector =
  | { readonly publisher_domain: string; readonly selection_type: 'all' }
  | { readonly publisher_domain: string; readonly selection_type: 'by_id'; readonly property_ids: readonly string[] }
  | { readonly publisher_domain: string; readonly selection_type: 'by_tag'; readonly property_tags: readonly string[] };

/** Whether an agent may sell what a product runs on. */
type ProductQuestion = Circumstances & {
  readonly agent: string;
  readonly publisher_properties: readonly PropertySelector[];
};

/** The answer for one selector, in the members of the wire. */
type SelectorAuthorization = {
  readonly publisher_domain: string;
  readonly selection_type: PropertySelector['selection_type'];
  readonly requested_count: number;
  readonly authorized_count: number;
  /** Ids, or names of properties without one; the first hundred. */
  readonly unauthorized_items: readonly string[];
};

/** The answer for a product: authorized when every selector reaches something and all of it is. */
type ProductAuthorization = {
  readonly authorized: boolean;
  /** 0 to 100. */
  readonly coverage_percentage: number;
  readonly total_requested: number;
  readonly total_authorized: number;
  readonly selectors: readonly SelectorAuthorization[];
};

const MAX_ITEMS = 100;

/**
 * Whether an agent may sell everything that a product's selectors reach, property by property. `effectiveOf` answers the
 * file that counts for a publisher; without one nothing of that publisher is authorized. Throws VALIDATION_ERROR with `field` for an
 * agent that is no URL.
 */
export function isProductAuthorized(
  { agent, publisher_properties, ...circumstances }: ProductQuestion,
  effectiveOf: (publisherDomain: string) => EffectiveAdagents | undefined,
  operator?: BrandContent,
): ProductAuthorization {
  const operatorFacts = operator && new Operator(operator);
  const selectors = publisher_properties.map((selector): SelectorAuthorization => {
    const effective = effectiveOf(publisherDomain(selector.publisher_domain));
    const requested =
      effective === undefined ? [] : selectProperties(publisherProperties(effective), selectionOf(selector));
    const source = new FileFacts(effective, operatorFacts);
    const refused = requested.filter(
      (property) => !decide(askAboutProperty(agent, property, circumstances), source).authorized,
    );
    const requestedIds = new Set(requested.map(({ property_id }) => property_id));
    const unknown =
      selector.selection_type === 'by_id' ? selector.property_ids.filter((id) => !requestedIds.has(id)) : [];
    const items = [...refused.map(({ name, property_id }) => property_id ?? name), ...unknown];
    return {
      publisher_domain: selector.publisher_domain,
      selection_type: selector.selection_type,
      requested_count: requested.length + unknown.length,
      authorized_count: requested.length - refused.length,
      unauthorized_items: items.slice(0, MAX_ITEMS),
    };
  });
  const sum = (count: (one: SelectorAuthorization) => number): number =>
    selectors.reduce((total, one) => total + count(one), 0);
  const requested = sum((one) => one.requested_count);
  const authorized = sum((one) => one.authorized_count);
  const isWhole = ({ authorized_count: yes, requested_count: all }: SelectorAuthorization): boolean =>
    all > 0 && yes === all;
  return {
    authorized: selectors.length > 0 && selectors.every(isWhole),
    coverage_percentage: requested === 0 ? 0 : Math.floor((authorized / requested) * 100),
    total_requested: requested,
    total_authorized: authorized,
    selectors,
  };
}

/** Returns what a selector picks of a publisher's properties. */
export function selectionOf(selector: RecordSelector): Selection {
  switch (selector.selection_type) {
    case 'all':
      return { selection_type: 'all' };
    case 'by_id':
      return { selection_type: 'by_id', property_ids: new Set(selector.property_ids) };
    case 'by_tag':
      return { selection_type: 'by_tag', property_tags: new Set(selector.property_tags) };
  }
}
