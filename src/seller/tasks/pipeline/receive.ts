import { creativeStatus } from '../../../creative/formats/manifest.js';
import { isoTime } from '../../../platform/kernel/clock.js';
import { isObject, type Written } from '../../../platform/kernel/json/json.js';
import { type Addressee, errorPayload, type Payload } from '../../../protocol/envelope.js';
import { asTaskError, TaskError } from '../../../protocol/errors.js';
import { negotiateRelease, RELEASES } from '../../../protocol/versions.js';
import type { App, Call, Caller, TaskRequest } from '../../context.js';
import { ownerKey } from '../../domain/tenant/tenant.js';
import type { Tool } from './define.js';

/** The root object of an answer, and whether the call failed. */
export type Answer = { readonly payload: Payload | Written; readonly isError: boolean };

/** Returns the call that a caller makes now with a request. Throws VERSION_UNSUPPORTED. */
export function receiveCall(app: App, caller: Caller, request: TaskRequest): Call {
  const { names } = caller.seller;
  const owner = ownerOf(caller);
  const ms = app.clock.nowOf(owner);
  const to = {
    ...addressee(caller, request),
    release: negotiateRelease(request, names),
    asked: names.acceptedVersion.some((field) => request[field] !== undefined),
  };
  const seller = app.registry.seen(caller.seller, caller.principal);
  const seen = app.interceptor(caller)?.receive(seller, owner) ?? seller;
  return { ...caller, seller: seen, owner, to, now: { ms, iso: isoTime(ms) } };
}

/** Returns whom an answer is for, before the release is known: the oldest release, with the request's context. */
export function addressee(caller: Caller, { context }: TaskRequest): Addressee {
  return {
    names: caller.seller.names,
    release: RELEASES[0],
    asked: false,
    context: isObject(context) ? context : undefined,
  };
}

/** The caller's partition of the store. */
export function ownerOf(caller: Caller): string {
  return ownerKey(caller.seller.tenant.path, caller.principal?.id ?? '');
}

/** Returns the one error body for anything thrown; what is no TaskError is logged, and answered without its text. */
export function answerFailure(
  { app, caller, to }: { readonly app: App } & Addressed,
  error: unknown,
  tool: Pick<Tool, 'empty' | 'creative'> = {},
): Answer {
  const refusal = asTaskError(error) ?? reportIncident(app, caller, error);
  const status = tool.creative === true ? creativeStatus(refusal.code) : undefined;
  return { payload: errorPayload(refusal, to, tool.empty, status), isError: true };
}

type Addressed = { readonly caller: Caller; readonly to: Addressee };

function reportIncident(app: App, caller: Caller, error: unknown): TaskError {
  const incident = app.ids.next('err');
  app.log.error({ err: error, incident, tenant: caller.seller.tenant.path }, 'a task call failed unexpectedly');
  return new TaskError('SERVICE_UNAVAILABLE', 'The request could not be carried out just now.', {
    retryAfter: 5,
    suggestion: `Retry with the same idempotency_key; if it goes on, tell the seller the incident ${incident}.`,
  });
}
