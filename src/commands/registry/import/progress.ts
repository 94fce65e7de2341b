import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { writeWholeFile } from '../../../platform/kernel/files/whole-file.js';
import { isObject } from '../../../platform/kernel/json/json.js';

/** How far an import is, and what came of it. */
export type ImportCounts = {
  readonly items: number;
  readonly publishers: number;
  readonly events: number;
  readonly due: number;
  /** Properties of a snapshot that are listed from now on, and that were known. */
  readonly held: number;
  readonly present: number;
  /** Rows of agents and brands, of which nothing is taken in. */
  readonly leftOut: number;
  readonly refused: number;
};

/** A file to import, as it is told from another one: its path, its size and when it was changed, in milliseconds. */
type ImportedFile = { readonly file: string; readonly bytes: number; readonly changed: number };

const NONE: ImportCounts = {
  items: 0,
  publishers: 0,
  events: 0,
  due: 0,
  held: 0,
  present: 0,
  leftOut: 0,
  refused: 0,
};

/** Remembers in the data folder how far the import of a file is, so that it goes on there after it was broken off. */
export class ImportProgress {
  readonly #path: string;
  #counts: ImportCounts;

  private constructor(file: string, counts: ImportCounts) {
    this.#path = file;
    this.#counts = counts;
  }

  /** Goes on where an earlier import of the unchanged file was broken off, unless it is to begin anew. */
  static async open(dataDir: string, imported: ImportedFile, isAnew: boolean): Promise<ImportProgress> {
    const name = sha256Hex(JSON.stringify([imported.file, imported.bytes, imported.changed])).slice(0, NAME_DIGITS);
    const file = path.join(dataDir, `registry-import-${name}.json`);
    return new ImportProgress(file, isAnew ? NONE : await readCounts(file));
  }

  get counts(): ImportCounts {
    return this.#counts;
  }

  /** Adds a batch that is done, and resolves once that is on disk. */
  async add(batch: Partial<ImportCounts>): Promise<void> {
    const names = Object.keys(NONE) as (keyof ImportCounts)[];
    const sums = names.map((name) => [name, this.#counts[name] + (batch[name] ?? 0)] as const);
    this.#counts = { ...NONE, ...Object.fromEntries(sums) };
    await writeWholeFile(this.#path, JSON.stringify(this.#counts));
  }

  /** Forgets an import that is whole. */
  async end(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

const NAME_DIGITS = 16;

async function readCounts(file: string): Promise<ImportCounts> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const counts: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isObject(counts) || Object.keys(NONE).some((name) => typeof counts[name] !== 'number')) return NONE;
  return counts as ImportCounts;
}
