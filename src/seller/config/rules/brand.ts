import { findNearest, quoteNames } from '../../../platform/kernel/nearest.js';
import {
  type Draft,
  draftAt,
  draftsAt,
  type Report,
  type Rule,
  reportDuplicates,
  stringsAt,
  textAt,
} from '../draft.js';

/** Checks several fields together: brands, claims and rights. */
export const BRAND_RULES: readonly Rule[] = [
  brandAgentsHaveBrands,
  brandsAreDistinct,
  rightsNameBrands,
  pendingClaimsEnd,
];

function brandAgentsHaveBrands(draft: Draft, report: Report): void {
  const isBrandAgent = stringsAt(draft, 'kinds').some(({ value }) => value === 'brand');
  if (isBrandAgent && draft.brand === undefined) {
    report(['brand'], 'a brand agent without brands has nothing to say', 'Add "brand" with a house and its brands.');
  } else if (!isBrandAgent && draft.brand !== undefined) {
    const fix = 'Move "brand" to the file of a brand agent, or add "brand" to "kinds".';
    report(['brand'], 'only a brand agent speaks for brands, so nobody would ever see this', fix);
  }
}

function brandsAreDistinct(draft: Draft, report: Report): void {
  const brand = draftAt(draft, 'brand');
  const rights = draftsAt(brand, 'rights', ['brand']);
  reportDuplicates(draftsAt(brand, 'brands', ['brand']), 'brand_id', report);
  reportDuplicates(rights, 'rights_id', report);
  for (const { path, draft: offer } of rights)
    reportDuplicates(draftsAt(offer, 'pricing_options', path), 'pricing_option_id', report);
}

function rightsNameBrands(draft: Draft, report: Report): void {
  const brand = draftAt(draft, 'brand');
  const ids = draftsAt(brand, 'brands').flatMap((entry) => textAt(entry.draft, 'brand_id') ?? []);
  for (const { path, draft: offer } of draftsAt(brand, 'rights', ['brand'])) {
    const id = textAt(offer, 'brand_id') ?? '';
    if (ids.includes(id)) continue;
    const meant = findNearest(id, ids);
    const fix = meant === undefined ? `Use one of: ${quoteNames(ids)}.` : `Did you mean "${meant}"?`;
    report([...path, 'brand_id'], `there is no brand "${id}"`, fix);
  }
}

function pendingClaimsEnd(draft: Draft, report: Report): void {
  const claims = draftAt(draftAt(draft, 'brand'), 'claims');
  for (const list of ['subsidiaries', 'parents', 'properties', 'trademarks']) {
    for (const { path, draft: claim } of draftsAt(claims, list, ['brand', 'claims'])) {
      const isPending = claim.status === 'pending_review';
      if (isPending === (claim.pending_until !== undefined)) continue;
      const fix = isPending ? 'Add "pending_until", a day such as "2030-01-31".' : 'Leave "pending_until" out.';
      report([...path, isPending ? 'status' : 'pending_until'], 'a claim is pending until a day, and only then', fix);
    }
  }
}
