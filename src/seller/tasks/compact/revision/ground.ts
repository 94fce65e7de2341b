import { DAY_MS } from '../../../../platform/kernel/clock.js';
import { TaskError } from '../../../../protocol/errors.js';
import { listDays } from '../../../domain/inventory/hold.js';
import type { MediaBuy } from '../../../domain/media-buy/media-buy.js';
import type { Product } from '../../../domain/product/product.js';
import { planOfBuy, soldProducts } from '../../../domain/proposal/amendment.js';
import { findSoldOut } from '../../../domain/proposal/availability.js';
import type { Market } from '../../../domain/proposal/market.js';
import type { Proposal } from '../../../domain/proposal/proposal.js';
import { readFlightAsk } from '../../../domain/proposal/refinement/flight-ask.js';
import { listHeld } from '../../../lifecycle/inventory.js';
import type { MutationContext } from '../../pipeline/tool.js';
import { readMarket } from '../../product/flight.js';
import { findOffers, listOnSale } from '../offers.js';
import type { Criteria } from '../shapes.js';
import type { StoredSnapshot } from '../snapshots.js';
import type { Constraints, Refinement } from './shapes.js';

/** The part of a call's context that a revision needs. */
export type RevisionContext = Pick<MutationContext, 'app' | 'call' | 'db' | 'scope'>;

/** The source of a revision: a proposal, and the media buy that it has become, whose terms count then. */
export type RevisionSource = { readonly stored: StoredSnapshot; readonly buy?: MediaBuy | undefined };

/** The ground of a revision: the plan as it is, and what it can be changed to. */
export type Ground = Awaited<ReturnType<typeof readGround>>;

/** Reads what a revision is made on. Throws INVALID_REQUEST for criteria whose flight ends before it begins. */
export async function readGround(context: RevisionContext, revision: Refinement, source: RevisionSource) {
  const { call } = context;
  const { stored, buy } = source;
  const { criteria: changed, ask } = revision;
  const criteria: Criteria = { ...stored.snapshot.criteria, ...changed };
  const own = moveFlight(
    widenFlight(buy === undefined ? marketOf(stored) : flightOf(buy), revision.constraints?.flight, call.now.ms),
    changed,
    call.now.ms,
  );
  const { start_date, end_date } = changed?.offer_filters ?? {};
  const isDated = start_date !== undefined || end_date !== undefined;
  const days = ask === undefined ? undefined : readFlightAsk(ask, { own, isDated, nowMs: call.now.ms });
  const flight = await readOthers(context, { ...own, ...days?.flight }, buy);
  const onSale = listOnSale(call);
  const soldOut = findSoldOut(onSale, flight, new Map());
  const isLeft = ({ product_id }: Product): boolean => !soldOut.has(product_id);
  const byId: ReadonlyMap<string, Product> =
    buy === undefined
      ? call.seller.products
      : new Map([...call.seller.products, ...soldProducts(buy, call.seller.products)]);
  const plan: Proposal =
    buy === undefined
      ? stored.proposal
      : planOfBuy(buy, `Amendment of ${stored.proposal.name}`.slice(0, 500), call.now.iso);
  return {
    plan,
    criteria: Object.keys(criteria).length === 0 ? undefined : criteria,
    /** All that is on sale, which a revision may name. */
    named: onSale.filter(isLeft),
    ground: {
      products: findOffers(call, criteria).filter(isLeft),
      byId,
      tenant: call.seller.tenant,
      flight,
      nowMs: call.now.ms,
      days,
    },
  };
}

/** Reads the market of a flight as it is without what the buy itself holds and asks for. */
async function readOthers({ call, db }: RevisionContext, flight: Market, buy: MediaBuy | undefined): Promise<Market> {
  const market = await readMarket(db, call, flight, buy === undefined);
  if (buy === undefined) return market;
  const held = new Map([...(market.held ?? [])].map(([id, byDay]) => [id, new Map(byDay)]));
  for (const { product_id, runs } of await listHeld(db, [buy.media_buy_id]))
    for (const [day, amount] of listDays(runs)) {
      const book = held.get(product_id);
      const all = book?.get(day);
      if (all !== undefined) book?.set(day, Math.max(0, all - amount));
    }
  return { ...market, held };
}

function marketOf({ flight, places, snapshot }: StoredSnapshot): Market {
  const { start_time, end_time } = snapshot.terms;
  return { ...(flight ?? { fromMs: Date.parse(start_time), toMs: Date.parse(end_time) }), overlay: places };
}

function flightOf({ start_time, end_time }: MediaBuy): Market {
  return { fromMs: Date.parse(start_time), toMs: Date.parse(end_time) };
}

/** Returns a flight that begins and ends as bounds want it, as far as they are instants still to come. */
function widenFlight(market: Market, bounds: Constraints['flight'], nowMs: number): Market {
  const startMs = Date.parse(bounds?.start_no_later_than ?? '');
  const endMs = Date.parse(bounds?.end_no_earlier_than ?? '');
  const fromMs = startMs > nowMs ? Math.min(market.fromMs, startMs) : market.fromMs;
  const toMs = endMs > market.toMs ? endMs : market.toMs;
  return { ...market, fromMs, toMs };
}

/** Returns a flight on the days and in the countries that criteria name; where they name one end alone, the other stays. */
function moveFlight(market: Market, criteria: Criteria | undefined, nowMs: number): Market {
  const { start_date, end_date, countries } = criteria?.offer_filters ?? {};
  const tomorrowMs = Math.ceil(nowMs / DAY_MS) * DAY_MS;
  const fromMs = start_date === undefined ? market.fromMs : Math.max(tomorrowMs, Date.parse(start_date));
  const toMs = end_date === undefined ? market.toMs : Date.parse(end_date) + DAY_MS;
  if (toMs <= fromMs)
    throw new TaskError('INVALID_REQUEST', 'The flight of the criteria would end before it begins.', {
      field: 'refinements[0].criteria.offer_filters.end_date',
      suggestion: 'Send an end_date on or after the start_date, and still to come.',
    });
  const overlay = countries === undefined ? market.overlay : { ...market.overlay, geo_countries: countries };
  return { ...market, fromMs, toMs, overlay };
}
