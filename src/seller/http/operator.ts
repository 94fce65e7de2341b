import { timingSafeEqual } from 'node:crypto';
import type { RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { sha256Hex } from '../../platform/kernel/canonical.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { operateKeys, readKeyOperation } from '../../platform/signing/keys/key-operations.js';
import { ERROR_CODES, TaskError, taskErrorOrThrow } from '../../protocol/errors.js';
import type { Publication } from '../../registry/publish/types.js';
import type { App, Caller } from '../context.js';
import { type AdvancedClock, listClocks, readClockAdvance, turnClock } from '../sandbox/controller/advance-clock.js';
import { decide, listWaiting, readDecision } from '../tasks/task/approvals.js';
import type { Decided, Waiting } from '../tasks/task/pending-decisions.js';
import { CHANNEL_FIELDS } from '../webhooks/delivery/channel.js';
import { findRecipient } from '../webhooks/events/buy-events.js';
import { type Backlog, type EventFilter, readEventFilter, type ShownEvent } from '../webhooks/operate.js';
import { linkTo } from './approvals/approvals.js';
import type { Limits } from './limits.js';
import { callTool } from './mcp/call-tool.js';
import { publicationOf } from './well-known.js';

/** A task call by the operator, in the name of one of a tenant's principals. */
export type OperatorCall = {
  readonly tenant: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** Id of the principal; left out: the first sandbox principal, else the first one. */
  readonly principal?: string | undefined;
};

/** Runs a task call as a principal of a tenant. Throws an Error that says which tenant or principal is missing. */
export async function operatorCall(app: App, limits: Limits, call: OperatorCall): Promise<object> {
  const caller = callerOf(app, call);
  const { payload } = await callTool(app, limits, caller, { name: call.tool, arguments: call.arguments });
  return payload;
}

function callerOf(app: App, call: OperatorCall): Caller {
  const seller = app.sellers().get(call.tenant);
  if (seller === undefined)
    throw new Error(`There is no tenant "${call.tenant}". Tenants: ${[...app.sellers().keys()].join(', ')}.`);
  const principals = seller.callers;
  const wanted = call.principal;
  const principal =
    wanted === undefined
      ? (principals.find((one) => one.sandbox) ?? principals[0])
      : principals.find((one) => one.id === wanted);
  if (principal === undefined)
    throw new Error(`The tenant has no such principal. Principals: ${principals.map((one) => one.id).join(', ')}.`);
  return { seller, principal };
}

/** What waits for a person of the seller, of all tenants, longest first; each with the link by which anybody may decide about it. */
export async function operatorApprovals(
  app: App,
): Promise<{ readonly approvals: readonly (Waiting & { readonly link: string })[]; readonly more: boolean }> {
  const { approvals, more } = await listWaiting(app, MAX_LISTED);
  return { approvals: approvals.map((waiting) => ({ ...waiting, link: linkTo(app, waiting) })), more };
}

/** Carries out a person's decision. Throws a TaskError that says why it cannot be carried out. */
export async function operatorDecision(app: App, id: string, decision: unknown): Promise<Decided> {
  return decide(app, id, readDecision(decision), 'operator');
}

const MAX_LISTED = 200;

/** The newest events of the outbox, of all tenants or as the filter says. */
export async function operatorWebhooks(
  app: App,
  filter: EventFilter,
): Promise<{ readonly webhooks: readonly ShownEvent[]; readonly backlog: Backlog }> {
  const { rows } = await app.outbox.list(app.store.read, { limit: MAX_LISTED, after: undefined }, filter);
  return { webhooks: rows, backlog: await app.store.read.webhookLog.backlog() };
}

/** What an operator can have done about webhooks. */
export type WebhookAction =
  | { readonly do: 'replay'; readonly idempotency_key: string }
  | { readonly do: 'test'; readonly media_buy_id: string };

/** Sends an event again, or a test to the registrations of a buy; answers the keys. Throws a TaskError that says why not. */
export async function operatorWebhookDeed(app: App, deed: unknown): Promise<{ readonly sent: readonly string[] }> {
  const { do: what, idempotency_key: key, media_buy_id: id } = isObject(deed) ? deed : {};
  if (what === 'replay' && typeof key === 'string')
    return { sent: [await app.store.transact((tx) => app.outbox.replay(tx, key))] };
  if (what === 'test' && typeof id === 'string') return { sent: await testChannels(app, id) };
  throw new TaskError('INVALID_REQUEST', 'This is no deed on webhooks.', {
    suggestion: 'Send {"do": "replay", "idempotency_key": …} or {"do": "test", "media_buy_id": …}.',
  });
}

async function testChannels(app: App, mediaBuyId: string): Promise<readonly string[]> {
  return app.store.transact(async (tx) => {
    const found = await tx.mediaBuys.findAnywhere(mediaBuyId);
    const addresses = CHANNEL_FIELDS.flatMap((field) => (found && findRecipient(found.owner, found.buy, field)) ?? []);
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

/** What this host publishes about itself and its publishers; keys that have to be pinned are made first. */
export async function operatorPublication(app: App): Promise<Publication> {
  await app.keys.ensure();
  return publicationOf(app);
}

/** The sandboxes whose time is ahead. */
export function operatorClocks(app: App): { readonly clocks: readonly AdvancedClock[] } {
  return { clocks: listClocks(app) };
}

/** Turns the clocks of sandboxes on; answers what they show then. Throws a TaskError that says why not. */
export async function operatorClockTurn(
  app: App,
  turn: unknown,
): Promise<{ readonly clocks: readonly AdvancedClock[] }> {
  return { clocks: await turnClock(app, readClockAdvance(turn)) };
}

/** The operator's own API: loopback only, and only for who can read the token in the data folder. */
export function createOperatorListener(app: App, limits: Limits, token: string): RequestListener {
  const operator = express();
  const expected = Buffer.from(sha256Hex(token));
  operator.disable('x-powered-by');
  operator.use((request, response, next) => {
    const given = Buffer.from(sha256Hex(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''));
    if (timingSafeEqual(given, expected)) next();
    else response.status(401).json({ error: 'The operator token is wrong.' });
  });
  operator.use(express.json({ limit: '8mb' }));
  operator.get(
    '/status',
    (_request, response) => void response.json({ tenants: [...app.sellers().keys()], store: app.store.stats() }),
  );
  operator.get(
    '/approvals',
    answering(() => operatorApprovals(app)),
  );
  operator.post(
    '/approvals/:id',
    answering(({ params, body }) => operatorDecision(app, String(params.id), body)),
  );
  operator.get(
    '/webhooks',
    answering(({ query }) => operatorWebhooks(app, readEventFilter(query))),
  );
  operator.post(
    '/webhooks',
    answering(({ body }) => operatorWebhookDeed(app, body)),
  );
  operator.get(
    '/publication',
    answering(() => operatorPublication(app)),
  );
  operator.get(
    '/clock',
    answering(async () => operatorClocks(app)),
  );
  operator.post(
    '/clock',
    answering(({ body }) => operatorClockTurn(app, body)),
  );
  operator.post(
    '/registry',
    answering(({ body }) => app.registry.operate(body)),
  );
  operator.post(
    '/keys',
    answering(({ body }) => operateKeys(app.keys, readKeyOperation(body))),
  );
  operator.post('/call', async (request: Request, response: Response) => {
    const body: unknown = request.body;
    if (!isObject(body) || typeof body.tenant !== 'string' || typeof body.tool !== 'string') {
      response.status(400).json({ error: 'Send tenant, tool and arguments.' });
      return;
    }
    const { tenant, tool, principal } = body;
    try {
      const call = {
        tenant,
        tool,
        arguments: body.arguments,
        principal: typeof principal === 'string' ? principal : undefined,
      };
      response.json(await operatorCall(app, limits, call));
    } catch (error) {
      response.status(404).json({ error: error instanceof Error ? error.message : String(error) });
    }
  });
  operator.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    app.log.error({ err: error }, 'an operator call failed unexpectedly');
    if (response.headersSent) next(error);
    else response.status(500).json({ error: 'The running server could not do this; its log says why.' });
  });
  return operator;
}

/** Answers with what comes of an operator's request, or with what it was refused for; anything else is thrown on. */
function answering(work: (request: Request) => Promise<object>): RequestHandler {
  return async (request, response) => {
    try {
      response.json(await work(request));
    } catch (thrown) {
      const error = taskErrorOrThrow(thrown);
      const { suggestion } = error.extras;
      response
        .status(ERROR_CODES[error.code].status)
        .json({ error: suggestion === undefined ? error.message : `${error.message} ${suggestion}`, code: error.code });
    }
  };
}
