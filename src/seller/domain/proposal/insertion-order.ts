import { canonicalHash, digest, sha256Hex } from '../../../platform/kernel/canonical.js';
import { isoTime, MINUTE_MS } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Period } from '../media-buy/reporting.js';

/** When an insertion order is paid, as the protocol writes it. */
export const PAYMENT_TERMS = ['net_30', 'net_60', 'net_90', 'prepaid', 'due_on_receipt'] as const;

/** What becomes of orders for packages, which no proposal and so no insertion order stands behind. */
export const DIRECT_ORDERS = ['accepted', 'refused'] as const;

/** The insertion orders that a tenant wants accepted before it is bought from. */
export type InsertionOrderSettings = {
  /** What is agreed to, word for word. */
  readonly text: string;
  readonly payment_terms?: (typeof PAYMENT_TERMS)[number] | undefined;
  readonly terms_url?: string | undefined;
  /** Where a person signs; an acceptance then names the signature. */
  readonly signing_url?: string | undefined;
  readonly direct_orders: (typeof DIRECT_ORDERS)[number];
};

/** Money in a currency, ISO 4217. */
type Money = { readonly amount: number; readonly currency: string };

/** The summary of what is signed, instants in ISO 8601; `text_digest` is the SHA-256 of `text`. */
type InsertionTerms = {
  readonly publisher: string;
  readonly total_budget: Money;
  readonly flight_start: string;
  readonly flight_end: string;
  readonly payment_terms?: InsertionOrderSettings['payment_terms'];
  readonly text: string;
  readonly text_digest: string;
};

/** An insertion order of a committed proposal, as it goes on the wire. */
export type InsertionOrder = {
  readonly io_id: string;
  readonly terms: InsertionTerms;
  readonly terms_url?: string | undefined;
  readonly signing_url?: string | undefined;
  readonly requires_signature: true;
};

/** A buyer's word that it accepts an insertion order. */
export type Acceptance = {
  readonly io_id: string;
  /** ISO 8601. */
  readonly accepted_at: string;
  readonly signatory: string;
  readonly signature_id?: string | undefined;
};

/** An acceptance as a buy keeps it: who accepted which text, when, and when that was heard here. */
export type RecordedAcceptance = Acceptance & { readonly text_digest: string; readonly received_at: string };

/** The terms that a proposal is committed to. */
type Commitment = {
  readonly proposal_id: string;
  readonly allocations: readonly unknown[];
  readonly publisher: string;
  readonly total: Money;
  readonly flight: Period;
};

/** Returns the insertion order of a commitment; what is committed to differently has another id. */
export function writeInsertionOrder(
  { text, payment_terms, terms_url, signing_url }: InsertionOrderSettings,
  { proposal_id, allocations, publisher, total, flight }: Commitment,
): InsertionOrder {
  const terms: InsertionTerms = {
    publisher,
    total_budget: { amount: total.amount, currency: total.currency },
    flight_start: isoTime(flight.fromMs),
    flight_end: isoTime(flight.toMs),
    payment_terms,
    text,
    text_digest: `sha256:${sha256Hex(text)}`,
  };
  const signed = JSON.parse(JSON.stringify([proposal_id, allocations, terms, terms_url])) as unknown;
  return {
    io_id: `io_${digest(canonicalHash(signed))}`,
    terms,
    terms_url,
    signing_url,
    requires_signature: true,
  };
}

/** Clocks of buyers may be ahead by so much. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/**
 * Returns what is recorded of an acceptance; undefined where there is nothing to accept. Throws IO_REQUIRED where it is missing or lacks a
 * signature, REFERENCE_NOT_FOUND for one of another insertion order, and VALIDATION_ERROR for one of the future.
 */
export function recordAcceptance(
  order: InsertionOrder | undefined,
  acceptance: Acceptance | undefined,
  nowMs: number,
): RecordedAcceptance | undefined {
  if (acceptance === undefined) {
    if (order === undefined) return undefined;
    throw orderRequired(order, 'io_acceptance', 'The proposal has an insertion order, which was not accepted.');
  }
  if (order?.io_id !== acceptance.io_id) {
    throw new TaskError('REFERENCE_NOT_FOUND', 'There is no such insertion order of what is bought.', {
      field: 'io_acceptance.io_id',
      suggestion:
        "Send the io_id of the committed proposal's insertion_order; leave io_acceptance out where it has none.",
    });
  }
  const { signing_url } = order;
  if (signing_url !== undefined && acceptance.signature_id === undefined)
    throw orderRequired(order, 'io_acceptance.signature_id', 'The insertion order is signed by a person first.');
  if (Date.parse(acceptance.accepted_at) > nowMs + CLOCK_SKEW_MS) {
    throw new TaskError('VALIDATION_ERROR', 'Nothing was accepted yet at that time.', {
      field: 'io_acceptance.accepted_at',
      suggestion: `Send the time of the acceptance; it is ${isoTime(nowMs)} now.`,
    });
  }
  const { io_id, accepted_at, signatory, signature_id } = acceptance;
  const { text_digest } = order.terms;
  return { io_id, accepted_at, signatory, signature_id, text_digest, received_at: isoTime(nowMs) };
}

function orderRequired({ io_id, terms_url, signing_url }: InsertionOrder, field: string, message: string): TaskError {
  const suggestion =
    signing_url === undefined
      ? `Read the proposal's insertion_order, and send io_acceptance: {io_id: "${io_id}", accepted_at, signatory}.`
      : `Have a person sign at ${signing_url}, and send io_acceptance: {io_id: "${io_id}", accepted_at, signatory, signature_id}.`;
  return new TaskError('IO_REQUIRED', message, { field, suggestion, details: { io_id, terms_url, signing_url } });
}

/** The order under an insertion order; its start may be "asap". */
type Ordered = {
  readonly total_budget?: Money | undefined;
  readonly start_time?: unknown;
  readonly end_time?: unknown;
};

/** Refuses an order that is not for what was signed: its budget, within its flight. Throws REQUOTE_REQUIRED. */
export function checkSigned({ terms }: InsertionOrder, { total_budget, start_time, end_time }: Ordered): void {
  const { amount, currency } = terms.total_budget;
  if (total_budget !== undefined && (total_budget.amount !== amount || total_budget.currency !== currency))
    throw notSigned('total_budget', `It is for ${amount} ${currency}: order that`);
  const { flight_start: from, flight_end: to } = terms;
  const span = `It runs from ${from} to ${to}: order within that`;
  if (typeof start_time === 'string' && Date.parse(start_time) < Date.parse(from)) throw notSigned('start_time', span);
  if (typeof end_time === 'string' && Date.parse(end_time) > Date.parse(to)) throw notSigned('end_time', span);
}

function notSigned(field: string, instead: string): TaskError {
  return new TaskError('REQUOTE_REQUIRED', 'The insertion order is for something else.', {
    field,
    suggestion: `${instead}, or refine the proposal before it is finalized, for another insertion order.`,
  });
}

/** Refuses an order for packages where a tenant sells by insertion orders alone. Throws IO_REQUIRED. */
export function checkDirectOrder(settings: InsertionOrderSettings | undefined): void {
  if (settings?.direct_orders !== 'refused') return;
  throw new TaskError('IO_REQUIRED', 'This seller sells by insertion orders, which belong to proposals.', {
    field: 'packages',
    suggestion:
      'Get a proposal with get_products, finalize it, and order it by proposal_id with io_acceptance of its insertion_order.',
  });
}
