import { isObject } from '../../../platform/kernel/json/json.js';
import type { Release } from '../../../protocol/releases.js';
import type { Reader } from '../../store/store.js';
import { CHANNEL_FIELDS, type Channel, type ChannelField, channelOf, subscriberChannel } from '../delivery/channel.js';

/**
 * The source of an event's channel when it is sent. A registration of a buy is looked up anew for every attempt, so that the next
 * attempt follows an update; a registration with a single call is stored with the event.
 */
type Registration =
  | { readonly media_buy_id: string; readonly field: ChannelField }
  | { readonly account_id: string; readonly subscriber_id: string }
  | { readonly channel: Channel };

/** Writes a registration as it is stored with its event; equal registrations give equal texts. */
export function writeRegistration(registration: Registration): string {
  if ('channel' in registration) return JSON.stringify({ channel: registration.channel });
  if ('subscriber_id' in registration) {
    const { account_id, subscriber_id } = registration;
    return JSON.stringify({ account_id, subscriber_id });
  }
  const { media_buy_id, field } = registration;
  return JSON.stringify({ media_buy_id, field });
}

/** Returns the present channel of a registration; undefined when there is none any more. */
export async function findChannel(reader: Reader, owner: string, written: string): Promise<Channel | undefined> {
  const registration = JSON.parse(written) as Registration;
  if ('channel' in registration) return registration.channel;
  if ('subscriber_id' in registration) {
    const subscribers = await reader.subscribers.list(owner, registration.account_id);
    const subscriber = subscribers.find(({ subscriber_id }) => subscriber_id === registration.subscriber_id);
    return subscriber?.active === true ? subscriberChannel(subscriber) : undefined;
  }
  const buy = await reader.mediaBuys.find(owner, registration.media_buy_id);
  return buy === undefined ? undefined : channelsOf(buy)[registration.field];
}

/** Returns the channels that a buy's callbacks register. */
export function channelsOf(buy: {
  readonly callbacks: Readonly<Record<string, unknown>>;
  readonly sandbox: boolean;
}): Partial<Readonly<Record<ChannelField, Channel>>> {
  return Object.fromEntries(
    CHANNEL_FIELDS.flatMap((field) => {
      const config = buy.callbacks[field];
      return isObject(config)
        ? [[field, channelOf(config, buy.sandbox, buy.callbacks.release as Release | undefined)]]
        : [];
    }),
  );
}
