import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import type { Decision } from '../../domain/task/approval.js';
import { ownerKey } from '../../domain/tenant/principal.js';
import {
  type Decided,
  type DecisionChannel,
  type DecisionKind,
  type PendingDecision,
  unknownDecision,
  type Waiting,
  type WaitingKind,
} from './pending-decisions.js';
import { CREATIVE_DECISIONS } from './waiting-creatives.js';
import { TASK_DECISIONS } from './waiting-tasks.js';

/** The oldest that wait, and whether there are more. */
type WaitingList = { readonly approvals: readonly Waiting[]; readonly more: boolean };

const KINDS: Readonly<Record<WaitingKind, DecisionKind>> = { creative: CREATIVE_DECISIONS, task: TASK_DECISIONS };

/** An id of the list; older links to tasks name their kind too. */
const ID = /^([a-z]+)-(\S{1,200})$/;
const MAX_REASON_CHARS = 1000;

/** Returns everything that waits for a person, of all tenants and kinds, longest first; at most `limit`. */
export async function listWaiting(app: App, limit: number): Promise<WaitingList> {
  const lists = await Promise.all(Object.values(KINDS).map((kind) => kind.list(app, limit + 1)));
  const all = lists.flat().sort((one, other) => Date.parse(one.since) - Date.parse(other.since));
  return { approvals: all.slice(0, limit), more: all.length > limit };
}

/** Returns what was asked under an id, decided or not; undefined where nothing was. */
export async function findPendingDecision(app: App, id: string): Promise<PendingDecision | undefined> {
  return (await locate(app, id))?.pending;
}

type Located = { readonly kind: DecisionKind; readonly key: string; readonly pending: PendingDecision | undefined };

/** Finds what an id names: one of the list of approvals, or the task id that the buyer was given. */
async function locate(app: App, id: string): Promise<Located | undefined> {
  const [, name = '', key = ''] = ID.exec(id) ?? [];
  const listed = isKind(name) ? { kind: KINDS[name], key, pending: await KINDS[name].find(app, key) } : undefined;
  if (listed?.pending !== undefined) return listed;
  const pending = await TASK_DECISIONS.find(app, id);
  return pending === undefined ? listed : { kind: TASK_DECISIONS, key: id, pending };
}

/**
 * Carries out a person's decision, consequences included, in one transaction. Throws REFERENCE_NOT_FOUND for an id under which
 * nothing is, CONFLICT when the thing changed since it was listed, and INVALID_STATE when there is nothing to decide any more.
 */
export async function carryOutDecision(
  app: App,
  id: string,
  decision: Decision,
  channel: DecisionChannel,
): Promise<Decided> {
  const located = await locate(app, id);
  if (located === undefined) throw unknownDecision();
  const { kind, key, pending } = located;
  if (pending !== undefined) await app.lifecycle.catchUp(ownerKey(pending.waiting.tenant, pending.waiting.principal));
  if (decision.decision === 'approve') checkHandBooking(pending, decision);
  const decided = await kind.decide(app, key, decision, channel);
  app.log.info({ id, decision: decision.decision, channel, tenant: pending?.waiting.tenant }, 'decided');
  return decided;
}

/** Reads a decision from outside. Throws INVALID_REQUEST; a rejection needs a reason. */
export function readDecision(value: unknown): Decision {
  const { book_later, decision, reason, order_id, question } = isObject(value) ? value : {};
  if (decision === 'approve')
    return { decision, order_id: readOrderId(order_id), book_later: readBookLater(book_later, order_id) };
  if (decision === 'ask') return { decision, question: readText(question, 'question', 'A question to the buyer') };
  if (decision !== 'reject') {
    throw new TaskError('INVALID_REQUEST', 'A decision is "approve", "reject" or "ask".', {
      field: 'decision',
      suggestion:
        'Send {"decision": "approve"}, {"decision": "reject", "reason": …} or {"decision": "ask", "question": …}.',
    });
  }
  return { decision, reason: readText(reason, 'reason', 'A rejection needs a reason, which') };
}

function readText(value: unknown, field: string, what: string): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_REASON_CHARS) return value.trim();
  throw new TaskError('INVALID_REQUEST', `${what} is a text of at most ${MAX_REASON_CHARS} characters.`, {
    field,
    suggestion: 'Say what the buyer has to change or to answer; the text is shown to the buyer.',
  });
}

/** Refuses what is said of an order's booking where no person books it. */
function checkHandBooking(
  pending: PendingDecision | undefined,
  { book_later, order_id }: Extract<Decision, { decision: 'approve' }>,
): void {
  if (order_id === undefined && book_later !== true) return;
  if (pending?.waiting.order?.fulfillment === 'manual') return;
  const field = order_id === undefined ? 'book_later' : 'order_id';
  throw new TaskError('INVALID_REQUEST', 'This is no order that is booked by hand.', {
    field,
    suggestion: `Approve it without ${field}.`,
  });
}

/** Reads whether an order is booked later; a form sends "yes". Throws INVALID_REQUEST beside an order id, which says that it is booked. */
function readBookLater(value: unknown, orderId: unknown): boolean {
  const isLater = value === true || value === 'yes';
  if (!isLater || orderId === undefined || orderId === '') return isLater;
  throw new TaskError('INVALID_REQUEST', 'An order that has an id in the ad server is booked there.', {
    field: 'book_later',
    suggestion: 'Leave one of order_id and book_later out.',
  });
}

/** Reads the id of an order, or of a part of it, in the seller's ad server; a form sends an empty one for none. Throws INVALID_REQUEST. */
export function readOrderId(value: unknown, field = 'order_id'): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && ORDER_ID.test(value)) return value;
  throw new TaskError('INVALID_REQUEST', 'An id of the ad server has 1 to 200 characters, without spaces or commas.', {
    field,
    suggestion: 'Send the id as your ad server shows it, or leave it out.',
  });
}

/** Spaces and commas would not survive a file of delivery. */
const ORDER_ID = /^[^\s,]{1,200}$/;

function isKind(kind: string): kind is WaitingKind {
  return Object.hasOwn(KINDS, kind);
}
