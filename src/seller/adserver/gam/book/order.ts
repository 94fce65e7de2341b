import type { LiveOrder } from '../../../domain/booking/live-order.js';
import { OrderRefusedError, RetryLaterError } from '../../errors.js';
import { hasId, idOf, markOf, nameWithId } from '../mapping/names.js';
import { type GamNetwork, quoteText } from '../network.js';
import type { Resource } from '../rest.js';

const MAX_PO_CHARS = 63;
const MINUTE_MS = 60_000;

/** Returns the order there that carries the id of a buy; undefined where there is none. */
export async function findOrder(
  { rest }: GamNetwork,
  mediaBuyId: string,
  signal: AbortSignal,
): Promise<Resource | undefined> {
  const orders = await rest.list('orders', `displayName = ${quoteText(`*${markOf(mediaBuyId)}*`)}`, signal);
  const own = orders.filter(
    ({ displayName, status }) => hasId(String(displayName), mediaBuyId) && status !== 'DELETED',
  );
  if (own.length > 1) {
    throw new RetryLaterError(
      `Google Ad Manager has ${own.length} orders of ${mediaBuyId}: ${own.map(({ name }) => idOf(name)).join(', ')}. Delete all but one there.`,
    );
  }
  return own[0];
}

/** Creates an order, which is a draft until its line items are there and it is approved. */
export async function createOrder(
  { rest, settings }: GamNetwork,
  order: LiveOrder,
  companyId: string,
  signal: AbortSignal,
): Promise<Resource> {
  return rest.createOrder(
    {
      displayName: nameWithId(order.name, order.media_buy_id),
      advertiser: rest.nameOf('companies', companyId),
      trafficker: rest.nameOf('users', settings.trafficker),
      poNumber: order.po_number?.slice(0, MAX_PO_CHARS),
      notes: `${order.media_buy_id} of ${order.brand.domain}`,
    },
    signal,
  );
}

/** What an order's status means for whoever waits for it. */
const STATUSES: Readonly<Record<string, 'approved' | 'draft' | 'waiting' | 'refused'>> = {
  DRAFT: 'draft',
  PENDING_APPROVAL: 'waiting',
  APPROVED: 'approved',
  PAUSED: 'approved',
  DISAPPROVED: 'refused',
  CANCELED: 'refused',
  DELETED: 'refused',
};

/**
 * Brings an order with line items to its approval, and reads it back: an answer alone proves nothing. Throws RetryLaterError while it is not
 * approved, and OrderRefusedError where a person has disapproved it. `isNew`: it has line items that were not approved with it.
 */
export async function approveOrder(
  network: GamNetwork,
  orderId: string,
  isNew: boolean,
  signal: AbortSignal,
): Promise<void> {
  const before = await readStatus(network, orderId, signal);
  if (before === 'refused') throw refused(orderId);
  if (before === 'approved' && !isNew) return;
  const why = await tryToApprove(network, orderId, signal);
  const after = await readStatus(network, orderId, signal);
  if (after === 'approved') return;
  if (after === 'refused') throw refused(orderId);
  const waits = `The order ${orderId} in Google Ad Manager waits for its approval by a person there.`;
  throw new RetryLaterError(why === undefined ? waits : `${waits} ${why.message}`, {
    retryAfterMs: (why instanceof RetryLaterError ? why.retryAfterMs : undefined) ?? MINUTE_MS,
  });
}

async function readStatus({ rest }: GamNetwork, orderId: string, signal: AbortSignal) {
  const order = await rest.find('orders', orderId, signal);
  if (order === undefined)
    throw new RetryLaterError(`The order ${orderId} in Google Ad Manager is not there any more.`);
  if (order.archived === true)
    throw new RetryLaterError(
      `The order ${orderId} in Google Ad Manager is archived. Take it out of the archive there.`,
    );
  return STATUSES[String(order.status)] ?? 'waiting';
}

/** Approves an order, or where the account's role may not, submits it to somebody who may. Returns why it was not approved. */
async function tryToApprove({ rest }: GamNetwork, orderId: string, signal: AbortSignal): Promise<Error | undefined> {
  const names = [rest.nameOf('orders', orderId)];
  try {
    await rest.act('orders', 'batchApprove', names, signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof RetryLaterError) || !/PERMISSION_DENIED/.test(error.message)) throw error;
    await rest.act('orders', 'batchSubmitForApproval', names, signal);
    return error;
  }
}

function refused(orderId: string): OrderRefusedError {
  return new OrderRefusedError(`The order ${orderId} was disapproved in Google Ad Manager.`);
}
