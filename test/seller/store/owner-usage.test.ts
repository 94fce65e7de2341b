import { expect, it } from 'vitest';
import type { LoggedEvent } from '../../../src/seller/domain/event/event.js';
import { OWNER } from '../domain/order-context.js';
import { buyCalled, creativeCalled, openTestStore } from './fixture.js';

it('what an owner has stored is counted exactly through additions, changes and removals', async () => {
  const store = await openTestStore();
  const list = async () => Object.fromEntries((await store.read.ownerUsage.list(OWNER)).map((row) => [row.noun, row]));
  await store.transact(async (tx) => {
    await tx.mediaBuys.insert(OWNER, buyCalled('mb_1'), true);
    await tx.mediaBuys.insert(OWNER, buyCalled('mb_2'), true);
    await tx.creatives.save(OWNER, creativeCalled('c'));
  });
  const before = await list();
  expect(before).toMatchObject({ media_buys: { count: 2 }, creatives: { count: 1 } });
  await store.transact((tx) => tx.mediaBuys.replace(buyCalled('mb_1', { updated_at: 'x'.repeat(1000) }), true));
  const after = await list();
  expect(after.media_buys?.bytes).toBeGreaterThan((before.media_buys?.bytes ?? 0) + 900);
  await store.transact((tx) => tx.mediaBuys.replace(buyCalled('mb_1'), true));
  expect(await list()).toEqual(before);
  await store.transact((tx) => tx.creatives.purge(OWNER, creativeCalled('c'), undefined));
  expect((await list()).creatives).toMatchObject({ count: 0, bytes: 0 });
  const undone = store.transact(async (tx) => {
    await tx.creatives.save(OWNER, creativeCalled('c'));
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect((await list()).creatives).toMatchObject({ count: 0, bytes: 0 });
});

it('events, feedback and the members of audiences count for their owner until they are cleared', async () => {
  const store = await openTestStore();
  const list = async () =>
    Object.fromEntries((await store.read.ownerUsage.list(OWNER)).map((row) => [row.noun, row.count]));
  const members = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ external_id: `p${at}`, identifiers: [] }));
  await store.transact(async (tx) => {
    await tx.mediaBuys.insert(OWNER, buyCalled('mb_1'), true);
    await tx.mediaBuys.addFeedback(OWNER, 'mb_1', 1, { metric: 'x' });
    await tx.events.save(OWNER, 'acc', { event_source_id: 'shop' } as never);
    const [source] = await tx.events.list(OWNER, 'acc');
    if (source === undefined) throw new Error('there is no source');
    const event = { event_type: 'purchase', event_id: 'e', matched: true } as unknown as LoggedEvent;
    for (let n = 0; n < 2; n += 1) await tx.events.log(source, { isTest: false, receivedAt: 1, event });
    await tx.events.remove(source);
    const seq = await tx.audiences.save(OWNER, 'acc', { audience_id: 'a' } as never);
    for (const member of [...members(5), ...members(3)]) await tx.audiences.addMember(seq, member);
    await tx.audiences.removeMember(seq, 'p0');
  });
  expect(await list()).toMatchObject({ feedback: 1, logged_events: 1, audience_members: 4, audiences: 1 });
  await store.transact(async (tx) => {
    const row = await tx.audiences.find(OWNER, 'acc', 'a');
    if (row !== undefined) await tx.audiences.remove(row);
  });
  expect(await list()).toMatchObject({ audience_members: 4 });
  await store.sweep(Date.parse('2040-01-01T00:00:00Z'));
  expect(await list()).toMatchObject({ logged_events: 0, audience_members: 0, audiences: 0 });
});
