import { mediaName } from '../../../creative/preview/media.js';
import { filesOf, type MediaRef } from '../../../creative/preview/model.js';
import type {
  MediaFile,
  MediaStore,
  PreviewLookup,
  PreviewStore,
  PromisedTimes,
  StoredPreview,
} from '../../../creative/preview/ports.js';
import { DAY_MS, HOUR_MS } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Store, Writer } from '../store.js';
import { ALL_OWNERS, type PreviewRow, type PreviewUsage } from './previews.js';

/** Bounds of what is stored: previews and media files together, in all, and the previews of one owner. */
export type PreviewLimits = { readonly all: PreviewUsage; readonly perOwner: PreviewUsage };

const PREVIEW_LIMITS: PreviewLimits = {
  all: { count: 1_000_000, bytes: 2 * 1024 ** 3 },
  perOwner: { count: 500_000, bytes: 1024 ** 3 },
};

/** How long an id is known after it expired, so that its page can say so. */
const KNOWN_MS = 7 * DAY_MS;
const RETRY_SECONDS = 60;
/** So many rows go in one transaction, so that others do not wait for long. */
const MAX_PRUNED_PREVIEWS = 500;
const MAX_PRUNED_FILES = 20;

class NoRoom extends Error {}

/** Previews and media in the seller's database; `prune` removes what expired. */
export class SellerPreviews {
  readonly previews: PreviewStore;
  readonly media: MediaStore;
  readonly #store: Store;
  readonly #limits: PreviewLimits;

  constructor(store: Store, limits = PREVIEW_LIMITS) {
    this.#store = store;
    this.#limits = limits;
    this.previews = {
      save: (owner, previews, times) => this.#savePreviews(owner, previews, times),
      find: (id, nowMs) => this.#findPreview(id, nowMs),
    };
    this.media = {
      save: (files, times) => this.#saveMedia(files, times),
      find: (name) => this.#findMedia(name),
    };
  }

  /** Removes what expired by `nowMs`, oldest first; returns how many previews and media files that were. */
  async prune(nowMs: number): Promise<number> {
    const { read } = this.#store;
    let removed = 0;
    for (;;) {
      const previews = await read.previews.expired(nowMs, MAX_PRUNED_PREVIEWS);
      const files = await read.media.expired(nowMs, MAX_PRUNED_FILES);
      if (previews.length + files.length === 0) break;
      removed += await this.#store.transact((tx) => pruneOnce(tx, nowMs));
    }
    const before = nowMs - KNOWN_MS;
    while ((await this.#store.transact((tx) => tx.previews.forget(before, MAX_PRUNED_PREVIEWS))) > 0);
    return removed;
  }

  async #savePreviews(
    owner: string,
    previews: readonly StoredPreview[],
    { nowMs, lifetimeMs }: PromisedTimes,
  ): Promise<readonly number[]> {
    const expiresAt = nowMs + lifetimeMs;
    const expiries = new Map<string, number>();
    const fresh = new Map<string, StoredPreview>();
    for (const preview of previews) {
      const id = previewId(preview);
      const stored = await this.#store.read.previews.findStored(id);
      const isLasting = stored !== undefined && stored.expires_at - nowMs >= lifetimeMs / 2;
      expiries.set(id, isLasting ? stored.expires_at : expiresAt);
      if (!isLasting) fresh.set(id, preview);
    }
    const rows = [...fresh].map(([id, preview]): PreviewRow => {
      const body = JSON.stringify(preview);
      return { id, owner, expires_at: expiresAt, size: Buffer.byteLength(body), body };
    });
    const files = new Set([...fresh.values()].flatMap(mediaNames));
    if (rows.length > 0)
      await this.#write(nowMs, async (tx) => {
        await this.#insertPreviews(tx, owner, rows);
        for (const name of files) await tx.media.extend(name, expiresAt);
      });
    return previews.map((preview) => expiries.get(previewId(preview)) ?? expiresAt);
  }

  /** Benched as `preview url batch`: a new preview costs one statement. */
  async #insertPreviews(tx: Writer, owner: string, rows: readonly PreviewRow[]): Promise<void> {
    const added = sum(rows);
    requireRoom(await tx.previews.usage(ALL_OWNERS), added, this.#limits.all);
    requireRoom(await tx.previews.usage(owner), added, this.#limits.perOwner);
    for (const row of rows) {
      if (await tx.previews.insert(row)) continue;
      const stored = await tx.previews.findStored(row.id);
      if (stored !== undefined && stored.size > 0) {
        await tx.previews.addUsage(stored.owner, { count: -1, bytes: -stored.size });
      }
      await tx.previews.replace(row);
    }
    await tx.previews.addUsage(owner, added);
  }

  async #findPreview(id: string, nowMs: number): Promise<PreviewLookup> {
    const row = await this.#store.read.previews.find(id);
    if (row === undefined) return { state: 'unknown' };
    if (row.expires_at <= nowMs || row.size === 0) return { state: 'expired' };
    return { state: 'live', preview: JSON.parse(row.body) as StoredPreview, expiresAtMs: row.expires_at };
  }

  async #saveMedia(files: readonly MediaFile[], { nowMs, lifetimeMs }: PromisedTimes): Promise<readonly MediaRef[]> {
    const expiresAt = nowMs + lifetimeMs;
    const due = new Map<string, MediaFile>();
    const refs: MediaRef[] = [];
    for (const file of files) {
      const name = mediaName(file);
      if (name === undefined) {
        refs.push({ missing: 'Files of this type are not shown in previews.' });
        continue;
      }
      const stored = await this.#store.read.media.findStored(name);
      if (stored === undefined || stored.expires_at < expiresAt - HOUR_MS) due.set(name, file);
      refs.push({ file: name, mime: file.mime, bytes: file.bytes.length });
    }
    if (due.size > 0) await this.#write(nowMs, (tx) => this.#insertMedia(tx, due, expiresAt));
    return refs;
  }

  async #insertMedia(tx: Writer, files: ReadonlyMap<string, MediaFile>, expires_at: number): Promise<void> {
    const rows: { readonly name: string; readonly file: MediaFile; readonly size: number }[] = [];
    for (const [name, file] of files) {
      if ((await tx.media.findStored(name)) === undefined) rows.push({ name, file, size: file.bytes.length });
    }
    const added = sum(rows);
    requireRoom(await tx.previews.usage(ALL_OWNERS), added, this.#limits.all);
    for (const name of files.keys()) await tx.media.extend(name, expires_at);
    for (const { name, file, size } of rows) {
      await tx.media.insert({ name, type: file.mime, size, expires_at }, file.bytes);
    }
    await tx.previews.addUsage(ALL_OWNERS, added);
  }

  async #findMedia(name: string): Promise<MediaFile | undefined> {
    const row = await this.#store.read.media.find(name);
    return row && { bytes: row.bytes, mime: row.type };
  }

  /** Writes in one transaction; where there is no room, makes it of what expired, and tries once more. */
  async #write(nowMs: number, action: (tx: Writer) => Promise<void>): Promise<void> {
    try {
      await this.#store.transact(action);
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error;
      await this.prune(nowMs);
      await this.#store.transact(action).catch((again: unknown) => {
        throw again instanceof NoRoom ? storeIsFull() : again;
      });
    }
  }
}

async function pruneOnce(tx: Writer, nowMs: number): Promise<number> {
  const previews = await tx.previews.expired(nowMs, MAX_PRUNED_PREVIEWS);
  for (const { id } of previews) await tx.previews.empty(id);
  for (const owner of new Set(previews.map((row) => row.owner))) {
    const { count, bytes } = sum(previews.filter((row) => row.owner === owner));
    await tx.previews.addUsage(owner, { count: -count, bytes: -bytes });
  }
  const files = await tx.media.expired(nowMs, MAX_PRUNED_FILES);
  for (const { name } of files) await tx.media.remove(name);
  const { count, bytes } = sum(files);
  await tx.previews.addUsage(ALL_OWNERS, { count: -count, bytes: -bytes });
  return previews.length + files.length;
}

function sum(rows: readonly { readonly size: number }[]): PreviewUsage {
  return { count: rows.length, bytes: rows.reduce((bytes, { size }) => bytes + size, 0) };
}

function requireRoom(usage: PreviewUsage, added: PreviewUsage, limit: PreviewUsage): void {
  if (usage.bytes + added.bytes > limit.bytes || usage.count + added.count > limit.count) throw new NoRoom();
}

function storeIsFull(): TaskError {
  return new TaskError('SERVICE_UNAVAILABLE', 'There is no room for more previews until older ones expire.', {
    retryAfter: RETRY_SECONDS,
    suggestion: 'Try again later, or ask for `output_format: "html"`, which keeps less.',
  });
}

function previewId(preview: StoredPreview): string {
  return preview.kind === 'preview' ? preview.model.id : preview.sheet.id;
}

function mediaNames(preview: StoredPreview): readonly string[] {
  return preview.kind === 'preview' ? filesOf(preview.model) : [];
}
