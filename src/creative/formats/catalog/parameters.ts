import type { Dimensions, Format, FormatId, GroupSlot, Requirements, Slot } from '../format.js';
import { deepFreeze, exactly, PLAYER } from './rows.js';

/** The longest side that a format id may ask of a template, in pixels. */
const MAX_SIDE_PX = 10_000;

const MAX_DURATION_MS = 6 * 3_600_000;

/** The outcome for the parameters in a format id: nothing to do, taken by the template, or refused. */
type Judged = 'fixed' | 'taken' | 'refused';

/**
 * Returns the format that a reference means: a template takes on the size or length that the id names, its slots with it. A
 * format of fixed size stays as it is where the id repeats that size. Undefined when the format does not come that way.
 */
export function concreteFormat(format: Format, ref: FormatId): Format | undefined {
  const judged = [judgeSize(format, ref), judgeLength(format, ref)];
  if (judged.includes('refused')) return undefined;
  if (!judged.includes('taken')) return format;
  const { width, height, duration_ms } = ref;
  const { accepts_parameters: _taken, ...rest } = format;
  const assets = format.assets.map((slot) => concreteSlot(slot, ref));
  const sized = width === undefined ? '' : ` ${width}x${height}`;
  const timed = duration_ms === undefined ? '' : ` ${duration_ms / 1000}s`;
  return deepFreeze({
    ...rest,
    format_id: { ...ref, agent_url: format.format_id.agent_url },
    name: `${format.name}${sized}${timed}`,
    renders: format.renders.map(({ role, dimensions }) => ({
      role,
      dimensions: dimensions ?? renderSize(format, ref),
    })),
    assets,
    assets_required: assets.filter((slot) => slot.required),
  });
}

function renderSize({ type }: Format, { width, height }: FormatId): Dimensions {
  if (width !== undefined && height !== undefined) return { width, height };
  return type === 'video' ? PLAYER : {};
}

function judgeSize({ accepts_parameters = [], renders }: Format, { width, height }: FormatId): Judged {
  if (width === undefined || height === undefined) return 'fixed';
  if (accepts_parameters.includes('dimensions')) {
    return Math.max(width, height) <= MAX_SIDE_PX ? 'taken' : 'refused';
  }
  const isSameSize = renders.some(({ dimensions }) => dimensions?.width === width && dimensions.height === height);
  return isSameSize ? 'fixed' : 'refused';
}

function judgeLength({ accepts_parameters = [], assets }: Format, { duration_ms }: FormatId): Judged {
  if (duration_ms === undefined) return 'fixed';
  if (accepts_parameters.includes('duration')) return duration_ms <= MAX_DURATION_MS ? 'taken' : 'refused';
  const hasContradiction = assets.some((slot) => {
    const { min_duration_ms: least, max_duration_ms: most } = ('requirements' in slot && slot.requirements) || {};
    return (typeof least === 'number' && least > duration_ms) || (typeof most === 'number' && most < duration_ms);
  });
  return hasContradiction ? 'refused' : 'fixed';
}

function concreteSlot(slot: Slot, ref: FormatId): Slot {
  if (slot.item_type === 'individual') return { ...slot, ...fillRequirements(slot, ref) };
  return { ...slot, assets: slot.assets.map((each) => ({ ...each, ...fillRequirements(each, ref) })) };
}

/** Puts the size and length of the id into requirements, in place of the word that they come from it. */
function fillRequirements(
  { asset_type, requirements }: GroupSlot,
  ref: FormatId,
): { readonly requirements?: Requirements } {
  if (requirements?.parameters_from_format_id !== true) return requirements === undefined ? {} : { requirements };
  const { parameters_from_format_id: _replaced, ...rest } = requirements;
  const { width, height, duration_ms } = ref;
  const isSeen = asset_type === 'image' || asset_type === 'video';
  return {
    requirements: {
      ...rest,
      ...(isSeen && width !== undefined && height !== undefined && exactly(width, height)),
      // Files are measured, and the protocol's requirements written, in whole milliseconds.
      ...(duration_ms !== undefined && {
        min_duration_ms: Math.floor(duration_ms),
        max_duration_ms: Math.ceil(duration_ms),
      }),
    },
  };
}
