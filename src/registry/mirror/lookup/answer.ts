import type { Decision } from '../../authorization/evaluate.js';
import type { TwoSidedMatch } from '../../authorization/operator.js';
import type { AuthorizationReason } from '../../authorization/reasons.js';

/** A property as lookups know it. */
export type IndexedProperty = {
  readonly property_rid: string;
  readonly publisher_domain: string;
  readonly property_id: string | null;
  readonly identifiers: readonly { readonly type: string; readonly value: string }[];
};

/** A yes or no with its reason, and the property that it rests on. */
export type Answer = {
  readonly authorized: boolean;
  readonly reason: AuthorizationReason;
  /** What the two sides say of each other. */
  readonly match: TwoSidedMatch;
  readonly property: IndexedProperty | undefined;
  /** Of the publisher whose word it is. */
  readonly publisher_domain: string | undefined;
};

/** Returns the answer that a decision comes to. */
export function answerOf({ authorized, match, property, publisher_side, reason }: Decision): Answer {
  return {
    authorized,
    reason,
    match,
    property: property && {
      property_rid: property.pointer,
      publisher_domain: property.publisher_domain,
      property_id: property.property_id ?? null,
      identifiers: property.identifiers,
    },
    publisher_domain: publisher_side.publisher_domain,
  };
}
