import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/platform/kernel/clock.js';
import { type Receiver, startReceiver } from '../../../kit/receiver.js';
import { openTestStore } from '../../store/fixture.js';
import { addressOf, type Sender, startSender } from '../sender.js';

const keysAt = ({ posts }: Receiver, from = 0) => new Set(posts.slice(from).map((post) => post.json.idempotency_key));

/** Passes an outage: its events come at its beginning, in its middle and near its end; answers their keys. */
async function passOutage(sender: Sender, receiver: Receiver, lastsMs: number): Promise<readonly string[]> {
  receiver.always(503);
  const keys: string[] = [];
  const sendSome = async () => {
    for (let n = 0; n < 8; n += 1) keys.push(await sender.send(addressOf(`${receiver.url}/${n % 2}?${n}`)));
  };
  await sendSome();
  await sender.pass(MINUTE_MS, SECOND_MS);
  await sender.pass(lastsMs / 2 - MINUTE_MS, 5 * MINUTE_MS);
  await sendSome();
  await sender.pass(lastsMs / 2 - HOUR_MS, 5 * MINUTE_MS);
  await sendSome();
  await sender.pass(HOUR_MS, MINUTE_MS);
  return keys;
}

describe('an outage of the receiver', () => {
  it.each([22, 23.5])(
    'of %d hours loses nothing, and all that waits comes within a minute of its end',
    async (hours) => {
      const receiver = await startReceiver();
      const sender = await startSender();
      const keys = await passOutage(sender, receiver, hours * HOUR_MS);
      const from = receiver.posts.length;
      receiver.always(200);
      await sender.pass(MINUTE_MS, SECOND_MS);
      await expect.poll(() => keysAt(receiver, from)).toEqual(new Set(keys));
      expect(await sender.store.read.webhookLog.backlog()).toMatchObject({ pending: 0, dead: 0 });
      expect(receiver.posts.length - from, 'some came twice').toBe(keys.length);
    },
  );

  it('of some minutes is over within one, also where the next attempt was planned much later', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    receiver.always('reset');
    const key = await sender.send(addressOf(receiver.url));
    for (const downMs of [20 * SECOND_MS, 5 * MINUTE_MS]) {
      await sender.pass(downMs, SECOND_MS);
      expect((await sender.store.read.webhookLog.find(key))?.state).toBe('pending');
    }
    receiver.always(200);
    await sender.pass(MINUTE_MS, SECOND_MS);
    expect((await sender.store.read.webhookLog.find(key))?.state).toBe('delivered');
  });

  it('that began before this process did is noticed to be over all the same', async () => {
    const receiver = await startReceiver();
    const store = await openTestStore();
    const before = await startSender({ store });
    receiver.always(503);
    const keys = [await before.send(addressOf(receiver.url)), await before.send(addressOf(receiver.url))];
    await before.pass(MINUTE_MS, SECOND_MS);
    await before.pass(8 * HOUR_MS, 10 * MINUTE_MS);
    await before.delivery.close();
    const from = receiver.posts.length;
    receiver.always(200);
    const after = await startSender({ store, clock: before.clock });
    await after.pass(MINUTE_MS, SECOND_MS);
    await expect.poll(() => keysAt(receiver, from)).toEqual(new Set(keys));
  });

  it('of one path of a principal is over for its others at once', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    receiver.always(503);
    const keys: string[] = [];
    for (let n = 0; n < 200; n += 1) keys.push(await sender.send(addressOf(`${receiver.url}/calls/${n}`)));
    await sender.pass(MINUTE_MS, SECOND_MS);
    await sender.pass(3 * HOUR_MS, 10 * MINUTE_MS);
    const from = receiver.posts.length;
    receiver.always(200);
    await sender.pass(MINUTE_MS, SECOND_MS);
    await expect.poll(() => keysAt(receiver, from)).toEqual(new Set(keys));
  });

  it('is asked after: half a minute between two attempts of one path, and not one for each of a principal’s paths', async () => {
    const receiver = await startReceiver();
    const sender = await startSender();
    receiver.always(503);
    await sender.send(addressOf(receiver.url));
    await sender.pass(10 * MINUTE_MS, SECOND_MS);
    const from = receiver.posts.length;
    await sender.pass(10 * MINUTE_MS, SECOND_MS);
    expect(receiver.posts.length - from).toBeLessThanOrEqual(21);
    expect(receiver.posts.length - from).toBeGreaterThanOrEqual(19);
    for (let n = 0; n < 200; n += 1) await sender.send(addressOf(`${receiver.url}/calls/${n}`));
    await sender.pass(HOUR_MS, 10 * SECOND_MS);
    const many = receiver.posts.length;
    await sender.pass(10 * MINUTE_MS, 2 * SECOND_MS);
    // One in two seconds, and what the plans of events have.
    expect(receiver.posts.length - many).toBeLessThan(330 + 40);
  });
});
