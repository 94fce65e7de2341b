import { wantedState } from '../../domain/booking/drift.js';
import type { LiveOrder, LivePackage } from '../../domain/booking/live-order.js';
import { OrderRefusedError, RetryLaterError, UnknownOutcomeError } from '../errors.js';
import type { CallContext } from '../port/adapter.js';
import type { Availability, AvailabilityRequest, CheckContext, CheckVerdict, Objection } from '../port/answers.js';
import { creativesOf } from './book/creatives.js';
import { termsOf } from './book/lines.js';
import { TermsError } from './mapping/errors.js';
import { soapLine } from './mapping/soap-line.js';
import type { LineTerms } from './mapping/terms.js';
import type { GamNetwork } from './network.js';
import type { SoapForecast } from './soap/services.js';

const ACCEPTED: CheckVerdict = { verdict: 'accepted' };

/** Judges an order: whether it has terms in Ad Manager, and whether what is promised can be had. */
export async function checkOrder(network: GamNetwork, order: LiveOrder, context: CheckContext): Promise<CheckVerdict> {
  for (const line of order.packages) {
    if (wantedState(order, line) !== 'running') continue;
    const objection = await checkPackage(network, order, line, context);
    if (objection !== undefined) return { verdict: 'refused', ...objection };
  }
  return ACCEPTED;
}

async function checkPackage(
  network: GamNetwork,
  order: LiveOrder,
  line: LivePackage,
  { booked, signal }: CheckContext,
): Promise<Objection | undefined> {
  try {
    creativesOf(order, line);
    const terms = termsOf(network, order, line);
    const before = booked?.packages.find(({ package_id }) => package_id === line.package_id);
    if (terms.lineItemType === 'SPONSORSHIP' && before === undefined)
      return await checkShare(network, line, terms, signal);
    // What it has already is not available to itself.
    const needed = terms.goal.units - (before?.goal?.count ?? 0);
    if (terms.lineItemType !== 'STANDARD' || needed <= 0) return undefined;
    const available = (await readForecast(network, terms, signal))?.availableUnits;
    if (available === undefined || available >= needed) return undefined;
    const { package_id } = line;
    return {
      package_id,
      field: 'budget',
      message: `Of ${needed} ${terms.goal.unitType.toLowerCase()} the ad server has ${available}.`,
      suggestion: 'Order less, a longer flight, or less targeting.',
    };
  } catch (error) {
    if (error instanceof TermsError) return error.objection;
    throw error;
  }
}

/** Holds the part that a sponsorship reserves against the part that is left: in which units its forecast comes makes no difference to that. */
async function checkShare(
  network: GamNetwork,
  { package_id }: LivePackage,
  terms: LineTerms,
  signal: AbortSignal,
): Promise<Objection | undefined> {
  const { availableUnits = 0, matchedUnits = 0 } = (await readForecast(network, terms, signal)) ?? {};
  if (matchedUnits === 0) return undefined;
  const left = Math.floor((100 * availableUnits) / matchedUnits);
  if (left >= terms.goal.units) return undefined;
  return {
    package_id,
    field: 'start_time',
    message: `This is sold as ${terms.goal.units} percent of what there is, of which ${left} percent are left in its flight.`,
    suggestion: 'Order another flight, or another product.',
  };
}

/** Returns what is available of what a line would need; undefined where the ad server cannot say just now: booking will. */
async function readForecast(
  { settings, soap, zone }: GamNetwork,
  terms: LineTerms,
  signal: AbortSignal,
): Promise<SoapForecast | undefined> {
  try {
    const line = soapLine(terms, { zone, zoneName: settings.time_zone }, {});
    return await soap.forecast(line, signal);
  } catch (error) {
    const isSilent = error instanceof RetryLaterError || error instanceof UnknownOutcomeError;
    if (isSilent || error instanceof OrderRefusedError) return undefined;
    throw error;
  }
}

/** Returns what of products can still be booked, in impressions. */
export async function readAvailability(
  network: GamNetwork,
  { end_time, products, start_time, targeting }: AvailabilityRequest,
  { signal }: CallContext,
): Promise<readonly Availability[]> {
  const answers: Availability[] = [];
  for (const { adapter, product_id } of products) {
    const line = probeLine({ adapter, product_id, start_time, end_time, targeting });
    const terms = termsOf(network, probeOrder(network, line), line);
    const forecast = await readForecast(network, terms, signal);
    answers.push({ product_id, unit: 'impressions', available: forecast?.availableUnits });
  }
  return answers;
}

type Probe = Pick<LivePackage, 'adapter' | 'product_id' | 'start_time' | 'end_time' | 'targeting'>;

/** Returns a package that nobody has ordered: one unit of a product. */
function probeLine(probe: Probe): LivePackage {
  return {
    ...probe,
    package_id: 'forecast',
    name: probe.product_id,
    budget: 1,
    price: { model: 'cpm', amount: 1, kind: 'fixed' },
    goal: { unit: 'impressions', count: 1 },
    pacing: 'even',
    delivery_type: 'guaranteed',
    state: 'running',
    formats: [],
    needs_creative: false,
    creatives: [],
  };
}

function probeOrder({ settings }: GamNetwork, line: LivePackage): LiveOrder {
  const { end_time, start_time } = line;
  return {
    media_buy_id: 'forecast',
    sandbox: false,
    revision: 1,
    name: 'forecast',
    account_id: 'forecast',
    brand: { domain: 'forecast.invalid' },
    po_number: undefined,
    currency: settings.currency,
    start_time,
    end_time,
    state: 'running',
    packages: [line],
  };
}
