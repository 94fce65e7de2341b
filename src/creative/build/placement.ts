import { TaskError } from '../../protocol/errors.js';

/** Sizes in pixels. */
type Size = { readonly width: number; readonly height: number };

/** A finished ad that is to stand whole in another size. */
export type Placement = {
  readonly from: Size;
  readonly to: Size;
  /** How many pixels of the picture stand for one of the ad that it shows. */
  readonly density: number;
  /** Whether it is drawn anew at every scale, as HTML is. */
  readonly isSharp: boolean;
};

/** More enlarged than this, a picture is soft. */
export const MAX_ENLARGED = 1.5;
/** Smaller than this, the small letters of an ad, ten pixels high, are not read any more. */
const LEAST_SCALE = 0.7;
/** Least share of the new size that the ad covers; with less of it the new ad is empty ground. */
const LEAST_COVERED = 0.4;

/** What of a placement is below the floor of quality, in words for the buyer. */
type Fault = { readonly reason: string; readonly found: number; readonly least: number };

/** Returns what makes a placement unfit to be shown; undefined where it is fit. */
export function findPlacementFault({ from, to, density, isSharp }: Placement): Fault | undefined {
  const whole = Math.min(to.width / from.width, to.height / from.height);
  const scale = isSharp ? whole : Math.min(whole, MAX_ENLARGED);
  const readable = scale * density;
  if (readable < LEAST_SCALE)
    return {
      reason: `its texts would be set at ${percent(readable)} of their size, and ${percent(LEAST_SCALE)} are needed to read them`,
      found: readable,
      least: LEAST_SCALE,
    };
  const covered = (from.width * scale * from.height * scale) / (to.width * to.height);
  if (covered >= LEAST_COVERED) return undefined;
  const cause = whole > scale ? `, enlarged no further than is sharp` : '';
  return {
    reason: `it would cover ${percent(covered)} of the new size${cause}, and ${percent(LEAST_COVERED)} are needed`,
    found: covered,
    least: LEAST_COVERED,
  };
}

/** Throws VALIDATION_ERROR at the asset of a finished ad that cannot stand in another size, with what would be needed instead. */
export function requirePlaceable(placement: Placement, field: string): void {
  const fault = findPlacementFault(placement);
  if (fault === undefined) return;
  const { from, to, density } = placement;
  const [own, wanted] = [from, to].map(({ width, height }) => `${width}x${height}`);
  throw new TaskError(
    'VALIDATION_ERROR',
    `The finished ad of ${own} cannot be shown whole at ${wanted}: ${fault.reason}.`,
    {
      field,
      details: {
        found: { width: from.width, height: from.height, scale: round(fault.found) },
        wanted: { width: to.width, height: to.height, least: fault.least },
      },
      suggestion: `Send the parts of the ad to have it laid out anew: a headline as a text asset, a picture without letters as main_image, a logo and a click URL; or send the ad finished in ${wanted}${density > 1 ? '' : `, or in a shape that is nearer to it`}. A creative that was built here in the last 7 days is laid out anew from its own parts.`,
    },
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
