import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/kernel/clock.js';
import { ConfigError } from '../../../platform/kernel/errors.js';
import { isObject, writeOnce } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Publication } from '../../../registry/publish/types.js';
import type { App, Caller } from '../../context.js';
import { departedPrincipal, findPrincipal } from '../../domain/tenant/callers.js';
import { ownerKey, type Principal } from '../../domain/tenant/principal.js';
import type { Seller } from '../../domain/tenant/seller.js';
import {
  type AdvancedClock,
  advanceClock,
  listClocks,
  readClockAdvance,
} from '../../sandbox/controller/advance-clock.js';
import { carryOutDecision, listWaiting, readDecision } from '../../tasks/task/approvals.js';
import type { Decided, DecisionChannel, Waiting } from '../../tasks/task/pending-decisions.js';
import { CHANNEL_FIELDS } from '../../webhooks/delivery/channel.js';
import { findRecipient } from '../../webhooks/events/buy-events.js';
import { type Backlog, type EventFilter, readEventFilter, type ShownEvent } from '../../webhooks/operate.js';
import { approvalLink } from '../approvals/approvals.js';
import type { Limits } from '../limits.js';
import { callTool } from '../mcp/call-tool.js';
import { describeHost } from '../well-known.js';

/** A task call by the operator, in the name of one of a tenant's principals. */
export type OperatorCall = {
  readonly tenant: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** Id of the principal; left out: the first sandbox principal, else the first one. */
  readonly principal?: string | undefined;
};

/** Runs a task call as a principal of a tenant. Throws a TaskError that says which tenant or principal is missing. */
export async function callForOperator(
  app: App,
  limits: Limits,
  call: OperatorCall,
): Promise<Readonly<Record<string, unknown>>> {
  const caller = await findCaller(app, call);
  const { payload } = await callTool(app, limits, caller, { name: call.tool, arguments: call.arguments });
  const answer = writeOnce(payload).toJSON();
  if (!isObject(answer)) throw new Error(`${call.tool} gave no answer`);
  return answer;
}

async function findCaller(app: App, call: OperatorCall): Promise<Caller> {
  const seller = app.sellers().get(call.tenant);
  if (seller === undefined) {
    const departed = app.openDeparted(call.tenant);
    const principal = await findDeparted(app, departed, call);
    if (principal !== undefined) return { seller: departed, principal, isOperator: true };
    throw unknownCaller(`There is no tenant "${call.tenant}". Tenants: ${[...app.sellers().keys()].join(', ')}.`);
  }
  const principals = seller.callers;
  const wanted = call.principal;
  const principal =
    wanted === undefined
      ? (principals.find((one) => one.sandbox) ?? principals[0])
      : (findPrincipal(seller, wanted, app.development) ?? (await findDeparted(app, seller, call)));
  if (principal === undefined)
    throw unknownCaller(`The tenant has no such principal. Principals: ${principals.map((one) => one.id).join(', ')}.`);
  return { seller, principal, isOperator: true };
}

function unknownCaller(message: string): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', message);
}

/** Returns whose buy a change names, where that buyer is no longer in the tenant's file. */
async function findDeparted(app: App, seller: Seller, call: OperatorCall): Promise<Principal | undefined> {
  const { principal: id = '', arguments: args, tool } = call;
  if (tool !== 'update_media_buy' || !isObject(args) || typeof args.media_buy_id !== 'string') return undefined;
  const buy = await app.store.read.mediaBuys.find(ownerKey(seller.tenant.path, id), args.media_buy_id);
  return buy && departedPrincipal(seller, id, buy.sandbox);
}

/** Returns what waits for a person of the seller, longest first; each with the link by which anybody may decide about it. */
export async function readApprovals(
  app: App,
): Promise<{ readonly approvals: readonly (Waiting & { readonly link: string })[]; readonly more: boolean }> {
  const { approvals, more } = await listWaiting(app, MAX_LISTED);
  return { approvals: approvals.map((waiting) => ({ ...waiting, link: approvalLink(app, waiting) })), more };
}

/** Carries out a person's decision. Throws a TaskError that says why it cannot be carried out. */
export async function recordDecision(
  app: App,
  id: string,
  decision: unknown,
  channel: DecisionChannel = 'operator',
): Promise<Decided> {
  return carryOutDecision(app, id, readDecision(decision), channel);
}

const MAX_LISTED = 200;

/** Returns the newest events of the outbox, of all tenants or as the filter says. */
export async function readWebhooks(
  app: App,
  filter: EventFilter,
): Promise<{ readonly webhooks: readonly ShownEvent[]; readonly backlog: Backlog }> {
  const { rows } = await app.outbox.list(app.store.read, { limit: MAX_LISTED, after: undefined }, filter);
  return { webhooks: rows, backlog: await app.store.read.webhookLog.backlog() };
}

/** An action of the operator on webhooks. */
export type WebhookAction =
  | { readonly do: 'replay'; readonly idempotency_key: string }
  | ({ readonly do: 'recover'; readonly since: string } & Readonly<Partial<Record<FilterName, string>>>)
  | { readonly do: 'test'; readonly media_buy_id: string };

type FilterName = 'tenant' | 'principal' | 'endpoint' | 'media_buy_id';

/** The result of an action: the keys that wait to be sent, or how many were recovered and how many a later event overtook. */
type OperatedWebhooks =
  | { readonly sent: readonly string[] }
  | { readonly recovered: number; readonly overtaken: number };

/** Sends events again, or a test to the registrations of a buy. Throws a TaskError that says why not. */
export async function operateWebhooks(app: App, action: unknown): Promise<OperatedWebhooks> {
  if (isObject(action) && action.do === 'recover') return recoverWebhooks(app, action);
  const { do: what, idempotency_key: key, media_buy_id: id } = isObject(action) ? action : {};
  if (what === 'replay' && typeof key === 'string')
    return { sent: [await app.store.transact((tx) => app.outbox.replay(tx, key))] };
  if (what === 'test' && typeof id === 'string') return { sent: await testChannels(app, id) };
  throw new TaskError('INVALID_REQUEST', 'Unknown webhook action.', {
    suggestion:
      'Send {"do": "replay", "idempotency_key": …}, {"do": "recover", "since": …} or {"do": "test", "media_buy_id": …}.',
  });
}

async function recoverWebhooks(app: App, action: Readonly<Record<string, unknown>>): Promise<OperatedWebhooks> {
  const sinceMs = readSince(action.since, app.clock.now());
  const filter = readEventFilter({ ...action, state: undefined });
  const seen = new Set<string>();
  let recovered = 0;
  let overtaken = 0;
  let after: number | undefined;
  do {
    const since = { sinceMs, filter, after };
    const batch = await app.store.transact((tx) => app.outbox.recover(tx, since, seen));
    recovered += batch.sent;
    overtaken += batch.overtaken;
    after = batch.after;
  } while (after !== undefined);
  return { recovered, overtaken };
}

const UNITS_MS = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

/** Reads an instant, or how long ago one was, as ms. Throws INVALID_REQUEST. */
function readSince(since: unknown, nowMs: number): number {
  const text = typeof since === 'string' ? since : '';
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new TaskError('INVALID_REQUEST', text === '' ? 'Since when is not said.' : 'The time cannot be read.', {
    field: 'since',
    suggestion: 'Name an instant such as 2026-11-22T08:00:00Z, or how long ago: 90m, 24h, 7d.',
  });
}

async function testChannels(app: App, mediaBuyId: string): Promise<readonly string[]> {
  return app.store.transact(async (tx) => {
    const owned = await tx.mediaBuys.findAnywhere(mediaBuyId);
    const addresses = CHANNEL_FIELDS.flatMap((field) => (owned && findRecipient(owned.owner, owned.buy, field)) ?? []);
    if (addresses.length === 0) {
      throw new TaskError('REFERENCE_NOT_FOUND', 'There is no media buy of this id with a webhook.', {
        field: 'media_buy_id',
        suggestion: 'Name a media buy that registered push_notification_config or reporting_webhook.',
      });
    }
    const sent: string[] = [];
    for (const address of addresses) sent.push(await app.outbox.test(tx, address));
    return sent;
  });
}

/** Returns what this host publishes about itself and its publishers; keys that have to be pinned are made first. */
export async function describePublication(app: App): Promise<Publication> {
  await app.keys.ensure();
  return describeHost(app);
}

/** Returns the sandboxes whose time is ahead. */
export function describeClocks(app: App): { readonly clocks: readonly AdvancedClock[] } {
  return { clocks: listClocks(app) };
}

/** Advances the clocks of sandboxes; answers what they show then. Throws a TaskError that says why not. */
export async function advanceClocks(
  app: App,
  advance: unknown,
): Promise<{ readonly clocks: readonly AdvancedClock[] }> {
  return { clocks: await advanceClock(app, readClockAdvance(advance)) };
}

/** Shows the master keys, or makes one that seals from now on. Throws a TaskError for another operation, ConfigError where it cannot. */
export async function operateMasterKeys(app: App, asked: unknown): Promise<object> {
  const { operation } = isObject(asked) ? asked : {};
  if (operation === 'list') return app.store.sealing.state;
  if (operation === 'rotate') return rotateMasterKey(app);
  throw new TaskError('INVALID_REQUEST', 'Unknown operation.', {
    suggestion: 'Send {"operation": "list" | "rotate"}.',
  });
}

async function rotateMasterKey(app: App): Promise<object> {
  try {
    return await app.store.sealing.rotate();
  } catch (error) {
    if (error instanceof ConfigError) throw new TaskError('INVALID_STATE', error.message);
    throw error;
  }
}
