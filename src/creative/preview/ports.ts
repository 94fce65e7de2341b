import type { MediaRef, PreviewModel } from './model.js';
import type { SheetModel } from './page/sheet.js';

/** A preview or a sheet as it is stored; pages are drawn from it when they are asked for. */
export type StoredPreview =
  | { readonly kind: 'preview'; readonly model: PreviewModel }
  | { readonly kind: 'sheet'; readonly sheet: SheetModel };

/** The preview behind an id: nothing was ever stored under an `unknown` one; an `expired` one was there and is gone. */
export type PreviewLookup =
  | { readonly state: 'live'; readonly preview: StoredPreview; readonly expiresAtMs: number }
  | { readonly state: 'expired' }
  | { readonly state: 'unknown' };

/** When something is stored, and how long it is promised at least. */
export type PromisedTimes = { readonly nowMs: number; readonly lifetimeMs: number };

/** Stores previews and sheets until they expire. */
export type PreviewStore = {
  /**
   * Stores an owner's previews durably, all in one transaction, and returns when each expires (ms), in their order. A stored one that
   * has half its lifetime left stays as it is. Throws RATE_LIMITED when the owner has no room left, SERVICE_UNAVAILABLE when nobody has.
   */
  save(owner: string, previews: readonly StoredPreview[], times: PromisedTimes): Promise<readonly number[]>;
  find(id: string, nowMs: number): Promise<PreviewLookup>;
  /** Returns what an owner's ids are made with: stable, and nobody else's, so that no one can compute the id of another's content. */
  idKey(owner: string): string;
};

/** A media file and its type. */
export type MediaFile = { readonly bytes: Uint8Array; readonly mime: string };

/** Stores copies of media, each owner's under the hash of their bytes and the owner's key. */
export type MediaStore = {
  /**
   * Stores an owner's media files durably, as long as they are promised here (give or take an hour) or a preview needs them, and returns
   * the reference to each; a type that pages do not show is `missing`. Throws RATE_LIMITED and SERVICE_UNAVAILABLE as for previews.
   */
  save(owner: string, files: readonly MediaFile[], times: PromisedTimes): Promise<readonly MediaRef[]>;
  /** Returns the media file of a name; undefined for one that is not there. */
  find(name: string): Promise<MediaFile | undefined>;
};
