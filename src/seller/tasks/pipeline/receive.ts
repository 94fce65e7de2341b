import type { z } from 'zod';
import { creativeStatus } from '../../../creative/formats/manifest.js';
import { isDatabaseBusyOrAway, RETRY_AFTER_SECONDS } from '../../../platform/database/unavailable.js';
import { isoTime } from '../../../platform/kernel/clock.js';
import { fieldPath, hasMoreValues, isObject, pointerStep, type Written } from '../../../platform/kernel/json/json.js';
import { verbatim } from '../../../platform/kernel/json/verbatim.js';
import { listed, nearest } from '../../../platform/kernel/nearest.js';
import { type Addressee, errorPayload, type Payload } from '../../../protocol/envelope.js';
import { asTaskError, type Issue, TaskError } from '../../../protocol/errors.js';
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
  /** The answer was stored under the key of the call, and is given again. */
  readonly isReplayed?: boolean;
};

/** Returns the call that a caller makes now with a request. Throws VERSION_UNSUPPORTED. */
export function receiveCall(app: App, caller: Caller, request: TaskRequest): Call {
  const { names } = caller.seller;
  const owner = ownerOf(caller);
  const ms = app.clock.nowOf(owner);
  const to = {
    ...addressee(caller, request),
    release: negotiateRelease(request, names, caller.seller.tenant.releases),
  };
  const seller = app.registry.seen(caller.seller, caller.principal);
  const seen = app.interceptor(caller)?.receive(seller, owner) ?? seller;
  return { ...caller, seller: seen, owner, to, now: { ms, iso: isoTime(ms) } };
}

/** Returns whom an answer is for: the release that is served to the request, and the request's context. */
export function addressee(caller: Caller, request: TaskRequest): Addressee {
  const { context } = request;
  return {
    names: caller.seller.names,
    ...releaseToServe(request, caller.seller.names, caller.seller.tenant.releases),
    context: isObject(context) ? verbatim(context) : undefined,
    ext: isMadeUp(caller) ? SIMULATED : undefined,
  };
}

/** Whether a caller's buys are live and their delivery is made up: every answer says so. */
function isMadeUp({ seller, principal }: Caller): boolean {
  const { fulfillment, kinds } = seller.tenant;
  return fulfillment === 'simulated' && kinds.includes('sales') && principal?.sandbox === false;
}

/** The caller's partition of the store. */
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
  return { payload, isError: true, code: refusal.code };
}

type Addressed = { readonly caller: Caller; readonly to: Addressee };

/** A database that is away, or too busy to begin, is told by the process's health, not by each call. */
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

/** JSON Schema's words for what zod found. */
const KEYWORDS: Readonly<Record<string, string>> = {
  invalid_type: 'type',
  too_small: 'minimum',
  too_big: 'maximum',
  invalid_format: 'pattern',
  invalid_value: 'enum',
  invalid_union: 'anyOf',
  not_multiple_of: 'multipleOf',
};

/** Of arguments with more values the first fault alone is said: to name each takes much longer than to read them. */
const MAX_EXPLAINED_VALUES = 1000;
/** The most words that a suggestion lists. */
const MAX_LISTED_WORDS = 24;
/** Ends zod's reading of a list or object with its first fault, as its own `validate` does. */
const FIRST_FAULT: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

/** Reads a task's arguments. Throws INVALID_REQUEST with the first field, and every fault as an issue with its pointer. */
export function readArguments<Input>(schema: z.ZodType<Input>, args: unknown, tool: string): Input {
  const result = schema.safeParse(args, FIRST_FAULT);
  if (result.success) return result.data;
  const faults = hasMoreValues(args, MAX_EXPLAINED_VALUES) ? result.error : schema.safeParse(args).error;
  const zodIssues = (faults ?? result.error).issues;
  const issues = zodIssues.map((issue) => toIssue(issue, args));
  const first = issues[0];
  const field = fieldPath(zodIssues[0]?.path ?? []);
  throw new TaskError('INVALID_REQUEST', `${field === '' ? 'arguments' : field}: ${first?.message ?? 'invalid'}`, {
    field,
    suggestion: `${suggestWord(zodIssues[0], args)}Correct ${issues.length === 1 ? 'this field' : `these ${issues.length} fields`} and send the request again; tools/list shows the schema of ${tool}.`,
    issues,
  });
}

/** Returns the words that a field can have, the nearest to what was sent first; empty where it is no matter of words. */
function suggestWord(issue: z.core.$ZodIssue | undefined, args: unknown): string {
  const [word, words] = issue === undefined ? [] : findWord(issue, args);
  if (word === undefined || words === undefined) return '';
  const meant = nearest(word, words);
  return `${meant === undefined ? '' : `Did you mean "${meant}"? `}One of ${listed(words, MAX_LISTED_WORDS)}. `;
}

/** Returns the word that an issue is about, and those that would do. */
function findWord(issue: z.core.$ZodIssue, args: unknown): readonly [word?: string, words?: readonly string[]] {
  if (issue.code === 'invalid_union')
    return (
      issue.errors
        .flat()
        .map((one) => findWord({ ...one, path: [...issue.path, ...one.path] }, args))
        .find(([word]) => word !== undefined) ?? []
    );
  const word = valueAt(args, issue.path);
  if (issue.code !== 'invalid_value' || typeof word !== 'string') return [];
  return [word, issue.values.filter((value) => typeof value === 'string')];
}

function toIssue(issue: z.core.$ZodIssue, args: unknown): Issue {
  const missing = issue.code === 'invalid_type' && valueAt(args, issue.path) === undefined;
  return {
    pointer: issue.path.map(pointerStep).join(''),
    message: missing ? 'is required' : issue.message.slice(0, 200),
    keyword: missing ? 'required' : (KEYWORDS[issue.code] ?? issue.code),
  };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  );
}
