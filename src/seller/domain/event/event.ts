import { isoTime, MINUTE_MS } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { isUrl } from '../../../platform/net/url.js';
import { TaskError } from '../../../protocol/errors.js';
import { isMatchedIdentifier, readIdentifiers } from '../audience/identity.js';
import { readTime } from '../media-buy/flight.js';

/** The types of marketing events. */
export const EVENT_TYPES = [
  'page_view',
  'view_content',
  'select_content',
  'select_item',
  'search',
  'share',
  'add_to_cart',
  'remove_from_cart',
  'viewed_cart',
  'add_to_wishlist',
  'initiate_checkout',
  'add_payment_info',
  'purchase',
  'refund',
  'lead',
  'qualify_lead',
  'close_convert_lead',
  'disqualify_lead',
  'complete_registration',
  'subscribe',
  'follow',
  'content_view',
  'watch_milestone',
  'start_trial',
  'app_install',
  'app_launch',
  'contact',
  'schedule',
  'donate',
  'submit_application',
  'custom',
] as const;

/** Event types that no price can name: newer than the older release that is served too, or without a meaning of their own. */
export const UNPRICED_EVENTS: ReadonlySet<string> = new Set(['follow', 'content_view', 'watch_milestone', 'custom']);

/** The sources in which an event can happen. */
export const ACTION_SOURCES = [
  'website',
  'app',
  'offline',
  'phone_call',
  'chat',
  'email',
  'in_store',
  'system_generated',
  'other',
] as const;

/** An event source of an account, as the buyer set it up. */
export type EventSource = {
  readonly event_source_id: string;
  readonly seller_id: string;
  readonly name?: string;
  /** Absent: all. */
  readonly event_types?: readonly string[];
  readonly action_source?: string;
  /** Hosts whose pages may send events, their subdomains too. Absent: any. */
  readonly allowed_domains?: readonly string[];
};

/** An event as it is kept: without the identifiers of its user. */
export type LoggedEvent = {
  readonly event_id: string;
  readonly event_type: (typeof EVENT_TYPES)[number];
  /** ISO 8601 in UTC. */
  readonly event_time: string;
  /** Whether its user is known here. */
  readonly matched: boolean;
  readonly custom_data?: Readonly<Record<string, unknown>>;
  readonly action_source?: string;
  readonly custom_event_name?: string;
};

/** The most that a sender's clock may be ahead of ours. */
const CLOCK_SKEW_MS = 10 * MINUTE_MS;

/**
 * Reads one event of a source. Throws INVALID_REQUEST, VALIDATION_ERROR or UNSUPPORTED_FEATURE with the field within the event;
 * the caller reports it as a partial failure.
 */
export function readEvent(value: unknown, source: EventSource, nowMs: number): LoggedEvent {
  const event = isObject(value) ? value : {};
  const { event_id, event_type, custom_event_name } = event;
  if (typeof event_id !== 'string' || event_id === '' || event_id.length > 256)
    throw invalidEvent(
      'event_id',
      'An event needs an event_id of 1 to 256 characters.',
      'Send an id that is unique within its type and source.',
    );
  const type = EVENT_TYPES.find((allowed) => allowed === event_type);
  if (type === undefined)
    throw invalidEvent('event_type', 'There is no such event type.', `Send one of ${EVENT_TYPES.join(', ')}.`);
  if (source.event_types !== undefined && !source.event_types.includes(type)) {
    throw new TaskError('UNSUPPORTED_FEATURE', 'The event source was not set up for this type.', {
      field: 'event_type',
      suggestion: `Add ${type} to the source's event_types with sync_event_sources, or send ${source.event_types.join(', ')}.`,
    });
  }
  if (type === 'custom' && (typeof custom_event_name !== 'string' || custom_event_name === ''))
    throw invalidEvent('custom_event_name', 'A custom event needs a name.', 'Add custom_event_name.');
  checkMembers(event, EVENT_FORMS, '');
  const timeMs = readTime(typeof event.event_time === 'string' ? event.event_time : '', 'event_time');
  if (timeMs > nowMs + CLOCK_SKEW_MS)
    throw invalidEvent('event_time', 'The event lies in the future.', 'Send events once they have happened.');
  checkOrigin(event, source);
  const isMatched = matchUser(event.user_match);
  const optional = {
    action_source: event.action_source,
    custom_event_name,
    custom_data: readCustomData(event.custom_data),
  };
  return {
    event_id,
    event_type: type,
    event_time: isoTime(timeMs),
    matched: isMatched,
    ...Object.fromEntries(Object.entries(optional).filter(([, member]) => member !== undefined)),
  };
}

/** Checks that an event of a website comes from a page, and from one that the source allows. */
function checkOrigin(
  { action_source, event_source_url: url }: Readonly<Record<string, unknown>>,
  source: EventSource,
): void {
  if (action_source !== undefined && !ACTION_SOURCES.some((allowed) => allowed === action_source))
    throw invalidEvent('action_source', 'There is no such action source.', `Send one of ${ACTION_SOURCES.join(', ')}.`);
  if (url === undefined) {
    if (action_source !== 'website') return;
    throw invalidEvent(
      'event_source_url',
      'An event of a website needs the address of its page.',
      'Add event_source_url.',
    );
  }
  if (typeof url !== 'string' || !isUrl(url))
    throw invalidEvent('event_source_url', 'This is no URL.', 'Send the absolute URL of the page.');
  const { allowed_domains: allowed } = source;
  const { hostname } = new URL(url);
  if (allowed === undefined || allowed.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`))) return;
  throw invalidEvent(
    'event_source_url',
    'The event source does not allow this domain.',
    `Send events of ${allowed.join(', ')}, or change allowed_domains with sync_event_sources.`,
  );
}

function matchUser(value: unknown): boolean {
  if (value === undefined) return false;
  if (!isObject(value))
    throw invalidEvent('user_match', 'This is not an object.', 'Send user_match with hashed identifiers or uids.');
  return readIdentifiers(value, 'user_match').some(isMatchedIdentifier);
}

/** The form of a member of an event, and how people are told of it. */
type Form = { readonly words: string; readonly isRight: (value: unknown) => boolean };

const TEXT: Form = { words: 'a text', isRight: (value) => typeof value === 'string' };
const AMOUNT: Form = { words: 'a number from 0', isRight: (value) => typeof value === 'number' && value >= 0 };
const COUNT: Form = {
  words: 'a whole number from 0',
  isRight: (value) => AMOUNT.isRight(value) && Number.isInteger(value),
};
const TEXTS: Form = {
  words: 'a list of texts',
  isRight: (value) => Array.isArray(value) && value.every(TEXT.isRight),
};
const CONTENTS: Form = {
  words: 'a list such as [{"id": "sku-1", "quantity": 1, "price": 9.5, "brand": "Acme"}]',
  isRight: (value) => Array.isArray(value) && value.every(isContent),
};

/** The members of an event that nothing else here reads, by name. */
const EVENT_FORMS: Readonly<Record<string, Form>> = { custom_event_name: TEXT };
const CUSTOM_DATA_FORMS: Readonly<Record<string, Form>> = {
  order_id: TEXT,
  content_type: TEXT,
  content_name: TEXT,
  content_category: TEXT,
  search_string: TEXT,
  content_ids: TEXTS,
  num_items: COUNT,
  progress_percent: AMOUNT,
  progress_seconds: AMOUNT,
  contents: CONTENTS,
};

/** Refuses a member of another form than the protocol's: it would be stored as it is. */
function checkMembers(
  of: Readonly<Record<string, unknown>>,
  forms: Readonly<Record<string, Form>>,
  path: string,
): void {
  for (const [name, { isRight, words }] of Object.entries(forms))
    if (of[name] !== undefined && !isRight(of[name]))
      throw invalidEvent(`${path}${name}`, `${name} is ${words}.`, `Send ${words}, or leave ${name} out.`);
}

function isContent(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, quantity, price, brand } = value;
  const isCounted = quantity === undefined || (COUNT.isRight(quantity) && quantity !== 0);
  const isPriced = price === undefined || AMOUNT.isRight(price);
  return TEXT.isRight(id) && isCounted && isPriced && (brand === undefined || TEXT.isRight(brand));
}

function readCustomData(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value))
    throw invalidEvent('custom_data', 'This is not an object.', 'Send custom_data with value and currency.');
  const { value: amount, currency } = value;
  if (amount !== undefined && (typeof amount !== 'number' || amount < 0))
    throw invalidEvent(
      'custom_data.value',
      'The value of an event is a number from 0.',
      'Send the amount in currency.',
    );
  if (currency !== undefined && (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)))
    throw invalidEvent('custom_data.currency', 'The currency is no ISO 4217 code.', 'Send a code such as USD.');
  if (amount !== undefined && currency === undefined)
    throw invalidEvent('custom_data.currency', 'A value needs its currency.', 'Add currency, such as USD.');
  checkMembers(value, CUSTOM_DATA_FORMS, 'custom_data.');
  return value;
}

function invalidEvent(field: string, message: string, suggestion: string): TaskError {
  return new TaskError('VALIDATION_ERROR', message, { field, suggestion });
}
