import type { z } from 'zod';
import { DatabaseUnavailable, LockTimeout } from '../../../platform/database/unavailable.js';
import { pointerStep } from '../../../platform/kernel/json/json.js';
import { asTaskError, ERROR_CODES } from '../../../protocol/errors.js';
import type { RequestIssue } from '../../model/refusals.js';
import { PROBLEMS, type ProblemCode, RegistryProblem } from '../service/problem.js';

/** An error as a response: the one body of all errors, with both spellings of the time to wait. */
type ProblemReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};

/** Returns an error of any kind as a response. An unexpected one is `internal`, and its text stays here. */
export function toProblemReply(error: unknown, challenge: string): ProblemReply {
  const problem = asProblem(error);
  const { code, extras, message } = problem;
  const { field, suggestion, retryAfter, details = {} } = extras;
  const status = code === 'invalid_request' ? statusOf(error) : PROBLEMS[code].status;
  const limit = typeof details.limit === 'number' ? details.limit : undefined;
  return {
    status,
    headers: {
      ...(status === 401 ? { 'www-authenticate': challenge } : {}),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...(limit === undefined || retryAfter === undefined
        ? {}
        : { 'ratelimit-limit': String(limit), 'ratelimit-remaining': '0', 'ratelimit-reset': String(retryAfter) }),
    },
    body: {
      error: WORDED.has(code) ? code : message,
      code,
      // Callers of the public registry read a second text beside these.
      ...(WORDED.has(code) || status === 401 ? { message } : {}),
      field,
      suggestion,
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter, retryAfter }),
      ...details,
    },
  };
}

/** When a request is worth sending again that the database could not take. */
const DATABASE_RETRY_SECONDS = 2;

/** Codes that `error` itself holds in place of a sentence. */
const WORDED: ReadonlySet<ProblemCode> = new Set(['cursor_expired']);

/** Codes of a guarded fetch and of the kernel keep their status. */
function statusOf(error: unknown): number {
  const code = asTaskError(error)?.code;
  return code !== undefined && ERROR_CODES[code].status < 500 && code !== 'VALIDATION_ERROR'
    ? ERROR_CODES[code].status
    : PROBLEMS.invalid_request.status;
}

function asProblem(error: unknown): RegistryProblem {
  if (error instanceof RegistryProblem) return error;
  if (error instanceof DatabaseUnavailable || error instanceof LockTimeout)
    return new RegistryProblem('unavailable', 'The database cannot be reached just now; nothing was done.', {
      retryAfter: DATABASE_RETRY_SECONDS,
      suggestion: 'Send the request again.',
    });
  const taskError = asTaskError(error);
  if (taskError !== undefined) {
    const { field, suggestion, retryAfter } = taskError.extras;
    return new RegistryProblem(
      taskError.code === 'RATE_LIMITED' ? 'rate_limited' : 'invalid_request',
      taskError.message,
      {
        field,
        suggestion: suggestion ?? 'Correct the request and send it again; the API page lists it.',
        retryAfter,
      },
    );
  }
  return new RegistryProblem('internal', 'The request could not be carried out just now.', {
    suggestion: 'Send it again; if it fails again, tell the operator of this registry the time of the request.',
  });
}

const CORRECT = {
  body: 'Correct the body and send it again; the API page lists it.',
  query: 'Correct the query and send it again; the API page lists it.',
};

/** Faults of one request that are listed. */
const MAX_ISSUES = 20;

/** Returns the faults of a query or body as a problem: the first fault is the error, all are listed in parts. */
export function invalidRequest(found: readonly z.core.$ZodIssue[], where: 'query' | 'body'): RegistryProblem {
  const [first = NO_ISSUE, ...others] = found.slice(0, MAX_ISSUES).map((issue) => readFault(issue, where));
  const { code, field, message, suggestion, ...details } = first;
  const issues: readonly RequestIssue[] = [first, ...others].map((one) => ({
    field: one.field,
    message: one.message,
    suggestion: one.suggestion,
  }));
  return new RegistryProblem(code, field === '' ? message : `${field}: ${message}`, {
    field,
    suggestion: suggestion ?? CORRECT[where],
    details: { ...details, issues },
  });
}

type Fault = RequestIssue & { readonly code: ProblemCode };

const NO_ISSUE: Fault = { code: 'invalid_request', field: '', message: 'the request is not valid' };

/** Returns an issue with the code, the next step and the details that its check gives it. */
function readFault(issue: z.core.$ZodIssue, where: 'query' | 'body'): Fault {
  const { params } = issue as { readonly params?: Readonly<Record<string, unknown>> };
  const { code, suggestion, ...details } = params ?? {};
  return {
    ...details,
    code: typeof code === 'string' && Object.hasOwn(PROBLEMS, code) ? (code as ProblemCode) : 'invalid_request',
    field: fieldOf(issue, where),
    message: issue.message,
    suggestion: typeof suggestion === 'string' ? suggestion : undefined,
  };
}

function fieldOf({ path }: z.core.$ZodIssue, where: 'query' | 'body'): string {
  return where === 'query' ? String(path[0] ?? '') : path.map(pointerStep).join('');
}
