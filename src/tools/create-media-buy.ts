import { z } from 'zod';
import { asRevision, settle } from '../domain/flight.js';
import { openMediaBuy } from '../domain/order.js';
import { TaskError } from '../kernel/errors.js';
import { packagesWithCreatives } from '../lifecycle/media-buys.js';
import { fillPackage, namesCreatives } from './creative-library.js';
import { mutation } from './define.js';
import { deskOf, readCallbacks } from './desk.js';
import { mediaBuyFacts, packageWire, shapeByRelease } from './media-buy-wire.js';
import { packageRequest } from './order-shapes.js';
import {
  accountRef,
  brandRef,
  dateTime,
  envelopeFields,
  keyField,
  pushNotificationConfig,
  startTime,
} from './shapes.js';

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
  proposal_id: z.string().optional(),
  po_number: z.string().max(255).optional(),
  push_notification_config: pushNotificationConfig.optional(),
  ...envelopeFields,
});

/** Fields of a buy that are kept for the buyer as they came. Bank details are not among them: they are write-only. */
const ECHOED = ['context', 'ext', 'po_number', 'plan_id', 'advertiser_industry', 'agency_estimate_number'] as const;

/** create_media_buy (spec 2, facts C.3): books packages and answers with the buy at revision 1. */
export const createMediaBuy = mutation({
  name: 'create_media_buy',
  title: 'Buy media',
  description:
    'Buys products found with get_products: one package per product_id and pricing_option_id, with its budget. Spends money once per idempotency_key. Next: sync_creatives if status is pending_creatives, then get_media_buy_delivery.',
  kinds: ['sales'],
  input,
  account: { use: 'buy', required: true },
  shape: shapeByRelease,
  run: async ({ app, call, args, db, account }) => {
    if (account === undefined) throw new Error('a buy needs an account');
    const { packages } = args;
    if (packages === undefined) throw withoutPackages(args.proposal_id);
    const ordered = openMediaBuy(
      {
        brand: args.brand,
        start_time: args.start_time,
        end_time: args.end_time,
        paused: args.paused,
        packages,
        echoed: Object.fromEntries(ECHOED.filter((name) => args[name] !== undefined).map((name) => [name, args[name]])),
        callbacks: readCallbacks(app, call, args),
      },
      account,
      deskOf(app, call),
    );
    for (const [index, line] of ordered.packages.entries()) {
      const request = packages[index];
      if (request !== undefined && namesCreatives(request))
        await fillPackage(app, call, db, account, ordered, line, request, `packages[${index}]`);
    }
    const { buy } = asRevision(settle(ordered, await packagesWithCreatives(db, ordered), call.now), ordered.revision);
    await app.lifecycle.open(db, call.owner, buy);
    const assigned = packages.some(namesCreatives) ? await db.creatives.assignedTo([buy.media_buy_id]) : [];
    return {
      ...mediaBuyFacts(buy),
      start_time: buy.start_time,
      end_time: buy.end_time,
      creative_deadline: buy.end_time,
      packages: buy.packages.map((line) => packageWire(line, assigned)),
    };
  },
});

function withoutPackages(proposalId: string | undefined): TaskError {
  if (proposalId !== undefined) {
    return new TaskError('PROPOSAL_NOT_FOUND', 'There is no such proposal.', {
      field: 'proposal_id',
      suggestion: 'Name the packages to buy: product_id, pricing_option_id and budget of each.',
    });
  }
  return new TaskError('INVALID_REQUEST', 'packages: is required', {
    field: 'packages',
    suggestion: 'Name at least one package: product_id and pricing_option_id from get_products, and a budget.',
    issues: [{ pointer: '/packages', message: 'is required', keyword: 'required' }],
  });
}
