import { z } from 'zod';
import { DAY_MS } from '../../../platform/kernel/clock.js';
import type { Call } from '../../context.js';
import { brandText, checkPolicy } from '../../domain/policy/policy.js';
import { plannedFor } from '../../domain/proposal/market.js';
import { openProposal } from '../../domain/proposal/plan.js';
import { planTerms } from '../../domain/proposal/snapshot.js';
import { mutation, VERSION_MEMBER } from '../pipeline/tool.js';
import { withIndustries } from '../product/brand-industries.js';
import { type AskedFlight, readFlight } from '../product/flight.js';
import { planBrief } from '../product/get-products.js';
import { findOffers } from './offers.js';
import { COMPACT_RELEASE, discoveryFields, keyedFields, opportunity, readBrand } from './shapes.js';
import { draftSnapshot, listPurchased, saveSnapshots, showSnapshot } from './snapshots.js';

const input = z.looseObject({
  ...keyedFields,
  ...discoveryFields,
  criteria: discoveryFields.criteria.meta({ brief: true, description: 'As of list_products' }),
  brief: z.string().min(1).max(20_000).describe('Goal, audience, channels, countries, budget, dates'),
  opportunity: opportunity.optional(),
});
type Input = z.output<typeof input>;

/** Days from now on which a plan begins whose brief names none, so that there is time to accept it. */
const LEAD_DAYS = 3;
const FLIGHT_DAYS = 30;

/** request_proposals: plans for a brief, each an immutable draft. */
export const requestProposals = mutation({
  name: 'request_proposals',
  since: COMPACT_RELEASE,
  root: [
    VERSION_MEMBER,
    'status',
    'outcome',
    'reason',
    'suggestions',
    'proposals',
    'products',
    'task_id',
    'message',
    'context',
    'ext',
    'replayed',
  ],
  title: 'Request proposals',
  description:
    'Makes media plans for a brief: drafts with exact terms, nothing held. Next: refine_proposals to change one (revise) or to hold its prices and inventory (finalize), then accept_proposal.',
  kinds: ['sales'],
  input,
  account: { use: 'read_catalog', required: false },
  prepare: async ({ app, call, args }): Promise<AskedFlight> => {
    const brand = readBrand(args);
    const question = { ...args, brand, filters: datedFilters(args), isPlanned: true };
    checkPolicy(call.seller.tenant.portfolio, args.brief, 'brief');
    checkPolicy(call.seller.tenant.portfolio, `${brandText(brand)}. ${args.brief}`, 'brand');
    return planFlight(
      call,
      await readFlight(app, call, { ...question, brand: await withIndustries(app.registry, brand) }),
    );
  },
  run: async ({ app, call, args, db, scope, prepared: flight }) => {
    const brand = readBrand(args);
    const { plans, remark } = findPlans(call, args, flight);
    const drafts = plans.flatMap((plan) => {
      const proposal = openProposal(plan, call.seller, flight.market, call.now.ms);
      const terms = planTerms(proposal, call.seller.products, brand, flight.market);
      if (terms.purchases.length < plan.allocations.length) return [];
      const { opportunity_id } = args.opportunity ?? {};
      const snapshot = { kind: 'new_media_buy' as const, opportunity_id, criteria: args.criteria };
      return [draftSnapshot(app, call, { proposal, terms, snapshot, ...plannedFor(flight.market) })];
    });
    if (drafts.length === 0) return rejectBrief(remark);
    await saveSnapshots({ db, scope }, drafts);
    return {
      outcome: 'proposed',
      proposals: drafts.map(showSnapshot),
      products: listPurchased(call, drafts),
      message: remark,
    };
  },
});

/** Returns the filters of a request, without those that products alone are told by. */
function datedFilters({ criteria }: Input) {
  const { start_date, end_date, countries } = criteria?.offer_filters ?? {};
  return { start_date, end_date, countries };
}

/** Returns the flight that is planned: the days that the request names, else thirty days from the third midnight on. */
function planFlight({ now }: Call, flight: AskedFlight): AskedFlight {
  if (flight.isDated) return flight;
  const fromMs = Math.ceil(now.ms / DAY_MS) * DAY_MS + (LEAD_DAYS - 1) * DAY_MS;
  return { ...flight, market: { ...flight.market, fromMs, toMs: fromMs + FLIGHT_DAYS * DAY_MS } };
}

function findPlans(call: Call, args: Input, flight: AskedFlight) {
  const { product_ids: _ids, ...criteria } = args.criteria ?? {};
  const offers = new Set(findOffers(call, args.criteria ?? {}).map(({ product_id }) => product_id));
  const { format_kinds: _kinds, ...filters } = criteria.offer_filters ?? {};
  const brand = readBrand(args);
  return planBrief(call, { brief: args.brief, brand, filters }, flight, ({ product_id }) => offers.has(product_id));
}

function rejectBrief(remark: string | undefined) {
  return {
    outcome: 'rejected',
    reason: remark ?? 'No product on sale can be planned for this brief.',
    suggestions: [
      'Name fewer or other criteria, other dates, or a larger budget.',
      'See what is offered with list_products.',
    ],
  };
}
