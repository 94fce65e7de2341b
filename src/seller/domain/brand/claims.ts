import { DAY_MS } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Claims } from './brand.js';

/** What may be claimed of a house. */
export const CLAIM_TYPES = ['subsidiary', 'parent', 'property', 'trademark'] as const;
type ClaimType = (typeof CLAIM_TYPES)[number];

/** A claim as it is asked about; each type has members of its own. */
export type Claim = {
  readonly claim_type: ClaimType;
  readonly claim: {
    readonly subsidiary_domain?: string | undefined;
    readonly subsidiary_brand_id?: string | undefined;
    readonly parent_domain?: string | undefined;
    readonly property?:
      | {
          readonly type: string;
          readonly identifier: string;
          readonly store?: string | undefined;
          readonly region?: string | undefined;
        }
      | undefined;
    readonly mark?: string | undefined;
    readonly registry?: string | undefined;
    readonly number?: string | undefined;
    readonly countries?: readonly string[] | undefined;
    readonly use_case?: string | undefined;
  };
};

/** The answer to a claim. */
export type Verdict = {
  readonly claim_type: ClaimType;
  readonly status: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly context_note: string | undefined;
};

/** The member of a claim that says what it is about, by its type. */
const SUBJECTS = {
  subsidiary: 'subsidiary_domain',
  parent: 'parent_domain',
  property: 'property',
  trademark: 'mark',
} as const satisfies Readonly<Record<ClaimType, keyof Claim['claim']>>;

/** Throws INVALID_REQUEST for a claim that does not say what it is about. */
export function checkClaim({ claim_type, claim }: Claim, path: string): void {
  const subject = SUBJECTS[claim_type];
  if (claim[subject] !== undefined) return;
  const field = `${path}claim.${subject}`;
  throw new TaskError('INVALID_REQUEST', `${field}: is required for a claim of this type.`, {
    field,
    suggestion: `A claim of the type ${claim_type} names ${subject}.`,
  });
}

/** Returns what the house answers to a claim; `unknown` where its file says nothing. */
export function judgeClaim(claims: Claims, asked: Claim, nowMs: number): Verdict {
  const { claim_type } = asked;
  const entry = LOOKUPS[claim_type](claims, asked.claim);
  if (entry === undefined) return { claim_type, status: 'unknown', details: undefined, context_note: undefined };
  const { status, pending_until, note } = entry.position;
  const leftDays = pending_until === undefined ? 0 : Math.ceil((Date.parse(pending_until) + DAY_MS - nowMs) / DAY_MS);
  const isLapsed = status === 'pending_review' && leftDays <= 0;
  if (isLapsed) return { claim_type, status: 'unknown', details: undefined, context_note: undefined };
  const pending = status === 'pending_review' ? { expected_resolution_window_days: leftDays } : {};
  const details = Object.entries({ ...entry.details, ...pending }).filter(([, value]) => value !== undefined);
  return {
    claim_type,
    status,
    details: details.length === 0 ? undefined : Object.fromEntries(details),
    context_note: note,
  };
}

type ClaimedRecord = {
  readonly position: { readonly status: string; readonly pending_until?: string; readonly note?: string };
  readonly details: Readonly<Record<string, unknown>>;
};

const LOOKUPS: Readonly<Record<ClaimType, (claims: Claims, claim: Claim['claim']) => ClaimedRecord | undefined>> = {
  subsidiary: ({ subsidiaries }, { subsidiary_domain, subsidiary_brand_id }) => {
    const position = subsidiaries.find(
      (one) => isSame(one.domain, subsidiary_domain) && canAgree(one.brand_id, subsidiary_brand_id),
    );
    if (position === undefined) return undefined;
    const { brand_id, first_observed_at } = position;
    return { position, details: { brand_id, first_observed_by_house_at: first_observed_at } };
  },
  parent: ({ parents }, { parent_domain }) => {
    const position = parents.find(({ domain }) => isSame(domain, parent_domain));
    return position && { position, details: { house_domain: position.domain } };
  },
  property: ({ properties }, { property, use_case }) => {
    const position = properties.find(
      (one) =>
        one.type === property?.type &&
        isSame(one.identifier, property.identifier) &&
        canAgree(one.store, property.store) &&
        (property.region === undefined || (one.regions?.includes(property.region) ?? true)),
    );
    if (position === undefined) return undefined;
    const { relationship, regions, use_cases } = position;
    return { position, details: { relationship, regions, use_case_authorization: authorize(use_cases, use_case) } };
  },
  trademark: ({ trademarks }, { mark, registry, number, countries: asked, use_case }) => {
    const position = trademarks.find(
      (one) =>
        isSame(one.mark, mark) &&
        canAgree(one.registry, registry) &&
        canAgree(one.number, number) &&
        (asked === undefined || one.countries === undefined || asked.some((code) => one.countries?.includes(code))),
    );
    if (position === undefined) return undefined;
    const { countries, nice_classes, licensor_domain, use_cases } = position;
    const registered = { registry: position.registry, number: position.number };
    return {
      position,
      details: {
        matched_registration: position.number === undefined ? undefined : registered,
        licensor_domain,
        countries,
        nice_classes,
        use_case_authorization: authorize(use_cases, use_case),
      },
    };
  },
};

function isSame(own: string, asked: string | undefined): boolean {
  return asked !== undefined && own.toLowerCase() === asked.toLowerCase();
}

/** Whether two values agree; one that is left open is not held against the other. */
function canAgree(own: string | undefined, asked: string | undefined): boolean {
  return own === undefined || asked === undefined || isSame(own, asked);
}

function authorize(cases: readonly string[] | undefined, asked: string | undefined): object | undefined {
  if (cases === undefined || asked === undefined) return undefined;
  return { use_case: asked, authorized: cases.some((one) => isSame(one, asked)) };
}
