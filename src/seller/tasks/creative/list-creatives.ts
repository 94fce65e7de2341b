import { z } from 'zod';
import { readFormatId } from '../../../creative/formats/format-agents.js';
import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { bindList, cutPage, readPage } from '../../../platform/kernel/cursor.js';
import type { Call } from '../../context.js';
import { CREATIVE_STATUSES, type Creative, isUsable, TOMBSTONE_DAYS } from '../../domain/creative/creative.js';
import { explainHold } from '../../domain/creative/recheck.js';
import { readTime } from '../../domain/media-buy/flight.js';
import { isBilledOutside } from '../../domain/tenant/callers.js';
import type { CreativeFilter, CreativeSort } from '../../store/creatives/filter.js';
import type { LibraryAssignment } from '../../store/creatives/uses.js';
import type { Reader } from '../../store/store.js';
import { formatsOf } from '../pipeline/order-context.js';
import { describeAccounts, findAccount } from '../pipeline/resolve-account.js';
import {
  type AccountArgument,
  accountRef,
  dateTime,
  endTime,
  envelopeFields,
  formatId,
  pagination,
} from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { showCanonicalCreative } from './library/canonical-creative.js';
import { readSnapshots } from './library/snapshots.js';

const names = z.array(z.string().max(255)).min(1).max(100).optional();
const filters = z.looseObject({
  accounts: z.array(accountRef).min(1).max(100).optional().meta({ unlisted: true }),
  statuses: z.array(z.enum(CREATIVE_STATUSES)).min(1).optional(),
  tags: names,
  tags_any: names,
  name_contains: z.string().max(255).optional(),
  creative_ids: names,
  created_after: dateTime.optional(),
  created_before: endTime.optional(),
  updated_after: dateTime.optional(),
  updated_before: endTime.optional(),
  assigned_to_packages: names,
  media_buy_ids: names,
  unassigned: z.boolean().optional(),
  has_variables: z.boolean().optional().meta({ unlisted: true }),
  concept_ids: z.array(z.string()).min(1).optional().meta({ unlisted: true }),
  format_ids: z.array(formatId).min(1).max(100).optional(),
});

/** The members of a creative that can be asked for alone. */
const FIELDS = [
  'creative_id',
  'name',
  'format_id',
  'status',
  'created_date',
  'updated_date',
  'tags',
  'assignments',
  'assets',
  'snapshot',
  'items',
  'variables',
  'concept',
  'pricing_options',
  'purge',
  'rejection_reason',
] as const;

const input = z.looseObject({
  account: accountRef.optional(),
  filters: filters.optional(),
  sort: z
    .looseObject({
      field: z.enum(['created_date', 'updated_date', 'name', 'status', 'assignment_count']).optional(),
      direction: z.enum(['asc', 'desc']).optional(),
    })
    .optional()
    .meta({ unlisted: true }),
  include_assignments: z.boolean().optional(),
  include_snapshot: z.boolean().optional().meta({ unlisted: true }),
  include_pricing: z.boolean().optional(),
  include_purged: z.boolean().optional().describe(`Also destroyed ones, for ${TOMBSTONE_DAYS} days`),
  fields: z.array(z.enum(FIELDS)).min(1).optional().meta({ brief: true, description: 'Only these' }),
  pagination: pagination.optional(),
  ...envelopeFields,
});
type Input = z.output<typeof input>;

/** Without a status filter the library shows what can still be used. */
const LIVE = CREATIVE_STATUSES.filter((status) => status !== 'archived');

/** The members that a creative shows whatever is asked for: the schema requires them, and `purge` marks a tombstone. */
const ALWAYS = [
  'creative_id',
  'account',
  'name',
  'status',
  'format_id',
  'format_kind',
  'format_option_ref',
  'created_date',
  'updated_date',
  'purge',
];

/** list_creatives: the caller's creative library. */
export const listCreatives = query({
  name: 'list_creatives',
  title: 'Creative library',
  description: 'Creatives you have sent, their states and packages. Archived ones only by filters.statuses.',
  kinds: ['sales', 'creative'],
  rows: 'creatives',
  creative: true,
  input,
  account: { use: 'read_buys', required: false },
  run: async ({ app, call, args, db, account, accountIsNew, scope }) => {
    const filter = {
      ...readFilter(args, account?.account_id, call),
      accountIds: await findAccountIds(call, args.filters?.accounts, db),
    };
    const sort = readSort(args.sort);
    const list = bindList('creatives', scope, account?.account_id, args.filters, args.include_purged, sort);
    const page = readPage(list, args.pagination);
    // No creative here has variables or belongs to a concept.
    const isNone = accountIsNew || args.filters?.has_variables === true || args.filters?.concept_ids !== undefined;
    const rows = isNone ? [] : await db.creatives.list(scope, page, filter, sort);
    const total = isNone ? 0 : await db.creatives.count(scope, filter);
    const cut = cutPage(list, rows, page, (row) => row.seq);
    const creatives = cut.rows.map((row) => row.creative);
    const assigned =
      args.include_assignments === false ? undefined : await db.creatives.listAssignments(call.owner, creatives);
    const accounts = await describeAccounts(
      db,
      call.owner,
      creatives.map((creative) => creative.account_id),
    );
    const snapshots = args.include_snapshot === true ? await readSnapshots({ app, call, db, scope }, creatives) : [];
    const isPriced = args.include_pricing === true && account !== undefined && !isBilledOutside(call.principal);
    const shown = { seller: call.seller, release: call.to.release };
    const rowOf = (creative: Creative, index: number) => {
      const wire = creativeWire(creative, assigned, isPriced, accounts.get(creative.account_id));
      return project({ ...showCanonicalCreative(wire, creative, shown), ...snapshots[index] }, args.fields);
    };
    return {
      query_summary: { total_matching: total, returned: creatives.length, sort_applied: sort },
      pagination: { ...cut.info, total_count: total },
      creatives: creatives.map(rowOf),
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

function readFilter(
  { filters: given = {}, include_purged: withPurged = false }: Input,
  accountId: string | undefined,
  call: Call,
): CreativeFilter {
  const instant = (
    name: 'created_after' | 'created_before' | 'updated_after' | 'updated_before',
  ): string | undefined => (given[name] === undefined ? undefined : isoTime(readTime(given[name], `filters.${name}`)));
  return {
    accountId,
    statuses: given.statuses ?? LIVE,
    creativeIds: given.creative_ids,
    nameContains: given.name_contains,
    tags: given.tags,
    tagsAny: given.tags_any,
    formats: given.format_ids?.map(
      (value, index) => readFormatId(value, `filters.format_ids[${index}]`, formatsOf(call)).id,
    ),
    createdAfter: instant('created_after'),
    createdBefore: instant('created_before'),
    updatedAfter: instant('updated_after'),
    updatedBefore: instant('updated_before'),
    packageIds: given.assigned_to_packages,
    mediaBuyIds: given.media_buy_ids,
    unassigned: given.unassigned,
    purgedAfter: withPurged ? isoTime(call.now.ms - TOMBSTONE_DAYS * DAY_MS) : undefined,
  };
}

/** Returns the ids of the accounts that a filter names and that the caller has; undefined where it names none. */
async function findAccountIds(
  call: Call,
  named: readonly AccountArgument[] | undefined,
  db: Reader,
): Promise<readonly string[] | undefined> {
  if (named === undefined) return undefined;
  const accounts = await Promise.all(
    named.map((argument, index) => findAccount(call, argument, db, `filters.accounts[${index}]`)),
  );
  return accounts.flatMap((account) => account?.account_id ?? []);
}

function readSort(given: Input['sort']): CreativeSort {
  return { field: given?.field ?? 'created_date', direction: given?.direction ?? 'desc' };
}

function creativeWire(
  creative: Creative,
  assigned: readonly LibraryAssignment[] | undefined,
  priced: boolean,
  account: object | undefined,
): Record<string, unknown> {
  const {
    account_id,
    version: _version,
    echoed,
    tags,
    pricing_options,
    hold,
    recheck,
    revoked_right: _right,
    ...wire
  } = creative;
  const own = assigned?.filter(
    (entry) => entry.account_id === account_id && entry.creative_id === creative.creative_id,
  );
  return {
    ...wire,
    waits_for: isUsable(creative.status) ? undefined : explainHold({ hold, recheck }),
    account,
    ...echoed,
    ...(tags.length === 0 ? {} : { tags }),
    ...(priced && pricing_options !== undefined ? { pricing_options } : {}),
    ...(own === undefined
      ? {}
      : {
          assignments: {
            assignment_count: own.length,
            assigned_packages:
              own.length === 0
                ? undefined
                : own.map(({ package_id, assigned_date }) => ({ package_id, assigned_date })),
          },
        }),
  };
}

function project(wire: Readonly<Record<string, unknown>>, fields: readonly string[] | undefined): object {
  if (fields === undefined) return wire;
  const shown = new Set([
    ...ALWAYS,
    ...fields,
    ...(fields.includes('snapshot') ? ['snapshot_unavailable_reason'] : []),
  ]);
  return Object.fromEntries(Object.entries(wire).filter(([name]) => shown.has(name)));
}
