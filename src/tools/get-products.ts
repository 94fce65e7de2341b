import { z } from 'zod';
import { parseFormatId, resolveFormatId } from '../domain/format.js';
import type { Product } from '../domain/product.js';
import { applyFilters, explainEmpty, type ProductFilters } from '../domain/product-filters.js';
import { rankProducts } from '../domain/product-search.js';
import { offeredWire, type Seller, wireProduct } from '../domain/seller.js';
import { pageOfArray, readPage } from '../kernel/cursor.js';
import { TaskError } from '../kernel/errors.js';
import { extended, type Written } from '../kernel/json.js';
import { query } from './define.js';
import { accountRef, amount, brandRef, channel, day, envelopeFields, formatId, pagination } from './shapes.js';

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
    .describe('brief: search; wholesale: the whole catalogue. Left out: brief if there is one'),
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
  refine: z.array(z.looseObject({})).optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});
type Input = z.output<typeof input>;

/** What the seller as a whole supports, for filters that ask for it; the same that the capabilities declare. */
const SUPPORT = {
  features: new Set(['inline_creative_management']),
  geoTargetingLevels: new Set(['country', 'region']),
};

/** get_products (spec 2, facts C.1): the catalogue, searched by a brief, narrowed by filters. */
export const getProducts = query({
  name: 'get_products',
  title: 'Find products',
  description:
    'Finds what can be bought. Describe the campaign in brief, or use buying_mode "wholesale" for everything; filters narrow hard. Prices are in pricing_options (cpm: per 1000). Next: create_media_buy with a product_id and pricing_option_id.',
  kinds: ['sales'],
  input,
  fromCatalogue: true,
  account: { use: 'read_catalogue', required: false },
  empty: { products: [] },
  run: async ({ call, args }) => {
    checkMode(args);
    const { seller } = call;
    const wanted = readFilters(seller, args.filters);
    const candidates = seller.tenant.products.filter((product) => isOnSale(product, call.now.ms));
    const { kept, diagnostics } = applyFilters(candidates, wanted, SUPPORT);
    const found = inPreferredOrder(search(seller, args.brief, kept), args.preferred_delivery_types);
    const page = pageOfArray('products', found, readPage('products', args.pagination));
    const filtered = kept.length < candidates.length;
    return {
      ...(kept.length === 0 && filtered ? { message: explainEmpty(diagnostics) } : {}),
      products: page.rows.map((entry) => wireOf(seller, entry, args.fields)),
      cache_scope: args.account === undefined ? 'public' : 'account',
      ...(filtered ? { filter_diagnostics: diagnostics } : {}),
      ...(args.pagination === undefined && !page.info.has_more ? {} : { pagination: page.info }),
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

/** Which of brief, wholesale and refine goes with which fields. Throws INVALID_REQUEST or UNSUPPORTED_FEATURE. */
function checkMode({ buying_mode: mode, brief, refine }: Input): void {
  if (mode === 'refine' || refine !== undefined) {
    throw new TaskError('UNSUPPORTED_FEATURE', 'This seller does not refine products.', {
      field: mode === 'refine' ? 'buying_mode' : 'refine',
      suggestion: 'Send a new brief with what you want changed, buying_mode "brief".',
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
      suggestion: 'Describe the campaign in brief, or use buying_mode "wholesale" for the whole catalogue.',
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

type Found = { readonly product: Product; readonly relevance?: string };

function search(seller: Seller, brief: string | undefined, kept: readonly Product[]): readonly Found[] {
  if (brief === undefined || brief.trim() === '') return kept.map((product) => ({ product }));
  return rankProducts(seller.index, brief, kept);
}

/** A preference, not a filter: what is preferred comes first, in its order. */
function inPreferredOrder(found: readonly Found[], preferred: readonly string[] | undefined): readonly Found[] {
  if (preferred === undefined) return found;
  return [...found].sort(
    (a, b) => Number(preferred.includes(b.product.delivery_type)) - Number(preferred.includes(a.product.delivery_type)),
  );
}

function wireOf(
  seller: Seller,
  { product, relevance }: Found,
  fields: readonly string[] | undefined,
): Written | object {
  const remark = relevance === undefined ? {} : { brief_relevance: relevance };
  if (fields === undefined) return extended(offeredWire(seller, product), remark);
  const kept = new Set(['product_id', 'name', ...fields]);
  return Object.fromEntries(Object.entries({ ...wireProduct(product), ...remark }).filter(([name]) => kept.has(name)));
}
