import { writeCsv } from '../../../../platform/web/csv.js';
import { catchTaskError, TaskError } from '../../../../protocol/errors.js';
import { tabulateSheets } from '../../../domain/booking/sheet.js';
import { readSheets } from '../../../tasks/order/sheets.js';
import type { Download, Visit } from '../../visit.js';

/** Returns the trafficking sheet of an order, or without an id those of all that wait, as CSV; with `as=json` in the address as JSON. Undefined for an unknown id. */
export async function downloadSheets({ app, params, query }: Visit): Promise<Download | undefined> {
  const { id } = params;
  const read = await catchTaskError(() => readSheets(app, id));
  if (read instanceof TaskError) return undefined;
  const name = id === undefined ? 'orders' : `order-${id}`;
  if (query.text('as') === 'json')
    return { file: `${name}.json`, type: 'application/json; charset=utf-8', text: JSON.stringify(read, undefined, 2) };
  return { file: `${name}.csv`, type: 'text/csv; charset=utf-8', text: writeCsv(tabulateSheets(read.sheets)) };
}
