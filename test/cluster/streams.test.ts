import { describe, expect, it } from 'vitest';
import { a2aBuyer, skillMessage } from '../kit/a2a.js';
import { createRequest } from '../kit/buyer.js';
import { operatorOf } from '../kit/operator.js';
import { tenantsFolder } from '../kit/tenants.js';
import { bootTwo } from '../kit/two-servers.js';

describe('a stream of A2A at one of two processes on one database', () => {
  it('tells what the other one does about its task, to the end', async () => {
    const { one, two } = await bootTwo({
      tenants: tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] })),
    });
    const stream = await a2aBuyer(one).stream('message/stream', skillMessage('create_media_buy', createRequest()));
    const task = (await stream.next())?.result;
    const id = String(task?.id);
    const resumed = await a2aBuyer(two).stream('tasks/resubscribe', { id });
    expect((await resumed.next())?.result).toEqual(task);
    const decide = (server: typeof one, decision: object) => operatorOf(server).post(`/approvals/task-${id}`, decision);
    await decide(two, { decision: 'ask', question: 'Which page do the ads lead to?' });
    for (const each of [stream, resumed])
      expect((await each.next())?.result).toMatchObject({ status: { state: 'input-required' } });
    await decide(one, { decision: 'reject', reason: 'Not this week.' });
    for (const each of [stream, resumed])
      expect(await each.rest()).toMatchObject([
        { kind: 'artifact-update', taskId: id },
        { kind: 'status-update', status: { state: 'rejected' }, final: true },
      ]);
  });
});
