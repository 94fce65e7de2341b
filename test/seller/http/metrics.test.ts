import { describe, expect, it } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, succeeded } from '../../kit/buyer.js';
import { send } from '../../kit/http.js';
import { operatorOf } from '../../kit/operator.js';
import { tenantsFolder } from '../../kit/tenants.js';

/** Every sample by name and labels. */
async function samples(baseUrl: string): Promise<ReadonlyMap<string, number>> {
  const { headers, status, text } = await send(`${baseUrl}/metrics`);
  expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)]);
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

describe('/metrics', () => {
  it('tells the process, the store, webhooks and tasks, and nothing of a registry where none is configured', async () => {
    const { baseUrl, call } = await boot();
    const before = await samples(baseUrl);
    expect(before.get('seller_agent_tenants')).toBe(3);
    expect(before.get('seller_agent_webhooks{state="pending"}')).toBe(0);
    expect(before.get('seller_agent_webhooks{state="dead"}')).toBe(0);
    expect(before.get('process_start_time_seconds')).toBeGreaterThan(0);
    expect([...before.keys()].filter((name) => /registry|unauthorized|tasks_waiting/.test(name))).toEqual([]);
    succeeded(await call('create_media_buy', createRequest()));
    const after = await samples(baseUrl);
    expect(after.get('seller_agent_store_transactions')).toBeGreaterThan(
      before.get('seller_agent_store_transactions') ?? 0,
    );
  });

  it('counts what waits for a person, by kind, and stops when it was decided', async () => {
    const tenants = tenantsFolder((tenant) => {
      tenant.approvals = [{ tasks: ['create_media_buy'] }];
    });
    const server = await boot({ tenants });
    const waiting = async () =>
      (await samples(server.baseUrl)).get('seller_agent_tasks_waiting{task_type="create_media_buy"}');
    const { status, task_id } = succeeded(await server.call('create_media_buy', createRequest()));
    expect([status, await waiting()]).toEqual(['submitted', 1]);
    await operatorOf(server).post(`/approvals/task-${task_id}`, { decision: 'approve' });
    expect(await waiting()).toBeUndefined();
  });

  it('counts the webhooks that are still sent, and the age of the oldest', async () => {
    const { baseUrl, call, clock } = await boot();
    const url = 'http://127.0.0.1:1/webhooks';
    const push_notification_config = { url, operation_id: 'op-1' };
    succeeded(await call('create_media_buy', createRequest({ push_notification_config })));
    clock.advance(60_000);
    const found = await samples(baseUrl);
    expect(found.get('seller_agent_webhooks{state="pending"}')).toBeGreaterThan(0);
    expect(found.get('seller_agent_webhook_oldest_pending_seconds')).toBeGreaterThanOrEqual(60);
  });
});
