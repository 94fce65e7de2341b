import { z } from 'zod';
import type { App, Call } from '../context.js';
import type { Account } from '../domain/account.js';
import type { Creative } from '../domain/creative.js';
import { settle } from '../domain/flight.js';
import { isTerminal, type MediaBuy, type Package } from '../domain/media-buy.js';
import { mediaBuyIdOf } from '../domain/order.js';
import { TaskError } from '../kernel/errors.js';
import { packagesWithCreatives } from '../lifecycle/media-buys.js';
import { errorObject } from '../protocol/envelope.js';
import type { Writer } from '../store/store.js';
import { assignCreative, creativeAsset, findCreative, saveCreative } from './creative-library.js';
import { mutation } from './define.js';
import { accountRef, envelopeFields, keyField, pushNotificationConfig } from './shapes.js';

const assignment = z.looseObject({
  creative_id: z.string().max(255),
  package_id: z.string().max(255),
  weight: z.number().min(0).max(100).optional(),
});

const input = z.looseObject({
  ...keyField,
  account: accountRef.optional(),
  creatives: z.array(creativeAsset).min(1).max(100),
  creative_ids: z.array(z.string()).min(1).max(100).optional().describe('Only these of creatives'),
  assignments: z
    .union([z.array(assignment).max(1000), z.record(z.string(), z.array(z.string()))])
    .optional()
    .describe('[{creative_id, package_id, weight?}]'),
  delete_missing: z.boolean().optional(),
  dry_run: z.boolean().optional(),
  validation_mode: z.enum(['strict', 'lenient']).optional().describe('strict (default): one bad creative refuses all'),
  push_notification_config: pushNotificationConfig.optional(),
  ...envelopeFields,
});
type Input = z.output<typeof input>;

/** sync_creatives (facts C.9): brings creatives into the library and puts them into packages. */
export const syncCreatives = mutation({
  name: 'sync_creatives',
  title: 'Send creatives',
  description:
    'Adds or replaces creatives by creative_id and assigns them to packages of your media buys. A buy in pending_creatives moves on once every package has one. format_id as in list_creative_formats.',
  kinds: ['sales', 'creative'],
  creative: true,
  input,
  account: { use: 'sync', required: true },
  run: async ({ app, call, args, db, account }) => {
    if (account === undefined) throw new Error('a sync needs an account');
    if (args.delete_missing === true && args.creative_ids !== undefined) throw bothScopes();
    const write = args.dry_run !== true;
    const rows = await saveAll(db, call, account, args, write);
    if (args.delete_missing === true) rows.push(...(await archiveMissing(db, call, account, args, write)));
    const assigned = await assignAll(app, call, db, account, readAssignments(args.assignments), rows, write);
    return {
      creatives: rows.map((row) => ({ ...row, ...assigned.get(row.creative_id) })),
      ...(write ? {} : { dry_run: true }),
      sandbox: account.sandbox,
    };
  },
});

type Row = {
  creative_id: string;
  action: string;
  status?: string;
  changes?: readonly string[];
  errors?: readonly object[];
};

async function saveAll(db: Writer, call: Call, account: Account, args: Input, write: boolean): Promise<Row[]> {
  const { creative_ids: scope, validation_mode: mode } = args;
  const rows: Row[] = [];
  for (const [index, asset] of args.creatives.entries()) {
    if (scope !== undefined && !scope.includes(asset.creative_id)) continue;
    try {
      const { creative, action, changes } = await saveCreative(db, call, account, asset, `creatives[${index}]`, write);
      rows.push({
        creative_id: creative.creative_id,
        action,
        status: creative.status,
        ...(changes.length === 0 ? {} : { changes }),
      });
    } catch (error) {
      if (!(error instanceof TaskError) || mode !== 'lenient') throw error;
      rows.push({ creative_id: asset.creative_id, action: 'failed', errors: [errorObject(error, call.to.release)] });
    }
  }
  return rows;
}

/** Archives what the request leaves out, unless it is assigned somewhere. */
async function archiveMissing(db: Writer, call: Call, account: Account, args: Input, write: boolean): Promise<Row[]> {
  const sent = new Set(args.creatives.map((asset) => asset.creative_id));
  const filter = {
    accountId: account.account_id,
    statuses: ['processing', 'pending_review', 'approved', 'rejected'],
    unassigned: true,
  };
  const idle = await db.creatives.list(call.owner, { limit: 10_000, after: undefined }, filter, {
    field: 'created_date',
    direction: 'asc',
  });
  const missing = idle.map((row) => row.creative).filter((creative) => !sent.has(creative.creative_id));
  if (write)
    for (const creative of missing)
      await db.creatives.save(call.owner, { ...creative, status: 'archived', updated_date: call.now.iso });
  return missing.map((creative) => ({ creative_id: creative.creative_id, action: 'deleted' }));
}

type Wish = { readonly creative_id: string; readonly package_id: string; readonly weight?: number | undefined };

/** The list form, or the older map from creative to packages. */
function readAssignments(given: Input['assignments']): readonly Wish[] {
  if (given === undefined) return [];
  if (Array.isArray(given)) return given;
  return Object.entries(given).flatMap(([creative_id, packages]) =>
    packages.map((package_id) => ({ creative_id, package_id })),
  );
}

type Outcome = { assigned_to?: string[]; assignment_errors?: Record<string, string> };

/** Assigns what can be assigned and says per creative what could not; then moves the buys that now have what they need. */
async function assignAll(
  app: App,
  call: Call,
  db: Writer,
  account: Account,
  wishes: readonly Wish[],
  rows: readonly Row[],
  write: boolean,
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const touched = new Map<string, MediaBuy>();
  const failed = new Set(rows.filter((row) => row.action === 'failed').map((row) => row.creative_id));
  for (const [index, wish] of wishes.entries()) {
    if (failed.has(wish.creative_id)) continue;
    const outcome = outcomes.get(wish.creative_id) ?? {};
    outcomes.set(wish.creative_id, outcome);
    try {
      const { buy, line } = await findPackage(db, call, wish.package_id);
      const creative: Creative = await findCreative(
        db,
        call,
        account.account_id,
        wish.creative_id,
        `assignments[${index}].creative_id`,
      );
      if (write) await assignCreative(db, call, buy, line, creative, wish.weight, `assignments[${index}]`);
      touched.set(buy.media_buy_id, buy);
      outcome.assigned_to = [...(outcome.assigned_to ?? []), wish.package_id];
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      outcome.assignment_errors = { ...outcome.assignment_errors, [wish.package_id]: error.message };
    }
  }
  if (write) for (const buy of touched.values()) await moveOn(app, call, db, buy);
  return outcomes;
}

async function moveOn(app: App, call: Call, db: Writer, buy: MediaBuy): Promise<void> {
  const settled = settle(buy, await packagesWithCreatives(db, buy), call.now);
  if (settled.buy !== buy) await app.lifecycle.keep(db, settled.buy, settled.moves);
}

async function findPackage(db: Writer, call: Call, packageId: string): Promise<{ buy: MediaBuy; line: Package }> {
  const mediaBuyId = mediaBuyIdOf(packageId);
  const buy = mediaBuyId === undefined ? undefined : await db.mediaBuys.find(call.owner, mediaBuyId);
  const line = buy?.packages.find((candidate) => candidate.package_id === packageId);
  if (buy === undefined || line === undefined) {
    throw new TaskError('PACKAGE_NOT_FOUND', 'There is no such package for this caller.');
  }
  if (isTerminal(buy.status) || line.canceled)
    throw new TaskError('INVALID_STATE', 'The package has ended and takes no more creatives.');
  return { buy, line };
}

function bothScopes(): TaskError {
  return new TaskError('INVALID_REQUEST', 'delete_missing and creative_ids exclude each other.', {
    field: 'delete_missing',
    suggestion: 'Leave creative_ids out to sync the whole library, or delete_missing to sync only the named creatives.',
  });
}
