import { expect, test } from 'vitest';
import { a2aBuyer, dataOf } from '../../kit/a2a.js';
import { boot } from '../../kit/boot.js';
import { freshKey, succeeded } from '../../kit/buyer.js';
import { pass, verifierOf } from '../../kit/events.js';
import { startReceiver } from '../../kit/receiver.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { AGENT, AMAZON, HIGH_LTV, signalBuyer, TRADE_DESK } from '../../kit/signals.js';

const MINUTE = 60_000;
const CONTEXT = { trace: 'é-1' };

async function open() {
  const [server, receiver] = [await boot(), await startReceiver()];
  const buyer = signalBuyer(server);
  const registration = { url: `${receiver.url}/live`, operation_id: 'op-1' };
  const order = (changes: object = {}) => ({
    idempotency_key: freshKey(),
    ...HIGH_LTV,
    destinations: [TRADE_DESK, AMAZON],
    push_notification_config: registration,
    context: CONTEXT,
    ...changes,
  });
  const activate = async (changes: object = {}) => succeeded(await buyer.call('activate_signal', order(changes)));
  const statusOf = async (task_id: unknown) =>
    succeeded(await buyer.call('get_task_status', { task_id, include_result: true }));
  return { server, receiver, buyer, order, activate, statusOf };
}

test('a signal on its way is a task, whose webhook says that it is worked on and brings the keys once it is live, also after a restart', async () => {
  const { server, receiver, activate, statusOf } = await open();
  const answer = await activate();
  const { task_id } = answer;
  expect(answer).toMatchObject({ status: 'submitted', deployments: [{ is_live: true }, { is_live: false }] });
  if (hasSchemas('3.1')) expect(schemaJudge('3.1')('signals/activate-signal-response', answer)).toEqual([]);
  await pass(server, 2 * MINUTE);
  expect(await statusOf(task_id)).toMatchObject({ status: 'working', task_type: 'activate_signal' });
  await server.restart();
  await pass(server, 57 * MINUTE);
  expect(receiver.posts.map(({ json }) => json.status)).toEqual(['working']);
  await pass(server, MINUTE);
  const [, end, ...more] = receiver.posts;
  expect(more).toEqual([]);
  expect(end?.json).toMatchObject({
    task_id,
    task_type: 'activate_signal',
    operation_id: 'op-1',
    context: CONTEXT,
    status: 'completed',
    result: {
      deployments: [
        { ...TRADE_DESK, is_live: true },
        { ...AMAZON, is_live: true, activation_key: { type: 'segment_id' }, deployed_at: '2030-01-01T01:00:00Z' },
      ],
    },
  });
  expect(await statusOf(task_id)).toMatchObject({ status: 'completed', result: end?.json.result });
  const verify = await verifierOf(server);
  expect(end && (await verify(end, receiver.url))).toMatchObject({ ok: true });
  for (const { json } of receiver.posts)
    for (const release of (['3.0', '3.1'] as const).filter(hasSchemas))
      expect(schemaJudge(release)('core/mcp-webhook-payload', json)).toEqual([]);
});

test('a signal that is live at once, or is taken back, is over when it is answered', async () => {
  const { server, receiver, activate } = await open();
  for (const changes of [{ destinations: [AGENT] }, { action: 'deactivate' }])
    expect(await activate(changes)).toMatchObject({ status: 'completed' });
  await pass(server, 90 * MINUTE, 30 * MINUTE);
  expect(receiver.posts).toEqual([]);
});

test('a task whose signal is taken back on its way is canceled; one that is ordered again meanwhile waits for that', async () => {
  const { server, receiver, activate, statusOf } = await open();
  const destinations = [AMAZON];
  const first = await activate({ destinations });
  await pass(server, 30 * MINUTE);
  await activate({ destinations, action: 'deactivate' });
  await pass(server, 30 * MINUTE);
  expect(await statusOf(first.task_id)).toMatchObject({ status: 'canceled' });
  expect(receiver.posts.at(-1)?.json).toMatchObject({ status: 'canceled', task_id: first.task_id });

  const second = await activate({ destinations });
  await pass(server, 30 * MINUTE);
  await activate({ destinations, action: 'deactivate' });
  const third = await activate({ destinations });
  await pass(server, 30 * MINUTE);
  expect(await statusOf(second.task_id)).toMatchObject({ status: 'working' });
  await pass(server, 30 * MINUTE);
  for (const { task_id } of [second, third]) expect(await statusOf(task_id)).toMatchObject({ status: 'completed' });
});

test('the same call again is answered with its task, and told once', async () => {
  const { server, receiver, buyer, order } = await open();
  const call = order();
  const first = succeeded(await buyer.call('activate_signal', call));
  expect(succeeded(await buyer.call('activate_signal', call))).toEqual({ ...first, replayed: true });
  await pass(server, 60 * MINUTE);
  expect(receiver.posts.map(({ json }) => json.task_id)).toEqual([first.task_id]);
});

test("over A2A, its own registration hears the end in A2A's envelope, and a task that is canceled takes the signal back", async () => {
  const { server, receiver, order } = await open();
  const buyer = a2aBuyer(server, { tenant: 'signals' });
  const configuration = { pushNotificationConfig: { url: `${receiver.url}/a2a` } };
  const call = () => buyer.call('activate_signal', order({ push_notification_config: undefined }), { configuration });
  const task = await call();
  expect(task.status.state).toBe('working');
  await pass(server, MINUTE);
  await pass(server, 59 * MINUTE);
  const [working, end] = receiver.posts.map(({ json }) => json as unknown as typeof task);
  expect([working?.status.state, end?.status.state]).toEqual(['working', 'completed']);
  expect(end && dataOf(end)).toMatchObject({ deployments: [{ is_live: true }, { is_live: true }] });
  expect(await buyer.get(task.id)).toMatchObject({ id: task.id, status: { state: 'completed' } });

  await buyer.call('activate_signal', order({ push_notification_config: undefined, action: 'deactivate' }));
  const other = await call();
  await buyer.rpc('tasks/cancel', { id: other.id });
  await pass(server, MINUTE);
  expect(receiver.posts.at(-1)?.json).toMatchObject({ id: other.id, status: { state: 'canceled' } });
  await pass(server, 120 * MINUTE);
  const { deployments } = await signalBuyer(server).look(HIGH_LTV.signal_agent_segment_id, { destinations: [AMAZON] });
  expect(deployments).toMatchObject([{ is_live: false }]);
});
