import { findNearest, quoteNames } from '../../../platform/kernel/nearest.js';
import { APPROVABLE_TASKS } from '../../domain/task/approval.js';
import {
  type Draft,
  draftAt,
  draftsAt,
  isDraft,
  type Located,
  type Report,
  type Rule,
  stringsAt,
  textAt,
} from '../draft.js';

/** The checks of the rules that say when a person has to be asked: one that can never match would be silence where a person was expected. */
export const APPROVAL_RULES: readonly Rule[] = [
  approvalsAreForSellers,
  approvalsNameWhatIsThere,
  approvalsFitProducts,
  approvalsAreReached,
];

function approvalsAreForSellers(draft: Draft, report: Report): void {
  const kinds = values(draft, 'kinds');
  if (draftsAt(draft, 'approvals').length === 0 || kinds.includes('sales') || kinds.includes('brand')) return;
  report(
    ['approvals'],
    'only a sales agent or a brand agent takes orders, so nobody would ever be asked',
    'Move "approvals" to the file of a sales agent, or add "sales" to "kinds".',
  );
}

/** The names that the rules use, and where in the file they are defined. */
const NAMED = [
  { key: 'product_ids', list: 'products', id: 'product_id', noun: 'product' },
  { key: 'principals', list: 'principals', id: 'id', noun: 'principal' },
] as const;

function approvalsNameWhatIsThere(draft: Draft, report: Report): void {
  for (const { path, draft: rule } of draftsAt(draft, 'approvals')) {
    for (const { key, list, id, noun } of NAMED) {
      const ids = [
        ...draftsAt(draft, list).flatMap((entry) => textAt(entry.draft, id) ?? []),
        ...(noun === 'product' ? rightsOf(draft).flatMap((entry) => textAt(entry.draft, 'rights_id') ?? []) : []),
      ];
      for (const { index, value } of stringsAt(rule, key)) {
        if (ids.includes(value)) continue;
        const meant = findNearest(value, ids);
        const fix = meant === undefined ? `Use one of: ${quoteNames(ids)}.` : `Did you mean "${meant}"?`;
        report([...path, key, index], `there is no ${noun} "${value}"`, fix);
      }
    }
    const wanted = textAt(draftAt(rule, 'budget_over'), 'currency');
    const sold = currenciesOf(draft);
    if (wanted === undefined || sold.length === 0 || sold.includes(wanted)) continue;
    report(
      [...path, 'budget_over', 'currency'],
      `nothing is sold in ${wanted}, so no budget is ever over this`,
      `Use a currency of your prices: ${quoteNames(sold)}.`,
    );
  }
}

function rightsOf(draft: Draft): readonly Located[] {
  return draftsAt(draftAt(draft, 'brand'), 'rights', ['brand']);
}

function currenciesOf(draft: Draft): readonly string[] {
  const options = [...draftsAt(draft, 'products'), ...rightsOf(draft)].flatMap(({ path, draft: product }) =>
    draftsAt(product, 'pricing_options', path),
  );
  return [...new Set(options.flatMap(({ draft: option }) => textAt(option, 'currency') ?? []))];
}

function approvalsFitProducts(draft: Draft, report: Report): void {
  const products = draftsAt(draft, 'products');
  for (const { path, draft: rule } of draftsAt(draft, 'approvals')) {
    const [types, ids] = [values(rule, 'delivery_types'), values(rule, 'product_ids')];
    const about = products.filter((entry) => ids.length === 0 || ids.includes(textAt(entry.draft, 'product_id') ?? ''));
    const hasMatch = about.some((entry) => types.includes(textAt(entry.draft, 'delivery_type') ?? ''));
    if (types.length === 0 || about.length === 0 || hasMatch) continue;
    report(
      [...path, 'delivery_types'],
      `${ids.length === 0 ? 'no product is' : 'none of its products is'} ${types.join(' or ')}, so the rule never matches`,
      'Correct "delivery_types", or leave it out.',
    );
  }
}

function approvalsAreReached(draft: Draft, report: Report): void {
  const rules = draftsAt(draft, 'approvals');
  for (const [at, rule] of rules.entries()) {
    const before = rules.slice(0, at).findIndex((earlier) => covers(earlier, rule));
    if (before < 0) continue;
    report(
      rule.path,
      `this rule is never reached: rule ${before + 1} matches all that it matches`,
      'Put the narrower rule first, or remove this one.',
    );
  }
}

/** Whether all that `rule` matches is matched by `earlier`. */
function covers({ draft: earlier }: Located, { draft: rule }: Located): boolean {
  const every: readonly string[] = APPROVABLE_TASKS;
  const tasks = earlier.tasks === undefined ? every : values(earlier, 'tasks');
  if (!(rule.tasks === undefined ? every : values(rule, 'tasks')).every((task) => tasks.includes(task))) return false;
  const lists = ['product_ids', 'delivery_types', 'advertisers', 'principals'].every((key) => {
    if (earlier[key] === undefined) return true;
    const [wide, narrow] = [values(earlier, key), values(rule, key)];
    return narrow.length > 0 && narrow.every((value) => wide.includes(value));
  });
  if (!lists || !isDraft(earlier.budget_over)) return lists;
  const [wide, narrow] = [earlier.budget_over, draftAt(rule, 'budget_over')];
  return wide.currency === narrow.currency && Number(wide.amount) <= Number(narrow.amount);
}

function values(draft: Draft, key: string): readonly string[] {
  return stringsAt(draft, key).map(({ value }) => value);
}
