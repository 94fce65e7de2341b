import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isObject } from '../../../platform/kernel/json/json.js';
import { typedDomain } from '../../../registry/model/domains.js';
import { readCsv } from '../../orders/csv.js';

/** What a file to import is: a list of domains, a table with a column of them, or one JSON object to a line. */
type ImportFormat = 'list' | 'csv' | 'ndjson';

/** A publisher to take in: a domain to read, or with the text of its file. `fault` where a line says neither. */
export type ImportItem = { readonly domain: string; readonly text?: string } | { readonly fault: string };

/** An item that is not read yet, and the line that it begins on. */
export type ImportLine = { readonly line: number; readonly read: () => ImportItem };

/** The columns by which a table names its domains. */
const COLUMNS: readonly string[] = ['domain', 'publisher_domain'];

/** Returns the format of a file by how it begins. */
export function findFormat(beginning: string): ImportFormat {
  const [first = ''] = beginning.trimStart().split('\n');
  if (first.startsWith('{')) return 'ndjson';
  return first.includes(',') || COLUMNS.includes(first.trim().toLowerCase()) ? 'csv' : 'list';
}

/** Reads the items of a file as it is read. */
export async function* readItems(file: string, format: ImportFormat): AsyncGenerator<ImportLine> {
  if (format === 'csv') return yield* readTable(file);
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
      const found = fields.findIndex((name) => COLUMNS.includes(name.toLowerCase()));
      column = Math.max(found, 0);
      if (found >= 0) continue;
    }
    const text = fields[column] ?? '';
    yield { line, read: () => readDomain(text) };
  }
}

function readDomain(text: string): ImportItem {
  const domain = typedDomain(text);
  return domain === undefined ? { fault: `"${text.slice(0, 100)}" is no domain` } : { domain };
}

function readObject(text: string): ImportItem {
  const value = parse(text);
  if (!isObject(value) || typeof value.domain !== 'string') return { fault: NO_OBJECT };
  const read = readDomain(value.domain);
  if (!('domain' in read) || value.adagents === undefined) return read;
  return { ...read, text: JSON.stringify(value.adagents) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NO_OBJECT = 'it is no {"domain": "…", "adagents": {…}}';
