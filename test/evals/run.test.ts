import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bootBench, type Driver, type Outcome, runTask } from './bench.js';
import { PLANNED, plan } from './drivers.js';
import { tableOf } from './report.js';
import type { EvalTask } from './task.js';

const { EVALS_ONLY = '', EVALS_REPORT } = process.env;

it('the scripted planner does its tasks', async () => {
  await drive('scripted planner', PLANNED, plan);
});

/** Has a driver do the tasks that are asked for, and reports what came of them. */
async function drive(name: string, among: readonly EvalTask[], driver: Driver): Promise<void> {
  const tasks = among.filter(({ id }) => id.includes(EVALS_ONLY));
  const server = await bootBench(tasks);
  const outcomes: Outcome[] = [];
  for (const task of tasks) outcomes.push(await runTask(server, task, driver));
  if (EVALS_REPORT !== undefined) writeFileSync(EVALS_REPORT, `${tableOf(name, outcomes)}\n`, { flag: 'a' });
  expect(outcomes.filter(({ problem }) => problem !== undefined).map(({ id }) => id)).toEqual([]);
}
