import { createHash } from 'node:crypto';
import { isObject } from '../../../platform/kernel/json/json.js';

/** A color as red, green and blue, 0 to 255 each. */
type Rgb = readonly [red: number, green: number, blue: number];

/** A brand's colors as `#rrggbb` in lower case; only what the brand gave. */
export type BrandColors = {
  readonly primary?: string;
  readonly secondary?: string;
  readonly accent?: string;
  readonly background?: string;
  readonly text?: string;
};

/** The least contrast of text with what is behind it (WCAG 2 AA), and of a button with its surroundings. */
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;

const WHITE = '#ffffff';
const BLACK = '#000000';

/**
 * Returns `#rgb`, `#rrggbb` or `#rrggbbaa` (alpha is dropped), with or without `#`, as `#rrggbb` in lower case; undefined when
 * it is none of these.
 */
export function parseHex(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(value.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits.slice(0, 6)}`;
}

const ROLES = ['primary', 'secondary', 'accent', 'background', 'text'] as const;

/**
 * Reads brand colors in either wire form: `{primary, secondary, …}`, each a hex string or a list of them, or `[{hex, type}]`,
 * where entries without a usable type take the free roles in order. What is no color is left out.
 */
export function readColors(value: unknown): BrandColors {
  if (Array.isArray(value)) return readColorList(value);
  return isObject(value) ? readColorRoles(value) : {};
}

function readColorRoles(value: Readonly<Record<string, unknown>>): BrandColors {
  const colors: { -readonly [Role in keyof BrandColors]: string } = {};
  for (const role of ROLES) {
    const hex = parseHex(firstColor(value[role]));
    if (hex !== undefined) colors[role] = hex;
  }
  return colors;
}

function firstColor(given: unknown): unknown {
  if (Array.isArray(given)) return given[0];
  return isObject(given) ? given.hex : given;
}

function readColorList(list: readonly unknown[]): BrandColors {
  const colors: { -readonly [Role in keyof BrandColors]: string } = {};
  const untyped: string[] = [];
  for (const entry of list) {
    const hex = parseHex(isObject(entry) ? (entry.hex ?? entry.value) : entry);
    if (hex === undefined) continue;
    const named = isObject(entry) ? (entry.type ?? entry.role) : undefined;
    const role = ROLES.find((one) => one === named);
    if (role === undefined || colors[role] !== undefined) untyped.push(hex);
    else colors[role] = hex;
  }
  for (const role of ROLES.slice(0, 3)) if (colors[role] === undefined) assign(colors, role, untyped.shift());
  return colors;
}

function assign(colors: { [role: string]: string }, role: string, hex: string | undefined): void {
  if (hex !== undefined) colors[role] = hex;
}

/** Returns red, green and blue of a `#rrggbb`. */
export function rgbOf(hex: string): Rgb {
  const number = Number.parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 0xff, number & 0xff];
}

/** Returns `#rrggbb` of three channels; rounds and clamps. */
function hexOf(rgb: Rgb): string {
  return `#${rgb
    .map((channel) =>
      Math.min(255, Math.max(0, Math.round(channel)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** Returns a mixture: `share` 0 is all `from`, 1 all `to`. */
export function mix(from: string, to: string, share: number): string {
  const [a, b] = [rgbOf(from), rgbOf(to)];
  return hexOf([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]);
}

/** Returns the WCAG relative luminance, 0 (black) to 1 (white). */
export function luminance(hex: string): number {
  const [red, green, blue] = rgbOf(hex);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Returns whether white reads better on a color than black. */
export function isDark(hex: string): boolean {
  return contrast(WHITE, hex) >= contrast(BLACK, hex);
}

/** Returns the WCAG contrast ratio of two colors, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/**
 * Returns a text color that reads on `background` with at least `least`: `wanted` when it does, else `wanted` darkened or
 * lightened as little as is enough, whichever way gets there. Black or white always reach 4.5.
 */
export function chooseReadable(background: string, wanted: string, least: number = TEXT_CONTRAST): string {
  for (let step = 0; step <= STEPS; step += 1) {
    for (const end of [WHITE, BLACK]) {
      const shade = mix(wanted, end, step / STEPS);
      if (contrast(shade, background) >= least) return shade;
    }
  }
  return contrast(WHITE, background) >= contrast(BLACK, background) ? WHITE : BLACK;
}

const STEPS = 20;

/** The colors of one ad. Text pairs have contrast >= 4.5: `ink` and `quiet` on the ground and every shape, `accentInk` on `accent`. */
export type Palette = {
  /** The brand's primary color as it was given. */
  readonly ground: string;
  /** Far end of the background's gradient. */
  readonly groundFar: string;
  /** Shapes upon the ground, the second one stronger. */
  readonly shape: string;
  readonly shapeFar: string;
  readonly ink: string;
  /** For body text: the ink, a little nearer to the ground. */
  readonly quiet: string;
  /** The one accent: call to action, badge, monogram. Contrast with the ground >= 3. */
  readonly accent: string;
  readonly accentInk: string;
  /** Whether text in the accent color has contrast >= 4.5 on the ground and every shape. */
  readonly accentReads: boolean;
};

/** Derives every color of an ad from the brand's; deterministic. `primary` stays untouched as the ground. */
export function buildPalette(colors: BrandColors & { readonly primary: string }): Palette {
  const ground = colors.primary;
  for (const ink of inksFor(ground, colors.text)) {
    for (const accent of [colors.accent, colors.secondary, ink]) {
      if (accent === undefined) continue;
      const shades = deriveShades(ground, ink, accent);
      const isReadable = minContrast(ink, ground, shades) >= TEXT_CONTRAST;
      if (isReadable && hasContrast(accent, ground, shades)) return finishPalette(ground, ink, accent, shades);
    }
  }
  return finishPalette(ground, BLACK, BLACK, shades(ground, WHITE, 1.2));
}

type Shades = Pick<Palette, 'groundFar' | 'shape' | 'shapeFar'>;

function finishPalette(ground: string, ink: string, accent: string, shades: Shades): Palette {
  const quiet = [0.22, 0.14, 0.07].map((share) => mix(ink, ground, share));
  return {
    ground,
    ...shades,
    ink,
    quiet: quiet.find((shade) => minContrast(shade, ground, shades) >= TEXT_CONTRAST + 0.5) ?? ink,
    accent,
    accentInk: inkOnAccent(accent, ground),
    accentReads: minContrast(accent, ground, shades) >= TEXT_CONTRAST,
  };
}

/**
 * Whether an accent has the contrast of a shape on the ground; on the motif, which lies behind it in places, a little
 * less will do.
 */
function hasContrast(accent: string, ground: string, shades: Shades): boolean {
  return contrast(accent, ground) >= SHAPE_CONTRAST && minContrast(accent, ground, shades) >= 2.2;
}

function minContrast(color: string, ground: string, shades: Shades): number {
  return Math.min(...[ground, ...Object.values(shades)].map((behind) => contrast(color, behind)));
}

/**
 * Returns shades of the ground that keep the ink readable: the far ones away from the ink, the near one lighter where the ink allows it,
 * for depth. Where the ground is nearly black or white already, all go a trace to the other side.
 */
function deriveShades(ground: string, ink: string, tint: string): Shades {
  const light = luminance(ground);
  if (light < 0.025) return shades(ground, WHITE, 0.36);
  if (light > 0.82) return shades(ground, tint === ink ? BLACK : tint, 0.4);
  if (luminance(ink) < light) return shades(ground, WHITE, 1.2);
  const { shape, ...far } = shades(ground, BLACK, 1);
  const least = Math.min(contrast(tint, ground), TEXT_CONTRAST);
  const lighter = [0.1, 0.08, 0.06].map((share) => mix(ground, WHITE, share));
  const reads = (one: string): boolean => contrast(ink, one) >= TEXT_CONTRAST + 1.5 && contrast(tint, one) >= least;
  return { ...far, shape: lighter.find(reads) ?? shape };
}

function shades(ground: string, end: string, reach: number): Shades {
  const [groundFar, shape, shapeFar] = [0.2, 0.13, 0.32].map((share) => mix(ground, end, share * reach));
  return { groundFar: groundFar ?? ground, shape: shape ?? ground, shapeFar: shapeFar ?? ground };
}

/**
 * Returns white for what is dark enough; else the brand's text color, a near black with a trace of the ground, or
 * black.
 */
function inksFor(ground: string, text: string | undefined): readonly string[] {
  if (contrast(WHITE, ground) >= TEXT_CONTRAST) return [WHITE];
  const isDark = text !== undefined && luminance(text) < luminance(ground);
  return [...(isDark ? [text] : []), mix(ground, BLACK, 0.88), BLACK];
}

function inkOnAccent(accent: string, ground: string): string {
  if (contrast(ground, accent) >= TEXT_CONTRAST) return ground;
  return luminance(accent) > 0.3 ? chooseReadable(accent, mix(ground, BLACK, 0.8)) : chooseReadable(accent, WHITE);
}

/** Primary and secondary pairs that go together: what a brand without colors gets. */
const HOUSE_PAIRS = [
  ['#1f3a5f', '#f2b441'],
  ['#14532d', '#f4c95d'],
  ['#5b2245', '#f6a192'],
  ['#0f4c4f', '#f5b971'],
  ['#3b2f63', '#ffc857'],
  ['#7a2e1d', '#f7d08a'],
  ['#243447', '#7bdcb5'],
  ['#4a154b', '#ecb22e'],
] as const;

/** Returns the colors of a brand that gave none: a pair of the house, chosen by its name, always the same. */
export function chooseColors(name: string): { readonly primary: string; readonly secondary: string } {
  const byte = createHash('sha256').update(name.normalize('NFC').toLowerCase()).digest()[0] ?? 0;
  const [primary, secondary] = HOUSE_PAIRS[byte % HOUSE_PAIRS.length] ?? HOUSE_PAIRS[0];
  return { primary, secondary };
}
