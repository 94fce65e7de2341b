import { z } from 'zod';
import { errorObject } from '../../../protocol/envelope.js';
import { TaskError, taskErrorOrThrow } from '../../../protocol/errors.js';
import { purgeCreative } from '../../lifecycle/creatives.js';
import { findUsable } from '../pipeline/resolve-account.js';
import { accountRef, envelopeFields, keyField, pushNotificationConfig } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_MANY, mutation } from '../pipeline/tool.js';
import { archiveMissing, findOldestMissing } from './library/archive-missing.js';
import { judgeCreatives, placedCreatives } from './library/intake.js';
import { type Library, saveCreative } from './library/save-creative.js';
import { assignAll, type SyncRow } from './library/sync-assignments.js';
import { creativeAsset } from './shapes.js';

const assignment = z.looseObject({
  creative_id: z.string().max(255),
  package_id: z.string().max(255),
  weight: z.number().min(0).max(100).optional(),
});

const input = z.looseObject({
  ...keyField,
  account: accountRef.optional(),
  creatives: z.array(creativeAsset).min(1).max(100),
  creative_ids: z.array(z.string()).min(1).max(100).optional().describe('Only these'),
  assignments: z.union([z.array(assignment).max(1000), z.record(z.string(), z.array(z.string()))]).optional(),
  delete_missing: z.boolean().optional().describe('Archives all others'),
  dry_run: z.boolean().optional(),
  validation_mode: z.enum(['strict', 'lenient']).optional().meta({ unlisted: true }),
  push_notification_config: pushNotificationConfig.optional(),
  ...envelopeFields,
});
type Input = z.output<typeof input>;

/** sync_creatives: brings creatives into the library and puts them into packages. */
export const syncCreatives = mutation({
  name: 'sync_creatives',
  title: 'Send creatives',
  description:
    'Adds creatives, or replaces those of list_creatives as a whole by creative_id, and assigns them to packages of media buys. A buy in pending_creatives goes on once each package has one. format_id: list_creative_formats.',
  kinds: ['sales', 'creative'],
  creative: true,
  input,
  maxValues: MAX_VALUES_OF_MANY,
  account: { use: 'sync', required: true },
  dryRun: ({ dry_run }) => dry_run === true,
  outlasts: true,
  prepare: async ({ app, call, args, db, scope }) => {
    checkScope(args);
    const judged = await judgeCreatives({ app, call, db, scope }, listWanted(args));
    const account =
      args.delete_missing === true && args.account !== undefined ? await findUsable(call, args.account, db) : undefined;
    if (account === undefined) return { judged, oldest: undefined };
    const sent = new Set(args.creatives.map(({ creative_id }) => creative_id));
    const target = { owner: call.owner, accountId: account.account_id };
    return { judged, oldest: await findOldestMissing(db, target, sent) };
  },
  run: async ({ app, call, args, db, account, prepared }) => {
    if (account === undefined) throw new Error('a sync needs an account');
    const assignments = readAssignments(args.assignments);
    const library = { app, call, db, account, judged: prepared.judged, assignments };
    const lenient = args.validation_mode === 'lenient';
    const rows = await assignAll(library, await saveAll(library, args, lenient), assignments);
    let message: string | undefined;
    if (args.delete_missing === true) {
      const sent = new Set(rows.map((row) => row.creative_id));
      const archived = await archiveMissing(library, sent, { lenient, oldest: prepared.oldest });
      rows.push(...archived.rows);
      message = archived.message;
    }
    await makeRoom(library);
    return { creatives: rows, message, dry_run: args.dry_run === true || undefined, sandbox: account.sandbox };
  },
});

/** Takes out of the library what has been archived longest, as much as the owner is over its quota of creatives. */
async function makeRoom({ app, call, db }: Library): Promise<void> {
  const excess = await db.ownerUsage.excess(call.owner, 'creatives');
  const archived = { statuses: ['archived'] };
  if (excess === 0 || (await db.creatives.count(call.owner, archived)) === 0) return;
  const sort = { field: 'updated_date', direction: 'asc' } as const;
  const rows = await db.creatives.list(call.owner, { limit: excess, after: undefined }, archived, sort);
  const change = { tx: db, lifecycle: app.lifecycle, owner: call.owner, now: call.now, events: app.accountEvents };
  for (const { creative } of rows.slice(0, excess))
    await purgeCreative({ ...change, initiator: 'system' }, creative, 'hard', 'retention_expired');
}

/** Returns the creatives of a request that its scope leaves in. */
function listWanted({ creatives, creative_ids: scope }: Input) {
  const placed = placedCreatives(creatives, 'creatives');
  return scope === undefined ? placed : placed.filter(({ asset }) => scope.includes(asset.creative_id));
}

async function saveAll(library: Library, args: Input, lenient: boolean): Promise<SyncRow[]> {
  const rows: SyncRow[] = [];
  for (const { asset, field } of listWanted(args)) {
    try {
      const { creative, action, changes, warnings } = await saveCreative(library, asset, field);
      rows.push({
        creative_id: creative.creative_id,
        action,
        status: creative.status,
        changes: changes.length === 0 ? undefined : changes,
        warnings: warnings.length === 0 ? undefined : warnings,
      });
    } catch (thrown) {
      const error = taskErrorOrThrow(thrown);
      if (!lenient) throw error;
      const errors = [errorObject(error, library.call.to.release)];
      rows.push({ creative_id: asset.creative_id, action: 'failed', errors });
    }
  }
  return rows;
}

/** Returns the list form, or the older map from creative to packages. */
function readAssignments(given: Input['assignments']): readonly z.output<typeof assignment>[] {
  if (given === undefined) return [];
  if (Array.isArray(given)) return given;
  return Object.entries(given).flatMap(([creative_id, packages]) =>
    packages.map((package_id) => ({ creative_id, package_id })),
  );
}

function checkScope({ creatives, creative_ids, delete_missing }: Input): void {
  if (delete_missing === true && creative_ids !== undefined) {
    throw new TaskError('INVALID_REQUEST', 'delete_missing and creative_ids exclude each other.', {
      field: 'delete_missing',
      suggestion:
        'Leave creative_ids out to sync the whole library, or delete_missing to sync only the named creatives.',
    });
  }
  const ids = creatives.map(({ creative_id }) => creative_id);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice < 0) return;
  throw new TaskError('INVALID_REQUEST', 'A creative stands twice in one request.', {
    field: `creatives[${twice}].creative_id`,
    suggestion: 'Send each creative_id once.',
  });
}
