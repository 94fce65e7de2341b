import { findNearest, quoteNames } from '../../../platform/kernel/nearest.js';
import {
  type Draft,
  draftsAt,
  type Located,
  type Report,
  type Rule,
  reportDuplicates,
  stringsAt,
  textAt,
} from '../draft.js';

/** The checks of proposals: one that a buyer could not buy as it stands would be a promise that is not kept. */
export const PROPOSAL_RULES: readonly Rule[] = [
  proposalsAreDistinct,
  proposalsAreForSellers,
  insertionOrdersAreForSellers,
  proposalsNameWhatIsSold,
  proposalsAddUp,
];

function proposalsAreDistinct(draft: Draft, report: Report): void {
  const proposals = draftsAt(draft, 'proposals');
  reportDuplicates(proposals, 'proposal_id', report);
  for (const { path, draft: proposal } of proposals)
    reportDuplicates(draftsAt(proposal, 'allocations', path), 'product_id', report);
}

function proposalsAreForSellers(draft: Draft, report: Report): void {
  if (draftsAt(draft, 'proposals').length === 0) return;
  if (stringsAt(draft, 'kinds').some(({ value }) => value === 'sales')) return;
  report(
    ['proposals'],
    'only a sales agent offers proposals',
    'Move "proposals" to the file of a sales agent, or add "sales" to "kinds".',
  );
}

function insertionOrdersAreForSellers(draft: Draft, report: Report): void {
  if (draft.insertion_orders === undefined) return;
  if (stringsAt(draft, 'kinds').some(({ value }) => value === 'sales')) return;
  report(
    ['insertion_orders'],
    'only a sales agent has insertion orders',
    'Move "insertion_orders" to the file of a sales agent, or add "sales" to "kinds".',
  );
}

function proposalsNameWhatIsSold(draft: Draft, report: Report): void {
  const products = draftsAt(draft, 'products');
  for (const proposal of draftsAt(draft, 'proposals')) {
    const currencies = new Set<string>();
    for (const allocation of draftsAt(proposal.draft, 'allocations', proposal.path)) {
      const product = findNamed(allocation, 'product_id', products, report);
      const options = product === undefined ? [] : draftsAt(product.draft, 'pricing_options');
      const option = product && findNamed(allocation, 'pricing_option_id', options, report);
      if (option === undefined) continue;
      bidIsSound(allocation, option.draft, report);
      currencies.add(textAt(option.draft, 'currency') ?? '');
    }
    if (currencies.size > 1) {
      report(
        [...proposal.path, 'allocations'],
        `the prices of a proposal are in several currencies: ${quoteNames([...currencies])}`,
        'Choose prices in one currency, or make a proposal for each.',
      );
    }
  }
}

/** Returns what an allocation names under `key`; reports a name that nothing has. */
function findNamed(
  { path, draft }: Located,
  key: string,
  among: readonly Located[],
  report: Report,
): Located | undefined {
  const id = textAt(draft, key);
  const match = among.find((each) => textAt(each.draft, key) === id);
  if (id === undefined || match !== undefined) return id === undefined ? undefined : match;
  const names = among.flatMap((each) => textAt(each.draft, key) ?? []);
  const meant = findNearest(id, names);
  const fix = meant === undefined ? `Use one of: ${quoteNames(names)}.` : `Did you mean "${meant}"?`;
  report([...path, key], `there is no ${key} "${id}"`, fix);
  return undefined;
}

function bidIsSound({ path, draft }: Located, option: Draft, report: Report): void {
  const bid = draft.bid_price;
  const floor = typeof option.floor_price === 'number' ? option.floor_price : 0;
  if (option.fixed_price !== undefined && bid !== undefined)
    report([...path, 'bid_price'], 'the price is fixed, so nothing is bid', 'Remove "bid_price".');
  else if (option.fixed_price === undefined && bid === undefined)
    report([...path, 'bid_price'], 'the price is an auction and needs a bid', `Add "bid_price", ${floor} or more.`);
  else if (typeof bid === 'number' && bid < floor)
    report([...path, 'bid_price'], 'the bid is below the floor of the price', `Bid ${floor} or more.`);
}

function proposalsAddUp(draft: Draft, report: Report): void {
  for (const { path, draft: proposal } of draftsAt(draft, 'proposals')) {
    const shares = draftsAt(proposal, 'allocations').map((each) => each.draft.allocation_percentage);
    const sum = shares.reduce<number>((total, share) => total + (typeof share === 'number' ? share : Number.NaN), 0);
    if (Number.isNaN(sum) || shares.length === 0 || Math.abs(sum - 100) < 1e-6) continue;
    report(
      [...path, 'allocations'],
      `the allocations add up to ${sum}%, not to 100%`,
      'Change allocation_percentage so that they add up to 100.',
    );
  }
}
