import { describe, expect, it } from 'vitest';
import { isoTime } from '../../../../src/platform/kernel/clock.js';
import { houseDelivery } from '../../../../src/seller/adserver/simulator/simulator.js';
import { type Change, changeMediaBuy } from '../../../../src/seller/domain/media-buy/change/change.js';
import { type MediaBuy, type MediaBuyStatus, nextDueMs } from '../../../../src/seller/domain/media-buy/media-buy.js';
import { asRevision, confirmBooking, settleBuy } from '../../../../src/seller/domain/media-buy/settlement.js';
import { boughtAt, contextAt, fromNow, NOW, packageOf, rotating } from '../order-context.js';

const DAY = 86_400_000;
const required = contextAt(NOW, { creativeRequirement: 'required' });
const at = (ms: number) => ({ ms, iso: isoTime(ms) });
const settled = (buy: MediaBuy, ms: number, creatives: readonly string[] = []) =>
  settleBuy(buy, rotating(creatives), at(ms));
const changed = (buy: MediaBuy, change: Partial<Change>, ms: number) =>
  settled(changeMediaBuy(buy, { callbacks: {}, ...change }, contextAt(ms)).buy, ms).buy;
const idOf = (buy: MediaBuy, index = 0) => buy.packages[index]?.package_id ?? '';
const segmentsOf = (buy: MediaBuy) =>
  buy.packages[0]?.segments.map(({ from, to }) => [from, to === undefined ? 'open' : to]);

describe('where an order begins', () => {
  it.each<readonly [what: string, needs: 'required' | 'none', start: string, paused: boolean, status: MediaBuyStatus]>([
    ['at once', 'none', 'asap', false, 'active'],
    ['later', 'none', fromNow(DAY), false, 'pending_start'],
    ['at once, held', 'none', 'asap', true, 'paused'],
    ['later, held', 'none', fromNow(DAY), true, 'pending_start'],
    ['without creatives', 'required', 'asap', false, 'pending_creatives'],
    ['without creatives, held', 'required', 'asap', true, 'pending_creatives'],
  ])('%s (creatives %s)', (_what, creativeRequirement, start_time, paused, status) => {
    const buy = boughtAt(NOW, { start_time, paused }, contextAt(NOW, { creativeRequirement }));
    expect(buy).toMatchObject({ status, revision: 1 });
    expect(segmentsOf(buy)).toEqual(status === 'active' ? [[fromNow(0), 'open']] : []);
  });
});

describe('settle', () => {
  it('makes several moves at once, each when it happened', () => {
    const pending = boughtAt(NOW, { start_time: fromNow(DAY), end_time: fromNow(3 * DAY) });
    const { buy, moves } = settled(pending, NOW + 10 * DAY);
    expect(moves).toEqual([
      { revision: 2, timestamp: fromNow(DAY), actor: 'system', action: 'activated' },
      { revision: 3, timestamp: fromNow(3 * DAY), actor: 'system', action: 'completed' },
    ]);
    expect(buy).toMatchObject({ status: 'completed', revision: 3, updated_at: fromNow(10 * DAY) });
    expect(segmentsOf(buy)).toEqual([[fromNow(DAY), fromNow(3 * DAY)]]);
  });

  it('leaves a buy at rest as it is, the same object', () => {
    const running = boughtAt(NOW);
    expect(settled(running, NOW + DAY).buy).toBe(running);
    const over = settled(running, NOW + 60 * DAY).buy;
    expect(settled(over, NOW + 90 * DAY)).toEqual({ buy: over, moves: [] });
  });

  it('starts a package when its creative comes, and only then', () => {
    const waiting = boughtAt(NOW, { packages: [packageOf()] }, required);
    expect(segmentsOf(waiting)).toEqual([]);
    const { buy, moves } = settled(waiting, NOW + DAY, [idOf(waiting)]);
    expect(buy.status).toBe('active');
    expect(moves).toEqual([{ revision: 2, timestamp: fromNow(DAY), actor: 'system', action: 'activated' }]);
    expect(segmentsOf(buy)).toEqual([[fromNow(DAY), 'open']]);
  });

  it('says who ended a buy that never got its creatives, when and why', () => {
    const { buy } = settled(boughtAt(NOW, {}, required), NOW + 60 * DAY);
    expect(buy.cancellation).toMatchObject({ canceled_at: buy.end_time, canceled_by: 'seller' });
    expect(buy.cancellation?.reason).toBeTruthy();
  });

  it('holds a pending buy that was paused, and starts it when it is resumed', () => {
    const held = boughtAt(NOW, { start_time: fromNow(DAY), paused: true });
    const paused = settled(held, NOW + 2 * DAY);
    expect(paused.buy.status).toBe('paused');
    expect(segmentsOf(paused.buy)).toEqual([]);
    expect(segmentsOf(changed(paused.buy, { paused: false }, NOW + 3 * DAY))).toEqual([[fromNow(3 * DAY), 'open']]);
  });
});

describe('segments', () => {
  const running = boughtAt(NOW);
  const id = idOf(running);

  it.each<readonly [what: string, change: Partial<Change>, segments: readonly (readonly [string, string])[]]>([
    ['a pause closes', { paused: true }, [[fromNow(0), fromNow(DAY)]]],
    ['a cancel closes', { canceled: true }, [[fromNow(0), fromNow(DAY)]]],
    ['a package’s pause closes', { packages: [{ package_id: id, paused: true }] }, [[fromNow(0), fromNow(DAY)]]],
    ['a package’s cancel closes', { packages: [{ package_id: id, canceled: true }] }, [[fromNow(0), fromNow(DAY)]]],
    [
      'a budget changes terms',
      { packages: [{ package_id: id, budget: 500 }] },
      [
        [fromNow(0), fromNow(DAY)],
        [fromNow(DAY), 'open'],
      ],
    ],
    [
      'an end changes terms',
      { end_time: fromNow(20 * DAY) },
      [
        [fromNow(0), fromNow(DAY)],
        [fromNow(DAY), 'open'],
      ],
    ],
    ['targeting changes none', { packages: [{ package_id: id, targeting_overlay: {} }] }, [[fromNow(0), 'open']]],
  ])('%s', (_what, change, segments) => {
    expect(segmentsOf(changed(running, change, NOW + DAY))).toEqual(segments);
  });

  it('two changes in one moment leave one segment, not an empty one', () => {
    const once = changed(running, { packages: [{ package_id: id, budget: 500 }] }, NOW + DAY);
    const twice = changed(once, { packages: [{ package_id: id, budget: 600 }] }, NOW + DAY);
    expect(segmentsOf(twice)).toEqual([
      [fromNow(0), fromNow(DAY)],
      [fromNow(DAY), 'open'],
    ]);
    expect(twice.packages[0]?.segments.map((segment) => segment.budget)).toEqual([1000, 600]);
  });

  it('a package with a later start of its own waits for it', () => {
    const buy = boughtAt(NOW, { packages: [packageOf({ start_time: fromNow(5 * DAY) })] });
    expect(segmentsOf(buy)).toEqual([[fromNow(5 * DAY), 'open']]);
    expect(segmentsOf(changed(buy, { paused: true }, NOW + DAY))).toEqual([]);
  });

  it.each([
    ['earlier', 3],
    ['later', 7],
  ])('a package whose start is moved %s before it ran runs from its new start', (_way, days) => {
    const buy = boughtAt(NOW, { packages: [packageOf({ start_time: fromNow(5 * DAY) })] });
    const moved = changed(buy, { packages: [{ package_id: idOf(buy), start_time: fromNow(days * DAY) }] }, NOW + DAY);
    const delivered = (from: number, to: number) =>
      houseDelivery(moved, { fromMs: NOW + from * DAY, toMs: NOW + to * DAY }, false)[0]?.metrics.impressions ?? 0;
    expect(delivered(0, days)).toBe(0);
    expect(delivered(days, days + 1)).toBeGreaterThan(0);
  });
});

describe('confirmation', () => {
  const order = { start_time: fromNow(DAY), end_time: fromNow(3 * DAY) };
  const provisional = { ...boughtAt(NOW, order), confirmed_at: undefined };
  const booked = { ...provisional, sandbox: false, fulfillment: 'adapter' } as const;

  it('comes from the simulator right after the order, without a new revision', () => {
    expect(nextDueMs(provisional)).toBe(NOW + 1);
    expect(settled(provisional, NOW)).toEqual({ buy: provisional, moves: [] });
    const { buy, moves } = settled(provisional, NOW + 5000);
    expect(buy).toMatchObject({ confirmed_at: fromNow(1), revision: 1, status: 'pending_start' });
    expect(moves).toEqual([{ revision: 1, timestamp: fromNow(1), actor: 'seller', action: 'confirmed' }]);
    expect(settled(buy, NOW + 6000).buy).toBe(buy);
  });

  it('goes with the start of what runs at once', () => {
    const { buy, moves } = settled({ ...provisional, start_time: fromNow(0) }, NOW);
    expect(buy).toMatchObject({ status: 'active', confirmed_at: fromNow(0) });
    expect(moves).toHaveLength(1);
  });

  it('is waited for by what an ad server carries out, which ends with its flight where none comes', () => {
    expect(settled(booked, NOW + 2 * DAY)).toEqual({ buy: booked, moves: [] });
    expect(nextDueMs(booked)).toBe(NOW + 3 * DAY);
    const { buy } = settled(booked, NOW + 3 * DAY);
    expect(buy).toMatchObject({ status: 'canceled', cancellation: { canceled_by: 'seller' } });
    expect(buy.confirmed_at).toBeUndefined();
  });

  it('that an ad server gives starts what should run by then', () => {
    const { buy, moves } = confirmBooking(booked, new Map(), at(NOW + 2 * DAY));
    expect(buy).toMatchObject({ status: 'active', revision: 2, confirmed_at: fromNow(2 * DAY) });
    expect(moves.map(({ revision, action }) => [revision, action])).toEqual([
      [1, 'confirmed'],
      [2, 'activated'],
    ]);
    expect(confirmBooking(booked, new Map(), at(NOW)).buy).toMatchObject({ status: 'pending_start', revision: 1 });
  });
});

describe('asRevision', () => {
  it('counts a change and all that follows from it as one revision', () => {
    const pending = boughtAt(NOW, { start_time: fromNow(DAY), end_time: fromNow(3 * DAY) });
    const one = asRevision(settled(pending, NOW + 10 * DAY), 9);
    expect(one.buy.revision).toBe(9);
    expect(one.moves.map((move) => move.revision)).toEqual([9, 9]);
  });
});
