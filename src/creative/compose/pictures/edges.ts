import { sumOf } from '../../../platform/kernel/numbers.js';

/** How far the colors along a picture's edges are from a single color or an even gradient, 0 to 1: the worse of the two of an axis. */
export type EdgeUnevenness = { readonly sides: number; readonly ends: number };

/** Raw pixels of four channels. */
type Pixels = { readonly rgba: Uint8Array; readonly width: number; readonly height: number };

/** Returns how uneven the left and right edges of a picture are, and the upper and lower ones; what is see-through counts as white. */
export function measureEdges(pixels: Pixels): EdgeUnevenness {
  const { width, height } = pixels;
  const row = (y: number): number => measureLine(pixels, { start: y * width, step: 1, length: width });
  const column = (x: number): number => measureLine(pixels, { start: x, step: width, length: height });
  return { sides: Math.max(column(0), column(width - 1)), ends: Math.max(row(0), row(height - 1)) };
}

/** Pixels in a line, as their indices. */
type Line = { readonly start: number; readonly step: number; readonly length: number };

function measureLine({ rgba }: Pixels, { start, step, length }: Line): number {
  const channels = [0, 1, 2].map((channel) =>
    Array.from({ length }, (_, index) => {
      const at = (start + index * step) * 4;
      const alpha = (rgba[at + 3] ?? 0) / 255;
      return ((rgba[at + channel] ?? 0) * alpha) / 255 + 1 - alpha;
    }),
  );
  return Math.max(...channels.map(deviateFromGradient));
}

/** Returns the mean distance of values from the straight line that fits them best (least squares). */
function deviateFromGradient(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = sumOf(values) / values.length;
  const spread = values.reduce((sum, _value, index) => sum + (index - middle) ** 2, 0);
  const rise = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  const slope = spread === 0 ? 0 : rise / spread;
  const distances = values.map((value, index) => Math.abs(value - mean - slope * (index - middle)));
  return sumOf(distances) / values.length;
}
