import { expect, inject, it, onTestFinished } from 'vitest';
import { startRelay } from '../../scripts/cluster/relay.mjs';
import { DAY_MS } from '../../src/platform/kernel/clock.js';
import { boot } from '../kit/boot.js';
import { createRequest } from '../kit/buyer.js';
import { send } from '../kit/http.js';
import { operatorOf } from '../kit/operator.js';
import { shareDatabase } from '../kit/two-servers.js';
import { outcome, post, signingContext, WHO_AM_I } from '../seller/http/signatures/signing-context.js';

/** Boots a server that reaches its database through a relay. */
async function bootBehindRelay() {
  const shared = await shareDatabase();
  const store = new URL(shared.settings.store);
  const relay = await startRelay({ port: Number(new URL(inject('postgresUrl')).port) });
  onTestFinished(() => relay.close());
  store.port = String(relay.port);
  const context = await signingContext(undefined, { ...shared, settings: { store: store.href } });
  return { ...context, shared, relay };
}

it('everything that asks the database says SERVICE_UNAVAILABLE while it is away, and goes on when it is back', async () => {
  const { alice, relay, server } = await bootBehindRelay();
  const { app } = server.server();
  const link = `${server.baseUrl}/approvals/${app.approvalLinks.write('task-1', server.clock.now() + DAY_MS)}`;
  expect((await send(link)).status).toBe(404);
  relay.cut();
  const signed = await post(server, alice, WHO_AM_I);
  expect([signed.status, signed.headers['retry-after']]).toEqual([503, '5']);
  expect(signed.json()).toMatchObject({ error: { data: { code: 'SERVICE_UNAVAILABLE', retry_after: 5 } } });
  const page = await send(link);
  expect([page.status, page.headers['retry-after'], page.headers['content-type']]).toEqual([
    503,
    '5',
    'text/html; charset=utf-8',
  ]);
  const media = await send(`${server.baseUrl}/previews/0123456789abcdef0123456789abcdef`);
  expect([media.status, media.headers['retry-after']]).toEqual([503, '5']);
  expect(media.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE', retry_after: 5 } });
  const waiting = await operatorOf(server).get('/approvals');
  expect(waiting.status).toBe(503);
  const { payload } = await server.call('create_media_buy', createRequest());
  expect(payload.errors).toMatchObject([{ code: 'SERVICE_UNAVAILABLE', retry_after: 5 }]);
  relay.restore();
  await expect.poll(async () => outcome(await post(server, alice, WHO_AM_I))).toEqual(['acct_alice']);
});

it.each(['is cut off', 'answers nothing'] as const)(
  'a server closes while its database %s, and another one takes its jobs over',
  async (how) => {
    const { relay, server, shared, tenants } = await bootBehindRelay();
    await server.server().tick();
    if (how === 'is cut off') relay.cut();
    else relay.stopReading();
    await server.close();
    // The folder is free, and so is what the server listened on.
    const next = await boot({ ...shared, dataDir: server.dataDir, tenants });
    await next.close();
  },
);
