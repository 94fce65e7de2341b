import { DAY_MS, isoTime } from '../../../../platform/kernel/clock.js';
import { writeCsv } from '../../../../platform/web/csv.js';
import type { Download, Visit } from '../../visit.js';
import { DeliveryGroups, GROUPINGS, type Group, type Grouping } from './groups.js';
import { narrowedBy, type Paced, type PacedPage, type Position, readPosition, readRunning } from './running.js';

/** Running buys that one file is made of; it says so where there are more. */
const MAX_EXPORTED_BUYS = 20_000;
/** Running buys whose lines are in memory at once. */
const PIECE_BUYS = 100;

type Line = readonly (string | number)[];

/** Writes what all running buys as asked for delivered, as it is read: each day of each package, or totals by product, buyer or day. */
export async function exportDelivery(visit: Visit): Promise<Download> {
  const by = GROUPINGS.find((one) => one === visit.query.text('by')) ?? 'buy';
  const name = isoTime(Math.floor(visit.nowMs / DAY_MS) * DAY_MS).slice(0, 10);
  const file = by === 'buy' ? `delivery-${name}.csv` : `delivery-by-${by}-${name}.csv`;
  const text = by === 'buy' ? writeDays(visit) : writeGroups(visit, by);
  return { file, type: 'text/csv; charset=utf-8', text };
}

async function* writeDays(visit: Visit): AsyncGenerator<string> {
  yield writeCsv([['date', 'buyer', 'media_buy_id', 'package_id', 'product_id', 'impressions', 'spend', 'currency']]);
  for await (const { isCut, rows } of readPieces(visit)) {
    const lines = rows.flatMap(linesOf);
    if (lines.length > 0) yield writeCsv(lines);
    if (isCut) yield CUT;
  }
}

async function* writeGroups(visit: Visit, by: Exclude<Grouping, 'buy'>): AsyncGenerator<string> {
  yield writeCsv([[by, 'currency', 'media_buys', 'impressions', 'spend', 'planned_so_far']]);
  const groups = new DeliveryGroups(by);
  let end = '';
  for await (const { isCut, rows } of readPieces(visit)) {
    for (const row of rows) groups.add(row);
    if (isCut) end = CUT;
  }
  const lines = groups.list().map(groupLine);
  if (lines.length > 0) yield writeCsv(lines);
  yield end;
}

const CUT = writeCsv([
  [`Cut after the ${MAX_EXPORTED_BUYS} running media buys that end first: choose a buyer or a product for the others.`],
]);

/** Yields the running buys as asked for, piece by piece; `isCut` of the last one where there are more than a file takes. */
async function* readPieces(visit: Visit): AsyncGenerator<{ readonly rows: readonly Paced[]; readonly isCut: boolean }> {
  const narrowed = narrowedBy(visit);
  const bound = { found: PIECE_BUYS, looked: PIECE_BUYS };
  let at: Position | undefined = readPosition(undefined);
  for (let read = PIECE_BUYS; at !== undefined; read += PIECE_BUYS) {
    const { next, rows }: PacedPage = await readRunning(visit, narrowed, at, bound);
    const isCut = next !== undefined && read >= MAX_EXPORTED_BUYS;
    yield { rows, isCut };
    at = isCut ? undefined : next;
  }
}

function linesOf({ buy, owner, packages = [] }: Paced): readonly Line[] {
  return packages.flatMap(({ daily, package_id }) => {
    const product = buy.packages.find((line) => line.package_id === package_id)?.product_id ?? '';
    return daily.map(
      ({ date, impressions, spend }): Line => [
        date,
        owner,
        buy.media_buy_id,
        package_id,
        product,
        impressions,
        spend,
        buy.currency,
      ],
    );
  });
}

function groupLine({ buys, currency, impressions, name, planned, spend }: Group): Line {
  const rounded = (amount: number): number => Math.round(amount * 100) / 100;
  return [name, currency, buys, impressions, rounded(spend), planned === undefined ? '' : rounded(planned)];
}
