import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS, HOUR_MS, isoTime } from '../../../platform/kernel/clock.js';
import { yieldToEventLoop } from '../../../platform/kernel/event-loop.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { flushFolder, namesIn } from './folder.js';

/** A text without line breaks under an id, until when it is kept (ms), and the media files that it needs. */
export type LogRecord = {
  readonly id: string;
  readonly untilMs: number;
  readonly media: readonly string[];
  readonly text: string;
};

/** A record as it stands in the log. */
export type WrittenRecord = { readonly id: string; readonly untilMs: number; readonly bytes: Buffer };

/** Records on disk until they expire; of several under one id the last counts. */
export type PreviewLog = {
  /** Until when the record of an id is kept (ms); for a week after that it is still known. */
  readonly untilMs: (id: string) => number | undefined;
  /** The text of a record; undefined for one that is not known, or gone. */
  readonly read: (id: string) => Promise<string | undefined>;
  /** Settles when the records are on disk for good. Calls that come together share one write and one flush. */
  readonly append: (records: readonly WrittenRecord[], nowMs: number) => Promise<void>;
  /** Removes texts that expired, at most an hour late, and answers how many; nothing may be appended meanwhile. */
  readonly prune: (nowMs: number) => Promise<number>;
  readonly stats: () => { readonly records: number; readonly bytes: number };
  readonly close: () => Promise<void>;
};

/** A log and the media files that its records need, with the time until which (ms). */
export type OpenedLog = { readonly log: PreviewLog; readonly needed: ReadonlyMap<string, number> };

/** A part of the log: one file, which expires as a whole. */
type Segment = {
  readonly file: string;
  readonly bornMs: number;
  untilMs: number;
  bytes: number;
  /** Whether there are texts in it; without, it only remembers ids. */
  hasTexts: boolean;
};
/** The segment that takes records. */
type OpenSegment = { readonly segment: Segment; readonly handle: FileHandle };
/** Where the text of a record stands. */
type Place = { readonly segment: Segment; readonly untilMs: number; readonly start: number; readonly length: number };
/** The first line of a record; its text is the second. */
type Head = {
  readonly id: string;
  readonly expires_at: string;
  readonly media: readonly string[];
  readonly bytes: number;
};
type Job = {
  readonly records: readonly WrittenRecord[];
  readonly nowMs: number;
  readonly settle: (error?: unknown) => void;
};

/** How long an id is remembered after it expired, so that its page can say so. */
const REMEMBERED_MS = 7 * DAY_MS;
/** A segment takes records for so long, or until it has so many bytes. */
const SEGMENT_MS = HOUR_MS;
const SEGMENT_BYTES = 8 * 1024 ** 2;
const SEGMENT_FILE = /^\d{8}\.log$/;
const LINE_END = 10;

/** A record as {@link PreviewLog.append} takes it. */
export function writeRecord({ id, untilMs, media, text }: LogRecord): WrittenRecord {
  const head = { id, expires_at: isoTime(untilMs), media, bytes: Buffer.byteLength(text) };
  return { id, untilMs, bytes: Buffer.from(`${headLine(head)}${text}\n`) };
}

/**
 * Opens the log in a folder and reads what is there. A run of the server writes files of its own, so that what a crash left half
 * written at the end of one stays there and is not read.
 */
export async function openPreviewLog(folder: string): Promise<OpenedLog> {
  await mkdir(folder, { recursive: true });
  const places = new Map<string, Place>();
  const segments = new Set<Segment>();
  const needed = new Map<string, number>();
  const jobs: Job[] = [];
  let draining: Promise<void> | undefined;
  let current: OpenSegment | undefined;
  let last = 0;

  async function readSegment(file: string): Promise<void> {
    const content = await readFile(path.join(folder, file));
    const segment: Segment = { file, bornMs: 0, untilMs: 0, bytes: content.length, hasTexts: false };
    for (const { head, start } of recordsIn(content)) {
      const untilMs = Date.parse(head.expires_at);
      segment.untilMs = Math.max(segment.untilMs, untilMs);
      segment.hasTexts ||= head.bytes > 0;
      places.set(head.id, { segment, untilMs, start, length: head.bytes });
      for (const name of head.media) needed.set(name, Math.max(needed.get(name) ?? 0, untilMs));
    }
    segments.add(segment);
  }

  async function drain(): Promise<void> {
    while (jobs.length > 0) {
      // Everything that arrives in this turn of the event loop joins the same flush.
      await yieldToEventLoop();
      const group = jobs.splice(0);
      const failure = await writeGroup(group).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      // What follows half a record would not be read.
      if (failure !== undefined) await seal().catch(() => undefined);
      for (const { settle } of group) settle(failure?.error);
    }
    draining = undefined;
  }

  async function writeGroup(group: readonly Job[]): Promise<void> {
    const records = group.flatMap((job) => job.records);
    const { segment, handle } = await segmentAt(Math.max(...group.map(({ nowMs }) => nowMs)));
    await handle.appendFile(Buffer.concat(records.map(({ bytes }) => bytes)));
    await handle.datasync();
    for (const { id, untilMs, bytes } of records) {
      const start = segment.bytes + bytes.indexOf(LINE_END) + 1;
      segment.bytes += bytes.length;
      places.set(id, { segment, untilMs, start, length: segment.bytes - start - 1 });
      segment.untilMs = Math.max(segment.untilMs, untilMs);
    }
  }

  async function segmentAt(nowMs: number): Promise<OpenSegment> {
    const isDue = (segment: Segment): boolean => segment.bytes >= SEGMENT_BYTES || nowMs - segment.bornMs >= SEGMENT_MS;
    if (current !== undefined && isDue(current.segment)) await seal();
    if (current !== undefined) return current;
    last += 1;
    const file = `${String(last).padStart(8, '0')}.log`;
    const handle = await open(path.join(folder, file), 'ax', 0o600);
    current = { handle, segment: { file, bornMs: nowMs, untilMs: 0, bytes: 0, hasTexts: true } };
    segments.add(current.segment);
    await flushFolder(folder);
    return current;
  }

  async function seal(): Promise<void> {
    const sealed = current;
    current = undefined;
    await sealed?.handle.close();
  }

  async function prune(nowMs: number): Promise<number> {
    let removed = 0;
    for (const segment of segments) {
      const isForgotten = segment.untilMs + REMEMBERED_MS <= nowMs;
      if (segment.untilMs > nowMs || (!isForgotten && !segment.hasTexts)) continue;
      if (current?.segment === segment) await seal();
      const kept = [...places].filter(([, place]) => place.segment === segment);
      removed += kept.length;
      if (isForgotten || kept.length === 0) {
        for (const [id] of kept) places.delete(id);
        segments.delete(segment);
        await rm(path.join(folder, segment.file), { force: true });
      } else await forgetTexts(segment, kept);
    }
    return removed;
  }

  async function forgetTexts(segment: Segment, kept: readonly (readonly [string, Place])[]): Promise<void> {
    const heads = kept.map(([id, { untilMs }]) => writeRecord({ id, untilMs, media: [], text: '' }).bytes);
    const aside = path.join(folder, `${segment.file}.tmp`);
    await writeFile(aside, Buffer.concat(heads), { mode: 0o600 });
    await rename(aside, path.join(folder, segment.file));
    segment.bytes = heads.reduce((sum, { length }) => sum + length, 0);
    segment.hasTexts = false;
    for (const [id, place] of kept) places.set(id, { ...place, length: 0 });
  }

  for (const file of [...(await namesIn(folder, SEGMENT_FILE))].sort()) {
    await readSegment(file);
    last = Number.parseInt(file, 10);
  }

  return {
    needed,
    log: {
      untilMs: (id) => places.get(id)?.untilMs,
      read: async (id) => {
        const place = places.get(id);
        return place === undefined || place.length === 0 ? undefined : readText(folder, place);
      },
      append: (records, nowMs) =>
        new Promise((resolve, reject) => {
          jobs.push({ records, nowMs, settle: (error) => (error === undefined ? resolve() : reject(error)) });
          draining ??= drain();
        }),
      prune,
      stats: () => ({
        records: places.size,
        bytes: [...segments].reduce((sum, { bytes }) => sum + bytes, 0),
      }),
      close: async () => {
        await draining;
        await seal();
      },
    },
  };
}

/** The text at a place; undefined when it was pruned in the meantime. */
async function readText(folder: string, { segment, start, length }: Place): Promise<string | undefined> {
  const handle = await open(path.join(folder, segment.file), 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, start);
    return bytesRead === length ? buffer.toString('utf8') : undefined;
  } finally {
    await handle.close();
  }
}

/** The records of a segment, up to the first that is not whole. */
function* recordsIn(content: Buffer): Generator<{ readonly head: Head; readonly start: number }> {
  for (let at = 0; at < content.length; ) {
    const line = content.indexOf(LINE_END, at);
    const head = readHead(content.toString('utf8', at, Math.max(at, line)));
    if (head === undefined || content[line + 1 + head.bytes] !== LINE_END) return;
    yield { head, start: line + 1 };
    at = line + 1 + head.bytes + 1;
  }
}

function headLine(head: Head): string {
  return `${JSON.stringify(head)}\n`;
}

function readHead(line: string): Head | undefined {
  try {
    const head: unknown = JSON.parse(line);
    return isObject(head) ? (head as Head) : undefined;
  } catch {
    return undefined;
  }
}
