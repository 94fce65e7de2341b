import { isObject } from '../../../platform/kernel/json/json.js';
import { listed } from '../../../platform/kernel/nearest.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import { joinForeignIds } from '../../domain/booking/foreign-ids.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import type { Writer } from '../../store/store.js';
import { readOrderId } from '../task/approvals.js';
import { findHandBooked } from './by-hand.js';

/** Ids of packages in the seller's ad server, by our ids; an empty one takes the id of a package away. */
type LineIds = Readonly<Record<string, string>>;

/** Of an order. */
const MAX_LINES = 500;

/** Reads ids of packages from outside; none where nothing is said. Throws INVALID_REQUEST. */
export function readLineIds(value: unknown): LineIds {
  if (value === undefined) return {};
  if (!isObject(value) || Object.keys(value).length > MAX_LINES)
    throw new TaskError('INVALID_REQUEST', 'The ids of packages cannot be read.', {
      field: 'lines',
      suggestion: `Send {"lines": {"pkg_…": "the id of its line in your ad server"}}, at most ${MAX_LINES}.`,
    });
  return Object.fromEntries(
    Object.entries(value).map(([line, id]) => [line, id === '' ? '' : (readOrderId(id, `lines.${line}`) ?? '')]),
  );
}

/** Stores ids of packages that a person entered. Throws REFERENCE_NOT_FOUND for a package that the order does not have. */
export async function saveLineIds(tx: Writer, { media_buy_id, packages }: MediaBuy, lines: LineIds): Promise<void> {
  for (const [package_id, line_id] of Object.entries(lines)) {
    if (!packages.some((line) => line.package_id === package_id))
      throw new TaskError('REFERENCE_NOT_FOUND', `The order has no package "${package_id}".`, {
        field: `lines.${package_id}`,
        suggestion: `Its packages: ${listed(packages.map((line) => line.package_id))}.`,
      });
    tx.orderLines.save({ package_id, media_buy_id, line_id });
  }
  const booking = await tx.orderBookings.find(media_buy_id);
  // An adapter that goes on with the order finds what people made there.
  const entered = Object.fromEntries(Object.entries(lines).filter(([, id]) => id !== ''));
  if (booking !== undefined)
    tx.orderBookings.save({ ...booking, foreign: joinForeignIds(booking.foreign, { packages: entered }) });
}

/** Records the ids that packages of an order have in the ad server. Throws REFERENCE_NOT_FOUND, INVALID_REQUEST or INVALID_STATE. */
export async function recordIds(
  app: App,
  mediaBuyId: string,
  body: unknown,
): Promise<{ readonly media_buy_id: string; readonly lines: LineIds }> {
  const lines = readLineIds(isObject(body) ? body.lines : undefined);
  return app.store.transact(async (tx) => {
    const { buy } = await findHandBooked(tx, mediaBuyId);
    await saveLineIds(tx, buy, lines);
    return { media_buy_id: mediaBuyId, lines: await tx.orderLines.ofBuy(mediaBuyId) };
  });
}
