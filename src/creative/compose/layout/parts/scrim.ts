import { contrast, mix, type Palette } from '../../pictures/color.js';

/** Returns the color and the opacity of a scrim upon which every text of a palette reads, whatever picture lies beneath. */
export function chooseScrim({ ground, ink, quiet, accent, accentReads }: Palette): { readonly fill: string; readonly opacity: number } {
  const texts = [ink, quiet, ...(accentReads ? [accent] : [])];
  const reads = (opacity: number): boolean =>
    ['#ffffff', '#000000'].every((picture) =>
      texts.every((text) => contrast(text, mix(picture, ground, opacity)) >= MIN_CONTRAST),
    );
  for (let opacity = LEAST; opacity < 1; opacity += 0.02) if (reads(opacity)) return { fill: ground, opacity };
  return { fill: ground, opacity: 1 };
}

const LEAST = 0.6;
/** A little over what texts need, for what rounding takes. */
const MIN_CONTRAST = 4.6;
