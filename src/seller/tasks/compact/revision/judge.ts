import type { CommercialTerms } from '../../../domain/proposal/terms.js';
import type { StoredSnapshot } from '../snapshots.js';
import type { Constraints, Refinement } from './shapes.js';

/** A revision's outcome, and the drafts that it made; none where nothing of it could be done. */
export type Revised = Readonly<Record<string, unknown>> & { readonly drafts: readonly StoredSnapshot[] };

/** The demands on a draft: typed, and in words with what was made of them. */
export type Asked = {
  readonly constraints: Constraints;
  readonly changes: NonNullable<Refinement['product_changes']>;
  readonly words: { readonly status: string; readonly notes?: string | undefined } | undefined;
  /** Whether the draft has the terms that were there before. */
  readonly isSame: boolean;
};

const CONSTRAINTS = ['total_budget', 'cpm', 'flight'] as const;

/** Returns the constraints and product changes of a revision that a draft does not keep. */
export function findUnmet({ snapshot: { terms } }: StoredSnapshot, { constraints, changes }: Asked) {
  const sold = new Set(terms.purchases.map(({ product_id }) => product_id));
  return {
    constraints: CONSTRAINTS.filter((name) => constraints[name] !== undefined && !isMet(name, constraints, terms)),
    changes: Object.entries(changes).filter(([id, action]) => sold.has(id) !== (action === 'include')),
  };
}

/** Says how much of a revision a draft fulfills. */
export function judgeDraft(draft: StoredSnapshot, asked: Asked): Revised {
  const { words, isSame } = asked;
  const { constraints, changes } = findUnmet(draft, asked);
  const isUnmet = constraints.length + changes.length > 0;
  if (!isUnmet && (words === undefined || words.status === 'applied')) return { outcome: 'revised', drafts: [draft] };
  const reason = {
    reason_code: isUnmet ? 'constraint_unsatisfiable' : 'uninterpreted',
    reason: [
      ...(constraints.length === 0 ? [] : [`Not possible with these products: ${constraints.join(', ')}.`]),
      ...(changes.length === 0
        ? []
        : [`Not on sale for this plan, or all that is left of it: ${changes.map(([id]) => id).join(', ')}.`]),
      ...(words?.notes === undefined ? [] : [words.notes]),
    ].join(' '),
    unsatisfied_constraints: constraints.length === 0 ? undefined : constraints,
    unsatisfied_product_changes: changes.length === 0 ? undefined : Object.fromEntries(changes),
  };
  return isSame ? { outcome: 'unable', ...reason, drafts: [] } : { outcome: 'partial', ...reason, drafts: [draft] };
}

/** Returns why a revision makes no draft: what a rule of the seller says to it. */
export function refuseRevision(why: string, { constraints, changes }: Pick<Asked, 'constraints' | 'changes'>): Revised {
  const names = CONSTRAINTS.filter((name) => constraints[name] !== undefined);
  const isTyped = names.length + Object.keys(changes).length > 0;
  return {
    outcome: 'unable',
    reason_code: isTyped ? 'constraint_unsatisfiable' : 'commercially_declined',
    reason: why,
    unsatisfied_constraints: names.length === 0 ? undefined : names,
    unsatisfied_product_changes: Object.keys(changes).length === 0 ? undefined : changes,
    drafts: [],
  };
}

function isMet(name: (typeof CONSTRAINTS)[number], constraints: Constraints, terms: CommercialTerms): boolean {
  const { total_budget: budget, cpm, flight } = constraints;
  if (name === 'total_budget') {
    const { amount, currency } = terms.total_budget;
    return budget?.currency === currency && amount >= (budget.min ?? 0) && amount <= (budget.max ?? amount);
  }
  if (name === 'cpm')
    return terms.purchases.every(({ pricing: { pricing_model, currency, fixed_price } }) => {
      const isPerThousand = pricing_model === 'cpm' || pricing_model === 'vcpm';
      return (
        isPerThousand && currency === cpm?.currency && typeof fixed_price === 'number' && fixed_price <= (cpm?.max ?? 0)
      );
    });
  const { start_no_later_than: start, end_no_earlier_than: end } = flight ?? {};
  return (
    (start === undefined || Date.parse(terms.start_time) <= Date.parse(start)) &&
    (end === undefined || Date.parse(terms.end_time) >= Date.parse(end))
  );
}
