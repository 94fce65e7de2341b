import { z } from 'zod';
import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Window } from '../../adserver/delivered.js';
import type { Call } from '../../context.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import { day } from '../pipeline/shapes.js';

/** The days that a report of delivery is asked for. */
export const windowFields = {
  start_date: day.optional().describe('YYYY-MM-DD, UTC; default: the start'),
  end_date: day.optional().describe('Not included'),
};
const days = z.object(windowFields);

/** Reads the days from `start_date` up to `end_date`; what is left out reaches back to the start and forward to now. */
export function readWindow({ start_date, end_date }: z.output<typeof days>, nowMs: number): Window {
  const fromMs = start_date === undefined ? 0 : Date.parse(start_date);
  const endMs = end_date === undefined ? nowMs : Date.parse(end_date);
  if (start_date !== undefined && end_date !== undefined && endMs <= fromMs) {
    throw new TaskError('INVALID_REQUEST', 'end_date must lie after start_date.', {
      field: 'end_date',
      suggestion: 'Move end_date behind start_date; end_date itself is not part of the period.',
    });
  }
  return { fromMs, toMs: Math.max(fromMs, Math.min(endMs, nowMs)) };
}

/** Refuses days for buys of which a product is reported for its whole life alone. Throws UNSUPPORTED_FEATURE. */
export function checkDays(
  { start_date, end_date }: z.output<typeof days>,
  buys: readonly MediaBuy[],
  { seller }: Call,
): void {
  if (start_date === undefined && end_date === undefined) return;
  const sold = new Set(buys.flatMap((buy) => buy.packages.map((line) => line.product_id)));
  const whole = [...sold].find(
    (id) => seller.products.get(id)?.reporting_capabilities.date_range_support === 'lifetime_only',
  );
  if (whole === undefined) return;
  throw new TaskError('UNSUPPORTED_FEATURE', `The product ${whole} is reported for its whole life alone.`, {
    field: start_date === undefined ? 'end_date' : 'start_date',
    suggestion: 'Leave start_date and end_date out, or name only media buys of other products in media_buy_ids.',
  });
}

/** Returns the period as the answer shows it: an open beginning is the start of the earliest buy in the report. */
export function reportingPeriod(
  window: Window,
  buys: readonly MediaBuy[],
  nowMs: number,
): { readonly start: string; readonly end: string } {
  return { start: isoTime(startOf(window, buys, nowMs)), end: isoTime(window.toMs) };
}

function startOf(window: Window, buys: readonly MediaBuy[], nowMs: number): number {
  if (window.fromMs > 0) return window.fromMs;
  const starts = buys.map((buy) => Date.parse(buy.start_time));
  return Math.min(window.toMs, ...(starts.length === 0 ? [nowMs - DAY_MS] : starts));
}
