import { quoteNames } from '../../../platform/kernel/nearest.js';
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

/** The checks of how principals are billed. */
export const BILLING_RULES: readonly Rule[] = [accountsAreBilledAsAgreed, creativesAreBilled];

/** Reports an account of the file that its principal could not open. */
function accountsAreBilledAsAgreed(draft: Draft, report: Report): void {
  const passing = draftsAt(draft, 'principals').flatMap(({ draft: { id, billing } }) =>
    typeof id === 'string' && billing === 'passthrough_only' ? [id] : [],
  );
  for (const { path, draft: account } of draftsAt(draft, 'accounts')) {
    const [owner, billing] = [textAt(account, 'principal'), textAt(account, 'billing') ?? 'operator'];
    if (owner === undefined || !passing.includes(owner) || billing === 'operator') continue;
    report(
      [...path, 'billing'],
      `${owner} has no payments of its own, so only operators are invoiced for its accounts`,
      'Write "operator", or take "billing": "passthrough_only" from the principal.',
    );
  }
}

/** Returns the principals and the test kits of a file. */
function callersOf(draft: Draft): readonly Located[] {
  const kits = draftAt(draft, 'kits');
  return [
    ...draftsAt(draft, 'principals'),
    ...Object.entries(kits).flatMap(([key, kit]) => (isDraft(kit) ? [{ path: ['kits', key], draft: kit }] : [])),
  ];
}

function creativesAreBilled(draft: Draft, report: Report): void {
  const kinds = stringsAt(draft, 'kinds').map(({ value }) => value);
  if (kinds.includes('creative')) return;
  for (const { path, draft: caller } of callersOf(draft)) {
    if (caller.creative_billing === undefined) continue;
    report(
      [...path, 'creative_billing'],
      `only a creative agent bills creatives, and this one is of ${quoteNames(kinds)}`,
      'Remove it, or add "creative" to "kinds".',
    );
  }
}
