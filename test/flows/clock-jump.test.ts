import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, isoTime, SECOND_MS } from '../../src/platform/kernel/clock.js';
import { boot } from '../kit/boot.js';
import { createRequest, succeeded } from '../kit/buyer.js';
import { startMachine } from '../kit/machine.js';
import { operatorOf } from '../kit/operator.js';
import { BOOT_TIME } from '../kit/surroundings.js';

const START = Date.parse(BOOT_TIME);
const END = isoTime(START + 20 * DAY_MS);

async function selling() {
  const machine = startMachine();
  const server = await boot({ time: machine });
  const order = createRequest({ end_time: END });
  const { media_buy_id } = succeeded(await server.call('create_media_buy', order));
  const state = async () => {
    await server.server().tick();
    const { media_buys } = succeeded(await server.call('get_media_buys', { media_buy_ids: [media_buy_id] }));
    return media_buys[0]?.status;
  };
  const clock = async () => {
    // An outcome of /readyz is shown for a second.
    machine.pass(2 * SECOND_MS);
    const health = (await (await fetch(`${server.baseUrl}/readyz`)).json()) as { clock: object };
    return health.clock;
  };
  return { machine, server, order, media_buy_id, state, clock };
}

describe.each([25 * HOUR_MS, 91 * DAY_MS])('a wall clock that jumps by %i ms and comes back', (ms) => {
  it('expires no key, completes no buy and books nothing twice, and /readyz and the log say so', async () => {
    const { clock, machine, media_buy_id, order, server, state } = await selling();
    const before = await state();
    for (const by of [ms, -ms]) {
      machine.jump(by);
      expect(await state()).toBe(before);
      expect(succeeded(await server.call('create_media_buy', order))).toMatchObject({ media_buy_id, replayed: true });
      expect(await clock()).toMatchObject({ status: 'degraded', ahead_seconds: by / SECOND_MS });
      machine.jump(-by);
      expect(await state()).toBe(before);
      await expect.poll(clock).toEqual({ status: 'ok' });
    }
    expect(succeeded(await server.call('create_media_buy', order))).toMatchObject({ media_buy_id, replayed: true });
    const all = succeeded(
      await server.call('get_media_buys', { status_filter: ['active', 'completed', 'pending_start'] }),
    );
    expect(all.media_buys).toHaveLength(1);
    expect(server.log.filter(({ level, text }) => level === 'error' && /wall clock jumped/.test(text))).toHaveLength(2);
  });

  it('loses nothing over a restart in the middle of it', async () => {
    const { machine, media_buy_id, order, server, state } = await selling();
    const before = await state();
    machine.jump(ms);
    await server.restart();
    expect(await state()).toBe(before);
    machine.jump(-ms);
    expect(succeeded(await server.call('create_media_buy', order))).toMatchObject({ media_buy_id, replayed: true });
  });
});

describe('clock accept', () => {
  it('follows the clock where it is: what is due by now happens', async () => {
    const { clock, machine, order, server, state } = await selling();
    machine.jump(30 * DAY_MS);
    expect(await state()).toBe('active');
    const operator = operatorOf({ dataDir: server.dataDir });
    const answer = await operator.post('/clock/accept', {});
    expect(answer.json()).toEqual({ ahead_seconds: (30 * DAY_MS) / SECOND_MS, now: isoTime(START + 30 * DAY_MS) });
    expect(await state()).toBe('completed');
    expect((await server.call('create_media_buy', order)).payload.code).toBe('IDEMPOTENCY_EXPIRED');
    await expect.poll(clock).toEqual({ status: 'ok' });
    expect((await operator.post('/clock/accept', {})).json()).toMatchObject({ ahead_seconds: 0 });
  });
});
