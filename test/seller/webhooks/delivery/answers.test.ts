import { describe, expect, it } from 'vitest';
import { SIGNATURE_CODES } from '../../../../src/platform/signing/verify/codes.js';
import {
  ANSWER_POLICY,
  DEAD_REASONS,
  judgeAnswer,
  type PostResult,
} from '../../../../src/seller/webhooks/delivery/answers.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const judge = (result: PostResult, policy = ANSWER_POLICY) => judgeAnswer(result, policy, NOW);
const coded = (challenge: string): PostResult => ({ status: 401, headers: { 'www-authenticate': challenge } });
const STATUSES = Array.from({ length: 500 }, (_, index) => index + 100);

describe('an answer', () => {
  it('is a success exactly where its status is 2xx, and every other says why not', () => {
    for (const status of STATUSES) {
      const verdict = judge({ status, headers: {} });
      const isGood = status >= 200 && status < 300;
      expect([verdict.action === 'done', verdict.activity === 'success', verdict.message === null]).toEqual([
        isGood,
        isGood,
        isGood,
      ]);
      if (!isGood) expect(verdict.message).toMatch(new RegExp(`^HTTP ${status}( |$)`));
      expect(DEAD_REASONS).toHaveProperty(verdict.reason);
    }
  });

  it('ends an event at once only for a conflict, an address that is gone and a size; server trouble is retried to the end', () => {
    const byAction = (action: string) => STATUSES.filter((status) => judge({ status, headers: {} }).action === action);
    expect(byAction('stop')).toEqual([409, 410, 413]);
    expect(byAction('retry')).toEqual([401, 408, 425, 429, ...STATUSES.filter((status) => status >= 500)]);
    expect(STATUSES.some((status) => judge({ status, headers: {} }).pausesChannel)).toBe(false);
  });

  it('tells trouble of the endpoint from a refusal of the event', () => {
    const failing = STATUSES.filter((status) => judge({ status, headers: {} }).isEndpointFailing);
    expect(failing).toEqual([408, 425, 429, ...STATUSES.filter((status) => status >= 500)]);
    expect(STATUSES.filter((status) => judge({ status, headers: {} }).isThrottled)).toEqual([429]);
  });

  it('asks for a pause with 429 and 503 alone', () => {
    const headers = { 'retry-after': '7' };
    expect(STATUSES.filter((status) => judge({ status, headers }).retryAfterMs !== undefined)).toEqual([429, 503]);
  });

  it('of 410 pauses its channel where the tenant wants it', () => {
    const paused = STATUSES.filter(
      (status) => judge({ status, headers: {} }, { ...ANSWER_POLICY, onGone: 'pause' }).pausesChannel,
    );
    expect(paused).toEqual([410]);
  });
});

describe('a 401', () => {
  it.each([
    ['Signature error="webhook_signature_invalid"', 'webhook_signature_invalid'],
    ['Bearer realm="x", Signature error="webhook_signature_key_unknown"', 'webhook_signature_key_unknown'],
    ['Signature error="webhook_of_another_world"', 'unknown'],
    ['Signature error="request_signature_invalid"', undefined],
    ['Bearer error="webhook_signature_invalid"', undefined],
    ['Signature', undefined],
    ['', undefined],
  ])('with %s names %s, and is retried on the whole schedule by default', (challenge, code) => {
    expect(judge(coded(challenge))).toMatchObject({ signatureError: code, action: 'retry', isEndpointFailing: false });
  });

  it('shows no text of the receiver: only codes of the profile reach the buyer', () => {
    const message = judge(coded('Signature error="webhook_password_is_hunter_two"')).message;
    expect(message).toBe('HTTP 401 Unauthorized: signature rejected (unknown)');
    for (const code of SIGNATURE_CODES.filter((one) => one.startsWith('webhook_')))
      expect(judge(coded(`Signature error="${code}"`)).signatureError).toBe(code);
  });

  it.each([
    ['bounded', 'bounded', 2],
    ['stop', 'stop', 0],
  ] as const)(
    'that rejects the signature follows the setting %s; a plain one never does',
    (setting, action, retries) => {
      const policy = { ...ANSWER_POLICY, signatureReject: setting };
      const rejected = coded('Signature error="webhook_signature_invalid"');
      expect(judge(rejected, policy)).toMatchObject({ action, retries, reason: 'signature_rejected' });
      expect(judge({ status: 401, headers: {} }, policy)).toMatchObject({ action: 'retry' });
    },
  );
});

describe('no answer', () => {
  it.each([
    ['timeout', 'retry', 'timeout', true],
    ['unresolved', 'retry', 'connection_error', true],
    ['unreachable', 'retry', 'connection_error', true],
    ['insecure', 'retry', 'connection_error', true],
    ['broken_answer', 'retry', 'connection_error', true],
    ['private_address', 'stop', 'connection_error', false],
    ['not_https', 'stop', 'connection_error', false],
    ['credentials', 'stop', 'connection_error', false],
    ['not_a_url', 'stop', 'connection_error', false],
  ] as const)('for %s: %s, shown as %s', (fault, action, activity, isEndpointFailing) => {
    expect(judge({ fault })).toMatchObject({
      action,
      activity,
      isEndpointFailing,
      message: expect.stringMatching(/\w/),
    });
  });
});
