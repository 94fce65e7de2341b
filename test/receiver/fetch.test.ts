import { describe, expect, it } from 'vitest';
import { KEY, openServiceContext, type ReceiverContext, type Signing, signedRequest, taskEvent } from './context.js';

/** The request that a server of the fetch kind would give for a signed POST. */
function requestOf(context: ReceiverContext, event: object, signing: Signing = {}, init: object = {}): Request {
  const { url, clock } = context;
  const request = signedRequest(JSON.stringify(event), { url, nowSeconds: Math.floor(clock.now() / 1000), ...signing });
  return new Request(url, { method: 'POST', headers: request.headers, body: request.body, ...init } as RequestInit);
}

/** A body that a sender streams without an end. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(64 * 1024)) });
}

describe('the handler of the fetch kind', () => {
  it('verifies, stores and hands over an event, and answers a copy, as that of node:http does', async () => {
    const context = await openServiceContext();
    const event = taskEvent({ context: { big: 'ü'.repeat(3) } });
    const first = await context.receiver.fetch(requestOf(context, event));
    expect([first.status, await first.json()]).toEqual([200, { status: 'accepted' }]);
    expect(await (await context.receiver.fetch(requestOf(context, event))).json()).toEqual({ status: 'duplicate' });
    expect((await context.post(event)).json()).toEqual({ status: 'duplicate' });
    await context.receiver.tick();
    expect(context.handled).toMatchObject([{ body: JSON.stringify(event), keyid: KEY.kid, target: '/hooks' }]);
  });

  it.each([
    ['another address', 404, (url: string) => new Request(`${url}x`, { method: 'POST', body: '{}' })],
    ['no POST', 405, (url: string) => new Request(url)],
    ['a body of no JSON type', 415, (url: string) => new Request(url, { method: 'POST', body: 'x' })],
    ['no signature', 401, (url: string) => new Request(url, { method: 'POST', body: '{}', headers: JSON_TYPE })],
  ])('refuses %s with %d', async (_what, status, request) => {
    const context = await openServiceContext();
    expect((await context.receiver.fetch(request(context.url))).status).toBe(status);
  });

  it('verifies the bytes as they were sent: one changed byte is a refused digest', async () => {
    const context = await openServiceContext();
    const answer = await context.receiver.fetch(requestOf(context, taskEvent(), { body: JSON.stringify(taskEvent()) }));
    expect(answer.headers.get('www-authenticate')).toBe('Signature error="webhook_signature_digest_mismatch"');
    expect(await answer.text()).toBe('');
  });

  it('cuts off a body that never ends at its bound', async () => {
    const context = await openServiceContext({ bounds: { maxBodyBytes: 100_000 } });
    const body = endless();
    const request = requestOf(context, taskEvent(), {}, { body, duplex: 'half' });
    expect((await context.receiver.fetch(request)).status).toBe(413);
  });

  it('gives up on a body that does not come', async () => {
    const context = await openServiceContext();
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([0x7b])) });
    const answering = context.receiver.fetch(requestOf(context, taskEvent(), {}, { body, duplex: 'half' }));
    context.clock.advance(11_000);
    await context.receiver.tick();
    expect((await answering).status).toBe(408);
  });

  it('asks for a body again that somebody read before', async () => {
    const context = await openServiceContext();
    const request = requestOf(context, taskEvent());
    await request.text();
    expect((await context.receiver.fetch(request)).status).toBe(503);
  });

  it('has no word for a sender that hung up', async () => {
    const context = await openServiceContext();
    const body = new ReadableStream({ pull: (stream) => stream.error(new Error('hung up')) });
    const answer = await context.receiver.fetch(requestOf(context, taskEvent(), {}, { body, duplex: 'half' }));
    expect([answer.status, await answer.text()]).toEqual([408, '']);
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };
