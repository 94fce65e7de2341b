import { timingSafeEqual } from 'node:crypto';
import type { RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { isDatabaseBusyOrAway, RETRY_AFTER_SECONDS } from '../../../platform/database/unavailable.js';
import type { MetricRow, Metrics } from '../../../platform/health/metrics.js';
import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { explainExcess } from '../../../platform/kernel/json/bounds.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { readJsonInSlices } from '../../../platform/kernel/json/slices.js';
import { acceptJump } from '../../../platform/kernel/steady-clock.js';
import { operateKeys, readKeyOperation } from '../../../platform/signing/keys/key-operations.js';
import { refuseEncoded } from '../../../platform/web/body.js';
import { clientFault } from '../../../platform/web/client-fault.js';
import { ERROR_CODES, taskErrorOrThrow } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import { readGrants, recordRevocation } from '../../tasks/brand/revoke-rights.js';
import { recordDelivery } from '../../tasks/order/deliveries.js';
import { recordIds } from '../../tasks/order/ids.js';
import { readOrders, recordBooking } from '../../tasks/order/orders.js';
import { readSheets } from '../../tasks/order/sheets.js';
import { COMMAND_LINE, carryOutAct } from '../../tasks/people/acts.js';
import { operateGrants } from '../../tasks/people/grants.js';
import { operatePortalLinks } from '../../tasks/people/portal-links.js';
import { operateUsers } from '../../tasks/people/users.js';
import { readEventFilter } from '../../webhooks/operate.js';
import { BODY_BOUNDS } from '../arrival.js';
import type { Limits } from '../limits.js';
import {
  advanceClocks,
  callForOperator,
  describeClocks,
  describePublication,
  operateMasterKeys,
  operateWebhooks,
  readApprovals,
  readWebhooks,
  recordDecision,
} from './operations.js';

type Route = {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly run: (app: App, request: Request) => object | Promise<object>;
  /** What the log of acts says of it: its action and the id of what it is about; undefined of what changes nothing. */
  readonly act?: (request: Request) => readonly [action: string, subject: string] | undefined;
};

/** The operator's API, but for task calls. */
const ROUTES: readonly Route[] = [
  {
    method: 'get',
    path: '/status',
    run: (app) => ({ version: app.version, tenants: [...app.sellers().keys()], store: app.store.stats() }),
  },
  { method: 'get', path: '/approvals', run: (app) => readApprovals(app) },
  {
    method: 'post',
    path: '/approvals/:id',
    run: (app, { params, body }) => recordDecision(app, String(params.id), body),
    act: ({ body, params }) => [`approval.${wordIn(body, 'decision')}`, String(params.id)],
  },
  { method: 'get', path: '/orders', run: (app) => readOrders(app) },
  { method: 'get', path: '/sheets', run: (app) => readSheets(app) },
  { method: 'get', path: '/sheets/:id', run: (app, { params }) => readSheets(app, String(params.id)) },
  {
    method: 'post',
    path: '/orders/:id',
    run: (app, { params, body }) => recordBooking(app, String(params.id), body),
    act: ({ params }) => ['order.booked', String(params.id)],
  },
  {
    method: 'post',
    path: '/orders/:id/ids',
    run: (app, { params, body }) => recordIds(app, String(params.id), body),
    act: ({ params }) => ['order.ids', String(params.id)],
  },
  { method: 'get', path: '/rights', run: (app) => readGrants(app) },
  {
    method: 'post',
    path: '/rights/:id',
    run: (app, { params, body }) => recordRevocation(app, String(params.id), body),
    act: ({ params }) => ['rights.revoke', String(params.id)],
  },
  { method: 'post', path: '/delivery', run: (app, { body }) => recordDelivery(app, body) },
  { method: 'get', path: '/webhooks', run: (app, { query }) => readWebhooks(app, readEventFilter(query)) },
  {
    method: 'post',
    path: '/webhooks',
    run: (app, { body }) => operateWebhooks(app, body),
    act: ({ body }) => [
      `webhook.${wordIn(body, 'do')}`,
      wordIn(body, 'idempotency_key') || wordIn(body, 'media_buy_id') || wordIn(body, 'since'),
    ],
  },
  { method: 'get', path: '/publication', run: (app) => describePublication(app) },
  { method: 'get', path: '/clock', run: (app) => describeClocks(app) },
  { method: 'post', path: '/clock', run: (app, { body }) => advanceClocks(app, body) },
  { method: 'post', path: '/clock/accept', run: (app) => acceptJump(app) },
  { method: 'post', path: '/registry', run: (app, { body }) => app.registry.operate(body) },
  { method: 'post', path: '/master-keys', run: (app, { body }) => operateMasterKeys(app, body) },
  {
    method: 'post',
    path: '/users',
    run: (app, { body }) => operateUsers(app, body),
    act: ({ body }) =>
      wordIn(body, 'operation') === 'list' ? undefined : [`user.${wordIn(body, 'operation')}`, wordIn(body, 'name')],
  },
  {
    method: 'post',
    path: '/portal-links',
    run: (app, { body }) => operatePortalLinks(app, COMMAND_LINE, body),
    act: ({ body }) =>
      wordIn(body, 'operation') === 'list'
        ? undefined
        : [
            `portal.${wordIn(body, 'operation')}`,
            wordIn(body, 'id') || `${wordIn(body, 'tenant')}#${wordIn(body, 'principal')}`,
          ],
  },
  {
    method: 'post',
    path: '/grants',
    run: (app, { body }) => operateGrants(app, body),
    act: ({ body }) =>
      wordIn(body, 'operation') === 'list' ? undefined : [`grant.${wordIn(body, 'operation')}`, wordIn(body, 'id')],
  },
  { method: 'post', path: '/keys', run: (app, { body }) => operateKeys(app.keys, readKeyOperation(body)) },
];

/** Who may use the operator's address, and what it tells of a registry beside the tenants. */
type OperatorOptions = {
  readonly token: string;
  /** Returns a link by which somebody signs in to the console once. */
  readonly signInLink: () => string;
  /** The folder of the tenant files that are served. */
  readonly tenantsDir: string;
  /** Makes, revokes or expires a key of a principal in its tenant's file. */
  readonly operateKeys: (asked: unknown) => Promise<object>;
  readonly registryMetrics?: (() => Promise<readonly MetricRow[]>) | undefined;
};

/**
 * Returns the listener of the operator's own address, for the loopback alone: the figures for Prometheus, and for who can read the token
 * in the data folder the operator's API.
 */
export function createOperatorListener(
  app: App,
  limits: Limits,
  { operateKeys: operateTenantKeys, registryMetrics, signInLink, tenantsDir, token }: OperatorOptions,
): RequestListener {
  const operator = express();
  operator.disable('x-powered-by');
  let metrics: Promise<Metrics> | undefined;
  operator.get('/metrics', async (_request, response) => {
    metrics ??= openMetrics(app, registryMetrics);
    const { contentType, text } = await (await metrics)();
    response.set('content-type', contentType).send(text);
  });
  operator.use(requireToken(token));
  operator.use(refuseEncoded);
  operator.use(express.raw({ type: 'application/json', limit: '8mb' }), readJsonBody);
  for (const route of ROUTES) operator[route.method](route.path, answerWith(app, route));
  operator.get('/tenant-keys', (_request, response) => void response.json({ tenants_dir: tenantsDir }));
  operator.post('/tenant-keys', answerWith(app, { run: (_app, { body }) => operateTenantKeys(body), act: keyAct }));
  operator.post('/sign-in-link', (_request, response) => void response.json({ link: signInLink() }));
  operator.post('/call', (request, response) => answerCall(app, limits, request, response));
  operator.use((error: unknown, _request: Request, response: Response, next: NextFunction) =>
    answerFault(app, error, response, next),
  );
  return operator;
}

/** Answers a call that failed: by its sender's fault, for want of the store, or unexpectedly. */
function answerFault(app: App, error: unknown, response: Response, next: NextFunction): void {
  const fault = clientFault(error);
  if (fault !== undefined) {
    response.status(fault).json({ error: UNREADABLE });
    return;
  }
  if (isDatabaseBusyOrAway(error) && !response.headersSent) {
    response.status(503).set('retry-after', `${RETRY_AFTER_SECONDS}`);
    response.json({
      error: 'The store cannot be used just now. Try again in a few seconds.',
      code: 'SERVICE_UNAVAILABLE',
    });
    return;
  }
  app.log.error({ err: error }, 'an operator call failed unexpectedly');
  if (response.headersSent) next(error);
  else response.status(500).json({ error: 'The running server could not do this; its log says why.' });
}

function keyAct({ body }: Request): readonly [action: string, subject: string] {
  return [`key.${wordIn(body, 'operation')}`, `${wordIn(body, 'tenant')}#${wordIn(body, 'principal')}`];
}

async function openMetrics(app: App, registryMetrics: OperatorOptions['registryMetrics']): Promise<Metrics> {
  const { createMetrics } = await import('../../../platform/health/metrics.js');
  const { sellerMetrics } = await import('../metrics.js');
  return createMetrics([...sellerMetrics(app), ...((await registryMetrics?.()) ?? [])], app.log);
}

function requireToken(token: string): RequestHandler {
  const expected = Buffer.from(sha256Hex(token));
  return (request, response, next) => {
    const given = Buffer.from(sha256Hex(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''));
    if (timingSafeEqual(given, expected)) next();
    else response.status(401).json({ error: 'The operator token is wrong.' });
  };
}

/** Reads a body within the bounds of a call, giving way to the event loop; one that is no JSON or exceeds them is answered 400. */
async function readJsonBody(request: Request, response: Response, next: NextFunction): Promise<void> {
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes)) return next();
  const read = await readJsonInSlices(bytes, BODY_BOUNDS);
  if (read.ok) {
    request.body = read.value;
    return next();
  }
  const error =
    read.exceeded === undefined
      ? UNREADABLE
      : `The body ${explainExcess(read.exceeded, BODY_BOUNDS).fault}. Send less at once.`;
  response.status(400).json({ error });
}

const UNREADABLE = 'The request cannot be read: send a JSON object in UTF-8, of at most 8 MB.';

/** Answers with what a route comes to, or with what it refuses; anything else that it throws goes on. */
function answerWith(app: App, { act, run }: Pick<Route, 'act' | 'run'>): RequestHandler {
  return async (request, response) => {
    try {
      const [action, subject = ''] = act?.(request) ?? [];
      const entry = { actor: COMMAND_LINE, action: action ?? '', subject };
      response.json(
        action === undefined ? await run(app, request) : await carryOutAct(app, entry, async () => run(app, request)),
      );
    } catch (thrown) {
      const error = taskErrorOrThrow(thrown);
      const { suggestion } = error.extras;
      response
        .status(ERROR_CODES[error.code].status)
        .json({ error: suggestion === undefined ? error.message : `${error.message} ${suggestion}`, code: error.code });
    }
  };
}

/** Returns a member of a body that is a text, at most 200 characters of it; an empty one where it is none. */
function wordIn(body: unknown, name: string): string {
  const value = isObject(body) ? body[name] : undefined;
  return typeof value === 'string' ? value.slice(0, 200) : '';
}

async function answerCall(app: App, limits: Limits, request: Request, response: Response): Promise<void> {
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
    response.json(await callForOperator(app, limits, call));
  } catch (error) {
    response.status(404).json({ error: error instanceof Error ? error.message : String(error) });
  }
}
