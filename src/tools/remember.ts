import type { Seller } from '../domain/seller.js';
import { type Written, written } from '../kernel/json.js';
import type { Payload } from '../protocol/envelope.js';

/** How many answers per tenant are kept; the one asked for longest ago goes first. */
const KEPT = 256;

type Kept = { readonly answer: Written; readonly untilMs: number };

const answers = new WeakMap<Seller, Map<string, Kept>>();

/**
 * The answer of a task that reads nothing but the tenant's files, kept for the next caller who asks the same: buyers poll a
 * catalogue far more often than it changes. An edit of the files makes a new seller, which starts empty.
 */
export async function remember(
  seller: Seller,
  question: string,
  nowMs: number,
  answer: () => Promise<Payload | Written>,
): Promise<Written> {
  const kept = answers.get(seller) ?? new Map<string, Kept>();
  answers.set(seller, kept);
  const known = kept.get(question);
  if (known !== undefined) kept.delete(question);
  const found = known !== undefined && nowMs < known.untilMs ? known : await keep(seller, nowMs, answer);
  kept.set(question, found);
  const oldest = kept.keys().next();
  if (kept.size > KEPT && oldest.done !== true) kept.delete(oldest.value);
  return found.answer;
}

async function keep(seller: Seller, nowMs: number, answer: () => Promise<Payload | Written>): Promise<Kept> {
  const expiries = seller.tenant.products.map((product) => Date.parse(product.expires_at ?? ''));
  return {
    answer: written(await answer()),
    untilMs: Math.min(Number.POSITIVE_INFINITY, ...expiries.filter((expiry) => expiry > nowMs)),
  };
}
