/** The media channels of the protocol, as products and properties name them. */
export const MEDIA_CHANNELS = [
  'display',
  'olv',
  'social',
  'search',
  'ctv',
  'linear_tv',
  'radio',
  'streaming_audio',
  'podcast',
  'dooh',
  'ooh',
  'print',
  'cinema',
  'email',
  'gaming',
  'retail_media',
  'influencer',
  'affiliate',
  'product_placement',
  'sponsored_intelligence',
] as const;
/** One media channel. */
export type MediaChannel = (typeof MEDIA_CHANNELS)[number];
