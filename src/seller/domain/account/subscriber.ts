import { isObject } from '../../../platform/kernel/json/json.js';
import { refuseField, TaskError } from '../../../protocol/errors.js';
import type { Release } from '../../../protocol/releases.js';
import { type FeedNoun, feedsOf } from '../feed/feed.js';
import type { TenantKind } from '../tenant/tenant.js';

/** Events of an account's creatives. */
const CREATIVE_EVENTS = ['creative.status_changed', 'creative.purged'] as const;

/** The events of wholesale feeds, by what the feed is of; `wholesale_feed.bulk_change` stands for many changes at once. */
const FEED_EVENTS = {
  product: ['product.created', 'product.updated', 'product.priced', 'product.removed', 'wholesale_feed.bulk_change'],
  signal: ['signal.created', 'signal.updated', 'signal.priced', 'signal.removed', 'wholesale_feed.bulk_change'],
} as const;

/** An event of an account that is sent. */
export type AccountEvent = (typeof CREATIVE_EVENTS)[number] | (typeof FEED_EVENTS)[FeedNoun][number];

/** Returns the events of the wholesale feeds that a tenant of these kinds has. */
export function feedEvents(kinds: readonly TenantKind[]): readonly AccountEvent[] {
  const named = feedsOf(kinds).flatMap((noun) => FEED_EVENTS[noun]);
  return [...new Set(named)];
}

/** Returns the events of accounts that a tenant of these kinds sends. */
export function accountEvents(kinds: readonly TenantKind[]): readonly AccountEvent[] {
  return [...CREATIVE_EVENTS, ...feedEvents(kinds)];
}

/** Events of a media buy, which its own registrations get. */
const BUY_EVENTS: readonly string[] = ['scheduled', 'final', 'delayed', 'adjusted', 'window_update', 'impairment'];
/** Events of an account that the protocol knows, and a tenant without the feed sends not. */
const UNSENT_EVENTS = /^((product|signal)\.(created|updated|priced|removed)|wholesale_feed\.bulk_change)$/;

/** The most subscribers of an account. */
const MAX_SUBSCRIBERS = 16;
const SUBSCRIBER_ID = /^[A-Za-z0-9_.:-]{1,64}$/;
const MEMBERS = ['subscriber_id', 'url', 'event_types', 'authentication', 'active', 'ext'];

/** Somebody who hears of the events of an account, as its buyer registered it. */
export type Subscriber = {
  readonly subscriber_id: string;
  readonly url: string;
  readonly event_types: readonly AccountEvent[];
  /** Read again where an event is proven; its credentials are never shown. */
  readonly authentication?: Readonly<Record<string, unknown>> | undefined;
  /** Nothing is sent while it is not. */
  readonly active: boolean;
  readonly ext?: object | undefined;
  /** Whether the endpoint has shown that it wants these events, proven in this way. */
  readonly isProven: boolean;
  /** Plain http and loopback may be called, in development mode. */
  readonly local: boolean;
  readonly release: Release;
};

/** How the subscribers of a request are stored. */
type SubscriberTerms = Pick<Subscriber, 'local' | 'release'> & {
  /** The events that the seller sends. */
  readonly events: readonly AccountEvent[];
};

/**
 * Reads the subscribers of an account, but for their addresses and schemes. Throws INVALID_REQUEST for what is no subscriber, stands twice
 * or asks for events of a buy, UNSUPPORTED_FEATURE for events that are never sent, each with its field.
 */
export function readSubscribers(
  given: readonly unknown[],
  field: string,
  terms: SubscriberTerms,
): readonly Subscriber[] {
  if (given.length > MAX_SUBSCRIBERS) {
    throw refuseField(field, `An account has at most ${MAX_SUBSCRIBERS} subscribers.`, 'Send fewer of them.');
  }
  const subscribers = given.map((one, index) => readSubscriber(one, `${field}[${index}]`, terms));
  const ids = subscribers.map(({ subscriber_id }) => subscriber_id);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice < 0) return subscribers;
  const message = 'A subscriber stands twice.';
  throw refuseField(
    `${field}[${twice}].subscriber_id`,
    message,
    'Send each subscriber_id once; the list replaces the one before.',
  );
}

function readSubscriber(given: unknown, field: string, { events, ...terms }: SubscriberTerms): Subscriber {
  if (!isObject(given))
    throw refuseField(field, 'A subscriber is an object.', 'Send subscriber_id, url and event_types.');
  const unknown = Object.keys(given).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    throw refuseField(
      `${field}.${unknown}`,
      'A subscriber has no such member.',
      `Its members are ${MEMBERS.join(', ')}.`,
    );
  }
  const { subscriber_id, url, event_types, authentication, active = true, ext } = given;
  if (typeof subscriber_id !== 'string' || !SUBSCRIBER_ID.test(subscriber_id)) {
    const suggestion = 'Name it in 1 to 64 characters from A-Z a-z 0-9 _ . : and -, such as buyer-primary.';
    throw refuseField(`${field}.subscriber_id`, 'The subscriber has no usable id.', suggestion);
  }
  if (typeof active !== 'boolean')
    throw refuseField(`${field}.active`, 'active is true or false.', 'Leave it out for true.');
  return {
    subscriber_id,
    url: String(url),
    event_types: readEvents(event_types, events, `${field}.event_types`),
    authentication: isObject(authentication) ? authentication : undefined,
    active,
    ext: isObject(ext) ? ext : undefined,
    isProven: false,
    ...terms,
  };
}

function readEvents(given: unknown, events: readonly AccountEvent[], field: string): readonly AccountEvent[] {
  if (!Array.isArray(given) || given.length === 0) {
    throw refuseField(field, 'A subscriber names the events that it wants.', `Name some of ${events.join(', ')}.`);
  }
  return given.map((name: unknown, index) => {
    const event = events.find((one) => one === name);
    const path = `${field}[${index}]`;
    if (event !== undefined && given.indexOf(name) === index) return event;
    if (event !== undefined) throw refuseField(path, 'The event stands twice.', 'Name each event once.');
    const sent = `Events of an account here are ${events.join(', ')}.`;
    if (BUY_EVENTS.includes(String(name))) {
      throw refuseField(
        path,
        'This is an event of a media buy.',
        `Register push_notification_config or reporting_webhook with the buy. ${sent}`,
      );
    }
    if (UNSENT_EVENTS.test(String(name))) {
      const suggestion = `Leave it out. ${sent}`;
      throw new TaskError('UNSUPPORTED_FEATURE', 'This agent has no such feed.', {
        field: path,
        suggestion,
      });
    }
    throw refuseField(path, 'There is no such event of an account.', sent);
  });
}

/** Returns a subscriber as its buyer sees it, without credentials. */
export function subscriberWire({ subscriber_id, url, event_types, authentication, active, ext }: Subscriber): object {
  const schemes = authentication === undefined ? undefined : { schemes: authentication.schemes };
  return { subscriber_id, url, event_types, authentication: schemes, active, ext };
}

/** Whether two subscribers are the same endpoint, proven in the same way, for the same events: what one has proven holds for the other. */
export function hasSameProof(one: Subscriber, other: Subscriber): boolean {
  return proofScope(one) === proofScope(other);
}

function proofScope({ subscriber_id, url, event_types, authentication }: Subscriber): string {
  const { schemes, credentials } = authentication ?? {};
  return JSON.stringify([subscriber_id, new URL(url).href, [...event_types].sort(), schemes, credentials]);
}

/** Returns the active subscribers that want an event. */
export function subscribersTo(subscribers: readonly Subscriber[], event: AccountEvent): readonly Subscriber[] {
  return subscribers.filter((one) => one.active && one.isProven && one.event_types.includes(event));
}
