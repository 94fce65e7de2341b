import type { FormatOption } from '../../../../creative/formats/canonical/declaration.js';
import { toCanonicalAssets, toOwnAssets } from '../../../../creative/formats/canonical/groups.js';
import {
  checkNamedOnce,
  findOption,
  isCanonical,
  selectOption,
} from '../../../../creative/formats/canonical/select.js';
import { TaskError } from '../../../../protocol/errors.js';
import { projectMembers } from '../../../../protocol/members.js';
import type { Release } from '../../../../protocol/releases.js';
import type { Creative } from '../../../domain/creative/creative.js';
import type { Seller } from '../../../domain/tenant/seller.js';
import { listOptions } from '../formats.js';
import type { CreativeAsset } from '../shapes.js';

/** The members of a creative that name its format in canonical terms. */
export const CANONICAL_MEMBERS = ['format_kind', 'format_option_ref'] as const;

/** The context in which a creative in canonical terms is read. */
type Reading = {
  readonly seller: Seller;
  /** The creative of this id that is in the library. */
  readonly before: Pick<Creative, 'format_id' | 'assets'> | undefined;
  /** Its path in the arguments, such as `creatives[3]`. */
  readonly field: string;
};

/**
 * Returns a creative with the format and the names of assets that the seller has for it; one that names its format by `format_id` alone
 * as it came. Throws FORMAT_NOT_SUPPORTED for a kind or option that is not offered, INVALID_REQUEST for two that differ.
 */
export function readCanonicalCreative(asset: CreativeAsset, { seller, before, field }: Reading): CreativeAsset {
  if (!isCanonical(asset)) {
    if (asset.format_id === undefined) throw withoutFormat(field);
    return asset;
  }
  checkNamedOnce(asset, field);
  const option = findOptionOf(asset, { seller, before, field });
  if (option === undefined) return asset;
  const { assets } = asset;
  return { ...asset, format_id: option.format.format_id, assets: assets && toOwnAssets(option.groups, assets) };
}

function withoutFormat(field: string): TaskError {
  return new TaskError('INVALID_REQUEST', 'The format of the creative is missing.', {
    field: `${field}.format_id`,
    suggestion: 'Add format_id {agent_url, id} from list_creative_formats, or format_kind of format_options.',
  });
}

function findOptionOf(asset: CreativeAsset, { seller, before, field }: Reading): FormatOption | undefined {
  const options = listOptions(seller);
  if (asset.format_id !== undefined) {
    findOption(options, asset.format_option_ref, `${field}.format_option_ref`);
    return undefined;
  }
  const present =
    before === undefined || asset.assets !== undefined ? undefined : seller.formatOptions.find(before.format_id);
  // A creative that is sent again without assets stays what it is.
  const isSame = present !== undefined && asset.format_option_ref === undefined;
  if (isSame && present.declaration.format_kind === asset.format_kind) return present;
  return selectOption(options, asset, asset.assets, field);
}

/** Returns a listed creative in the terms that its buyer sent it in, where the release has them. */
export function showCanonicalCreative(
  wire: Readonly<Record<string, unknown>>,
  creative: Pick<Creative, 'format_id' | 'assets' | 'echoed'>,
  { seller, release }: { readonly seller: Seller; readonly release: Release },
): Readonly<Record<string, unknown>> {
  const shown = projectMembers('creative', wire, release);
  const option = creative.echoed.format_kind === undefined ? undefined : seller.formatOptions.find(creative.format_id);
  if (option === undefined || shown.format_kind === undefined) return shown;
  const { format_id: _named, ...rest } = shown;
  return { ...rest, assets: toCanonicalAssets(option.groups, creative.assets) };
}
