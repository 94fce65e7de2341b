import { describe, expect, it } from 'vitest';
import { DAY_MS, isoTime, SECOND_MS } from '../../../src/platform/kernel/clock.js';
import { appendEvent } from '../../../src/registry/server/service/feed/feed.js';
import { startMachine } from '../../kit/machine.js';
import { operatorOf } from '../../kit/operator.js';
import { bootRegistry } from '../../kit/registry.js';
import { BOOT_TIME } from '../../kit/surroundings.js';

const START = Date.parse(BOOT_TIME);
const JUMP_MS = 91 * DAY_MS;

async function publishing() {
  const machine = startMachine();
  const registry = await bootRegistry({ time: machine, isSeeded: true });
  const service = () => registry.server().registry;
  const append = async (count: number): Promise<void> => {
    const payload = { publisher_domain: 'leaf.example' };
    await service().store.transact(async (tx) => {
      for (let number = 0; number < count; number += 1) {
        const draft = { event_type: 'publisher.adagents_changed', entity_id: 'leaf.example', payload } as const;
        await appendEvent(tx, service().clock, { ...draft, actor: 'pipeline:crawler' });
      }
    });
  };
  const part = async () => {
    // An outcome of /readyz is shown for a second.
    machine.pass(2 * SECOND_MS);
    return ((await registry.get('/readyz')).json() as { clock: object }).clock;
  };
  const count = async () => (await service().store.read.events.page('', 10_000)).length;
  return { machine, registry, append, part, count };
}

describe('a registry whose wall clock jumps', () => {
  it('goes on by the time that is gone by and deletes nothing, and /readyz says so', async () => {
    const { append, count, machine, part, registry } = await publishing();
    await append(3);
    expect(await part()).toEqual({ status: 'ok' });
    machine.jump(JUMP_MS);
    await registry.server().tick();
    expect(await count()).toBe(3);
    expect(await part()).toMatchObject({ status: 'degraded', ahead_seconds: JUMP_MS / SECOND_MS });
    expect(registry.server().registry.clock.now()).toBeLessThan(START + DAY_MS);
    machine.jump(-JUMP_MS);
    expect(await part()).toEqual({ status: 'ok' });
  });

  it('follows it where it is once the operator accepts that', async () => {
    const { append, count, machine, part, registry } = await publishing();
    await append(3);
    machine.jump(JUMP_MS);
    const operator = operatorOf(registry);
    const answer = await operator.post('/clock/accept', {});
    expect(answer.json()).toEqual({ ahead_seconds: JUMP_MS / SECOND_MS, now: isoTime(START + JUMP_MS) });
    await registry.server().tick();
    expect(await count()).toBe(0);
    expect(await part()).toEqual({ status: 'ok' });
    expect((await registry.post('/clock/accept', {})).status).toBe(404);
  });

  it('knows over a restart that it had jumped', async () => {
    const { append, machine, registry } = await publishing();
    await append(3);
    registry.server().registry.watch.remember();
    await registry.close();
    machine.jump(JUMP_MS);
    const again = await bootRegistry({ time: machine, dataDir: registry.dataDir, isSeeded: true });
    await again.server().tick();
    expect(again.server().registry.clock.now()).toBeLessThan(START + DAY_MS);
    expect((await again.server().registry.store.read.events.page('', 10)).length).toBe(3);
  });
});

describe('events that are older than the retention', () => {
  it('go in one round however many they are, in slices between which others write', async () => {
    const { append, count, machine, registry } = await publishing();
    await append(2500);
    machine.pass(JUMP_MS);
    const { store, clock } = registry.server().registry;
    const left: number[] = [];
    const round = registry.server().tick();
    let isOver = false;
    void round.finally(() => {
      isOver = true;
    });
    while (!isOver) left.push(await store.transact(async (tx) => (await tx.events.page('', 10_000)).length));
    await round;
    expect(await count()).toBe(0);
    expect(left.some((rows) => rows > 0 && rows < 2500)).toBe(true);
    expect(clock.now()).toBeGreaterThan(START + JUMP_MS - DAY_MS);
  });
});
