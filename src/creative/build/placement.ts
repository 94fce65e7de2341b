import { TaskError } from '../../protocol/errors.js';
import type { EdgeUnevenness } from '../compose/pictures/edges.js';

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
  /** How uneven the edges are that go on beyond it; undefined where plain ground is put around it. */
  readonly edges?: EdgeUnevenness;
};

/** More enlarged than this, a picture is soft. */
export const MAX_ENLARGED = 1.5;
/** Smaller than this, the small letters of an ad, ten pixels high, are not read any more. */
const LEAST_SCALE = 0.7;
/** Least share of the new size that the ad covers; with less of it the new ad is mostly empty ground. */
const LEAST_COVERED = 0.5;
/** Least share where the edge that goes on is not plain: letters or a photograph are smeared across the rest. */
const LEAST_COVERED_UNEVEN = 0.7;
/** An edge is plain while its colors are no further than this from one color or an even gradient. */
const MAX_PLAIN = 0.02;

/** A measure of a placement below the floor of quality, in words for the buyer. */
type Fault = { readonly reason: string; readonly found: number; readonly least: number };

/** Returns what makes a placement unfit to be shown; undefined where it is fit. */
export function findPlacementFault({ from, to, density, isSharp, edges }: Placement): Fault | undefined {
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
  const isUneven =
    edges !== undefined &&
    ((to.width - from.width * scale > 1 && edges.sides > MAX_PLAIN) ||
      (to.height - from.height * scale > 1 && edges.ends > MAX_PLAIN));
  const least = isUneven ? LEAST_COVERED_UNEVEN : LEAST_COVERED;
  if (covered >= least) return undefined;
  const cause = whole > scale ? `, enlarged no further than is sharp` : '';
  return {
    reason: `it would cover ${percent(covered)} of the new size${cause}, and ${percent(least)} are needed${isUneven ? ', since the edge that would go on beyond it is not plain' : ''}`,
    found: covered,
    least,
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
        found: { width: from.width, height: from.height, scale: roundToHundredths(fault.found) },
        wanted: { width: to.width, height: to.height, least: fault.least },
      },
      suggestion: `Send the parts of the ad to have it laid out anew: a headline as a text asset, a picture without letters as main_image, a logo and a click URL; or send the ad finished in ${wanted}${density > 1 ? '' : `, or in a shape that is nearer to it`}. A creative that was built here in the last 7 days is laid out anew from its own parts.`,
    },
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

function roundToHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
