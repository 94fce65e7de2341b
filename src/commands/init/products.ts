import { ConfigError, type ConfigProblem } from '../../platform/kernel/errors.js';
import { findNearest } from '../../platform/kernel/nearest.js';
import type { CsvRecord } from '../orders/csv.js';
import { type StarterProduct, starterProduct } from './starter.js';

/** The columns of a file of products, and which of them have to be there. */
const COLUMNS = [
  'product_id',
  'name',
  'description',
  'channel',
  'formats',
  'cpm',
  'currency',
  'countries',
  'daily_impressions',
];
const NEEDED = ['product_id', 'name', 'channel', 'formats', 'cpm'];
const MAX_PRODUCTS = 10_000;

/**
 * Reads products from a CSV file whose first record names its columns; several formats or countries stand between semicolons. Throws
 * ConfigError with every line that cannot be read.
 */
export async function readStarterProducts(
  file: string,
  records: AsyncIterable<CsvRecord>,
  domain: string,
): Promise<readonly StarterProduct[]> {
  const problems: ConfigProblem[] = [];
  const products: StarterProduct[] = [];
  const note = (line: number, message: string, fix: string): void => {
    problems.push({ file, line, pointer: '', message, fix });
  };
  let columns: readonly string[] | undefined;
  for await (const { fields, line } of records) {
    if (columns === undefined) {
      columns = fields.map((field) => field.trim());
      noteColumns(columns, (message, fix) => note(line, message, fix));
      if (problems.length > 0) break;
      continue;
    }
    const row = Object.fromEntries(columns.map((column, index) => [column, (fields[index] ?? '').trim()]));
    const missing = NEEDED.filter((column) => (row[column] ?? '') === '');
    if (missing.length > 0) note(line, `${missing.join(', ')} is empty`, 'Fill it in, or remove the line.');
    else if (!(Number(row.cpm) > 0)) note(line, `cpm is "${row.cpm}"`, 'Write a number above 0, such as 6.50.');
    else products.push(starterProduct(row, domain));
    if (products.length > MAX_PRODUCTS || problems.length > 100) break;
  }
  if (columns === undefined || (products.length === 0 && problems.length === 0))
    note(1, 'there is no product in the file', `Write a line with ${NEEDED.join(',')} and a line for each product.`);
  if (problems.length > 0) throw new ConfigError(problems);
  return products;
}

function noteColumns(columns: readonly string[], note: (message: string, fix: string) => void): void {
  for (const column of columns.filter((one) => !COLUMNS.includes(one))) {
    const meant = findNearest(column, COLUMNS);
    note(
      `there is no column "${column}"`,
      `${meant === undefined ? '' : `Did you mean "${meant}"? `}Columns: ${COLUMNS.join(', ')}.`,
    );
  }
  const missing = NEEDED.filter((column) => !columns.includes(column));
  if (missing.length > 0) note(`the first line does not name ${missing.join(', ')}`, `Name ${NEEDED.join(',')} in it.`);
}
