import type { Log } from '../../platform/kernel/log.js';
import { isTerminal, type MediaBuy } from '../domain/media-buy/media-buy.js';
import type { Store, Writer } from '../store/store.js';
import { type AdServer, type CreativeDelivery, isLive, type PackageDelivery, type Window } from './port.js';
import { houseCreativeDelivery, houseDelivery } from './simulator/simulator.js';

/** Brings orders to where ads are delivered, and reads delivery: the simulator for sandbox buys, the seller's own ad server for live ones. */
export type Booking = {
  /** Whether the simulator serves this buy: no ad server has to book it, and its numbers are always there. */
  readonly isOurs: (buy: MediaBuy) => boolean;
  /** Brings orders that wait to the ad server; answers how many it booked. One that fails is tried again next time. */
  readonly bookWaiting: () => Promise<number>;
  readonly delivery: (buy: MediaBuy, window: Window, daily: boolean) => Promise<readonly PackageDelivery[]>;
  /** Undefined where the ad server does not tell creatives apart. */
  readonly creativeDelivery: (buy: MediaBuy, window: Window) => Promise<readonly CreativeDelivery[] | undefined>;
};

/** Called in the transaction that stores an ad server's first confirmation of a buy that has not ended, with the buy as it is by then. */
export type OnBooked = (tx: Writer, owner: string, buy: MediaBuy) => Promise<void>;

/** Connects the store to an ad server; without one the simulator serves live buys too. */
export function createBooking(
  store: Store,
  log: Log,
  adServer: AdServer | undefined,
  onBooked: OnBooked = async () => undefined,
): Booking {
  return {
    isOurs: (buy) => adServer === undefined || !isLive(buy),
    bookWaiting: async () => {
      if (adServer === undefined) return 0;
      const waiting = await store.read.mediaBuys.unbooked(100);
      let booked = 0;
      for (const { owner, buy } of waiting) {
        if (!isLive(buy)) continue;
        try {
          await adServer.book(buy);
          await store.transact(async (tx) => {
            if (!(await tx.mediaBuys.book(buy.media_buy_id, buy.revision))) return;
            const present = await tx.mediaBuys.find(owner, buy.media_buy_id);
            if (present !== undefined && !isTerminal(present.status)) await onBooked(tx, owner, present);
          });
          booked += 1;
        } catch (error) {
          log.warn(
            { err: error, media_buy_id: buy.media_buy_id, ad_server: adServer.name },
            'booking failed; it is tried again',
          );
        }
      }
      return booked;
    },
    delivery: async (buy, window, daily) =>
      adServer !== undefined && isLive(buy) ? adServer.delivery(buy, window, daily) : houseDelivery(buy, window, daily),
    creativeDelivery: async (buy, window) =>
      adServer !== undefined && isLive(buy)
        ? adServer.creativeDelivery?.(buy, window)
        : houseCreativeDelivery(buy, window),
  };
}
