import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bootBench, type Driver, type Outcome, runTask } from './bench.js';
import { driveModel, readEndpoint } from './drivers/model.js';
import { PLANNED, plan } from './drivers/planned.js';
import { fileOf, RECORDED, replay, sessionOf } from './drivers/recorded.js';
import { tableOf } from './report.js';
import type { EvalTask } from './task.js';
import { TASKS } from './tasks/index.js';

const { EVALS_ONLY = '', EVALS_RECORD, EVALS_REPORT } = process.env;
const endpoint = readEndpoint(process.env);

/** A model takes its time. */
const MODEL_TIMEOUT_MS = 3_600_000;

if (endpoint === undefined) {
  it('the scripted planner does its tasks', () => drive('scripted planner', PLANNED, plan));
  it('recorded sessions do theirs', () => drive('recorded sessions', RECORDED, replay));
} else {
  const driver = driveModel(endpoint);
  const kept: Driver = async (seat) => {
    await driver(seat);
    if (EVALS_RECORD !== undefined) writeFileSync(fileOf(seat.task.id), sessionOf(seat.given, seat.desk.steps));
  };
  it(`${endpoint.model} does the tasks`, () => drive(endpoint.model, TASKS, kept), MODEL_TIMEOUT_MS);
}

/** Has a driver do the tasks that are asked for, and reports what came of them. */
async function drive(name: string, among: readonly EvalTask[], driver: Driver): Promise<void> {
  const tasks = among.filter(({ id }) => id.includes(EVALS_ONLY));
  const server = await bootBench(tasks);
  const outcomes: Outcome[] = [];
  for (const task of tasks) outcomes.push(await runTask(server, task, driver));
  if (EVALS_REPORT !== undefined) writeFileSync(EVALS_REPORT, `${tableOf(name, outcomes)}\n`, { flag: 'a' });
  expect(outcomes.filter(({ problem }) => problem !== undefined).map(({ id }) => id)).toEqual([]);
}
