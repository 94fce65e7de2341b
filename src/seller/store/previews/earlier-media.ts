import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { mediaType } from '../../../creative/preview/media.js';
import type { PromisedTimes } from '../../../creative/preview/ports.js';
import type { SellerPreviews } from './preview-store.js';

const MEDIA_NAME = /^[0-9a-f]{64}\.[a-z0-9]{2,4}$/;

/**
 * Takes over the pictures that an earlier version stored as files below `folder`, since they are promised for longer than a preview
 * lives, and removes the folder.
 */
export async function takeOverMedia(
  folder: string,
  previews: Pick<SellerPreviews, 'takeOver'>,
  times: PromisedTimes,
): Promise<void> {
  const names = await readdir(path.join(folder, 'media')).catch(() => []);
  for (const name of names.filter((each) => MEDIA_NAME.test(each))) {
    const mime = mediaType(name);
    if (mime !== undefined)
      await previews.takeOver(name, { bytes: await readFile(path.join(folder, 'media', name)), mime }, times);
  }
  await rm(folder, { recursive: true, force: true });
}
