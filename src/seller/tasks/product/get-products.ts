import { z } from 'zod';
import { readFormatId } from '../../../creative/formats/format-agents.js';
import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { DAY_MS, isoTime, MINUTE_MS } from '../../../platform/kernel/clock.js';
import { bindList, pageArray, readPage } from '../../../platform/kernel/cursor.js';
import { extendWritten, Written, writeOnce } from '../../../platform/kernel/json/json.js';
import { isUrl } from '../../../platform/net/url.js';
import { completePayload, errorObject, type Payload } from '../../../protocol/envelope.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import type { Scope } from '../../domain/account/scope.js';
import { checkConditions, type FeedVersion, feedVersion, isUnchanged } from '../../domain/feed/feed.js';
import { brandText, checkPolicy } from '../../domain/policy/policy.js';
import type { CatalogSearch } from '../../domain/product/catalog-search.js';
import { explainNoProducts, filterProducts, type ProductFilters } from '../../domain/product/filters.js';
import type { Product } from '../../domain/product/product.js';
import { rankProducts } from '../../domain/product/search.js';
import { COMPANION_FIELDS, PRODUCT_FIELDS, REQUIRED_FIELDS } from '../../domain/product/wire.js';
import { type PlanCandidate, planProposals } from '../../domain/proposal/plan.js';
import type { Plan } from '../../domain/proposal/proposal.js';
import { explainGuess, explainNothing, explainReading, type ListWords } from '../../domain/search/ranking/explain.js';
import { joinWords } from '../../domain/search/sentence.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { bookScope } from '../../lifecycle/inventory.js';
import { formatsOf } from '../pipeline/order-context.js';
import {
  ACCOUNT_FORMS,
  accountRef,
  amount,
  brandRef,
  channel,
  country,
  day,
  envelopeFields,
  feedConditions,
  formatId,
  pagination,
  pushNotificationConfig,
  vendorMetricPins,
} from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { withIndustries } from './brand-industries.js';
import { type AskedFlight, readFlight } from './flight.js';
import { findListedProducts } from './listed-products.js';
import { FEATURE_NAMES, isOnSale } from './on-sale.js';
import { configuredPlans, showProposals } from './proposals.js';
import { readRefinements, refine, refinement } from './refine.js';

const filters = z.looseObject({
  delivery_type: z.enum(['guaranteed', 'non_guaranteed']).optional(),
  exclusivity: z.enum(['none', 'category', 'exclusive']).optional(),
  is_fixed_price: z.boolean().optional(),
  pricing_currencies: z.array(z.string()).optional(),
  format_ids: z.array(formatId).optional(),
  standard_formats_only: z.boolean().optional().meta({ unlisted: true }),
  min_exposures: amount.optional(),
  start_date: day.optional(),
  end_date: day.optional(),
  budget_range: z.looseObject({ currency: z.string(), min: amount.optional(), max: amount.optional() }).optional(),
  countries: z.array(country).optional(),
  regions: z.array(z.string()).optional(),
  channels: z.array(channel).optional(),
  required_metrics: z.array(z.string()).optional(),
  required_vendor_metrics: vendorMetricPins.optional().meta({ unlisted: true }),
  signal_targeting: z.array(z.looseObject({})).max(100).optional().meta({ unlisted: true }),
  required_features: z.record(z.string(), z.boolean()).optional().meta({ unlisted: true }),
  required_geo_targeting: z
    .array(z.looseObject({ level: z.string(), system: z.string().optional() }))
    .optional()
    .meta({ unlisted: true }),
});

const propertyList = z
  .looseObject({
    agent_url: z.string().refine(isUrl, 'has to be a URL').max(2048),
    list_id: z.string().min(1).max(255),
    auth_token: z.string().min(1).max(4096).optional(),
  })
  .meta({ brief: true });

const input = z.looseObject({
  buying_mode: z
    .enum(['brief', 'wholesale', 'refine'])
    .optional()
    .describe('brief: search; wholesale: whole catalog; refine: change what was shown'),
  brief: z
    .string()
    .max(20_000)
    .optional()
    .describe('The campaign in plain words: goal, audience, channels, countries, budget'),
  brand: brandRef.optional(),
  account: accountRef.optional().meta({ short: ACCOUNT_FORMS }),
  filters: filters.optional(),
  preferred_delivery_types: z
    .array(z.enum(['guaranteed', 'non_guaranteed']))
    .optional()
    .meta({ unlisted: true }),
  fields: z
    .array(z.enum(PRODUCT_FIELDS))
    .min(1)
    .max(64)
    .optional()
    .meta({ type: 'array', brief: true })
    .describe('Only these'),
  refine: z
    .array(refinement)
    .min(1)
    .max(100)
    .optional()
    .describe('Changes to an earlier answer; action finalize holds the prices of a proposal'),
  property_list: propertyList.optional(),
  pagination: pagination.optional(),
  push_notification_config: pushNotificationConfig.optional(),
  ...feedConditions,
  ...envelopeFields,
});
/** The arguments, and the products that the property list leaves where one is named. */
type Input = z.output<typeof input> & { readonly listed?: ReadonlySet<string> | undefined };

const MAX_BRAND_CHARS = 400;

/** get_products: the catalog, searched by a brief, narrowed by filters. */
export const getProducts = query({
  name: 'get_products',
  title: 'Find products',
  description:
    'Finds what can be bought. Describe the campaign in brief; filters narrow hard. Prices are in pricing_options (cpm: per 1000). With an account, a brief gets proposals too: plans to refine and buy. Next: create_media_buy with a product_id and pricing_option_id.',
  kinds: ['sales'],
  rows: 'products',
  isTakenTimeFor: true,
  input,
  account: { use: 'read_catalog', required: false },
  empty: { products: [] },
  run: async ({ app, call, args: given, scope }) => {
    checkMode(given);
    checkConditions(given, isWholesale(given), 'buying_mode');
    const listed = await findListedProducts(app, call, given.property_list);
    const answer = await findProducts({ app, call, scope }, { ...given, listed: listed?.ids });
    if (listed?.stale === undefined) return answer;
    const errors = [errorObject(listed.stale, call.to.release)];
    return answer instanceof Written ? extendWritten(answer, { errors }) : { ...answer, errors };
  },
});

type SearchContext = { readonly app: App; readonly call: Call; readonly scope: Scope };

/** Returns the answer to a request whose property list is read. */
async function findProducts({ app, call, scope }: SearchContext, asGiven: Input): Promise<Payload | Written> {
  const isBriefDropped = dropsBrief(asGiven);
  const args = await addIndustries(app, call, isBriefDropped ? { ...asGiven, brief: undefined } : asGiven);
  const { portfolio } = call.seller.tenant;
  checkPolicy(portfolio, args.brief ?? '', 'brief');
  // The brief may say to whom it is what the brand says.
  if (args.brand !== undefined) checkPolicy(portfolio, `${brandText(args.brand)}. ${args.brief ?? ''}`, 'brand');
  if (args.refine !== undefined) return answerRefined({ app, call, scope }, args, readRefinements(args.refine));
  // What is offered depends on what is left.
  const books = bookScope(call.owner, call.principal?.sandbox === true);
  const { inventory, demand } = app.store.read;
  const isPlanned = getsProposals(args);
  const asked = isPlanned ? await demand.version(books) : undefined;
  const question = [...searchQuestion(call, args), isBriefDropped, books, await inventory.version(books), asked];
  const { seller, now } = call;
  const { answer, made, offered } = await app.searches.getOrMake(seller, question, now.ms, async () =>
    lookUp(call, args, await readFlight(app, call, { ...args, isPlanned }), isBriefDropped ? BRIEF_DROPPED : undefined),
  );
  if (made.length + offered.length === 0) return answer;
  // Until the buyer's proposals change or end, the same question has the same answer.
  const minute = Math.floor(now.ms / MINUTE_MS);
  const own = ['get_products', scope, await app.store.read.proposals.version(call.owner), minute, ...question];
  return app.answers.getOrMake(seller, own, now.ms, async () => {
    const flight = await readFlight(app, call, { ...args, isPlanned });
    const proposals = await showProposals(app, { call, scope }, { made, offers: offered }, flight);
    return proposals.length === 0 ? answer : extendWritten(answer, { proposals });
  });
}

/** Returns the arguments with what the registry knows of the brand, where a brief is searched for somebody. */
async function addIndustries(app: App, { principal }: Call, args: Input): Promise<Input> {
  const { brand, brief = '' } = args;
  if (brand === undefined || brief.trim() === '' || principal === undefined) return args;
  return { ...args, brand: await withIndustries(app.registry, brand) };
}

/** Returns all that the catalog's answer depends on, beside its seller and its books; what is left depends on the day. */
function searchQuestion({ to, principal, now }: Call, args: Input): readonly unknown[] {
  const { brief, brand, filters: given, listed, preferred_delivery_types, fields, pagination: page } = args;
  const caller = [to.release, principal?.sandbox, scopeOf(args), Math.floor(now.ms / DAY_MS)];
  return [
    ...caller,
    brief,
    brand === undefined ? undefined : describeBrand(brand),
    given,
    listed && sha256Hex([...listed].join('\n')),
    preferred_delivery_types,
    fields,
    page,
    isWholesale(args),
    args.if_wholesale_feed_version,
    args.if_pricing_version,
  ];
}

/** Returns the list that a request pages through: products are its seller's, whoever asks. */
function productList(
  { seller }: Call,
  { brief, brand, filters: given, listed, preferred_delivery_types, refine: entries }: Input,
): string {
  const about = brand === undefined ? undefined : describeBrand(brand);
  const left = listed && [...listed];
  return bindList('products', seller.url, brief, about, given, left, preferred_delivery_types, entries);
}

/** Proposals answer a brief for an account: without one the answer is the public catalog. */
function getsProposals({ brief = '', account, pagination: page }: Input): boolean {
  return account !== undefined && brief.trim() !== '' && page?.cursor === undefined;
}

/** A brief, and what narrows the products that answer it. */
type BriefQuestion = Pick<Input, 'brief' | 'brand' | 'filters'>;

/** Returns the plans that are made of a brief, those of the tenant's file that it found, and what there is to say of the search. */
export function planBrief(
  call: Call,
  args: BriefQuestion,
  flight: AskedFlight,
  isWanted: (product: Product) => boolean,
): { readonly plans: readonly Plan[]; readonly remark: string | undefined } {
  const { passed, diagnostics } = onSale(call, args);
  const { matches, remark } = searchAvailable(call.seller, args, passed.filter(isWanted), flight);
  const matchedIds = new Set(matches.map(({ product }) => product.product_id));
  const standing = configuredPlans(call, flight.market).filter(({ allocations }) =>
    allocations.every((part) => matchedIds.has(part.product_id)),
  );
  return {
    plans: [...standing, ...planProposals(args.brief ?? '', matches.slice(0, MAX_PLANNED_PRODUCTS), flight.market)],
    remark: passed.length === 0 ? explainNoProducts(diagnostics) : remark,
  };
}

/** Most products that plans are made of, best first. */
const MAX_PLANNED_PRODUCTS = 50;

function lookUp(call: Call, args: Input, flight: AskedFlight, onBrief: string | undefined): CatalogSearch {
  const { seller } = call;
  const { market, remark: onDates } = flight;
  const { candidates, passed, diagnostics } = onSale(call, args);
  const { matches, remark } = searchAvailable(seller, args, passed, flight);
  const ordered = inPreferredOrder(matches, args.preferred_delivery_types);
  const list = productList(call, args);
  const page = pageArray(list, ordered, readPage(list, args.pagination));
  const version = isWholesale(args) && call.to.release !== '3.0' ? versionOf(call, ordered) : undefined;
  if (version !== undefined && isUnchanged(args, version)) return answerUnchanged(call, args, version);
  const isFiltered = passed.length < candidates.length;
  const shown = new Set(page.rows.map(({ product }) => product.product_id));
  const isPlanned = getsProposals(args) && call.principal !== undefined;
  return {
    answer: writeOnce(
      completePayload({
        message: joinRemarks(
          onBrief,
          onDates,
          args.listed?.size === 0 ? NOTHING_LISTED : undefined,
          passed.length === 0 && isFiltered ? explainNoProducts(diagnostics) : remark,
        ),
        products: page.rows.map((entry) => wireOf(call, entry, args.fields)),
        ...version,
        cache_scope: scopeOf(args),
        property_list_applied: args.listed === undefined ? undefined : true,
        filter_diagnostics: isFiltered ? diagnostics : undefined,
        pagination: args.pagination === undefined && !page.info.has_more ? undefined : page.info,
        sandbox: call.principal?.sandbox ?? false,
      }),
    ),
    made: isPlanned ? planProposals(args.brief ?? '', page.rows, market) : [],
    offered: isPlanned
      ? configuredPlans(call, market).filter(({ allocations }) =>
          allocations.every((part) => shown.has(part.product_id)),
        )
      : [],
  };
}

/** Whether a request reads the whole catalog: it says so, or wishes nothing. */
function isWholesale({ buying_mode: mode, brief, refine: entries }: Input): boolean {
  return mode === 'wholesale' || (mode === undefined && brief === undefined && entries === undefined);
}

/** Returns the version of the products that pass a request's filters, on all pages. */
function versionOf({ seller }: Call, found: readonly PlanCandidate[]): FeedVersion {
  return feedVersion(found.map(({ product }) => seller.productWires.print(product)));
}

/** Returns the answer to a buyer who has the catalog as it is. */
function answerUnchanged(call: Call, args: Input, version: FeedVersion): CatalogSearch {
  const sandbox = call.principal?.sandbox ?? false;
  const answer = writeOnce(completePayload({ unchanged: true, ...version, cache_scope: scopeOf(args), sandbox }));
  return { answer, made: [], offered: [] };
}

function scopeOf({ account }: Input): 'public' | 'account' {
  return account === undefined ? 'public' : 'account';
}

/** Returns the products that can be bought now, and those of them that pass the filters. */
function onSale(call: Call, { filters: given, listed }: Pick<Input, 'filters' | 'listed'>) {
  const { seller, now } = call;
  const candidates = seller.tenant.products.filter(
    (product) => isOnSale(product, now.ms) && listed?.has(product.product_id) !== false,
  );
  return { candidates, ...filterProducts(candidates, readFilters(call, given), FEATURE_NAMES) };
}

/** Returns the answer of a refine call; what it changes of proposals is kept before it is answered. */
async function answerRefined(
  { app, call, scope }: SearchContext,
  args: Input,
  entries: ReturnType<typeof readRefinements>,
): Promise<Payload> {
  const { market: flight, isDated, soldOut } = await readFlight(app, call, { ...args, isPlanned: true });
  const ground = { candidates: onSale(call, args).passed, soldOut, flight, isDated };
  const { products, proposals, refinement_applied } = await app.store.transact((tx) =>
    refine({ call, db: tx, scope }, entries, ground),
  );
  const list = productList(call, args);
  const page = pageArray(list, products, readPage(list, args.pagination));
  return {
    products: page.rows.map((product) => wireOf(call, { product }, args.fields)),
    proposals: proposals.length === 0 ? undefined : proposals,
    refinement_applied,
    cache_scope: scopeOf(args),
    property_list_applied: args.listed === undefined ? undefined : true,
    pagination: args.pagination === undefined && !page.info.has_more ? undefined : page.info,
    sandbox: call.principal?.sandbox ?? false,
  };
}

/** Whether the brief of a request is not looked at: the whole catalog answers no wishes. */
function dropsBrief({ buying_mode: mode, brief = '' }: Input): boolean {
  return mode === 'wholesale' && brief.trim() !== '';
}

const NOTHING_LISTED = 'No product runs on what is on the property list.';

const BRIEF_DROPPED =
  'The brief was left aside: buying_mode "wholesale" lists the whole catalog. Send buying_mode "brief" to search by it.';

/** Checks which of brief, wholesale and refine goes with which fields. Throws INVALID_REQUEST. */
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
  if (mode === 'brief' && (brief === undefined || brief.trim() === '')) {
    throw new TaskError('INVALID_REQUEST', 'A brief request needs a brief.', {
      field: 'brief',
      suggestion: 'Describe the campaign in brief, or use buying_mode "wholesale" for the whole catalog.',
    });
  }
}

function readFilters(call: Call, given: Input['filters']): ProductFilters {
  if (given === undefined) return {};
  const { format_ids, ...rest } = given;
  if (format_ids === undefined) return rest;
  const references = formatsOf(call);
  const parsed = format_ids.map((value, index) => readFormatId(value, `filters.format_ids[${index}]`, references));
  return { ...rest, format_ids: parsed };
}

const PRODUCT_WORDS: ListWords<Product> = {
  noun: 'product',
  everything: 'buying_mode "wholesale"',
  nameOf: ({ product_id, name }) => `${product_id} (${name})`,
};

/** Returns the products that answer the brief and are not sold out; `remark` says which would, too. */
function searchAvailable(
  seller: Seller,
  args: BriefQuestion,
  passed: readonly Product[],
  { market, isDated, soldOut }: AskedFlight,
) {
  const all = searchProducts(seller, args, passed);
  const gone = all.matches.filter(({ product }) => soldOut.has(product.product_id));
  if (gone.length === 0) return all;
  const left = searchProducts(
    seller,
    args,
    passed.filter(({ product_id }) => !soldOut.has(product_id)),
  );
  const when = isDated ? `from ${isoTime(market.fromMs)} to ${isoTime(market.toMs)}` : 'for the coming year';
  const names = joinWords(gone.map(({ product }) => PRODUCT_WORDS.nameOf(product)));
  return { ...left, remark: joinRemarks(`Sold out ${when}: ${names}.`, left.remark) };
}

function joinRemarks(...remarks: readonly (string | undefined)[]): string | undefined {
  const texts = remarks.filter((each) => each !== undefined);
  return texts.length === 0 ? undefined : texts.join(' ');
}

/** Returns the products that answer the brief; `remark` says how it was read, and explains where none answers it, or none is about it. */
function searchProducts(
  seller: Seller,
  { brief, brand }: BriefQuestion,
  among: readonly Product[],
): { readonly matches: readonly PlanCandidate[]; readonly remark?: string | undefined } {
  if (brief === undefined || brief.trim() === '') return { matches: among.map((product) => ({ product })) };
  const ranking = rankProducts(seller.index, brief, among, describeBrand(brand));
  const matches = ranking.matches.map(({ item, relevance }) => ({ product: item, relevance }));
  const reading = explainReading(ranking.brief);
  if (ranking.isGuess) return { matches, remark: joinRemarks(reading, explainGuess(ranking, PRODUCT_WORDS)) };
  if (matches.length > 0 || among.length === 0) return { matches, remark: reading };
  return {
    matches,
    remark: joinRemarks(reading, explainNothing(ranking, PRODUCT_WORDS)),
  };
}

/** Returns the words of a brand that say what it sells: its domain without the ending, and its industries where it names them. */
function describeBrand(brand: Input['brand']): string | undefined {
  if (brand === undefined) return undefined;
  const { domain, industries } = brand;
  const listed = Array.isArray(industries) ? industries.filter((each) => typeof each === 'string') : [];
  const words = [domain.split('.').slice(0, -1).join(' '), ...listed].join(' ');
  return words.replace(/[_-]/g, ' ').slice(0, MAX_BRAND_CHARS);
}

/** Returns products with the preferred ones first, in their order; no preference leaves others out. */
function inPreferredOrder(
  candidates: readonly PlanCandidate[],
  preferred: readonly string[] | undefined,
): readonly PlanCandidate[] {
  if (preferred === undefined) return candidates;
  return [...candidates].sort(
    (a, b) => Number(preferred.includes(b.product.delivery_type)) - Number(preferred.includes(a.product.delivery_type)),
  );
}

function wireOf(
  { seller, to }: Call,
  { product, relevance }: PlanCandidate,
  fields: readonly string[] | undefined,
): Written | object {
  const remark = relevance === undefined ? {} : { brief_relevance: relevance };
  if (fields === undefined) return extendWritten(seller.productWires.write(product, to.release), remark);
  const companions = fields.flatMap((field) => COMPANION_FIELDS[field] ?? []);
  const shown = new Set<string>([...REQUIRED_FIELDS, ...fields, ...companions]);
  const whole = { ...seller.productWires.show(product, to.release), ...remark };
  return Object.fromEntries(Object.entries(whole).filter(([name]) => shown.has(name)));
}
