import type { FormatOptions } from '../../../creative/formats/canonical/declaration.js';
import { findOption, matchOptions } from '../../../creative/formats/canonical/select.js';
import type { FormatId } from '../../../creative/formats/format.js';
import { type FormatReferences, readFormatId } from '../../../creative/formats/format-agents.js';
import { isSameFormat } from '../../../creative/formats/format-id.js';
import { DAY_MS } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Account, BrandRef } from '../account/account.js';
import { openDeals } from '../booking/deals.js';
import { expectRates } from '../delivery/billing.js';
import { checkSlots, type FlightMs } from '../inventory/slots.js';
import type { Goal } from '../optimization/goal.js';
import { judgeGoals } from '../optimization/judge.js';
import { steerReach } from '../optimization/steering.js';
import type { CreativeRequirement, PricingOption, Product } from '../product/product.js';
import type { RecordedAcceptance } from '../proposal/insertion-order.js';
import { judgeTargeting, shownTargeting } from '../targeting/check.js';
import { type ListParts, listedPart } from '../targeting/lists.js';
import type { Principal } from '../tenant/principal.js';
import { readCommittedMetrics } from './committed-metrics.js';
import { type Flight, readFlight, readPackageFlight, type StartTime } from './flight.js';
import type { Fulfillment } from './fulfillment.js';
import { agreedTerms } from './makegood.js';
import {
  checkMeasurementTerms,
  checkMeasurementWindow,
  checkPerformanceStandards,
  type MeasurementTerms,
} from './measurement-terms.js';
import type { MediaBuy, Pacing, Package, Sold } from './media-buy.js';
import {
  bidFor,
  checkCurrency,
  checkOffer,
  findPricingOption,
  findProduct,
  inUnits,
  isSameAmount,
  type SoldTerms,
} from './pricing.js';

/** The context that an order is judged in: the product catalog, who owns formats, whether creatives are needed, and the time. */
export type OrderContext = {
  readonly products: ReadonlyMap<string, Product>;
  readonly formats: FormatReferences;
  readonly formatOptions: FormatOptions;
  readonly creativeRequirement: CreativeRequirement;
  /** How live buys are carried out. */
  readonly fulfillment: Fulfillment;
  /** The buyer's seats in DSPs, by their domains. */
  readonly seats?: Principal['seats'];
  /** A person approved it, and books it later. */
  readonly isBookedLater?: boolean;
  readonly soldTerms: SoldTerms;
  readonly ids: Ids;
  readonly now: { readonly ms: number; readonly iso: string };
  /** What the lists of the request leave of the products. */
  readonly lists?: ListParts | undefined;
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
  readonly format_option_refs?: readonly unknown[] | undefined;
  readonly format_kind?: unknown;
  readonly params?: unknown;
  readonly start_time?: string | undefined;
  readonly end_time?: string | undefined;
  readonly paused?: boolean | undefined;
  readonly targeting_overlay?: Readonly<Record<string, unknown>> | undefined;
  readonly measurement_terms?: MeasurementTerms | undefined;
  readonly optimization_goals?: readonly Goal[] | undefined;
  readonly committed_metrics?: readonly unknown[] | undefined;
  readonly [field: string]: unknown;
};

/** A whole order. */
export type Order = {
  readonly brand: BrandRef;
  readonly start_time: StartTime;
  readonly end_time: string;
  readonly paused?: boolean | undefined;
  readonly packages: readonly PackageRequest[];
  /** The sum of the packages' budgets, where the buyer says it too. */
  readonly total_budget?: { readonly amount: number; readonly currency: string } | undefined;
  /** The currency of all amounts, where the buyer names one. */
  readonly currency?: unknown;
  readonly io_acceptance?: RecordedAcceptance | undefined;
  readonly echoed: Readonly<Record<string, unknown>>;
  readonly callbacks: Readonly<Record<string, unknown>>;
};

/** Fields of a package that are stored for the buyer as they came. */
const ECHOED = [
  'context',
  'ext',
  'agency_estimate_number',
  'measurement_terms',
  'performance_standards',
  'optimization_goals',
  'format_option_refs',
  'format_kind',
  'params',
] as const;

/** Opens a media buy at revision 1, before its facts are looked at (`settle`). Throws the code and field of the first rule that the order breaks. */
export function openMediaBuy(
  order: Order,
  account: Pick<Account, 'account_id' | 'sandbox'>,
  context: OrderContext,
): MediaBuy {
  const flight = readFlight(order.start_time, order.end_time, context.now.ms);
  checkPackageCount(order.packages.length, 'packages');
  const mediaBuyId = context.ids.next('mb');
  const lines = order.packages.map((request, index) =>
    openPackage(request, { id: makePackageId(mediaBuyId, index + 1), flight, field: `packages[${index}]` }, context),
  );
  const currency = checkOneCurrency(
    lines.map((line) => line.option.currency),
    undefined,
    'packages',
  );
  const packages = lines.map((line) => line.package);
  const fulfillment = account.sandbox ? 'simulated' : context.fulfillment;
  checkCurrency(order.currency, currency, 'currency');
  checkTotalBudget(order.total_budget, packages, currency);
  return {
    media_buy_id: mediaBuyId,
    account_id: account.account_id,
    sandbox: account.sandbox,
    fulfillment,
    brand: order.brand,
    status: 'pending_creatives',
    held: order.paused === true,
    revision: 1,
    currency,
    ...flight,
    // Who approved what people carry out has booked it, unless that comes later; whatever else does confirms it itself.
    confirmed_at: fulfillment === 'manual' && context.isBookedLater !== true ? context.now.iso : undefined,
    created_at: context.now.iso,
    updated_at: context.now.iso,
    packages,
    io_acceptance: order.io_acceptance,
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

/** Where a package opens: its id, the flight of its buy, and its path in the request. */
type PackageOpening = { readonly id: string; readonly flight: Flight; readonly field: string };

/** Opens one package of an order or of an update's `new_packages`. */
export function openPackage(
  request: PackageRequest,
  { id, flight, field }: PackageOpening,
  context: OrderContext,
): { package: Package; option: PricingOption } {
  const product = findProduct(context.products, request.product_id, field, context.now.ms);
  const option = findPricingOption(product, request.pricing_option_id, field);
  checkCurrency(request.currency, option.currency, `${field}.currency`);
  checkOffer(option, request, field);
  checkTerms(request, { ...product, option, reporting: product.reporting_capabilities }, field);
  const dates = readPackageFlight(request, flight, field);
  const { inventory } = product;
  checkSlots({ option, inventory }, request.budget, flightMs(dates), `${field}.budget`);
  const formats = readFormats(request, product, context, field);
  const { impressions, targeting_overlay } = request;
  const supply = { ...product.inventory, channels: product.channels };
  const listed = targeting_overlay && listedPart(targeting_overlay, product.product_id, context.lists);
  const reach = judgeTargeting(targeting_overlay ?? {}, supply, { flightDays: flightDays(dates), field, listed });
  const sold = context.soldTerms.at(product, option);
  const line: Package = {
    package_id: id,
    product_id: product.product_id,
    pricing_option_id: option.pricing_option_id,
    budget: inUnits(request.budget, option.currency),
    pacing: request.pacing ?? 'even',
    bid_price: bidFor(option, request.bid_price),
    impressions,
    targeting_overlay: targeting_overlay && shownTargeting(targeting_overlay),
    reach,
    listed,
    format_ids: formats,
    ...dates,
    paused: request.paused === true,
    canceled: false,
    needs_creative: (product.inventory.creative_requirement ?? context.creativeRequirement) === 'required',
    echoed: echoedFields(request),
    sold,
    deals: openDeals(product.inventory.deal, context.seats),
    committed_metrics: readCommittedMetrics(request.committed_metrics, sold, `${field}.committed_metrics`),
    segments: [],
  };
  return { option, package: steerPackage(line, request.optimization_goals, field) };
}

/** Returns a package with the effect of its goals on what it can get; it is judged as it stands without goals. */
export function steerPackage(line: Package, goals: readonly Goal[] | undefined, field: string): Package {
  if (goals === undefined || goals.length === 0) return line;
  const steering = judgeGoals(goals, { line, offer: line.sold, field });
  return { ...line, steering, reach: steerReach(line.reach, steering, line.sold.inventory) };
}

/** Returns what is stored for the buyer as it came, and the terms as they are agreed. */
function echoedFields(request: PackageRequest): Package['echoed'] {
  const { measurement_terms: terms } = request;
  const given = Object.fromEntries(
    ECHOED.filter((name) => request[name] !== undefined).map((name) => [name, request[name]]),
  );
  return terms === undefined ? given : { ...given, measurement_terms: agreedTerms(terms) };
}

/** Returns a flight in ms since the epoch. */
export function flightMs({ start_time, end_time }: Pick<Package, 'start_time' | 'end_time'>): FlightMs {
  return { start_ms: Date.parse(start_time), end_ms: Date.parse(end_time) };
}

/** Returns the days of a flight, with fractions. */
export function flightDays({ start_time, end_time }: Pick<Package, 'start_time' | 'end_time'>): number {
  return (Date.parse(end_time) - Date.parse(start_time)) / DAY_MS;
}

/** Refuses measurement terms and performance standards that the seller cannot keep. */
export function checkTerms(
  request: Readonly<Record<string, unknown>>,
  { inventory, channels, option, reporting }: Pick<Sold, 'inventory' | 'channels' | 'option' | 'reporting'>,
  field: string,
): void {
  const { measurement_terms: terms } = request as PackageRequest;
  checkMeasurementTerms(terms, `${field}.measurement_terms`);
  checkMeasurementWindow(terms, reporting?.measurement_windows, `${field}.measurement_terms`);
  const rates = expectRates(inventory, channels, option);
  checkPerformanceStandards(request.performance_standards, rates, `${field}.performance_standards`);
}

/** Returns the one currency of a buy. Throws INVALID_REQUEST at the first package that is priced in another one. */
export function checkOneCurrency(currencies: readonly string[], expected: string | undefined, field: string): string {
  const currency = expected ?? currencies[0] ?? 'USD';
  const other = currencies.findIndex((candidate) => candidate !== currency);
  if (other >= 0) {
    throw new TaskError(
      'INVALID_REQUEST',
      `A media buy has one currency: this price is in ${currencies[other]}, the others are in ${currency}.`,
      {
        field: `${field}[${other}].pricing_option_id`,
        suggestion: `Choose a pricing option in ${currency}, or put the packages in ${currencies[other]} into a media buy of their own.`,
        details: { currencies: [...new Set([currency, ...currencies])] },
      },
    );
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

/** Refuses a total that is not the sum of the packages' budgets. */
function checkTotalBudget(total: Order['total_budget'], packages: readonly Package[], currency: string): void {
  if (total === undefined) return;
  const sum = Math.round(packages.reduce((all, { budget }) => all + budget, 0) * 100) / 100;
  const isSame = total.currency === currency;
  if (isSame && isSameAmount(total.amount, sum)) return;
  throw new TaskError('INVALID_REQUEST', `The budgets of the packages come to ${sum} ${currency}.`, {
    field: `total_budget.${isSame ? 'amount' : 'currency'}`,
    suggestion: `Send total_budget {amount: ${sum}, currency: "${currency}"}, leave it out, or change the budgets of the packages.`,
    details: { sum, currency },
  });
}

/** Returns the formats that a package is for, of the first of what names them: options, format ids, a kind. */
function readFormats(
  request: PackageRequest,
  product: Product,
  context: OrderContext,
  field: string,
): readonly FormatId[] | undefined {
  const { format_option_refs: refs, format_ids, format_kind, params } = request;
  if (refs === undefined && (format_ids !== undefined || format_kind === undefined)) {
    if (params !== undefined && format_kind === undefined) throw withoutKind(field);
    return format_ids && readFormatIds(format_ids, product, context, field);
  }
  const options = context.formatOptions.list(product.format_ids);
  const meant =
    refs?.map((ref, index) => findOption(options, ref, `${field}.format_option_refs[${index}]`)) ??
    matchOptions(options, { format_kind, params }, field);
  return [...new Set(meant)].map(({ format }) => format.format_id);
}

function withoutKind(field: string): TaskError {
  return new TaskError('INVALID_REQUEST', 'The parameters of a format go with its kind.', {
    field: `${field}.params`,
    suggestion: "Send format_kind with them, or format_option_refs of the product's format_options alone.",
  });
}

function readFormatIds(
  requested: readonly unknown[],
  product: Product,
  { formats }: OrderContext,
  field: string,
): readonly FormatId[] {
  return requested.map((value, index) => {
    const path = `${field}.format_ids[${index}]`;
    const format = readFormatId(value, path, formats);
    if (product.format_ids.some((own) => isSameFormat(own, format, formats.owner))) return format;
    const fix = {
      field: path,
      suggestion: `Formats of this product: ${product.format_ids.map(({ id }) => id).join(', ')}.`,
    };
    throw formats.ids.has(format.id)
      ? new TaskError('FORMAT_NOT_SUPPORTED', 'The product does not take this format.', fix)
      : new TaskError('FORMAT_NOT_SUPPORTED', 'There is no such creative format.', {
          ...fix,
          codeIn30: 'REFERENCE_NOT_FOUND',
        });
  });
}
