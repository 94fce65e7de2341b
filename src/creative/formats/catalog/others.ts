import type { Dimensions, Slot } from '../format.js';
import { clickThrough, exactly, FLUID, type FormatRow, lasting, optional, slot, TRACKERS, text } from './rows.js';

const WIDESCREEN = { width: 1920, height: 1080 } as const;
const PICTURES = { formats: ['jpg', 'jpeg', 'png', 'webp'] } as const;

/** Id, length in seconds, name. */
const AUDIO_SPOTS = [
  ['audio_standard_15s', 15, 'Standard Audio 15s'],
  ['audio_standard_30s', 30, 'Standard Audio 30s'],
  ['audio_standard_60s', 60, 'Standard Audio 60s'],
  ['audio_15s', 15, 'Audio 15s'],
  ['audio_30s', 30, 'Audio 30s'],
] as const;

/** The audio formats of the catalog. M4A counts as aac, as the public list of audio formats has it. */
export const AUDIO_ROWS: readonly FormatRow[] = AUDIO_SPOTS.map(
  ([id, seconds, name]): FormatRow => ({
    id,
    name,
    description: `An audio spot of exactly ${seconds} seconds.`,
    type: 'audio',
    dimensions: {},
    slots: [slot('audio_file', 'audio', { ...lasting(seconds), formats: ['mp3', 'aac'] }), ...TRACKERS],
  }),
);

const CARDS: Slot = {
  item_type: 'repeatable_group',
  asset_group_id: 'card',
  required: true,
  min_count: 2,
  max_count: 10,
  selection_mode: 'sequential',
  assets: [
    { asset_id: 'image', asset_type: 'image', required: true, requirements: PICTURES },
    { asset_id: 'headline', asset_type: 'text', required: true, requirements: { max_length: 60 } },
    { asset_id: 'click_url', asset_type: 'url', required: false, requirements: { role: 'clickthrough' } },
  ],
};

/** The calls to action that a feed has buttons for. */
const CALLS_TO_ACTION = ['Learn more', 'Shop now', 'Sign up', 'Get offer', 'Download', 'Book now'] as const;

/** Id, name, description, slots before the trackers. */
const NATIVE: readonly (readonly [string, string, string, readonly Slot[]])[] = [
  [
    'native_standard',
    'Native Standard',
    'A native placement set in the look of the page: title, description, image and call to action.',
    [
      text('title', 50),
      text('description', 150),
      slot('main_image', 'image', PICTURES),
      text('cta_text', 20),
      text('sponsored_by', 30),
      optional(slot('icon', 'image', PICTURES)),
    ],
  ],
  [
    'native_content',
    'Native Content',
    'Sponsored content in a feed: headline, body, thumbnail, click-through and a disclosure.',
    [
      text('headline', 90),
      text('body', 500),
      slot('thumbnail', 'image', PICTURES),
      clickThrough(),
      text('disclosure', 50),
      optional(text('author', 50)),
    ],
  ],
  [
    'sponsored_recommendation',
    'Sponsored Recommendation',
    'A recommendation within an answer or a feed: headline, body and a link, named as sponsored.',
    [
      text('headline', 90),
      text('body', 300),
      clickThrough('cta_url'),
      text('sponsored_by', 30),
      optional(text('cta_text', 20)),
      optional(slot('image', 'image', PICTURES)),
    ],
  ],
  [
    'native_mention',
    'Native Mention',
    'A sentence about the brand with a link, named as sponsored.',
    [
      text('mention_text', 200),
      clickThrough('cta_url'),
      text('sponsored_by', 30),
      optional(text('cta_text', 20)),
      optional(slot('image', 'image', PICTURES)),
    ],
  ],
  [
    'native_post',
    'Native Post',
    'A post in a feed: headline and image, with an optional body and click-through.',
    [text('headline', 90), slot('image', 'image', PICTURES), optional(text('body', 500)), optional(clickThrough())],
  ],
  [
    'native_feed',
    'Native Feed Item',
    'An item in a feed: image and headline, with an optional body and click-through.',
    [slot('image', 'image', PICTURES), text('headline', 90), optional(text('body', 500)), optional(clickThrough())],
  ],
  [
    'native_in_feed',
    'Native In-Feed',
    'An item of a feed by the rules of its place: title, text, a picture of 1200x628 and a call to action of a list.',
    [
      text('title', 60),
      text('body_text', 150),
      slot('main_image', 'image', { ...exactly(1200, 628), ...PICTURES, max_file_size_kb: 500 }),
      slot('cta', 'text', { max_length: 20, allowed_values: CALLS_TO_ACTION }),
      text('advertiser_name', 30),
      clickThrough('landing_page_url'),
      optional(slot('icon', 'image', { ...exactly(200, 200), ...PICTURES })),
      optional(text('sponsored_label', 30)),
    ],
  ],
  ['native_carousel', 'Native Carousel', 'Two to ten cards, each an image with a headline and a link.', [CARDS]],
];

/** The native formats of the catalog and the short ids beside them. */
export const NATIVE_ROWS: readonly FormatRow[] = NATIVE.map(
  ([id, name, description, slots]): FormatRow => ({
    id,
    name,
    description,
    type: 'native',
    dimensions: FLUID,
    slots: [...slots, ...TRACKERS],
  }),
);

const SCREENS: readonly (readonly [string, string, string, Dimensions])[] = [
  ['dooh_billboard_1920x1080', 'Digital Billboard 1920x1080', 'billboard_image', WIDESCREEN],
  ['dooh_transit_screen', 'Transit Screen', 'screen_image', WIDESCREEN],
  ['dooh_billboard_landscape', 'Digital Billboard, Landscape', 'billboard_image', { aspect_ratio: '16:9' }],
  ['dooh_billboard_portrait', 'Digital Billboard, Portrait', 'billboard_image', { aspect_ratio: '9:16' }],
];

/** The formats of public screens. */
export const DOOH_ROWS: readonly FormatRow[] = SCREENS.map(([id, name, asset_id, dimensions]): FormatRow => {
  const { width, height, aspect_ratio } = dimensions;
  const isFixed = width !== undefined && height !== undefined;
  return {
    id,
    name,
    description: `A still image on a public digital screen, ${isFixed ? `${width}x${height}` : `ratio ${aspect_ratio}`}.`,
    type: 'dooh',
    dimensions,
    slots: [
      slot(asset_id, 'image', {
        ...(isFixed ? exactly(width, height) : { aspect_ratio }),
        formats: ['jpg', 'jpeg', 'png'],
      }),
      ...TRACKERS,
    ],
  };
});

const CARD: Dimensions = { width: 300, height: 400 };
const NAME_AND_TEXT = (subject: string): readonly Slot[] => [
  text(`${subject}_name`, 100),
  text(`${subject}_description`, 500),
];
const PRICE: readonly Slot[] = ['pricing_model', 'pricing_amount', 'pricing_currency', 'delivery_type'].map((name) =>
  optional(text(name, 40)),
);
const PICTURE = (asset_id: string) => slot(asset_id, 'image', PICTURES);

/** Id, name, size, slots: cards with which an interface shows what the agent sells. */
const UI_CARDS: readonly (readonly [string, string, Dimensions, readonly Slot[]])[] = [
  [
    'product_card_standard',
    'Product Card',
    CARD,
    [PICTURE('product_image'), ...NAME_AND_TEXT('product'), ...PRICE, optional(text('primary_asset_type', 40))],
  ],
  [
    'product_card_detailed',
    'Product Card, Detailed',
    FLUID,
    [
      PICTURE('product_image'),
      ...NAME_AND_TEXT('product'),
      ...PRICE,
      optional(slot('carousel_image', 'image', PICTURES)),
      optional(slot('specifications', 'markdown', { max_length: 5000 })),
    ],
  ],
  [
    'proposal_card_standard',
    'Proposal Card',
    CARD,
    [
      text('proposal_name', 100),
      optional(text('proposal_description', 500)),
      optional(PICTURE('proposal_image')),
      ...PRICE,
    ],
  ],
  [
    'proposal_card_detailed',
    'Proposal Card, Detailed',
    FLUID,
    [
      text('proposal_name', 100),
      text('proposal_description', 1000),
      optional(PICTURE('proposal_image')),
      ...PRICE,
      optional(slot('allocations', 'markdown', { max_length: 5000 })),
    ],
  ],
  [
    'format_card_standard',
    'Format Card',
    CARD,
    [
      text('format_name', 100),
      text('format_description', 500),
      optional(PICTURE('format_image')),
      optional(text('format_type', 40)),
    ],
  ],
  [
    'format_card_detailed',
    'Format Card, Detailed',
    FLUID,
    [
      text('format_name', 100),
      text('format_description', 1000),
      optional(PICTURE('format_image')),
      optional(text('format_type', 40)),
      optional(slot('specifications', 'markdown', { max_length: 5000 })),
    ],
  ],
];

/** The cards of the catalog: how products, proposals and formats themselves are shown. */
export const CARD_ROWS: readonly FormatRow[] = [
  ...UI_CARDS.map(
    ([id, name, dimensions, slots]): FormatRow => ({
      id,
      name,
      description: `A card for an interface${dimensions === CARD ? ', 300x400' : ', as wide as its place'}.`,
      type: 'display',
      dimensions,
      slots,
    }),
  ),
  {
    id: 'native_product_card',
    name: 'Native Product Card',
    description: 'A card of 300x400 about one product, in the look of the page.',
    type: 'native',
    dimensions: CARD,
    slots: [
      text('product_name', 100),
      PICTURE('product_image'),
      optional(text('product_description', 500)),
      optional(text('price', 40)),
      optional(text('cta_text', 20)),
      optional(clickThrough()),
    ],
  },
];
