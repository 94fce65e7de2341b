import { onTestFinished } from 'vitest';
import { systemIds } from '../../../src/platform/kernel/ids.js';
import type { Log } from '../../../src/platform/kernel/log.js';
import { createOutbound, type OutboundOptions } from '../../../src/platform/net/fetch.js';
import type { SigningKey } from '../../../src/platform/signing/keys/jwk.js';
import { protocolNames } from '../../../src/protocol/names.js';
import type { TaskUpdate } from '../../../src/protocol/webhook-envelope.js';
import type { MediaBuy } from '../../../src/seller/domain/media-buy/media-buy.js';
import type { Store, Writer } from '../../../src/seller/store/store.js';
import { DELIVERY_POLICY, type DeliveryPolicy } from '../../../src/seller/webhooks/delivery/attempt.js';
import { type Channel, type ChannelField, channelOf } from '../../../src/seller/webhooks/delivery/channel.js';
import { createDelivery, type Delivery, type DeliveryPorts } from '../../../src/seller/webhooks/delivery/delivery.js';
import { type OutgoingEvent, type Recipient, taskEvent } from '../../../src/seller/webhooks/outbox.js';
import { type TurnableClock, turnableClock } from '../../kit/surroundings.js';
import { freshKey } from '../../platform/signing/context.js';
import { buyCalled, openTestStore } from '../store/fixture.js';

/** The sender's names and whose events the tests send. */
export const NAMES = protocolNames('adcp');
export const OWNER = 'sales#buyer';

/** A line that the sender logged. */
export type Line = { readonly level: 'info' | 'warn' | 'error'; readonly said: readonly unknown[] };

/** A delivery over a real store and real connections, with a clock that a test turns. */
export type Sender = {
  readonly store: Store;
  readonly clock: TurnableClock;
  readonly delivery: Delivery;
  readonly key: SigningKey;
  readonly log: readonly Line[];
  /** Posts one event of a task in a transaction of its own; answers its key. */
  readonly send: (to: Recipient, more?: Partial<TaskUpdate>, letter?: Partial<OutgoingEvent>) => Promise<string>;
  /** Sends what is due at this instant, and waits until it is. */
  readonly settle: () => Promise<void>;
  /** Turns the clock in steps of `stepMs` and sends what becomes due, until `untilMs` after now. */
  readonly pass: (untilMs: number, stepMs: number) => Promise<void>;
};

/** What a test changes about its sender. */
export type SenderOptions = {
  readonly store?: Store;
  readonly clock?: TurnableClock;
  readonly policy?: Partial<DeliveryPolicy>;
  readonly outbound?: Partial<OutboundOptions>;
  /** Stands in for the network, where only the plan of attempts is looked at. */
  readonly fetch?: DeliveryPorts['outbound']['fetch'];
  readonly sign?: DeliveryPorts['sign'];
  readonly limits?: DeliveryPorts['limits'];
  /** Left unstarted: events are stored and not sent. */
  readonly start?: boolean;
};

let counted = 0;

/** Starts a sender; it is closed after the test. */
export async function startSender(options: SenderOptions = {}): Promise<Sender> {
  const store = options.store ?? (await openTestStore());
  const clock = options.clock ?? turnableClock();
  const key = freshKey('ed25519');
  const log: Line[] = [];
  const outbound = createOutbound({ development: true, ...options.outbound });
  const policy: DeliveryPolicy = { ...DELIVERY_POLICY, timeoutMs: 2000, ...options.policy };
  const delivery = createDelivery({
    store,
    clock,
    ids: systemIds,
    log: collecting(log),
    outbound: { fetch: options.fetch ?? outbound.fetch },
    sign: options.sign ?? (() => ({ names: NAMES, key })),
    policy: () => policy,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  onTestFinished(async () => {
    await delivery.close();
    await outbound.close();
  });
  if (options.start !== false) await delivery.start();

  const settle = async (): Promise<void> => {
    await delivery.tick();
    await delivery.idle();
  };
  return {
    store,
    clock,
    delivery,
    key,
    log,
    send: async (to, more = {}, letter = {}) => {
      const posted = await store.transact((tx) =>
        delivery.post(tx, { ...taskEvent(to, notice(clock, more)), ...letter }),
      );
      return posted ?? 'not posted';
    },
    settle,
    pass: async (untilMs, stepMs) => {
      for (let passed = 0; passed < untilMs; passed += stepMs) {
        clock.advance(Math.min(stepMs, untilMs - passed));
        await settle();
      }
    },
  };
}

/** An address for events of one call: a channel that is kept with them. */
export function addressOf(url: string, channel: Partial<Channel> = {}): Recipient {
  return { owner: OWNER, tenant: 'sales', channel: { url, mode: 'rfc9421', local: true, ...channel } };
}

/** An address for events of a buy, which is stored with this registration. */
export async function addressOfBuy(
  store: Store,
  mediaBuyId: string,
  config: Readonly<Record<string, unknown>>,
  field: ChannelField = 'push_notification_config',
): Promise<Recipient> {
  const buy = await keepBuy(store, mediaBuyId, { [field]: config });
  return { owner: OWNER, tenant: 'sales', channel: channelOf(config, buy.sandbox), mediaBuyId, field };
}

/** Stores a sandbox buy with these callbacks. */
export async function keepBuy(
  store: Store,
  mediaBuyId: string,
  callbacks: Readonly<Record<string, unknown>>,
): Promise<MediaBuy> {
  const buy = buyCalled(mediaBuyId, { callbacks, sandbox: true });
  await store.transact((tx) => tx.mediaBuys.insert(OWNER, buy, true));
  return buy;
}

/** Gives a stored buy other callbacks. */
export async function changeCallbacks(tx: Writer, buy: MediaBuy, callbacks: MediaBuy['callbacks']): Promise<void> {
  await tx.mediaBuys.replace({ ...buy, callbacks }, true);
}

function notice(clock: TurnableClock, more: Partial<TaskUpdate>): TaskUpdate {
  counted += 1;
  return {
    taskId: `task_${counted}`,
    taskType: 'create_media_buy',
    status: 'completed',
    timestamp: clock.iso(),
    result: { media_buy_id: `mb_${counted}` },
    ...more,
  };
}

function collecting(lines: Line[]): Log {
  const at =
    (level: Line['level']) =>
    (...said: unknown[]): void =>
      void lines.push({ level, said });
  return { debug: () => undefined, info: at('info'), warn: at('warn'), error: at('error') } as Log;
}
