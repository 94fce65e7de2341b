import { createHmac } from 'node:crypto';
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
import { Cache } from '../../../platform/kernel/cache.js';
import { DAY_MS, HOUR_MS } from '../../../platform/kernel/clock.js';
import { runSlices } from '../../../platform/kernel/slices.js';
import { TaskError } from '../../../protocol/errors.js';
import { type Quotas, quotasOf } from '../../domain/retention/quotas.js';
import { overBytes, overRows } from '../quotas/owner-usage.js';
import type { Store, Writer } from '../store.js';
import { ALL_OWNERS, type PreviewRow, type PreviewUsage } from './previews.js';

/** The secret and the bounds of stored previews. */
type SellerPreviewsOptions = {
  /** The secret behind the ids of previews; asked for when one is first made. */
  readonly secret: () => string;
  readonly quotas?: Quotas;
  /** Bounds of the previews and media files of all owners. */
  readonly all?: PreviewUsage;
};

const MAX_OF_ALL: PreviewUsage = { count: 4_000_000, bytes: 8 * 1024 ** 3 };

/** How long an id is known after it expired, so that its page can say so. */
const RETENTION_MS = 7 * DAY_MS;
const RETRY_SECONDS = 60;
/** So many media files, and so many of their bytes, go in one transaction: others wait for it. */
const MAX_PRUNED_FILES = 20;
const MAX_PRUNED_BYTES = 2 * 1024 * 1024;

/** There is no room; `refusal` says it to the buyer when what expired is gone and there is none still. */
class NoRoom extends Error {
  readonly refusal: TaskError;

  constructor(refusal: TaskError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Previews and media in the seller's database; `prune` removes what expired. */
export class SellerPreviews {
  readonly previews: PreviewStore;
  readonly media: MediaStore;
  readonly #store: Store;
  readonly #quotas: Quotas;
  readonly #all: PreviewUsage;
  readonly #secret: () => string;
  #key: string | undefined;
  /** The keys of ids of the owners who asked last. */
  readonly #idKeys = new Cache<string, string>({
    maxEntries: 1000,
    maxBytes: 512 * 1024,
    sizeOf: (key, owner) => key.length + owner.length * 2,
  });

  constructor(store: Store, { all = MAX_OF_ALL, quotas = quotasOf(), secret }: SellerPreviewsOptions) {
    this.#store = store;
    this.#quotas = quotas;
    this.#all = all;
    this.#secret = secret;
    this.previews = {
      save: (owner, previews, times) => this.#savePreviews(owner, previews, times),
      find: (id, nowMs) => this.#findPreview(id, nowMs),
      idKey: (owner) => this.#idKey(owner),
    };
    this.media = {
      save: (owner, files, times) => this.#saveMedia(owner, files, times),
      find: (name) => this.#findMedia(name),
    };
  }

  /** Stores a media file under a name that it was served under before; it counts for nobody's quota. */
  async takeOver(name: string, file: MediaFile, { nowMs, lifetimeMs }: PromisedTimes): Promise<void> {
    await this.#write(nowMs, (tx) => this.#insertMedia(tx, ALL_OWNERS, new Map([[name, file]]), nowMs + lifetimeMs));
  }

  /** Removes what expired by `nowMs`, oldest first; returns how many previews and media files that were. */
  async prune(nowMs: number, isStopped: () => boolean = () => false): Promise<number> {
    const { read } = this.#store;
    let removed = 0;
    await runSlices(async (limit) => {
      const previews = await read.previews.expired(nowMs, 1);
      const files = await read.media.expired(nowMs, 1);
      if (previews.length + files.length === 0) return false;
      removed += await this.#store.transact((tx) => pruneOnce(tx, nowMs, limit));
      return true;
    }, isStopped);
    const before = nowMs - RETENTION_MS;
    await runSlices(
      async (limit) => (await this.#store.transact((tx) => tx.previews.forget(before, limit))) >= limit,
      isStopped,
    );
    return removed;
  }

  #idKey(owner: string): string {
    this.#key ??= this.#secret();
    const secret = this.#key;
    return this.#idKeys.getOrMake(owner, () =>
      createHmac('sha256', secret).update(`preview\n${owner}`).digest('base64url'),
    );
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

  /** Inserts previews with one statement each (bench row `preview url batch`). */
  async #insertPreviews(tx: Writer, owner: string, rows: readonly PreviewRow[]): Promise<void> {
    const added = sumSizes(rows);
    await this.#requireRoom(tx, owner, added);
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

  async #requireRoom(tx: Writer, owner: string, added: PreviewUsage): Promise<void> {
    if (owner !== ALL_OWNERS) {
      const own = await tx.previews.usage(owner);
      const { previewBytes, rows } = this.#quotas;
      if (own.count + added.count > rows.previews) throw new NoRoom(overRows('previews', rows.previews));
      if (own.bytes + added.bytes > previewBytes) throw new NoRoom(overBytes('preview_bytes', previewBytes));
    }
    const all = await tx.previews.usage(ALL_OWNERS);
    if (all.count + added.count > this.#all.count || all.bytes + added.bytes > this.#all.bytes)
      throw new NoRoom(storeIsFull());
  }

  async #findPreview(id: string, nowMs: number): Promise<PreviewLookup> {
    const row = await this.#store.read.previews.find(id);
    if (row === undefined) return { state: 'unknown' };
    if (row.expires_at <= nowMs || row.size === 0) return { state: 'expired' };
    return { state: 'live', preview: JSON.parse(row.body) as StoredPreview, expiresAtMs: row.expires_at };
  }

  async #saveMedia(
    owner: string,
    files: readonly MediaFile[],
    { nowMs, lifetimeMs }: PromisedTimes,
  ): Promise<readonly MediaRef[]> {
    const idKey = this.#idKey(owner);
    const expiresAt = nowMs + lifetimeMs;
    const due = new Map<string, MediaFile>();
    const refs: MediaRef[] = [];
    for (const file of files) {
      const name = mediaName(idKey, file);
      if (name === undefined) {
        refs.push({ missing: 'Files of this type are not shown in previews.' });
        continue;
      }
      const stored = await this.#store.read.media.findStored(name);
      if (stored === undefined || stored.expires_at < expiresAt - HOUR_MS) due.set(name, file);
      refs.push({ file: name, mime: file.mime, bytes: file.bytes.length });
    }
    if (due.size > 0) await this.#write(nowMs, (tx) => this.#insertMedia(tx, owner, due, expiresAt));
    return refs;
  }

  async #insertMedia(
    tx: Writer,
    owner: string,
    files: ReadonlyMap<string, MediaFile>,
    expires_at: number,
  ): Promise<void> {
    const rows: { readonly name: string; readonly file: MediaFile; readonly size: number }[] = [];
    for (const [name, file] of files) {
      if ((await tx.media.findStored(name)) === undefined) rows.push({ name, file, size: file.bytes.length });
    }
    const added = sumSizes(rows);
    await this.#requireRoom(tx, owner, added);
    for (const name of files.keys()) await tx.media.extend(name, expires_at);
    for (const { name, file, size } of rows) {
      await tx.media.insert({ name, owner, type: file.mime, size, expires_at }, file.bytes);
    }
    await tx.previews.addUsage(owner, added);
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
        throw again instanceof NoRoom ? again.refusal : again;
      });
    }
  }
}

async function pruneOnce(tx: Writer, nowMs: number, limit: number): Promise<number> {
  const previews = await tx.previews.expired(nowMs, limit);
  for (const { id } of previews) await tx.previews.empty(id);
  const files = withinBytes(await tx.media.expired(nowMs, MAX_PRUNED_FILES), MAX_PRUNED_BYTES);
  for (const { name } of files) await tx.media.remove(name);
  const removed = [...previews, ...files];
  for (const owner of new Set(removed.map((row) => row.owner))) {
    const { count, bytes } = sumSizes(removed.filter((row) => row.owner === owner));
    await tx.previews.addUsage(owner, { count: -count, bytes: -bytes });
  }
  return removed.length;
}

/** Returns the first rows whose bytes are no more than `maxBytes` together; one at least, where there is one. */
function withinBytes<Row extends { readonly size: number }>(rows: readonly Row[], maxBytes: number): readonly Row[] {
  let bytes = 0;
  return rows.filter(({ size }, index) => {
    bytes += size;
    return index === 0 || bytes <= maxBytes;
  });
}

function sumSizes(rows: readonly { readonly size: number }[]): PreviewUsage {
  return { count: rows.length, bytes: rows.reduce((bytes, { size }) => bytes + size, 0) };
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
