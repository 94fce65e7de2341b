import { listed } from '../../../platform/kernel/nearest.js';
import { DEFAULT_FULFILLMENT } from '../../domain/media-buy/fulfillment.js';
import { type Draft, draftsAt, type Report, type Rule, type RuleOptions, stringsAt, textAt } from '../draft.js';

/** The checks of how live buys are carried out. */
export const FULFILLMENT_RULES: readonly Rule[] = [adapterIsThere, handsBookWhatIsApproved];

function adapterIsThere(draft: Draft, report: Report, { adServers }: RuleOptions): void {
  if (draft.fulfillment !== 'adapter' || adServers.length > 0) return;
  report(
    ['fulfillment'],
    'no ad server is connected: this version has no adapter of its own',
    'Write "manual" to book orders by hand and enter their delivery, or "simulated" for a demonstration. A program that embeds the server can bring an adServer.',
  );
}

/** A clock that approves would promise what nobody has booked. */
function handsBookWhatIsApproved(draft: Draft, report: Report): void {
  if ((draft.fulfillment ?? DEFAULT_FULFILLMENT) !== 'manual') return;
  const live = draftsAt(draft, 'principals').flatMap(({ draft: { id, sandbox } }) =>
    typeof id === 'string' && sandbox !== true ? [id] : [],
  );
  for (const { path, draft: rule } of draftsAt(draft, 'approvals')) {
    const named = stringsAt(rule, 'principals').map(({ value }) => value);
    const about = rule.principals === undefined ? live : live.filter((id) => named.includes(id));
    if (textAt(rule, 'on_timeout') !== 'approve' || about.length === 0) continue;
    report(
      [...path, 'on_timeout'],
      `orders of ${listed(about)} are booked by hand, and nobody would have booked what the clock approves`,
      'Write "reject", limit the rule to sandbox principals with "principals", or set "fulfillment".',
    );
  }
}
