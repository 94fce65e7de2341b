import { isDeepStrictEqual } from 'node:util';
import type { MediaBuy, Package } from '../media-buy/media-buy.js';

const PACKAGE_TERMS = [
  'budget',
  'bid_price',
  'pacing',
  'impressions',
  'format_ids',
  'targeting_overlay',
  'reach',
  'steering',
  'committed_metrics',
  'listed',
  'start_time',
  'end_time',
  'paused',
  'canceled',
  'cancellation',
  'echoed',
] as const satisfies readonly (keyof Package)[];

/** The terms of a buy that its buyer can change, as they were when it was booked; packages by id. */
export type BookedTerms = Pick<MediaBuy, 'start_time' | 'end_time' | 'held'> & {
  readonly packages: Readonly<Record<string, Pick<Package, (typeof PACKAGE_TERMS)[number]>>>;
};

/** Returns the terms that a buy has now. */
export function takeTerms({ start_time, end_time, held, packages }: MediaBuy): BookedTerms {
  return {
    start_time,
    end_time,
    held,
    packages: Object.fromEntries(packages.map((line) => [line.package_id, pickTerms(line)])),
  };
}

function pickTerms(line: Package): BookedTerms['packages'][string] {
  const terms: Partial<Record<(typeof PACKAGE_TERMS)[number], unknown>> = {};
  for (const name of PACKAGE_TERMS) terms[name] = line[name];
  return terms as BookedTerms['packages'][string];
}

/**
 * Returns a buy with the terms that were booked; a package that was added since is canceled. Undefined where it has them already, so that
 * nothing can be undone.
 */
export function restoreTerms(
  buy: MediaBuy,
  terms: BookedTerms,
  { reason, iso }: { readonly reason: string; readonly iso: string },
): MediaBuy | undefined {
  const { start_time, end_time, held } = terms;
  const packages = buy.packages.map((line): Package => {
    const booked = terms.packages[line.package_id];
    if (booked !== undefined) return { ...line, ...WITHOUT_TERMS, ...booked };
    const cancellation = { canceled_at: iso, canceled_by: 'seller', reason } as const;
    return line.canceled ? line : { ...line, canceled: true, cancellation };
  });
  const restored = { ...buy, start_time, end_time, held, packages };
  return isDeepStrictEqual(plain(takeTerms(restored)), plain(takeTerms(buy))) ? undefined : restored;
}

/** What the stored terms leave out was not there. */
const WITHOUT_TERMS = {
  bid_price: undefined,
  impressions: undefined,
  format_ids: undefined,
  targeting_overlay: undefined,
  reach: undefined,
  steering: undefined,
  committed_metrics: undefined,
  listed: undefined,
  cancellation: undefined,
} satisfies Partial<Record<(typeof PACKAGE_TERMS)[number], undefined>>;

function plain(terms: BookedTerms): unknown {
  return JSON.parse(JSON.stringify(terms));
}
