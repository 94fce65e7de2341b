/** Kinds of properties. */
export const PROPERTY_TYPES = [
  'website',
  'mobile_app',
  'ctv_app',
  'desktop_app',
  'dooh',
  'podcast',
  'radio',
  'linear_tv',
  'streaming_audio',
  'ai_assistant',
] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** What a property is known by. */
export const IDENTIFIER_TYPES = [
  'domain',
  'subdomain',
  'network_id',
  'ios_bundle',
  'android_package',
  'apple_app_store_id',
  'google_play_id',
  'roku_store_id',
  'fire_tv_asin',
  'samsung_app_id',
  'apple_tv_bundle',
  'bundle_id',
  'venue_id',
  'screen_id',
  'openooh_venue_type',
  'rss_url',
  'apple_podcast_id',
  'spotify_collection_id',
  'podcast_guid',
  'station_id',
  'facility_id',
] as const;
export type IdentifierType = (typeof IDENTIFIER_TYPES)[number];

/** Platforms' identifiers of a collection, by which it is told apart from others whoever carries it. */
export const DISTRIBUTION_ID_TYPES = [
  'apple_podcast_id',
  'spotify_collection_id',
  'rss_url',
  'podcast_guid',
  'amazon_music_id',
  'iheart_id',
  'podcast_index_id',
  'youtube_channel_id',
  'youtube_channel_handle',
  'youtube_channel_url',
  'youtube_playlist_id',
  'amazon_title_id',
  'roku_channel_id',
  'pluto_channel_id',
  'tubi_id',
  'peacock_id',
  'tiktok_id',
  'twitch_channel',
  'imdb_id',
  'gracenote_id',
  'eidr_id',
  'domain',
  'substack_id',
] as const;

/** What a collection is: a series, a publication and so on. */
export const COLLECTION_KINDS = ['series', 'publication', 'event_series', 'rotation'] as const;

/** Vocabularies of genres. */
export const GENRE_TAXONOMIES = [
  'iab_content_3.0',
  'iab_content_2.2',
  'gracenote',
  'eidr',
  'apple_genres',
  'google_genres',
  'roku',
  'amazon_genres',
  'custom',
] as const;

/** Systems of content ratings. */
export const RATING_SYSTEMS = [
  'tv_parental',
  'mpaa',
  'podcast',
  'esrb',
  'bbfc',
  'fsk',
  'acb',
  'chvrs',
  'csa',
  'pegi',
  'custom',
] as const;

/** How a collection is produced. */
export const PRODUCTION_QUALITIES = ['professional', 'prosumer', 'ugc'] as const;
