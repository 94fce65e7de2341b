import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/platform/kernel/clock.js';
import { freshKey } from '../platform/signing/context.js';
import { KEY, openServiceContext, SECRET, SELLER, sendHmac, signedAt, taskEvent } from './context.js';

const ACCEPTED = '{"status":"accepted"}';
const DUPLICATE = '{"status":"duplicate"}';

describe('an event', () => {
  it('counts once for a sender, at whichever of its endpoints it comes', async () => {
    const context = await openServiceContext({ endpoints: signedAt('/a', '/b') });
    const event = taskEvent();
    expect((await context.post(event, { url: `${context.base}/a` })).text).toBe(ACCEPTED);
    expect((await context.post(event, { url: `${context.base}/b` })).text).toBe(DUPLICATE);
    expect((await context.post(event, { url: `${context.base}/a/x?y` })).text).toBe(DUPLICATE);
    await context.receiver.tick();
    expect(context.handled.map(({ target }) => target)).toEqual(['/a']);
  });

  it('counts for each sender that has its key, by who signed and not by what is said', async () => {
    const other = freshKey('ed25519', 'other-1');
    const context = await openServiceContext({
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
    expect((await context.post(event)).text).toBe(ACCEPTED);
    expect((await context.post(event, { key: other })).text).toBe(ACCEPTED);
    expect((await sendHmac(`${context.base}/legacy`, body, context.clock.now())).text).toBe(ACCEPTED);
    // A credential that was given to the same agent is the same sender.
    expect((await sendHmac(`${context.base}/again`, body, context.clock.now())).text).toBe(DUPLICATE);
    await context.receiver.tick();
    expect(context.handled.map(({ sender }) => sender)).toEqual([SELLER, 'https://other.example/mcp', 'legacy seller']);
  });

  it('stays what it was when its key comes with other content', async () => {
    const context = await openServiceContext();
    const event = taskEvent();
    await context.post(event);
    const changed = await context.post({ ...event, status: 'failed' });
    expect([changed.status, changed.text]).toEqual([200, DUPLICATE]);
    await context.receiver.tick();
    expect(context.handled.map(({ payload }) => payload.status)).toEqual(['completed']);
  });

  it('that comes many times at once is accepted once and handled once', async () => {
    const context = await openServiceContext();
    const event = taskEvent();
    const answers = await Promise.all(Array.from({ length: 50 }, () => context.post(event)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ text }) => text === ACCEPTED)).toHaveLength(1);
    await context.receiver.tick();
    expect(context.handled).toHaveLength(1);
  });

  it('is known after a restart, for a day at the least', async () => {
    const first = await openServiceContext();
    const event = taskEvent();
    await first.post(event);
    await first.receiver.tick();
    await first.close();
    const { folder, clock } = first;
    const second = await openServiceContext({ folder, clock });
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
    const context = await openServiceContext();
    const event = taskEvent();
    await context.post(event);
    await context.receiver.tick();
    const [row] = await context.store.list('handled', { limit: 10, after: undefined });
    expect(row).toMatchObject({ sender: SELLER, idempotency_key: event.idempotency_key, body: null, tries: 1 });
  });
});

describe('a notification', () => {
  it('that comes under another key is told again, and says under which key it came first', async () => {
    const context = await openServiceContext();
    const events = [1, 2, 3].map(() => taskEvent({ notification_id: 'imp_1' }));
    for (const event of events) expect((await context.post(event)).text).toBe(ACCEPTED);
    await context.receiver.tick();
    const first = events[0]?.idempotency_key;
    expect(context.handled.map(({ notificationId, reemissionOf }) => [notificationId, reemissionOf])).toEqual([
      ['imp_1', null],
      ['imp_1', first],
      ['imp_1', first],
    ]);
  });

  it('is remembered longer than keys are: what it tells of may go on for weeks', async () => {
    const context = await openServiceContext();
    const first = taskEvent({ notification_id: 'imp_1' });
    await context.post(first);
    await context.receiver.tick();
    context.clock.advance(30 * DAY_MS);
    await context.receiver.tick();
    await context.post(taskEvent({ notification_id: 'imp_1' }));
    await context.receiver.tick();
    expect(context.handled.map(({ reemissionOf }) => reemissionOf)).toEqual([null, first.idempotency_key]);
    context.clock.advance(91 * DAY_MS);
    await context.receiver.tick();
    await context.post(taskEvent({ notification_id: 'imp_1' }));
    await context.receiver.tick();
    expect(context.handled.at(-1)?.reemissionOf).toBeNull();
  });

  it('is each sender’s own', async () => {
    const context = await openServiceContext({
      endpoints: (base, jwksUri) => [
        ...signedAt('/hooks')(base, jwksUri),
        { url: `${base}/legacy`, mode: 'hmac-sha256', credentials: [SECRET], sender: 'legacy seller' },
      ],
    });
    await context.post(taskEvent({ notification_id: 'imp_1' }));
    const body = JSON.stringify(taskEvent({ notification_id: 'imp_1' }));
    await sendHmac(`${context.base}/legacy`, body, context.clock.now());
    await context.receiver.tick();
    expect(context.handled.map(({ reemissionOf }) => reemissionOf)).toEqual([null, null]);
  });
});
