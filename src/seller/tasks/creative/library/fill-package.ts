import type { z } from 'zod';
import type { MediaBuy, Package } from '../../../domain/media-buy/media-buy.js';
import type { CreativeAsset, creativeAssignment } from '../shapes.js';
import { assignCreative, findCreative, makeSampleCreative } from './assign-creative.js';
import { placedCreatives } from './intake.js';
import { type Library, saveCreative } from './save-creative.js';

/** Creatives of one package in a create or update: assets to bring in and assign, and library creatives to assign. */
type PackageCreatives = {
  readonly creatives?: readonly CreativeAsset[] | undefined;
  readonly creative_assignments?: readonly z.output<typeof creativeAssignment>[] | undefined;
};

/** Whether a package request says anything about creatives. */
export function namesCreatives(request: PackageCreatives): boolean {
  return request.creatives !== undefined || request.creative_assignments !== undefined;
}

/** Fills a package with exactly the creatives that a request names; those it held before leave. `field` is the package's path. */
export async function fillPackage(
  library: Library,
  { buy, line }: { readonly buy: MediaBuy; readonly line: Package },
  request: PackageCreatives,
  field: string,
): Promise<void> {
  const { app, db, account } = library;
  await db.creatives.release(buy.media_buy_id, line.package_id);
  for (const { asset, field: path } of placedCreatives(request.creatives, `${field}.creatives`)) {
    const saved = await saveCreative(library, asset, path, buy.media_buy_id);
    await assignCreative(library, { buy, line }, { creative: saved.creative, weight: asset.weight }, path);
  }
  for (const [index, entry] of (request.creative_assignments ?? []).entries()) {
    const path = `${field}.creative_assignments[${index}].creative_id`;
    const creative =
      (await makeSampleCreative(library, line, entry.creative_id)) ??
      (await findCreative(library, account.account_id, entry.creative_id, path));
    await assignCreative(library, { buy, line }, { creative, weight: entry.weight }, path);
  }
  app.log.debug({ media_buy_id: buy.media_buy_id, package_id: line.package_id }, 'creatives of a package replaced');
}
