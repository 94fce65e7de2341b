import { z } from 'zod';
import type { PackageDelivery } from '../adserver/port.js';
import type { App, Call } from '../context.js';
import type { Account } from '../domain/account.js';
import { type HistoryEntry, MEDIA_BUY_STATUSES, type MediaBuy, type Package } from '../domain/media-buy.js';
import { cutPage, readPage } from '../kernel/cursor.js';
import type { Reader } from '../store/store.js';
import { query } from './define.js';
import { type Assigned, mediaBuyFacts, packageWire } from './media-buy-wire.js';
import { accountRef, envelopeFields, pagination } from './shapes.js';

const status = z.enum(MEDIA_BUY_STATUSES);

const input = z.looseObject({
  account: accountRef.optional(),
  media_buy_ids: z.array(z.string().max(255)).max(100).optional(),
  status_filter: z
    .union([status, z.array(status).min(1)])
    .optional()
    .describe('Default "active" unless media_buy_ids is given'),
  include_snapshot: z.boolean().optional().describe('Adds impressions and spend so far to every package'),
  include_history: z.int().min(0).max(1000).optional().describe('How many history entries per buy, newest first'),
  include_webhook_activity: z.boolean().optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});

/** get_media_buys (facts C.5): the caller's buys as they stand now, newest first. */
export const getMediaBuys = query({
  name: 'get_media_buys',
  title: 'Read media buys',
  description:
    'State, packages, creatives and permitted actions of your media buys. Without ids: the active ones; name status_filter for others. For numbers use get_media_buy_delivery.',
  kinds: ['sales'],
  input,
  account: { use: 'read_buys', required: false },
  empty: { media_buys: [] },
  run: async ({ app, call, args, db, account, accountIsNew }) => {
    const { media_buy_ids: ids, status_filter: filter } = args;
    const statuses = filter === undefined ? (ids === undefined ? ['active'] : undefined) : [filter].flat();
    const page = readPage('media_buys', args.pagination);
    // An id is looked up among all of the caller's buys: buyers name buys under whichever of their accounts is at hand.
    const accountId = ids === undefined ? account?.account_id : undefined;
    const nothing = (accountIsNew && ids === undefined) || ids?.length === 0;
    const rows = nothing ? [] : await db.mediaBuys.list(call.owner, page, { accountId, ids, statuses });
    const cut = cutPage('media_buys', rows, page, (row) => row.seq);
    const buys = cut.rows.map((row) => row.buy);
    const known = await gather(db, call, buys, args.include_history ?? 0);
    const media_buys = await Promise.all(
      buys.map(async (buy) => {
        const delivery = args.include_snapshot === true ? await deliveryOf(app, call, buy) : undefined;
        return mediaBuyWire(buy, known, delivery, call.now.iso, args);
      }),
    );
    const errors = unknownIds(ids, buys, page.after);
    return {
      media_buys,
      ...(errors.length === 0 ? {} : { errors }),
      pagination: cut.info,
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

type Known = {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly assigned: readonly Assigned[];
  readonly history: ReadonlyMap<string, readonly HistoryEntry[]>;
};

async function gather(db: Reader, call: Call, buys: readonly MediaBuy[], history: number): Promise<Known> {
  const ids = buys.map((buy) => buy.media_buy_id);
  const accounts = new Map<string, Account>();
  for (const id of new Set(buys.map((buy) => buy.account_id))) {
    const account = await db.accounts.findById(call.owner, id);
    if (account !== undefined) accounts.set(id, account);
  }
  return {
    accounts,
    assigned: await db.creatives.assignedTo(ids),
    history: history > 0 ? await db.mediaBuys.history(ids, history) : new Map(),
  };
}

function deliveryOf(app: App, call: Call, buy: MediaBuy): Promise<readonly PackageDelivery[]> {
  return app.booking.delivery(buy, { fromMs: 0, toMs: call.now.ms }, false);
}

function mediaBuyWire(
  buy: MediaBuy,
  known: Known,
  delivery: readonly PackageDelivery[] | undefined,
  nowIso: string,
  args: { readonly include_webhook_activity?: boolean | undefined; readonly include_history?: number | undefined },
): object {
  const { media_buy_status, ...facts } = mediaBuyFacts(buy);
  const account = known.accounts.get(buy.account_id);
  return {
    ...facts,
    status: media_buy_status,
    status_as_of: nowIso,
    ...(account === undefined
      ? {}
      : { account: { account_id: account.account_id, name: account.name, status: account.status } }),
    brand: buy.brand,
    start_time: buy.start_time,
    end_time: buy.end_time,
    creative_deadline: buy.end_time,
    created_at: buy.created_at,
    updated_at: buy.updated_at,
    ...buy.echoed,
    ...(buy.rejection_reason === undefined ? {} : { rejection_reason: buy.rejection_reason }),
    health: 'ok',
    impairments: [],
    packages: buy.packages.map((line) => packageEntry(buy, line, known.assigned, delivery, nowIso)),
    ...historyOf(buy, known, args.include_history ?? 0),
    ...(args.include_webhook_activity === true ? { webhook_activity: [] } : {}),
  };
}

/** Newest first; how a buy began follows from the buy itself and is not stored again. */
function historyOf(buy: MediaBuy, known: Known, limit: number): object {
  if (limit === 0) return {};
  const created: HistoryEntry = { revision: 1, timestamp: buy.created_at, actor: 'buyer', action: 'created' };
  return { history: [...(known.history.get(buy.media_buy_id) ?? []), created].slice(0, limit) };
}

function packageEntry(
  buy: MediaBuy,
  line: Package,
  assigned: readonly Assigned[],
  delivery: readonly PackageDelivery[] | undefined,
  nowIso: string,
): object {
  const own = assigned.filter((entry) => entry.package_id === line.package_id);
  const delivered = delivery?.find((entry) => entry.package_id === line.package_id);
  return {
    ...packageWire(line, own),
    currency: buy.currency,
    ...(own.length === 0 ? {} : { creative_approvals: own.map(approval) }),
    ...(line.needs_creative && own.length === 0 && line.format_ids !== undefined
      ? { format_ids_pending: line.format_ids }
      : {}),
    ...(delivered === undefined ? {} : { snapshot: snapshot(delivered, buy.currency, nowIso) }),
  };
}

function approval(entry: Assigned): object {
  const settled = entry.status === 'approved' || entry.status === 'rejected';
  return { creative_id: entry.creative_id, approval_status: settled ? entry.status : 'pending_review' };
}

function snapshot(delivered: PackageDelivery, currency: string, nowIso: string): object {
  const { impressions, spend, clicks } = delivered.metrics;
  return {
    as_of: nowIso,
    staleness_seconds: 0,
    impressions,
    spend,
    currency,
    ...(clicks === undefined ? {} : { clicks }),
    ...(delivered.pacing_index === undefined ? {} : { pacing_index: delivered.pacing_index }),
    delivery_status: delivered.delivery_status,
  };
}

/** Ids that are not the caller's are named as an advisory, so that a list of many still answers for the others. */
function unknownIds(
  ids: readonly string[] | undefined,
  found: readonly MediaBuy[],
  after: number | undefined,
): readonly object[] {
  if (ids === undefined || after !== undefined) return [];
  const known = new Set(found.map((buy) => buy.media_buy_id));
  return ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [
          {
            code: 'MEDIA_BUY_NOT_FOUND',
            message: 'There is no such media buy for this caller.',
            recovery: 'correctable',
            field: `media_buy_ids[${index}]`,
          },
        ],
  );
}
