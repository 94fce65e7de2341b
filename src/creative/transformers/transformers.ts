import { type Direction, FITS } from '../build/direction.js';
import { isHeadline } from '../build/texts.js';
import { COPY_LANGUAGES } from '../compose/copy/language/table.js';
import { TRANSLATED_LANGUAGES } from '../compose/copy/translate.js';
import { MOTIFS } from '../compose/layout/nodes.js';
import { type AssetType, type Format, type GroupSlot, isGroup } from '../formats/format.js';
import { isMakeable, type Means } from './means.js';

/** The values of a transformer's parameters, by their names. */
export type TransformerConfig = Readonly<Record<string, unknown>>;

/** A parameter of a transformer, under its wire names. */
export type TransformerParam = {
  readonly field: string;
  readonly type: 'string' | 'integer';
  readonly value_source: 'inline' | 'range';
  readonly allowed_values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The value that counts where the buyer sends none; absent of one that has to be sent. */
  readonly default?: string | number;
  readonly required?: true;
  readonly description: string;
};

/** One way in which creatives are built, wherever it is offered. */
type TransformerRow = {
  readonly transformer_id: (typeof TRANSFORMER_IDS)[number];
  readonly name: string;
  readonly description: string;
  /** The formats that it is fed with; undefined for one that builds from a brief. */
  readonly takes?: (format: Format) => boolean;
  readonly makes: (format: Format, means: Means) => boolean;
  /** It is there only where there is this to make creatives with. */
  readonly needs?: keyof Means;
  readonly params: readonly TransformerParam[];
  /** Settings that make alternatives, the usual one first. */
  readonly themes: readonly Theme[];
};

/** One way in which creatives are built here. */
export type Transformer = Omit<TransformerRow, 'makes' | 'needs'> & { readonly makes: (format: Format) => boolean };

/** A named setting of a transformer's parameters. */
type Theme = { readonly name: string; readonly config: TransformerConfig };

const COLORS: TransformerParam = {
  field: 'colors',
  type: 'string',
  value_source: 'inline',
  allowed_values: ['brand', 'inverted'],
  default: 'brand',
  description: 'Whether layouts stand on the first color of the brand or on its second.',
};

const MOTIF: TransformerParam = {
  field: 'motif',
  type: 'string',
  value_source: 'inline',
  allowed_values: ['auto', ...MOTIFS],
  default: 'auto',
  description: 'The drawing behind the words; "auto" goes by what is advertised. Ads with a picture show that instead.',
};

const FIT: TransformerParam = {
  field: 'fit',
  type: 'string',
  value_source: 'inline',
  allowed_values: FITS,
  default: 'auto',
  description:
    'How a picture gets its new shape: cropped, whole with its edges continued, or in a new layout with the words; "auto" crops while little is lost, and never a finished ad.',
};

const HEADLINE_CHARS: TransformerParam = {
  field: 'max_headline_chars',
  type: 'integer',
  value_source: 'range',
  minimum: 15,
  maximum: 60,
  default: 60,
  description: 'Most characters of the headline.',
};

const LANGUAGE: TransformerParam = {
  field: 'language',
  type: 'string',
  value_source: 'inline',
  allowed_values: TRANSLATED_LANGUAGES,
  required: true,
  description: 'The language to translate into, as a BCP 47 tag.',
};

const AD_LANGUAGE: TransformerParam = {
  field: 'language',
  type: 'string',
  value_source: 'inline',
  allowed_values: COPY_LANGUAGES,
  description:
    'The language of the ad, as a BCP 47 tag; that of the message unless sent. Without a text model the words of the message stay, and the button follows.',
};

const MOTIF_THEMES: readonly Theme[] = ['brand', 'inverted'].flatMap((colors) =>
  ['auto', ...MOTIFS].map((motif) => ({
    name: colors === 'brand' ? motif : `${motif}-inverted`,
    config: { colors, motif },
  })),
);

const FIT_THEMES: readonly Theme[] = ['brand', 'inverted'].flatMap((colors) =>
  FITS.map((fit) => ({ name: colors === 'brand' ? fit : `${fit}-inverted`, config: { colors, fit } })),
);

/** The ids of all transformers. */
export const TRANSFORMER_IDS = ['ad_from_brief', 'resize', 'rewrite_headline', 'translate', 'assemble_spot'] as const;

/** Every way in which creatives are built here. */
const TRANSFORMERS: readonly TransformerRow[] = [
  {
    transformer_id: 'ad_from_brief',
    name: 'Ad from a brief',
    description: 'Writes and draws a whole ad from a message and a brand.',
    makes: isMadeFromWords,
    params: [MOTIF, COLORS, AD_LANGUAGE],
    themes: MOTIF_THEMES,
  },
  {
    transformer_id: 'resize',
    name: 'Resize and recompose',
    description: 'Adapts the picture or page of a creative to other sizes, with its words and its trackers.',
    takes: isVisual,
    makes: (format, means) => isMadeFromWords(format, means) && isVisual(format),
    params: [FIT, COLORS],
    themes: FIT_THEMES,
  },
  {
    transformer_id: 'rewrite_headline',
    name: 'Headline rewrite',
    description: 'Writes another headline as the message says, and leaves all else of the creative as it is.',
    takes: hasHeadline,
    makes: (format, means) => isMadeFromWords(format, means) && hasHeadline(format),
    params: [HEADLINE_CHARS],
    themes: [60, 40, 25].map((max_headline_chars) => ({
      name: `${max_headline_chars} characters`,
      config: { max_headline_chars },
    })),
  },
  {
    transformer_id: 'translate',
    name: 'Translation',
    description: 'Translates the texts of a creative into another language, and leaves all else of it as it is.',
    takes: hasText,
    makes: (format, means) => isMadeFromWords(format, means) && hasText(format),
    needs: 'textModel',
    params: [LANGUAGE],
    themes: [],
  },
  {
    transformer_id: 'assemble_spot',
    name: 'Video and audio spots',
    description:
      'Makes a video of stills and clips, with moves, captions, an end card and sound, or audio of speech and music: of exact length, size, codec and loudness.',
    takes: isMaterial,
    makes: (format, means) => isSpot(format) && isMakeable(format, 'material', means),
    needs: 'encoder',
    params: [COLORS],
    themes: ['brand', 'inverted'].map((colors) => ({ name: colors, config: { colors } })),
  },
];

/** Returns the transformers of an agent with these means. */
export function listOffered(means: Means): readonly Transformer[] {
  return TRANSFORMERS.filter(({ needs }) => needs === undefined || means[needs]).map(bind);

  function bind({ makes, needs: _needs, ...row }: TransformerRow): Transformer {
    return { ...row, makes: (format) => makes(format, means) };
  }
}

/** Returns the transformer of those offered that a build without one comes to. */
export function usualTransformer(hasSource: boolean, offered: readonly Transformer[]): Transformer {
  const wanted = hasSource ? 'resize' : 'ad_from_brief';
  const transformer = offered.find(({ transformer_id }) => transformer_id === wanted);
  if (transformer === undefined) throw new Error('there are transformers');
  return transformer;
}

/** Returns what a configuration asks of a build. */
export function directBuild(config: TransformerConfig): Direction {
  const { motif, colors, fit, max_headline_chars: chars } = config;
  return {
    motif: MOTIFS.find((one) => one === motif),
    colors: colors === 'inverted' ? 'inverted' : undefined,
    fit: FITS.find((one) => one === fit),
    headlineChars: typeof chars === 'number' ? chars : undefined,
  };
}

const VISUAL: ReadonlySet<AssetType> = new Set(['image', 'html', 'javascript']);
const SPOTS: ReadonlySet<AssetType> = new Set(['video', 'audio', 'vast']);
const MATERIAL: ReadonlySet<AssetType> = new Set(['image', 'video', 'audio']);

function isMadeFromWords(format: Format, means: Means): boolean {
  return isMakeable(format, 'words', means);
}

function isSpot({ type, assets }: Format): boolean {
  return (
    type === 'video' || type === 'audio' || assets.flatMap(slotsIn).some(({ asset_type }) => SPOTS.has(asset_type))
  );
}

function isMaterial({ assets }: Format): boolean {
  return assets.flatMap(slotsIn).some(({ asset_type }) => MATERIAL.has(asset_type));
}

function isVisual({ assets }: Format): boolean {
  return assets.flatMap(slotsIn).some(({ asset_type }) => VISUAL.has(asset_type));
}

function hasHeadline({ assets }: Format): boolean {
  return assets.some((slot) => !isGroup(slot) && slot.asset_type === 'text' && isHeadline(slot.asset_id));
}

function hasText({ assets }: Format): boolean {
  return assets.flatMap(slotsIn).some(({ asset_type }) => asset_type === 'text' || asset_type === 'markdown');
}

function slotsIn(slot: Format['assets'][number]): readonly GroupSlot[] {
  return isGroup(slot) ? slot.assets : [slot];
}
