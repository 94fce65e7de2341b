import { createHmac } from 'node:crypto';
import { yieldToEventLoop } from '../../platform/kernel/event-loop.js';
import { taskErrorOrThrow } from '../../protocol/errors.js';
import type { AssetFiles } from '../probe/asset-files.js';
import type { Probed } from '../probe/types.js';
import type { MediaRef } from './model.js';
import type { MediaFile, MediaStore, PromisedTimes } from './ports.js';

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

/** Returns the name of a media file: the hash of its bytes under its owner's key, and an ending; undefined for a type that pages do not show. */
export function mediaName(idKey: string, { bytes, mime }: MediaFile): string | undefined {
  const ending = ENDINGS.get(mime);
  return ending && `${createHmac('sha256', idKey).update(bytes).digest('hex')}.${ending}`;
}

/** Returns the type of a media file by the ending of its name. */
export function mediaType(name: string): string | undefined {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)];
}

/** How media become local copies. */
type CopyMediaOptions = {
  readonly owner: string;
  readonly files: AssetFiles;
  readonly store: MediaStore;
  readonly times: PromisedTimes;
  /** Returns the type of a file by its bytes. */
  readonly probe: (bytes: Uint8Array) => Probed;
};

/** A file from an address, or the reason for the box that is shown instead of it. */
type Copy = MediaFile | { readonly missing: string };

/**
 * Copies the files behind addresses into the store, judged by bytes alone. Never fails for what an address does; a file that could not
 * be copied is `missing` with its reason. Throws when the store is full.
 */
export async function copyMedia(
  urls: readonly string[],
  options: CopyMediaOptions,
): Promise<ReadonlyMap<string, MediaRef>> {
  const wanted = [...new Set(urls)];
  const copies = await Promise.all(wanted.map((url) => copyOne(url, options)));
  const files = copies.filter((one) => 'bytes' in one);
  const saved = files.length === 0 ? [] : await options.store.save(options.owner, files, options.times);
  const refs = new Map<Copy, MediaRef>(files.map((file, at) => [file, saved[at] ?? { missing: 'It was not kept.' }]));
  return new Map(wanted.map((url, at) => [url, findRef(copies[at], refs)]));
}

function findRef(copy: Copy | undefined, refs: ReadonlyMap<Copy, MediaRef>): MediaRef {
  if (copy === undefined) return { missing: 'It was not fetched.' };
  return 'missing' in copy ? copy : (refs.get(copy) ?? { missing: 'It was not kept.' });
}

async function copyOne(url: string, { files, probe }: CopyMediaOptions): Promise<Copy> {
  try {
    const bytes = await files.readWhole(url);
    await yieldToEventLoop();
    const probed = probe(bytes);
    return probed.ok ? { bytes, mime: probed.media.mime } : { missing: probed.message };
  } catch (error) {
    return { missing: taskErrorOrThrow(error).message };
  }
}
