import { TaskError } from '../../../protocol/errors.js';
import type { MediaBuy } from '../media-buy/media-buy.js';

/** An advertiser as rivals see it: its brand's domain, and the industries that it buys for. */
export type Advertiser = { readonly domain: string; readonly industries: readonly string[] };

/** Returns who advertises in a buy: for the industry that the order names, else for those of its brand. */
export function readAdvertiser({ brand, echoed }: Pick<MediaBuy, 'brand' | 'echoed'>): Advertiser {
  const { advertiser_industry: named } = echoed;
  const industries = typeof named === 'string' ? [named] : (brand.industries ?? []);
  return { domain: brand.domain.toLowerCase(), industries };
}

/** Whose a hold is that keeps others of its industries out. */
type CategoryHold = { readonly category: string | null; readonly advertiser: string | null };

/** Returns those among holds of a category that keep an advertiser out. */
export function listRivals<Held extends CategoryHold>(held: readonly Held[], advertiser: Advertiser): readonly Held[] {
  return held.filter(
    (other) =>
      other.advertiser !== advertiser.domain &&
      (other.category ?? '')
        .split(',')
        .some((theirs) => advertiser.industries.some((one) => isSameIndustry(one, theirs))),
  );
}

/** Returns whether two industries are one, or one is a part of the other: `healthcare` and `healthcare.wellness`. */
function isSameIndustry(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** Returns the error of an order for a product that is sold to one advertiser of an industry, and which names none. */
export function needsIndustry(field: string): TaskError {
  return new TaskError('INVALID_REQUEST', 'The product is sold to one advertiser of an industry at a time.', {
    field,
    suggestion: 'Say which industry this buy is for: advertiser_industry, such as "automotive", or brand.industries.',
  });
}
