import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/platform/kernel/clock.js';
import { RECEIVER_LIMITS } from '../../src/receiver/store/store.js';
import { send } from '../kit/http.js';
import { openServiceContext, type ReceiverContext, taskEvent } from './context.js';

const ALL = { limit: 100_000, after: undefined };

/** Opens a connection, sends what it is given, and answers what comes back until it is closed. */
async function speak(context: ReceiverContext, text: string) {
  const socket = connect(Number(new URL(context.base).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part;
  });
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)));
  await once(socket, 'connect');
  socket.write(text);
  await until(context, () => context.arrived() > 0);
  return { socket, closed };
}

/** The head of a POST with half a body. */
function half(length: number): string {
  return `POST /hooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{"a":`;
}

describe('a body', () => {
  it('of 1.1 MB is refused by its declared length, before anything is read or verified', async () => {
    const context = await openServiceContext();
    const answer = await context.post(taskEvent({ message: 'x'.repeat(1.1 * 1024 * 1024) }));
    expect(answer.status).toBe(413);
    expect(answer.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', message: expect.any(String) } });
    // The connection goes on: the sender is told, and its next event is welcome.
    expect((await context.post(taskEvent())).status).toBe(200);
  });

  it('of 1.1 MB without a declared length is refused once it is too long', async () => {
    const context = await openServiceContext();
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const answer = await send(context.url, { method: 'POST', headers, body: 'x'.repeat(1.1 * 1024 * 1024) });
    expect(answer.status).toBe(413);
    expect((await context.post(taskEvent())).status).toBe(200);
  });

  it.each([
    ['values', `{"a":[${'0,'.repeat(60_000)}0]}`],
    ['levels', `${'['.repeat(100)}${']'.repeat(100)}`],
    ['members of one object', `{${Array.from({ length: 3000 }, (_, at) => `"n${at}":0`).join()}}`],
  ])('of too many %s is refused before it is verified', async (_what, body) => {
    const context = await openServiceContext();
    const headers = { 'content-type': 'application/json' };
    const answer = await send(context.url, { method: 'POST', headers, body });
    expect(answer.status).toBe(413);
    expect(answer.json()).toMatchObject({
      error: { code: 'INVALID_REQUEST', message: expect.stringContaining('more than 50000 values') },
    });
  });

  it('of a megabyte less its envelope is taken', async () => {
    const context = await openServiceContext();
    const event = taskEvent({ message: '' });
    const room = 1024 * 1024 - JSON.stringify(event).length;
    expect((await context.post({ ...event, message: 'x'.repeat(room) })).status).toBe(200);
    expect((await context.post({ ...taskEvent(), message: 'x'.repeat(room + 1) })).status).toBe(413);
  });

  it.each([
    ['declares a gigabyte', 'Content-Length: 1000000000', 'x'.repeat(10_000)],
    ['declares nothing', 'Transfer-Encoding: chunked', `2710\r\n${'x'.repeat(10_000)}\r\n`],
  ])('that %s and never ends is cut off after eight times the most', async (_what, length, chunk) => {
    const context = await openServiceContext({ bounds: { maxBodyBytes: 10_000 } });
    const head = `POST /hooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
    const { socket, closed } = await speak(context, head);
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', pour);
    pour();
    expect(await closed).toMatch(/^HTTP\/1\.1 413 |^$/);
    expect(context.receipts).toEqual([{ kind: 'refused', refusal: 'too_large' }]);
    expect((await context.post(taskEvent())).status).toBe(200);
  });

  it('that drips is given ten seconds', async () => {
    const context = await openServiceContext();
    const { socket, closed } = await speak(context, half(1000));
    context.clock.advance(9 * SECOND_MS);
    await context.receiver.tick();
    socket.write('1');
    expect(context.receipts).toEqual([]);
    context.clock.advance(SECOND_MS);
    await context.receiver.tick();
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
    expect(context.receipts).toEqual([{ kind: 'refused', refusal: 'too_slow' }]);
  });

  it('whose sender hangs up is forgotten', async () => {
    const context = await openServiceContext();
    const { socket } = await speak(context, half(1000));
    socket.destroy();
    await until(context, () => context.receipts.length > 0);
    expect(context.receipts).toEqual([{ kind: 'gone' }]);
  });

  it('waits outside when the others that are being read take all the room', async () => {
    const context = await openServiceContext({ bounds: { maxReadingBytes: 1000 } });
    const first = await speak(context, half(2000) + 'x'.repeat(900));
    let refused = await context.post(taskEvent({ message: 'x'.repeat(500) }));
    while (refused.status === 200) refused = await context.post(taskEvent({ message: 'x'.repeat(500) }));
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    first.socket.destroy();
    await until(context, () => context.receipts.some(({ kind }) => kind === 'gone'));
    // Every body gives its room back, whatever became of it.
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await context.post(taskEvent({ message: 'x'.repeat(500) }))).status).toBe(200);
      expect((await context.post(taskEvent({ message: 'x'.repeat(500) }), { tag: 'none' })).status).toBe(401);
    }
  });
});

describe('the store', () => {
  it('takes so many keys and no more, and still knows those it has', async () => {
    const context = await openServiceContext({ limits: { ...RECEIVER_LIMITS, maxEntries: 30 } });
    const events = Array.from({ length: 60 }, () => taskEvent());
    const answers = await Promise.all(events.map((event) => context.post(event)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ headers }) => headers['retry-after'])).toEqual(refused.map(() => '60'));
    const again = await Promise.all(events.map(async (event) => (await context.post(event)).status));
    expect(again).toEqual(answers.map(({ status }) => status));
    await context.receiver.tick();
    expect(context.handled).toHaveLength(30);
    context.clock.advance(DAY_MS + 2 * HOUR_MS);
    await context.receiver.tick();
    expect((await context.post(taskEvent())).status).toBe(200);
  });

  it('stays within its bounds under 10,000 keys at once', async () => {
    const { store } = await openServiceContext({ limits: { ...RECEIVER_LIMITS, maxEntries: 1000 } });
    const arrived = { sender: 's', notification_id: null, mode: 'rfc9421', keyid: null, target: '/', body: '{}' };
    const keep = (index: number) => store.add({ ...arrived, idempotency_key: `key-${index}`, received_at: index });
    const added = await Promise.all(Array.from({ length: 10_000 }, (_, index) => keep(index)));
    expect(added.filter((one) => one === 'added')).toHaveLength(1000);
    expect(added.filter((one) => one === 'full')).toHaveLength(9000);
    // Some may have been handled by now.
    const stored = [...(await store.list('waiting', ALL)), ...(await store.list('handled', ALL))];
    expect(stored).toHaveLength(1000);
    expect(await keep(0)).toBe('duplicate');
  });

  it('counts notification ids too', async () => {
    const context = await openServiceContext({ limits: { ...RECEIVER_LIMITS, maxEntries: 3 } });
    const status = async (change: object): Promise<number> => (await context.post(taskEvent(change))).status;
    expect(await status({ notification_id: 'a' })).toBe(200);
    expect(await status({ notification_id: 'b' })).toBe(429);
    expect(await status({})).toBe(200);
    expect(await status({})).toBe(429);
  });

  it.each([
    ['so many waiting events', { ...RECEIVER_LIMITS, maxHeld: 2 }],
    ['so many bytes of them', { ...RECEIVER_LIMITS, maxHeldBytes: 2500 }],
  ])('holds %s and takes more when they are handled, also after a restart', async (_what, limits) => {
    let isBroken = true;
    const handler = (): void => {
      if (isBroken) throw new Error('not now');
    };
    const event = (): object => taskEvent({ message: 'x'.repeat(900) });
    const first = await openServiceContext({ limits, handler });
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await first.post(event())).status));
    expect(statuses.toSorted()).toEqual([200, 200, 429, 429]);
    await first.receiver.tick();
    expect((await first.post(event())).status).toBe(429);
    await first.close();
    const { folder, clock } = first;
    const second = await openServiceContext({ folder, clock, limits, handler });
    expect((await second.post(event())).status).toBe(429);
    isBroken = false;
    clock.advance(2 * SECOND_MS);
    await second.receiver.tick();
    expect(await second.store.list('handled', ALL)).toHaveLength(2);
    expect((await second.post(event())).status).toBe(200);
  });

  it('that fails is no fault of the sender: 503, and nothing is acknowledged', async () => {
    const context = await openServiceContext();
    await context.store.close();
    const answer = await context.post(taskEvent());
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '30' } });
    expect(context.log.some(({ level }) => level === 'error')).toBe(true);
  });
});

/** Waits for what a connection brings about; every round goes once through the event loop. */
async function until(context: ReceiverContext, holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((resume) => setImmediate(resume));
    await context.receiver.tick();
  }
}
