import { TaskError } from '../../protocol/errors.js';
import type { OutputFormat } from '../compose/pictures/image-processor.js';
import type { Dimensions, GroupSlot, Requirements } from '../formats/format.js';

import { MAX_PIXELS } from '../probe/types.js';
import type { BuildOrder } from './types.js';

/** The purpose of an image slot: a whole ad, a picture without words, or the brand's mark. */
type ImagePart = 'ad' | 'picture' | 'mark';

const MARKS = /logo|icon|avatar/;
const PICTURES = /main_image|thumbnail|product_image|carousel|photo|picture|proposal_image|format_image|background/;

/** The format that is built for, and the template of its page if it has one. */
type Target = Pick<BuildOrder, 'format' | 'template'>;

/** Returns the purpose of an image slot, by its name; where a card or a template sets the words, images carry none of their own. */
export function classifyImageSlot({ asset_id }: GroupSlot, { format, template }: Target): ImagePart {
  if (MARKS.test(asset_id)) return 'mark';
  return PICTURES.test(asset_id) || format.type === 'native' || template !== undefined ? 'picture' : 'ad';
}

/** Size of an image in pixels, and how many of them stand for one of the layout. */
export type ImageSize = { readonly width: number; readonly height: number; readonly scale: number };

const DEFAULTS: Readonly<Record<ImagePart, readonly [number, number]>> = {
  ad: [1200, 628],
  picture: [1200, 628],
  mark: [300, 300],
};
/** Longest side of an image that is given by its ratio alone. */
const RATIO_LONG_SIDE_PX = 1920;

/** Returns the size that a slot wants: exact, within limits, of a ratio, or that of the piece it is rendered in. */
export function measureImageSlot(slot: GroupSlot, target: Target): ImageSize {
  const { requirements = {} } = slot;
  const part = classifyImageSlot(slot, target);
  const render: Dimensions = target.format.renders[0]?.dimensions ?? {};
  const own = exactSize(requirements);
  const fixed = part === 'ad' ? fixedSize(render) : undefined;
  const ratio =
    parseImageRatio(requirements.aspect_ratio) ?? (part === 'ad' ? parseImageRatio(render.aspect_ratio) : undefined);
  const [width, height] = own ?? fixed ?? (ratio === undefined ? DEFAULTS[part] : sizeFromRatio(ratio));
  const within: readonly [number, number] = [
    clamp(width, requirements, 'width'),
    clamp(height, requirements, 'height'),
  ];
  if (within[0] * within[1] > MAX_PIXELS) {
    throw new TaskError(
      'VALIDATION_ERROR',
      `Slot ${slot.asset_id} asks for ${within[0]}x${within[1]} pixels, more than can be rendered.`,
      { details: { slot: slot.asset_id }, suggestion: 'Ask for a format of fewer pixels.' },
    );
  }
  return { width: within[0], height: within[1], scale: densityOf(within, fixed) };
}

function densityOf([width, height]: readonly [number, number], logical: readonly [number, number] | undefined): number {
  const scale = logical === undefined ? 1 : width / logical[0];
  return Number.isInteger(scale) && logical !== undefined && height / logical[1] === scale ? scale : 1;
}

function fixedSize({ width, height }: Dimensions): readonly [number, number] | undefined {
  return width === undefined || height === undefined ? undefined : [width, height];
}

function exactSize(requirements: Requirements): readonly [number, number] | undefined {
  const side = (name: 'width' | 'height'): number | undefined => {
    const [exact, least, most] = [requirements[name], requirements[`min_${name}`], requirements[`max_${name}`]];
    if (typeof exact === 'number') return exact;
    return typeof least === 'number' && least === most ? least : undefined;
  };
  const [width, height] = [side('width'), side('height')];
  return width === undefined || height === undefined ? undefined : [width, height];
}

function clamp(value: number, requirements: Requirements, name: 'width' | 'height'): number {
  const [least, most] = [requirements[`min_${name}`], requirements[`max_${name}`]];
  return Math.round(
    Math.min(typeof most === 'number' ? most : value, Math.max(typeof least === 'number' ? least : value, value)),
  );
}

function parseImageRatio(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(value) : null;
  const ratio = Number(match?.[1]) / Number(match?.[2]);
  return ratio > 0 && Number.isFinite(ratio) ? ratio : undefined;
}

function sizeFromRatio(ratio: number): readonly [number, number] {
  return ratio >= 1
    ? [RATIO_LONG_SIDE_PX, Math.round(RATIO_LONG_SIDE_PX / ratio)]
    : [Math.round(RATIO_LONG_SIDE_PX * ratio), RATIO_LONG_SIDE_PX];
}

/** Returns the most bytes of a file in a slot; kilobytes are counted as 1000, which satisfies either reading. */
export function maxSlotBytes({ requirements = {} }: GroupSlot): number {
  const { max_file_size_kb: kilobytes, max_file_size_mb: megabytes } = requirements;
  if (typeof kilobytes === 'number') return kilobytes * 1000;
  return typeof megabytes === 'number' ? megabytes * 1_000_000 : 5_000_000;
}

const FORMAT_NAMES: Readonly<Record<string, OutputFormat>> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp' };

/** Returns the formats that a slot takes and we can write, the preferred one first. Throws VALIDATION_ERROR when there is none. */
export function listOutputFormats(
  { asset_id, requirements = {} }: GroupSlot,
  preferred: OutputFormat,
): readonly [OutputFormat, ...OutputFormat[]] {
  const allowed = Array.isArray(requirements.formats) ? requirements.formats : ['png', 'jpg', 'webp'];
  const writable = [...new Set(allowed.flatMap((name) => FORMAT_NAMES[String(name).toLowerCase()] ?? []))];
  const [first, ...others] = [
    ...writable.filter((name) => name === preferred),
    ...writable.filter((name) => name !== preferred),
  ];
  if (first === undefined) {
    throw new TaskError(
      'VALIDATION_ERROR',
      `Slot ${asset_id} takes none of the image formats that can be written here (png, jpg, webp).`,
      {
        details: { slot: asset_id, wanted: allowed },
        suggestion: 'Send a finished image of one of the formats in wanted, in the exact size.',
      },
    );
  }
  return [first, ...others];
}
