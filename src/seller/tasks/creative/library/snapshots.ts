import { HOUR_MS, isoTime } from '../../../../platform/kernel/clock.js';
import { startPace } from '../../../../platform/kernel/event-loop.js';
import type { App, Call } from '../../../context.js';
import type { Scope } from '../../../domain/account/scope.js';
import type { Creative } from '../../../domain/creative/creative.js';
import type { MediaBuy } from '../../../domain/media-buy/media-buy.js';
import type { Reader } from '../../../store/store.js';

type SnapshotContext = { readonly app: App; readonly call: Call; readonly db: Reader; readonly scope: Scope };

/** The delivery of a creative so far, or why nobody can tell, under the wire names. */
type ShownSnapshot =
  | { readonly snapshot: Readonly<Record<string, unknown>> }
  | { readonly snapshot_unavailable_reason: 'SNAPSHOT_UNSUPPORTED' };

const UNKNOWN: ShownSnapshot = { snapshot_unavailable_reason: 'SNAPSHOT_UNSUPPORTED' };

/** Most buys whose delivery is added up for one creative. */
const MAX_BUYS = 50;

/** Returns what each creative has delivered in all its buys until now, in their order. */
export async function readSnapshots(
  context: SnapshotContext,
  creatives: readonly Creative[],
): Promise<readonly ShownSnapshot[]> {
  const pace = startPace();
  const buys = new Map<string, MediaBuy>();
  const snapshots: ShownSnapshot[] = [];
  for (const creative of creatives) {
    snapshots.push(await readSnapshot(context, creative, buys));
    if (pace.isDue()) await pace.rest();
  }
  return snapshots;
}

async function readSnapshot(
  { app, call, db, scope }: SnapshotContext,
  { account_id, creative_id }: Creative,
  buys: Map<string, MediaBuy>,
): Promise<ShownSnapshot> {
  const page = { limit: MAX_BUYS, after: undefined };
  const uses = await db.creatives.uses(scope, page, { accountId: account_id, creativeIds: [creative_id] });
  if (uses.length > MAX_BUYS) return UNKNOWN;
  const nowMs = call.now.ms;
  let impressions = 0;
  let lastMs: number | undefined;
  for (const { media_buy_id } of uses) {
    const buy = buys.get(media_buy_id) ?? (await db.mediaBuys.find(call.owner, media_buy_id));
    if (buy === undefined) continue;
    buys.set(media_buy_id, buy);
    const count = async (fromMs: number, toMs: number): Promise<number | undefined> => {
      const delivered = await app.booking.creativeDelivery(buy, { fromMs, toMs });
      return delivered && (delivered.find((one) => one.creative_id === creative_id)?.metrics.impressions ?? 0);
    };
    const served = await count(0, nowMs);
    if (served === undefined) return UNKNOWN;
    impressions += served;
    if (served > 0) lastMs = Math.max(lastMs ?? 0, await findLastServed(buy, nowMs, count));
  }
  const last_served = lastMs === undefined ? undefined : isoTime(lastMs);
  return { snapshot: { as_of: call.now.iso, staleness_seconds: 0, impressions, last_served } };
}

/** Returns when a creative that has served in a buy did so last, to the hour. */
async function findLastServed(
  { start_time }: Pick<MediaBuy, 'start_time'>,
  nowMs: number,
  count: (fromMs: number, toMs: number) => Promise<number | undefined>,
): Promise<number> {
  // What runs has served within the last hour.
  if (((await count(nowMs - HOUR_MS, nowMs)) ?? 0) > 0) return nowMs;
  let [from, to] = [Math.min(Date.parse(start_time), nowMs - HOUR_MS), nowMs - HOUR_MS];
  while (to - from > HOUR_MS) {
    const middle = Math.floor((from + to) / 2);
    if (((await count(middle, nowMs)) ?? 0) > 0) from = middle;
    else to = middle;
  }
  return to;
}
