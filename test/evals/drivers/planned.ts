import type { Driver } from '../bench.js';
import { Planner } from '../planner/planner.js';
import type { EvalTask } from '../task.js';
import { TASKS } from '../tasks/index.js';

/** The tasks that the scripted planner is given. */
export const PLANNED: readonly EvalTask[] = TASKS.filter(({ wants }) => wants !== undefined);

/** Has the scripted planner do what a person wants. */
export const plan: Driver = ({ desk, given, task }) => Planner.run(desk, task.wants?.(given) ?? []);
