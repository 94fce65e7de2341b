import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isObject } from '../../../platform/kernel/json/json.js';
import { typedDomain } from '../../../registry/model/domains.js';
import { readCsv } from '../../orders/csv.js';
import { isGzip, isSnapshot, readSnapshotRows } from './snapshot-rows.js';

/** The format of a file to import: a list of domains, a table with a column of them, one JSON object to a line, or a snapshot. */
type ImportFormat = 'list' | 'csv' | 'ndjson' | 'snapshot' | 'snapshot.gz';

/**
 * A publisher to take in: a domain to read, with the text of its file or with a property of another registry's snapshot. `fault` where a
 * line says none of it; nothing of a row that is not taken in.
 */
export type ImportItem =
  | { readonly domain: string; readonly text?: string; readonly property?: string }
  | { readonly fault: string }
  | { readonly isLeftOut: true };

/** An item that is not read yet, and the line that it begins on. */
export type ImportLine = { readonly line: number; readonly read: () => ImportItem };

/** The columns by which a table names its domains. */
const COLUMNS: readonly string[] = ['domain', 'publisher_domain'];

/** Returns the format of a file by how it begins. */
export function findFormat(bytes: Buffer): ImportFormat {
  if (isGzip(bytes)) return 'snapshot.gz';
  const beginning = bytes.toString('utf8');
  if (isSnapshot(beginning)) return 'snapshot';
  const [first = ''] = beginning.trimStart().split('\n');
  if (first.startsWith('{')) return 'ndjson';
  return first.includes(',') || COLUMNS.includes(first.trim().toLowerCase()) ? 'csv' : 'list';
}

/** Reads the items of a file as it is read. */
export async function* readItems(file: string, format: ImportFormat): AsyncGenerator<ImportLine> {
  if (format === 'csv') return yield* readTable(file);
  if (format === 'snapshot' || format === 'snapshot.gz') return yield* readSnapshot(file, format === 'snapshot.gz');
  let line = 0;
  for await (const text of createInterface({
    input: createReadStream(file, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line += 1;
    const trimmed = text.trim();
    if (trimmed === '' || (format === 'list' && trimmed.startsWith('#'))) continue;
    yield { line, read: () => (format === 'list' ? readDomain(trimmed) : readObject(trimmed)) };
  }
}

async function* readTable(file: string): AsyncGenerator<ImportLine> {
  let column: number | undefined;
  for await (const { fields, line } of readCsv(createReadStream(file, 'utf8'))) {
    if (column === undefined) {
      const named = fields.findIndex((name) => COLUMNS.includes(name.toLowerCase()));
      column = Math.max(named, 0);
      if (named >= 0) continue;
    }
    const text = fields[column] ?? '';
    yield { line, read: () => readDomain(text) };
  }
}

async function* readSnapshot(file: string, isCompressed: boolean): AsyncGenerator<ImportLine> {
  let line = 0;
  for await (const { isTooLong, list, text } of readSnapshotRows(file, isCompressed)) {
    line += 1;
    yield { line, read: () => (isTooLong ? { fault: 'it is too long' } : readRow(list, text)) };
  }
}

/** Lists whose rows name no publisher that could be asked. */
const OTHER_LISTS: ReadonlySet<string | undefined> = new Set(['agents', 'results', 'brands']);

/** Returns the property of a row, or the publisher that another one names. */
function readRow(list: string | undefined, text: string): ImportItem {
  const row = parseLine(text);
  if (!isObject(row)) return { fault: 'it is no JSON' };
  if (OTHER_LISTS.has(list)) return LEFT_OUT;
  const inner = isObject(row.property) ? row.property : {};
  const name = row.publisher_domain ?? inner.publisher_domain ?? row.domain;
  if (typeof name !== 'string') return row.agent_url === undefined ? { fault: NO_PUBLISHER } : LEFT_OUT;
  const read = readDomain(name);
  const isProperty = Array.isArray(row.identifiers ?? inner.identifiers) && row.collection_rid === undefined;
  return 'domain' in read && isProperty ? { ...read, property: text } : read;
}

const LEFT_OUT = { isLeftOut: true } as const;

function readDomain(text: string): { readonly domain: string } | { readonly fault: string } {
  const domain = typedDomain(text);
  return domain === undefined ? { fault: `"${text.slice(0, 100)}" is no domain` } : { domain };
}

function readObject(text: string): ImportItem {
  const value = parseLine(text);
  if (!isObject(value) || typeof value.domain !== 'string') return { fault: NO_OBJECT };
  const read = readDomain(value.domain);
  if (!('domain' in read) || value.adagents === undefined) return read;
  return { ...read, text: JSON.stringify(value.adagents) };
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NO_PUBLISHER = 'it names no publisher: "publisher_domain" or "domain"';
const NO_OBJECT = 'it is no {"domain": "…", "adagents": {…}}';
