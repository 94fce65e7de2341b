import { HOUR_MS, isoTime } from '../../../platform/kernel/clock.js';
import { seededShare } from '../delivery/pace.js';
import type { MediaBuy, Package } from '../media-buy/media-buy.js';
import type { Artifact } from './artifact.js';

/** A sampled impression with the content that it ran beside. */
export type ContentRecord = {
  readonly record_id: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly package_id: string;
  readonly artifact: Artifact;
  readonly country?: string | undefined;
  readonly channel?: string | undefined;
};

/** An hour of a package's delivery: what it had delivered when the hour began and when it ended, in impressions. */
type DeliveredHour = { readonly fromMs: number; readonly before: number; readonly after: number };

/** How often batches of content are pushed. */
export const CONTENT_FREQUENCIES = ['hourly', 'daily'] as const;

/** A frequency of the list. */
export type ContentFrequency = (typeof CONTENT_FREQUENCIES)[number];

/** Where a product runs, as far as its seller says. */
export type ContentSource = { readonly properties: readonly string[] };

/** The share of impressions that is sampled where a buy says nothing. */
export const DEFAULT_SAMPLING_RATE = 0.001;

/** Most records that are sampled of a package in an hour, whatever rate was asked for. */
const MAX_RECORDS_AN_HOUR = 50;

/** Pieces of content that the simulator makes up per property. */
const PIECES = 500;

/** Returns how many impressions of an hour are sampled at a rate of 0 to 1; hours add up to the rate, up to `MAX_RECORDS_AN_HOUR` each. */
function countSampled({ before, after }: DeliveredHour, rate: number): number {
  return Math.min(MAX_RECORDS_AN_HOUR, Math.max(0, Math.floor(after * rate) - Math.floor(before * rate)));
}

/**
 * Returns the sampled impressions of an hour of simulated delivery, and the content that they ran beside: made up of the product's
 * properties, placements and words, marked as such, and the same every time.
 */
export function simulateRecords(
  { media_buy_id }: Pick<MediaBuy, 'media_buy_id'>,
  line: Package,
  hour: DeliveredHour,
  { rate, source }: { readonly rate: number; readonly source: ContentSource },
): readonly ContentRecord[] {
  const count = countSampled(hour, rate);
  return Array.from({ length: count }, (_, index) => {
    const record_id = `${line.package_id}-${hour.fromMs / HOUR_MS}-${index}`;
    const share = (of: string): number => seededShare(`${media_buy_id} ${record_id} ${of}`);
    return {
      record_id,
      timestamp: isoTime(Math.floor(hour.fromMs + ((index + 0.5) / count) * HOUR_MS)),
      package_id: line.package_id,
      artifact: simulateArtifact(line, source, share),
      country: pickByShare(listCountries(line), share('country')),
      channel: pickByShare(line.sold.channels, share('channel')),
    };
  });
}

function simulateArtifact(
  { sold, product_id }: Package,
  { properties }: ContentSource,
  share: (of: string) => number,
): Artifact {
  const property_rid = pickByShare(properties, share('property')) ?? product_id;
  const placement = pickByShare(sold.placements ?? [], share('placement'));
  const piece = Math.floor(share('piece') * PIECES) + 1;
  const placed = typeof placement?.name === 'string' ? `, ${placement.name}` : '';
  const text = (role: string, content: string) => ({ type: 'text', role, content, language: 'en' });
  return {
    property_rid,
    artifact_id: `simulated-${typeof placement?.placement_id === 'string' ? `${placement.placement_id}-` : ''}${piece}`,
    assets: [
      text('title', `Simulated content ${piece} on ${property_rid}${placed}`),
      text('paragraph', 'The simulator made this up: no page was shown, and no ad was served beside it.'),
    ],
    metadata: { keywords: sold.inventory.keywords.join(', '), simulated: true },
  };
}

function listCountries({ targeting_overlay: overlay, sold }: Package): readonly string[] {
  const targeted = overlay?.geo_countries;
  return Array.isArray(targeted) && targeted.length > 0 ? (targeted as readonly string[]) : sold.inventory.countries;
}

function pickByShare<Value>(values: readonly Value[], share: number): Value | undefined {
  return values[Math.min(values.length - 1, Math.floor(share * values.length))];
}
