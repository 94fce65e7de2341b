import type { IndividualSlot, Requirements } from '../format.js';
import {
  clickThrough,
  exactly,
  type FormatRow,
  FROM_FORMAT_ID,
  inRole,
  optional,
  slot,
  TRACKERS,
  text,
} from './rows.js';

type Size = readonly [width: number, height: number, name: string, kilobytes: number];

/** Width, height, trade name and the largest file of an image at that size, in kilobytes. */
const SIZES: readonly Size[] = [
  [300, 250, 'Medium Rectangle', 200],
  [728, 90, 'Leaderboard', 150],
  [320, 50, 'Mobile Banner', 50],
  [160, 600, 'Wide Skyscraper', 150],
  [336, 280, 'Large Rectangle', 200],
  [300, 600, 'Half Page', 300],
  [970, 250, 'Billboard', 400],
];

const SMALL_BANNER: Size = [300, 50, 'Small Mobile Banner', 50];

/** Sizes that buyers name by the short id alone. */
const FURTHER_SIZES: readonly Size[] = [
  SMALL_BANNER,
  [250, 250, 'Square', 200],
  [200, 200, 'Small Square', 150],
  [320, 480, 'Mobile Interstitial', 300],
  [320, 400, 'Tall Mobile', 300],
  [320, 320, 'Mobile Square', 200],
  [320, 250, 'Mobile Rectangle', 200],
];

const IMAGE_FORMATS = { formats: ['jpg', 'jpeg', 'png', 'gif', 'webp'] } as const;

function image(asset_id: string, requirements: Requirements): IndividualSlot {
  return slot(asset_id, 'image', { ...requirements, ...IMAGE_FORMATS });
}

/** Returns an image of a banner's size; `density` 2 is twice the pixels each way. */
function sizedImage(asset_id: string, [width, height, , kilobytes]: Size, density = 1): IndividualSlot {
  return slot(asset_id, 'image', {
    ...exactly(width * density, height * density),
    ...IMAGE_FORMATS,
    max_file_size_kb: kilobytes * density,
  });
}

const HTML = slot('html_creative', 'html', { max_file_size_kb: 500, sandbox: 'none' });
const PROMPT = inRole('generation_prompt', text('generation_prompt', 4000));
const BRIEF = optional(slot('brief', 'brief'));
const OFFERINGS = optional(slot('offerings', 'catalog', { catalog_type: 'offering', required_fields: ['name'] }));

type Family = {
  readonly sizes: readonly Size[];
  readonly id: (size: string) => string;
  readonly name: string;
  /** What a banner of the family is made of. */
  readonly from: string;
  readonly slots: (size: Size) => FormatRow['slots'];
  readonly outputs?: (size: string) => readonly string[];
};

/** One row per family of fixed sizes; each makes one format for each size. */
const FAMILIES: readonly Family[] = [
  {
    sizes: SIZES,
    id: (size) => `display_${size}_image`,
    name: 'Image',
    from: 'one static image with a click-through',
    slots: (size) => [sizedImage('banner_image', size), clickThrough(), ...TRACKERS],
  },
  {
    // The short ids that buyers' tools use; an image alone is enough for them.
    sizes: [...SIZES, ...FURTHER_SIZES],
    id: (size) => `display_${size}`,
    name: '',
    from: 'an image, with an optional click-through and headline',
    slots: (size) => [sizedImage('image', size), optional(clickThrough()), optional(text('headline', 90)), ...TRACKERS],
  },
  {
    sizes: SIZES,
    id: (size) => `display_${size}_image_2x`,
    name: 'Image 2x',
    from: 'one image of double pixels with a click-through',
    slots: (size) => [sizedImage('banner_image', size, 2), clickThrough()],
  },
  {
    sizes: SIZES,
    id: (size) => `display_${size}_image_1x_2x`,
    name: 'Image 1x and 2x',
    from: 'one image in single and one in double pixels with a click-through',
    slots: (size) => [sizedImage('banner_image', size), sizedImage('banner_image_2x', size, 2), clickThrough()],
  },
  {
    sizes: [...SIZES, SMALL_BANNER],
    id: (size) => `display_${size}_html`,
    name: 'HTML5',
    from: 'HTML of at most 500 kB',
    slots: () => [HTML, ...TRACKERS],
  },
  {
    sizes: SIZES,
    id: (size) => `display_${size}_generative`,
    name: 'Generative',
    from: 'a sentence or a brief: the agent makes the image',
    slots: () => [PROMPT, BRIEF, OFFERINGS, ...TRACKERS],
    outputs: (size) => [`display_${size}_image`],
  },
  {
    sizes: SIZES.slice(0, 1),
    id: (size) => `display_${size}_catalog`,
    name: 'Catalog',
    from: 'an image and the items of a catalog, whose values fill the macros of its URLs',
    slots: (size) => [
      sizedImage('image', size),
      optional(clickThrough()),
      optional(text('headline', 90)),
      optional(slot('catalog', 'catalog', { catalog_type: 'product' })),
      ...TRACKERS,
    ],
  },
];

function ofFamily(family: Family): readonly FormatRow[] {
  return family.sizes.map((size): FormatRow => {
    const [width, height, name] = size;
    const key = `${width}x${height}`;
    return {
      id: family.id(key),
      name: `${name} ${key}${family.name && `, ${family.name}`}`,
      description: `A ${key} banner from ${family.from}.`,
      type: 'display',
      dimensions: { width, height },
      slots: family.slots(size),
      outputs: family.outputs ? family.outputs(key) : undefined,
    };
  });
}

const TEMPLATE_IMAGE = [image('banner_image', FROM_FORMAT_ID), clickThrough(), ...TRACKERS];

/** Id, name, what it is made of, slots, outputs: formats that get their size from the format id. */
const TEMPLATES: readonly (readonly [
  id: string,
  name: string,
  from: string,
  slots: FormatRow['slots'],
  outputs?: readonly string[],
])[] = [
  ['display_image', 'Display Image', 'one static image with a click-through', TEMPLATE_IMAGE],
  ['display_static', 'Display Static (older id)', 'one static image with a click-through', TEMPLATE_IMAGE],
  ['display_html', 'Display HTML5', 'HTML of at most 500 kB', [HTML, ...TRACKERS]],
  ['display_js', 'Display JavaScript', 'a JavaScript tag', [slot('js_creative', 'javascript'), ...TRACKERS]],
  [
    'display_generative',
    'Display Generative',
    'a sentence or a brief: the agent makes the image',
    [PROMPT, BRIEF, OFFERINGS, ...TRACKERS],
    ['display_image'],
  ],
];

/** Material in no placement's size, from which the other formats are made. */
const SOURCE: FormatRow = {
  id: 'source_master',
  name: 'Source Master',
  description: 'Material to build other formats from: an image of any size, a click-through and texts.',
  type: 'display',
  dimensions: { responsive: { width: true, height: true } },
  slots: [
    optional(image('image', {})),
    optional(slot('video', 'video')),
    optional(clickThrough()),
    optional(text('headline', 200)),
    optional(text('body', 1000)),
    optional(text('cta_text', 50)),
    optional(image('logo', {})),
    ...TRACKERS,
  ],
};

/** The display formats of the catalog: fixed sizes by family, then the templates, then the source. */
export const DISPLAY_ROWS: readonly FormatRow[] = [
  ...FAMILIES.flatMap(ofFamily),
  ...TEMPLATES.map(
    ([id, name, from, slots, outputs]): FormatRow => ({
      id,
      name,
      description: `A banner of the size that the format id names, from ${from}.`,
      type: 'display',
      parameters: ['dimensions'],
      slots,
      outputs,
    }),
  ),
  SOURCE,
];
