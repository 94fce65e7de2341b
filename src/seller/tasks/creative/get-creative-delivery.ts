import { z } from 'zod';
import { bindList, cutPage, type Page, readPage } from '../../../platform/kernel/cursor.js';
import { TaskError } from '../../../protocol/errors.js';
import type { CreativeDelivery, Delivered, Window } from '../../adserver/delivered.js';
import type { App, Call } from '../../context.js';
import type { Scope } from '../../domain/account/scope.js';
import type { Creative } from '../../domain/creative/creative.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import type { CreativeUse, UseFilter } from '../../store/creatives/uses.js';
import type { Reader } from '../../store/store.js';
import { checkDays, readWindow, reportingPeriod, windowFields } from '../media-buy/delivery-window.js';
import { accountRef, envelopeFields, pagination } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { unknownBuys, unknownIds } from '../pipeline/unknown-ids.js';

const ids = z.array(z.string().max(255)).min(1).max(100).optional();

const input = z.looseObject({
  account: accountRef.optional(),
  media_buy_ids: ids,
  creative_ids: ids,
  ...windowFields,
  max_variants: z.int().min(1).optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});
type Input = z.output<typeof input>;

/** get_creative_delivery: what each creative delivered in each buy, in a window of UTC days. */
export const getCreativeDelivery = query({
  name: 'get_creative_delivery',
  title: 'Delivery per creative',
  description:
    'Impressions, spend and clicks of each creative in each media buy, those that no longer run included. Name media_buy_ids or creative_ids.',
  kinds: ['sales', 'creative'],
  rows: 'creatives',
  creative: true,
  input,
  account: { use: 'read_buys', required: false },
  empty: { creatives: [] },
  run: async ({ app, call, args, db, account, accountIsNew, scope }) => {
    const { media_buy_ids: buyIds, creative_ids: creativeIds } = args;
    if (buyIds === undefined && creativeIds === undefined) throw refuseUnscoped();
    const window = readWindow(args, call.now.ms);
    // As in the reports of buys: a buy that is named counts under whichever account it is.
    const accountId = buyIds === undefined ? account?.account_id : undefined;
    const filter = { accountId, creativeIds, mediaBuyIds: buyIds };
    const list = bindList('creative_delivery', scope, filter, args.start_date, args.end_date);
    const page = readPage(list, args.pagination);
    const rows = accountIsNew && buyIds === undefined ? [] : await db.creatives.uses(scope, page, filter);
    const cut = cutPage(list, rows, page, (row) => row.seq);
    const state = await gatherDelivery({ app, call, db }, cut.rows, window);
    const buys = [...state.buys.values()];
    checkDays(args, buys, call);
    const [owning, ...others] = new Set(cut.rows.map((row) => row.account_id));
    const errors = page.after === undefined ? await findUnknown({ db, call, scope }, args, cut.rows) : [];
    return {
      account_id: owning === undefined || others.length > 0 ? undefined : owning,
      media_buy_id: buyIds?.length === 1 && buys.length === 1 ? buyIds[0] : undefined,
      currency: buys[0]?.currency ?? 'USD',
      reporting_period: { ...reportingPeriod(window, buys, call.now.ms), timezone: 'UTC' },
      creatives: cut.rows.map((use) => reportCreative(use, state, args.max_variants)),
      pagination:
        args.pagination === undefined && !cut.info.has_more
          ? undefined
          : { ...(await countPage(db, scope, page, filter)), ...cut.info },
      errors: errors.length === 0 ? undefined : errors,
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

type PageState = {
  readonly buys: ReadonlyMap<string, MediaBuy>;
  readonly creatives: ReadonlyMap<string, Creative>;
  /** By buy; undefined where the ad server does not tell creatives apart. */
  readonly delivered: ReadonlyMap<string, readonly CreativeDelivery[] | undefined>;
};

/** Gathers the buys and creatives of a page, and what the buys delivered per creative. */
async function gatherDelivery(
  { app, call, db }: { readonly app: App; readonly call: Call; readonly db: Reader },
  uses: readonly CreativeUse[],
  window: Window,
): Promise<PageState> {
  const buys = new Map<string, MediaBuy>();
  const creatives = new Map<string, Creative>();
  const delivered = new Map<string, readonly CreativeDelivery[] | undefined>();
  for (const use of uses) {
    const creative = await db.creatives.find(call.owner, use.account_id, use.creative_id);
    if (creative !== undefined) creatives.set(keyOf(use), creative);
    const buy = buys.get(use.media_buy_id) ?? (await db.mediaBuys.find(call.owner, use.media_buy_id));
    if (buy === undefined || buys.has(buy.media_buy_id)) continue;
    buys.set(buy.media_buy_id, buy);
    delivered.set(buy.media_buy_id, await app.booking.creativeDelivery(buy, window));
  }
  return { buys, creatives, delivered };
}

function keyOf({ account_id, creative_id }: Pick<CreativeUse, 'account_id' | 'creative_id'>): string {
  return JSON.stringify([account_id, creative_id]);
}

/** Reports one creative in one buy. Every creative here is what it shows: its one variant is itself, once it has run. */
function reportCreative(use: CreativeUse, state: PageState, maxVariants: number | undefined): object {
  const { account_id, creative_id, media_buy_id } = use;
  const creative = state.creatives.get(keyOf(use));
  const delivery = state.delivered.get(media_buy_id);
  const metrics = delivery?.find((entry) => entry.creative_id === creative_id)?.metrics;
  const totals: Delivered | undefined = delivery === undefined ? undefined : (metrics ?? { impressions: 0, spend: 0 });
  const variants = metrics === undefined ? [] : [{ variant_id: creative_id, ...manifestOf(creative), ...metrics }];
  return {
    creative_id,
    media_buy_id,
    account_id,
    format_id: creative?.format_id,
    name: creative?.name,
    currency: state.buys.get(media_buy_id)?.currency,
    totals,
    variant_count: variants.length,
    variants: variants.slice(0, maxVariants),
  };
}

function manifestOf(creative: Creative | undefined): object {
  return creative === undefined ? {} : { manifest: { format_id: creative.format_id, assets: creative.assets } };
}

/** Returns the position of the page in the list, in the words of this task, beside those of every other list. */
async function countPage(db: Reader, scope: Scope, page: Page, filter: UseFilter): Promise<object> {
  const total = await db.creatives.countUses(scope, filter);
  const offset = page.after === undefined ? 0 : await db.creatives.countUses(scope, filter, page.after);
  return { limit: page.limit, offset, total, total_count: total };
}

/** Finds ids that name nothing of the caller's. A creative that was purged is known by what it delivered. */
async function findUnknown(
  { db, call: { seller }, scope }: { readonly db: Reader; readonly call: Call; readonly scope: Scope },
  args: Input,
  shown: readonly CreativeUse[],
): Promise<readonly object[]> {
  const { media_buy_ids: buyIds, creative_ids: creativeIds } = args;
  const creatives = new Set(shown.map((use) => use.creative_id));
  for (const id of creativeIds ?? []) {
    if (!creatives.has(id) && (await db.creatives.findAnywhere(scope, id)) !== undefined) creatives.add(id);
  }
  // The buys of an agent that sells nothing are made elsewhere: it cannot tell which of them there are.
  const buys = seller.tenant.kinds.includes('sales') ? await unknownBuys(db, scope, buyIds) : [];
  return [...buys, ...unknownIds('creative_ids', creativeIds, creatives)];
}

function refuseUnscoped(): TaskError {
  return new TaskError('INVALID_REQUEST', 'media_buy_ids: is required where creative_ids is missing', {
    field: 'media_buy_ids',
    suggestion: 'Name media_buy_ids from get_media_buys, or creative_ids from list_creatives.',
    issues: [{ pointer: '/media_buy_ids', message: 'is required', keyword: 'required' }],
  });
}
