import type { Package } from '../media-buy/media-buy.js';
import type { Weighted } from '../media-buy/rotation.js';
import {
  list,
  type Overlay,
  type Supply,
  targetedCountries,
  targetedDevices,
  targetedPlatforms,
  targetedRegions,
} from '../targeting/parts.js';
import type { Shares } from '../targeting/shares.js';
import { type DeliveryLine, deliveryLine } from './line.js';
import type { Metrics } from './metrics.js';
import {
  addTallies,
  divideAmounts,
  EMPTY_TALLY,
  metricsFromTally,
  type PartTally,
  type Stretch,
  tallyParts,
} from './tally.js';

/** What the delivery of a package can be broken down by; each names its rows `by_…`. */
export const DIMENSIONS = ['geo', 'device_type', 'device_platform', 'audience', 'placement', 'creative'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** A breakdown that is asked for; of places by country unless it says region. */
export type BreakdownRequest = { readonly dimension: Dimension; readonly geo_level?: string };

/** One row of a breakdown: what it is of, in the members of the wire, and what was delivered there. */
type BreakdownRow = { readonly head: Readonly<Record<string, unknown>>; readonly metrics: Metrics };

/** A part of a package's delivery while it ran under one targeting. */
type Part = Weighted & { readonly key: string; readonly head: BreakdownRow['head'] };

type DimensionRow = {
  /** Whether a package was sold with this breakdown. */
  readonly isSold: (line: Package, request: BreakdownRequest) => boolean;
  /** The parts under a targeting; undefined where nobody knows them. */
  readonly parts: (line: Package, overlay: Overlay, request: BreakdownRequest) => readonly Part[] | undefined;
};

/** How each dimension divides the delivery of a package. Creatives are divided by their turns, in `divideStretch`. */
const ROWS: Readonly<Record<Exclude<Dimension, 'creative'>, DimensionRow>> = {
  geo: {
    isSold: ({ sold: { reporting } }, { geo_level }) =>
      (geo_level === 'country' || geo_level === 'region') && reporting?.supports_geo_breakdown?.[geo_level] === true,
    parts: (line, overlay, { geo_level }) => {
      const shares = (geo_level === 'region' ? targetedRegions : targetedCountries)(overlay, supplyOf(line));
      return shares && weighShares(shares, (geo_code) => ({ geo_level, geo_code }));
    },
  },
  device_type: {
    isSold: ({ sold: { reporting } }) => reporting?.supports_device_type_breakdown === true,
    parts: (line, overlay) => weighShares(targetedDevices(overlay, supplyOf(line)), (device_type) => ({ device_type })),
  },
  device_platform: {
    isSold: ({ sold: { reporting } }) => reporting?.supports_device_platform_breakdown === true,
    parts: (line, overlay) =>
      weighShares(targetedPlatforms(overlay, supplyOf(line)), (device_platform) => ({ device_platform })),
  },
  audience: {
    isSold: ({ sold: { reporting } }) => reporting?.supports_audience_breakdown === true,
    parts: (_line, overlay) =>
      list(overlay.audience_include).map((audience_id) => ({
        key: audience_id,
        weight: 1,
        head: { audience_id, audience_source: 'synced' },
      })),
  },
  placement: {
    isSold: ({ sold: { reporting, placements = [] } }) =>
      reporting?.supports_placement_breakdown === true && placements.length > 0,
    parts: ({ sold: { placements = [] } }) =>
      placements.map(({ placement_id, name, publisher_domain }) => ({
        key: String(placement_id),
        weight: 1,
        head: { placement_id, placement_name: name, publisher_domain },
      })),
  },
};

/** Returns whether a package was sold with a breakdown. */
export function hasBreakdown(line: Package, request: BreakdownRequest): boolean {
  const { dimension } = request;
  if (dimension === 'creative') return line.sold.reporting?.supports_creative_breakdown === true;
  return ROWS[dimension].isSold(line, request);
}

/**
 * Returns what each part of a package delivered in a window, undefined where its parts are not known for all of it; `added` was delivered
 * beside what is simulated. The rows add up to the package exactly, those of creatives and audiences while it ran with any, and adjacent
 * windows add up.
 */
export function breakDown(
  line: Package,
  request: BreakdownRequest,
  window: Stretch,
  added: Metrics | undefined,
): readonly BreakdownRow[] | undefined {
  const booked = deliveryLine(line);
  const rows = new Map<string, { readonly head: BreakdownRow['head']; readonly tally: PartTally }>();
  const add = (parts: readonly Part[], tallies: readonly PartTally[]): void => {
    for (const [at, { key, head }] of parts.entries()) {
      const before = rows.get(key)?.tally ?? EMPTY_TALLY;
      rows.set(key, { head, tally: addTallies(before, tallies[at] ?? EMPTY_TALLY) });
    }
  };
  let last: readonly Part[] = [];
  for (const { stretch, parts } of listStretches(line, request, booked)) {
    if (stretch.fromMs >= window.toMs) break;
    if (parts === undefined) return undefined;
    add(parts, tallyParts(booked, stretch, parts, window));
    last = parts;
  }
  if (added !== undefined) add(last, divideAmounts(added, last));
  return [...rows.values()]
    .map(({ head, tally }) => ({ head, metrics: metricsFromTally(tally) }))
    .filter(({ metrics }) => metrics.impressions > 0 || metrics.spend > 0);
}

/** Returns the stretches in which a package's delivery has the same parts, in order. */
function listStretches(
  line: Package,
  request: BreakdownRequest,
  { start_ms }: DeliveryLine,
): readonly { readonly stretch: Stretch; readonly parts: readonly Part[] | undefined }[] {
  const { dimension } = request;
  if (dimension === 'creative') {
    return line.segments.map(({ from, to, rotation = [] }) => ({
      stretch: { fromMs: Date.parse(from), toMs: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to) },
      parts: rotation.map(({ creative_id, weight }) => ({ key: creative_id, weight, head: { creative_id } })),
    }));
  }
  const { past_targeting = [], targeting_overlay = {} } = line;
  const overlays = [...past_targeting.map(({ until, overlay }) => ({ toMs: Date.parse(until), overlay }))];
  overlays.push({ toMs: Number.POSITIVE_INFINITY, overlay: targeting_overlay });
  let fromMs = start_ms;
  return overlays.map(({ toMs, overlay }) => {
    const stretch = { fromMs, toMs };
    fromMs = toMs;
    return { stretch, parts: ROWS[dimension].parts(line, overlay, request) };
  });
}

function supplyOf({ sold }: Package): Supply {
  return { ...sold.inventory, channels: sold.channels };
}

function weighShares(shares: Shares, head: (key: string) => BreakdownRow['head']): readonly Part[] {
  return Object.entries(shares)
    .filter(([, weight]) => weight > 0)
    .map(([key, weight]) => ({ key, weight, head: head(key) }));
}
