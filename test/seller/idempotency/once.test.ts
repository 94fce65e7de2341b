import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/platform/kernel/clock.js';
import { TaskError } from '../../../src/protocol/errors.js';
import { createIdempotency, type Keyed } from '../../../src/seller/idempotency/key.js';
import { NOW } from '../domain/order-context.js';
import { buyCalled, openTestStore } from '../store/fixture.js';

const TTL = 3600;
const keyed = (changes: Partial<Keyed> = {}): Keyed => ({ owner: 'o', key: 'k', hash: 'h', nowMs: NOW, ...changes });
const codeOf = (error: unknown) => (error instanceof TaskError ? error.code : String(error));

describe('run', () => {
  it('runs an effect once, and answers the same ever after', async () => {
    const store = await openTestStore();
    const { run } = createIdempotency(store);
    let effects = 0;
    const effect = async () => {
      effects += 1;
      return `{"n":${effects}}`;
    };
    expect(await run(keyed(), TTL, effect)).toEqual({ response: '{"n":1}', replayed: false });
    expect(await run(keyed(), TTL, effect)).toEqual({ response: '{"n":1}', replayed: true });
    expect(await createIdempotency(store).run(keyed(), TTL, effect)).toEqual({ response: '{"n":1}', replayed: true });
    expect(effects).toBe(1);
  });

  it('gives callers at the same time one effect: one executes, the others replay', async () => {
    const { run } = createIdempotency(await openTestStore());
    let effects = 0;
    const effect = async () => {
      effects += 1;
      return `{"n":${effects}}`;
    };
    const answers = await Promise.all(Array.from({ length: 100 }, () => run(keyed(), TTL, effect)));
    expect(effects).toBe(1);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.response))).toEqual(new Set(['{"n":1}']));
  });

  it('two processes on one store make one effect, too', async () => {
    const store = await openTestStore();
    const run = async (id: string) =>
      createIdempotency(store).run(keyed(), TTL, async (tx) => {
        await tx.mediaBuys.insert('o', buyCalled(id), true);
        return `"${id}"`;
      });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => run(`mb_${n}`)));
    expect(new Set(answers.map((answer) => answer.response)).size).toBe(1);
    expect(await store.read.mediaBuys.list('o', { limit: 50, after: undefined }, {})).toHaveLength(1);
  });

  it('a failed effect leaves nothing behind, and the key free for anything', async () => {
    const store = await openTestStore();
    const { run } = createIdempotency(store);
    const failing = run(keyed(), TTL, async (tx) => {
      await tx.mediaBuys.insert('o', buyCalled('mb_a'), true);
      throw new TaskError('BUDGET_TOO_LOW', 'too little');
    });
    await expect(failing).rejects.toMatchObject({ code: 'BUDGET_TOO_LOW' });
    expect(await store.read.mediaBuys.find('o', 'mb_a')).toBeUndefined();
    expect(await store.read.keys.find('o', 'k')).toBeUndefined();
    expect(await run(keyed({ hash: 'other' }), TTL, async () => '1')).toEqual({ response: '1', replayed: false });
  });

  it('callers who wait for one that fails try themselves, one after the other', async () => {
    const { run } = createIdempotency(await openTestStore());
    let tries = 0;
    const settled = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        run(keyed(), TTL, async () => {
          tries += 1;
          if (tries <= 3) throw new TaskError('SERVICE_UNAVAILABLE', 'not yet');
          return `${tries}`;
        }),
      ),
    );
    expect(tries).toBe(4);
    expect(settled.filter((one) => one.status === 'rejected')).toHaveLength(3);
    expect(settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.response] : []))).toEqual(
      Array(7).fill('4'),
    );
  });

  it('another request under the key is a conflict, also while the first is in hand', async () => {
    const { run } = createIdempotency(await openTestStore());
    const [first, second] = await Promise.allSettled([
      run(keyed(), TTL, async () => '1'),
      run(keyed({ hash: 'other' }), TTL, async () => '2'),
    ]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { response: '1' } });
    expect(second.status === 'rejected' && codeOf(second.reason)).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('owners do not know each other’s keys, whatever their names are made of', async () => {
    const { run } = createIdempotency(await openTestStore());
    const answer = (owner: string, key: string) => run(keyed({ owner, key }), TTL, async () => `"${owner} ${key}"`);
    const pairs = [
      ['a', 'k'],
      ['b', 'k'],
      ['a#b', 'k'],
      ['a', '#bk'],
      ['ak', ''],
      ['', 'ak'],
    ] as const;
    for (const [owner, key] of pairs)
      expect(await answer(owner, key)).toEqual({ response: `"${owner} ${key}"`, replayed: false });
  });

  it('the key itself is not kept', async () => {
    const store = await openTestStore();
    await createIdempotency(store).run(keyed({ key: 'very-secret-key' }), TTL, async () => '1');
    expect(await store.read.keys.find('o', 'very-secret-key')).toBeDefined();
    expect(JSON.stringify(await store.read.keys.find('o', 'very-secret-key'))).not.toContain('very-secret-key');
  });
});

describe('a key grows old', () => {
  it.each<readonly [what: string, afterMs: number, expected: string]>([
    ['is answered', TTL * 1000 - 1, 'replayed'],
    ['expires', TTL * 1000, 'IDEMPOTENCY_EXPIRED'],
    ['is remembered', 90 * DAY_MS - 1000, 'IDEMPOTENCY_EXPIRED'],
    ['is forgotten', 98 * DAY_MS, 'executed'],
  ])('it %s after %i ms', async (_what, afterMs, expected) => {
    const store = await openTestStore();
    const { run } = createIdempotency(store);
    await run(keyed(), TTL, async () => '1');
    const nowMs = NOW + afterMs;
    await store.sweep(nowMs);
    const outcome = await run(keyed({ nowMs }), TTL, async () => '2').then(
      (once) => (once.replayed ? 'replayed' : 'executed'),
      codeOf,
    );
    expect(outcome).toBe(expected);
  });

  it('says so also when nobody has swept', async () => {
    const { run } = createIdempotency(await openTestStore());
    await run(keyed(), TTL, async () => '1');
    await expect(run(keyed({ nowMs: NOW + TTL * 1000 }), TTL, async () => '2')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_EXPIRED',
    });
  });
});

describe('a sweep of old keys', () => {
  it('works in slices that others go between, and stops when it is told to', async () => {
    const store = await openTestStore();
    const expiring = { hash: 'h', response: '1', created_at: NOW - 91 * DAY_MS, expires_at: NOW - 90 * DAY_MS };
    await store.transact(async (tx) => {
      for (let n = 0; n < 5000; n += 1) await tx.keys.add('o', `key-${n}`, expiring);
    });
    const before = store.stats().transactions;
    let answered = 0;
    const reading = setInterval(() => (answered += 1), 0);
    await store.sweep(NOW, () => store.stats().transactions - before >= 2);
    expect((await store.read.keys.find('o', 'key-4999'))?.response).toBe('1');
    await store.sweep(NOW);
    clearInterval(reading);
    expect(await store.read.keys.find('o', 'key-0')).toBeUndefined();
    expect(await store.read.keys.find('o', 'key-4999')).toBeUndefined();
    expect(store.stats().transactions - before).toBeGreaterThan(5);
    expect(answered).toBeGreaterThan(2);
  });
});
