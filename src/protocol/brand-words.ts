import type { PropertyType } from './inventory-words.js';

/** How a brand stands in its house. */
export const KELLER_TYPES = ['master', 'sub_brand', 'endorsed', 'independent'] as const;
export type KellerType = (typeof KELLER_TYPES)[number];

/** How a brand comes to a property; the first is what is meant when nothing is said. */
export const RELATIONSHIPS = ['owned', 'direct', 'delegated', 'ad_network'] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];

/** Kinds of properties that a brand.json may list. */
export const BRAND_PROPERTY_TYPES = [
  'website',
  'mobile_app',
  'ctv_app',
  'desktop_app',
  'dooh',
  'podcast',
  'radio',
  'streaming_audio',
] as const satisfies readonly PropertyType[];
