import { z } from 'zod';
import { bindList, cutPage, readPage } from '../../../platform/kernel/cursor.js';
import type { PackageDelivery } from '../../adserver/delivered.js';
import type { App, Call } from '../../context.js';
import type { Scope } from '../../domain/account/scope.js';
import { type AssignedCreative, lacksCreative } from '../../domain/creative/creative.js';
import { assessHealth } from '../../domain/media-buy/health.js';
import type { HistoryEntry, MediaBuy, Package } from '../../domain/media-buy/media-buy.js';
import { mediaBuyFacts, packageWire } from '../../domain/media-buy/wire.js';
import type { Reader } from '../../store/store.js';
import { type Activity, readActivity } from '../../webhooks/activity.js';
import { canonicalActions } from '../compact/commitment.js';
import { COMPACT_RELEASE } from '../compact/shapes.js';
import { findSnapshots, type StoredSnapshot, showSnapshot } from '../compact/snapshots.js';
import { describeAccounts } from '../pipeline/resolve-account.js';
import { accountRef, envelopeFields, pagination, statusFilter } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { unknownBuys } from '../pipeline/unknown-ids.js';

const input = z.looseObject({
  account: accountRef.optional(),
  media_buy_ids: z.array(z.string().max(255)).max(100).optional(),
  status_filter: statusFilter.optional(),
  include_snapshot: z.boolean().optional().describe('With totals so far'),
  include_history: z.int().min(0).max(1000).optional(),
  include_webhook_activity: z.boolean().optional(),
  webhook_activity_limit: z.int().min(1).max(200).optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});

/** get_media_buys: the caller's buys as they stand now, newest first. */
export const getMediaBuys = query({
  name: 'get_media_buys',
  title: 'Read media buys',
  description:
    'State, packages, creatives and permitted actions of your media buys. Without ids: the active ones; status_filter names others. Numbers: get_media_buy_delivery.',
  kinds: ['sales'],
  rows: 'media_buys',
  input,
  account: { use: 'read_buys', required: false },
  empty: { media_buys: [] },
  run: async ({ app, call, args, db, account, accountIsNew, scope }) => {
    const { media_buy_ids: ids, status_filter: filter } = args;
    const usual = ids === undefined ? ['active'] : undefined;
    const statuses = filter === undefined ? usual : [filter].flat();
    // An id is looked up in all that the call reaches: under the scope of a principal, buyers name buys under whichever account is at hand.
    const accountId = ids === undefined ? account?.account_id : undefined;
    const list = bindList('media_buys', scope, accountId, ids, statuses);
    const page = readPage(list, args.pagination);
    const isEmpty = (accountIsNew && ids === undefined) || ids?.length === 0;
    const rows = isEmpty ? [] : await db.mediaBuys.list(scope, page, { accountId, ids, statuses });
    const cut = cutPage(list, rows, page, (row) => row.seq);
    const buys = cut.rows.map((row) => row.buy);
    const state = await gatherRows({ db, scope }, call, buys, args.include_history ?? 0);
    const media_buys = await Promise.all(
      buys.map(async (buy) => {
        const delivery = args.include_snapshot === true ? await deliveryOf(app, call, buy) : undefined;
        const activity =
          args.include_webhook_activity === true
            ? await readActivity(db, call.owner, buy.media_buy_id, {
                limit: args.webhook_activity_limit,
                release: call.to.release,
              })
            : undefined;
        return mediaBuyWire(buy, state, call, { delivery, activity, history: args.include_history });
      }),
    );
    const shown = buys.map((buy) => buy.media_buy_id);
    const errors = page.after === undefined ? await unknownBuys(db, scope, ids, shown) : [];
    return {
      media_buys,
      errors: errors.length === 0 ? undefined : errors,
      pagination: cut.info,
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

type ReadState = {
  readonly accounts: Awaited<ReturnType<typeof describeAccounts>>;
  readonly assigned: readonly AssignedCreative[];
  readonly history: ReadonlyMap<string, readonly HistoryEntry[]>;
  /** Proposals that buys were accepted by, for callers of a release that has them. */
  readonly proposals: ReadonlyMap<string, StoredSnapshot>;
};

async function gatherRows(
  { db, scope }: { readonly db: Reader; readonly scope: Scope },
  call: Call,
  buys: readonly MediaBuy[],
  history: number,
): Promise<ReadState> {
  const ids = buys.map((buy) => buy.media_buy_id);
  const named = call.to.release === COMPACT_RELEASE ? buys.flatMap((buy) => proposalOf(buy) ?? []) : [];
  return {
    accounts: await describeAccounts(
      db,
      call.owner,
      buys.map((buy) => buy.account_id),
    ),
    assigned: await db.creatives.assignedTo(ids),
    history: history > 0 ? await db.mediaBuys.history(ids, history) : new Map(),
    proposals: await findSnapshots({ db, scope }, named),
  };
}

function deliveryOf(app: App, call: Call, buy: MediaBuy): Promise<readonly PackageDelivery[]> {
  return app.booking.delivery(buy, { fromMs: 0, toMs: call.now.ms }, false);
}

/** The members of a buy that are shown where the caller asks for them: its delivery, its webhooks, and so many entries of its history. */
type Extras = {
  readonly delivery: readonly PackageDelivery[] | undefined;
  readonly activity: readonly Activity[] | undefined;
  readonly history: number | undefined;
};

/** Stands for an account that is not there. */
const CLOSED = { status: 'closed' } as const;

function mediaBuyWire(
  buy: MediaBuy,
  state: ReadState,
  call: Call,
  { delivery, activity, history = 0 }: Extras,
): object {
  const snapshotOf = ({ package_id }: Package): object | undefined => {
    const delivered = delivery?.find((entry) => entry.package_id === package_id);
    return delivered && snapshotWire(delivered, buy.currency, call.now.iso);
  };
  const account = state.accounts.get(buy.account_id);
  const { media_buy_status, ...facts } = mediaBuyFacts(buy, account ?? CLOSED, call);
  return {
    ...facts,
    confirmed_at: buy.confirmed_at ?? (call.to.release === '3.0' ? undefined : null),
    status: media_buy_status,
    status_as_of: call.now.iso,
    account,
    brand: buy.brand,
    start_time: buy.start_time,
    end_time: buy.end_time,
    creative_deadline: buy.end_time,
    created_at: buy.created_at,
    updated_at: buy.updated_at,
    ...buy.echoed,
    rejection_reason: buy.rejection_reason,
    ...acceptedProposal(buy, state, facts.available_actions),
    ...healthWire(buy),
    packages: buy.packages.map((line) => packageEntry(buy, line, state.assigned, snapshotOf(line))),
    ...historyWire(buy, state, history),
    webhook_activity: activity,
  };
}

function proposalOf({ echoed: { proposal_id: id } }: MediaBuy): string | undefined {
  return typeof id === 'string' ? id : undefined;
}

/** Returns the terms that a buy was accepted by, for a client that has lost them; nothing of a buy without a proposal of 3.2. */
function acceptedProposal(buy: MediaBuy, { proposals }: ReadState, actions: unknown): object {
  const accepted = proposals.get(proposalOf(buy) ?? '');
  if (accepted?.media_buy_id !== buy.media_buy_id) return {};
  return {
    accepted_proposal_id: accepted.proposal.proposal_id,
    accepted_proposal_terms_digest: accepted.snapshot.terms_digest,
    accepted_proposal: showSnapshot(accepted),
    available_actions: canonicalActions(actions, true),
  };
}

function healthWire(buy: MediaBuy): object {
  const health = assessHealth(buy);
  return health === undefined ? {} : { health, impairments: buy.impairments ?? [] };
}

/** Returns the history of a buy, newest first; its beginning follows from the buy itself and is not stored again. */
function historyWire(buy: MediaBuy, state: ReadState, limit: number): object {
  if (limit === 0) return {};
  const created: HistoryEntry = { revision: 1, timestamp: buy.created_at, actor: 'buyer', action: 'created' };
  return { history: [...(state.history.get(buy.media_buy_id) ?? []), created].slice(0, limit) };
}

function packageEntry(
  buy: MediaBuy,
  line: Package,
  assigned: readonly AssignedCreative[],
  snapshot: object | undefined,
): object {
  const own = assigned.filter((entry) => entry.package_id === line.package_id);
  return {
    ...packageWire(line, own, buy),
    currency: buy.currency,
    creative_approvals: own.length === 0 ? undefined : own.map(approvalWire),
    format_ids_pending: line.needs_creative && lacksCreative(own) ? line.format_ids : undefined,
    snapshot,
  };
}

function approvalWire({ creative_id, status, rejection_reason }: AssignedCreative): object {
  const isSettled = status === 'approved' || status === 'rejected';
  return {
    creative_id,
    approval_status: isSettled ? status : 'pending_review',
    rejection_reason,
  };
}

function snapshotWire(delivered: PackageDelivery, currency: string, nowIso: string): object {
  const { impressions, spend, clicks } = delivered.metrics;
  return {
    as_of: nowIso,
    staleness_seconds: 0,
    impressions,
    spend,
    currency,
    clicks,
    pacing_index: delivered.pacing_index,
    delivery_status: delivered.delivery_status,
  };
}
