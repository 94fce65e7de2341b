import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import { HOUR_MS } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import { filesOf, type MediaRef, type PreviewModel } from '../model.js';
import type { SheetModel } from '../page/sheet.js';
import { flushFolder, namesIn } from './folder.js';
import { openPreviewLog, type PreviewLog, type WrittenRecord, writeRecord } from './log.js';

/** What is kept under an id. Pages are drawn from it when they are asked for. */
export type StoredPreview =
  | { readonly kind: 'preview'; readonly model: PreviewModel }
  | { readonly kind: 'sheet'; readonly sheet: SheetModel };

/** What an id leads to: nothing is known under `unknown`; `expired` was there and is gone. */
export type PreviewLookup =
  | { readonly state: 'live'; readonly kept: StoredPreview; readonly expiresAtMs: number }
  | { readonly state: 'expired' }
  | { readonly state: 'unknown' };

/** When something is kept, and how long it was promised at least. */
export type KeepTimes = { readonly nowMs: number; readonly lifetimeMs: number };

/** Previews and their media, on disk until they expire. */
export type PreviewStore = {
  /**
   * Keeps previews and sheets durably and answers when each expires (ms), in their order; all that is kept at once shares one flush.
   * One that is kept already and has half its lifetime left stays as it is. Throws SERVICE_UNAVAILABLE when the store is full.
   */
  readonly keep: (all: readonly StoredPreview[], times: KeepTimes) => Promise<readonly number[]>;
  readonly find: (id: string, nowMs: number) => Promise<PreviewLookup>;
  /**
   * Keeps media files durably under the hash of their bytes, as long as they are promised here (give or take an hour) or a preview
   * needs them; a type that pages do not show is `missing`. Throws like `keep`.
   */
  readonly keepMedia: (
    files: readonly { readonly bytes: Uint8Array; readonly mime: string }[],
    times: KeepTimes,
  ) => Promise<readonly MediaRef[]>;
  /** Where a media file lies, and its type; undefined for one that is not there. */
  readonly media: (file: string) => Promise<{ readonly file: string; readonly mime: string } | undefined>;
  /** Removes what expired, oldest first, and answers how many previews and media files that were. */
  readonly prune: (nowMs: number) => Promise<number>;
  readonly stats: () => Promise<{ readonly previews: number; readonly media: number; readonly bytes: number }>;
  /** Waits for what is being written; nothing may be kept after. */
  readonly close: () => Promise<void>;
};

/** Where previews are kept, and how many bytes they may take. */
export type PreviewStoreOptions = { readonly folder: string; readonly maxBytes?: number };

const DEFAULT_MAX_BYTES = 2 * 1024 ** 3;
const OPEN_FILES = 16;
const RETRY_SECONDS = 60;
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

/** A media file: bytes on disk, and until when it is needed. */
type Entry = { readonly bytes: number; untilMs: number };
type Index = { readonly log: PreviewLog; readonly promises: PreviewLog; readonly media: Map<string, Entry> };

/**
 * Opens the store below `folder`. Nothing is read before its first use. Previews and sheets stand in a log; a media file is written
 * aside, flushed and renamed, so it is there whole or not at all, and a second log tells how long it was promised.
 */
export function openPreviewStore({ folder, maxBytes = DEFAULT_MAX_BYTES }: PreviewStoreOptions): PreviewStore {
  const media = path.join(folder, 'media');
  const disk = new PQueue({ concurrency: OPEN_FILES });
  const writing = new Set<Promise<void>>();
  let opened: Promise<Index> | undefined;
  let pruning: Promise<number> | undefined;
  let mediaBytes = 0;
  let reserved = 0;
  let written = 0;

  function index(): Promise<Index> {
    opened ??= scan();
    return opened;
  }

  async function scan(): Promise<Index> {
    await mkdir(media, { recursive: true });
    const { log, needed } = await openPreviewLog(path.join(folder, 'records'));
    const { log: promises } = await openPreviewLog(path.join(folder, 'promises'));
    const found = new Map<string, Entry>();
    for (const file of await namesIn(media, MEDIA_FILE)) {
      const { size } = await stat(path.join(media, file));
      found.set(file, { bytes: size, untilMs: Math.max(needed.get(file) ?? 0, promises.untilMs(file) ?? 0) });
      mediaBytes += size;
    }
    return { log, promises, media: found };
  }

  function bytesOf({ log, promises }: Index): number {
    return log.stats().bytes + promises.stats().bytes + mediaBytes;
  }

  /** Makes room and writes, or refuses; what is not expired is never given up for what is new. */
  async function write(known: Index, bytes: number, nowMs: number, work: () => Promise<void>): Promise<void> {
    const isTooMuch = (): boolean => bytesOf(known) + reserved + bytes > maxBytes;
    if (isTooMuch()) await prune(nowMs);
    while (pruning !== undefined) await pruning;
    if (isTooMuch()) throw isFull();
    reserved += bytes;
    const done = work().finally(() => {
      reserved -= bytes;
    });
    writing.add(done);
    await done.finally(() => writing.delete(done));
  }

  async function writeMedia(files: readonly (readonly [name: string, bytes: Uint8Array])[]): Promise<void> {
    if (files.length === 0) return;
    await disk.addAll(
      files.map(([name, bytes]) => async () => {
        written += 1;
        const aside = path.join(media, `${name}.${written}.tmp`);
        const handle = await open(aside, 'w', 0o600);
        try {
          await handle.writeFile(bytes);
          await handle.datasync();
        } finally {
          await handle.close();
        }
        await rename(aside, path.join(media, name));
      }),
    );
    await flushFolder(media);
  }

  async function keep(all: readonly StoredPreview[], { nowMs, lifetimeMs }: KeepTimes): Promise<readonly number[]> {
    const known = await index();
    const untilMs = nowMs + lifetimeMs;
    const fresh = new Map<string, StoredPreview>();
    for (const kept of all) {
      const id = idOf(kept);
      if ((known.log.untilMs(id) ?? 0) - nowMs < lifetimeMs / 2) fresh.set(id, kept);
    }
    const records = [...fresh].map(([id, kept]) => {
      const files = mediaOf(kept);
      // Marked first, so that no pruning takes a file away from under a new record.
      for (const file of files) extend(known.media.get(file), untilMs);
      return writeRecord({ id, untilMs, media: files, text: JSON.stringify(kept) });
    });
    const bytes = records.reduce((sum, record) => sum + record.bytes.length, 0);
    if (records.length > 0) await write(known, bytes, nowMs, () => known.log.append(records, nowMs));
    return all.map((kept) => known.log.untilMs(idOf(kept)) ?? untilMs);
  }

  async function find(id: string, nowMs: number): Promise<PreviewLookup> {
    const { log } = await index();
    const expiresAtMs = log.untilMs(id);
    if (expiresAtMs === undefined) return { state: 'unknown' };
    const text = expiresAtMs <= nowMs ? undefined : await log.read(id);
    if (text === undefined) return { state: 'expired' };
    return { state: 'live', kept: JSON.parse(text) as StoredPreview, expiresAtMs };
  }

  async function keepMedia(
    given: readonly { readonly bytes: Uint8Array; readonly mime: string }[],
    { nowMs, lifetimeMs }: KeepTimes,
  ): Promise<readonly MediaRef[]> {
    const known = await index();
    const untilMs = nowMs + lifetimeMs;
    const fresh = new Map<string, Uint8Array>();
    const unpromised = new Map<string, WrittenRecord>();
    const refs = given.map(({ bytes, mime }): MediaRef => {
      const ending = ENDINGS.get(mime);
      if (ending === undefined) return { missing: 'Files of this type are not shown in previews.' };
      const file = `${createHash('sha256').update(bytes).digest('hex')}.${ending}`;
      const entry = known.media.get(file);
      extend(entry, untilMs);
      if (entry === undefined) fresh.set(file, bytes);
      if ((known.promises.untilMs(file) ?? 0) < untilMs - HOUR_MS)
        unpromised.set(file, writeRecord({ id: file, untilMs, media: [], text: '' }));
      return { file, mime, bytes: bytes.length };
    });
    if (unpromised.size === 0 && fresh.size === 0) return refs;
    const promised = [...unpromised.values()];
    const sizes = [...fresh.values(), ...promised.map(({ bytes }) => bytes)].map(({ length }) => length);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    await write(known, bytes, nowMs, async () => {
      await writeMedia([...fresh]);
      await known.promises.append(promised, nowMs);
    });
    for (const [file, { length }] of fresh) {
      mediaBytes += length - (known.media.get(file)?.bytes ?? 0);
      known.media.set(file, { bytes: length, untilMs });
    }
    return refs;
  }

  /** Pruning has the folders to itself: it must not remove what is being written anew. */
  function prune(nowMs: number): Promise<number> {
    pruning ??= index()
      .then(async (known) => {
        await Promise.allSettled(writing);
        await known.promises.prune(nowMs);
        return (await known.log.prune(nowMs)) + (await pruneMedia(known, nowMs));
      })
      .finally(() => {
        pruning = undefined;
      });
    return pruning;
  }

  async function pruneMedia(known: Index, nowMs: number): Promise<number> {
    let removed = 0;
    for (const [file, { bytes, untilMs }] of known.media) {
      if (untilMs > nowMs) continue;
      mediaBytes -= bytes;
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
      return { previews: known.log.stats().records, media: known.media.size, bytes: bytesOf(known) };
    },
    close: async () => {
      await Promise.allSettled(writing);
      const known = await opened;
      await known?.log.close();
      await known?.promises.close();
    },
  };
}

function isFull(): TaskError {
  return new TaskError('SERVICE_UNAVAILABLE', 'There is no room for more previews until older ones expire.', {
    retryAfter: RETRY_SECONDS,
    suggestion: 'Try again later, or ask for `output_format: "html"`, which keeps less.',
  });
}

function idOf(kept: StoredPreview): string {
  return kept.kind === 'preview' ? kept.model.id : kept.sheet.id;
}

function mediaOf(kept: StoredPreview): readonly string[] {
  return kept.kind === 'preview' ? filesOf(kept.model) : [];
}

function extend(entry: Entry | undefined, untilMs: number): void {
  if (entry !== undefined) entry.untilMs = Math.max(entry.untilMs, untilMs);
}
