import { type Written, written } from '../../../platform/kernel/json/json.js';
import type { Payload } from '../../../protocol/envelope.js';
import type { Seller } from '../../domain/tenant/seller.js';

/** How many answers per tenant are kept; the one asked for longest ago goes first. */
const KEPT = 256;

type Kept<Answer> = { readonly answer: Answer; readonly untilMs: number };

/** Answers what a question about a tenant's files came to, or works it out. */
export type SellerMemory<Answer> = (
  seller: Seller,
  question: string,
  nowMs: number,
  workOut: () => Promise<Answer>,
) => Promise<Answer>;

/**
 * A memory of what reads nothing but the tenant's files, kept for the next caller who asks the same: buyers poll a catalog far
 * more often than it changes. An edit of the files makes a new seller, which starts empty.
 */
export function sellerMemory<Answer>(): SellerMemory<Answer> {
  const answers = new WeakMap<Seller, Map<string, Kept<Answer>>>();
  return async (seller, question, nowMs, workOut) => {
    const kept = answers.get(seller) ?? new Map<string, Kept<Answer>>();
    answers.set(seller, kept);
    const known = kept.get(question);
    if (known !== undefined) kept.delete(question);
    const found =
      known !== undefined && nowMs < known.untilMs
        ? known
        : { answer: await workOut(), untilMs: nextExpiry(seller, nowMs) };
    kept.set(question, found);
    const oldest = kept.keys().next();
    if (kept.size > KEPT && oldest.done !== true) kept.delete(oldest.value);
    return found.answer;
  };
}

const writtenAnswers = sellerMemory<Written>();

/** The whole answer of a task that reads nothing but the tenant's files, from memory where it was asked before. */
export function remember(
  seller: Seller,
  question: string,
  nowMs: number,
  answer: () => Promise<Payload | Written>,
): Promise<Written> {
  return writtenAnswers(seller, question, nowMs, async () => written(await answer()));
}

/** When the next product goes off sale, ms. */
function nextExpiry({ tenant }: Seller, nowMs: number): number {
  const expiries = tenant.products.map((product) => Date.parse(product.expires_at ?? ''));
  return Math.min(Number.POSITIVE_INFINITY, ...expiries.filter((expiry) => expiry > nowMs));
}
