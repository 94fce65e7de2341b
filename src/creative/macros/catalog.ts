/** The universal macros by what they tell of. */
export const UNIVERSAL_MACROS: Readonly<Record<string, readonly string[]>> = {
  'Buy and click': words(
    'MEDIA_BUY_ID PACKAGE_ID CREATIVE_ID CACHEBUSTER TIMESTAMP CLICK_URL REDIRECT_URL IMPRESSION_ID',
  ),
  Consent: words('GDPR GDPR_CONSENT US_PRIVACY GPP_STRING GPP_SID IP_ADDRESS LIMIT_AD_TRACKING'),
  Device: words(
    'DEVICE_TYPE OS OS_VERSION DEVICE_MAKE DEVICE_MODEL USER_AGENT APP_BUNDLE APP_NAME DEVICE_ID DEVICE_ID_TYPE',
  ),
  Place: words('COUNTRY REGION CITY ZIP DMA LAT LONG'),
  Page: words('DOMAIN PAGE_URL REFERRER KEYWORDS PLACEMENT_ID FOLD_POSITION AD_WIDTH AD_HEIGHT'),
  Video: words(
    'VIDEO_ID VIDEO_TITLE VIDEO_DURATION VIDEO_CATEGORY CONTENT_GENRE CONTENT_RATING PLAYER_WIDTH PLAYER_HEIGHT POD_POSITION POD_SIZE AD_BREAK_ID',
  ),
  Audio: words('STATION_ID COLLECTION_NAME INSTALLMENT_ID AUDIO_DURATION'),
  Identity: words('TMPX AXEM'),
  Catalog: words(
    'CATALOG_ID SKU GTIN OFFERING_ID JOB_ID HOTEL_ID FLIGHT_ID VEHICLE_ID LISTING_ID STORE_ID PROGRAM_ID DESTINATION_ID CREATIVE_VARIANT_ID APP_ITEM_ID ITEM_NAME ITEM_DESCRIPTION ITEM_TAGLINE ITEM_PRICE ITEM_PRICE_CURRENCY',
  ),
};

const TOPICS: ReadonlyMap<string, string> = new Map(
  Object.entries(UNIVERSAL_MACROS).flatMap(([topic, names]) => names.map((name) => [name, topic] as const)),
);

/** Returns the topic of a macro; undefined for one that is not universal. */
export function macroTopic(name: string): string | undefined {
  return TOPICS.get(name);
}

function words(text: string): readonly string[] {
  return text.split(' ');
}
