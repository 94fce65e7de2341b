import type { Clock } from '../../../platform/kernel/clock.js';
import { isoTime } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import { type AccountEvent, type Subscriber, subscribersTo } from '../../domain/account/subscriber.js';
import type { FeedChange } from '../../domain/feed/changes.js';
import type { FeedNoun } from '../../domain/feed/feed.js';
import { offeredDeployments } from '../../domain/signal/deployment.js';
import { signalIdentity, signalWire } from '../../domain/signal/signal.js';
import type { Seller } from '../../domain/tenant/seller.js';
import type { Writer } from '../../store/store.js';
import type { AccountSubscribers } from '../../store/webhooks/subscribers.js';
import { subscriberChannel } from '../delivery/channel.js';
import type { Outbox } from '../outbox.js';

/** The changes of a feed as the subscribers of an account see them, with the versions before and after. */
type ChangedFeed = {
  readonly account: AccountSubscribers;
  readonly tenant: string;
  /** The seller as the principal sees it now. */
  readonly seller: Seller;
  readonly noun: FeedNoun;
  readonly changes: readonly FeedChange[];
  readonly version: string;
  readonly previousVersion: string;
};

/** Tells the subscribers of an account of the changes of a feed, in the transaction that notes them. */
export type FeedEvents = (tx: Writer, feed: ChangedFeed) => Promise<void>;

/** The most changes of one edit that are told one by one to who takes them together too. */
const MAX_SINGLE_EVENTS = 100;

/** Everybody prices by the same card: no account has one of its own. */
const APPLIES_TO = { scope: 'public' } as const;

/** One event of a feed, without who is told of it. */
type FeedEvent = {
  readonly type: AccountEvent;
  readonly entity: FeedNoun | 'feed';
  readonly id: string;
  readonly payload: object;
};

/** Makes the events of feeds over an outbox. */
export function createFeedEvents(
  outbox: Pick<Outbox, 'post'>,
  { clock, ids }: { readonly clock: Clock; readonly ids: Pick<Ids, 'uuid7'> },
): FeedEvents {
  return async (tx, feed) => {
    const { subscribers } = feed.account;
    const post = (subscriber: Subscriber, event: FeedEvent) =>
      outbox.post(tx, outgoingEvent(feed, subscriber, event, { id: ids.uuid7(), at: isoTime(clock.now()) }));
    const together = feed.changes.length > MAX_SINGLE_EVENTS ? bulkChange(feed, ids.uuid7()) : undefined;
    const bulkSubscribers = new Set(together === undefined ? [] : subscribersTo(subscribers, together.type));
    for (const subscriber of bulkSubscribers) if (together !== undefined) await post(subscriber, together);
    for (const change of feed.changes) {
      const wanting = subscribersTo(subscribers, typeOf(feed.noun, change)).filter((one) => !bulkSubscribers.has(one));
      for (const subscriber of wanting) await post(subscriber, changeEvent(feed, change));
    }
  };
}

/** Returns what a subscriber is sent of an event, under an id of its own. */
function outgoingEvent(
  { account: { account_id, owner }, tenant, version, previousVersion }: ChangedFeed,
  subscriber: Subscriber,
  event: FeedEvent,
  { id, at }: { readonly id: string; readonly at: string },
): Parameters<Outbox['post']>[1] {
  const { subscriber_id } = subscriber;
  return {
    owner,
    tenant,
    channel: subscriberChannel(subscriber),
    subscriber: { account_id, subscriber_id },
    notificationType: event.type,
    notificationId: id,
    body: (idempotency_key) => ({
      idempotency_key,
      notification_id: id,
      notification_type: event.type,
      fired_at: at,
      subscriber_id,
      account_id,
      wholesale_feed_version: version,
      previous_wholesale_feed_version: previousVersion,
      cache_scope: APPLIES_TO.scope,
      event: {
        event_id: id,
        event_type: event.type,
        entity_type: event.entity,
        entity_id: event.id,
        payload: event.payload,
        created_at: at,
      },
    }),
  };
}

function typeOf(noun: FeedNoun, { change }: FeedChange): AccountEvent {
  return `${noun}.${change}`;
}

function bulkChange({ noun, changes }: ChangedFeed, operation: string): FeedEvent {
  const affected_count = new Set(changes.map(({ id }) => id)).size;
  const payload = {
    summary: `An edit of the catalog changes ${affected_count} of its ${noun}s.`,
    affected_entity_type: noun,
    affected_count,
    recommendation: 'wholesale_resync',
    applies_to: APPLIES_TO,
  };
  return { type: 'wholesale_feed.bulk_change', entity: 'feed', id: operation, payload };
}

function changeEvent(feed: ChangedFeed, change: FeedChange): FeedEvent {
  const { noun } = feed;
  const payload = noun === 'product' ? productPayload(feed.seller, change) : signalPayload(feed.seller, change);
  return { type: typeOf(noun, change), entity: noun, id: change.id, payload: { ...payload, applies_to: APPLIES_TO } };
}

function productPayload({ products, productWires }: Seller, { id: product_id, change }: FeedChange): object {
  const product = products.get(product_id);
  if (change === 'removed' || product === undefined) return { product_id, removal_reason: 'withdrawn' };
  const shown = productWires.show(product, '3.1');
  return change === 'priced' ? { product_id, pricing_options: shown.pricing_options } : { product_id, product: shown };
}

function signalPayload({ tenant, signals, url }: Seller, { id, change }: FeedChange): object {
  const signal = signals.get(id);
  const named = { signal_agent_segment_id: id };
  if (change === 'removed' || signal === undefined) return { ...named, removal_reason: 'withdrawn' };
  const { signal_ref } = signalIdentity(signal, url);
  if (change === 'priced') return { ...named, signal_ref, pricing_options: signal.pricing_options };
  const shown = { ...signalWire(signal, url), deployments: offeredDeployments(tenant.destinations, signal) };
  return { ...named, signal_ref, signal: shown };
}
