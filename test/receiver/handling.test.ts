import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/platform/kernel/clock.js';
import { openReceiverFolder } from '../../src/receiver/folder.js';
import { SCHEDULE } from '../../src/seller/webhooks/delivery/schedule.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { type ContextOptions, openServiceContext, type ReceiverContext, taskEvent } from './context.js';

const ALL = { limit: 100, after: undefined };

/** A handler that fails so often, and then succeeds. */
function failing(times: number): NonNullable<ContextOptions['handler']> {
  let left = times;
  return () => {
    left -= 1;
    if (left >= 0) throw new Error(`not yet, ${left} to go`);
  };
}

/** Turns the clock through every pause of the schedule. */
async function passPauses(context: ReceiverContext, count: number = SCHEDULE.delaysMs.length): Promise<void> {
  for (const pause of SCHEDULE.delaysMs.slice(0, count)) {
    context.clock.advance(pause - 1);
    await context.receiver.tick();
    context.clock.advance(1);
    await context.receiver.tick();
  }
}

describe('the handler', () => {
  it('runs after the answer, and its failure is none of the sender’s business', async () => {
    const context = await openServiceContext({ handler: failing(1) });
    expect((await context.post(taskEvent())).status).toBe(200);
    await context.receiver.tick();
    expect(context.handled.map(({ attempt }) => attempt)).toEqual([1]);
    expect(await context.store.list('waiting', ALL)).toMatchObject([
      { tries: 1, reason: 'not yet, 0 to go', due_at: context.clock.now() + 2 * SECOND_MS },
    ]);
    await passPauses(context, 1);
    expect(context.handled.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(await context.store.list('handled', ALL)).toHaveLength(1);
  });

  it('gets the very same event at every try, on schedule, until it succeeds', async () => {
    const context = await openServiceContext({ handler: failing(SCHEDULE.delaysMs.length) });
    await context.post(taskEvent());
    await context.receiver.tick();
    await passPauses(context);
    expect(context.handled.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(new Set(context.handled.map(({ body }) => body)).size).toBe(1);
    expect(await context.receiver.dead(ALL)).toEqual([]);
    expect(await context.store.list('handled', ALL)).toHaveLength(1);
  });

  it('that fails every time leaves the event on the list of the dead, from where it can be handed over again', async () => {
    const context = await openServiceContext({ handler: failing(SCHEDULE.delaysMs.length + 1) });
    const event = taskEvent();
    await context.post(event);
    await context.receiver.tick();
    await passPauses(context);
    const [dead, ...more] = await context.receiver.dead(ALL);
    expect(more).toEqual([]);
    expect(dead).toMatchObject({
      idempotency_key: event.idempotency_key,
      body: JSON.stringify(event),
      tries: 12,
      reason: 'not yet, 0 to go',
    });
    expect(context.log.filter(({ level }) => level === 'error')).toHaveLength(1);
    // The sender's retry is still a duplicate, and does not bring it back.
    expect((await context.post(event)).text).toBe('{"status":"duplicate"}');
    context.clock.advance(DAY_MS);
    await context.receiver.tick();
    expect(context.handled).toHaveLength(12);
    expect(await context.receiver.retry(dead?.seq ?? 0)).toBe(true);
    await context.receiver.tick();
    expect(context.handled.at(-1)).toMatchObject({ idempotencyKey: event.idempotency_key, attempt: 1 });
    expect(await context.receiver.dead(ALL)).toEqual([]);
    expect(await context.receiver.retry(dead?.seq ?? 0)).toBe(false);
  });

  it('that cannot take one event does not keep it from the others', async () => {
    const handler: NonNullable<ContextOptions['handler']> = ({ payload }) => {
      if (payload.status === 'failed') throw new Error('not this one');
    };
    const context = await openServiceContext({ handler, bounds: { concurrency: 1 } });
    await context.post(taskEvent({ status: 'failed' }));
    const good = await Promise.all([1, 2, 3].map(() => context.post(taskEvent())));
    expect(good.map(({ status }) => status)).toEqual([200, 200, 200]);
    await context.receiver.tick();
    expect(await context.store.list('handled', ALL)).toHaveLength(3);
    expect(await context.store.list('waiting', ALL)).toHaveLength(1);
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
    const context = await openServiceContext({ handler, bounds: { concurrency: 3 } });
    const events = Array.from({ length: 40 }, () => taskEvent());
    await Promise.all(events.map((event) => context.post(event)));
    await context.receiver.tick();
    expect(most).toBe(3);
    expect(context.handled.map(({ idempotencyKey }) => idempotencyKey).toSorted()).toEqual(
      events.map(({ idempotency_key }) => idempotency_key).toSorted(),
    );
  });

  it('that takes too long is told, and the event comes again', async () => {
    const signals: AbortSignal[] = [];
    let isStuck = true;
    const handler: NonNullable<ContextOptions['handler']> = (_event, signal) => {
      signals.push(signal);
      return isStuck ? new Promise(() => undefined) : undefined;
    };
    const context = await openServiceContext({ handler });
    await context.post(taskEvent());
    while (signals.length === 0) await new Promise((resume) => setImmediate(resume));
    context.clock.advance(MINUTE_MS);
    await context.receiver.tick();
    expect(signals[0]?.aborted).toBe(true);
    expect(await context.store.list('waiting', ALL)).toMatchObject([
      { tries: 1, reason: expect.stringMatching(/60000 ms/) },
    ]);
    isStuck = false;
    context.clock.advance(2 * SECOND_MS);
    await context.receiver.tick();
    expect(await context.store.list('handled', ALL)).toHaveLength(1);
  });

  it('that is at work when the receiver closes gets its event again after the start, without a try lost', async () => {
    const context = await openServiceContext({ handler: () => new Promise(() => undefined) });
    const event = taskEvent();
    await context.post(event);
    while (context.handled.length === 0) await new Promise((resume) => setImmediate(resume));
    await context.close();
    const { folder, clock } = context;
    const again = await openServiceContext({ folder, clock });
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
