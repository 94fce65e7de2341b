import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../platform/kernel/log.js';
import type { Settings } from '../../../seller/config/settings.js';
import { OperatorError } from '../../operator.js';
import { plain } from '../../terminal.js';
import { type Operate, withRegistry } from '../operate.js';
import { importWhole, isWholeRegistry } from '../whole.js';
import { type ImportCounts, ImportProgress } from './progress.js';
import { findFormat, type ImportItem, type ImportLine, readItems } from './read-items.js';

/** An import as it was typed, and where it shows how far it is. */
type ImportOptions = {
  readonly file: string;
  /** Whether it begins again where an earlier one was broken off. */
  readonly isAnew: boolean;
  /** Writes a line to standard error. */
  readonly err: (text: string) => void;
  readonly log: Log;
  readonly progress: (text: string) => void;
};

/** Items of one request, and characters of their files; one that is larger goes alone. */
const MAX_ITEMS = 400;
const MAX_CHARACTERS = 2 * 1024 * 1024;
/** Publishers that are read at once where nobody else waits for the registry. */
const ALONE_AT_ONCE = 100;
const BEGINNING_BYTES = 4096;
const BAR_WIDTH = 30;

/** Takes the publishers of a file in, going on where an earlier import of it was broken off; returns what came of it, as text. */
export async function importFile(
  settings: Settings,
  { err, file, isAnew, log, progress: show }: ImportOptions,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const { beginning, bytes, changed } = await describeFile(file);
  if (isWholeRegistry(beginning.toString('utf8')))
    return { ok: true, text: await importWhole({ settings, file, log, progress: show }) };
  const progress = await ImportProgress.open(settings.dataDir, { file: path.resolve(file), bytes, changed }, isAnew);
  const before = progress.counts.items;
  try {
    await withRegistry(withRoom(settings), async (operate) => {
      const format = findFormat(beginning);
      const importer = new Importer({ operate, progress, err, isSnapshot: format.startsWith('snapshot') });
      const total = await countItems(file, format);
      for await (const line of readItems(file, format)) {
        if (await importer.add(line)) show(barOf(progress.counts, total));
      }
      await importer.flush();
    });
  } finally {
    show('');
  }
  await progress.end();
  const lines = [...(before === 0 ? [] : [`The first ${before} were taken in before.`]), ...summarize(progress.counts)];
  return { ok: progress.counts.refused === 0, text: lines.join('\n') };
}

function summarize(counts: ImportCounts): readonly string[] {
  const { due, events, held, leftOut, present, publishers, refused } = counts;
  const end = `${due} domains are read with the next rounds; ${refused} were refused.`;
  if (held + present + leftOut === 0) return [`${publishers} publishers were read, with ${events} events; ${end}`];
  return [
    `${held} properties are listed, not verified until their publishers are read; ${present} were left as they are here; ${end}`,
    ...(leftOut > 0 ? [`${leftOut} rows of agents and brands were left out: registries ask those themselves.`] : []),
  ];
}

/** Returns the settings of a registry that does nothing else meanwhile, where no server holds the data folder. */
function withRoom(settings: Settings): Settings {
  const { crawlConcurrency = ALONE_AT_ONCE } = settings.registryService;
  return { ...settings, registryService: { ...settings.registryService, crawlConcurrency } };
}

/** The parts of an importer; `isSnapshot` where its file holds records of a snapshot. */
type ImporterParts = {
  readonly operate: Operate;
  readonly progress: ImportProgress;
  readonly err: (text: string) => void;
  readonly isSnapshot: boolean;
};

/** Sends items batch by batch. */
class Importer {
  readonly #operate: Operate;
  readonly #progress: ImportProgress;
  readonly #err: (text: string) => void;
  readonly #isSnapshot: boolean;
  #domains: string[] = [];
  #files: { readonly domain: string; readonly text: string }[] = [];
  #properties: { readonly domain: string; readonly text: string }[] = [];
  #characters = 0;
  /** Items that were read, those of earlier imports among them; of the batch in hand all, those that are refused and those that are left out. */
  #read = 0;
  #items = 0;
  #faults = 0;
  #leftOut = 0;

  constructor({ err, isSnapshot, operate, progress }: ImporterParts) {
    this.#operate = operate;
    this.#progress = progress;
    this.#err = err;
    this.#isSnapshot = isSnapshot;
  }

  /** Takes an item up; returns whether a batch went out before. */
  async add({ line, read }: ImportLine): Promise<boolean> {
    if (this.#read < this.#progress.counts.items) {
      this.#read += 1;
      return false;
    }
    const item = read();
    const characters = 'domain' in item ? (item.text ?? item.property ?? '').length : 0;
    const isFull = this.#items >= MAX_ITEMS;
    const isDue = isFull || (this.#characters > 0 && this.#characters + characters > MAX_CHARACTERS);
    if (isDue) await this.flush();
    this.#take(item, line);
    this.#characters += characters;
    return isDue;
  }

  /** Sends what is in hand, and notes that it is done. */
  async flush(): Promise<void> {
    const read = this.#files.length === 0 ? NOTHING : await this.#post<Imported>('import', { files: this.#files });
    const asked = await this.#sendDomains();
    for (const { domain, message, reason } of read.refused)
      this.#err(
        plain(message.startsWith(`${domain}: `) ? `${message} (${reason})` : `${domain}: ${message} (${reason})`),
      );
    for (const { reason, subject } of asked.refused ?? []) this.#err(plain(`${subject}: ${reason}`));
    await this.#progress.add({
      items: this.#items,
      publishers: read.publishers,
      events: read.events,
      due: asked.due,
      held: asked.held,
      present: asked.present,
      leftOut: this.#leftOut,
      refused: read.refused.length + (asked.refused?.length ?? asked.blocked ?? 0) + this.#faults,
    });
    [this.#domains, this.#files, this.#properties] = [[], [], []];
    [this.#characters, this.#items, this.#faults, this.#leftOut] = [0, 0, 0, 0];
  }

  #take(item: ImportItem, line: number): void {
    this.#read += 1;
    this.#items += 1;
    if ('isLeftOut' in item) this.#leftOut += 1;
    else if ('fault' in item) {
      this.#faults += 1;
      this.#err(plain(`line ${line}: ${item.fault}`));
    } else {
      const { domain, property, text } = item;
      if (property !== undefined) this.#properties.push({ domain, text: property });
      else if (text !== undefined) this.#files.push({ domain, text });
      else this.#domains.push(domain);
    }
  }

  /** Has the domains in hand be read; those that a snapshot names, with its properties, where they are not known. */
  async #sendDomains(): Promise<Asked> {
    const domains = [...new Set([...this.#domains, ...this.#properties.map(({ domain }) => domain)])];
    if (domains.length === 0) return { due: 0 };
    if (!this.#isSnapshot) return this.#post('crawls', { domains });
    return this.#post('import/snapshot', { domains, properties: this.#properties.map(({ text }) => text) });
  }

  async #post<Answer>(route: string, body: object): Promise<Answer> {
    return (await this.#operate({ path: `/api/admin/${route}`, body })) as Answer;
  }
}

/** The answers of the admin routes. */
type Imported = {
  readonly publishers: number;
  readonly events: number;
  readonly refused: readonly { readonly domain: string; readonly reason: string; readonly message: string }[];
};
type Asked = {
  readonly due: number;
  readonly blocked?: number;
  readonly held?: number;
  readonly present?: number;
  readonly refused?: readonly { readonly subject: string; readonly reason: string }[];
};
const NOTHING: Imported = { publishers: 0, events: 0, refused: [] };

async function describeFile(file: string): Promise<{ beginning: Buffer; bytes: number; changed: number }> {
  const handle = await open(file).catch(() => {
    throw new OperatorError(`There is no file ${file} that can be read.`);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    const { mtimeMs, size } = await stat(file);
    return { beginning: buffer.subarray(0, bytesRead), bytes: size, changed: mtimeMs };
  } finally {
    await handle.close();
  }
}

async function countItems(file: string, format: ReturnType<typeof findFormat>): Promise<number> {
  let count = 0;
  for await (const _line of readItems(file, format)) count += 1;
  return count;
}

function barOf({ items }: ImportCounts, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, items / total);
  const filled = Math.floor(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${items} of ${total}`;
}
