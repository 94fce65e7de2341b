import { isObject } from '../../../platform/kernel/json/json.js';
import { quoteNames } from '../../../platform/kernel/nearest.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import { dealKey, withDealIds } from '../../domain/booking/deals.js';
import { joinForeignIds } from '../../domain/booking/foreign-ids.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import type { Writer } from '../../store/store.js';
import { readOrderId } from '../task/approvals.js';
import { findHandBooked } from './by-hand.js';

/** Ids of packages in the seller's ad server, by our ids; an empty one takes the id of a package away. */
type LineIds = Readonly<Record<string, string>>;

/** Of an order. */
const MAX_IDS = 1000;

/** Reads ids of packages or deals from outside; none where nothing is said. Throws INVALID_REQUEST. */
export function readIds(field: 'lines' | 'deals', value: unknown): LineIds {
  if (value === undefined) return {};
  if (!isObject(value) || Object.keys(value).length > MAX_IDS)
    throw new TaskError('INVALID_REQUEST', 'The ids cannot be read.', {
      field,
      suggestion: `Send {"lines": {"pkg_1": "the id of its line in your ad server"}, "deals": {"pkg_1@dsp.example": "its id"}}, at most ${MAX_IDS} of each.`,
    });
  return Object.fromEntries(
    Object.entries(value).map(([line, id]) => [line, id === '' ? '' : (readOrderId(id, `${field}.${line}`) ?? '')]),
  );
}

/** Stores ids of packages that a person entered. Throws REFERENCE_NOT_FOUND for a package that the order does not have. */
export async function saveLineIds(tx: Writer, { media_buy_id, packages }: MediaBuy, lines: LineIds): Promise<void> {
  for (const [package_id, line_id] of Object.entries(lines)) {
    if (!packages.some((line) => line.package_id === package_id))
      throw new TaskError('REFERENCE_NOT_FOUND', `The order has no package "${package_id}".`, {
        field: `lines.${package_id}`,
        suggestion: `Its packages: ${quoteNames(packages.map((line) => line.package_id))}.`,
      });
    tx.orderLines.save({ package_id, media_buy_id, line_id });
  }
  const booking = await tx.orderBookings.find(media_buy_id);
  // An adapter that goes on with the order finds what people made there.
  const entered = Object.fromEntries(Object.entries(lines).filter(([, id]) => id !== ''));
  if (booking !== undefined)
    tx.orderBookings.save({ ...booking, foreign: joinForeignIds(booking.foreign, { packages: entered }) });
}

/** The ids that an order has in the ad server: of its packages, and of its deals by `pkg_1@dsp.example`. */
type RecordedIds = { readonly media_buy_id: string; readonly lines: LineIds; readonly deals: LineIds };

/** Records the ids that packages of an order, and their deals, have in the ad server. Throws REFERENCE_NOT_FOUND, INVALID_REQUEST or INVALID_STATE. */
export async function recordIds(app: App, mediaBuyId: string, body: unknown): Promise<RecordedIds> {
  const { deals, lines } = isObject(body) ? body : {};
  const lineIds = readIds('lines', lines);
  const dealIds = readIds('deals', deals);
  return app.store.transact(async (tx) => {
    const { buy } = await findHandBooked(tx, mediaBuyId);
    await saveLineIds(tx, buy, lineIds);
    requireDeals(buy, dealIds);
    const withIds = withDealIds(buy, dealIds);
    if (withIds !== buy) await tx.mediaBuys.replace(withIds, false);
    return { media_buy_id: mediaBuyId, lines: await tx.orderLines.ofBuy(mediaBuyId), deals: listDealIds(withIds) };
  });
}

/** Refuses ids of deals that the packages of a buy are not delivered as. */
function requireDeals({ packages }: MediaBuy, ids: LineIds): void {
  const keys = packages.flatMap(({ deals = [], package_id }) => deals.map(({ dsp }) => dealKey(package_id, dsp)));
  const unknown = Object.keys(ids).find((key) => !keys.includes(key));
  if (unknown === undefined) return;
  throw new TaskError('REFERENCE_NOT_FOUND', `The order has no deal "${unknown}".`, {
    field: `deals.${unknown}`,
    suggestion:
      keys.length === 0 ? 'None of its packages is delivered as a private deal.' : `Its deals: ${quoteNames(keys)}.`,
  });
}

function listDealIds({ packages }: MediaBuy): LineIds {
  const entries = packages.flatMap(({ deals = [], package_id }) =>
    deals.flatMap(({ dsp, id }) => (id === undefined ? [] : [[dealKey(package_id, dsp), id] as const])),
  );
  return Object.fromEntries(entries);
}
