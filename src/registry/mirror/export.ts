import { createHash } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { NOUNS, type Noun } from '../model/records.js';
import type { RegistryStore } from '../store/registry-store.js';
import type { BootstrapStep } from './bootstrap.js';
import { EXPORT_FILE } from './export-files.js';

/** An export's description of itself, in the manifest beside it. */
export type ExportManifest = {
  readonly file: string;
  readonly registry: string;
  /** Where the feed goes on behind it. */
  readonly cursor: string;
  /** ISO 8601. */
  readonly generated_at: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly counts: Readonly<Record<Noun, number>>;
};

const ROWS_AT_A_TIME = 500;

/**
 * Writes all records as one plain JSON file, `{registry, cursor, generated_at, publishers: […], properties: […], …}`, a few rows at a
 * time; answers what the manifest is to say. The file takes its place when it is whole.
 */
export async function exportRecords(
  store: RegistryStore,
  folder: string,
  head: Pick<ExportManifest, 'registry' | 'cursor' | 'generated_at'>,
  progress?: (step: BootstrapStep) => void,
): Promise<ExportManifest> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, EXPORT_FILE);
  const handle = await open(`${file}.new`, 'w');
  const hash = createHash('sha256');
  const counts: Partial<Record<Noun, number>> = {};
  let bytes = 0;
  const write = async (text: string): Promise<void> => {
    const part = Buffer.from(text);
    hash.update(part);
    bytes += part.length;
    await handle.write(part);
  };
  try {
    await write(JSON.stringify(head).slice(0, -1));
    for (const noun of NOUNS) counts[noun] = await exportNoun(store, noun, write, progress);
    await write('}\n');
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  const sha256 = hash.digest('hex');
  return { file: EXPORT_FILE, ...head, bytes, sha256, counts: counts as Record<Noun, number> };
}

/** Writes the records of a noun as one member, a few rows at a time; returns how many there were. */
async function exportNoun(
  store: RegistryStore,
  noun: Noun,
  write: (text: string) => Promise<void>,
  progress: ((step: BootstrapStep) => void) | undefined,
): Promise<number> {
  let done = 0;
  await write(`,\n${JSON.stringify(PLURALS[noun])}:[`);
  for (let at = 0; ; ) {
    const { records, at: next } = await store.scan(noun, { at, limit: ROWS_AT_A_TIME });
    const rows = records.map((record) => JSON.stringify(record)).join(',\n');
    if (rows !== '') await write(`${done === 0 ? '\n' : ',\n'}${rows}`);
    done += records.length;
    progress?.({ what: PLURALS[noun], done, total: null });
    if (records.length < ROWS_AT_A_TIME) break;
    at = next;
  }
  await write(']');
  return done;
}

const PLURALS: Readonly<Record<Noun, string>> = {
  publisher: 'publishers',
  property: 'properties',
  collection: 'collections',
  agent: 'agents',
  authorization: 'authorizations',
  brand: 'brands',
};
