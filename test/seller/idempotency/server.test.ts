import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/platform/kernel/clock.js';
import { MEDIA_BUY_STATUSES } from '../../../src/seller/domain/media-buy/media-buy.js';
import { boot } from '../../kit/boot.js';
import {
  createRequest,
  createRequestByKey,
  creative,
  freshKey,
  packageRequest,
  SANDBOX_ACCOUNT,
  succeeded,
  updateRequest,
} from '../../kit/buyer.js';
import type { Answer } from '../../kit/wire.js';

const server = await boot();
const TOKENS = ['sandbox-token', 'sandbox-token-2', 'demo-one-v1', 'demo-two-v1'] as const;
const END = '2031-12-31T00:00:00Z';

/** What a call asks for under its key: two different buys, and one that every seller refuses. */
const VARIANTS = { small: 100, large: 200, refused: 0 } as const;
type Variant = keyof typeof VARIANTS;
type Try = { readonly caller: number; readonly key: number; readonly variant: Variant };

const CODE_OF_REFUSED = 'BUDGET_TOO_LOW';
let contexts = 0;

/** Sends one try; every call has a context of its own, which its answer must echo. */
async function attempt(run: string, { caller, key, variant }: Try): Promise<Answer> {
  contexts += 1;
  const context = { call: contexts };
  const answer = await server.call(
    'create_media_buy',
    createRequestByKey({
      idempotency_key: `${run}-key-${key}`,
      end_time: END,
      packages: [packageRequest({ budget: VARIANTS[variant] })],
      context,
    }),
    { token: TOKENS[caller] ?? null },
  );
  expect(answer.payload.context).toEqual(context);
  return answer;
}

/** What a key holds: which variant took effect, and its answer without what belongs to the call. */
type Taken = { readonly variant: Variant; readonly answer: object };

function withoutCall({ payload: { context: _context, replayed: _replayed, ...rest } }: Answer): object {
  return rest;
}

/**
 * Judges the answers that calls of one principal under one key got, sent all at once, by what the key held before; answers what
 * it holds now. Nothing is assumed about the order in which the server took them.
 */
function judgeAnswers(
  held: Taken | undefined,
  calls: readonly { variant: Variant; answer: Answer }[],
): Taken | undefined {
  const executed = calls.filter(({ answer }) => !answer.isError && answer.payload.replayed !== true);
  const anyValid = calls.some(({ variant }) => variant !== 'refused');
  expect(executed, 'calls that took effect').toHaveLength(held === undefined && anyValid ? 1 : 0);
  const [first] = executed;
  const taken =
    held ?? (first === undefined ? undefined : { variant: first.variant, answer: withoutCall(first.answer) });
  for (const { variant, answer } of calls) {
    if (taken === undefined) expect(answer.payload.code).toBe(CODE_OF_REFUSED);
    else if (variant === taken.variant) expect(withoutCall(answer)).toEqual(taken.answer);
    else if (variant !== 'refused' || held !== undefined) expect(answer.payload.code).toBe('IDEMPOTENCY_CONFLICT');
    else expect([CODE_OF_REFUSED, 'IDEMPOTENCY_CONFLICT']).toContain(answer.payload.code);
    if (answer.payload.code === 'IDEMPOTENCY_CONFLICT') checkConflict(answer, taken);
  }
  return taken;
}

/** A conflict says that it is one, and nothing of the request that came first. */
function checkConflict({ payload }: Answer, taken: Taken | undefined): void {
  expect(Object.keys(payload.adcp_error).sort()).toEqual(['code', 'message']);
  expect(Object.keys(payload.errors[0] ?? {}).sort()).toEqual(['code', 'message', 'recovery']);
  const { media_buy_id } = (taken?.answer ?? {}) as { media_buy_id?: string };
  expect(JSON.stringify(payload)).not.toContain(media_buy_id ?? 'mb_');
}

/** The ids of all buys of a principal, read page by page. */
async function allBuys(token: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const pagination = { max_results: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page = succeeded(
      await server.call('get_media_buys', { status_filter: [...MEDIA_BUY_STATUSES], pagination }, { token }),
    );
    ids.push(...page.media_buys.map((buy) => buy.media_buy_id));
    if (!page.pagination.has_more) return ids;
    ({ cursor } = page.pagination);
  }
}

describe('many callers, few keys, all at once', () => {
  it('comes to one effect per key, whatever the order', async () => {
    const effects = new Map(
      await Promise.all(TOKENS.map(async (token) => [token, new Set(await allBuys(token))] as const)),
    );
    let runs = 0;
    const tries = fc.record({
      caller: fc.nat(TOKENS.length - 1),
      key: fc.nat(2),
      variant: fc.constantFrom<Variant>('small', 'small', 'large', 'refused'),
    });
    const rounds = fc.array(fc.array(tries, { minLength: 1, maxLength: 24 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rounds, async (batches) => {
        runs += 1;
        const run = `run-${runs}-0123456789`;
        const held = new Map<string, Taken>();
        for (const batch of batches) {
          const calls = await Promise.all(batch.map(async (one) => ({ ...one, answer: await attempt(run, one) })));
          for (const slot of new Set(batch.map((one) => `${one.caller}/${one.key}`))) {
            const taken = judgeAnswers(
              held.get(slot),
              calls.filter((one) => `${one.caller}/${one.key}` === slot),
            );
            if (taken !== undefined) held.set(slot, taken);
          }
        }
        for (const [slot, { answer }] of held) {
          const token = TOKENS[Number(slot.split('/')[0])] ?? TOKENS[0];
          effects.get(token)?.add((answer as { media_buy_id: string }).media_buy_id);
        }
      }),
      { numRuns: 25 },
    );
    for (const token of TOKENS) {
      expect((await allBuys(token)).toSorted(), token).toEqual([...(effects.get(token) ?? [])].sort());
    }
  });

  it('a hundred parallel calls with one key make one buy', async () => {
    const before = (await allBuys('sandbox-token')).length;
    const request = createRequest({ end_time: END });
    const answers = await Promise.all(Array.from({ length: 100 }, () => server.call('create_media_buy', request)));
    expect(answers.filter((answer) => answer.isError)).toEqual([]);
    expect(answers.filter((answer) => answer.payload.replayed !== true)).toHaveLength(1);
    expect(new Set(answers.map((answer) => JSON.stringify(withoutCall(answer)))).size).toBe(1);
    expect(await allBuys('sandbox-token')).toHaveLength(before + 1);
  });

  it('a key of one principal means nothing to another', async () => {
    const idempotency_key = freshKey();
    const ids = await Promise.all(
      TOKENS.map(async (token) => {
        const { payload } = await server.call(
          'create_media_buy',
          createRequestByKey({ idempotency_key, end_time: END }),
          { token },
        );
        expect(payload.replayed).toBeUndefined();
        return payload.media_buy_id;
      }),
    );
    expect(new Set(ids).size).toBe(TOKENS.length);
  });
});

describe('every changing task', () => {
  const buy = async (): Promise<string> =>
    succeeded(await server.call('create_media_buy', createRequest({ end_time: END }))).media_buy_id;

  it.each<readonly [tool: string, request: () => Promise<Record<string, unknown>>, other: Record<string, unknown>]>([
    ['create_media_buy', async () => createRequest({ end_time: END }), { po_number: 'other' }],
    ['update_media_buy', async () => updateRequest(await buy(), { paused: true }), { paused: false }],
    [
      'sync_creatives',
      async () => ({
        idempotency_key: freshKey(),
        account: { account_id: SANDBOX_ACCOUNT },
        creatives: [creative(freshKey())],
      }),
      { creatives: [creative('other')] },
    ],
    [
      'sync_accounts',
      async () => ({
        idempotency_key: freshKey(),
        accounts: [{ brand: { domain: 'new.example' }, operator: 'op.example', billing: 'operator' }],
      }),
      { accounts: [{ brand: { domain: 'other.example' }, operator: 'op.example', billing: 'operator' }] },
    ],
    [
      'provide_performance_feedback',
      async () => ({
        idempotency_key: freshKey(),
        media_buy_id: await buy(),
        measurement_period: { start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z' },
        performance_index: 1.2,
      }),
      { performance_index: 0.5 },
    ],
  ])('%s answers a retry the same and another request with a conflict', async (tool, request, other) => {
    const asked = await request();
    const first = await server.call(tool, { ...asked, context: { n: 1 } });
    succeeded(first);
    const again = await server.call(tool, { ...asked, context: { n: 2 } });
    expect(first.payload).not.toHaveProperty('replayed');
    expect(again.payload).toMatchObject({ replayed: true, context: { n: 2 } });
    expect(withoutCall(again)).toEqual(withoutCall(first));
    expect((await server.call(tool, { ...asked, ...other })).payload.code).toBe('IDEMPOTENCY_CONFLICT');
    const { idempotency_key: _key, ...keyless } = asked;
    expect((await server.call(tool, keyless)).payload).toMatchObject({
      code: 'INVALID_REQUEST',
      adcp_error: { field: 'idempotency_key' },
    });
  });

  it('a replay shows what was answered then, not what is true now', async () => {
    const request = createRequest({ end_time: END });
    const first = succeeded(await server.call('create_media_buy', request));
    succeeded(await server.call('update_media_buy', updateRequest(first.media_buy_id, { canceled: true })));
    expect((await server.call('create_media_buy', request)).payload).toMatchObject({
      status: first.status,
      revision: 1,
      replayed: true,
    });
  });

  it('one key for two tasks is a conflict', async () => {
    const request = createRequest({ end_time: END });
    const { media_buy_id } = succeeded(await server.call('create_media_buy', request));
    const { idempotency_key } = request;
    const { payload } = await server.call('update_media_buy', { ...updateRequest(media_buy_id), idempotency_key });
    expect(payload.code).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('a failed call releases its key, for the same request as for another', async () => {
    const request = createRequest({ end_time: END });
    const wrong = { ...request, packages: [packageRequest({ product_id: 'nope' })] };
    expect((await server.call('create_media_buy', wrong)).payload.code).toBe('PRODUCT_NOT_FOUND');
    expect((await server.call('create_media_buy', wrong)).payload.code).toBe('PRODUCT_NOT_FOUND');
    expect(succeeded(await server.call('create_media_buy', request))).not.toHaveProperty('replayed');
  });

  // JSON can say more than a hash can take; the caller must learn what to correct, and that retrying is no use.
  it.each([
    ['a number too large', '1e400'],
    ['half a character', '"\\ud800"'],
  ])('%s anywhere in a request is no server error', async (_what, text) => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'create_media_buy', arguments: createRequest({ end_time: END, ext: { odd: '@@' } }) },
    }).replace('"@@"', text);
    const { structuredContent } = (
      (await server.raw(body)).json() as { result: { structuredContent: { code?: string } } }
    ).result;
    expect(structuredContent.code).not.toBe('SERVICE_UNAVAILABLE');
  });

  it('the server logged no failure of its own but for those', () => {
    expect(server.log.filter((line) => line.level === 'error' && !/not allowed/.test(line.text))).toEqual([]);
  });
});

describe('a key grows old, and survives a restart', () => {
  it('replays through a restart, expires, is remembered for ninety days, then forgotten', async () => {
    const own = await boot();
    const request = createRequest({ end_time: END });
    const create = () => own.call('create_media_buy', request);
    const first = succeeded(await create());
    const ttl = succeeded(await own.call('get_adcp_capabilities')).idempotency as { replay_ttl_seconds: number };

    await own.restart();
    expect((await create()).payload).toEqual({ ...first, replayed: true });

    own.clock.advance(ttl.replay_ttl_seconds * 1000 - 1);
    expect((await create()).payload.replayed).toBe(true);
    own.clock.advance(1);
    expect((await create()).payload.code).toBe('IDEMPOTENCY_EXPIRED');
    await own.server().app.store.sweep(own.clock.now());
    expect((await create()).payload.code).toBe('IDEMPOTENCY_EXPIRED');
    const changed = await own.call('create_media_buy', { ...request, po_number: 'other' });
    expect(changed.payload.code).toBe('IDEMPOTENCY_EXPIRED');

    own.clock.set('2030-03-31T00:00:00Z');
    await own.restart();
    await own.server().app.store.sweep(own.clock.now());
    expect((await create()).payload.code).toBe('IDEMPOTENCY_EXPIRED');

    own.clock.advance(DAY_MS + ttl.replay_ttl_seconds * 1000);
    await own.server().app.store.sweep(own.clock.now());
    const anew = succeeded(await create());
    expect(anew).not.toHaveProperty('replayed');
    expect(anew.media_buy_id).not.toBe(first.media_buy_id);
  });

  it('a round of the clock drops old keys, as it says', async () => {
    const own = await boot();
    const request = createRequest({ end_time: END });
    succeeded(await own.call('create_media_buy', request));
    own.clock.advance(100 * DAY_MS);
    await own.server().tick();
    expect(succeeded(await own.call('create_media_buy', request))).not.toHaveProperty('replayed');
  });
});
