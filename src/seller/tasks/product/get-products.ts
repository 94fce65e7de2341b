import { z } from 'zod';
import { parseFormatId, resolveFormatId } from '../../../creative/formats/format-id.js';
import { DAY_MS, MINUTE_MS } from '../../../platform/kernel/clock.js';
import { pageArray, readPage } from '../../../platform/kernel/cursor.js';
import { extendWritten, type Written, writeOnce } from '../../../platform/kernel/json/json.js';
import { completePayload, type Payload } from '../../../protocol/envelope.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import type { Period } from '../../domain/media-buy/reporting.js';
import type { CatalogSearch } from '../../domain/product/catalog-search.js';
import { explainNoProducts, filterProducts, type ProductFilters } from '../../domain/product/filters.js';
import type { Product } from '../../domain/product/product.js';
import { rankProducts } from '../../domain/product/search.js';
import { productWire } from '../../domain/product/wire.js';
import { forecastFlight } from '../../domain/proposal/forecast.js';
import { type PlanCandidate, planProposals } from '../../domain/proposal/plan.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { query } from '../pipeline/define.js';
import {
  accountRef,
  amount,
  brandRef,
  channel,
  day,
  envelopeFields,
  formatId,
  pagination,
} from '../pipeline/shapes.js';
import { configuredPlans, showProposals } from './proposals.js';
import { readRefinements, refine, refinement } from './refine.js';

const filters = z.looseObject({
  delivery_type: z.enum(['guaranteed', 'non_guaranteed']).optional(),
  exclusivity: z.enum(['none', 'category', 'exclusive']).optional(),
  is_fixed_price: z.boolean().optional(),
  pricing_currencies: z.array(z.string()).optional(),
  format_ids: z.array(formatId).optional(),
  standard_formats_only: z.boolean().optional(),
  min_exposures: amount.optional(),
  start_date: day.optional(),
  end_date: day.optional(),
  budget_range: z.looseObject({ currency: z.string(), min: amount.optional(), max: amount.optional() }).optional(),
  countries: z.array(z.string()).optional(),
  regions: z.array(z.string()).optional(),
  channels: z.array(channel).optional(),
  required_metrics: z.array(z.string()).optional(),
  required_features: z.record(z.string(), z.boolean()).optional(),
  required_geo_targeting: z.array(z.looseObject({ level: z.string(), system: z.string().optional() })).optional(),
});

const input = z.looseObject({
  buying_mode: z
    .enum(['brief', 'wholesale', 'refine'])
    .optional()
    .describe(
      'brief: search; wholesale: the whole catalog; refine: change what was shown. Left out: brief if there is one',
    ),
  brief: z
    .string()
    .max(20_000)
    .optional()
    .describe('The campaign in plain words: goal, audience, channels, countries, budget'),
  brand: brandRef.optional(),
  account: accountRef.optional(),
  filters: filters.optional(),
  preferred_delivery_types: z.array(z.enum(['guaranteed', 'non_guaranteed'])).optional(),
  fields: z
    .array(z.string().max(64))
    .min(1)
    .max(64)
    .optional()
    .describe('Only these product fields; product_id and name always come'),
  refine: z
    .array(refinement)
    .min(1)
    .max(100)
    .optional()
    .describe('Changes to what an earlier answer showed; action finalize holds the prices of a proposal'),
  pagination: pagination.optional(),
  ...envelopeFields,
});
type Input = z.output<typeof input>;

/** The features that the seller as a whole supports, for filters that ask for them, as the capabilities declare them. */
const SUPPORT = {
  features: new Set(['inline_creative_management']),
  geoTargetingLevels: new Set(['country', 'region']),
};

/** get_products: the catalog, searched by a brief, narrowed by filters. */
export const getProducts = query({
  name: 'get_products',
  title: 'Find products',
  description:
    'Finds what can be bought. Describe the campaign in brief, or use buying_mode "wholesale" for everything; filters narrow hard. Prices are in pricing_options (cpm: per 1000). With an account, a brief gets proposals too: plans to refine and buy. Next: create_media_buy with a product_id and pricing_option_id.',
  kinds: ['sales'],
  input,
  account: { use: 'read_catalog', required: false },
  empty: { products: [] },
  run: async ({ app, call, args }) => {
    checkMode(args);
    if (args.refine !== undefined) return refined(app, call, args, readRefinements(args.refine));
    const question = searchQuestion(call, args);
    const { seller, now } = call;
    const { answer, made, standing } = await app.searches.getOrMake(seller, question, now.ms, () => lookUp(call, args));
    if (made.length + standing.length === 0) return answer;
    // Until the buyer's proposals change or end, the same question has the same answer.
    const minute = Math.floor(now.ms / MINUTE_MS);
    const own = ['get_products', call.owner, app.store.read.proposals.version(call.owner), minute, ...question];
    return app.answers.getOrMake(seller, own, now.ms, async () => {
      const proposals = await showProposals(app, call, made, standing, flightOf(call, args));
      return proposals.length === 0 ? answer : extendWritten(answer, { proposals });
    });
  },
});

/** All that the catalog's answer depends on, beside its seller; what is planned depends on the day. */
function searchQuestion({ to, principal, now }: Call, args: Input): readonly unknown[] {
  const { brief, filters: given, preferred_delivery_types, fields, pagination: page } = args;
  const day = getsProposals(args) ? Math.floor(now.ms / DAY_MS) : undefined;
  const caller = [to.release, principal?.sandbox, scopeOf(args), day];
  return [...caller, brief, given, preferred_delivery_types, fields, page];
}

/** Proposals answer a brief for an account: without one the answer is the public catalog. */
function getsProposals({ brief = '', account, pagination: page }: Input): boolean {
  return account !== undefined && brief.trim() !== '' && page?.cursor === undefined;
}

function lookUp(call: Call, args: Input): CatalogSearch {
  const { seller } = call;
  const { candidates, kept, diagnostics } = onSale(call, args);
  const found = inPreferredOrder(search(seller, args.brief, kept), args.preferred_delivery_types);
  const page = pageArray('products', found, readPage('products', args.pagination));
  const filtered = kept.length < candidates.length;
  const shown = new Set(page.rows.map(({ product }) => product.product_id));
  const flight = flightOf(call, args);
  const isPlanned = getsProposals(args) && call.principal !== undefined;
  return {
    answer: writeOnce(
      completePayload({
        ...(kept.length === 0 && filtered ? { message: explainNoProducts(diagnostics) } : {}),
        products: page.rows.map((entry) => wireOf(seller, entry, args.fields)),
        cache_scope: scopeOf(args),
        ...(filtered ? { filter_diagnostics: diagnostics } : {}),
        ...(args.pagination === undefined && !page.info.has_more ? {} : { pagination: page.info }),
        sandbox: call.principal?.sandbox ?? false,
      }),
    ),
    made: isPlanned ? planProposals(args.brief ?? '', page.rows, flight) : [],
    standing: isPlanned
      ? configuredPlans(call, flight).filter(({ allocations }) =>
          allocations.every((part) => shown.has(part.product_id)),
        )
      : [],
  };
}

function scopeOf({ account }: Input): 'public' | 'account' {
  return account === undefined ? 'public' : 'account';
}

/** The products that can be bought now, and those of them that pass the filters. */
function onSale({ seller, now }: Call, { filters: given }: Input) {
  const candidates = seller.tenant.products.filter((product) => isOnSale(product, now.ms));
  return { candidates, ...filterProducts(candidates, readFilters(seller, given), SUPPORT) };
}

function flightOf({ now }: Call, { filters: given }: Input): Period {
  return forecastFlight(given ?? {}, now.ms);
}

/** The answer of a refine call; what it changes of proposals is kept before it is answered. */
async function refined(
  app: App,
  call: Call,
  args: Input,
  entries: ReturnType<typeof readRefinements>,
): Promise<Payload> {
  const ground = { candidates: onSale(call, args).kept, flight: flightOf(call, args) };
  const { products, proposals, refinement_applied } = await app.store.transact((tx) =>
    refine(call, tx, entries, ground),
  );
  const page = pageArray('products', products, readPage('products', args.pagination));
  return {
    products: page.rows.map((product) => wireOf(call.seller, { product }, args.fields)),
    ...(proposals.length === 0 ? {} : { proposals }),
    refinement_applied,
    cache_scope: scopeOf(args),
    ...(args.pagination === undefined && !page.info.has_more ? {} : { pagination: page.info }),
    sandbox: call.principal?.sandbox ?? false,
  };
}

/** Which of brief, wholesale and refine goes with which fields. Throws INVALID_REQUEST. */
function checkMode({ buying_mode: mode, brief, refine: entries }: Input): void {
  if (mode === 'refine' && entries === undefined) {
    throw new TaskError('INVALID_REQUEST', 'A refine request says what to change.', {
      field: 'refine',
      suggestion: 'Send refine: [{scope: "request", ask: "only guaranteed video"}], or use buying_mode "brief".',
    });
  }
  if (entries !== undefined && mode !== 'refine') {
    throw new TaskError('INVALID_REQUEST', 'Only a refine request takes refine.', {
      field: 'refine',
      suggestion: 'Send buying_mode "refine" with it, or leave refine out.',
    });
  }
  if (mode === 'refine' && brief !== undefined) {
    throw new TaskError('INVALID_REQUEST', 'A refine request takes no brief.', {
      field: 'brief',
      suggestion: 'Put what you want changed into the ask of a refine entry, or use buying_mode "brief".',
    });
  }
  if (mode === 'wholesale' && brief !== undefined) {
    throw new TaskError('INVALID_REQUEST', 'A wholesale request takes no brief.', {
      field: 'brief',
      suggestion: 'Leave the brief out, or use buying_mode "brief".',
    });
  }
  if (mode === 'brief' && (brief === undefined || brief.trim() === '')) {
    throw new TaskError('INVALID_REQUEST', 'A brief request needs a brief.', {
      field: 'brief',
      suggestion: 'Describe the campaign in brief, or use buying_mode "wholesale" for the whole catalog.',
    });
  }
}

function isOnSale(product: Product, nowMs: number): boolean {
  return product.expires_at === undefined || Date.parse(product.expires_at) > nowMs;
}

function readFilters(seller: Seller, given: Input['filters']): ProductFilters {
  if (given === undefined) return {};
  const { format_ids, ...rest } = given;
  if (format_ids === undefined) return rest;
  const parsed = format_ids.map((value, index) =>
    resolveFormatId(parseFormatId(value, `filters.format_ids[${index}]`), seller.formatOwner),
  );
  return { ...rest, format_ids: parsed };
}

function search(seller: Seller, brief: string | undefined, kept: readonly Product[]): readonly PlanCandidate[] {
  if (brief === undefined || brief.trim() === '') return kept.map((product) => ({ product }));
  return rankProducts(seller.index, brief, kept);
}

/** A preference, not a filter: what is preferred comes first, in its order. */
function inPreferredOrder(
  found: readonly PlanCandidate[],
  preferred: readonly string[] | undefined,
): readonly PlanCandidate[] {
  if (preferred === undefined) return found;
  return [...found].sort(
    (a, b) => Number(preferred.includes(b.product.delivery_type)) - Number(preferred.includes(a.product.delivery_type)),
  );
}

function wireOf(
  seller: Seller,
  { product, relevance }: PlanCandidate,
  fields: readonly string[] | undefined,
): Written | object {
  const remark = relevance === undefined ? {} : { brief_relevance: relevance };
  if (fields === undefined) return extendWritten(seller.productWires.write(product), remark);
  const kept = new Set(['product_id', 'name', ...fields]);
  return Object.fromEntries(Object.entries({ ...productWire(product), ...remark }).filter(([name]) => kept.has(name)));
}
