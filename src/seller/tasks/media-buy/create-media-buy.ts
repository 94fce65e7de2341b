import { z } from 'zod';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import type { Account } from '../../domain/account/account.js';
import type { AssignedCreative } from '../../domain/creative/creative.js';
import type { FieldOf } from '../../domain/inventory/hold.js';
import { describeIndustry } from '../../domain/inventory/industry.js';
import type { MediaBuy, Package } from '../../domain/media-buy/media-buy.js';
import { openMediaBuy, type PackageRequest } from '../../domain/media-buy/order.js';
import { describeUnusedBids } from '../../domain/media-buy/pricing.js';
import { buildRotations } from '../../domain/media-buy/rotation.js';
import { asRevision, settleBuy } from '../../domain/media-buy/settlement.js';
import { mediaBuyFacts, packageWire, shapeByRelease } from '../../domain/media-buy/wire.js';
import { checkPolicy } from '../../domain/policy/policy.js';
import { checkDirectOrder, recordAcceptance } from '../../domain/proposal/insertion-order.js';
import { advertiserText } from '../../domain/task/approval.js';
import { saveFollowed } from '../../lifecycle/followed-lists.js';
import { holdInventory } from '../../lifecycle/inventory.js';
import { fillPackage, namesCreatives } from '../creative/library/fill-package.js';
import { type Judged, judgeCreatives, NOTHING_JUDGED, placedCreatives } from '../creative/library/intake.js';
import type { Library } from '../creative/library/save-creative.js';
import { commitsBuy } from '../pipeline/consult-governance.js';
import { orderContext } from '../pipeline/order-context.js';
import { findUsable } from '../pipeline/resolve-account.js';
import {
  accountRef,
  amount,
  brandRef,
  endTime,
  envelopeFields,
  governanceFields,
  keyField,
  startTime,
} from '../pipeline/shapes.js';
import { MAX_VALUES_OF_MANY, mutation } from '../pipeline/tool.js';
import { orderProposal, type ProposalContext, type ProposalPackages } from '../product/proposals.js';
import { askAdServer, goesToAdServer } from './ad-server-check.js';
import {
  artifactWebhook,
  beginContent,
  beginReports,
  callbackFields,
  checkEventSize,
  judgeReporting,
  readCallbacks,
} from './callbacks.js';
import { checkGoalSources } from './goal-sources.js';
import { agencyEstimateNumber, ioAcceptance, packageRequest } from './order-shapes.js';
import { checkAudiences, type ListsRead, namesList, readLists, targetedLists } from './targeting-references.js';

const input = z.looseObject({
  ...keyField,
  account: accountRef.optional(),
  brand: brandRef,
  start_time: startTime,
  end_time: endTime.describe('Date-time with offset'),
  packages: z.array(packageRequest).min(1).max(200).optional().describe('In one currency'),
  paused: z.boolean().optional(),
  proposal_id: z.string().min(1).max(255).optional().describe('In place of packages'),
  total_budget: z
    .looseObject({ amount, currency: z.string().min(1).max(16) })
    .optional()
    .describe('Of a proposal or all packages'),
  po_number: z.string().max(255).optional(),
  advertiser_industry: z.string().max(128).optional().meta({ unlisted: true }),
  agency_estimate_number: agencyEstimateNumber,
  io_acceptance: ioAcceptance.optional().meta({ unlisted: true }),
  ...governanceFields,
  ...callbackFields,
  artifact_webhook: artifactWebhook.optional(),
  context_id: z.string().max(255).optional(),
  ...envelopeFields,
});

/** Fields of a buy that are stored for the buyer as they came. Bank details are not among them: they are write-only. */
const ECHOED = [
  'context',
  'ext',
  'po_number',
  'plan_id',
  'proposal_id',
  'advertiser_industry',
  'agency_estimate_number',
] as const;

/** create_media_buy: books packages and answers with the buy at revision 1. */
export const createMediaBuy = mutation({
  name: 'create_media_buy',
  title: 'Buy media',
  description:
    'Buys media: products of get_products, one package per product_id and pricing_option_id, with budget; or a proposal_id with total_budget. Spends money once per idempotency_key. Next: get_task_status if submitted, sync_creatives if pending_creatives.',
  kinds: ['sales'],
  input,
  maxValues: MAX_VALUES_OF_MANY,
  account: { use: 'buy', required: true },
  commits: commitsBuy,
  shape: shapeByRelease,
  prepares: (args, caller) =>
    goesToAdServer(caller) ||
    args.reporting_webhook !== undefined ||
    args.artifact_webhook !== undefined ||
    (args.packages ?? []).some((line) => line.creatives !== undefined || namesList(line)),
  prepare: async ({ app, call, args, db, scope }): Promise<Preparation> => {
    await judgeReporting(app, call, args);
    const lists = await readLists(app, call, targetedLists(call, args.packages, 'packages'));
    await askAdServer(app, call, db, {
      draft: async () => {
        const account = (await findUsable(call, args.account ?? {}, db)) ?? NEW_ACCOUNT;
        const accepted = args.proposal_id === undefined ? undefined : await acceptProposal({ call, db, scope }, args);
        return draftOrder(app, call, { args, account, accepted, lists: lists.parts });
      },
      field: fieldOfPackage,
    });
    const placed = (args.packages ?? []).flatMap((request, index) =>
      placedCreatives(request.creatives, `packages[${index}].creatives`),
    );
    return { lists, judged: await judgeCreatives({ app, call, db, scope }, placed) };
  },
  run: async ({ app, call, args, db, account, scope, prepared }) => {
    if (account === undefined) throw new Error('a buy needs an account');
    const accepted = args.proposal_id === undefined ? undefined : await acceptProposal({ call, db, scope }, args);
    if (accepted === undefined) requireDirectOrder(call, args);
    const packages: readonly PackageRequest[] | undefined = accepted?.packages ?? args.packages;
    if (packages === undefined) throw withoutPackages();
    const callbacks = readCallbacks(app, call, args);
    const lists = prepared?.lists.parts;
    const ordered = { ...draftOrder(app, call, { args, account, accepted, lists }), callbacks };
    checkPolicy(call.seller.tenant.portfolio, advertiserText(ordered), 'brand');
    const references = { db, call, accountId: account.account_id };
    await checkAudiences(references, packages, 'packages');
    await checkGoalSources(references, packages, 'packages');
    const library = { app, call, db, account, judged: prepared?.judged ?? NOTHING_JUDGED };
    const assigned = await fillPackages(library, ordered, args.packages);
    const { buy } = asRevision(settleBuy(ordered, buildRotations(assigned), call.now), ordered.revision);
    checkEventSize(buy, assigned);
    // What the proposal held goes to the buy.
    await accepted?.release(db);
    await holdInventory(db, {
      owner: call.owner,
      buy,
      field: (_line, index) => (accepted === undefined ? (member) => `packages[${index}].${member}` : fieldOfProposal),
      nowMs: call.now.ms,
      isPlan: accepted !== undefined,
    });
    await app.lifecycle.open(db, call.owner, buy);
    if (prepared !== undefined) await saveFollowed(db, call.owner, buy, prepared.lists.readings);
    await beginReports({ app, call, db }, buy, callbacks);
    await beginContent({ app, call, db }, buy, callbacks);
    await accepted?.settle(db, buy.media_buy_id);
    return {
      ...mediaBuyFacts(buy, account, call),
      proposal_id: accepted && args.proposal_id,
      start_time: buy.start_time,
      end_time: buy.end_time,
      creative_deadline: buy.end_time,
      message: joinSentences([
        describeRuns(buy.packages, assigned),
        describeBids(args.packages, buy.packages),
        describeIndustry(buy),
      ]),
      packages: buy.packages.map((line) => packageWire(line, assigned, buy)),
    };
  },
});

/** Refuses an order without a proposal where the seller takes none, or where it accepts an insertion order, of which it has none. */
function requireDirectOrder({ now, seller }: Call, { io_acceptance }: z.output<typeof input>): void {
  recordAcceptance(undefined, io_acceptance, now.ms);
  checkDirectOrder(seller.tenant.insertionOrders);
}

/** Puts the creatives that an order names into its packages; returns all that are assigned there. */
async function fillPackages(
  library: Library,
  buy: MediaBuy,
  requests: readonly z.output<typeof packageRequest>[] = [],
): Promise<readonly AssignedCreative[]> {
  if (!requests.some(namesCreatives)) return [];
  for (const [index, line] of buy.packages.entries()) {
    const request = requests[index];
    if (request !== undefined && namesCreatives(request))
      await fillPackage(library, { buy, line }, request, `packages[${index}]`);
  }
  return library.db.creatives.assignedTo([buy.media_buy_id]);
}

/** Stands for an account that the order opens. */
const NEW_ACCOUNT = { account_id: '', sandbox: false };

/** The parts of an order's draft. */
type Draft = {
  readonly args: z.output<typeof input>;
  readonly account: Pick<Account, 'account_id' | 'sandbox'>;
  /** The packages of the proposal that it accepts. */
  readonly accepted: ProposalPackages | undefined;
  readonly lists: ListsRead['parts'] | undefined;
};

/** Returns the buy that an order makes, without its callbacks. */
function draftOrder(app: App, call: Call, { args, account, accepted, lists }: Draft): MediaBuy {
  const packages: readonly PackageRequest[] | undefined = accepted?.packages ?? args.packages;
  if (packages === undefined) throw withoutPackages();
  const context = { ...orderContext(app, call), lists };
  return openMediaBuy(
    {
      brand: args.brand,
      start_time: args.start_time,
      end_time: args.end_time,
      paused: args.paused,
      packages,
      total_budget: accepted === undefined ? args.total_budget : undefined,
      currency: args.currency,
      io_acceptance: accepted?.acceptance,
      echoed: Object.fromEntries(ECHOED.filter((name) => args[name] !== undefined).map((name) => [name, args[name]])),
      callbacks: {},
    },
    account,
    accepted === undefined ? context : { ...context, products: accepted.products },
  );
}

/** Returns where a package stands in a request for new ones. */
function fieldOfPackage(packageId: string, { packages }: MediaBuy): string {
  return `packages[${packages.findIndex(({ package_id }) => package_id === packageId)}]`;
}

/** The facts that are read and judged before the transaction. */
type Preparation = { readonly judged: Judged; readonly lists: ListsRead };

/** Returns a sentence on packages that run without a creative; undefined where every package has one or waits for one. */
function describeRuns(packages: readonly Package[], assigned: readonly AssignedCreative[]): string | undefined {
  const without = packages.filter(
    (line) => !line.needs_creative && !assigned.some(({ package_id }) => package_id === line.package_id),
  );
  if (without.length === 0) return undefined;
  const ids = without.slice(0, MAX_NAMED_PACKAGES).map(({ package_id }) => package_id);
  const more = without.length > ids.length ? ` and ${without.length - ids.length} more` : '';
  return `No creative is needed here: the seller's own ad for the product runs in ${ids.join(', ')}${more} until sync_creatives assigns one of yours.`;
}

const MAX_NAMED_PACKAGES = 10;

function describeBids(requests: readonly PackageRequest[] = [], packages: readonly Package[]): string | undefined {
  return describeUnusedBids(
    requests.map(({ bid_price }, index) => [`packages[${index}].bid_price`, bid_price, packages[index]?.sold.option]),
  );
}

function joinSentences(sentences: readonly (string | undefined)[]): string | undefined {
  const given = sentences.filter((sentence) => sentence !== undefined);
  return given.length === 0 ? undefined : given.join(' ');
}

/** Returns the packages of the proposal that an order names. Throws INVALID_REQUEST where it names packages of its own too. */
async function acceptProposal(
  shown: ProposalContext,
  { proposal_id = '', total_budget, packages, ...order }: z.output<typeof input>,
): Promise<ProposalPackages> {
  if (packages === undefined) {
    const { proposal_terms_digest, start_time, end_time, io_acceptance } = order;
    const flight = { start_time, end_time };
    return orderProposal(shown, { proposal_id, total_budget, proposal_terms_digest, ...flight, io_acceptance });
  }
  throw new TaskError('INVALID_REQUEST', 'An order names packages or a proposal, not both.', {
    field: 'packages',
    suggestion: 'Leave packages out: they follow from the proposal. To buy other packages, leave proposal_id out.',
  });
}

/** Returns the path in an order for a proposal of what its packages follow from. */
function fieldOfProposal(member: Parameters<FieldOf>[0]): string {
  return member === 'budget' ? 'total_budget.amount' : 'proposal_id';
}

function withoutPackages(): TaskError {
  return new TaskError('INVALID_REQUEST', 'packages: is required', {
    field: 'packages',
    suggestion:
      'Name at least one package: product_id and pricing_option_id from get_products, and a budget; or a proposal_id with total_budget.',
    issues: [{ pointer: '/packages', message: 'is required', keyword: 'required' }],
  });
}
