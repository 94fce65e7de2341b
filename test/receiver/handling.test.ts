import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/platform/kernel/clock.js';
import { openReceiverFolder } from '../../src/receiver/folder.js';
import { SCHEDULE } from '../../src/seller/webhooks/delivery/schedule.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { type Desk, type DeskOptions, openDesk, taskEvent } from './context.js';

const ALL = { limit: 100, after: undefined };

/** A handler that fails so often, and then succeeds. */
function failing(times: number): NonNullable<DeskOptions['handler']> {
  let left = times;
  return () => {
    left -= 1;
    if (left >= 0) throw new Error(`not yet, ${left} to go`);
  };
}

/** Turns the clock through every pause of the schedule. */
async function passPauses(desk: Desk, count: number = SCHEDULE.delaysMs.length): Promise<void> {
  for (const pause of SCHEDULE.delaysMs.slice(0, count)) {
    desk.clock.advance(pause - 1);
    await desk.receiver.tick();
    desk.clock.advance(1);
    await desk.receiver.tick();
  }
}

describe('the handler', () => {
  it('runs after the answer, and its failure is none of the sender’s business', async () => {
    const desk = await openDesk({ handler: failing(1) });
    expect((await desk.post(taskEvent())).status).toBe(200);
    await desk.receiver.tick();
    expect(desk.handled.map(({ attempt }) => attempt)).toEqual([1]);
    expect(await desk.store.list('waiting', ALL)).toMatchObject([
      { tries: 1, reason: 'not yet, 0 to go', due_at: desk.clock.now() + 2 * SECOND_MS },
    ]);
    await passPauses(desk, 1);
    expect(desk.handled.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(await desk.store.list('handled', ALL)).toHaveLength(1);
  });

  it('gets the very same event at every try, on schedule, until it succeeds', async () => {
    const desk = await openDesk({ handler: failing(SCHEDULE.delaysMs.length) });
    await desk.post(taskEvent());
    await desk.receiver.tick();
    await passPauses(desk);
    expect(desk.handled.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(new Set(desk.handled.map(({ body }) => body)).size).toBe(1);
    expect(await desk.receiver.dead(ALL)).toEqual([]);
    expect(await desk.store.list('handled', ALL)).toHaveLength(1);
  });

  it('that fails every time leaves the event on the list of the dead, from where it can be handed over again', async () => {
    const desk = await openDesk({ handler: failing(SCHEDULE.delaysMs.length + 1) });
    const event = taskEvent();
    await desk.post(event);
    await desk.receiver.tick();
    await passPauses(desk);
    const [dead, ...more] = await desk.receiver.dead(ALL);
    expect(more).toEqual([]);
    expect(dead).toMatchObject({
      idempotency_key: event.idempotency_key,
      body: JSON.stringify(event),
      tries: 12,
      reason: 'not yet, 0 to go',
    });
    expect(desk.log.filter(({ level }) => level === 'error')).toHaveLength(1);
    // The sender's retry is still a duplicate, and does not bring it back.
    expect((await desk.post(event)).text).toBe('{"status":"duplicate"}');
    desk.clock.advance(DAY_MS);
    await desk.receiver.tick();
    expect(desk.handled).toHaveLength(12);
    expect(await desk.receiver.retry(dead?.seq ?? 0)).toBe(true);
    await desk.receiver.tick();
    expect(desk.handled.at(-1)).toMatchObject({ idempotencyKey: event.idempotency_key, attempt: 1 });
    expect(await desk.receiver.dead(ALL)).toEqual([]);
    expect(await desk.receiver.retry(dead?.seq ?? 0)).toBe(false);
  });

  it('that cannot take one event does not keep it from the others', async () => {
    const handler: NonNullable<DeskOptions['handler']> = ({ payload }) => {
      if (payload.status === 'failed') throw new Error('not this one');
    };
    const desk = await openDesk({ handler, bounds: { concurrency: 1 } });
    await desk.post(taskEvent({ status: 'failed' }));
    const good = await Promise.all([1, 2, 3].map(() => desk.post(taskEvent())));
    expect(good.map(({ status }) => status)).toEqual([200, 200, 200]);
    await desk.receiver.tick();
    expect(await desk.store.list('handled', ALL)).toHaveLength(3);
    expect(await desk.store.list('waiting', ALL)).toHaveLength(1);
  });

  it('runs side by side as often as the bounds say, and never twice for one event', async () => {
    let running = 0;
    let most = 0;
    const handler = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resume) => setImmediate(resume));
      running -= 1;
    };
    const desk = await openDesk({ handler, bounds: { concurrency: 3 } });
    const events = Array.from({ length: 40 }, () => taskEvent());
    await Promise.all(events.map((event) => desk.post(event)));
    await desk.receiver.tick();
    expect(most).toBe(3);
    expect(desk.handled.map(({ idempotencyKey }) => idempotencyKey).toSorted()).toEqual(
      events.map(({ idempotency_key }) => idempotency_key).toSorted(),
    );
  });

  it('that takes too long is told, and the event comes again', async () => {
    const signals: AbortSignal[] = [];
    let isStuck = true;
    const handler: NonNullable<DeskOptions['handler']> = (_event, signal) => {
      signals.push(signal);
      return isStuck ? new Promise(() => undefined) : undefined;
    };
    const desk = await openDesk({ handler });
    await desk.post(taskEvent());
    while (signals.length === 0) await new Promise((resume) => setImmediate(resume));
    desk.clock.advance(MINUTE_MS);
    await desk.receiver.tick();
    expect(signals[0]?.aborted).toBe(true);
    expect(await desk.store.list('waiting', ALL)).toMatchObject([
      { tries: 1, reason: expect.stringMatching(/60000 ms/) },
    ]);
    isStuck = false;
    desk.clock.advance(2 * SECOND_MS);
    await desk.receiver.tick();
    expect(await desk.store.list('handled', ALL)).toHaveLength(1);
  });

  it('that is at work when the receiver closes gets its event again after the start, without a try lost', async () => {
    const desk = await openDesk({ handler: () => new Promise(() => undefined) });
    const event = taskEvent();
    await desk.post(event);
    while (desk.handled.length === 0) await new Promise((resume) => setImmediate(resume));
    await desk.close();
    const { folder, clock } = desk;
    const again = await openDesk({ folder, clock });
    await again.receiver.tick();
    expect(again.handled).toMatchObject([{ idempotencyKey: event.idempotency_key, attempt: 1 }]);
  });
});

describe('a folder', () => {
  it('belongs to one receiver at a time', async () => {
    const folder = temporaryFolder();
    const store = await openReceiverFolder(folder);
    await expect(openReceiverFolder(folder)).rejects.toThrow(/another receiver is running/);
    await store.close();
    await (await openReceiverFolder(folder)).close();
  });
});
