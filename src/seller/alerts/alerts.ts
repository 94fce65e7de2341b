import { isoTime } from '../../platform/kernel/clock.js';
import type { App } from '../context.js';
import type { Alert, AlertChannel, AlertCondition, AlertSettings } from '../domain/alert/alert.js';
import { endAttempt, followCondition, followEnd } from '../domain/alert/follow.js';
import type { Seller } from '../domain/tenant/seller.js';
import type { Prover } from '../webhooks/delivery/proof.js';
import { type OwnedCondition, readConditions } from './conditions.js';
import { sendMail } from './mail.js';
import { type AlertMessage, type DueAlert, writeAlertMessage } from './message.js';
import { postAlert } from './webhook.js';

/** Alerts of a tenant on one channel that are read: more than there can be at a time. */
const MAX_ALERTS = 1000;

/** The people of a tenant as they are reached on one channel. */
type Audience = { readonly seller: Seller; readonly settings: AlertSettings; readonly channel: AlertChannel };

/** Tells the people of each tenant what waits for them and what goes wrong: each thing once, and again as often as the tenant's file says. */
export class Alerts {
  readonly #app: App;
  readonly #prove: Prover;

  constructor(app: App, prove: Prover) {
    this.#app = app;
    this.#prove = prove;
  }

  /** Runs one round: reads the conditions that hold, stores who is to be alerted of them, and sends what is due. */
  async tick(isStopped: () => boolean): Promise<void> {
    const audiences = [...this.#app.sellers().values()].flatMap(audiencesOf);
    if (audiences.length === 0) return;
    const conditions = await readConditions(this.#app, new Set(audiences.flatMap(({ settings }) => settings.about)));
    for (const audience of audiences)
      if (!isStopped())
        await this.#alert(
          audience,
          conditions.filter((one) => isConcerned(one, audience)),
        );
  }

  async #alert(audience: Audience, conditions: readonly AlertCondition[]): Promise<void> {
    const due = await this.#follow(audience, conditions);
    if (due.length === 0) return;
    const { seller, channel } = audience;
    const { log, store } = this.#app;
    const message = writeAlertMessage(seller.tenant, due, isoTime(this.#app.clock.now()));
    const fault = await this.#send(audience, message);
    const nowMs = this.#app.clock.now();
    await store.transact(async (tx) => {
      for (const { alert } of due) tx.alerts.save(endAttempt(alert, fault === undefined, nowMs));
    });
    const about = { tenant: seller.tenant.path, channel, things: due.length };
    if (fault === undefined) log.info(about, 'alerts sent');
    else log.warn({ ...about, reason: fault }, 'alerts could not be sent; they are tried again');
  }

  /** Stores the alerts of conditions, and returns those that are due. */
  async #follow(
    { seller, settings, channel }: Audience,
    conditions: readonly AlertCondition[],
  ): Promise<readonly DueAlert[]> {
    const { clock, ids, store } = this.#app;
    const tenant = seller.tenant.path;
    const nowMs = clock.now();
    const stored = new Map((await store.read.alerts.list(tenant, channel, MAX_ALERTS)).map((one) => [keyOf(one), one]));
    const following = { tenant, channel, nowMs, repeatMs: settings.repeatMs, newId: ids.uuid };
    const followed = conditions.map((one) => ({
      condition: one,
      alert: followCondition(stored.get(keyOf(one)), one, following),
    }));
    const openKeys = new Set(conditions.map(keyOf));
    const ended = [...stored.values()].filter((one) => !openKeys.has(keyOf(one))).map(followEnd);
    const changed = [...followed.map(({ alert }) => alert), ...ended].filter((one) => stored.get(keyOf(one)) !== one);
    if (changed.length > 0)
      await store.transact(async (tx) => {
        for (const alert of changed) tx.alerts.save(alert);
      });
    return followed.filter(({ alert }) => alert.next_at !== null && alert.next_at <= nowMs);
  }

  /** Returns why a message could not be sent; undefined once it is. */
  async #send({ seller, settings, channel }: Audience, message: AlertMessage): Promise<string | undefined> {
    const { webhook, email } = settings;
    const ports = { outbound: this.#app.renderer().outbound, prove: this.#prove };
    try {
      if (channel === 'webhook' && webhook !== undefined)
        await postAlert(ports, webhook, message, { nowMs: this.#app.clock.now(), tenant: seller.tenant.path });
      if (channel === 'email' && email !== undefined) await sendMail(email, message);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

function audiencesOf(seller: Seller): readonly Audience[] {
  const settings = seller.tenant.alerts;
  if (settings === undefined) return [];
  const channels = (['webhook', 'email'] as const).filter((channel) => settings[channel] !== undefined);
  return channels.map((channel) => ({ seller, settings, channel }));
}

function isConcerned({ isSandbox, kind, tenant }: OwnedCondition, { seller, settings }: Audience): boolean {
  const isTheirs = tenant === undefined || tenant === seller.tenant.path;
  return isTheirs && settings.about.includes(kind) && (settings.sandboxes || !isSandbox);
}

function keyOf({ kind, subject }: Pick<Alert, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`;
}
