import { z } from 'zod';
import { BRAND_PROPERTY_TYPES, KELLER_TYPES, RELATIONSHIPS } from '../../../protocol/brand-words.js';
import { BILLING_PERIODS, CLAIM_STATUSES, RIGHT_TYPES, RIGHT_USES, RIGHTS_MODELS } from '../../domain/brand/brand.js';
import { amount, country, currency, distinct, domainName, identifier, object, webAddress } from './shapes.js';

const MAX_ENTRIES = 10_000;
const line = (description: string) => z.string().min(1).max(500).describe(description);
const text = (description: string) => z.string().max(10_000).describe(description);
const day = z.iso.date();
const brandId = z
  .string()
  .regex(/^[a-z0-9_]{1,128}$/)
  .describe('Id of a brand: lower-case letters, digits and "_".');
const color = z.string().regex(/^#[0-9A-Fa-f]{6}$/);
const localized = z
  .record(z.string().min(2).max(35), z.string().min(1).max(500))
  .describe('A text by locale, {"en_US": "…"}.');

const logo = object({
  url: webAddress('Address of the file.'),
  orientation: z.enum(['square', 'horizontal', 'vertical', 'stacked']).optional().describe('Its shape.'),
  background: z.enum(['dark-bg', 'light-bg', 'transparent-bg']).optional().describe('What it stands on.'),
  variant: z.enum(['primary', 'secondary', 'icon', 'wordmark', 'full-lockup']).optional().describe('Which form of it.'),
  tags: z.array(line('A word to find it by.')).optional().describe('Words to find it by.'),
  usage: line('When it is used.').optional(),
  width: z.int().min(1).optional().describe('In pixels.'),
  height: z.int().min(1).optional().describe('In pixels.'),
});

const asset = object({
  asset_id: identifier('Unique within the brand.'),
  asset_type: z
    .enum(['image', 'video', 'audio', 'text', 'markdown', 'html', 'css', 'javascript', 'vast', 'daast', 'url'])
    .describe('What the file is.'),
  url: webAddress('Address of the file.'),
  name: line('Name for people.').optional(),
  description: text('What it shows, and how it is used.').optional(),
  tags: z.array(line('A word to find it by.')).optional().describe('Words to find it by.'),
  width: z.int().min(1).optional().describe('In pixels.'),
  height: z.int().min(1).optional().describe('In pixels.'),
  duration_seconds: z.number().min(0).optional().describe('Of a film or sound.'),
  file_size_bytes: z.int().min(0).optional().describe('Bytes of the file.'),
  format: line('Such as "jpg".').optional(),
});

const brand = object({
  brand_id: brandId,
  names: z.array(localized).min(1).max(100).describe('Its names, each by locale.'),
  description: text('What it is.').optional(),
  industries: distinct(z.string().min(1).max(128), 1).optional().describe('Its industries.'),
  keller_type: z.enum(KELLER_TYPES).optional().describe('How it stands in the house.'),
  logos: z.array(logo).max(100).optional().describe('Its logos, for everybody.'),
  colors: z
    .record(z.string().max(64), z.union([color, z.array(color).min(1)]))
    .optional()
    .describe('Its colors by role: "primary", "secondary", "accent", "background", "text".'),
  fonts: z.record(z.string().max(64), line('A font family.')).optional().describe('Its fonts by role.'),
  tagline: z
    .union([z.string().min(1).max(500), z.array(localized).min(1)])
    .optional()
    .describe('Its slogan.'),
  visual_guidelines: z
    .record(z.string().max(64), z.unknown())
    .optional()
    .describe('Rules for what is drawn, in the words of brand.json. For callers with an account, as all that follows.'),
  tone: object({
    voice: line('Its personality, in adjectives.').optional(),
    attributes: z.array(line('A trait.')).optional().describe('Its traits.'),
    dos: z.array(line('What may be said.')).optional().describe('What may be said.'),
    donts: z.array(line('What may not be said.')).optional().describe('What may not be said.'),
  })
    .optional()
    .describe('How it speaks.'),
  voice_synthesis: object({
    provider: line('Who synthesizes.').optional(),
    voice_id: line('Which voice.').optional(),
    settings: z.record(z.string().max(64), z.unknown()).optional().describe('As the provider has them.'),
  })
    .optional()
    .describe('How its voice is synthesized.'),
  assets: z.array(asset).max(1000).optional().describe('Its pictures, films and sounds.'),
});

const position = {
  status: z.enum(CLAIM_STATUSES).describe('What the house answers.'),
  pending_until: day
    .optional()
    .describe('Of "pending_review": the day by which it is decided; "unknown" is answered after it.'),
  note: line('A sentence for whoever asks.').optional(),
};
const useCases = z
  .array(line('A use.'))
  .optional()
  .describe('Uses that are authorized; what is asked for is held against them.');

const claims = object({
  subsidiaries: z
    .array(
      object({
        domain: domainName('Domain of a brand that says it is of this house.'),
        brand_id: brandId.optional(),
        first_observed_at: z.iso.datetime({ offset: true }).optional().describe('When the house first saw that.'),
        ...position,
      }),
    )
    .max(MAX_ENTRIES)
    .default([])
    .describe('Brands that say they are of this house.'),
  parents: z
    .array(object({ domain: domainName('Domain of a house that is said to be the parent.'), ...position }))
    .max(MAX_ENTRIES)
    .default([])
    .describe('Houses that are said to be its parent.'),
  properties: z
    .array(
      object({
        type: z.enum(BRAND_PROPERTY_TYPES).describe('What kind of property it is.'),
        identifier: line('Domain, bundle id or feed.'),
        store: line('Of an app: its store.').optional(),
        relationship: z.enum(RELATIONSHIPS).optional().describe('How the house comes to it.'),
        regions: z.array(line('A region.')).optional().describe('Where; everywhere unless set.'),
        use_cases: useCases,
        ...position,
      }),
    )
    .max(MAX_ENTRIES)
    .default([])
    .describe('Websites, apps and shows.'),
  trademarks: z
    .array(
      object({
        mark: line('The mark.'),
        registry: line('Where it is registered.').optional(),
        number: line('Its number there.').optional(),
        countries: distinct(country, 1).optional().describe('Where it is protected.'),
        nice_classes: z.array(z.int().min(1).max(45)).optional().describe('Its classes of goods.'),
        licensor_domain: domainName('Who licenses it to the house.').optional(),
        use_cases: useCases,
        ...position,
      }),
    )
    .max(MAX_ENTRIES)
    .default([])
    .describe('Marks.'),
});

const price = object({
  pricing_option_id: identifier('Unique within the rights.'),
  model: z.enum(RIGHTS_MODELS).describe('"cpm": for a thousand impressions; "flat_rate": for a period.'),
  price: amount('The price.'),
  currency,
  uses: distinct(z.enum(RIGHT_USES), 1).describe('What it is for.'),
  period: z.enum(BILLING_PERIODS).optional().describe('Of a flat rate: what it is for; once unless set.'),
  impression_cap: z.int().min(1).optional().describe('Impressions that a period has.'),
  overage_cpm: amount('What a thousand more cost.').optional(),
  description: line('A sentence for buyers.').optional(),
  exclusive: z
    .boolean()
    .default(false)
    .describe('true: whoever buys at it has the rights alone, in its countries and time; nobody else gets them then.'),
});

const rights = object({
  rights_id: identifier('Unique within the tenant.'),
  brand_id: brandId.describe('The brand that they are about.'),
  name: line('Name of who or what they are about.'),
  description: text('What is licensed; buyers search it.').default(''),
  right_type: z.enum(RIGHT_TYPES).describe('What they are about.'),
  countries: distinct(country, 1).optional().describe('Where they are available; everywhere unless set.'),
  excluded_countries: distinct(country, 1).optional().describe('Where they are not.'),
  pricing_options: z.array(price).min(1).max(100).describe('What they cost.'),
  content_restrictions: z.array(line('A rule.')).default([]).describe('What creatives have to keep to.'),
  preview_assets: z
    .array(object({ url: webAddress('Address of the file.'), usage: line('What it may be used for.').optional() }))
    .default([])
    .describe('What buyers may look at beforehand.'),
  excluded_buyers: distinct(domainName('Domain of a brand that does not get them.'))
    .default([])
    .describe('Brands that do not get them; buyers are not told which, or why.'),
  disclosure: object({
    required: z.boolean().describe('Whether creatives have to say it.'),
    text: line('What they say.').optional(),
  })
    .optional()
    .describe('What creatives have to disclose.'),
});

/** What a brand agent knows. */
export const brandSchema = object({
  house: object({ domain: domainName('Domain of the house.'), name: line('Name of the house.') }).describe(
    'The house that the brands are of.',
  ),
  brands: z.array(brand).min(1).max(MAX_ENTRIES).describe('Its brands, in the words of brand.json.'),
  claims: claims
    .prefault({})
    .describe('What it answers when somebody asks whether a brand, house, property or trademark is its own.'),
  rights: z.array(rights).max(MAX_ENTRIES).default([]).describe('The rights that it licenses.'),
});
