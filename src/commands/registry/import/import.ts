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
  if (isWholeRegistry(beginning)) return { ok: true, text: await importWhole({ settings, file, log, progress: show }) };
  const progress = await ImportProgress.open(settings.dataDir, { file: path.resolve(file), bytes, changed }, isAnew);
  const before = progress.counts.items;
  try {
    await withRegistry(withRoom(settings), async (operate) => {
      const importer = new Importer(operate, progress, err);
      const total = await countItems(file, beginning);
      for await (const line of readItems(file, findFormat(beginning))) {
        if (await importer.add(line)) show(barOf(progress.counts, total));
      }
      await importer.flush();
    });
  } finally {
    show('');
  }
  await progress.end();
  const { due, events, publishers, refused } = progress.counts;
  const lines = [
    ...(before === 0 ? [] : [`The first ${before} were taken in before.`]),
    `${publishers} publishers were read, with ${events} events; ${due} domains are read with the next rounds; ${refused} were refused.`,
  ];
  return { ok: refused === 0, text: lines.join('\n') };
}

/** Returns the settings of a registry that does nothing else meanwhile, where no server holds the data folder. */
function withRoom(settings: Settings): Settings {
  const { crawlConcurrency = ALONE_AT_ONCE } = settings.registryService;
  return { ...settings, registryService: { ...settings.registryService, crawlConcurrency } };
}

/** Sends items batch by batch. */
class Importer {
  readonly #operate: Operate;
  readonly #progress: ImportProgress;
  readonly #err: (text: string) => void;
  #domains: string[] = [];
  #files: { readonly domain: string; readonly text: string }[] = [];
  #characters = 0;
  /** Items that were read, those of earlier imports among them, and those that are refused of the batch in hand. */
  #read = 0;
  #faults = 0;

  constructor(operate: Operate, progress: ImportProgress, err: (text: string) => void) {
    this.#operate = operate;
    this.#progress = progress;
    this.#err = err;
  }

  /** Takes an item up; returns whether a batch went out before. */
  async add({ line, read }: ImportLine): Promise<boolean> {
    if (this.#read < this.#progress.counts.items) {
      this.#read += 1;
      return false;
    }
    const item = read();
    const characters = 'fault' in item ? 0 : (item.text?.length ?? 0);
    const isFull = this.#domains.length + this.#files.length + this.#faults >= MAX_ITEMS;
    const goes = isFull || (this.#characters > 0 && this.#characters + characters > MAX_CHARACTERS);
    if (goes) await this.flush();
    this.#take(item, line, characters);
    return goes;
  }

  /** Sends what is in hand, and notes that it is done. */
  async flush(): Promise<void> {
    const [domains, files] = [this.#domains, this.#files];
    const read = files.length === 0 ? NOTHING : ((await this.#post('import', { files })) as Imported);
    const asked = domains.length === 0 ? { due: 0, blocked: 0 } : ((await this.#post('crawls', { domains })) as Asked);
    for (const { domain, message, reason } of read.refused) this.#err(plain(`${domain}: ${reason}: ${message}`));
    await this.#progress.add({
      items: domains.length + files.length + this.#faults,
      publishers: read.publishers,
      events: read.events,
      due: asked.due,
      refused: read.refused.length + asked.blocked + this.#faults,
    });
    [this.#domains, this.#files, this.#characters, this.#faults] = [[], [], 0, 0];
  }

  #take(item: ImportItem, line: number, characters: number): void {
    this.#read += 1;
    if ('fault' in item) {
      this.#faults += 1;
      this.#err(plain(`line ${line}: ${item.fault}`));
    } else if (item.text === undefined) this.#domains.push(item.domain);
    else this.#files.push({ domain: item.domain, text: item.text });
    this.#characters += characters;
  }

  #post(route: string, body: object): Promise<object> {
    return this.#operate({ path: `/api/admin/${route}`, body });
  }
}

/** The answers of the admin routes. */
type Imported = {
  readonly publishers: number;
  readonly events: number;
  readonly refused: readonly { readonly domain: string; readonly reason: string; readonly message: string }[];
};
type Asked = { readonly due: number; readonly blocked: number };
const NOTHING: Imported = { publishers: 0, events: 0, refused: [] };

async function describeFile(file: string): Promise<{ beginning: string; bytes: number; changed: number }> {
  const handle = await open(file).catch(() => {
    throw new OperatorError(`There is no file ${file} that can be read.`);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    const { mtimeMs, size } = await stat(file);
    return { beginning: buffer.toString('utf8', 0, bytesRead), bytes: size, changed: mtimeMs };
  } finally {
    await handle.close();
  }
}

async function countItems(file: string, beginning: string): Promise<number> {
  let count = 0;
  for await (const _line of readItems(file, findFormat(beginning))) count += 1;
  return count;
}

function barOf({ items }: ImportCounts, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, items / total);
  const filled = Math.floor(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${items} of ${total}`;
}
