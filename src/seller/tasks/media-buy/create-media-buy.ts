import { z } from 'zod';
import { TaskError } from '../../../protocol/errors.js';
import type { Call } from '../../context.js';
import { openMediaBuy, type PackageRequest } from '../../domain/media-buy/order.js';
import { buildRotations } from '../../domain/media-buy/rotation.js';
import { asRevision, settle } from '../../domain/media-buy/settlement.js';
import { packageWire, shapeByRelease } from '../../domain/media-buy/wire.js';
import type { Reader } from '../../store/store.js';
import { fillPackage, namesCreatives } from '../creative/library/fill-package.js';
import { type Judged, judgeCreatives, NOTHING_JUDGED, placedCreatives } from '../creative/library/intake.js';
import { commitsBuy } from '../pipeline/consult-governance.js';
import { mutation } from '../pipeline/define.js';
import { orderContext } from '../pipeline/order-context.js';
import {
  accountRef,
  amount,
  brandRef,
  dateTime,
  envelopeFields,
  governanceFields,
  keyField,
  startTime,
} from '../pipeline/shapes.js';
import { orderProposal, type ProposalPackages } from '../product/proposals.js';
import { checkAudiences } from './audience-targeting.js';
import { beginReports, callbackFields, checkCallbackHosts, readCallbacks, registersCallbacks } from './callbacks.js';
import { checkPropertyLists, listedPackages, namesPropertyList } from './inventory-lists.js';
import { packageRequest } from './order-shapes.js';
import { mediaBuyFacts } from './wire.js';

const input = z.looseObject({
  ...keyField,
  account: accountRef.optional(),
  brand: brandRef,
  start_time: startTime,
  end_time: dateTime.describe('Date-time with offset, after the start'),
  packages: z
    .array(packageRequest)
    .min(1)
    .max(200)
    .optional()
    .describe('One entry per product and price; all in one currency'),
  paused: z.boolean().optional(),
  proposal_id: z.string().min(1).max(255).optional().describe('In place of packages: buys a proposal as it stands'),
  total_budget: z
    .looseObject({ amount, currency: z.string().min(1).max(16) })
    .optional()
    .describe('With proposal_id: divided as the proposal says'),
  po_number: z.string().max(255).optional(),
  ...governanceFields,
  ...callbackFields,
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
    'Buys products found with get_products: one package per product_id and pricing_option_id, with its budget; or a proposal by proposal_id and total_budget. Spends money once per idempotency_key. Next: get_task_status if status is submitted, sync_creatives if it is pending_creatives, then get_media_buy_delivery.',
  kinds: ['sales'],
  input,
  account: { use: 'buy', required: true },
  commits: commitsBuy,
  shape: shapeByRelease,
  prepares: (args) =>
    registersCallbacks(args) ||
    (args.packages ?? []).some((line) => line.creatives !== undefined || namesPropertyList(line)),
  prepare: async ({ app, call, args, db }): Promise<Judged | undefined> => {
    await checkCallbackHosts(app, call, args);
    await checkPropertyLists(app, call, listedPackages(call, args.packages, 'packages'));
    const placed = (args.packages ?? []).flatMap((request, index) =>
      placedCreatives(request.creatives, `packages[${index}].creatives`),
    );
    return judgeCreatives(app, call, db, placed);
  },
  run: async ({ app, call, args, db, account, prepared }) => {
    if (account === undefined) throw new Error('a buy needs an account');
    const accepted = args.proposal_id === undefined ? undefined : await acceptProposal(call, db, args);
    const packages: readonly PackageRequest[] | undefined = accepted?.packages ?? args.packages;
    if (packages === undefined) throw withoutPackages();
    const context = orderContext(app, call);
    const callbacks = readCallbacks(app, call, args);
    const ordered = openMediaBuy(
      {
        brand: args.brand,
        start_time: args.start_time,
        end_time: args.end_time,
        paused: args.paused,
        packages,
        echoed: Object.fromEntries(ECHOED.filter((name) => args[name] !== undefined).map((name) => [name, args[name]])),
        callbacks,
      },
      account,
      accepted === undefined ? context : { ...context, products: accepted.products },
    );
    await checkAudiences(db, call.owner, account.account_id, packages, 'packages');
    const library = { app, call, db, account, judged: prepared ?? NOTHING_JUDGED };
    for (const [index, line] of ordered.packages.entries()) {
      const request = args.packages?.[index];
      if (request !== undefined && namesCreatives(request))
        await fillPackage(library, ordered, line, request, `packages[${index}]`);
    }
    const assigned =
      args.packages?.some(namesCreatives) === true ? await db.creatives.assignedTo([ordered.media_buy_id]) : [];
    const { buy } = asRevision(settle(ordered, buildRotations(assigned), call.now), ordered.revision);
    await app.lifecycle.open(db, call.owner, buy);
    await beginReports(app, call, db, buy, callbacks);
    await accepted?.settle(db, buy.media_buy_id);
    return {
      ...mediaBuyFacts(buy, call),
      ...(accepted === undefined ? {} : { proposal_id: args.proposal_id }),
      start_time: buy.start_time,
      end_time: buy.end_time,
      creative_deadline: buy.end_time,
      packages: buy.packages.map((line) => packageWire(line, assigned)),
    };
  },
});

/** The packages of the proposal that an order names. Throws INVALID_REQUEST where it names packages of its own too. */
async function acceptProposal(
  call: Call,
  db: Reader,
  { proposal_id = '', total_budget, packages }: z.output<typeof input>,
): Promise<ProposalPackages> {
  if (packages === undefined) return orderProposal(call, db, { proposal_id, total_budget });
  throw new TaskError('INVALID_REQUEST', 'An order names packages or a proposal, not both.', {
    field: 'packages',
    suggestion: 'Leave packages out: they follow from the proposal. To buy other packages, leave proposal_id out.',
  });
}

function withoutPackages(): TaskError {
  return new TaskError('INVALID_REQUEST', 'packages: is required', {
    field: 'packages',
    suggestion:
      'Name at least one package: product_id and pricing_option_id from get_products, and a budget; or a proposal_id with total_budget.',
    issues: [{ pointer: '/packages', message: 'is required', keyword: 'required' }],
  });
}
