import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/platform/kernel/clock.js';
import { TaskError } from '../../../src/protocol/errors.js';
import { judgeRecord, readKey, requestHash } from '../../../src/seller/idempotency/key.js';
import { NOW, refusalOf } from '../domain/order-context.js';

const KEY = '0123456789abcdef';

describe('readKey', () => {
  it.each([KEY, 'x'.repeat(255), 'A-z_0.9:abcdefghi', '1a2b3c4d-1a2b-4c3d-8e4f-1a2b3c4d5e6f'])('takes %s', (key) => {
    expect(readKey(key)).toBe(key);
  });

  it.each([
    ['missing', undefined, 'required'],
    ['null', null, 'pattern'],
    ['a number', 1234567890123456, 'pattern'],
    ['empty', '', 'pattern'],
    ['too short', 'x'.repeat(15), 'pattern'],
    ['too long', 'x'.repeat(256), 'pattern'],
    ['with a space', `${KEY} `, 'pattern'],
    ['with a line after it', `${KEY}\n`, 'pattern'],
    ['with a letter beyond ASCII', `${KEY}é`, 'pattern'],
    ['with a slash', `${KEY}/`, 'pattern'],
    ['a list', [KEY], 'pattern'],
  ])('refuses one that is %s, and never repeats it', (_what, key, keyword) => {
    expect(refusalOf(() => readKey(key))).toEqual(['INVALID_REQUEST', 'idempotency_key']);
    try {
      readKey(key);
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      expect(error.extras.issues?.map((issue) => [issue.pointer, issue.keyword])).toEqual([
        ['/idempotency_key', keyword],
      ]);
      if (typeof key === 'string' && key !== '')
        expect(JSON.stringify([error.message, error.extras])).not.toContain(key);
    }
  });
});

describe('requestHash', () => {
  const base = {
    idempotency_key: KEY,
    context: { trace: 1 },
    governance_context: 'g',
    brand: { domain: 'a.example' },
    ext: { x: 1 },
    push_notification_config: {
      url: 'https://buyer.example/',
      token: 't',
      authentication: { schemes: ['Bearer'], credentials: 'secret' },
    },
  };
  const hash = requestHash('create_media_buy', base);
  const config = base.push_notification_config;

  it.each<readonly [what: string, args: Record<string, unknown>, same: boolean]>([
    ['the key', { ...base, idempotency_key: 'another-key-0123456789' }, true],
    ['the context', { ...base, context: { trace: 2 } }, true],
    ['no context', { ...base, context: undefined }, true],
    ['the governance context', { ...base, governance_context: 'h' }, true],
    [
      'the callback’s credentials',
      {
        ...base,
        push_notification_config: { ...config, authentication: { schemes: ['Bearer'], credentials: 'rotated' } },
      },
      true,
    ],
    [
      'the callback’s credentials left out',
      { ...base, push_notification_config: { ...config, authentication: { schemes: ['Bearer'] } } },
      true,
    ],
    [
      'the callback’s scheme',
      {
        ...base,
        push_notification_config: { ...config, authentication: { schemes: ['HMAC-SHA256'], credentials: 'secret' } },
      },
      false,
    ],
    [
      'the callback’s address',
      { ...base, push_notification_config: { ...config, url: 'https://other.example/' } },
      false,
    ],
    ['the callback’s token', { ...base, push_notification_config: { ...config, token: 'u' } }, false],
    ['no callback', { ...base, push_notification_config: undefined }, false],
    ['the brand', { ...base, brand: { domain: 'b.example' } }, false],
    ['an extension', { ...base, ext: { x: 2 } }, false],
    ['an unknown field', { ...base, unknown: 1 }, false],
    ['a null instead of nothing', { ...base, proposal_id: null }, false],
    ['the order of members', Object.fromEntries(Object.entries(base).toReversed()), true],
    ['a context further down', { ...base, brand: { domain: 'a.example', context: {} } }, false],
  ])('hears a change of %s: the same %s', async (_what, args, same) => {
    expect((await requestHash('create_media_buy', args)) === (await hash)).toBe(same);
  });

  it('tells tasks apart', async () => {
    expect(await requestHash('update_media_buy', base)).not.toBe(await hash);
  });

  it('takes callback settings of any shape', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ noUnicodeString: true } as never), async (push_notification_config) => {
        expect(await requestHash('t', { push_notification_config })).toMatch(/^[\w-]{43}$/);
      }),
    );
  });
});

describe('judge', () => {
  const record = { hash: 'h', response: '{"a":1}', expires_at: NOW + DAY_MS };

  it.each([
    ['a retry', record, 'h', NOW, '{"a":1}'],
    ['a retry in the last millisecond', record, 'h', NOW + DAY_MS - 1, '{"a":1}'],
    ['a retry too late', record, 'h', NOW + DAY_MS, 'IDEMPOTENCY_EXPIRED'],
    ['a tombstone', { ...record, response: null }, 'h', NOW, 'IDEMPOTENCY_EXPIRED'],
    ['another request', record, 'i', NOW, 'IDEMPOTENCY_CONFLICT'],
    ['another request too late', record, 'i', NOW + DAY_MS, 'IDEMPOTENCY_EXPIRED'],
  ] as const)('%s', (_what, known, hash, now, expected) => {
    if (expected.startsWith('{')) expect(judgeRecord(known, hash, now)).toBe(expected);
    else expect(refusalOf(() => judgeRecord(known, hash, now))).toEqual([expected]);
  });

  it('a conflict says nothing of the first request', () => {
    expect(() => judgeRecord(record, 'i', NOW)).toThrow(expect.objectContaining({ extras: {} }));
  });
});
