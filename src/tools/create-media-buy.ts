import { z } from 'zod';
import { asRevision, settle } from '../domain/flight.js';
import { packageWire, shapeByRelease } from '../domain/media-buy-wire.js';
import { openMediaBuy } from '../domain/order.js';
import { rotationsOf } from '../domain/rotation.js';
import { TaskError } from '../kernel/errors.js';
import { beginReports, callbackFields, checkCallbackHosts, readCallbacks, registersCallbacks } from './callbacks.js';
import { type Judged, judgeCreatives, NOTHING_JUDGED, placedCreatives } from './creative-intake.js';
import { fillPackage, namesCreatives } from './creative-library.js';
import { mutation } from './define.js';
import { deskOf } from './desk.js';
import { mediaBuyFacts } from './media-buy-wire.js';
import { packageRequest } from './order-shapes.js';
import { accountRef, brandRef, dateTime, envelopeFields, keyField, startTime } from './shapes.js';

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
  ...callbackFields,
  ...envelopeFields,
});

/** Fields of a buy that are kept for the buyer as they came. Bank details are not among them: they are write-only. */
const ECHOED = ['context', 'ext', 'po_number', 'plan_id', 'advertiser_industry', 'agency_estimate_number'] as const;

/** create_media_buy (spec 2, facts C.3): books packages and answers with the buy at revision 1. */
export const createMediaBuy = mutation({
  name: 'create_media_buy',
  title: 'Buy media',
  description:
    'Buys products found with get_products: one package per product_id and pricing_option_id, with its budget. Spends money once per idempotency_key. Next: get_task_status if status is submitted, sync_creatives if it is pending_creatives, then get_media_buy_delivery.',
  kinds: ['sales'],
  input,
  account: { use: 'buy', required: true },
  commits: true,
  shape: shapeByRelease,
  prepares: (args) => registersCallbacks(args) || (args.packages ?? []).some((line) => line.creatives !== undefined),
  prepare: async ({ app, call, args, db }): Promise<Judged | undefined> => {
    await checkCallbackHosts(app, call, args);
    const placed = (args.packages ?? []).flatMap((request, index) =>
      placedCreatives(request.creatives, `packages[${index}].creatives`),
    );
    return judgeCreatives(app, call, db, placed);
  },
  run: async ({ app, call, args, db, account, prepared }) => {
    if (account === undefined) throw new Error('a buy needs an account');
    const { packages } = args;
    if (packages === undefined) throw withoutPackages(args.proposal_id);
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
      deskOf(app, call),
    );
    const library = { app, call, db, account, judged: prepared ?? NOTHING_JUDGED };
    for (const [index, line] of ordered.packages.entries()) {
      const request = packages[index];
      if (request !== undefined && namesCreatives(request))
        await fillPackage(library, ordered, line, request, `packages[${index}]`);
    }
    const assigned = packages.some(namesCreatives) ? await db.creatives.assignedTo([ordered.media_buy_id]) : [];
    const { buy } = asRevision(settle(ordered, rotationsOf(assigned), call.now), ordered.revision);
    await app.lifecycle.open(db, call.owner, buy);
    await beginReports(app, call, db, buy, callbacks);
    return {
      ...mediaBuyFacts(buy, call),
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
