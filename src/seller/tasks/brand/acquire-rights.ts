import { z } from 'zod';
import { isObject } from '../../../platform/kernel/json/json.js';
import type { Payload } from '../../../protocol/envelope.js';
import { TaskError } from '../../../protocol/errors.js';
import {
  type BrandHouse,
  licensesRights,
  RIGHT_USES,
  type RightsOffer,
  type RightsPrice,
} from '../../domain/brand/brand.js';
import {
  checkCampaign,
  describeConstraint,
  describeTerms,
  findRival,
  type Grant,
  type Rejection,
  rejectBuyer,
  totalOf,
} from '../../domain/brand/grant.js';
import { rightsCommitment } from '../../domain/governance/commitment.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { bookScope } from '../../lifecycle/inventory.js';
import type { Reader } from '../../store/store.js';
import { judgeRegistration } from '../pipeline/registration.js';
import {
  accountRef,
  brandRef,
  day,
  envelopeFields,
  formatId,
  governanceFields,
  keyField,
  pushNotificationConfig,
} from '../pipeline/shapes.js';
import type { Commits, MutationContext } from '../pipeline/tool.js';
import { mutation } from '../pipeline/tool.js';
import { houseOf } from './get-brand-identity.js';
import { shapeRights, UNATTESTED } from './rights-wire.js';

const input = z.looseObject({
  ...keyField,
  rights_id: z.string().min(1).max(255),
  pricing_option_id: z.string().min(1).max(255),
  buyer: brandRef,
  account: accountRef.optional(),
  campaign: z
    .looseObject({
      description: z.string().max(10_000),
      uses: z.array(z.enum(RIGHT_USES)).min(1).max(50),
      countries: z
        .array(z.string().regex(/^[A-Z]{2}$/))
        .min(1)
        .max(250)
        .optional(),
      format_ids: z.array(formatId).max(200).optional(),
      estimated_impressions: z.int().min(0).max(1e15).optional(),
      start_date: day.optional(),
      end_date: day.optional(),
    })
    .meta({ brief: true, description: '{description, uses, countries, start_date, end_date, estimated_impressions}' }),
  revocation_webhook: pushNotificationConfig,
  push_notification_config: pushNotificationConfig.optional(),
  ...governanceFields,
  ...envelopeFields,
});

type Input = z.output<typeof input>;

/** Commits an account to the rights that the answer grants. */
export const commitsRights: Commits<unknown> = async ({ call, db, scope }) => {
  return async ({ rights_id: id }) => {
    const grant = typeof id === 'string' ? await db.grants.find(scope, id) : undefined;
    return grant && grant.account_id !== '' ? rightsCommitment(grant, houseOf(call.seller)) : undefined;
  };
};

/** acquire_rights: licenses rights at a price of get_rights. What somebody has alone is not sold twice. */
export const acquireRights = mutation({
  name: 'acquire_rights',
  title: 'License rights',
  description:
    'Licenses rights found with get_rights for a campaign, at a pricing_option_id. Binding; once per idempotency_key. Put rights_constraint of the answer into the creatives. If rights_status is pending_approval, ask get_task_status.',
  kinds: ['brand'],
  offered: licensesRights,
  notIn: UNATTESTED,
  input,
  account: { use: 'buy', required: false },
  commits: commitsRights,
  shape: shapeRights,
  stake: assessRights,
  pending: ({ args, call }) => describePending(call.seller, args),
  prepare: async ({ app, call, args }) => {
    const { revocation_webhook: config } = args;
    await judgeRegistration(app, call, { field: 'revocation_webhook', config, mutating: false });
  },
  run: async (context): Promise<Payload> => {
    const { app, call, args, db, account } = context;
    const { seller, now, owner } = call;
    const { offer, price } = findOffer(houseOf(seller), args);
    const today = now.iso.slice(0, 10);
    checkCampaign(args.campaign, price, today);
    const { rights_id, brand_id } = offer;
    const sandbox = call.principal?.sandbox === true;
    const grant = openGrant(
      args,
      { offer, price },
      {
        grant_id: app.ids.next('rights'),
        account_id: account?.account_id ?? '',
        sandbox,
        created_at: now.iso,
        start_date: args.campaign.start_date ?? today,
        release: call.to.release,
      },
    );
    const scope = bookScope(owner, sandbox);
    const rejection =
      rejectBuyer(offer, args.buyer.domain, args.campaign.countries) ?? (await rejectRival(db, scope, grant));
    if (rejection !== undefined) return { rights_id, rights_status: 'rejected', brand_id, ...rejection };
    db.grants.insert(owner, scope, grant);
    return describeAcquired(seller, grant);
  },
});

type Priced = { readonly offer: RightsOffer; readonly price: RightsPrice };

function findOffer({ rights }: BrandHouse, { rights_id, pricing_option_id }: Input): Priced {
  const offer = rights.find((one) => one.rights_id === rights_id);
  if (offer === undefined) throw notFound('rights_id', 'There are no such rights here.');
  const price = offer.pricing_options.find((one) => one.pricing_option_id === pricing_option_id);
  if (price === undefined) throw notFound('pricing_option_id', 'These rights have no such pricing option.');
  return { offer, price };
}

function notFound(field: string, message: string): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', message, { field, suggestion: 'Use one that get_rights answered.' });
}

type GrantFacts = Pick<Grant, 'grant_id' | 'account_id' | 'sandbox' | 'created_at' | 'start_date'> &
  Pick<Grant['revocation'], 'release'>;

function openGrant(args: Input, { offer, price }: Priced, { release, ...facts }: GrantFacts): Grant {
  const { campaign, buyer, context } = args;
  return {
    ...facts,
    rights_id: offer.rights_id,
    brand_id: offer.brand_id,
    buyer: { domain: buyer.domain, brand_id: buyer.brand_id },
    status: 'active',
    paused: false,
    right_type: offer.right_type,
    price,
    uses: campaign.uses,
    countries: campaign.countries ?? offer.countries,
    excluded_countries: offer.excluded_countries,
    end_date: campaign.end_date,
    impression_cap: price.impression_cap,
    estimated_impressions: campaign.estimated_impressions,
    content_restrictions: offer.content_restrictions,
    disclosure: offer.disclosure,
    revocation: { webhook: args.revocation_webhook, release, context },
    revoked: [],
  };
}

/** Most grants in force that a new exclusive one is held against; with more of them somebody would be overlooked. */
const MAX_GRANTS_IN_FORCE = 10_000;

/** Returns why a grant cannot stand beside those that are in force; undefined where it can. */
export async function rejectRival(db: Reader, scope: string, grant: Grant): Promise<Rejection | undefined> {
  const books = { scope, rightsId: grant.rights_id };
  const fromMs = Date.parse(grant.start_date);
  const { exclusive } = grant.price;
  const held = exclusive
    ? await db.grants.inForce(books, fromMs, MAX_GRANTS_IN_FORCE)
    : await db.grants.exclusives(books, fromMs);
  const others = held.filter(({ grant_id }) => grant_id !== grant.grant_id);
  if (findRival(others, grant) === undefined && held.length < MAX_GRANTS_IN_FORCE) return undefined;
  return {
    reason: exclusive
      ? 'Others have these rights in this time, so they cannot be had alone.'
      : 'Somebody has these rights alone in this time.',
    suggestions: [
      'Ask for other uses, countries or dates; exclusivity_status of get_rights says what is taken.',
      ...(exclusive ? ['Choose a pricing option that is not exclusive.'] : []),
    ],
  };
}

function describeAcquired(seller: Seller, grant: Grant): Payload {
  const { grant_id, brand_id, content_restrictions, disclosure } = grant;
  return {
    rights_id: grant_id,
    rights_status: 'acquired',
    brand_id,
    terms: describeTerms(grant),
    // Nobody here issues keys of a provider.
    generation_credentials: [],
    restrictions: content_restrictions.length === 0 ? undefined : content_restrictions,
    disclosure,
    rights_constraint: describeConstraint(grant, rightsAgent(seller)),
  };
}

/** Returns how creatives name the agent that granted their rights. */
export function rightsAgent({ tenant, url }: Seller): { readonly url: string; readonly id: string } {
  return { url, id: tenant.path };
}

/** Returns what a person would decide about: the grant that the answer names. */
async function assessRights({ call, db, scope }: MutationContext, answer: Payload) {
  const grant = typeof answer.rights_id === 'string' ? await db.grants.find(scope, answer.rights_id) : undefined;
  if (grant === undefined) return undefined;
  const { rights_id, price, start_date, end_date = start_date } = grant;
  const offer = houseOf(call.seller).rights.find((one) => one.rights_id === rights_id);
  const total = totalOf(grant);
  const dates = { start_time: `${start_date}T00:00:00Z`, end_time: `${end_date}T23:59:59Z` };
  return {
    task: 'acquire_rights' as const,
    principal: call.principal?.id ?? '',
    account_id: grant.account_id,
    advertiser: grant.buyer.domain,
    fulfillment: grant.sandbox ? ('simulated' as const) : ('adapter' as const),
    currency: price.currency,
    total,
    ...dates,
    lines: [
      {
        product_id: rights_id,
        name: offer?.name ?? rights_id,
        delivery_type: price.exclusive ? ('guaranteed' as const) : ('non_guaranteed' as const),
        budget: total,
        ...dates,
      },
    ],
  };
}

/** Returns what is answered of rights that a person decides about first; the grant gets its id when it is made. */
function describePending(seller: Seller, args: unknown): Payload {
  const { rights_id } = isObject(args) ? args : {};
  const offer = houseOf(seller).rights.find((one) => one.rights_id === rights_id);
  return {
    rights_id,
    rights_status: 'pending_approval',
    brand_id: offer?.brand_id,
    detail: 'The rights holder decides about this campaign first.',
  };
}
