import type { FormatId } from '../../../creative/formats/format.js';
import { parseFormatId, resolveFormatId, sameFormat } from '../../../creative/formats/format-id.js';
import { canonicalHash } from '../../../platform/kernel/canonical.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Account, BrandRef } from '../account/account.js';
import type { CreativeRequirement, PricingOption, Product } from '../product/product.js';
import { type Flight, readFlight, readPackageFlight, type StartTime } from './flight.js';
import { checkMeasurementTerms, checkPerformanceStandards, type MeasurementTerms } from './measurement-terms.js';
import type { MediaBuy, Pacing, Package } from './media-buy.js';
import { checkOffer, findPricingOption, findProduct } from './pricing.js';
import type { SoldTerms } from './sold-terms.js';
import { checkTargeting, shownTargeting } from './targeting.js';

/** The context that an order is judged in: the product catalog, who owns formats, whether creatives are needed, and the time. */
export type OrderContext = {
  readonly products: ReadonlyMap<string, Product>;
  readonly formatOwner: string;
  /** Every format of that owner. */
  readonly formatIds: ReadonlySet<string>;
  readonly creativeRequirement: CreativeRequirement;
  readonly soldTerms: SoldTerms;
  readonly ids: Ids;
  readonly now: { readonly ms: number; readonly iso: string };
};

/** A package as a buyer orders it; shapes are checked, meaning is not. */
export type PackageRequest = {
  readonly product_id: string;
  readonly pricing_option_id: string;
  readonly budget: number;
  readonly bid_price?: number | undefined;
  readonly pacing?: Pacing | undefined;
  readonly impressions?: number | undefined;
  readonly format_ids?: readonly unknown[] | undefined;
  readonly start_time?: string | undefined;
  readonly end_time?: string | undefined;
  readonly paused?: boolean | undefined;
  readonly targeting_overlay?: Readonly<Record<string, unknown>> | undefined;
  readonly measurement_terms?: MeasurementTerms | undefined;
  readonly [field: string]: unknown;
};

/** A whole order. */
export type Order = {
  readonly brand: BrandRef;
  readonly start_time: StartTime;
  readonly end_time: string;
  readonly paused?: boolean | undefined;
  readonly packages: readonly PackageRequest[];
  readonly echoed: Readonly<Record<string, unknown>>;
  readonly callbacks: Readonly<Record<string, unknown>>;
};

/** Fields of a package that are stored for the buyer as they came. */
const ECHOED = ['context', 'ext', 'agency_estimate_number', 'measurement_terms', 'performance_standards'] as const;

/** Features of a package that the protocol knows and this seller does not offer. */
const NOT_OFFERED = [
  'catalogs',
  'optimization_goals',
  'committed_metrics',
  'format_option_refs',
  'format_kind',
] as const;

/** Opens a media buy at revision 1, before its facts are looked at (`settle`). Throws the code and field of the first rule that the order breaks. */
export function openMediaBuy(order: Order, account: Account, context: OrderContext): MediaBuy {
  const flight = readFlight(order.start_time, order.end_time, context.now.ms);
  checkPackageCount(order.packages.length, 'packages');
  checkDuplicates(order.packages, 'packages');
  const mediaBuyId = context.ids.next('mb');
  const lines = order.packages.map((request, index) =>
    openPackage(request, makePackageId(mediaBuyId, index + 1), flight, context, `packages[${index}]`),
  );
  const currency = checkOneCurrency(
    lines.map((line) => line.option.currency),
    undefined,
    'packages',
  );
  const packages = lines.map((line) => line.package);
  return {
    media_buy_id: mediaBuyId,
    account_id: account.account_id,
    sandbox: account.sandbox,
    brand: order.brand,
    status: 'pending_creatives',
    held: order.paused === true,
    revision: 1,
    currency,
    ...flight,
    confirmed_at: context.now.iso,
    created_at: context.now.iso,
    updated_at: context.now.iso,
    packages,
    echoed: order.echoed,
    callbacks: order.callbacks,
  };
}

/** Returns the id of a buy's n-th package, counted from 1; it contains the id of the buy. */
export function makePackageId(mediaBuyId: string, number: number): string {
  return `${mediaBuyId.replace(/^mb_/, 'pkg_')}_${number}`;
}

/** Returns the id of the buy that a package id belongs to, if it is one of ours. */
export function readMediaBuyId(id: string): string | undefined {
  const match = /^pkg_(.+)_\d+$/.exec(id);
  return match === null ? undefined : `mb_${match[1]}`;
}

/** Opens one package of an order or of an update's `new_packages`; `field` is its path in the request. */
export function openPackage(
  request: PackageRequest,
  id: string,
  flight: Flight,
  context: OrderContext,
  field: string,
): { package: Package; option: PricingOption } {
  const product = findProduct(context.products, request.product_id, field, context.now.ms);
  const option = findPricingOption(product, request.pricing_option_id, field);
  checkOffer(option, request, field);
  checkOffered(request, product.inventory.countries, field);
  const dates = readPackageFlight(request, flight, field);
  const formats = readFormats(request.format_ids, product, context, field);
  const { bid_price, impressions, targeting_overlay } = request;
  return {
    option,
    package: {
      package_id: id,
      product_id: product.product_id,
      pricing_option_id: option.pricing_option_id,
      budget: request.budget,
      pacing: request.pacing ?? 'even',
      ...(bid_price === undefined ? {} : { bid_price }),
      ...(impressions === undefined ? {} : { impressions }),
      ...(targeting_overlay === undefined ? {} : { targeting_overlay: shownTargeting(targeting_overlay) }),
      ...(formats === undefined ? {} : { format_ids: formats }),
      ...dates,
      paused: request.paused === true,
      canceled: false,
      needs_creative: (product.inventory.creative_requirement ?? context.creativeRequirement) === 'required',
      echoed: Object.fromEntries(
        ECHOED.filter((name) => request[name] !== undefined).map((name) => [name, request[name]]),
      ),
      sold: context.soldTerms.at(product, option),
      segments: [],
    },
  };
}

/** Refuses what the seller cannot do for a product that runs in `countries`: unoffered features, targeting, measurement terms. */
export function checkOffered(
  request: Readonly<Record<string, unknown>>,
  countries: readonly string[],
  field: string,
): void {
  const unoffered = NOT_OFFERED.find((name) => request[name] !== undefined);
  if (unoffered !== undefined) {
    throw new TaskError('UNSUPPORTED_FEATURE', 'This seller does not offer this feature of a package.', {
      field: `${field}.${unoffered}`,
      suggestion: `Leave ${unoffered} out; get_adcp_capabilities lists what is offered.`,
    });
  }
  const { targeting_overlay: overlay, measurement_terms: terms } = request as PackageRequest;
  if (overlay !== undefined) checkTargeting(overlay, countries, field);
  checkMeasurementTerms(terms, `${field}.measurement_terms`);
  checkPerformanceStandards(request.performance_standards, `${field}.performance_standards`);
}

/** Returns the one currency of a buy. Throws INVALID_REQUEST at the first package that is priced in another one. */
export function checkOneCurrency(currencies: readonly string[], expected: string | undefined, field: string): string {
  const currency = expected ?? currencies[0] ?? 'USD';
  const other = currencies.findIndex((candidate) => candidate !== currency);
  if (other >= 0) {
    throw new TaskError('INVALID_REQUEST', 'All packages of a media buy must be priced in one currency.', {
      field: `${field}[${other}].pricing_option_id`,
      suggestion: `Choose pricing options in ${currency}, or put the others into a media buy of their own.`,
    });
  }
  return currency;
}

/** The most packages of a media buy: its delivery report stays well below the size that receivers have to take. */
export const MAX_PACKAGES = 1000;

/** Refuses more packages than a media buy can have. */
export function checkPackageCount(count: number, field: string): void {
  if (count <= MAX_PACKAGES) return;
  throw new TaskError('INVALID_REQUEST', `A media buy has at most ${MAX_PACKAGES} packages.`, {
    field,
    suggestion: 'Put the others into a media buy of their own.',
    details: { max_packages: MAX_PACKAGES },
  });
}

/** Refuses a package that is sent twice exactly alike: a repeated line is a mistake that would spend twice. */
export function checkDuplicates(packages: readonly unknown[], field: string): void {
  if (packages.length < 2) return;
  const hashes = packages.map(canonicalHash);
  const again = hashes.findIndex((hash, index) => hashes.indexOf(hash) !== index);
  if (again < 0) return;
  throw new TaskError('INVALID_REQUEST', 'The same package stands twice in the request.', {
    field: `${field}[${again}]`,
    suggestion:
      'Merge the two into one package with the whole budget, or make them differ (for example by dates or context).',
  });
}

function readFormats(
  requested: readonly unknown[] | undefined,
  product: Product,
  { formatOwner, formatIds }: OrderContext,
  field: string,
): readonly FormatId[] | undefined {
  return requested?.map((value, index) => {
    const path = `${field}.format_ids[${index}]`;
    const format = resolveFormatId(parseFormatId(value, path), formatOwner, formatIds);
    if (product.format_ids.some((own) => sameFormat(own, format, formatOwner))) return format;
    const fix = {
      field: path,
      suggestion: `Formats of this product: ${product.format_ids.map(({ id }) => id).join(', ')}.`,
    };
    throw formatIds.has(format.id)
      ? new TaskError('UNSUPPORTED_FEATURE', 'The product does not take this format.', fix)
      : new TaskError('REFERENCE_NOT_FOUND', 'There is no such creative format.', fix);
  });
}
