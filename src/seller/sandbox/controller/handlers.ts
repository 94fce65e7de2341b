import type { App, Call } from '../../context.js';
import type { Reader } from '../../store/store.js';
import { readParams, type Scenario, type ScenarioContext } from './action.js';
import { completionParams, FORCES } from './forces.js';
import type { ScenarioName } from './scenarios.js';
import { SEEDS } from './seeds.js';
import { SIMULATIONS } from './simulations.js';

/** The scenarios by name. */
export const HANDLERS: Readonly<Record<ScenarioName, Scenario>> = { ...FORCES, ...SIMULATIONS, ...SEEDS };

/** Makes ready to end the task that the parameters name; undefined where there is none. Throws as `App.prepareCompletion` does. */
export async function readyToComplete(
  app: App,
  call: Call,
  db: Reader,
  params: unknown,
): Promise<ScenarioContext['complete']> {
  const { task_id, result } = readParams(completionParams, params);
  const task = await db.tasks.find(call.owner, task_id);
  return task === undefined ? undefined : app.prepareCompletion(task, result);
}
