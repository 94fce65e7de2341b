import { createReadStream } from 'node:fs';
import { findNearest, quoteNames } from '../../platform/kernel/nearest.js';
import type { Settings } from '../../seller/config/settings.js';
import type { EntryOutcome } from '../../seller/lifecycle/deliveries.js';
import { createServer } from '../../seller/server.js';
import { ENTRY_COLUMNS, ENTRY_NUMBERS, MAX_ENTRIES, recordDelivery } from '../../seller/tasks/order/deliveries.js';
import { askRunning, OperatorError } from '../operator.js';
import { plain } from '../terminal.js';
import { type CsvRecord, readCsv } from './csv.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** How a file of delivery is imported: what shows a line of text, and whether only refusals are shown. */
type ImportOptions = {
  readonly file: string;
  readonly out: (text: string) => void;
  readonly isQuiet: boolean;
  /** Says what would become of each row, and enters none. */
  readonly isDryRun: boolean;
  /** The columns of the file by what they are here, such as `Line item ID=package_id,Imps=impressions`; its other columns are left out. */
  readonly map?: string | undefined;
  /** How the file writes dates: `y-m-d` unless given, `m/d/y`, `d/m/y` or `d.m.y`. */
  readonly dates?: string | undefined;
};

/** A row as it is sent, with the line of the file that it stands on. */
type FileRow = { readonly line: number; readonly row: Readonly<Record<string, string | number>> };
type Send = (rows: readonly FileRow['row'][]) => Promise<readonly EntryOutcome[]>;

/** The most rows of one file. */
const MAX_ROWS = 200_000;

/**
 * Enters the rows of a CSV file as delivery, through the running server where there is one; importing a file again changes nothing.
 * Returns the sums and what became of each row; not ok where rows were refused.
 */
export async function importDelivery(
  settings: Settings,
  env: Environment,
  options: ImportOptions,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  const show = (line: number, { action, why }: EntryOutcome): void => {
    counts[action] += 1;
    if (action === 'refused' || !options.isQuiet)
      options.out(plain(`line ${line}: ${action}${why === undefined ? '' : `: ${why}.`}`));
  };
  const columns = options.map === undefined ? undefined : readMap(options.map);
  const dates = readDateFormat(options.dates);
  await withSend(settings, env, options.isDryRun, async (send) => {
    let batch: FileRow[] = [];
    const flush = async (): Promise<void> => {
      const outcomes = batch.length === 0 ? [] : await send(batch.map(({ row }) => row));
      for (const [index, outcome] of outcomes.entries()) show(batch[index]?.line ?? 0, outcome);
      batch = [];
    };
    for await (const read of readRows({ file: options.file, dates }, columns)) {
      if ('why' in read) {
        await flush();
        show(read.line, { action: 'refused', why: read.why });
        continue;
      }
      batch.push(read);
      if (batch.length === MAX_ENTRIES) await flush();
    }
    await flush();
  });
  const { created, updated, unchanged, refused } = counts;
  const counted = `${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused.`;
  const text = options.isDryRun ? `A dry run, nothing is entered: ${counted}` : counted;
  return { ok: refused === 0, text };
}

/** Runs with what enters rows: the running server, else one that does not listen. */
async function withSend(
  settings: Settings,
  env: Environment,
  isDryRun: boolean,
  run: (send: Send) => Promise<void>,
): Promise<void> {
  if ((await askRunning(settings.dataDir, { path: '/status' })) !== undefined) {
    await run(async (rows) => {
      const answer = await askRunning(settings.dataDir, { path: '/delivery', body: { rows, dry_run: isDryRun } });
      if (answer === undefined)
        throw new OperatorError('The server has stopped. Import the file again: nothing is entered twice.');
      return (answer as { readonly rows: readonly EntryOutcome[] }).rows;
    });
    return;
  }
  const server = await createServer({ settings, env });
  try {
    await server.reload();
    await run(async (rows) => (await recordDelivery(server.app, { rows, dry_run: isDryRun })).rows);
  } finally {
    await server.close();
  }
}

/** Reads the rows of a file as it is read; what is no row comes with why. Throws OperatorError for a head that is none. */
async function* readRows(
  { dates, file }: { readonly file: string; readonly dates: DateFormat },
  columns: ColumnMap | undefined,
): AsyncGenerator<FileRow | { readonly line: number; readonly why: string }> {
  let head: readonly (string | undefined)[] | undefined;
  let count = 0;
  const lines = new Map<string, number>();
  for await (const { line, fields } of readCsv(createReadStream(file, 'utf8'))) {
    if (head === undefined) {
      const names = columns === undefined ? fields : fields.map((name) => columns.get(name));
      requireColumns(names);
      head = names;
      continue;
    }
    count += 1;
    if (count > MAX_ROWS)
      throw new OperatorError(
        `A file has at most ${MAX_ROWS} rows: split it. The rows before line ${line} are entered.`,
      );
    if (TOTAL.test(fields[0] ?? '')) continue;
    const read = readRow(head, { line, fields }, dates);
    const key = 'row' in read ? keyOf(read.row) : undefined;
    const earlier = key === undefined ? undefined : lines.get(key);
    if (key !== undefined) lines.set(key, earlier ?? line);
    yield earlier === undefined
      ? read
      : { line, why: `line ${earlier} is about the same package, day and creative. Leave one of them out` };
  }
}

function keyOf({ package_id, line_id, order_id, date = '', creative_id = '' }: FileRow['row']): string {
  return JSON.stringify([package_id ?? line_id ?? order_id ?? '', date, creative_id]);
}

/** The columns of a file by our names, under its own. */
type ColumnMap = ReadonlyMap<string, string>;

const MAX_MAP_CHARS = 4000;

/** Reads `Line item ID=package_id,Imps=impressions`. Throws OperatorError for what it cannot be. */
function readMap(text: string): ColumnMap {
  const pairs = text.slice(0, MAX_MAP_CHARS).split(',');
  const columns = new Map(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at < 1)
        throw new OperatorError(`"${pair}" maps no column. Write --map "Line item ID=package_id,Imps=impressions".`);
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    }),
  );
  for (const name of columns.values()) requireColumn(name);
  if (new Set(columns.values()).size < columns.size)
    throw new OperatorError('Two columns of the file are mapped to one. Leave one of them out.');
  return columns;
}

function requireColumn(name: string): void {
  const columns: readonly string[] = ENTRY_COLUMNS;
  if (columns.includes(name)) return;
  const meant = findNearest(name, columns);
  throw new OperatorError(
    `There is no column "${name}". ${meant === undefined ? `Columns: ${quoteNames(columns)}.` : `Did you mean "${meant}"?`} Name the columns of a file that calls them otherwise with --map.`,
  );
}

function requireColumns(fields: readonly (string | undefined)[]): void {
  for (const name of fields) if (name !== undefined) requireColumn(name);
  const missing = ['date', 'impressions'].filter((name) => !fields.includes(name));
  if (!['package_id', 'line_id', 'order_id'].some((name) => fields.includes(name))) missing.push('package_id');
  if (missing.length === 0) return;
  throw new OperatorError(`The first line names the columns; missing: ${missing.join(', ')}.`);
}

const NUMBERS: readonly string[] = ENTRY_NUMBERS;
const NUMBER = /^\d{1,15}(\.\d+)?$/;
/** As ad servers export counts and money: `1,234`, `$1,234.50`. */
const GROUPED = /^\p{Sc}?\s?(\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(\.\d+)?$/u;
/** The last row of an export, which sums up the others. */
const TOTAL = /^(grand )?totals?$/i;

/** The ways to write a date that exports have, beside the usual one; each finds year, month and day. */
const DATE_FORMATS = {
  'y-m-d': /^(?<y>\d{4})-(?<m>\d{1,2})-(?<d>\d{1,2})$/,
  'm/d/y': /^(?<m>\d{1,2})\/(?<d>\d{1,2})\/(?<y>\d{4}|\d{2})$/,
  'd/m/y': /^(?<d>\d{1,2})\/(?<m>\d{1,2})\/(?<y>\d{4}|\d{2})$/,
  'd.m.y': /^(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?<y>\d{4}|\d{2})$/,
} as const;
type DateFormat = keyof typeof DATE_FORMATS;

/** Returns a date as it is sent; what has another form stays as it is, to be refused as it was written. */
function isoDate(text: string, format: DateFormat): string {
  const { d = '', m = '', y = '' } = DATE_FORMATS[format].exec(text)?.groups ?? {};
  return d === '' ? text : `${y.padStart(4, '20')}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
}

function readDateFormat(text: string | undefined): DateFormat {
  const formats = Object.keys(DATE_FORMATS) as DateFormat[];
  const format = formats.find((one) => one === (text ?? 'y-m-d'));
  if (format === undefined)
    throw new OperatorError(`Dates are not written as "${text}". Forms: ${quoteNames(formats)}.`);
  return format;
}

function readRow(
  head: readonly (string | undefined)[],
  { line, fields }: CsvRecord,
  dates: DateFormat,
): FileRow | { readonly line: number; readonly why: string } {
  if (fields.length !== head.length) return { line, why: `it has ${fields.length} fields in place of ${head.length}` };
  const row: Record<string, string | number> = {};
  for (const [index, name] of head.entries()) {
    const text = fields[index] ?? '';
    if (text === '' || name === undefined) continue;
    const plainText = GROUPED.test(text) ? text.replace(/^\p{Sc}\s?/u, '').replaceAll(',', '') : text;
    if (NUMBERS.includes(name) && !NUMBER.test(plainText))
      return { line, why: `${name}: "${text}" is no number; write 1234.56, or 1,234.56 as exports do` };
    if (name === 'date') row[name] = isoDate(text, dates);
    else row[name] = NUMBERS.includes(name) ? Number(plainText) : text;
  }
  return { line, row };
}
