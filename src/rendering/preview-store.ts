import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import { DAY_MS, isoTime } from '../kernel/clock.js';
import { TaskError } from '../kernel/errors.js';
import { filesOf, type MediaRef, type PreviewModel } from './preview-model.js';
import type { SheetModel } from './preview-sheet.js';

/** What is kept under an id. Pages are drawn from it when they are asked for. */
export type Kept =
  | { readonly kind: 'preview'; readonly model: PreviewModel }
  | { readonly kind: 'sheet'; readonly sheet: SheetModel };

/** What an id leads to: nothing is known under `unknown`; `expired` was there and is gone. */
export type Found =
  | { readonly state: 'live'; readonly kept: Kept; readonly expiresAtMs: number }
  | { readonly state: 'expired' }
  | { readonly state: 'unknown' };

/** When something is kept, and how long it was promised at least. */
export type KeepTimes = { readonly nowMs: number; readonly lifetimeMs: number };

/** Previews and their media, on disk until they expire. */
export type PreviewStore = {
  /**
   * Keeps previews and sheets durably and answers when each expires (ms), in their order: one flush of the folder for all of them.
   * One that is kept already and has half its lifetime left stays as it is. Throws SERVICE_UNAVAILABLE when the store is full.
   */
  readonly keep: (all: readonly Kept[], times: KeepTimes) => Promise<readonly number[]>;
  readonly find: (id: string, nowMs: number) => Promise<Found>;
  /** Keeps media files durably under the hash of their bytes; a type that pages do not show is `missing`. Throws like `keep`. */
  readonly keepMedia: (
    files: readonly { readonly bytes: Uint8Array; readonly mime: string }[],
    times: KeepTimes,
  ) => Promise<readonly MediaRef[]>;
  /** Where a media file lies, and its type; undefined for one that is not there. */
  readonly media: (file: string) => Promise<{ readonly file: string; readonly mime: string } | undefined>;
  /** Removes what expired, oldest first, and answers how many previews and media files that were. */
  readonly prune: (nowMs: number) => Promise<number>;
  readonly stats: () => Promise<{ readonly previews: number; readonly media: number; readonly bytes: number }>;
};

/** Where previews are kept, and how many bytes they may take. */
export type PreviewStoreOptions = { readonly folder: string; readonly maxBytes?: number };

const DEFAULT_MAX_BYTES = 2 * 1024 ** 3;
/** How long an id is remembered after it expired, so that its page can say so. */
const REMEMBERED_MS = 7 * DAY_MS;
const OPEN_FILES = 16;
const RETRY_SECONDS = 60;
const ID = /^[A-Za-z0-9_-]{22}$/;
const MEDIA_FILE = /^[0-9a-f]{64}\.([a-z0-9]{2,4})$/;

/** The types that pages show, by the ending of their file. */
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
};
const ENDINGS: ReadonlyMap<string, string> = new Map(Object.entries(TYPES).map(([ending, mime]) => [mime, ending]));

/** A file of the store: bytes on disk, and until when it is needed. */
type Entry = { bytes: number; untilMs: number };
type NamedBytes = readonly [name: string, bytes: Uint8Array];
type Index = { readonly records: Map<string, Entry>; readonly media: Map<string, Entry> };
/** The first line of a record's file; what is kept is the second. */
type Head = { readonly expires_at: string; readonly media: readonly string[] };

/**
 * Opens the store below `folder`. Nothing is read before its first use. A record is one file, written aside, flushed and renamed,
 * so it is there whole or not at all; the index over the files lives in memory and is read from them.
 */
export function openPreviewStore({ folder, maxBytes = DEFAULT_MAX_BYTES }: PreviewStoreOptions): PreviewStore {
  const records = path.join(folder, 'records');
  const media = path.join(folder, 'media');
  const disk = new PQueue({ concurrency: OPEN_FILES });
  let opened: Promise<Index> | undefined;
  const writing = new Set<Promise<void>>();
  let pruning: Promise<number> | undefined;
  let used = 0;
  let written = 0;

  function index(): Promise<Index> {
    opened ??= scan();
    return opened;
  }

  async function scan(): Promise<Index> {
    await Promise.all([mkdir(records, { recursive: true }), mkdir(media, { recursive: true })]);
    const found: Index = { records: new Map(), media: new Map() };
    for (const file of await namesIn(media, MEDIA_FILE)) {
      found.media.set(file, { bytes: (await stat(path.join(media, file))).size, untilMs: 0 });
    }
    const names = await namesIn(records, ID);
    await disk.addAll(
      names.map((id) => async () => {
        const text = await readFile(path.join(records, id), 'utf8');
        const head = readHead(text);
        if (head === undefined) return;
        const untilMs = Date.parse(head.expires_at);
        found.records.set(id, { bytes: Buffer.byteLength(text), untilMs });
        for (const file of head.media) extend(found.media.get(file), untilMs);
      }),
    );
    used = [...found.records.values(), ...found.media.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    return found;
  }

  /** Makes room and writes, or refuses; what is not expired is never given up for what is new. */
  async function write(at: string, files: readonly NamedBytes[], nowMs: number): Promise<void> {
    const bytes = files.reduce((sum, [, content]) => sum + content.length, 0);
    if (used + bytes > maxBytes) await prune(nowMs);
    while (pruning !== undefined) await pruning;
    if (used + bytes > maxBytes) throw isFull();
    used += bytes;
    const work = writeAll(at, files).catch((error: unknown) => {
      used -= bytes;
      throw error;
    });
    writing.add(work);
    await work.finally(() => writing.delete(work));
  }

  async function writeAll(at: string, files: readonly NamedBytes[]): Promise<void> {
    if (files.length === 0) return;
    await disk.addAll(
      files.map(([name, bytes]) => async () => {
        written += 1;
        const aside = path.join(at, `${name}.${written}.tmp`);
        const handle = await open(aside, 'w', 0o600);
        try {
          await handle.writeFile(bytes);
          await handle.datasync();
        } finally {
          await handle.close();
        }
        await rename(aside, path.join(at, name));
      }),
    );
    await flushFolder(at);
  }

  async function keep(all: readonly Kept[], { nowMs, lifetimeMs }: KeepTimes): Promise<readonly number[]> {
    const known = await index();
    const untilMs = nowMs + lifetimeMs;
    const fresh = new Map<string, Kept>();
    for (const kept of all) {
      const id = idOf(kept);
      if ((known.records.get(id)?.untilMs ?? 0) - nowMs < lifetimeMs / 2) fresh.set(id, kept);
    }
    const files = [...fresh].map(([id, kept]) => [id, encode(kept, untilMs)] as const);
    // Marked first, so that no pruning takes a file away from under a new record.
    for (const kept of fresh.values()) for (const file of mediaOf(kept)) extend(known.media.get(file), untilMs);
    await write(records, files, nowMs);
    for (const [id, bytes] of files) {
      used -= known.records.get(id)?.bytes ?? 0;
      known.records.set(id, { bytes: bytes.length, untilMs });
    }
    return all.map((kept) => known.records.get(idOf(kept))?.untilMs ?? untilMs);
  }

  async function find(id: string, nowMs: number): Promise<Found> {
    const entry = ID.test(id) ? (await index()).records.get(id) : undefined;
    if (entry === undefined) return { state: 'unknown' };
    if (entry.untilMs <= nowMs) return { state: 'expired' };
    const [, body = ''] = (await readFile(path.join(records, id), 'utf8')).split('\n');
    // Pruned in the meantime.
    if (body === '') return { state: 'expired' };
    return { state: 'live', kept: JSON.parse(body) as Kept, expiresAtMs: entry.untilMs };
  }

  async function keepMedia(
    given: readonly { readonly bytes: Uint8Array; readonly mime: string }[],
    { nowMs, lifetimeMs }: KeepTimes,
  ): Promise<readonly MediaRef[]> {
    const known = await index();
    const fresh = new Map<string, Uint8Array>();
    const refs = given.map(({ bytes, mime }): MediaRef => {
      const ending = ENDINGS.get(mime);
      if (ending === undefined) return { missing: 'Files of this type are not shown in previews.' };
      const file = `${createHash('sha256').update(bytes).digest('hex')}.${ending}`;
      if (known.media.has(file)) extend(known.media.get(file), nowMs + lifetimeMs);
      else fresh.set(file, bytes);
      return { file, mime, bytes: bytes.length };
    });
    await write(media, [...fresh], nowMs);
    for (const [file, bytes] of fresh) known.media.set(file, { bytes: bytes.length, untilMs: nowMs + lifetimeMs });
    return refs;
  }

  /** Pruning has the folders to itself: it must not remove what is being written anew. */
  function prune(nowMs: number): Promise<number> {
    pruning ??= index()
      .then(async (known) => {
        await Promise.allSettled(writing);
        return (await pruneRecords(known, nowMs)) + (await pruneMedia(known, nowMs));
      })
      .finally(() => {
        pruning = undefined;
      });
    return pruning;
  }

  async function pruneRecords(known: Index, nowMs: number): Promise<number> {
    let removed = 0;
    for (const [id, entry] of [...known.records].sort(oldestFirst)) {
      const isForgotten = entry.untilMs + REMEMBERED_MS <= nowMs;
      if (entry.untilMs > nowMs || (!isForgotten && entry.bytes <= TOMBSTONE_BYTES)) continue;
      const rest = Buffer.from(headLine({ expires_at: isoTime(entry.untilMs), media: [] }));
      used -= entry.bytes - (isForgotten ? 0 : rest.length);
      removed += 1;
      entry.bytes = rest.length;
      if (isForgotten) {
        known.records.delete(id);
        await rm(path.join(records, id), { force: true });
      } else {
        await writeFile(path.join(records, `${id}.gone.tmp`), rest);
        await rename(path.join(records, `${id}.gone.tmp`), path.join(records, id));
      }
    }
    return removed;
  }

  async function pruneMedia(known: Index, nowMs: number): Promise<number> {
    let removed = 0;
    for (const [file, entry] of [...known.media].sort(oldestFirst)) {
      if (entry.untilMs > nowMs) continue;
      used -= entry.bytes;
      removed += 1;
      known.media.delete(file);
      await rm(path.join(media, file), { force: true });
    }
    return removed;
  }

  return {
    keep,
    find,
    keepMedia,
    prune,
    media: async (file) => {
      const mime = TYPES[MEDIA_FILE.exec(file)?.[1] ?? ''];
      if (mime === undefined || !(await index()).media.has(file)) return undefined;
      return { file: path.join(media, file), mime };
    },
    stats: async () => {
      const known = await index();
      return { previews: known.records.size, media: known.media.size, bytes: used };
    },
  };
}

function oldestFirst([, one]: readonly [string, Entry], [, other]: readonly [string, Entry]): number {
  return one.untilMs - other.untilMs;
}

function isFull(): TaskError {
  return new TaskError('SERVICE_UNAVAILABLE', 'There is no room for more previews until older ones expire.', {
    retryAfter: RETRY_SECONDS,
    suggestion: 'Try again later, or ask for `output_format: "html"`, which keeps less.',
  });
}

/** No record that still holds a preview is as small as this; what is left of an expired one is. */
const TOMBSTONE_BYTES = 80;

function idOf(kept: Kept): string {
  return kept.kind === 'preview' ? kept.model.id : kept.sheet.id;
}

function mediaOf(kept: Kept): readonly string[] {
  return kept.kind === 'preview' ? filesOf(kept.model) : [];
}

function encode(kept: Kept, untilMs: number): Buffer {
  return Buffer.from(`${headLine({ expires_at: isoTime(untilMs), media: mediaOf(kept) })}${JSON.stringify(kept)}\n`);
}

function headLine(head: Head): string {
  return `${JSON.stringify(head)}\n`;
}

function readHead(text: string): Head | undefined {
  try {
    return JSON.parse(text.slice(0, text.indexOf('\n'))) as Head;
  } catch {
    return undefined;
  }
}

function extend(entry: Entry | undefined, untilMs: number): void {
  if (entry !== undefined) entry.untilMs = Math.max(entry.untilMs, untilMs);
}

/** The files of a folder that have a name of ours; what a crash left half written is removed. */
async function namesIn(folder: string, pattern: RegExp): Promise<readonly string[]> {
  const names = await readdir(folder);
  await Promise.all(names.filter((name) => name.endsWith('.tmp')).map((name) => rm(path.join(folder, name))));
  return names.filter((name) => pattern.test(name));
}

/** Makes renames in a folder last. Some systems know no such thing; there it is nothing. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
