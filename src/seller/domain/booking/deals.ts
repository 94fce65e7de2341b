import type { BrandRef } from '../account/account.js';
import type { DealOffer, PricingOption } from '../product/product.js';

/** A deal of a package in a DSP, as it was sold: who may bid with it. `id` is the SSP's, once it has made the deal. */
export type PackageDeal = {
  readonly dsp: string;
  /** OpenRTB: the buyer's seats in the DSP; any seat where none is named. */
  readonly wseat?: readonly string[] | undefined;
  readonly at?: 1 | 2 | 3 | undefined;
  readonly id?: string | undefined;
};

/** A private deal in the words of OpenRTB (`pmp.deals`), and the DSP that it is for. */
export type Deal = PackageDeal & {
  /** Per 1000 impressions. */
  readonly bidfloor: number;
  readonly bidfloorcur: string;
  readonly at: 1 | 2 | 3;
  readonly wadomain: readonly string[];
};

/** A package as far as its deals go. */
type DealtPackage = {
  readonly package_id: string;
  readonly deals?: readonly PackageDeal[] | undefined;
  readonly bid_price?: number | undefined;
  readonly sold: { readonly option: PricingOption };
};

/** Returns the deals that a package is sold with: one for each DSP of its product, for the seats that its buyer has there; undefined without. */
export function openDeals(
  offer: DealOffer | undefined,
  seats: Readonly<Record<string, readonly string[]>> | undefined,
): readonly PackageDeal[] | undefined {
  return offer?.dsps.map((dsp) => ({ dsp, wseat: seats?.[dsp], at: offer.at }));
}

/** Returns the deals of a package in full; undefined where it is not delivered as deals. */
export function listDeals({ deals, sold: { option } }: DealtPackage, brand: BrandRef): readonly Deal[] | undefined {
  const { currency, fixed_price, floor_price = 0 } = option;
  return deals?.map(({ at = fixed_price === undefined ? 1 : 3, dsp, id, wseat }) => ({
    ...{ id, dsp, bidfloor: fixed_price ?? floor_price, bidfloorcur: currency, at, wseat },
    wadomain: [brand.domain],
  }));
}

/** Returns the key of a deal among foreign ids: of a package in a DSP. */
export function dealKey(packageId: string, dsp: string): string {
  return `${packageId}@${dsp}`;
}

/** Returns a buy with the ids of its deals: by `pkg_1@dsp.example`, or by `pkg_1` for all of a package's. The same buy where nothing is new; an empty id takes one away. */
export function withDealIds<Line extends DealtPackage, Buy extends { readonly packages: readonly Line[] }>(
  buy: Buy,
  ids: Readonly<Record<string, string>>,
): Buy {
  let isChanged = false;
  const packages = buy.packages.map((line) => {
    const deals = line.deals?.map((deal) => {
      const entered = ids[dealKey(line.package_id, deal.dsp)] ?? ids[line.package_id];
      const id = entered === undefined ? deal.id : entered || undefined;
      isChanged ||= id !== deal.id;
      return { ...deal, id };
    });
    return deals === undefined ? line : { ...line, deals };
  });
  return isChanged ? { ...buy, packages } : buy;
}
