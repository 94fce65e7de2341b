import { DAY_MS, isoTime } from '../../../../platform/kernel/clock.js';
import { writeCsv } from '../../../../platform/web/csv.js';
import type { Download, Visit } from '../../visit.js';
import { DeliveryGroups, GROUPINGS, type Group, type Grouping } from './groups.js';
import { narrowedBy, type Paced, type PacedPage, type Position, readPosition, readRunning } from './running.js';

type Line = readonly (string | number)[];

/** The part of a visit that an export reads. */
type Asked = Pick<Visit, 'app' | 'query' | 'nowMs' | 'exportBound'>;

/** Some of the running buys as asked for; `isCut` of the last ones where there are more than a file takes. */
type Piece = { readonly rows: readonly Paced[]; readonly isCut: boolean };

/** Writes what all running buys as asked for delivered, as it is read: each day of each package, or totals by product, buyer or day. */
export async function exportDelivery(asked: Asked): Promise<Download> {
  const by = GROUPINGS.find((one) => one === asked.query.text('by')) ?? 'buy';
  const name = isoTime(Math.floor(asked.nowMs / DAY_MS) * DAY_MS).slice(0, 10);
  const file = by === 'buy' ? `delivery-${name}.csv` : `delivery-by-${by}-${name}.csv`;
  const text = by === 'buy' ? writeDays(asked) : writeGroups(asked, by);
  return { file, type: 'text/csv; charset=utf-8', text };
}

const DAY_COLUMNS = [
  'date',
  'buyer',
  'media_buy_id',
  'package_id',
  'product_id',
  'impressions',
  'spend',
  'currency',
  'advertiser',
  'po_number',
];

async function* writeDays(asked: Asked): AsyncGenerator<string> {
  yield writeCsv([DAY_COLUMNS]);
  for await (const { isCut, rows } of readPieces(asked)) {
    const lines = rows.flatMap(linesOf);
    if (lines.length > 0) yield writeCsv(lines);
    if (isCut) yield cutLine(asked);
  }
}

async function* writeGroups(asked: Asked, by: Exclude<Grouping, 'buy'>): AsyncGenerator<string> {
  yield writeCsv([[by, 'currency', 'media_buys', 'impressions', 'spend', 'planned_so_far']]);
  const groups = new DeliveryGroups(by);
  let end = '';
  for await (const { isCut, rows } of readPieces(asked)) {
    for (const row of rows) groups.add(row);
    if (isCut) end = cutLine(asked);
  }
  const lines = groups.list().map(groupLine);
  if (lines.length > 0) yield writeCsv(lines);
  yield end;
}

function cutLine({ exportBound: { maxBuys } }: Asked): string {
  return writeCsv([
    [`Cut after the ${maxBuys} running media buys that end first: choose a buyer or a product for the others.`],
  ]);
}

/** Yields the running buys as asked for, piece by piece. */
async function* readPieces(asked: Asked): AsyncGenerator<Piece> {
  const { maxBuys, pieceBuys } = asked.exportBound;
  const narrowed = narrowedBy(asked);
  const bound = { shown: pieceBuys, looked: pieceBuys };
  let at: Position | undefined = readPosition(undefined);
  for (let read = pieceBuys; at !== undefined; read += pieceBuys) {
    const { next, rows }: PacedPage = await readRunning(asked, narrowed, at, bound);
    const isCut = next !== undefined && read >= maxBuys;
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
        buy.brand.domain,
        typeof buy.echoed.po_number === 'string' ? buy.echoed.po_number : '',
      ],
    );
  });
}

function groupLine({ buys, currency, impressions, name, planned, spend }: Group): Line {
  const rounded = (amount: number): number => Math.round(amount * 100) / 100;
  return [name, currency, buys, impressions, rounded(spend), planned === undefined ? '' : rounded(planned)];
}
