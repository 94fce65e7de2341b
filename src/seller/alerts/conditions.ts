import { sha256Hex } from '../../platform/kernel/canonical.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/kernel/clock.js';
import { humanizeDate } from '../../platform/web/humanize.js';
import type { App } from '../context.js';
import type { AlertCondition, AlertKind } from '../domain/alert/alert.js';
import { describeDrift } from '../domain/booking/drift.js';
import { readOwner } from '../domain/tenant/principal.js';
import { approvalLink } from '../http/approvals/approvals.js';
import { listWaiting } from '../tasks/task/approvals.js';

/** Something that stands, and whose it is; that of no tenant is of all. */
export type OwnedCondition = AlertCondition & { readonly tenant: string | undefined; readonly isSandbox: boolean };

/** Things of each kind that are looked at, of all tenants. */
const MAX_OF_KIND = 200;
/** How long ago the ad server may have been asked first. */
const ORDERS_SINCE_MS = 3 * DAY_MS;
/** How long events have been tried before an endpoint counts as failing. */
const TRIED_MS = 10 * MINUTE_MS;
const MAX_TRIED = 3;
/** How long delivery cannot be read before somebody is alerted: ad servers have their short outages. */
const UNREAD_MS = HOUR_MS;
const MAX_PROBLEM_CHARS = 300;

const READERS: Readonly<Record<AlertKind, (app: App) => Promise<readonly OwnedCondition[]>>> = {
  approval_waiting: readApprovals,
  order_waiting: readWaits,
  order_refused: readOrders,
  order_drifted: readDrifted,
  delivery_failing: readDeliveries,
  endpoint_failing: readEndpoints,
  edit_rejected: readEdit,
};

/** Returns what people are to know of just now, of these kinds and of every tenant. */
export async function readConditions(app: App, kinds: ReadonlySet<AlertKind>): Promise<readonly OwnedCondition[]> {
  return (await Promise.all([...kinds].map((kind) => READERS[kind](app)))).flat();
}

async function readApprovals(app: App): Promise<readonly OwnedCondition[]> {
  const { approvals } = await listWaiting(app, MAX_OF_KIND);
  return approvals.map((waiting) => ({
    kind: 'approval_waiting',
    subject: waiting.id,
    tenant: waiting.tenant,
    isSandbox: waiting.sandbox === true,
    says: `${buyerName(app, waiting.tenant, waiting.principal)}: ${waiting.what}${decidesItself(waiting)}`,
    link: approvalLink(app, waiting),
  }));
}

function decidesItself({ acts_at, on_timeout }: { readonly acts_at?: string; readonly on_timeout?: string }): string {
  if (acts_at === undefined) return '';
  const how = on_timeout === 'approve' ? 'approved' : 'rejected';
  return ` It is ${how} by itself on ${humanizeDate(Date.parse(acts_at))}.`;
}

const TROUBLES: Readonly<Record<string, string>> = {
  refused: 'the ad server refused',
  stranded: 'a person is needed for',
  overdue: 'the ad server has not taken for a day',
};

async function readOrders(app: App): Promise<readonly OwnedCondition[]> {
  const rows = await app.store.read.orderBookings.forPeople(app.clock.now() - ORDERS_SINCE_MS, MAX_OF_KIND);
  return rows.map(({ media_buy_id, owner, reason = 'it does not say why', revision, state }) => ({
    kind: 'order_refused',
    subject: `${media_buy_id} ${revision} ${state}`,
    ...ownedBy(app, owner),
    says: `${ownerName(app, owner)}: ${TROUBLES[state] ?? TROUBLES.overdue} ${media_buy_id}, revision ${revision}: ${reason}`,
  }));
}

async function readWaits(app: App): Promise<readonly OwnedCondition[]> {
  const waits = await app.store.read.orderWaits.reminded(MAX_OF_KIND);
  return waits.map(({ media_buy_id, owner, since }) => ({
    kind: 'order_waiting',
    subject: `${media_buy_id} ${since}`,
    ...ownedBy(app, owner),
    says: `${ownerName(app, owner)}: ${media_buy_id} waits for a person since ${humanizeDate(since)}; "orders" says what is to be done`,
  }));
}

async function readDrifted(app: App): Promise<readonly OwnedCondition[]> {
  const drifted = await app.store.read.orderInspections.drifted(MAX_OF_KIND);
  return drifted.map(({ drift, drift_since, media_buy_id, owner }) => ({
    kind: 'order_drifted',
    subject: `${media_buy_id} ${drift_since}`,
    ...ownedBy(app, owner),
    says: `${ownerName(app, owner)}: ${media_buy_id} was changed in the ad server by hand: ${describeDrift(drift)}`,
  }));
}

async function readDeliveries(app: App): Promise<readonly OwnedCondition[]> {
  const sinceMs = app.clock.now() - UNREAD_MS;
  const failing = await app.store.read.deliveryPulls.failing(MAX_OF_KIND);
  return failing.flatMap(({ failing_since, media_buy_id, owner, trouble }) => {
    if (failing_since === null || failing_since > sinceMs) return [];
    const says = `${ownerName(app, owner)}: the delivery of ${media_buy_id} cannot be read since ${humanizeDate(failing_since)}: ${trouble}`;
    return [{ kind: 'delivery_failing', subject: `${media_buy_id} ${failing_since}`, ...ownedBy(app, owner), says }];
  });
}

async function readEndpoints(app: App): Promise<readonly OwnedCondition[]> {
  const nowMs = app.clock.now();
  const failing = await app.store.read.webhookLog.failing(nowMs - DAY_MS);
  return failing
    .filter(({ dead, last, pending }) => dead > 0 || pending >= MAX_TRIED || nowMs - last >= TRIED_MS)
    .slice(0, MAX_OF_KIND)
    .map(({ dead, origin, owner, pending }) => ({
      kind: 'endpoint_failing',
      subject: `${owner} ${origin}`,
      ...ownedBy(app, owner),
      says: `${ownerName(app, owner)}: webhooks to ${origin} fail: ${dead} given up, ${pending} tried again`,
    }));
}

async function readEdit({ reloads }: App): Promise<readonly OwnedCondition[]> {
  const { rejectedEdit } = reloads();
  if (rejectedEdit === undefined) return [];
  const says = `The last edit of the tenant files is not served: ${rejectedEdit.slice(0, MAX_PROBLEM_CHARS)}`;
  return [{ kind: 'edit_rejected', subject: sha256Hex(rejectedEdit), tenant: undefined, isSandbox: false, says }];
}

function ownedBy({ sellers }: App, owner: string): Pick<OwnedCondition, 'tenant' | 'isSandbox'> {
  const { principal, tenant } = readOwner(owner);
  const caller = sellers()
    .get(tenant)
    ?.callers.find(({ id }) => id === principal);
  // Who is no caller of the file has a sandbox of its own.
  return { tenant, isSandbox: caller?.sandbox ?? true };
}

function ownerName(app: App, owner: string): string {
  const { principal, tenant } = readOwner(owner);
  return buyerName(app, tenant, principal);
}

function buyerName({ sellers }: App, tenant: string, principal: string): string {
  return (
    sellers()
      .get(tenant)
      ?.callers.find(({ id }) => id === principal)?.name ?? principal
  );
}
