import { isObject } from '../../../platform/kernel/json/json.js';
import type { Release } from '../../../protocol/versions.js';
import type { Notice } from '../../../protocol/webhook-envelope.js';
import type { AssignedCreative } from '../../domain/creative/creative.js';
import { assessHealth } from '../../domain/media-buy/health.js';
import type { Impairment } from '../../domain/media-buy/impairment.js';
import { isTerminal, type MediaBuy } from '../../domain/media-buy/media-buy.js';
import { mediaBuyState, packageWire, shapeByRelease } from '../../domain/media-buy/wire.js';
import { readOwner } from '../../domain/tenant/tenant.js';
import type { Writer } from '../../store/store.js';
import type { ChannelField } from '../delivery/channel.js';
import { type Address, type Outbox, taskEvent } from '../outbox.js';
import { impairmentKind, type WindowSettings, windowMs } from './coalescence.js';
import { impairmentNotice } from './payloads.js';
import { channelsOf } from './registration.js';

/** What a buyer is told about its buy on the buy's own registration (spec 3, Events); nothing where it registered none. */
export type BuyEvents = {
  /** The buy as it stands now. Near changes become one event; a buy that has ended waits for nothing. */
  readonly stands: (tx: Writer, owner: string, buy: MediaBuy, nowIso: string) => Promise<void>;
  /** An impairment that was opened, has changed or is over. */
  readonly impaired: (
    tx: Writer,
    owner: string,
    buy: MediaBuy,
    impairment: Impairment,
    resolved: boolean,
    nowIso: string,
  ) => Promise<void>;
  /** The buy has ended: what was gathered about it goes out now, before anything else (spec 3, Coalescence 5). */
  readonly ends: (tx: Writer, buy: MediaBuy) => Promise<void>;
};

/** How a buy's registration is kept: the configuration as it came, and the release that its events are shaped for. */
export type Callbacks = Partial<Readonly<Record<ChannelField, Readonly<Record<string, unknown>>>>> & {
  readonly release?: Release;
};

/** Events about buys over an outbox; `windows` are a tenant's own for gathering near changes. */
export function createBuyEvents(outbox: Outbox, windows: (tenant: string) => WindowSettings): BuyEvents {
  return {
    stands: async (tx, owner, buy, nowIso) => {
      const address = addressOf(owner, buy, 'push_notification_config');
      if (address === undefined) return;
      const assigned = await tx.creatives.assignedTo([buy.media_buy_id]);
      const gather = { key: `buy ${buy.media_buy_id}`, windowMs: windowMs('media_buy', windows(address.tenant)) };
      const letter = taskEvent(address, stateNotice(buy, assigned, nowIso), isTerminal(buy.status) ? {} : { gather });
      await outbox.post(tx, letter);
    },
    impaired: async (tx, owner, buy, impairment, resolved, nowIso) => {
      const address = addressOf(owner, buy, 'push_notification_config');
      const health = assessHealth(buy);
      if (address === undefined || health === undefined) return;
      const told = impairmentNotice(buy.media_buy_id, impairment, { health, resolved }, nowIso);
      const notice = { ...told, context: contextOf(buy) };
      const key = `impairment ${impairment.impairment_id}`;
      const gather = { key, windowMs: windowMs(impairmentKind(impairment), windows(address.tenant)) };
      await outbox.post(tx, taskEvent(address, notice, { notificationType: 'impairment', gather }));
    },
    ends: (tx, buy) => (hasChannel(buy) ? outbox.hurry(tx, buy.media_buy_id) : Promise.resolve()),
  };
}

/** Where events of a buy go; undefined where this registration was never made. */
export function addressOf(owner: string, buy: MediaBuy, field: ChannelField): Address | undefined {
  if (!hasChannel(buy)) return undefined;
  const channel = channelsOf(buy)[field];
  if (channel === undefined) return undefined;
  return { owner, tenant: readOwner(owner).tenant, channel, mediaBuyId: buy.media_buy_id, field };
}

/** The context of the request that made a buy; it comes back in every event of the buy (spec 3, MCP envelope). */
export function contextOf({ echoed }: Pick<MediaBuy, 'echoed'>): object | undefined {
  return isObject(echoed.context) ? echoed.context : undefined;
}

function hasChannel({ callbacks }: MediaBuy): boolean {
  return callbacks.push_notification_config !== undefined || callbacks.reporting_webhook !== undefined;
}

const WORDS: Partial<Record<MediaBuy['status'], string>> = {
  pending_creatives: 'The media buy is booked; it waits for creatives.',
  pending_start: 'The media buy is booked; it waits for its start.',
  active: 'The media buy is running.',
  paused: 'The media buy is paused.',
  completed: 'The media buy has ended.',
  canceled: 'The media buy was canceled.',
  rejected: 'The media buy was rejected.',
};

/** A buy's own events name the buy as their task: no task was opened for it (spec 3, States). */
function stateNotice(buy: MediaBuy, assigned: readonly AssignedCreative[], nowIso: string): Notice {
  const { release = '3.0' } = buy.callbacks as Callbacks;
  const payload = {
    ...mediaBuyState(buy),
    start_time: buy.start_time,
    end_time: buy.end_time,
    packages: buy.packages.map((line) => packageWire(line, assigned)),
  };
  return {
    taskId: buy.media_buy_id,
    taskType: 'create_media_buy',
    status: 'completed',
    timestamp: nowIso,
    message: WORDS[buy.status],
    result: shapeByRelease(payload, release),
    context: contextOf(buy),
  };
}
