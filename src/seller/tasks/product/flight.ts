import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import type { App, Call } from '../../context.js';
import { midnightOf, SEARCHED_DAYS } from '../../domain/inventory/hold.js';
import { listRivals } from '../../domain/inventory/industry.js';
import type { Period } from '../../domain/media-buy/reporting.js';
import type { ProductFilters } from '../../domain/product/filters.js';
import { findSoldOut, type RivalRuns } from '../../domain/proposal/availability.js';
import { forecastFlight } from '../../domain/proposal/forecast.js';
import type { Market } from '../../domain/proposal/market.js';
import { readDates } from '../../domain/search/dates/dates.js';
import type { NamedDays } from '../../domain/search/dates/days.js';
import type { Overlay } from '../../domain/targeting/parts.js';
import { bookScope } from '../../lifecycle/inventory.js';
import type { Reader } from '../../store/store.js';

/** The members of a request that say when, where and for whom it asks. */
type FlightQuestion = {
  readonly brief?: string | undefined;
  /** Whether something is planned in the flight. */
  readonly isPlanned?: boolean | undefined;
  readonly filters?: Pick<ProductFilters, 'start_date' | 'end_date' | 'countries' | 'regions'> | undefined;
  readonly brand?: { readonly domain: string; readonly industries?: readonly string[] | undefined } | undefined;
};

/** The flight that a request asks about. */
export type AskedFlight = {
  /** The flight with what is held in it, narrowed to the places of the filters. */
  readonly market: Market;
  /** Whether the request names its days. */
  readonly isDated: boolean;
  /** What the answer says of the dates of the brief. */
  readonly remark?: string | undefined;
  /** The ids of the products that have nothing left in it; in a year from now, where the request names no days. */
  readonly soldOut: ReadonlySet<string>;
};

/** Reads the flight that a request asks about, by its filters or else its brief, and what is sold out in it. */
export async function readFlight(app: App, call: Call, question: FlightQuestion): Promise<AskedFlight> {
  const { owner, principal, now, seller } = call;
  const { filters = {}, brief = '', brand, isPlanned } = question;
  const { days, remark } = askedDays(filters, brief, now.ms);
  const isDated = days !== undefined;
  const flight = forecastFlight(days ?? {}, now.ms);
  const scope = bookScope(owner, principal?.sandbox === true);
  const sellable = isDated ? flight : { ...flight, toMs: flight.fromMs + SEARCHED_DAYS * DAY_MS };
  const market = await readMarket(
    app.store.read,
    call,
    { ...sellable, overlay: readOverlay(filters) },
    isPlanned === true,
  );
  const rivals = await readRivals(app, call, scope, brand);
  const soldOut = findSoldOut(seller.tenant.products, market, rivals);
  return { market: { ...market, ...flight }, isDated, remark, soldOut };
}

/** Reads what is held in a flight; where something is planned in it, also what is asked for of products that are not promised. */
export async function readMarket(db: Reader, call: Call, flight: Market, isPlanned: boolean): Promise<Market> {
  const { owner, principal, now } = call;
  const scope = bookScope(owner, principal?.sandbox === true);
  const held = await db.inventory.heldAt(scope, now.ms, midnightOf(flight.fromMs), flight.toMs);
  return { ...flight, held, demand: isPlanned ? await readDemand(db, call, scope, flight) : undefined };
}

async function readDemand(
  db: Reader,
  { seller }: Call,
  scope: string,
  { fromMs, toMs }: Period,
): Promise<Market['demand']> {
  const books = seller.tenant.products
    .filter(({ delivery_type }) => delivery_type !== 'guaranteed')
    .map(async ({ product_id }) => [product_id, await db.demand.ofBook({ scope, product_id }, fromMs, toMs)] as const);
  const asked = await Promise.all(books);
  return new Map(asked.filter(([, { first, changes }]) => first.length + changes.length > 0));
}

/** Returns the days of a request: of its filters, else of its brief, with what there is to say of those. */
function askedDays(
  { start_date, end_date }: NonNullable<FlightQuestion['filters']>,
  brief: string,
  nowMs: number,
): { readonly days?: NamedDays | undefined; readonly remark?: string } {
  if (start_date !== undefined || end_date !== undefined) return { days: { start_date, end_date } };
  const dates = readDates(brief, nowMs);
  if (dates === undefined) return {};
  if (dates.days === undefined)
    return {
      remark: `The dates of the brief, ${dates.unclear}, are not one flight that is still to come, so none was set: name it in filters.start_date and end_date.`,
    };
  const flight = forecastFlight(dates.days, nowMs);
  const end = isoTime(flight.toMs - DAY_MS).slice(0, 10);
  return { days: dates.days, remark: `Flight, as the brief says: ${isoTime(flight.fromMs).slice(0, 10)} to ${end}.` };
}

function readOverlay({ countries, regions }: NonNullable<FlightQuestion['filters']>): Overlay | undefined {
  if (countries === undefined && regions === undefined) return undefined;
  return { geo_countries: countries, geo_regions: regions };
}

/** Reads what rivals of a brand hold of the products that are sold to one of an industry. */
async function readRivals(
  { store }: App,
  { seller }: Call,
  scope: string,
  brand: FlightQuestion['brand'],
): Promise<RivalRuns> {
  const { domain, industries = [] } = brand ?? { domain: '' };
  if (industries.length === 0) return new Map();
  const advertiser = { domain: domain.toLowerCase(), industries };
  const runs = seller.tenant.products
    .filter(({ exclusivity }) => exclusivity === 'category')
    .map(async ({ product_id }) => {
      const held = await store.read.inventory.ofCategories({ scope, product_id });
      return [product_id, listRivals(held, advertiser).flatMap((hold) => hold.runs)] as const;
    });
  return new Map(await Promise.all(runs));
}
