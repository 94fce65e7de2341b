/**
 * `npm run bench`: measures our server beside the SDK peer and a bare HTTP server, and prints each ratio beside its aim.
 *
 *   node test/bench/run.mjs [--quick] [--only name,...] [--out FILE]
 *
 * A full run writes test/bench/results.md; with --quick or --only a file is written only where --out says so.
 * Ends with 0 also when an aim is missed, with 1 when a call failed or a row could not be measured.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createBench, fullPlan, quickPlan } from './measure.mjs';
import { circumstances, markdown, markOf, terminalLines } from './report.mjs';
import { rows } from './rows/index.mjs';
import { cleanUp } from './targets.mjs';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, out: { type: 'string' } },
});
const wanted = options.only?.split(',') ?? rows.map((row) => row.name);
const unknown = wanted.filter((name) => !rows.some((row) => row.name === name));
if (unknown.length > 0) {
  console.error(`no such row: ${unknown.join(', ')}; rows are ${rows.map((row) => row.name).join(', ')}`);
  process.exit(2);
}

process.once('exit', cleanUp);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

/** Shows where the run is, on one line that is written over; only on a terminal. */
function progress(text) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${text.slice(0, (process.stdout.columns || 80) - 1)}`);
}

const measurements = [];
const problems = [];
console.log(circumstances(options.quick).join('\n'));
for (const row of rows.filter((each) => wanted.includes(each.name))) {
  const plan = options.quick ? quickPlan : fullPlan;
  const bench = createBench(plan, (text) => progress(`${row.name}: ${text} ...`));
  const news = [];
  try {
    const measured = await row.measure(bench);
    measurements.push(...measured);
    progress('');
    console.log(measured.map(terminalLines).join('\n'));
  } catch (error) {
    news.push(`${row.name} could not be measured: ${error.message}`);
  }
  news.push(...bench.failedCalls.map((text) => `${row.name}: ${text}`));
  progress('');
  for (const text of news) console.log(`PROBLEM ${text}`);
  problems.push(...news);
}

const outside = measurements.filter((each) => markOf(each) === 'OUTSIDE').length;
const aims = measurements.filter((each) => each.aim !== undefined).length;
console.log(`${aims - outside} of ${aims} aims reached, ${problems.length} problems`);

const isFullRun = !options.quick && options.only === undefined;
const file = options.out ?? (isFullRun ? fileURLToPath(new URL('results.md', import.meta.url)) : undefined);
if (file !== undefined) {
  writeFileSync(file, markdown(measurements, problems, options.quick));
  console.log(`written to ${file}`);
}
process.exit(problems.length > 0 ? 1 : 0);
