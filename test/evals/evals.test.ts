import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { afterUse } from '../kit/after-use.js';
import { freshKey } from '../kit/buyer.js';
import { bootBench, runTask } from './bench.js';
import { driveModel } from './drivers/model.js';
import { PLANNED, plan } from './drivers/planned.js';
import { RECORDED, replay, sessionOf } from './drivers/recorded.js';
import { MOST } from './report.js';
import { TASKS } from './tasks/index.js';

describe('whoever reads the list of tools and the answers alone', async () => {
  const server = await bootBench(PLANNED);

  it.each(PLANNED.map((task) => [task.id, task] as const))(
    'does %s within the calls and bytes of a request',
    async (_, task) => {
      const { bytes, calls, problem } = await runTask(server, task, plan);
      expect(problem).toBeUndefined();
      expect(calls).toBeLessThanOrEqual(MOST.calls);
      expect(bytes).toBeLessThanOrEqual(MOST.bytes);
    },
  );
});

describe('a session that was recorded', async () => {
  const server = await bootBench(RECORDED);

  it.each(RECORDED.map((task) => [task.id, task] as const))('still does %s', async (_, task) => {
    expect((await runTask(server, task, replay)).problem).toBeUndefined();
  });

  it('names the ids that answers and requests told', async () => {
    const raise = PLANNED.filter(({ id }) => id === 'raise-budget');
    const [task] = raise;
    assert.ok(task);
    let session = '';
    await runTask(await bootBench(raise), task, async (seat) => {
      await plan(seat);
      session = sessionOf(seat.given, seat.desk.steps);
    });
    expect(JSON.parse(session)).toMatchObject([
      { name: 'get_media_buys', args: { media_buy_ids: ['$given.media_buy_id'] } },
      { args: { packages: [{ package_id: '$0.media_buys.0.packages.1.package_id', budget: 3000 }] } },
    ]);
  });
});

describe('a model behind an OpenAI-compatible endpoint', () => {
  it('is given the tools and what they answer, until it calls none', async () => {
    const asked: ModelRequest[] = [];
    const url = await modelThat((request) => {
      asked.push(request);
      const [, person, ...rest] = request.messages;
      const media_buy_id = /mb_\w+/.exec(person?.content ?? '')?.[0];
      if (rest.length > 0) return { role: 'assistant', content: 'It is paused.' };
      const args = JSON.stringify({ media_buy_id, paused: true, idempotency_key: freshKey() });
      return { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'update_media_buy', arguments: args } }] };
    });
    const tasks = TASKS.filter(({ id }) => id === 'pause-buy');
    const [task] = tasks;
    assert.ok(task);
    const outcome = await runTask(await bootBench(tasks), task, driveModel({ url, model: 'any', key: 'secret' }));
    expect(outcome).toMatchObject({ problem: undefined, calls: 1, wrongCalls: 0 });
    expect(asked).toHaveLength(2);
    expect(asked[0]?.tools.map((tool) => tool.function.name)).toContain('get_products');
    expect(asked[1]?.messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'c1' });
    expect(asked[1]?.messages.at(-1)?.content).toContain('"media_buy_status":"paused"');
  });
});

describe('whoever does nothing', async () => {
  const server = await bootBench(TASKS);

  it.each(TASKS.map((task) => [task.id, task] as const))('has not done %s', async (_, task) => {
    const { problem } = await runTask(server, task, async () => undefined);
    expect(problem).toBeDefined();
  });
});

type ModelRequest = {
  readonly messages: readonly { readonly role: string; readonly content?: string }[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
};

/** Starts an endpoint that answers as a model would, and returns its address. */
async function modelThat(answer: (request: ModelRequest) => object): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as ModelRequest;
    response.end(JSON.stringify({ choices: [{ message: answer(body) }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterUse(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
