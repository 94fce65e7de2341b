import { expect, it } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, packageRequest, succeeded, updateRequest } from '../../kit/buyer.js';
import { pass } from '../../kit/events.js';
import { startReceiver } from '../../kit/receiver.js';

const SECOND = 1000;
const ODD = '{"big":12345678901234567890,"exact":1.10,"tiny":1e-400,"huge":1e400,"__proto__":{"x":1},"list":[-0,"}"]}';

/** Calls a tool with a context that is written as given. */
async function callWith(server: Booted, name: string, args: object, context: string): Promise<string> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { ...args, context: '@@' } } };
  return (await server.raw(JSON.stringify(call).replace('"@@"', context))).text;
}

const DAY = 86_400 * SECOND;

it('sends a context back to the digit, in the answer and in every event, and that of the latest registration', async () => {
  const [server, receiver] = [await boot(), await startReceiver()];
  const push_notification_config = { url: `${receiver.url}/hook`, operation_id: 'op-1' };
  const flight = { start_time: '2030-01-03T00:00:00Z', end_time: '2030-01-05T00:00:00Z' };
  const bodies = () => receiver.posts.map(({ body }) => body.toString());
  const answer = await callWith(
    server,
    'create_media_buy',
    createRequest({ ...flight, push_notification_config }),
    ODD,
  );
  expect(answer).toContain(`"context":${ODD}`);
  const id = /"media_buy_id":"([^"]+)"/.exec(answer)?.[1] ?? expect.fail();
  await pass(server, 3 * SECOND, SECOND);
  await pass(server, 2 * DAY);
  expect(bodies().at(-1)).toContain(`"context":${ODD}`);
  const told = receiver.posts.length;
  const renewed = '{"second":98765432109876543210}';
  await callWith(server, 'update_media_buy', { ...updateRequest(id), push_notification_config }, renewed);
  // One that registers nothing changes nothing of what was.
  const other = { ...updateRequest(id), idempotency_key: 'another-key-of-16-characters' };
  await callWith(server, 'update_media_buy', { ...other, paused: true }, '{"third":1}');
  await callWith(
    server,
    'update_media_buy',
    { ...other, idempotency_key: `${other.idempotency_key}-2`, paused: false },
    '{}',
  );
  await pass(server, 3 * DAY);
  expect(receiver.posts.length).toBeGreaterThan(told);
  for (const body of bodies().slice(told)) expect(body).toContain(`"context":${renewed}`);
});

it('refuses a registration whose events could be larger than receivers take, naming what makes them so', async () => {
  const [server, receiver] = [await boot(), await startReceiver()];
  const push_notification_config = { url: `${receiver.url}/hook` };
  const create = (more: object) =>
    server.call('create_media_buy', createRequest({ push_notification_config, ...more }));
  const long = { context: { filling: 'x'.repeat(140 * 1024) } };
  expect((await create(long)).payload).toMatchObject({ adcp_error: { code: 'INVALID_REQUEST', field: 'context' } });
  expect((await server.call('create_media_buy', createRequest(long))).isError).toBe(false);
  const packages = Array.from({ length: 100 }, (_, n) =>
    packageRequest({ context: { n, filling: 'y'.repeat(2 * 1024) } }),
  );
  const several = await create({ packages, context: { filling: 'x'.repeat(100 * 1024) } });
  expect(several.payload).toMatchObject({ adcp_error: { code: 'INVALID_REQUEST', field: 'push_notification_config' } });
  const made = succeeded(await server.call('create_media_buy', createRequest({ packages })));
  const { payload } = await server.call('update_media_buy', {
    ...updateRequest(made.media_buy_id),
    context: { filling: 'x'.repeat(100 * 1024) },
    push_notification_config,
  });
  expect(payload).toMatchObject({ adcp_error: { code: 'INVALID_REQUEST', field: 'push_notification_config' } });
});
