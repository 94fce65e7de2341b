import type { Reading } from '../engine.js';
import { FileProblem } from '../file-problem.js';

const UNFINISHED_COPY = { sql: 'SELECT id FROM unfinished_copy', parameters: [] };

/** Whether the rows of another store are only half here. */
export async function isUnfinished(reading: Reading): Promise<boolean> {
  return (await reading.one(UNFINISHED_COPY, {})) !== undefined;
}

/** Throws FileProblem where the rows of another store are only half here. */
export async function requireWhole(reading: Reading): Promise<void> {
  if (!(await isUnfinished(reading))) return;
  throw new FileProblem('the store', 'another store was being copied into this database, and that never ended', {
    fix: 'Run "seller-agent store copy" again: it begins anew.',
  });
}
