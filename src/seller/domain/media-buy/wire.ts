import type { Payload } from '../../../protocol/envelope.js';
import type { Release } from '../../../protocol/versions.js';
import { type AssignedCreative, lacksCreative } from '../creative/creative.js';
import { validActions } from './actions.js';
import { type MediaBuy, type Package, totalBudget } from './media-buy.js';

/** Returns a package as it goes on the wire, with the creatives assigned to it. */
export function packageWire(line: Package, assigned: readonly AssignedCreative[]): Record<string, unknown> {
  const { needs_creative, segments: _segments, sold: _sold, echoed, ...wire } = line;
  const own = assigned.filter((entry) => entry.package_id === line.package_id);
  return {
    ...wire,
    ...echoed,
    creative_deadline: line.end_time,
    ...(own.length === 0
      ? {}
      : {
          creative_assignments: own.map(({ creative_id, weight }) => ({
            creative_id,
            weight,
          })),
        }),
    ...(needs_creative && lacksCreative(own) && line.format_ids !== undefined
      ? { format_ids_to_provide: line.format_ids }
      : {}),
  };
}

/** Returns the facts about a buy that every answer and event about it shares. `status` is left to `shapeByRelease`. */
export function mediaBuyState(buy: MediaBuy): Record<string, unknown> {
  return {
    media_buy_id: buy.media_buy_id,
    media_buy_status: buy.status,
    revision: buy.revision,
    confirmed_at: buy.confirmed_at,
    currency: buy.currency,
    total_budget: totalBudget(buy),
    valid_actions: validActions(buy),
    cancellation: buy.cancellation,
    sandbox: buy.sandbox,
  };
}

/**
 * Returns the answer of create and update in the shape of a release: for 3.0 `status` is the buy's, for 3.1 it is the task's
 * and the buy's stands in `media_buy_status`. `available_actions` is a word of 3.1.
 */
export function shapeByRelease(payload: Payload, release: Release): Payload {
  if (release !== '3.0') return { status: 'completed', ...payload };
  const { available_actions: _actions, ...rest } = payload;
  return { status: payload.media_buy_status, ...rest };
}
