import { z } from 'zod';
import { type Pace, startPace } from '../../../platform/kernel/event-loop.js';
import { errorObject } from '../../../protocol/envelope.js';
import { TaskError, taskErrorOrThrow } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import { CATALOG_TYPES, type Catalog, catalogWire, checkItems, diffCatalogs } from '../../domain/catalog/catalog.js';
import type { Progress } from '../../domain/task/task.js';
import { accountIdOf } from '../pipeline/resolve-account.js';
import { envelopeFields, keyField, pushNotificationConfig, syncedAccountRef } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_LISTS, type MutationContext, mutation } from '../pipeline/tool.js';
import { syncAction } from '../sync-action.js';

const entry = z.looseObject({
  catalog_id: z.string().min(1).max(255),
  type: z.enum(CATALOG_TYPES),
  name: z.string().max(255).optional(),
  url: z.string().max(2048).optional(),
  feed_format: z.string().max(64).optional(),
  items: z.array(z.unknown()).min(1).optional(),
});
type Entry = z.output<typeof entry>;

const input = z.looseObject({
  ...keyField,
  account: syncedAccountRef,
  catalogs: z
    .array(entry.meta({ brief: true, description: '{catalog_id, type, name, items: […] | url}' }))
    .min(1)
    .max(50)
    .optional(),
  catalog_ids: z.array(z.string().max(255)).min(1).max(50).optional(),
  delete_missing: z.boolean().optional(),
  dry_run: z.boolean().optional(),
  validation_mode: z.enum(['strict', 'lenient']).optional().meta({ unlisted: true }),
  push_notification_config: pushNotificationConfig.optional(),
  ...envelopeFields,
});
type Args = z.output<typeof input>;
type Context = MutationContext<Args, Gathered | undefined>;

/** The items of each catalog of the request by its place, or why they could not be had. */
type Gathered = ReadonlyMap<number, readonly unknown[] | TaskError>;

/** sync_catalogs: keeps a buyer's lists of things to advertise, from the request or from a feed of JSON items. */
export const syncCatalogs = mutation<Args, Gathered | undefined>({
  name: 'sync_catalogs',
  title: 'Sync catalogs',
  description: 'Keeps lists of things to advertise, inline or as a JSON feed. Without catalogs: lists them.',
  kinds: ['sales'],
  input,
  maxValues: MAX_VALUES_OF_LISTS,
  account: { use: 'sync', required: true },
  dryRun: ({ dry_run }) => dry_run === true,
  prepares: ({ catalogs = [] }) => catalogs.some((one) => one.url !== undefined),
  outlasts: true,
  prepare: async ({ app, call, args }, report) => gatherEntries(app, call, args, report),
  run: async (context) => {
    const { args, call, db, prepared } = context;
    const accountId = accountIdOf(context);
    const common = {
      dry_run: args.dry_run === true || undefined,
      sandbox: call.principal?.sandbox ?? false,
    };
    if (args.catalogs === undefined) {
      if (args.delete_missing === true) throw nothingNamed();
      return { catalogs: await listCatalogs(context, accountId), ...common };
    }
    const pace = startPace();
    const rows: object[] = [];
    const named = new Set<string>();
    for (const [index, one] of args.catalogs.entries()) {
      named.add(one.catalog_id);
      if (args.catalog_ids?.includes(one.catalog_id) === false) continue;
      rows.push(
        await syncOne(context, accountId, one, { field: `catalogs[${index}]`, fetched: prepared?.get(index), pace }),
      );
    }
    const before = args.delete_missing === true ? await db.catalogs.ids(call.owner, accountId) : [];
    for (const catalog_id of before) {
      if (named.has(catalog_id)) continue;
      await db.catalogs.remove(call.owner, accountId, catalog_id);
      rows.push({ catalog_id, action: 'deleted' });
    }
    return { catalogs: rows, ...common };
  },
});

async function listCatalogs({ call, db }: Context, accountId: string): Promise<readonly object[]> {
  const rows: object[] = [];
  const pace = startPace();
  for (const id of await db.catalogs.ids(call.owner, accountId)) {
    const catalog = await db.catalogs.find(call.owner, accountId, id);
    if (catalog !== undefined) rows.push({ ...catalogWire(catalog), action: 'unchanged' });
    if (pace.isDue()) await pace.rest();
  }
  return rows;
}

/** Where an entry stands in the request, what its address had, and when its reading has to give way. */
type Entered = {
  readonly field: string;
  readonly fetched: readonly unknown[] | TaskError | undefined;
  readonly pace: Pace;
};

async function syncOne(
  { app, args, call, db }: Context,
  accountId: string,
  one: Entry,
  { field, fetched, pace }: Entered,
): Promise<object> {
  const { catalog_id, type, name, url } = one;
  // The rule of the protocol: unless it is lenient, a sync with a fault changes nothing.
  const strict = args.validation_mode !== 'lenient';
  try {
    if (fetched instanceof TaskError) throw fetched;
    const items = fetched ?? one.items;
    if (items === undefined || (one.items !== undefined && url !== undefined)) throw notOneSource(field);
    const before = await db.catalogs.find(call.owner, accountId, catalog_id);
    const after: Catalog = {
      catalog_id,
      platform_id: before?.platform_id ?? app.ids.next('cat'),
      type,
      name,
      url,
      ...checkItems(type, items, strict, `${field}.${url === undefined ? 'items' : 'url'}`),
      last_synced_at: call.now.iso,
    };
    if (pace.isDue()) await pace.rest();
    const changes = before === undefined ? [] : diffCatalogs(before, after);
    if (pace.isDue()) await pace.rest();
    await db.catalogs.save(call.owner, accountId, after);
    const action = syncAction(before === undefined, changes.length > 0);
    return { ...catalogWire(after), action, changes: action === 'updated' ? changes : undefined };
  } catch (thrown) {
    const error = taskErrorOrThrow(thrown);
    if (strict) throw error;
    return { catalog_id, action: 'failed', errors: [errorObject(error, call.to.release)] };
  }
}

async function gatherEntries(
  app: App,
  call: Call,
  { catalogs = [], catalog_ids }: Args,
  report: (progress: Progress) => void,
): Promise<Gathered> {
  const gathered = new Map<number, readonly unknown[] | TaskError>();
  const { fetchFeed } = await import('./feed.js');
  for (const [index, { catalog_id, url, items, feed_format }] of catalogs.entries()) {
    if (url === undefined || items !== undefined || catalog_ids?.includes(catalog_id) === false) continue;
    const field = `catalogs[${index}]`;
    report({ step_number: index + 1, total_steps: catalogs.length, current_step: `read ${catalog_id}` });
    gathered.set(
      index,
      feed_format === undefined ? await fetchFeed(app, call, url, `${field}.url`) : notRead(`${field}.feed_format`),
    );
  }
  return gathered;
}

function notRead(field: string): TaskError {
  return new TaskError('INVALID_FEED_FORMAT', 'This seller does not read this feed format.', {
    field,
    suggestion: 'Leave feed_format out and serve a JSON list of items, or send the items inline.',
  });
}

function notOneSource(field: string): TaskError {
  return new TaskError('INVALID_REQUEST', 'A catalog has either items or a url.', {
    field: `${field}.items`,
    suggestion: 'Send the items inline, or the url of a JSON feed.',
  });
}

function nothingNamed(): TaskError {
  return new TaskError('INVALID_REQUEST', 'delete_missing needs the catalogs that are to stay.', {
    field: 'catalogs',
    suggestion: 'Name the catalogs to keep, or leave delete_missing out.',
    issues: [{ pointer: '/catalogs', message: 'is required', keyword: 'required' }],
  });
}
