import { isoTime } from '../../../platform/kernel/clock.js';
import { flightEndMs, isTerminal, type MediaBuy } from '../media-buy/media-buy.js';

/** Whether the numbers of a buy in a window are closed; its row and its packages say the same. */
export type Finality = {
  readonly isFinal: boolean;
  /** ISO 8601, where the moment that they were closed at is known. */
  readonly at?: string;
  /** Whether they are those of the whole flight. */
  readonly isWhole: boolean;
};

/** The state of the numbers: whether all of the window are there, and whether they are closed as soon as the buy ends. */
type NumbersState = { readonly areThere: boolean; readonly closeAtEnd: boolean };

/** Returns whether the numbers of a buy between two moments are closed: it has ended, and they are all there. */
export function finalityOf(
  buy: MediaBuy,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  { areThere, closeAtEnd }: NumbersState,
): Finality {
  // A rejected buy ended before its flight did.
  const endMs = Math.min(flightEndMs(buy), Date.parse(buy.updated_at));
  const isFinal = isTerminal(buy.status) && areThere;
  return {
    isFinal,
    at: isFinal && closeAtEnd ? isoTime(endMs) : undefined,
    isWhole: fromMs <= Date.parse(buy.start_time) && toMs >= endMs,
  };
}

/** Returns the members of a row and of its packages that say whether their numbers are closed. */
export function finalityWire({ isFinal, at }: Finality): {
  readonly is_final: boolean;
  readonly finalized_at?: string;
} {
  return { is_final: isFinal, finalized_at: at };
}
