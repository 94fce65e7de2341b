import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Release } from '../../../protocol/releases.js';
import { isOfferedIn, type RightsOffer, type RightsPrice, type RightUse } from './brand.js';

/** A part of a grant that was taken back. */
export type RevokedPart = {
  readonly reason: string;
  /** ISO 8601: from then on nothing may run by it. */
  readonly effective_at: string;
  /** All uses unless given. */
  readonly uses?: readonly RightUse[];
};

/** Rights that somebody acquired. Days are ISO 8601; the last one is included. */
export type Grant = {
  readonly grant_id: string;
  /** The offer that they are of, in the file. */
  readonly rights_id: string;
  readonly brand_id: string;
  readonly account_id: string;
  readonly buyer: { readonly domain: string; readonly brand_id?: string | undefined };
  readonly status: 'active' | 'revoked';
  readonly paused: boolean;
  readonly right_type: RightsOffer['right_type'];
  /** As it was sold; a later edit of the file changes nothing. */
  readonly price: RightsPrice;
  readonly uses: readonly RightUse[];
  readonly countries?: readonly string[] | undefined;
  readonly excluded_countries?: readonly string[] | undefined;
  readonly start_date: string;
  readonly end_date?: string | undefined;
  readonly impression_cap?: number | undefined;
  readonly estimated_impressions?: number | undefined;
  readonly content_restrictions: readonly string[];
  readonly disclosure?: RightsOffer['disclosure'];
  readonly created_at: string;
  readonly sandbox: boolean;
  /** The buyer's registration for revocations, and the release and context that its events have. Never shown. */
  readonly revocation: {
    readonly webhook: Readonly<Record<string, unknown>>;
    readonly release: Release;
    readonly context?: unknown;
  };
  readonly revoked: readonly RevokedPart[];
  /** When the creatives that rely on it are to be looked at next (ISO 8601); undefined where nothing was taken back since. Never shown. */
  readonly follow_at?: string | undefined;
};

/** A buyer's intended use of rights. */
export type Campaign = {
  readonly uses: readonly RightUse[];
  readonly countries?: readonly string[] | undefined;
  readonly estimated_impressions?: number | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
};

/** Why rights are not granted, and what would be; without suggestions the answer is final. */
export type Rejection = { readonly reason: string; readonly suggestions?: readonly string[] };

/** Throws INVALID_REQUEST for a campaign that a price is not for, that is over, or that cannot be priced. */
export function checkCampaign(campaign: Campaign, price: RightsPrice, today: string): void {
  const { uses, start_date = today, end_date, estimated_impressions = 0 } = campaign;
  const beyond = uses.filter((use) => !price.uses.includes(use));
  if (beyond.length > 0) {
    throw refuseCampaign(
      'uses',
      `The pricing option is not for ${beyond.join(', ')}.`,
      `It is for ${price.uses.join(', ')}.`,
    );
  }
  if (end_date !== undefined && end_date < today)
    throw refuseCampaign('end_date', 'The campaign is over.', `Send an end_date of ${today} or later.`);
  if (end_date !== undefined && end_date < start_date)
    throw refuseCampaign(
      'end_date',
      'The campaign ends before it starts.',
      `Send an end_date of ${start_date} or later.`,
    );
  if (price.model === 'cpm' && estimated_impressions === 0) {
    const fix = 'Send the impressions that you expect, or choose a flat rate.';
    throw refuseCampaign('estimated_impressions', 'A price for a thousand impressions needs their number.', fix);
  }
}

function refuseCampaign(member: string, message: string, suggestion: string): TaskError {
  return new TaskError('INVALID_REQUEST', message, { field: `campaign.${member}`, suggestion });
}

/** Returns why an offer is not granted to a buyer in these countries; undefined where it may be. */
export function rejectBuyer(
  offer: RightsOffer,
  buyerDomain: string,
  countries: readonly string[] = [],
): Rejection | undefined {
  // Who is excluded, and why, is between the house and its talent.
  if (offer.excluded_buyers.includes(buyerDomain)) return { reason: 'These rights are not licensed to this brand.' };
  const elsewhere = countries.filter((country) => !isOfferedIn(offer, country));
  if (elsewhere.length === 0) return undefined;
  const open = countries.filter((country) => isOfferedIn(offer, country));
  return {
    reason: `These rights are not available in ${elsewhere.join(', ')}.`,
    suggestions: [
      offer.countries === undefined
        ? `Leave out ${elsewhere.join(', ')}.`
        : `Available in ${offer.countries.join(', ')}.`,
      ...(open.length === 0 ? [] : [`Ask for ${open.join(', ')} alone.`]),
    ],
  };
}

/** The part of a grant that excludes others, or is excluded. */
type Claimed = Pick<Grant, 'price' | 'uses' | 'countries' | 'excluded_countries' | 'start_date' | 'end_date'>;

/** Returns the first grant of the same rights that a wanted one cannot stand beside: one of the two is exclusive, and they meet in time, uses and countries. */
export function findRival<Held extends Claimed>(held: readonly Held[], wanted: Claimed): Held | undefined {
  return held.find(
    (one) =>
      (one.price.exclusive || wanted.price.exclusive) &&
      one.uses.some((use) => wanted.uses.includes(use)) &&
      meetInTime(one, wanted) &&
      meetInCountries(one, wanted),
  );
}

function meetInTime(one: Claimed, other: Claimed): boolean {
  const startsIn = (a: Claimed, b: Claimed): boolean => b.end_date === undefined || a.start_date <= b.end_date;
  return startsIn(one, other) && startsIn(other, one);
}

function meetInCountries(one: Claimed, other: Claimed): boolean {
  if (one.countries === undefined && other.countries === undefined) return true;
  const named = one.countries ?? other.countries ?? [];
  return named.some((country) => isOfferedIn(one, country) && isOfferedIn(other, country));
}

/** Returns how many billing periods days are, the first and the last included; one where no end is agreed on. */
function countPeriods(period: RightsPrice['period'], start: string, end: string | undefined): number {
  if (period === undefined || period === 'one_time' || end === undefined) return 1;
  const days = Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS) + 1;
  if (period === 'daily') return days;
  if (period === 'weekly') return Math.ceil(days / 7);
  const [from, to] = [new Date(start), new Date(end)];
  const whole = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const months = whole + (to.getUTCDate() >= from.getUTCDate() ? 1 : 0);
  return Math.max(1, Math.ceil(months / MONTHS[period]));
}

const MONTHS = { monthly: 1, quarterly: 3, annual: 12 } as const;

/** Returns what a period of a grant costs, or all of it where it is priced by impressions, in the price's currency. */
function amountOf({ price, estimated_impressions = 0 }: Pick<Grant, 'price' | 'estimated_impressions'>): number {
  return price.model === 'cpm' ? roundToCents((price.price * estimated_impressions) / 1000) : price.price;
}

/** Returns what a grant costs in all, as far as its end is known. */
export function totalOf(grant: Grant): number {
  const { price, start_date, end_date } = grant;
  return price.model === 'cpm'
    ? amountOf(grant)
    : roundToCents(price.price * countPeriods(price.period, start_date, end_date));
}

function roundToCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** Returns the terms of a grant as the protocol shows them. */
export function describeTerms(grant: Grant): Readonly<Record<string, unknown>> {
  const { price, uses, impression_cap, start_date, end_date, countries } = grant;
  return {
    pricing_option_id: price.pricing_option_id,
    amount: amountOf(grant),
    currency: price.currency,
    period: price.period,
    uses,
    impression_cap,
    overage_cpm: price.overage_cpm,
    start_date,
    end_date,
    exclusivity: price.exclusive ? { scope: 'sole licensee of these uses', countries } : undefined,
  };
}

/** Returns what creatives that use a grant carry in their manifest. */
export function describeConstraint(grant: Grant, agent: { readonly url: string; readonly id: string }): object {
  const { grant_id, uses, countries, excluded_countries, impression_cap, price, right_type } = grant;
  const periods = countPeriods(price.period, grant.start_date, grant.end_date);
  const isOpen = grant.end_date === undefined && price.period !== undefined && price.period !== 'one_time';
  return {
    rights_id: grant_id,
    rights_agent: agent,
    valid_from: isoTime(Date.parse(grant.start_date)),
    valid_until: grant.end_date === undefined ? undefined : isoTime(endMs(grant.end_date)),
    uses,
    countries,
    excluded_countries,
    impression_cap: impression_cap === undefined || isOpen ? undefined : impression_cap * periods,
    right_type,
    approval_status: 'approved',
  };
}

/** Returns when a day is over, ms. */
export function endMs(day: string): number {
  return Date.parse(day) + DAY_MS;
}

/** Returns a grant of which a part is taken back; of all its uses, it is revoked. Throws INVALID_STATE and INVALID_REQUEST. */
export function revokeGrant(grant: Grant, part: RevokedPart): Grant {
  requireActive(grant);
  const foreign = part.uses?.find((use) => !grant.uses.includes(use));
  if (foreign !== undefined) {
    throw new TaskError('INVALID_REQUEST', `The grant is not for ${foreign}.`, {
      field: 'uses',
      suggestion: `It is for ${grant.uses.join(', ')}.`,
    });
  }
  const left = part.uses === undefined ? [] : grant.uses.filter((use) => part.uses?.includes(use) !== true);
  const revoked = [...grant.revoked, part];
  const { follow_at: due = part.effective_at } = grant;
  const follow_at = part.effective_at < due ? part.effective_at : due;
  return left.length === 0
    ? { ...grant, status: 'revoked', revoked, follow_at }
    : { ...grant, uses: left, revoked, follow_at };
}

/** Whether there is nothing to be done by now about the creatives that rely on a grant. */
export function isFollowed({ follow_at }: Grant, nowMs: number): boolean {
  return follow_at === undefined || Date.parse(follow_at) > nowMs;
}

/** Returns a grant of which all that was taken back by now has been followed. */
export function nextToFollow(grant: Grant, nowMs: number): Grant {
  const later = grant.revoked.map(({ effective_at }) => effective_at).filter((at) => Date.parse(at) > nowMs);
  return { ...grant, follow_at: later.sort()[0] };
}

/** Throws INVALID_STATE for a grant that was revoked. */
export function requireActive({ status }: Grant): void {
  if (status === 'active') return;
  throw new TaskError('INVALID_STATE', 'The grant was revoked; nothing about it can be changed.', {
    field: 'rights_id',
    suggestion: 'Look for other rights with get_rights.',
    details: { current_state: status },
  });
}
