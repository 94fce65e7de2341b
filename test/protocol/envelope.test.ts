import { describe, expect, it } from 'vitest';
import { toJson, writeOnce } from '../../src/platform/kernel/json/json.js';
import {
  type Addressee,
  completePayload,
  errorObject,
  errorPayload,
  successPayload,
} from '../../src/protocol/envelope.js';
import { ERROR_CODES, type ErrorCode, type Issue, TaskError } from '../../src/protocol/errors.js';
import { protocolNames } from '../../src/protocol/names.js';

const to = (changes: Partial<Addressee> = {}): Addressee => ({
  names: protocolNames('adcp'),
  release: '3.0',
  asked: false,
  context: undefined,
  ...changes,
});

/** The code at the root, in 3.0 and in 3.1, where it is not the one that was thrown. */
const CODES: Partial<Record<ErrorCode, readonly [root: string, in30: string, in31: string]>> = {
  AUTH_MISSING: ['UNAUTHORIZED', 'AUTH_REQUIRED', 'AUTH_MISSING'],
  AUTH_INVALID: ['UNAUTHORIZED', 'AUTH_REQUIRED', 'AUTH_INVALID'],
  AUTH_REQUIRED: ['UNAUTHORIZED', 'AUTH_REQUIRED', 'AUTH_REQUIRED'],
};

/** Codes that 3.1 added: a 3.0 client knows the one on the right. */
const OLDER: Partial<Record<ErrorCode, ErrorCode>> = {
  UNAUTHORIZED: 'AUTH_REQUIRED',
  IDEMPOTENCY_IN_FLIGHT: 'SERVICE_UNAVAILABLE',
  ACTION_NOT_ALLOWED: 'INVALID_STATE',
  PROPOSAL_NOT_FOUND: 'REFERENCE_NOT_FOUND',
  FORMAT_NOT_SUPPORTED: 'UNSUPPORTED_FEATURE',
  EVALUATOR_AGENT_NOT_ACCEPTED: 'UNSUPPORTED_FEATURE',
  BILLING_OUT_OF_BAND: 'UNSUPPORTED_FEATURE',
  BUDGET_CAP_REACHED: 'BUDGET_EXCEEDED',
  BILLING_NOT_PERMITTED_FOR_AGENT: 'UNSUPPORTED_FEATURE',
  BILLING_NOT_SUPPORTED: 'UNSUPPORTED_FEATURE',
  PAYMENT_TERMS_NOT_SUPPORTED: 'UNSUPPORTED_FEATURE',
  UNSUPPORTED_GRANULARITY: 'UNSUPPORTED_FEATURE',
  FEED_FETCH_FAILED: 'VALIDATION_ERROR',
  INVALID_FEED_FORMAT: 'VALIDATION_ERROR',
  ITEM_VALIDATION_FAILED: 'VALIDATION_ERROR',
  CATALOG_LIMIT_EXCEEDED: 'VALIDATION_ERROR',
  PROVENANCE_REQUIRED: 'CREATIVE_REJECTED',
  PROVENANCE_DIGITAL_SOURCE_TYPE_MISSING: 'CREATIVE_REJECTED',
  PROVENANCE_DISCLOSURE_MISSING: 'CREATIVE_REJECTED',
  PROVENANCE_EMBEDDED_MISSING: 'CREATIVE_REJECTED',
  PROVENANCE_VERIFIER_NOT_ACCEPTED: 'CREATIVE_REJECTED',
};

describe('the code of a failed answer', () => {
  it.each(Object.entries(CODES))('%s: %j', (code, [root, in30, in31]) => {
    for (const [release, expected] of [
      ['3.0', in30],
      ['3.1', in31],
    ] as const) {
      const payload = errorPayload(new TaskError(code as ErrorCode, 'x'), to({ release }));
      expect(payload).toMatchObject({ code: root, adcp_error: { code: expected }, errors: [{ code: expected }] });
    }
  });

  it.each(Object.keys(ERROR_CODES) as ErrorCode[])('%s is one that the release knows', (code) => {
    expect(errorObject(new TaskError(code, 'x'), '3.0').code).toBe(CODES[code]?.[1] ?? OLDER[code] ?? code);
    expect(errorObject(new TaskError(code, 'x'), '3.1').code).toBe(code);
  });

  it.each(['3.0', '3.1'] as const)('brings the recovery of the code that is written (%s)', (release) => {
    for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
      const object = errorObject(new TaskError(code, 'x'), release);
      expect(object.recovery).toBe(ERROR_CODES[object.code as ErrorCode].recovery);
    }
  });
});

describe('errorPayload', () => {
  const issue: Issue = { pointer: '/a', message: 'm', keyword: 'type' };
  const error = new TaskError('RATE_LIMITED', 'Too many.', {
    field: 'f',
    suggestion: 's',
    retryAfter: 7,
    details: { limit: 1 },
    issues: Array.from({ length: 20 }, () => issue),
  });

  it('serves clients of specification 2, 3.0 and 3.1 at once', () => {
    const object = {
      code: 'RATE_LIMITED',
      message: 'Too many.',
      recovery: 'transient',
      field: 'f',
      suggestion: 's',
      retry_after: 7,
      details: { limit: 1 },
      issues: Array.from({ length: 8 }, () => issue),
    };
    expect(errorPayload(error, to())).toEqual({
      status: 'failed',
      code: 'RATE_LIMITED',
      message: 'Too many.',
      recovery: 'transient',
      adcp_error: object,
      errors: [object],
    });
  });

  it('says only what there is', () => {
    expect(errorObject(new TaskError('CONFLICT', 'x'), '3.1')).toEqual({
      code: 'CONFLICT',
      message: 'x',
      recovery: 'transient',
    });
  });

  it('names the error object after the protocol', () => {
    expect(errorPayload(error, to({ names: protocolNames('proto') }))).toHaveProperty(
      'proto_error.code',
      'RATE_LIMITED',
    );
  });

  it.each(['3.0', '3.1'] as const)(
    'a conflict says nothing but code and message in the error object (%s)',
    (release) => {
      const conflict = new TaskError('IDEMPOTENCY_CONFLICT', 'Used.');
      const payload = errorPayload(conflict, to({ release }));
      expect(payload.adcp_error).toEqual({ code: 'IDEMPOTENCY_CONFLICT', message: 'Used.' });
      expect(payload.errors).toEqual([{ code: 'IDEMPOTENCY_CONFLICT', message: 'Used.', recovery: 'correctable' }]);
    },
  );

  it('brings the empty lists that a schema wants, the release that was asked for, and the context', () => {
    expect(
      errorPayload(error, to({ asked: true, release: '3.1', context: { a: [1] } }), { products: [] }),
    ).toMatchObject({
      products: [],
      adcp_version: '3.1',
      context: { a: [1] },
    });
    expect(Object.keys(errorPayload(error, to()))).not.toEqual(expect.arrayContaining(['adcp_version']));
    expect(errorPayload(error, to())).not.toHaveProperty('context');
  });
});

describe('successPayload', () => {
  it('has a status where the task left it open', () => {
    expect(completePayload({ a: 1 })).toEqual({ status: 'completed', a: 1 });
    expect(completePayload({ status: 'active' })).toEqual({ status: 'active' });
  });

  it.each([
    ['nothing to say', to(), {}, { a: 1 }],
    ['a context', to({ context: { x: 1 } }), {}, { a: 1, context: { x: 1 } }],
    ['a release, when one was asked for', to({ asked: true, release: '3.1' }), {}, { a: 1, adcp_version: '3.1' }],
    [
      'a key and a replay',
      to(),
      { idempotency_key: 'k', replayed: true },
      { a: 1, idempotency_key: 'k', replayed: true },
    ],
  ] as const)('with %s, from an object as from a stored text', (_what, addressee, facts, expected) => {
    expect(successPayload({ a: 1 }, addressee, facts)).toEqual(expected);
    expect(toJson(successPayload(writeOnce({ a: 1 }), addressee, facts))).toBe(JSON.stringify(expected));
  });
});

describe('a wait in an error', () => {
  it.each([
    ['3.1', 0.4, 0.4],
    ['3.2-beta.5', 0.4, 1],
    ['3.2-beta.5', 7, 7],
  ] as const)('for callers of %s of %d seconds is %d', (release, retryAfter, said) => {
    expect(errorObject(new TaskError('RATE_LIMITED', 'x', { retryAfter }), release).retry_after).toBe(said);
  });
});
