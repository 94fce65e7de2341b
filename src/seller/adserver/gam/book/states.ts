import type { OrderState } from '../../../domain/booking/live-order.js';
import { OrderRefusedError, RetryLaterError } from '../../errors.js';
import type { InspectedPackage } from '../../port/answers.js';
import { idOf } from '../mapping/names.js';
import type { RestLine } from '../mapping/rest-line.js';
import type { GamNetwork } from '../network.js';
import { actOnLine, isOver } from './lines.js';

/** What a line item's status means: it runs or will, is paused, is over, waits for an approval, or is not to be had. */
const STATUSES: Readonly<Record<string, 'running' | 'paused' | 'completed' | 'waiting' | 'refused'>> = {
  DELIVERING: 'running',
  DELIVERY_EXTENDED: 'running',
  READY: 'running',
  // Its creatives are not there yet.
  INACTIVE: 'running',
  PAUSED: 'paused',
  PAUSED_INVENTORY_RELEASED: 'paused',
  COMPLETED: 'completed',
  DRAFT: 'waiting',
  PENDING_APPROVAL: 'waiting',
  DISAPPROVED: 'refused',
  CANCELED: 'refused',
};

/** Returns the state of a line item; `unknown` for a status that has come since. */
export function stateOf({ archived, status }: RestLine): InspectedPackage['state'] | 'refused' {
  if (archived === true) return 'canceled';
  return STATUSES[String(status)] ?? 'unknown';
}

/** Pauses, resumes or ends a line item where it is not as it is to be. */
export async function bringState(
  network: GamNetwork,
  line: RestLine,
  wanted: OrderState,
  signal: AbortSignal,
): Promise<void> {
  const state = stateOf(line);
  const isGuaranteed = line.lineItemType === 'STANDARD' || line.lineItemType === 'SPONSORSHIP';
  if (wanted === 'running') {
    if (state === 'paused') await actOnLine(network, 'resume', line, signal);
    else if (state === 'running' && isGuaranteed && line.reservationStatus === 'UNRESERVED')
      await actOnLine(network, 'reserve', line, signal);
    return;
  }
  if (state === 'running') await actOnLine(network, 'pause', line, signal);
  if (wanted === 'canceled' && line.archived !== true) await actOnLine(network, 'archive', line, signal);
}

/** Throws where a line item is not as it is to be: an action that answered may have done nothing. */
export function requireState(line: RestLine, wanted: OrderState, nowMs: number): void {
  const state = stateOf(line);
  if (wanted === 'canceled' || isOver(line, nowMs)) {
    if (wanted === 'canceled' && state !== 'canceled') throw notYet(line, 'is not in the archive');
    return;
  }
  if (state === 'refused')
    throw new OrderRefusedError(`The line item ${idOf(line.name)} was ${String(line.status)} in Google Ad Manager.`);
  if (wanted !== 'running' && state === 'running') throw notYet(line, 'still runs');
  if (wanted === 'running' && state === 'canceled') throw notYet(line, 'is in the archive. Take it out there');
  if (wanted === 'running' && (state === 'paused' || state === 'waiting' || state === 'unknown'))
    throw notYet(line, 'does not run');
}

function notYet({ name, status }: RestLine, what: string): RetryLaterError {
  return new RetryLaterError(`The line item ${idOf(name)} in Google Ad Manager ${what} (${String(status)}).`);
}
