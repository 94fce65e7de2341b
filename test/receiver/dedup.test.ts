import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/platform/kernel/clock.js';
import { freshKey } from '../platform/signing/context.js';
import { KEY, openDesk, SECRET, SELLER, sendHmac, signedAt, taskEvent } from './context.js';

const ACCEPTED = '{"status":"accepted"}';
const DUPLICATE = '{"status":"duplicate"}';

describe('an event', () => {
  it('counts once for a sender, at whichever of its endpoints it comes', async () => {
    const desk = await openDesk({ endpoints: signedAt('/a', '/b') });
    const event = taskEvent();
    expect((await desk.post(event, { url: `${desk.base}/a` })).text).toBe(ACCEPTED);
    expect((await desk.post(event, { url: `${desk.base}/b` })).text).toBe(DUPLICATE);
    expect((await desk.post(event, { url: `${desk.base}/a/x?y` })).text).toBe(DUPLICATE);
    await desk.receiver.tick();
    expect(desk.handled.map(({ target }) => target)).toEqual(['/a']);
  });

  it('counts for each sender that has its key, by who signed and not by what is said', async () => {
    const other = freshKey('ed25519', 'other-1');
    const desk = await openDesk({
      jwks: JSON.stringify({ keys: [KEY.publicJwk] }),
      files: { '/other.json': JSON.stringify({ keys: [other.publicJwk] }) },
      endpoints: (base, jwksUri) => [
        {
          url: `${base}/hooks`,
          mode: 'rfc9421',
          agents: [
            { url: SELLER, jwksUri },
            { url: 'https://other.example/mcp', jwksUri: jwksUri.replace('jwks', 'other') },
          ],
        },
        { url: `${base}/legacy`, mode: 'hmac-sha256', credentials: [SECRET], sender: 'legacy seller' },
        { url: `${base}/again`, mode: 'hmac-sha256', credentials: [SECRET], sender: SELLER },
      ],
    });
    const event = taskEvent({ sender: SELLER, agent_url: SELLER });
    const body = JSON.stringify(event);
    expect((await desk.post(event)).text).toBe(ACCEPTED);
    expect((await desk.post(event, { key: other })).text).toBe(ACCEPTED);
    expect((await sendHmac(`${desk.base}/legacy`, body, desk.clock.now())).text).toBe(ACCEPTED);
    // A credential that was given to the same agent is the same sender.
    expect((await sendHmac(`${desk.base}/again`, body, desk.clock.now())).text).toBe(DUPLICATE);
    await desk.receiver.tick();
    expect(desk.handled.map(({ sender }) => sender)).toEqual([SELLER, 'https://other.example/mcp', 'legacy seller']);
  });

  it('stays what it was when its key comes with other content', async () => {
    const desk = await openDesk();
    const event = taskEvent();
    await desk.post(event);
    const changed = await desk.post({ ...event, status: 'failed' });
    expect([changed.status, changed.text]).toEqual([200, DUPLICATE]);
    await desk.receiver.tick();
    expect(desk.handled.map(({ payload }) => payload.status)).toEqual(['completed']);
  });

  it('that comes many times at once is accepted once and handled once', async () => {
    const desk = await openDesk();
    const event = taskEvent();
    const answers = await Promise.all(Array.from({ length: 50 }, () => desk.post(event)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ text }) => text === ACCEPTED)).toHaveLength(1);
    await desk.receiver.tick();
    expect(desk.handled).toHaveLength(1);
  });

  it('is known after a restart, for a day at the least', async () => {
    const first = await openDesk();
    const event = taskEvent();
    await first.post(event);
    await first.receiver.tick();
    await first.close();
    const { folder, clock } = first;
    const second = await openDesk({ folder, clock });
    clock.advance(DAY_MS);
    await second.receiver.tick();
    expect((await second.post(event)).text).toBe(DUPLICATE);
    clock.advance(HOUR_MS + 1);
    await second.receiver.tick();
    expect(await second.store.list('handled', { limit: 10, after: undefined })).toEqual([]);
    expect(second.handled).toEqual([]);
    expect((await second.post(event)).text).toBe(ACCEPTED);
  });

  it('loses its body when it is handled, and keeps its key', async () => {
    const desk = await openDesk();
    const event = taskEvent();
    await desk.post(event);
    await desk.receiver.tick();
    const [row] = await desk.store.list('handled', { limit: 10, after: undefined });
    expect(row).toMatchObject({ sender: SELLER, idempotency_key: event.idempotency_key, body: null, tries: 1 });
  });
});

describe('a notification', () => {
  it('that comes under another key is told again, and says under which key it came first', async () => {
    const desk = await openDesk();
    const events = [1, 2, 3].map(() => taskEvent({ notification_id: 'imp_1' }));
    for (const event of events) expect((await desk.post(event)).text).toBe(ACCEPTED);
    await desk.receiver.tick();
    const first = events[0]?.idempotency_key;
    expect(desk.handled.map(({ notificationId, reemissionOf }) => [notificationId, reemissionOf])).toEqual([
      ['imp_1', null],
      ['imp_1', first],
      ['imp_1', first],
    ]);
  });

  it('is remembered longer than keys are: what it tells of may go on for weeks', async () => {
    const desk = await openDesk();
    const first = taskEvent({ notification_id: 'imp_1' });
    await desk.post(first);
    await desk.receiver.tick();
    desk.clock.advance(30 * DAY_MS);
    await desk.receiver.tick();
    await desk.post(taskEvent({ notification_id: 'imp_1' }));
    await desk.receiver.tick();
    expect(desk.handled.map(({ reemissionOf }) => reemissionOf)).toEqual([null, first.idempotency_key]);
    desk.clock.advance(91 * DAY_MS);
    await desk.receiver.tick();
    await desk.post(taskEvent({ notification_id: 'imp_1' }));
    await desk.receiver.tick();
    expect(desk.handled.at(-1)?.reemissionOf).toBeNull();
  });

  it('is each sender’s own', async () => {
    const desk = await openDesk({
      endpoints: (base, jwksUri) => [
        ...signedAt('/hooks')(base, jwksUri),
        { url: `${base}/legacy`, mode: 'hmac-sha256', credentials: [SECRET], sender: 'legacy seller' },
      ],
    });
    await desk.post(taskEvent({ notification_id: 'imp_1' }));
    const body = JSON.stringify(taskEvent({ notification_id: 'imp_1' }));
    await sendHmac(`${desk.base}/legacy`, body, desk.clock.now());
    await desk.receiver.tick();
    expect(desk.handled.map(({ reemissionOf }) => reemissionOf)).toEqual([null, null]);
  });
});
