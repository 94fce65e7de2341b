import { MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import { isObject, Written } from '../../../platform/kernel/json/json.js';
import type { Payload } from '../../../protocol/envelope.js';
import type { Release } from '../../../protocol/releases.js';
import type { TaskUpdate } from '../../../protocol/webhook-envelope.js';
import { assessHealth } from '../../domain/media-buy/health.js';
import { IMPAIRMENT_REASONS, type Impairment } from '../../domain/media-buy/impairment.js';
import { type HistoryEntry, isTerminal, type MediaBuy } from '../../domain/media-buy/media-buy.js';
import { changedBuy, shapeByRelease } from '../../domain/media-buy/wire.js';
import { readOwner } from '../../domain/tenant/principal.js';
import type { WebhookSettings } from '../../domain/tenant/tenant.js';
import type { Writer } from '../../store/store.js';
import { CHANNEL_FIELDS, type ChannelField } from '../delivery/channel.js';
import { type Outbox, type Recipient, taskEvent } from '../outbox.js';
import { type ImpairmentResult, impairmentUpdate } from './payloads.js';
import { channelsOf } from './registration.js';

/** Changes of a buy, the oldest first, and when they are told (ISO 8601). */
type StateChange = { readonly changes: readonly HistoryEntry[]; readonly nowIso: string };

/** An impairment as it is at an instant (ISO 8601). */
type ImpairmentChange = {
  readonly impairment: Impairment;
  readonly isResolved: boolean;
  readonly nowIso: string;
};

/** A buy's registrations as they are stored: each configuration as it was sent, and the release that events are shaped for. */
export type Callbacks = Partial<Readonly<Record<ChannelField, Readonly<Record<string, unknown>>>>> & {
  readonly release?: Release;
};

/** Announces a buy's changes on the buy's own registration; nothing where the buyer registered none. */
export class BuyEvents {
  readonly #outbox: Outbox;
  readonly #windows: (tenant: string) => WindowSettings;

  /** `windows` are a tenant's own for coalescing changes near each other. */
  constructor(outbox: Outbox, windows: (tenant: string) => WindowSettings) {
    this.#outbox = outbox;
    this.#windows = windows;
  }

  /**
   * Announces changes that the buyer did not ask for, and where they left the buy. Changes near each other become one event, a buy that
   * has ended waits for nothing, and what an earlier event was to tell is told by this one.
   */
  async announceState(tx: Writer, owner: string, buy: MediaBuy, { changes, nowIso }: StateChange): Promise<void> {
    const recipient = findRecipient(owner, buy, 'push_notification_config');
    if (recipient === undefined) return;
    const dropped = await this.#outbox.dropState(tx, buy.media_buy_id);
    const unannounced = [...dropped.bodies.flatMap(changesIn), ...changes].slice(-MAX_CHANGES);
    const assigned = await tx.creatives.assignedTo([buy.media_buy_id]);
    const account = await tx.accounts.ofThing(owner, buy);
    const waitMs = dropped.gathersMs ?? windowMs('media_buy', this.#windows(recipient.tenant));
    const coalesce = isTerminal(buy.status) ? undefined : { key: `buy ${buy.media_buy_id}`, windowMs: waitMs };
    const state = changedBuy(buy, assigned, unannounced, { account });
    const update = stateUpdate(buy, state, nowIso);
    await this.#outbox.post(tx, taskEvent(recipient, update, { revision: buy.revision, coalesce }));
  }

  /** Drops what is not delivered yet of the buy's state, which the answer to its buyer tells. */
  async dropState(tx: Writer, buy: MediaBuy): Promise<void> {
    if (buy.callbacks.push_notification_config !== undefined) await this.#outbox.dropState(tx, buy.media_buy_id);
  }

  /** Announces an impairment that was opened, has changed or is resolved. */
  async announceImpairment(
    tx: Writer,
    owner: string,
    buy: MediaBuy,
    { impairment, isResolved, nowIso }: ImpairmentChange,
  ): Promise<void> {
    const recipient = findRecipient(owner, buy, 'push_notification_config');
    const health = assessHealth(buy);
    if (recipient === undefined || health === undefined) return;
    const state = { revision: buy.revision, health, resolved: isResolved };
    const update = impairmentUpdate(buy.media_buy_id, impairment, state, nowIso);
    const coalesce = {
      key: `impairment ${impairment.impairment_id}`,
      windowMs: windowMs(impairmentKind(impairment), this.#windows(recipient.tenant)),
    };
    const context = requestContext(buy, 'push_notification_config');
    const event = taskEvent(recipient, { ...update, context }, { notificationType: 'impairment', coalesce });
    await this.#outbox.post(tx, event);
  }

  /** Tells the buy's present revision with the impairments whose events still gather others. */
  async restateImpairments(tx: Writer, owner: string, buy: MediaBuy, nowIso: string): Promise<void> {
    if (buy.callbacks.push_notification_config === undefined) return;
    for (const body of await this.#outbox.gathering(tx, buy.media_buy_id, 'impairment')) {
      const { impairment, resolved, revision } = (body as { readonly result: ImpairmentResult }).result;
      if (revision === buy.revision) continue;
      await this.announceImpairment(tx, owner, buy, { impairment, isResolved: resolved, nowIso });
    }
  }

  /** Sends the coalesced events of a buy that has ended now, before anything else. */
  async flush(tx: Writer, buy: MediaBuy): Promise<void> {
    if (hasChannel(buy)) await this.#outbox.flush(tx, buy.media_buy_id);
  }
}

/** Returns the recipient of a buy's events on a registration; undefined where the buyer did not make this registration. */
export function findRecipient(owner: string, buy: MediaBuy, field: ChannelField): Recipient | undefined {
  if (!hasChannel(buy)) return undefined;
  const channel = channelsOf(buy)[field];
  if (channel === undefined) return undefined;
  return { owner, tenant: readOwner(owner).tenant, channel, mediaBuyId: buy.media_buy_id, field };
}

/** The members of a buy's registrations that hold, as JSON to the digit, the context of the request that made each; null: it had none. */
export const CONTEXT_MEMBERS = {
  push_notification_config: 'push_notification_context',
  reporting_webhook: 'reporting_context',
  artifact_webhook: 'artifact_context',
} as const satisfies Record<ChannelField, string>;

/** Returns the context of the request that made a registration, which its events echo. */
export function requestContext({ callbacks, echoed }: MediaBuy, field: ChannelField): object | undefined {
  const text = callbacks[CONTEXT_MEMBERS[field]];
  if (text !== undefined) return typeof text === 'string' ? new Written(text) : undefined;
  // Earlier releases kept that of the create alone.
  return isObject(echoed.context) ? echoed.context : undefined;
}

function hasChannel({ callbacks }: MediaBuy): boolean {
  return CHANNEL_FIELDS.some((field) => callbacks[field] !== undefined);
}

const STATUS_MESSAGES: Partial<Record<MediaBuy['status'], string>> = {
  pending_creatives: 'The media buy is booked; it waits for creatives.',
  pending_start: 'The media buy is booked; it waits for its start.',
  active: 'The media buy is running.',
  paused: 'The media buy is paused.',
  completed: 'The media buy has ended.',
  canceled: 'The media buy was canceled.',
  rejected: 'The media buy was rejected.',
};

/**
 * Returns the update that announces changes of a buy. It is an update that the seller made, under the id of the buy: the buyer has that
 * from an answer, and `get_task_status` answers it.
 */
function stateUpdate(buy: MediaBuy, state: Payload, nowIso: string): TaskUpdate {
  const { release = '3.0' } = buy.callbacks as Callbacks;
  return {
    taskId: buy.media_buy_id,
    taskType: 'update_media_buy',
    status: 'completed',
    timestamp: nowIso,
    message: STATUS_MESSAGES[buy.status],
    result: shapeByRelease(state, release),
    context: requestContext(buy, 'push_notification_config'),
  };
}

/** Of one event, the newest: older ones are in the history of the buy. */
const MAX_CHANGES = 20;

/** Returns the changes that an event of a buy was to tell. */
function changesIn(body: unknown): readonly HistoryEntry[] {
  const result = isObject(body) && isObject(body.result) ? body.result : {};
  return Array.isArray(result.changes) ? (result.changes as readonly HistoryEntry[]) : [];
}

/**
 * How long changes of one kind are coalesced into one event, in ms: the default, and the most that a tenant may set without the
 * buyer's consent. Delivery reports are never coalesced.
 */
export const WINDOWS = {
  impairment: { defaultMs: 30 * SECOND_MS, maxMs: 5 * MINUTE_MS },
  urgent_impairment: { defaultMs: 0, maxMs: MINUTE_MS },
  media_buy: { defaultMs: 2 * SECOND_MS, maxMs: 5 * MINUTE_MS },
} as const satisfies Record<string, { readonly defaultMs: number; readonly maxMs: number }>;

/** A kind of change that is coalesced. */
type CoalescedKind = keyof typeof WINDOWS;

/** Windows that a tenant sets; the others are the table's. */
type WindowSettings = WebhookSettings['windowsMs'];

/** Returns how long an event waits for others of its kind, in ms, never more than the table allows. */
export function windowMs(kind: CoalescedKind, settings: WindowSettings = {}): number {
  const { defaultMs, maxMs } = WINDOWS[kind];
  return Math.min(settings[kind] ?? defaultMs, maxMs);
}

/** Returns the kind of an impairment: the general window is not for one that touches fraud, safety or consent. */
export function impairmentKind({ reason_code }: Pick<Impairment, 'reason_code'>): CoalescedKind {
  return IMPAIRMENT_REASONS[reason_code].urgent ? 'urgent_impairment' : 'impairment';
}
