import { describe, expect, it } from 'vitest';
import { bootBench, runTask } from './bench.js';
import { PLANNED, plan } from './drivers.js';
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

describe('whoever does nothing', async () => {
  const server = await bootBench(TASKS);

  it.each(TASKS.map((task) => [task.id, task] as const))('has not done %s', async (_, task) => {
    const { problem } = await runTask(server, task, async () => undefined);
    expect(problem).toBeDefined();
  });
});
