import { beforeAll, describe, expect, test } from 'vitest';
import type { Seller } from '../../../src/seller/domain/tenant/seller.js';
import { completePrice, completeProduct, formatsFor } from '../../../src/seller/sandbox/fixtures.js';
import { Sandboxes } from '../../../src/seller/sandbox/sandboxes.js';
import type { SandboxItem } from '../../../src/seller/store/sandboxes.js';
import { boot } from '../../kit/boot.js';
import { turnableClock } from '../../kit/surroundings.js';
import { openTestStore } from '../store/fixture.js';

const OWNER = 'sales#one';
const DAY = 86_400_000;
const item = (kind: SandboxItem['kind'], key: string, doc: object = {}): SandboxItem => ({
  owner: OWNER,
  kind,
  key,
  doc: doc as SandboxItem['doc'],
});

let seller: Seller;
beforeAll(async () => {
  const served = (await boot()).server().app.sellers().get('sales');
  if (served === undefined) throw new Error('the shipped tenants have a sales agent');
  seller = served;
});

describe('a fixture', () => {
  test.each([
    [{}, { pricing_model: 'cpm', currency: 'USD', fixed_price: 10 }],
    [
      { floor_price: 5, currency: 'EUR' },
      { pricing_model: 'cpm', currency: 'EUR', floor_price: 5 },
    ],
    [
      { pricing_model: 'flat_rate', floor_price: 4500 },
      { pricing_model: 'flat_rate', currency: 'USD', fixed_price: 4500 },
    ],
    [
      { pricing_model: 'cpv', fixed_price: 1 },
      { pricing_model: 'cpv', currency: 'USD', fixed_price: 1, parameters: { view_threshold: 0.5 } },
    ],
    [
      { pricing_model: 'cpa', fixed_price: 1 },
      { pricing_model: 'cpa', currency: 'USD', fixed_price: 1, event_type: 'purchase' },
    ],
  ] as const)('of a price is one that a buyer can be charged: %j', (fixture, price) => {
    expect(completePrice('p', fixture)).toEqual({ pricing_option_id: 'p', ...price });
  });

  test('of a product has all that a product has, and takes every format of the kinds it names', () => {
    const bare = completeProduct('bare', {}, [], seller);
    const empty = Object.entries(bare).filter(([, value]) => value === undefined || value === '');
    // Not every product can be bought toward goals.
    expect(empty).toEqual([['metric_optimization', undefined]]);
    expect(bare.pricing_options).toHaveLength(1);
    const video = completeProduct(
      'v',
      { channels: ['video', 'skywriting'], format_ids: [{ id: 'video_30s' }] },
      [],
      seller,
    );
    expect(video.channels).toEqual(['olv']);
    const ids = video.format_ids.map((format) => format.id);
    expect(ids[0]).toBe('video_30s');
    expect(ids).toEqual(expect.arrayContaining(['ssai_30s', 'video_ctv_preroll_30s']));
    expect(ids).not.toContain('video_15s');
    expect(ids).not.toContain('vast_30s');
    const spot = completeProduct('s', { format_ids: [{ id: 'skywriting_30s' }] }, [], seller);
    expect(formatsFor([spot], seller)).toMatchObject([{ format_id: { id: 'skywriting_30s' } }]);
  });
});

describe('sandboxes', () => {
  const open = async () => {
    const [store, clock] = [await openTestStore(), turnableClock()];
    return { store, clock, sandboxes: await Sandboxes.open(store, clock) };
  };

  test('whoever has arranged nothing sees the seller itself, at the process’s time', async () => {
    const { clock, sandboxes } = await open();
    expect(sandboxes.seen(seller, OWNER)).toBe(seller);
    expect(sandboxes.clock.nowOf(OWNER)).toBe(clock.now());
    expect(sandboxes.clock.ahead()).toEqual([]);
    expect(sandboxes.hasFixtures(OWNER)).toBe(false);
  });

  test('fixtures are seen by their owner, once they are on disk, and by a process that starts later', async () => {
    const { store, clock, sandboxes } = await open();
    const keep: Sandboxes['save'] = (tx, item) => sandboxes.save(tx, item);
    await store.transact(async (tx) => {
      await keep(tx, item('product', 'mine', { name: 'Mine' }));
      await keep(
        tx,
        item('pricing_option', '["test-product","more"]', { product_id: 'test-product', pricing_option_id: 'more' }),
      );
      expect(sandboxes.hasFixtures(OWNER)).toBe(false);
    });
    for (const known of [sandboxes, await Sandboxes.open(store, clock)]) {
      const whole = known.seen(seller, OWNER);
      expect(whole.products.get('mine')?.name).toBe('Mine');
      expect(whole.tenant.products).toHaveLength(seller.tenant.products.length + 1);
      expect(whole.products.get('test-product')?.pricing_options.at(-1)?.pricing_option_id).toBe('more');
      expect(known.seen(seller, OWNER)).toBe(whole);
      expect([...known.alone(seller, OWNER).products.keys()]).toEqual(['mine']);
      expect(known.seen(seller, 'sales#two')).toBe(seller);
    }
    await store.transact((tx) => keep(tx, item('product', 'mine', { name: 'Other' })));
    expect(sandboxes.seen(seller, OWNER).products.get('mine')?.name).toBe('Other');
    await store.transact((tx) => sandboxes.remove(tx, OWNER, 'product', 'mine'));
    expect(sandboxes.seen(seller, OWNER).products.has('mine')).toBe(false);
  });

  test('what is undone was never there', async () => {
    const { store, sandboxes } = await open();
    const undone = store.transact(async (tx) => {
      await sandboxes.save(tx, item('plan', 'p'));
      await sandboxes.advance(tx, OWNER, DAY);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(sandboxes.hasFixtures(OWNER)).toBe(false);
    expect(sandboxes.clock.ahead()).toEqual([]);
    expect(await store.read.sandboxes.all()).toEqual([]);
  });

  test('turns of a clock add up, for one owner', async () => {
    const { store, clock, sandboxes } = await open();
    for (const ms of [DAY, 2 * DAY]) await store.transact((tx) => sandboxes.advance(tx, OWNER, ms));
    clock.advance(5);
    expect(sandboxes.clock.nowOf(OWNER) - clock.now()).toBe(3 * DAY);
    expect(sandboxes.clock.nowOf('sales#two')).toBe(clock.now());
    expect(sandboxes.clock.ahead()).toEqual([OWNER]);
    // A view of its own, so that nothing remembered at one time is told at another.
    expect(sandboxes.seen(seller, OWNER)).not.toBe(seller);
  });
});
