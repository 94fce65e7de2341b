import { creativeStatus } from '../../../creative/formats/manifest.js';
import { isDatabaseBusyOrAway, RETRY_AFTER_SECONDS } from '../../../platform/database/unavailable.js';
import { isoTime } from '../../../platform/kernel/clock.js';
import { isObject, type Written } from '../../../platform/kernel/json/json.js';
import { verbatim } from '../../../platform/kernel/json/verbatim.js';
import { type Addressee, errorPayload, type Payload } from '../../../protocol/envelope.js';
import { asTaskError, TaskError } from '../../../protocol/errors.js';
import { negotiateRelease, releaseToServe } from '../../../protocol/releases.js';
import type { App, Call, Caller, TaskRequest } from '../../context.js';
import { SIMULATED } from '../../domain/media-buy/fulfillment.js';
import { ownerKey } from '../../domain/tenant/principal.js';
import { closeFailure } from './compact.js';
import type { Tool } from './tool.js';

/** The root object of an answer, and whether the call failed. */
export type Answer = {
  readonly payload: Payload | Written;
  readonly isError: boolean;
  /** The code of a failed call. */
  readonly code?: string;
  /** What the database said where it was away or too busy: for the log alone. */
  readonly reason?: string | undefined;
  /** The answer was stored under the key of the call, and is given again. */
  readonly isReplayed?: boolean;
};

/** Returns the call that a caller makes now with a request. Throws VERSION_UNSUPPORTED. */
export function receiveCall(app: App, caller: Caller, request: TaskRequest): Call {
  const { names } = caller.seller;
  const owner = ownerOf(caller);
  const ms = app.clock.nowOf(owner);
  const { asked, context, ext } = addresseeOf(caller, request);
  const release = negotiateRelease(request, names, caller.seller.tenant.releases);
  const to = { names, release, asked, context, ext };
  const seller = app.registry.seen(caller.seller, caller.principal);
  const seen = app.interceptor(caller)?.receive(seller, owner) ?? seller;
  const { grant, isBookedLater, isForModel, isOperator, isPushed, listToken, onTask, origin, principal } = caller;
  const now = { ms, iso: isoTime(ms) };
  // Members by name: a spread with more after it has a new hidden class at each call (bench row `get_products`).
  return {
    seller: seen,
    principal,
    grant,
    isForModel,
    listToken,
    origin,
    onTask,
    isBookedLater,
    isOperator,
    isPushed,
    owner,
    to,
    now,
  };
}

/** Returns whom an answer is for: the release that is served to the request, and the request's context. */
export function addresseeOf(caller: Caller, request: TaskRequest): Addressee {
  const { context } = request;
  const { names, tenant } = caller.seller;
  const { asked, release } = releaseToServe(request, names, tenant.releases);
  return {
    names,
    release,
    asked,
    context: isObject(context) ? verbatim(context) : undefined,
    ext: isMadeUp(caller) ? SIMULATED : undefined,
  };
}

/** Whether a caller's buys are live and their delivery is made up: every answer says so. */
function isMadeUp({ seller, principal }: Caller): boolean {
  const { fulfillment, kinds } = seller.tenant;
  return fulfillment === 'simulated' && kinds.includes('sales') && principal?.sandbox === false;
}

/** Returns the caller's partition of the store. */
export function ownerOf(caller: Caller): string {
  return ownerKey(caller.seller.tenant.path, caller.principal?.id ?? '');
}

/** Returns the one error body for anything thrown; what is no TaskError is logged, and answered without its text. */
export function answerFailure(
  { app, caller, to }: { readonly app: App } & Addressed,
  error: unknown,
  tool: Pick<Tool, 'empty' | 'creative' | 'root'> = {},
): Answer {
  const refusal = asTaskError(error) ?? reportFailure(app, caller, error);
  const status = tool.creative === true ? creativeStatus(refusal.code) : undefined;
  const payload = closeFailure(tool, errorPayload(refusal, to, tool.empty, status), to);
  const reason = isDatabaseBusyOrAway(error) ? error.reason : undefined;
  return { payload, isError: true, code: refusal.code, reason };
}

type Addressed = { readonly caller: Caller; readonly to: Addressee };

/**
 * Returns the error of a failure. A database that is away is an incident of the process and not of each call, whose
 * line in the log has the reason.
 */
function reportFailure(app: App, caller: Caller, error: unknown): TaskError {
  if (!isDatabaseBusyOrAway(error)) return reportIncident(app, caller, error);
  return new TaskError('SERVICE_UNAVAILABLE', 'The request could not be carried out just now.', {
    retryAfter: RETRY_AFTER_SECONDS,
    suggestion: 'Retry with the same idempotency_key.',
  });
}

function reportIncident(app: App, caller: Caller, error: unknown): TaskError {
  const incident = app.ids.next('err');
  app.log.error({ err: error, incident, tenant: caller.seller.tenant.path }, 'a task call failed unexpectedly');
  return new TaskError('SERVICE_UNAVAILABLE', 'The request could not be carried out just now.', {
    retryAfter: RETRY_AFTER_SECONDS,
    suggestion: `Retry with the same idempotency_key; if it goes on, tell the seller the incident ${incident}.`,
  });
}
