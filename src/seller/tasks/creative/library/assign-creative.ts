import { canSubstitute } from '../../../../creative/formats/canonical/select.js';
import { canPlayIn } from '../../../../creative/formats/compatibility.js';
import type { FormatId } from '../../../../creative/formats/format.js';
import { isSameFormat } from '../../../../creative/formats/format-id.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { Call } from '../../../context.js';
import { FIXTURE_ACCOUNT } from '../../../domain/account/account.js';
import { type Assignment, type Creative, checkAssignable } from '../../../domain/creative/creative.js';
import { checkProvenance } from '../../../domain/creative/provenance.js';
import type { MediaBuy, Package } from '../../../domain/media-buy/media-buy.js';
import { scopeOf } from '../../pipeline/resolve-account.js';
import type { Library } from './save-creative.js';

/** Finds a creative to assign: in the account; where the account's principal is the scope, in any of its accounts. Throws CREATIVE_NOT_FOUND. */
export async function findCreative(
  { db, call }: Pick<Library, 'db' | 'call'>,
  accountId: string,
  creativeId: string,
  field: string,
): Promise<Creative> {
  const own = await db.creatives.find(call.owner, accountId, creativeId);
  const creative = own ?? (await db.creatives.findAnywhere(scopeOf(call, accountId), creativeId));
  if (creative !== undefined) return creative;
  throw new TaskError('CREATIVE_NOT_FOUND', 'There is no such creative in the library.', {
    field,
    suggestion: 'Send it with sync_creatives first, or use a creative_id from list_creatives.',
  });
}

/**
 * Returns what a sandbox takes for a creative that its account does not hold: the one of this id in another of its accounts that the
 * package takes; in a sandbox with fixtures, where nobody has sent any, a fixture.
 */
export async function makeSampleCreative(
  library: Library,
  line: Package,
  creativeId: string,
): Promise<Creative | undefined> {
  const { app, call, db, account } = library;
  if (call.principal?.sandbox !== true) return undefined;
  if ((await db.creatives.find(call.owner, account.account_id, creativeId)) !== undefined) return undefined;
  const sort = { field: 'created_date', direction: 'desc' } as const;
  const rows = await db.creatives.list(
    scopeOf(call, account.account_id),
    FIRST_PAGE,
    { creativeIds: [creativeId] },
    sort,
  );
  const elsewhere = rows.map((row) => row.creative).find((creative) => isAccepted(call, line, creative));
  const isHere = rows.some((row) => row.creative.account_id === FIXTURE_ACCOUNT.account_id);
  if (elsewhere !== undefined || isHere || !app.sandboxes.hasFixtures(call.owner)) return elsewhere;
  const { seedCreative } = await import('../../../sandbox/controller/seed-creative.js');
  return seedCreative(library, creativeId, { format_id: formatsTaken(line)[0] });
}

const FIRST_PAGE = { limit: 100, after: undefined };

function formatsTaken(line: Package): readonly FormatId[] {
  return line.format_ids ?? line.sold.format_ids;
}

/** Whether a package takes a creative: one of its formats, what was sent by a kind of format and fits one, or a film or sound that plays in one. */
function isAccepted({ seller }: Call, line: Package, { format_id, assets, echoed }: Creative): boolean {
  const option = echoed.format_kind === undefined ? undefined : seller.formatOptions.find(format_id);
  return formatsTaken(line).some((taken) => {
    if (isSameFormat(taken, format_id, seller.formatOwner)) return true;
    const other = option && seller.formatOptions.find(taken);
    if (option !== undefined && other !== undefined && canSubstitute(option, assets, other)) return true;
    const format = seller.formats.find((offered) => isSameFormat(offered.format_id, taken, seller.formatOwner));
    return format !== undefined && canPlayIn(format, assets);
  });
}

/** The package that a creative is put into, and its buy. */
type AssignmentTarget = { readonly buy: Pick<MediaBuy, 'media_buy_id'>; readonly line: Package };

/** Puts a creative into a package. Throws CREATIVE_REJECTED, or VALIDATION_ERROR when the product does not take its format. */
export async function assignCreative(
  { db, call }: Pick<Library, 'db' | 'call'>,
  { buy, line }: AssignmentTarget,
  { creative, weight }: { readonly creative: Creative; readonly weight: number | undefined },
  field: string,
): Promise<Assignment> {
  checkAssignable(creative, field);
  const { creative_policy: policy } = line.sold;
  if (policy !== undefined)
    checkProvenance(policy, { provenance: creative.echoed.provenance, assets: creative.assets }, field);
  if (!isAccepted(call, line, creative)) {
    throw new TaskError('VALIDATION_ERROR', 'The package does not take creatives of this format.', {
      field,
      suggestion: `Formats of this package: ${formatsTaken(line)
        .map((format) => format.id)
        .join(', ')}.`,
    });
  }
  const assignment: Assignment = {
    creative_id: creative.creative_id,
    media_buy_id: buy.media_buy_id,
    package_id: line.package_id,
    assigned_date: call.now.iso,
    weight,
  };
  await db.creatives.assign(call.owner, creative.account_id, assignment);
  return assignment;
}
