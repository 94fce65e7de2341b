import { HOUR_MS, type OwnClocks } from '../../../platform/kernel/clock.js';
import type { Log } from '../../../platform/kernel/log.js';
import { runSlices } from '../../../platform/kernel/slices.js';
import { planReminder, type ReminderSettings } from '../../domain/booking/reminder.js';
import { readOwner } from '../../domain/tenant/principal.js';
import type { Store } from '../../store/store.js';

/** The services that people are reminded of orders with. */
type ReminderPorts = {
  readonly store: Store;
  readonly clock: Pick<OwnClocks, 'now'>;
  readonly log: Log;
  /** Returns when people of a tenant are reminded; undefined where it is served no more. */
  readonly settingsOf: (tenant: string) => ReminderSettings | undefined;
};

const MAX_DUE = 100;

/** Reminds people of orders that wait for them longer than their tenant says: once, and again at its cadence. */
export async function remindOfOrders(
  { clock, log, settingsOf, store }: ReminderPorts,
  isStopped: () => boolean,
): Promise<void> {
  const nowMs = clock.now();
  await store.transact(async (tx) => tx.orderWaits.follow(nowMs));
  await runSlices(async () => {
    const due = await store.read.orderWaits.due(nowMs, MAX_DUE);
    if (due.length === 0) return false;
    const reminded = await store.transact(async (tx) =>
      due.flatMap((wait) => {
        const { tenant } = readOwner(wait.owner);
        const settings = settingsOf(tenant);
        const { isDue, next_at } =
          settings === undefined ? { isDue: false, next_at: nowMs + HOUR_MS } : planReminder(wait, settings, nowMs);
        tx.orderWaits.remind({ ...wait, next_at, reminded_at: isDue ? nowMs : wait.reminded_at });
        return isDue
          ? [{ tenant, media_buy_id: wait.media_buy_id, hours: Math.floor((nowMs - wait.since) / HOUR_MS) }]
          : [];
      }),
    );
    for (const order of reminded) log.warn(order, 'an order waits for a person; `orders` lists it');
    return due.length === MAX_DUE;
  }, isStopped);
}
