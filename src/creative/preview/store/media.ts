import { taskErrorOrThrow } from '../../../protocol/errors.js';
import type { AssetFiles } from '../../probe/asset-files.js';
import type { Probed } from '../../probe/types.js';
import type { MediaRef } from '../model.js';
import type { KeepTimes, PreviewStore } from './store.js';

/** How media become local copies. */
export type MediaOrder = {
  readonly files: AssetFiles;
  readonly store: PreviewStore;
  readonly times: KeepTimes;
  /** What a file is by its bytes. */
  readonly probe: (bytes: Uint8Array) => Probed;
};

/** What an address led to: bytes and their type, or the reason for the box that stands in their place. */
type Copy = { readonly bytes: Uint8Array; readonly mime: string } | { readonly missing: string };

/**
 * Copies what the addresses name into the store, judged by bytes alone. Never fails for what an address does; what could not be
 * copied is `missing` with its reason. Throws when the store is full.
 */
export async function copyMedia(urls: readonly string[], order: MediaOrder): Promise<ReadonlyMap<string, MediaRef>> {
  const wanted = [...new Set(urls)];
  const copies = await Promise.all(wanted.map((url) => copyOne(url, order)));
  const files = copies.filter((one) => 'bytes' in one);
  const kept = files.length === 0 ? [] : await order.store.keepMedia(files, order.times);
  const refs = new Map<Copy, MediaRef>(files.map((file, at) => [file, kept[at] ?? { missing: 'It was not kept.' }]));
  return new Map(wanted.map((url, at) => [url, refOf(copies[at], refs)]));
}

function refOf(copy: Copy | undefined, refs: ReadonlyMap<Copy, MediaRef>): MediaRef {
  if (copy === undefined) return { missing: 'It was not fetched.' };
  return 'missing' in copy ? copy : (refs.get(copy) ?? { missing: 'It was not kept.' });
}

async function copyOne(url: string, { files, probe }: MediaOrder): Promise<Copy> {
  try {
    const bytes = await files.readWhole(url);
    const probed = probe(bytes);
    return probed.ok ? { bytes, mime: probed.media.mime } : { missing: probed.message };
  } catch (error) {
    return { missing: taskErrorOrThrow(error).message };
  }
}
