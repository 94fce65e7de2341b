import { z } from 'zod';
import { parseFormatId } from '../../../creative/formats/format-id.js';

import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { cutPage, readPage } from '../../../platform/kernel/cursor.js';
import { type Assignment, CREATIVE_STATUSES, type Creative, TOMBSTONE_DAYS } from '../../domain/creative/creative.js';
import { readTime } from '../../domain/media-buy/flight.js';
import type { CreativeFilter, CreativeSort } from '../../store/creatives.js';
import { query } from '../pipeline/define.js';
import { accountRef, dateTime, envelopeFields, formatId, pagination } from '../pipeline/shapes.js';

const names = z.array(z.string().max(255)).min(1).max(100).optional();
const filters = z.looseObject({
  statuses: z.array(z.enum(CREATIVE_STATUSES)).min(1).optional(),
  tags: names,
  tags_any: names,
  name_contains: z.string().max(255).optional(),
  creative_ids: names,
  created_after: dateTime.optional(),
  created_before: dateTime.optional(),
  updated_after: dateTime.optional(),
  updated_before: dateTime.optional(),
  assigned_to_packages: names,
  media_buy_ids: names,
  unassigned: z.boolean().optional(),
  format_ids: z.array(formatId).min(1).max(100).optional(),
});

const input = z.looseObject({
  account: accountRef.optional(),
  filters: filters.optional(),
  sort: z
    .looseObject({
      field: z.enum(['created_date', 'updated_date', 'name', 'status', 'assignment_count']).optional(),
      direction: z.enum(['asc', 'desc']).optional(),
    })
    .optional(),
  include_assignments: z.boolean().optional(),
  include_pricing: z.boolean().optional().describe('Needs an account'),
  include_purged: z.boolean().optional().describe(`Also what the seller destroyed in the last ${TOMBSTONE_DAYS} days`),
  fields: z.array(z.string().max(64)).min(1).optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});
type Input = z.output<typeof input>;

/** Without a status filter the library shows what can still be used. */
const LIVE = CREATIVE_STATUSES.filter((status) => status !== 'archived');

/** The members that a creative shows whatever is asked for: the schema requires them, and `purge` marks a tombstone. */
const ALWAYS = ['creative_id', 'name', 'status', 'format_id', 'created_date', 'updated_date', 'purge'];

/** list_creatives: the caller's creative library. */
export const listCreatives = query({
  name: 'list_creatives',
  title: 'Creative library',
  description:
    'Creatives you have sent, their state and the packages they run in. Archived ones only when filters.statuses asks for them.',
  kinds: ['sales', 'creative'],
  creative: true,
  input,
  account: { use: 'read_buys', required: false },
  run: async ({ call, args, db, account, accountIsNew }) => {
    const filter = readFilter(args, account?.account_id, call.now.ms);
    const page = readPage('creatives', args.pagination);
    const sort = readSort(args.sort);
    const rows = accountIsNew ? [] : await db.creatives.list(call.owner, page, filter, sort);
    const total = accountIsNew ? 0 : await db.creatives.count(call.owner, filter);
    const cut = cutPage('creatives', rows, page, (row) => row.seq);
    const creatives = cut.rows.map((row) => row.creative);
    const assigned =
      args.include_assignments === false ? undefined : await db.creatives.listAssignments(call.owner, creatives);
    const priced = args.include_pricing === true && account !== undefined;
    return {
      query_summary: { total_matching: total, returned: creatives.length, sort_applied: sort },
      pagination: { ...cut.info, total_count: total },
      creatives: creatives.map((creative) => project(creativeWire(creative, assigned, priced), args.fields)),
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

function readFilter(
  { filters: given = {}, include_purged: withPurged = false }: Input,
  accountId: string | undefined,
  nowMs: number,
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
    formats: given.format_ids?.map((value, index) => parseFormatId(value, `filters.format_ids[${index}]`).id),
    createdAfter: instant('created_after'),
    createdBefore: instant('created_before'),
    updatedAfter: instant('updated_after'),
    updatedBefore: instant('updated_before'),
    packageIds: given.assigned_to_packages,
    mediaBuyIds: given.media_buy_ids,
    unassigned: given.unassigned,
    purgedAfter: withPurged ? isoTime(nowMs - TOMBSTONE_DAYS * DAY_MS) : undefined,
  };
}

function readSort(given: Input['sort']): CreativeSort {
  return { field: given?.field ?? 'created_date', direction: given?.direction ?? 'desc' };
}

function creativeWire(
  creative: Creative,
  assigned: readonly Assignment[] | undefined,
  priced: boolean,
): Record<string, unknown> {
  const { account_id: _account, version: _version, echoed, tags, pricing_options, ...wire } = creative;
  const own = assigned?.filter((entry) => entry.creative_id === creative.creative_id);
  return {
    ...wire,
    ...echoed,
    ...(tags.length === 0 ? {} : { tags }),
    ...(priced && pricing_options !== undefined ? { pricing_options } : {}),
    ...(own === undefined
      ? {}
      : {
          assignments: {
            assignment_count: own.length,
            ...(own.length === 0
              ? {}
              : { assigned_packages: own.map(({ package_id, assigned_date }) => ({ package_id, assigned_date })) }),
          },
        }),
  };
}

function project(wire: Record<string, unknown>, fields: readonly string[] | undefined): object {
  if (fields === undefined) return wire;
  const shown = new Set([...ALWAYS, ...fields]);
  return Object.fromEntries(Object.entries(wire).filter(([name]) => shown.has(name)));
}
