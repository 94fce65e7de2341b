import { once } from 'node:events';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { DAY_MS, isoTime } from '../../src/platform/kernel/clock.js';
import { createRequest } from '../kit/buyer.js';
import { connectOld } from '../kit/mcp-clients.js';
import { operatorOf } from '../kit/operator.js';
import { type Serving, startServe } from '../kit/process.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { tenantsFolder } from '../kit/tenants.js';

const dataDir = temporaryFolder('seller-agent-mcp-tasks-');
const tenants = tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] }));

const serve = () => startServe({ dataDir, args: ['--tenants', tenants] });

/** Connects a client and returns how it calls a tool as a task, and the tasks of its principal. */
async function connect({ baseUrl }: Serving) {
  const { tasks } = (await connectOld({ url: `${baseUrl}/sales/mcp` }, { tasks: {} })).experimental;
  const begin = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { value } = await tasks.callToolStream({ name, arguments: args }, CallToolResultSchema, { task: {} }).next();
    if (value?.type !== 'taskCreated') throw new Error('no task was created');
    return value.task.taskId;
  };
  return { tasks, begin };
}

it('a task of MCP outlives kill -9: one that waits is decided after it, and an answer that was kept is there', async () => {
  const first = await serve();
  const { begin } = await connect(first);
  const waiting = await begin('create_media_buy', createRequest({ end_time: isoTime(Date.now() + 365 * DAY_MS) }));
  const finished = await begin('get_products', { brief: 'outdoor gear', buying_mode: 'brief' });
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = await serve();
  const { tasks } = await connect(second);
  expect(await tasks.getTask(waiting)).toMatchObject({ status: 'working' });
  expect(await tasks.getTaskResult(finished, CallToolResultSchema)).toMatchObject({
    structuredContent: { products: expect.any(Array) },
  });
  const result = tasks.getTaskResult(waiting, CallToolResultSchema);
  await operatorOf({ dataDir }).post(`/approvals/task-${waiting}`, { decision: 'approve' });
  expect(await result).toMatchObject({ structuredContent: { media_buy_id: expect.any(String) } });
});
