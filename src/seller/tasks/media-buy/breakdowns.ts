import { z } from 'zod';
import type { Delivered, Window } from '../../adserver/delivered.js';
import type { App } from '../../context.js';
import type { BreakdownRequest, Dimension } from '../../domain/delivery/breakdown.js';
import { ratio } from '../../domain/delivery/metrics.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';

const rows = { limit: z.int().min(1).optional(), sort_by: z.string().max(64).optional() };
const rowsOf = z.looseObject(rows).optional();

/** The breakdowns that a report of delivery is asked for. */
export const reportingDimensions = z
  .looseObject({
    geo: z.looseObject({ geo_level: z.enum(['country', 'region', 'metro', 'postal_area']), ...rows }).optional(),
    device_type: rowsOf,
    device_platform: rowsOf,
    audience: rowsOf,
    placement: rowsOf,
  })
  .meta({
    brief: true,
    description:
      '{geo: {geo_level: country|region}, device_type: {}, device_platform: {}, audience: {}, placement: {}}',
  });
type Dimensions = z.output<typeof reportingDimensions>;

/** The dimensions that are reported where they are asked for, with the most rows of each unless the buyer says how many. */
const ASKED: readonly (readonly [dimension: Exclude<Dimension, 'creative'>, usualRows: number])[] = [
  ['geo', 25],
  ['device_type', Number.POSITIVE_INFINITY],
  ['device_platform', Number.POSITIVE_INFINITY],
  ['audience', 25],
  ['placement', 25],
];

/** The rows by package, in the members of the wire: `by_geo` and `by_geo_truncated`. */
type PackageRows = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** Returns the breakdowns of a buy's packages: by creative, and what is asked for; without those that a package was not sold with. */
export async function breakDownPackages(
  app: App,
  buy: MediaBuy,
  window: Window,
  dimensions: Dimensions | undefined,
): Promise<PackageRows> {
  const rowsByPackage = new Map<string, Record<string, unknown>>();
  const add = async (request: BreakdownRequest, shape: (rows: readonly Delivered[]) => object): Promise<void> => {
    for (const { package_id, rows } of await app.booking.breakdown(buy, window, request))
      rowsByPackage.set(package_id, { ...rowsByPackage.get(package_id), ...shape(rows) });
  };
  await add({ dimension: 'creative' }, (rows) => ({ by_creative: withShares(sortRows(rows, undefined)) }));
  for (const [dimension, usualRows] of ASKED) {
    const asked = dimensions?.[dimension];
    if (asked === undefined) continue;
    const geo_level = dimension === 'geo' ? dimensions?.geo?.geo_level : undefined;
    const limit = asked.limit ?? usualRows;
    await add({ dimension, geo_level }, (rows) => ({
      [`by_${dimension}`]: sortRows(rows, asked.sort_by).slice(0, limit),
      [`by_${dimension}_truncated`]: rows.length > limit,
    }));
  }
  return rowsByPackage;
}

/** Returns rows by a metric, the most first; by spend where they do not all have it. */
function sortRows(rows: readonly Delivered[], sortBy: string | undefined): readonly Delivered[] {
  const metric = sortBy !== undefined && rows.every((row) => typeof row[sortBy] === 'number') ? sortBy : 'spend';
  const size = (row: Delivered) => Number(row[metric]);
  return rows.toSorted((one, other) => size(other) - size(one) || other.impressions - one.impressions);
}

/** Adds the share of the impressions that each creative had, in percent. */
function withShares(rows: readonly Delivered[]): readonly Delivered[] {
  const all = rows.reduce((sum, { impressions }) => sum + impressions, 0);
  return rows.map((row) => ({ ...row, weight: Math.round(ratio(row.impressions, all) * 10_000) / 100 }));
}
