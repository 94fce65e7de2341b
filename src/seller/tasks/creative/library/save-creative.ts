import type { z } from 'zod';
import { canPlayIn } from '../../../../creative/formats/compatibility.js';
import type { FormatId } from '../../../../creative/formats/format.js';
import { parseFormatId, resolveFormatId, sameFormat } from '../../../../creative/formats/format-id.js';

import { canonicalHash } from '../../../../platform/kernel/canonical.js';
import { TaskError } from '../../../../platform/kernel/errors.js';
import type { App, Call } from '../../../context.js';
import { type Account, FIXTURE_ACCOUNT } from '../../../domain/account/account.js';
import {
  type Assignment,
  type Creative,
  checkAssignable,
  isUsable,
  statusAfterSync,
} from '../../../domain/creative/creative.js';
import type { MediaBuy, Package } from '../../../domain/media-buy/media-buy.js';

import { moveHolders } from '../../../lifecycle/creatives.js';
import type { Writer } from '../../../store/store.js';
import { type Judged, placedCreatives } from './intake.js';
import type { CreativeAsset, creativeAssignment } from '../shapes.js';

/** Fields of a creative that are kept for the buyer as they came. */
const ECHOED = [
  'inputs',
  'placement_ids',
  'industry_identifiers',
  'provenance',
  'concept_id',
  'concept_name',
  'ext',
] as const;

/** What bringing creatives into the library of an account takes. */
export type Library = {
  readonly app: App;
  readonly call: Call;
  readonly db: Writer;
  readonly account: Account;
  readonly judged: Judged;
};

/** What storing a creative did. */
export type Saved = {
  readonly creative: Creative;
  readonly action: 'created' | 'updated' | 'unchanged';
  readonly changes: readonly string[];
  readonly warnings: readonly string[];
};

/**
 * Brings one creative into the library, in the state that the approval policy gives it; buys that hold it follow, but for `except`,
 * which the caller moves. Throws INVALID_FORMAT_ID, REFERENCE_NOT_FOUND for a format nobody here takes, what the check found, and
 * INVALID_STATE for a change to a creative that is running.
 */
export async function saveCreative(
  library: Library,
  asset: CreativeAsset,
  field: string,
  except?: string,
): Promise<Saved> {
  const { app, call, db, account, judged } = library;
  const before = await db.creatives.find(call.owner, account.account_id, asset.creative_id);
  const after = readCreative(call, account, asset, before, field);
  const { error, warnings = [] } = judged.get(asset) ?? {};
  if (error !== undefined) throw error;
  const changes = before === undefined ? [] : changedOf(SHOWN, before, after);
  if (before === undefined) {
    await db.creatives.save(call.owner, after);
    return { creative: after, action: 'created', changes, warnings };
  }
  if (changes.length === 0) return { creative: before, action: 'unchanged', changes, warnings };
  if (isUsable(before.status)) await refuseWhileRunning(db, call, before, field);
  await db.creatives.save(call.owner, after);
  if (before.status !== after.status) await moveHolders(db, app.lifecycle, call.owner, after, call.now, except);
  return { creative: after, action: 'updated', changes, warnings };
}

/** What a viewer gets to see, or a reviewer looks at: a change of it is looked at again. */
const REVIEWED = ['format_id', 'assets', 'echoed'] as const;
/** What the buyer sees change. */
const SHOWN = ['name', 'status', 'tags', ...REVIEWED] as const;

function readCreative(
  call: Call,
  account: Account,
  asset: CreativeAsset,
  before: Creative | undefined,
  field: string,
): Creative {
  const format = resolveFormatId(
    parseFormatId(asset.format_id, `${field}.format_id`),
    call.seller.formatOwner,
    call.seller.formatIds,
  );
  if (!call.seller.formatIds.has(format.id)) {
    throw new TaskError('REFERENCE_NOT_FOUND', 'There is no such creative format.', {
      field: `${field}.format_id`,
      suggestion: 'Use a format_id from list_creative_formats.',
    });
  }
  const echoed = Object.fromEntries(
    ECHOED.filter((name) => asset[name] !== undefined).map((name) => [name, asset[name]]),
  );
  const sent = {
    creative_id: asset.creative_id,
    account_id: account.account_id,
    version: (before?.version ?? 0) + 1,
    name: asset.name ?? before?.name ?? asset.creative_id,
    format_id: format,
    assets: asset.assets ?? before?.assets ?? {},
    tags: asset.tags ?? before?.tags ?? [],
    created_date: before?.created_date ?? call.now.iso,
    updated_date: call.now.iso,
    echoed: { ...before?.echoed, ...echoed },
  };
  const { creative_approval } = (call.principal ?? call.seller.tenant).policies;
  const changed = before !== undefined && changedOf(REVIEWED, before, sent).length > 0;
  const status = statusAfterSync(before?.status, changed, creative_approval);
  const reason = status === 'rejected' ? before?.rejection_reason : undefined;
  return { ...sent, status, ...(reason === undefined ? {} : { rejection_reason: reason }) };
}

function changedOf<Name extends string>(
  names: readonly Name[],
  before: Readonly<Record<Name, unknown>>,
  after: Readonly<Record<Name, unknown>>,
): readonly Name[] {
  return names.filter((name) => canonicalHash(before[name]) !== canonicalHash(after[name]));
}

async function refuseWhileRunning(db: Writer, call: Call, creative: Creative, field: string): Promise<void> {
  if (await isRunning(db, call, await db.creatives.assignmentsOf(call.owner, [creative])))
    throw stillRunning('replaced', `${field}.creative_id`);
}

/** Whether a package in which one of these assignments is runs now (facts C.9). */
export async function isRunning(db: Writer, call: Call, assignments: readonly Assignment[]): Promise<boolean> {
  for (const { media_buy_id, package_id, weight } of assignments) {
    const buy = await db.mediaBuys.find(call.owner, media_buy_id);
    const line = buy?.packages.find((candidate) => candidate.package_id === package_id);
    if (buy?.status === 'active' && line !== undefined && !line.paused && !line.canceled && weight !== 0) return true;
  }
  return false;
}

/** The error for a change to a creative that a running package holds (facts C.9). */
export function stillRunning(change: 'replaced' | 'deleted', field: string): TaskError {
  return new TaskError('INVALID_STATE', `The creative is running and cannot be ${change}.`, {
    field,
    suggestion: 'Pause the package first, or send the new version under a new creative_id and assign that.',
  });
}

/** Finds a creative to assign: in the account; for a sandbox principal in any of its accounts. Throws CREATIVE_NOT_FOUND. */
export async function findCreative(
  db: Writer,
  call: Call,
  accountId: string,
  creativeId: string,
  field: string,
): Promise<Creative> {
  const own = await db.creatives.find(call.owner, accountId, creativeId);
  const found =
    own ?? (call.principal?.sandbox === true ? await db.creatives.findAnywhere(call.owner, creativeId) : undefined);
  if (found !== undefined) return found;
  throw new TaskError('CREATIVE_NOT_FOUND', 'There is no such creative in the library.', {
    field,
    suggestion: 'Send it with sync_creatives first, or use a creative_id from list_creatives.',
  });
}

/**
 * What a sandbox takes for a creative that its account does not hold: the one of this id in another of its accounts that the package
 * takes; in a sandbox with fixtures, where nobody has sent any, a fixture.
 */
async function standIn(library: Library, line: Package, creativeId: string): Promise<Creative | undefined> {
  const { app, call, db, account } = library;
  if (call.principal?.sandbox !== true) return undefined;
  if ((await db.creatives.find(call.owner, account.account_id, creativeId)) !== undefined) return undefined;
  const sort = { field: 'created_date', direction: 'desc' } as const;
  const rows = await db.creatives.list(call.owner, FIRST_PAGE, { creativeIds: [creativeId] }, sort);
  const elsewhere = rows.map((row) => row.creative).find((creative) => takes(call, line, creative));
  const isHere = rows.some((row) => row.creative.account_id === FIXTURE_ACCOUNT.account_id);
  if (elsewhere !== undefined || isHere || !app.sandboxes.hasFixtures(call.owner)) return elsewhere;
  const { seedCreative } = await import('../../../sandbox/controller/seed-creative.js');
  return seedCreative(library, creativeId, { format_id: formatsTaken(line)[0] });
}

const FIRST_PAGE = { limit: 100, after: undefined };

function formatsTaken(line: Package): readonly FormatId[] {
  return line.format_ids ?? line.sold.format_ids;
}

/** Whether a package takes a creative: one of its formats, or a film or sound that plays in one. */
function takes({ seller }: Call, line: Package, { format_id, assets }: Creative): boolean {
  return formatsTaken(line).some((taken) => {
    if (sameFormat(taken, format_id, seller.formatOwner)) return true;
    const format = seller.formats.find((known) => sameFormat(known.format_id, taken, seller.formatOwner));
    return format !== undefined && canPlayIn(format, assets);
  });
}

/** Puts a creative into a package. Throws CREATIVE_REJECTED, or VALIDATION_ERROR when the product does not take its format. */
export async function assignCreative(
  db: Writer,
  call: Call,
  buy: Pick<MediaBuy, 'media_buy_id'>,
  line: Package,
  creative: Creative,
  weight: number | undefined,
  field: string,
): Promise<Assignment> {
  checkAssignable(creative, field);
  if (!takes(call, line, creative)) {
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
    ...(weight === undefined ? {} : { weight }),
  };
  await db.creatives.assign(call.owner, creative.account_id, assignment);
  return assignment;
}

/** Creatives of one package in a create or update: assets to bring in and assign, and library creatives to assign. */
export type PackageCreatives = {
  readonly creatives?: readonly CreativeAsset[] | undefined;
  readonly creative_assignments?: readonly z.output<typeof creativeAssignment>[] | undefined;
};

/** Whether a package request says anything about creatives. */
export function namesCreatives(request: PackageCreatives): boolean {
  return request.creatives !== undefined || request.creative_assignments !== undefined;
}

/** Fills a package with exactly the creatives that a request names; those it held before leave. `field` is the package's path. */
export async function fillPackage(
  library: Library,
  buy: MediaBuy,
  line: Package,
  request: PackageCreatives,
  field: string,
): Promise<void> {
  const { app, call, db, account } = library;
  await db.creatives.release(buy.media_buy_id, line.package_id);
  for (const { asset, field: path } of placedCreatives(request.creatives, `${field}.creatives`)) {
    const saved = await saveCreative(library, asset, path, buy.media_buy_id);
    await assignCreative(db, call, buy, line, saved.creative, asset.weight, path);
  }
  for (const [index, entry] of (request.creative_assignments ?? []).entries()) {
    const path = `${field}.creative_assignments[${index}].creative_id`;
    const creative =
      (await standIn(library, line, entry.creative_id)) ??
      (await findCreative(db, call, account.account_id, entry.creative_id, path));
    await assignCreative(db, call, buy, line, creative, entry.weight, path);
  }
  app.log.debug({ media_buy_id: buy.media_buy_id, package_id: line.package_id }, 'creatives of a package replaced');
}
