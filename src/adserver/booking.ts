import type { MediaBuy } from '../domain/media-buy.js';
import type { Log } from '../kernel/log.js';
import type { Store } from '../store/store.js';
import { houseDelivery } from './house.js';
import { type AdServer, isLive, type PackageDelivery, type Window } from './port.js';

/** Where orders go and where delivery comes from: the house simulator for sandbox buys, the seller's own ad server for live ones. */
export type Booking = {
  /** Whether this buy's present revision has nobody left to tell. */
  readonly isBooked: (buy: MediaBuy) => boolean;
  /** Brings orders that wait to the ad server; answers how many it booked. One that fails is tried again next time. */
  readonly bookWaiting: () => Promise<number>;
  readonly delivery: (buy: MediaBuy, window: Window, daily: boolean) => Promise<readonly PackageDelivery[]>;
};

/** Connects the store to an ad server; without one the house simulator serves live buys too. */
export function createBooking(store: Store, log: Log, adServer: AdServer | undefined): Booking {
  const isBooked = (buy: MediaBuy): boolean => adServer === undefined || !isLive(buy);
  return {
    isBooked,
    bookWaiting: async () => {
      if (adServer === undefined) return 0;
      const waiting = await store.read.mediaBuys.unbooked(100);
      let booked = 0;
      for (const { buy } of waiting) {
        if (!isLive(buy)) continue;
        try {
          await adServer.book(buy);
          await store.transact((tx) => tx.mediaBuys.book(buy.media_buy_id, buy.revision));
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
  };
}
