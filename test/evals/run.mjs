/**
 * `npm run evals`: has drivers do what people ask of a seller, and says how well that went.
 *
 *   node test/evals/run.mjs [--only text]
 *
 * --only: the tasks whose id has this text in it. Ends with 1 when a task was not done. docs/models.md tells the rest.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), 'evals-'));
const report = path.join(scratch, 'report.txt');
writeFileSync(report, '');
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'evals'],
  { cwd: root, encoding: 'utf8', env: { ...process.env, EVALS_ONLY: options.only, EVALS_REPORT: report } },
);
const told = readFileSync(report, 'utf8');
rmSync(scratch, { recursive: true, force: true });
console.log(told === '' ? `${stdout}${stderr}` : told);
process.exit(status ?? 1);
