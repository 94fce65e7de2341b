import {
  type BrandColors,
  buildPalette,
  chooseReadable,
  contrast,
  luminance,
  mix,
  type Palette,
} from '../pictures/color.js';

/** The ground that a family sets its words on: the brand's own color, a tinted paper, plain white, or the brand's color at night. */
export type Scheme = 'brand' | 'paper' | 'white' | 'night';

/** The palettes of one ad: on its ground, and on blocks of another of the brand's colors. */
type Palettes = { readonly palette: Palette; readonly block: Palette };

type Colors = BrandColors & { readonly primary: string };

/** Returns the palettes of a scheme; every pair of text and ground has the contrast that `Palette` promises. */
export function buildPalettes(colors: Colors, scheme: Scheme): Palettes {
  return BUILD[scheme](colors);
}

const BUILD: Readonly<Record<Scheme, (colors: Colors) => Palettes>> = {
  brand: (colors) => {
    const palette = buildPalette(colors);
    const { primary, secondary, accent } = colors;
    const other = [secondary, accent].find(
      (color) => color !== undefined && color !== palette.accent && contrast(color, primary) >= MIN_BLOCK_CONTRAST,
    );
    const block = buildPalette({ primary: other ?? palette.shapeFar, secondary: palette.accent });
    return { palette, block: other === undefined ? block : paintBlock(block, colors) };
  },
  paper: (colors) => onLight(colors, mix(mix(colors.primary, '#ffffff', 0.93), WARM, 0.55)),
  white: (colors) => onLight(colors, '#ffffff'),
  night: (colors) => {
    const ground = darken(colors.primary);
    const light = [colors.accent, colors.secondary, colors.primary].find(
      (color) => color !== undefined && contrast(color, ground) >= MIN_LEAD_CONTRAST,
    );
    const palette = buildPalette({ primary: ground, secondary: light ?? chooseReadable(ground, colors.primary, 7) });
    return { palette, block: paintBlock(buildPalette(colors), colors) };
  },
};

/** A block that is told from its ground. */
const MIN_BLOCK_CONTRAST = 1.35;
/** Of the color that leads on a ground that is not the brand's: it is that of the button, and of words. */
const MIN_LEAD_CONTRAST = 4.5;
const WARM = '#faf7f2';

/** Returns a block's palette with the brand's other colors for its shapes, as no words lie on them. */
function paintBlock(block: Palette, { primary, secondary, accent }: Colors): Palette {
  const others = [secondary, accent, primary].filter(
    (color) => color !== undefined && contrast(color, block.ground) >= MIN_BLOCK_CONTRAST,
  );
  const light = mix(block.ground, '#ffffff', luminance(block.ground) > 0.4 ? 0.45 : 0.2);
  return { ...block, shape: light, shapeFar: others[0] ?? block.shapeFar };
}

/** Returns dark words on a light ground, led by the first of the brand's colors that reads there. */
function onLight({ primary, secondary, accent, text }: Colors, ground: string): Palettes {
  const lead = [primary, secondary, accent].find(
    (color) => color !== undefined && contrast(color, ground) >= MIN_LEAD_CONTRAST,
  );
  const palette = buildPalette({
    primary: ground,
    secondary: lead ?? chooseReadable(ground, primary, MIN_LEAD_CONTRAST),
    text: text ?? mix(primary, '#000000', 0.82),
  });
  return { palette, block: paintBlock(buildPalette({ primary, secondary, accent }), { primary, secondary, accent }) };
}

/** Returns the color as dark as a photograph by night, with its hue. */
function darken(color: string): string {
  for (let share = 0; share < 1; share += 0.04) {
    const shade = mix(color, '#000000', share);
    if (luminance(shade) <= MAX_NIGHT_LUMINANCE) return shade;
  }
  return '#000000';
}

const MAX_NIGHT_LUMINANCE = 0.022;
