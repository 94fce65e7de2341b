import { z } from 'zod';
import { TaskError } from '../../../protocol/errors.js';
import type { Call } from '../../context.js';
import type { Scope } from '../../domain/account/scope.js';
import { recordAcceptance } from '../../domain/proposal/insertion-order.js';
import { checkOpen, proposalNotFound } from '../../domain/proposal/proposal.js';
import type { CommercialTerms } from '../../domain/proposal/terms.js';
import { releaseHolder } from '../../lifecycle/inventory.js';
import type { Reader } from '../../store/store.js';
import { callbackFields } from '../media-buy/callbacks.js';
import { createMediaBuy } from '../media-buy/create-media-buy.js';
import { ioAcceptance } from '../media-buy/order-shapes.js';
import { updateMediaBuy } from '../media-buy/update-media-buy.js';
import { commitsBuy } from '../pipeline/consult-governance.js';
import { accountRef, governanceFields } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_MANY, type Mutation, mutation } from '../pipeline/tool.js';
import { productsFor, proposalHolder } from '../product/proposals.js';
import {
  asMutation,
  COMMITMENT_ROOT,
  describeCommitment,
  nameProposal,
  readBuy,
  shapeCommitment,
} from './commitment.js';
import { withFieldNames } from './renamed.js';
import { COMPACT_RELEASE, keyedFields, money, opportunity } from './shapes.js';
import { findSnapshots, type StoredSnapshot, saveSnapshots } from './snapshots.js';

const input = z.looseObject({
  ...keyedFields,
  account: accountRef,
  proposal_id: z.string().min(1).max(255),
  proposal_terms_digest: z
    .string()
    .regex(/^sha256:[A-Za-z0-9_-]{43}$/)
    .describe('Its terms_digest'),
  total_budget: money.optional(),
  purchase_order_ref: z.string().min(1).max(255).optional(),
  io_acceptance: ioAcceptance.optional().meta({ unlisted: true }),
  opportunity: opportunity.optional(),
  reporting_webhook: callbackFields.reporting_webhook,
  governance_context: governanceFields.governance_context,
});
type Input = z.output<typeof input>;

const order = asMutation(createMediaBuy);
const change = asMutation(updateMediaBuy);

/** The fields of the order or change that an acceptance is, as this task calls them. */
const NAMES = [
  [/^(packages|new_packages|start_time|end_time|brand|media_buy_id|canceled|revision)\b.*$/, 'proposal_id'],
  [/^po_number/, 'purchase_order_ref'],
] as const;

/** accept_proposal: buys what a committed proposal offers, or changes or cancels the buy that it is about. */
export const acceptProposal = mutation({
  name: 'accept_proposal',
  since: COMPACT_RELEASE,
  root: COMMITMENT_ROOT,
  title: 'Accept a proposal',
  description:
    'Accepts a committed proposal: a media buy at exactly its terms, or a change or cancellation of one. Spends money once per idempotency_key. Next: get_task_status if submitted, sync_creatives if pending_creatives.',
  kinds: ['sales'],
  input,
  maxValues: MAX_VALUES_OF_MANY,
  destructive: true,
  account: { use: 'buy', required: true },
  commits: async (context) => commitsBuy({ ...context, args: (await readTarget(context)).args }),
  shape: shapeCommitment,
  prepare: async (context, report): Promise<unknown> => {
    const { tool, args } = await readTarget(context);
    if (tool.prepares?.(args, context.call) === false) return undefined;
    return withFieldNames(NAMES, () => tool.prepare?.({ ...context, args }, report));
  },
  run: async (context) => {
    const { call, db, scope } = context;
    const { tool, args, stored } = await readTarget(context);
    // What an amendment holds goes to its buy.
    if (tool === change) await releaseHolder(db, proposalHolder(call.owner, stored));
    const seller = { ...call.seller, products: productsFor(stored, call.seller) };
    const answer = await withFieldNames(NAMES, () => tool.run({ ...context, call: { ...call, seller }, args }));
    const buy = await nameProposal(context, await readBuy(context, answer), stored.proposal.proposal_id);
    const { media_buy_id } = buy;
    const accepted = {
      ...stored,
      media_buy_id,
      snapshot: { ...stored.snapshot, media_buy_id, accepted_at: call.now.iso },
    };
    await saveSnapshots({ db, scope }, [accepted]);
    return describeCommitment(buy, accepted, answer);
  },
  changes: async (context) => (await readTarget(context)).stored.snapshot.media_buy_id,
});

/** The task that does what an acceptance asks for, its arguments, and the proposal. */
type Target = {
  readonly tool: Mutation;
  readonly args: Readonly<Record<string, unknown>>;
  readonly stored: StoredSnapshot;
};

type Acceptance = { readonly call: Call; readonly args: Input; readonly db: Reader; readonly scope: Scope };

/** Reads the proposal that is accepted. Throws PROPOSAL_NOT_FOUND, PROPOSAL_EXPIRED, PROPOSAL_NOT_COMMITTED, INVALID_STATE or CONFLICT. */
async function readTarget({ call, args, db, scope }: Acceptance): Promise<Target> {
  const stored = (await findSnapshots({ db, scope }, [args.proposal_id])).get(args.proposal_id);
  if (stored === undefined) throw proposalNotFound('proposal_id');
  checkOpen(stored, call.now.ms, 'proposal_id');
  checkAcceptable(stored, args);
  return stored.snapshot.kind === 'new_media_buy' ? orderOf(stored, args) : changeOf(stored, args, call.now.ms);
}

/** Throws CONFLICT or PROPOSAL_NOT_COMMITTED unless an acceptance is of these terms, and they are held. */
function checkAcceptable(stored: StoredSnapshot, args: Input): void {
  const { terms_digest, opportunity_id } = stored.snapshot;
  if (args.proposal_terms_digest !== terms_digest)
    throw new TaskError('CONFLICT', 'These are not the terms of the proposal.', {
      field: 'proposal_terms_digest',
      suggestion: 'Send the terms_digest that the proposal was answered with.',
    });
  if (stored.proposal.proposal_status !== 'committed')
    throw new TaskError('PROPOSAL_NOT_COMMITTED', 'The proposal is a draft; nothing is held for it yet.', {
      field: 'proposal_id',
      suggestion: 'Finalize it first: refine_proposals with action "finalize"; accept the proposal that it answers.',
    });
  checkOpportunity(args, opportunity_id);
}

/** Returns the arguments that an acceptance hands on as they are. */
function sharedArguments(args: Input) {
  return {
    idempotency_key: args.idempotency_key,
    account: args.account,
    push_notification_config: args.push_notification_config,
    reporting_webhook: args.reporting_webhook,
    governance_context: args.governance_context,
    context: args.context,
    ext: args.ext,
  };
}

/** Returns the change or cancellation that a proposal about a buy is. */
function changeOf(stored: StoredSnapshot, args: Input, nowMs: number): Target {
  const { kind, terms, media_buy_id, base_media_buy_revision: revision } = stored.snapshot;
  checkOwnTerms(args, terms);
  recordAcceptance(undefined, args.io_acceptance, nowMs);
  const { reason: cancellation_reason } = terms.cancellation_terms ?? {};
  const does = kind === 'media_buy_update' ? stored.snapshot.change : { canceled: true, cancellation_reason };
  return { tool: change, stored, args: { ...sharedArguments(args), media_buy_id, revision, ...does } };
}

/** Returns the order that a proposal of a new buy is. */
function orderOf(stored: StoredSnapshot, args: Input): Target {
  const { terms, terms_digest } = stored.snapshot;
  return {
    tool: order,
    stored,
    args: {
      ...sharedArguments(args),
      brand: terms.brand,
      start_time: terms.start_time,
      end_time: terms.end_time,
      proposal_id: args.proposal_id,
      proposal_terms_digest: terms_digest,
      total_budget: args.total_budget ?? terms.total_budget,
      po_number: args.purchase_order_ref,
      io_acceptance: args.io_acceptance,
    },
  };
}

/** Refuses what the terms of a change or cancellation do not leave open. Throws REQUOTE_REQUIRED or INVALID_REQUEST. */
function checkOwnTerms(
  { total_budget: budget, purchase_order_ref }: Input,
  { total_budget: own }: CommercialTerms,
): void {
  if (purchase_order_ref !== undefined)
    throw new TaskError('INVALID_REQUEST', 'The media buy has its purchase order already.', {
      field: 'purchase_order_ref',
      suggestion: 'Leave purchase_order_ref out: it is sent with what makes a media buy.',
    });
  if (budget === undefined || (budget.amount === own.amount && budget.currency === own.currency)) return;
  throw new TaskError('REQUOTE_REQUIRED', 'The proposal is for another budget.', {
    field: 'total_budget',
    suggestion: `Its terms say ${own.amount} ${own.currency}: leave total_budget out, or revise the accepted proposal again.`,
  });
}

/** Refuses an acceptance that names another planning cycle than its proposal, or leaves the cycle open. Throws INVALID_REQUEST. */
function checkOpportunity({ opportunity: named }: Input, own: string | undefined): void {
  const isOther = named !== undefined && own !== undefined && named.opportunity_id !== own;
  if (!isOther && named?.status !== 'open') return;
  throw new TaskError('INVALID_REQUEST', 'The proposal belongs to another opportunity, or this one stays open.', {
    field: isOther ? 'opportunity.opportunity_id' : 'opportunity.status',
    suggestion: 'Leave opportunity out: accepting the proposal closes its opportunity.',
  });
}
