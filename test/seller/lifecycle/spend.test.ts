import path from 'node:path';
import fc from 'fast-check';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { createBuilder } from '../../../src/platform/database/statement.js';
import { DAY_MS, HOUR_MS, isoTime } from '../../../src/platform/kernel/clock.js';
import { SELLER_MIGRATIONS } from '../../../src/seller/store/schema/migrations.js';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, packageRequest, SANDBOX_ACCOUNT, succeeded, updateRequest } from '../../kit/buyer.js';
import { controllerOf } from '../../kit/controller.js';
import type { Payload } from '../../kit/wire.js';

const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const MAX_BUYS = 100;

const step = fc.oneof(
  fc.record({
    kind: fc.constant('buy' as const),
    days: fc.integer({ min: 1, max: 9 }),
    later: fc.integer({ max: 3, min: 0 }),
  }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ kind: fc.constant('midnight' as const) }),
  fc.record({ kind: fc.constant('round' as const) }),
  fc.record({ kind: fc.constant('pause' as const), paused: fc.boolean(), at: fc.nat() }),
  fc.record({ kind: fc.constant('cancel' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('budget' as const), budget: fc.integer({ min: 1000, max: 9000 }), at: fc.nat() }),
  fc.record({ kind: fc.constant('report' as const), cents: fc.integer({ min: 1, max: 99_999 }), at: fc.nat() }),
);
type StepOf = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A buyer's account, driven step by step. */
class History {
  readonly #server: Booted;
  readonly #ids: string[] = [];

  constructor(server: Booted) {
    this.#server = server;
  }

  async take(next: StepOf): Promise<void> {
    const { clock } = this.#server;
    const id = 'at' in next ? this.#ids[next.at % this.#ids.length] : undefined;
    if (next.kind === 'wait') clock.advance(next.hours * HOUR_MS);
    else if (next.kind === 'midnight') clock.advance(DAY_MS - (clock.now() % DAY_MS));
    else if (next.kind === 'round') await this.#server.server().tick();
    else if (next.kind === 'buy') await this.#buy(clock.now(), next);
    else if (id !== undefined) await this.#change(id, next);
  }

  async #buy(nowMs: number, { days, later }: { readonly days: number; readonly later: number }): Promise<void> {
    const fromMs = nowMs + later * DAY_MS;
    const request = createRequest({
      start_time: later === 0 ? 'asap' : isoTime(fromMs),
      end_time: isoTime(fromMs + days * DAY_MS),
      packages: [packageRequest({ budget: 2000 + days * 100 }), packageRequest({ budget: 1500 })],
    });
    this.#ids.push(succeeded(await this.#server.call('create_media_buy', request)).media_buy_id as string);
  }

  /** Changes a buy; one that is over refuses, as it should. */
  async #change(id: string, next: StepOf): Promise<void> {
    if (next.kind === 'report') {
      const reported_spend = { amount: next.cents / 100, currency: 'USD' };
      await controllerOf(this.#server, { token: 'sandbox-token' }).run('simulate_delivery', {
        media_buy_id: id,
        reported_spend,
      });
      return;
    }
    const [read] = succeeded(await this.#server.call('get_media_buys', { media_buy_ids: [id] })).media_buys;
    const { package_id } = read?.packages[0] ?? {};
    const change =
      next.kind === 'pause'
        ? { paused: next.paused }
        : next.kind === 'cancel'
          ? { canceled: true }
          : { packages: [{ package_id, budget: next.kind === 'budget' ? next.budget : 0 }] };
    await this.#server.call('update_media_buy', updateRequest(id, { revision: read?.revision, ...change }));
  }

  /** What the account spent by the delivery of each of its buys. */
  async spent(fromDay: string, toDay: string): Promise<number> {
    if (this.#ids.length === 0) return 0;
    const page = { media_buy_ids: this.#ids, pagination: { max_results: MAX_BUYS } };
    const window = { start_date: fromDay, end_date: toDay };
    const { media_buy_deliveries } = succeeded(
      await this.#server.call('get_media_buy_delivery', { ...page, ...window }),
    );
    return media_buy_deliveries.reduce((sum, { totals }) => sum + totals.spend, 0);
  }

  async running(): Promise<number> {
    const page = { pagination: { max_results: MAX_BUYS } };
    return (succeeded(await this.#server.call('get_media_buys', page)).media_buys as unknown[]).length;
  }
}

const totalOf = ({ spend }: Payload): number => (spend as { readonly total_spend: number }).total_spend;
const dayOf = (ms: number): string => isoTime(ms).slice(0, 10);

describe('get_account_financials', () => {
  it('says what the buys delivered, whatever happened to them', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), fc.nat(), fc.nat(), async (steps, from, to) => {
        const server = await boot();
        const began = server.clock.now();
        const history = new History(server);
        for (const next of steps) await history.take(next);
        const days = Math.floor((server.clock.now() - began) / DAY_MS) + 1;
        const [first, last] = [from % days, to % days].toSorted((one, other) => one - other);
        for (const [start, end] of [
          [0, days],
          [first ?? 0, last ?? 0],
        ] as const) {
          const period = { start: dayOf(began + start * DAY_MS), end: dayOf(began + end * DAY_MS) };
          const asked = succeeded(await server.call('get_account_financials', { account: ACCOUNT, period }));
          const spent = await history.spent(period.start, dayOf(began + (end + 1) * DAY_MS));
          expect(totalOf(asked)).toBeCloseTo(spent, 1);
        }
        // Once all is booked, the sums alone say the same.
        server.clock.advance(2 * HOUR_MS);
        await server.server().tick();
        const { read } = server.server().app.store;
        const [owner = ''] = await read.mediaBuys.owners();
        const sums = await read.spend.sums(owner, SANDBOX_ACCOUNT, 0, 1_000_000);
        const cents = sums.reduce((sum, one) => sum + one.cents, 0);
        expect(cents / 100).toBeCloseTo(
          await history.spent(dayOf(began - DAY_MS), dayOf(server.clock.now() + DAY_MS)),
          1,
        );
        expect(sums.reduce((sum, one) => sum + one.starts, 0)).toBe(await history.running());
        await server.close();
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('counts up to the last round where very many buys run, and says so', { timeout: 60_000 }, async () => {
    const server = await boot({ ids: 'system' });
    for (let n = 0; n < 120; n += 1) succeeded(await server.call('create_media_buy', createRequest()));
    const ask = async () => succeeded(await server.call('get_account_financials', { account: ACCOUNT }));
    server.clock.advance(10 * HOUR_MS);
    const first = await ask();
    const asOf = isoTime(server.clock.now());
    expect(first).toMatchObject({ spend: { media_buy_count: 120 }, message: `What runs is counted up to ${asOf}.` });
    expect(totalOf(first)).toBeGreaterThan(0);
    server.clock.advance(HOUR_MS);
    expect(await ask()).toMatchObject({ spend: first.spend, message: first.message });
    await server.server().tick();
    expect(totalOf(await ask())).toBeGreaterThan(totalOf(first));
  });

  it('is not kept waiting by a first count of very many buys, which goes on without it', {
    timeout: 120_000,
  }, async () => {
    const server = await boot({ ids: 'system' });
    for (let n = 0; n < 520; n += 1) succeeded(await server.call('create_media_buy', createRequest()));
    server.clock.advance(10 * HOUR_MS);
    const ask = () => server.call('get_account_financials', { account: ACCOUNT });
    expect((await ask()).payload).toMatchObject({ errors: [{ code: 'SERVICE_UNAVAILABLE', retry_after: 15 }] });
    await server.server().tick();
    const counted = succeeded(await ask());
    expect(counted).toMatchObject({ spend: { media_buy_count: 520 } });
    expect(totalOf(counted)).toBeGreaterThan(0);
    // After a clock that was turned on, the answer says up to when all of it is counted.
    server.clock.advance(10 * HOUR_MS);
    expect(succeeded(await ask()).message).toBe(counted.message);
    await server.server().tick();
    const later = succeeded(await ask());
    expect(later.message).not.toBe(counted.message);
    expect(totalOf(later)).toBeGreaterThan(totalOf(counted));
  });

  it('counts the buys of a database from before spend was booked', async () => {
    const server = await boot();
    const { call, clock } = server;
    const ids: string[] = [];
    for (const days of [2, 5, 20]) {
      const end_time = isoTime(clock.now() + days * DAY_MS);
      ids.push(succeeded(await call('create_media_buy', createRequest({ end_time }))).media_buy_id as string);
    }
    clock.advance(4 * DAY_MS);
    succeeded(await call('update_media_buy', updateRequest(ids[1] ?? '', { canceled: true, revision: 1 })));
    clock.advance(4 * DAY_MS);
    const ask = async () => succeeded(await call('get_account_financials', { account: ACCOUNT }));
    const { spend } = await ask();
    expect(spend).toMatchObject({ media_buy_count: 1 });
    await server.close();
    const database = new Libsql(path.join(server.dataDir, 'seller-agent.db'));
    for (const table of ['spend_booking', 'account_day', 'spend_round']) database.exec(`DROP TABLE ${table}`);
    for (const step of spendMigration()) database.exec(step);
    database.close();
    await server.restart();
    expect((await ask()).spend).toEqual(spend);
  });
});

/** The statements of the migration that makes the tables of booked spend. */
function spendMigration(): readonly string[] {
  const { schema } = createBuilder('sqlite');
  const steps = SELLER_MIGRATIONS.map((migration) => migration(schema, 'sqlite').map((step) => step.compile().sql));
  return steps.find((sqls) => sqls.some((sql) => sql.includes('"spend_round"'))) ?? [];
}
