import { describe, expect, it } from 'vitest';
import { bootBench, runTask } from './bench.js';
import { PLANNED, plan } from './drivers.js';
import { MOST } from './report.js';

const server = await bootBench(PLANNED);

describe('whoever reads the list of tools and the answers alone', () => {
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
