import type { Clock } from '../../../platform/kernel/clock.js';
import { isoTime } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import { type AccountEvent, subscribersTo } from '../../domain/account/subscriber.js';
import type { CreativeTransition, Destruction } from '../../domain/creative/transition.js';
import { readOwner } from '../../domain/tenant/principal.js';
import type { Writer } from '../../store/store.js';
import { subscriberChannel } from '../delivery/channel.js';
import type { Outbox } from '../outbox.js';

/** Names a creative within its owner. */
type CreativeId = { readonly account_id: string; readonly creative_id: string };

/** Tells the subscribers of accounts of what became of creatives, in the transaction that brings it about. */
export type AccountEvents = {
  /** Announces that the seller or its system moved a creative. */
  readonly announceTransition: (
    tx: Writer,
    owner: string,
    creative: CreativeId,
    transition: CreativeTransition,
  ) => Promise<void>;
  /** Announces that a creative was destroyed; never gathered with others. */
  readonly announceDestruction: (
    tx: Writer,
    owner: string,
    creative: CreativeId,
    destruction: Destruction,
  ) => Promise<void>;
};

/** Makes the events of accounts over an outbox. */
export function createAccountEvents(
  outbox: Pick<Outbox, 'post'>,
  { clock, ids }: { readonly clock: Clock; readonly ids: Pick<Ids, 'next'> },
): AccountEvents {
  async function announce(
    tx: Writer,
    owner: string,
    { account_id, creative_id }: CreativeId,
    event: { readonly type: AccountEvent; readonly facts: object },
  ) {
    const subscribers = subscribersTo(await tx.subscribers.list(owner, account_id), event.type);
    if (subscribers.length === 0) return;
    // One id for what happened, whoever hears of it.
    const notification_id = ids.next('ntf');
    const fired_at = isoTime(clock.now());
    for (const subscriber of subscribers) {
      const { subscriber_id } = subscriber;
      await outbox.post(tx, {
        owner,
        tenant: readOwner(owner).tenant,
        channel: subscriberChannel(subscriber),
        subscriber: { account_id, subscriber_id },
        notificationType: event.type,
        notificationId: notification_id,
        body: (idempotency_key) => ({
          idempotency_key,
          notification_id,
          notification_type: event.type,
          fired_at,
          subscriber_id,
          account_id,
          creative_id,
          ...event.facts,
        }),
      });
    }
  }
  return {
    announceTransition: (tx, owner, creative, transition) =>
      announce(tx, owner, creative, { type: 'creative.status_changed', facts: transition }),
    announceDestruction: (tx, owner, creative, destruction) =>
      announce(tx, owner, creative, { type: 'creative.purged', facts: destruction }),
  };
}
