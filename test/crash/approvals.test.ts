import { once } from 'node:events';
import { expect, it } from 'vitest';
import { DAY_MS, isoTime } from '../../src/platform/kernel/clock.js';
import { JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { createRequest, succeeded } from '../kit/buyer.js';
import { send } from '../kit/http.js';
import { operatorOf } from '../kit/operator.js';
import { type Serving, startServe } from '../kit/process.js';
import { startReceiver } from '../kit/receiver.js';
import { killRounds } from '../kit/rounds.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { tenantsFolder } from '../kit/tenants.js';
import type { Payload, WireTask } from '../kit/wire.js';

/** How often the server is killed. */
const ROUNDS = killRounds('approvals');
const ORDERS = 24;
/** The shipped command line has the machine's own clock. */
const END = isoTime(Date.now() + 365 * DAY_MS);
const OVER = ['completed', 'rejected'];

const dataDir = temporaryFolder('seller-agent-kill-');
const args = ['--tenants', tenantsFolder((tenant) => Object.assign(tenant, { approvals: [{}] }))];
const operator = operatorOf({ dataDir });
let server: Serving;

async function call(tool: string, request: object): Promise<Payload> {
  const body = JSON.stringify(toolCall(tool, request));
  return succeeded(
    readAnswer(await send(`${server.baseUrl}/sales/mcp`, { method: 'POST', headers: JSON_HEADERS, body })),
  );
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resume) => setTimeout(resume, 2));
}

/** Everything that is listed, whatever its state. */
async function tasks(): Promise<readonly WireTask[]> {
  const found: WireTask[] = [];
  for (let cursor: string | undefined; ; ) {
    const pagination = { max_results: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page = await call('list_tasks', { pagination });
    found.push(...page.tasks);
    if (!page.pagination.has_more) return found;
    ({ cursor } = page.pagination);
  }
}

it('a decision that was answered holds, and task, buy and event are there together or not at all', async () => {
  const receiver = await startReceiver();
  const url = `${receiver.url}/hook`;
  const acknowledged = new Map<string, string>();
  /** Decides about a task, every third time against it; undefined when the server went away meanwhile. */
  const decide = async (id: string, index: number): Promise<void> => {
    const decision = index % 3 === 0 ? { decision: 'reject', reason: 'No.' } : { decision: 'approve' };
    const answer = await operator.post(`/approvals/${id}`, decision).catch(() => undefined);
    if (answer?.status === 200) acknowledged.set(id, (answer.json() as { status: string }).status);
  };

  server = await startServe({ dataDir, args });
  for (let round = 0; round < ROUNDS; round += 1) {
    const orders = Array.from({ length: ORDERS }, () =>
      createRequest({ end_time: END, push_notification_config: { url } }),
    );
    const ids = (await Promise.all(orders.map((order) => call('create_media_buy', order)))).map(
      ({ task_id }) => task_id,
    );
    const gone = once(server.child, 'exit');
    const before = acknowledged.size;
    const deciding = Promise.all(ids.map(decide));
    await until(() => acknowledged.size > before + round);
    server.child.kill('SIGKILL');
    await Promise.all([gone, deciding]);
    server = await startServe({ dataDir, args });

    const states = new Map((await tasks()).map(({ task_id, status }) => [task_id, status]));
    for (const [id, status] of acknowledged) expect(states.get(id)).toBe(status);
    const waiting = [...states].flatMap(([id, status]) => (OVER.includes(status) ? [] : [id]));
    expect((await operator.waiting()).map(({ id }) => id).sort()).toEqual([...waiting].sort());
    await Promise.all(waiting.map(decide));
  }

  const all = await tasks();
  expect(all).toHaveLength(ROUNDS * ORDERS);
  expect(all.filter(({ status }) => !OVER.includes(status))).toEqual([]);
  const bought = new Set<string>();
  for (const { task_id } of all.filter(({ status }) => status === 'completed')) {
    const { result } = await call('get_task_status', { task_id, include_result: true });
    bought.add(result?.media_buy_id ?? '');
  }
  const listed = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const pagination = { max_results: 100, ...(cursor === undefined ? {} : { cursor }) };
    const every = ['active', 'pending_start', 'pending_creatives'];
    const page = await call('get_media_buys', { status_filter: every, pagination });
    for (const { media_buy_id } of page.media_buys) listed.add(media_buy_id);
    if (!page.pagination.has_more) break;
    ({ cursor } = page.pagination);
  }
  expect(listed).toEqual(bought);

  const keysOf = (id: string) =>
    new Set(receiver.posts.flatMap(({ json }) => (json.task_id === id ? [json.idempotency_key] : [])));
  await until(() => all.every(({ task_id }) => keysOf(task_id).size > 0));
  for (const { task_id, status } of all) {
    expect(keysOf(task_id).size).toBe(1);
    expect(receiver.posts.find(({ json }) => json.task_id === task_id)?.json.status).toBe(status);
  }
});
