import type { EvalTask } from '../task.js';
import { BUYING } from './buying.js';
import { CREATIVES } from './creatives.js';
import { OTHERS } from './others.js';
import { RUNNING } from './running.js';

/** Every task, in the order of the report. */
export const TASKS: readonly EvalTask[] = [...BUYING, ...RUNNING, ...CREATIVES, ...OTHERS];
