/**
 * npm run conformance: the public suites against servers on throw-away stores, and one table. A failed step, a step that passed before
 * and does not now, and a skipped one that nothing explains end it with 1.
 *
 *   node test/conformance/run.mjs [--only part,...]
 *
 * After a whole run UPDATE_BASELINE=1 keeps its counts for those to come, and UPDATE_DOCS=1 writes its table into docs/conformance.md.
 */
import { parseArgs } from 'node:util';
import { startAgent, stopAgents } from './agent.mjs';
import { problemsOf, writeBaseline } from './baseline.mjs';
import { HOW_TO_REPEAT } from './fuzz.mjs';
import { parts, WAITING_PARTS } from './parts.mjs';
import { copyAheadOfTime } from './suite.mjs';
import { circumstances, partLines, summary, writeDocument } from './table.mjs';

const { values: options } = parseArgs({ options: { only: { type: 'string' } } });
const wanted = options.only?.split(',') ?? parts.map((part) => part.name);
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')}; parts are ${parts.map((part) => part.name).join(', ')}`);
  process.exit(2);
}

const suite = copyAheadOfTime();
process.env.ADCP_COMPLIANCE_DIR = suite.folder;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end(130));

console.log(`${circumstances()}\n${HOW_TO_REPEAT}`);
const chosen = parts.filter((part) => wanted.includes(part.name));
const lanes = [
  ...chosen.filter((part) => WAITING_PARTS.includes(part.name)).map((part) => [part]),
  chosen.filter((part) => !WAITING_PARTS.includes(part.name)),
];
const done = new Map((await Promise.all(lanes.map(runLane))).flat().map((result) => [result.part, result]));
const results = chosen.map((part) => done.get(part));
console.log(`\n${summary(results).join('\n')}`);

const problems = results.reduce((total, result) => total + result.problems.length, 0);
if (options.only === undefined) {
  if (process.env.UPDATE_BASELINE === '1') writeBaseline(results);
  if (process.env.UPDATE_DOCS === '1') writeDocument(results);
}
for (const { part, problems: found } of results)
  for (const problem of found) console.log(`PROBLEM ${part.name}: ${problem}`);
console.log(problems === 0 ? '\nconformance: clean' : `\nconformance: ${problems} problems`);
await end(problems === 0 ? 0 : 1);

/** What a part that had problems has on a second server, with the same seeds: one that is clean then was held up by the machine, and is named. */
async function runAgain(part) {
  const result = await runPart(part);
  console.log(`${partLines(result)}\n  ${result.problems.length === 0 ? 'clean' : 'not clean'} when run again`);
  return result;
}

/** Runs parts one after the other, each on a server of its own, and prints each when it is done. */
async function runLane(lane) {
  const finished = [];
  for (const part of lane) {
    const first = await runPart(part);
    console.log(partLines(first));
    finished.push(first.problems.length === 0 ? first : await runAgain(part));
  }
  return finished;
}

async function runPart(part) {
  const from = process.hrtime.bigint();
  const seconds = () => Math.round(Number(process.hrtime.bigint() - from) / 1e9);
  try {
    const agent = await (part.start ?? startAgent)();
    try {
      const rows = await part.rows(agent);
      return { part, rows, problems: problemsOf(part.name, rows), seconds: seconds() };
    } finally {
      await agent.stop();
    }
  } catch (error) {
    return { part, rows: [], problems: [`could not run: ${error.message}`], seconds: seconds() };
  }
}

async function end(code) {
  await stopAgents();
  suite.remove();
  process.exit(code);
}
