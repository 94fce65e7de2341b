import { z } from 'zod';
import type { App, Call } from '../context.js';
import type { Account } from '../domain/account.js';
import { type Assignment, type Creative, checkAssignable } from '../domain/creative.js';
import { parseFormatId, resolveFormatId, sameFormat } from '../domain/format.js';
import type { MediaBuy, Package } from '../domain/media-buy.js';
import { canonicalHash } from '../kernel/canonical.js';
import { TaskError } from '../kernel/errors.js';
import type { Writer } from '../store/store.js';
import { formatId } from './shapes.js';

/** A creative as a buyer sends it (facts C.9 creative-asset). */
export const creativeAsset = z.looseObject({
  creative_id: z.string().min(1).max(255),
  name: z.string().min(1).max(500).optional(),
  format_id: formatId,
  assets: z.record(z.string(), z.unknown()).optional(),
  tags: z.array(z.string().max(100)).max(100).optional(),
  status: z.string().optional(),
  weight: z.number().min(0).max(100).optional(),
});
export type CreativeAsset = z.output<typeof creativeAsset>;

/** A creative put into a package. */
export const creativeAssignment = z.looseObject({
  creative_id: z.string().min(1).max(255),
  weight: z.number().min(0).max(100).optional(),
});

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

/** What storing a creative did. */
export type Saved = {
  readonly creative: Creative;
  readonly action: 'created' | 'updated' | 'unchanged';
  readonly changes: readonly string[];
};

/**
 * Brings one creative into the library of an account, approved at once. Throws INVALID_FORMAT_ID, REFERENCE_NOT_FOUND for a format
 * nobody here takes, and INVALID_STATE for a change to a creative that is running. `write` false judges only.
 */
export async function saveCreative(
  db: Writer,
  call: Call,
  account: Account,
  asset: CreativeAsset,
  field: string,
  write = true,
): Promise<Saved> {
  const before = await db.creatives.find(call.owner, account.account_id, asset.creative_id);
  const after = readCreative(call, account, asset, before, field);
  const changes = before === undefined ? [] : changedFields(before, after);
  if (before !== undefined && changes.length === 0) return { creative: before, action: 'unchanged', changes };
  if (before !== undefined) await refuseWhileRunning(db, call, before, field);
  if (write) await db.creatives.save(call.owner, after);
  return { creative: after, action: before === undefined ? 'created' : 'updated', changes };
}

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
  return {
    creative_id: asset.creative_id,
    account_id: account.account_id,
    name: asset.name ?? before?.name ?? asset.creative_id,
    status: 'approved',
    format_id: format,
    assets: asset.assets ?? before?.assets ?? {},
    tags: asset.tags ?? before?.tags ?? [],
    created_date: before?.created_date ?? call.now.iso,
    updated_date: call.now.iso,
    echoed: { ...before?.echoed, ...echoed },
  };
}

function changedFields(before: Creative, after: Creative): readonly string[] {
  const compared = ['name', 'status', 'format_id', 'assets', 'tags', 'echoed'] as const;
  return compared.filter((name) => canonicalHash(before[name]) !== canonicalHash(after[name]));
}

async function refuseWhileRunning(db: Writer, call: Call, creative: Creative, field: string): Promise<void> {
  for (const assignment of await db.creatives.assignmentsOf(call.owner, [creative])) {
    const buy = await db.mediaBuys.find(call.owner, assignment.media_buy_id);
    const line = buy?.packages.find((candidate) => candidate.package_id === assignment.package_id);
    if (buy?.status === 'active' && line !== undefined && !line.paused && !line.canceled) {
      throw new TaskError('INVALID_STATE', 'The creative is running and cannot be replaced.', {
        field: `${field}.creative_id`,
        suggestion: 'Pause the package first, or send the new version under a new creative_id and assign that.',
      });
    }
  }
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
  const { formatOwner } = call.seller;
  const taken = line.format_ids ?? line.sold.format_ids;
  if (!taken.some((format) => sameFormat(format, creative.format_id, formatOwner))) {
    throw new TaskError('VALIDATION_ERROR', 'The package does not take creatives of this format.', {
      field,
      suggestion: `Formats of this package: ${taken.map((format) => format.id).join(', ')}.`,
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
  app: App,
  call: Call,
  db: Writer,
  account: Account,
  buy: MediaBuy,
  line: Package,
  request: PackageCreatives,
  field: string,
): Promise<void> {
  await db.creatives.release(buy.media_buy_id, line.package_id);
  for (const [index, asset] of (request.creatives ?? []).entries()) {
    const path = `${field}.creatives[${index}]`;
    const saved = await saveCreative(db, call, account, asset, path);
    await assignCreative(db, call, buy, line, saved.creative, asset.weight, path);
  }
  for (const [index, entry] of (request.creative_assignments ?? []).entries()) {
    const path = `${field}.creative_assignments[${index}].creative_id`;
    const creative = await findCreative(db, call, account.account_id, entry.creative_id, path);
    await assignCreative(db, call, buy, line, creative, entry.weight, path);
  }
  app.log.debug({ media_buy_id: buy.media_buy_id, package_id: line.package_id }, 'creatives of a package replaced');
}
