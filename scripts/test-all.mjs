/**
 * Runs every tier of the tests, two of them on Node 24, and ends with the counts and with what was skipped or failed.
 * Tiers that mostly wait run beside those that compute. A file that failed is run again alone when all are done, twice at most, and named:
 * on a shared machine a process that another waited for may have come too late.
 * `--counts <file>` writes the counts as JSON instead, `--minutes <n>` ends what is not done by then as failed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MINUTE_MS = 60_000;
/** Files of a tier that are run again; when more failed, it is not by chance. */
const MAX_FILES_AGAIN = 5;
const MAX_RUNS_AGAIN = 2;

/** What runs after each other: of each stage all lanes beside each other, of each lane the tiers in turn. */
const STAGES = [
  // Alone: the first PostgreSQL server makes the user that all of them run as.
  [['main', 'postgres']],
  [
    ['postgres-flows', 'main-again'],
    ['cluster', 'crash', 'docs'],
  ],
  [['browser']],
];
/** Tiers on Node 24, and their names in what is printed; `main-again` is that part of `main` that vitest.config.ts names. */
const ON_NODE_24 = { 'postgres-flows': 'postgres-flows on Node 24', 'main-again': 'a part of main on Node 24' };

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), 'test-all-'));
const endsAt = Date.now() + Number(option('--minutes') ?? 120) * MINUTE_MS;
const newer = installNode24();

const firsts = [];
for (const lanes of STAGES) firsts.push(...(await Promise.all(lanes.map(runLane))).flat());
const results = [];
for (const first of firsts) results.push(await runFailedAgain(first));

rmSync(scratch, { recursive: true, force: true });
for (const { name, seconds, passed, failed, skipped, failures, again } of results) {
  console.log(
    `${name}: ${passed} passed, ${failed} failed${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}, ${seconds} s`,
  );
  for (const test of skipped) console.log(`  skipped: ${test}`);
  for (const { test, why } of again) console.log(`  passed only when run again: ${test}\n${why}`);
  for (const { test, why } of failures) console.log(`  FAILED: ${test}\n${why}`);
}
const sum = (count) => results.reduce((total, result) => total + count(result), 0);
const counts = {
  passed: sum(({ passed }) => passed),
  failed: sum(({ failed }) => failed),
  skipped: sum(({ skipped }) => skipped.length),
};
const countsFile = option('--counts');
if (countsFile !== undefined) writeFileSync(countsFile, JSON.stringify(counts));
else console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 ? 0 : 1);

function option(name) {
  const at = process.argv.indexOf(name);
  return at > 0 ? process.argv[at + 1] : undefined;
}

async function runLane(tiers) {
  const finished = [];
  for (const tier of tiers) finished.push(await runTier(tier));
  return finished;
}

async function runTier(tier) {
  const isOnNewer = tier in ON_NODE_24 && newer !== undefined;
  const about = { tier, name: isOnNewer ? ON_NODE_24[tier] : tier, node: isOnNewer ? newer : process.execPath };
  if (tier === 'main-again' && newer === undefined)
    return { ...about, ...skippedTier('node@24 could not be installed on this machine'), name: ON_NODE_24[tier] };
  console.log(`== ${about.name} (${about.node})`);
  const startedAt = Date.now();
  const first = await runFiles(about, []);
  return { ...first, ...about, seconds: secondsSince(startedAt) };
}

/** Returns the result of a tier once those of its files that failed have run again. */
async function runFailedAgain(first) {
  const startedAt = Date.now();
  let last = first;
  for (let run = 1; run <= MAX_RUNS_AGAIN && Date.now() < endsAt; run++) {
    const files = [...new Set(last.failures.map(({ file }) => file))];
    if (files.length === 0 || files.length > MAX_FILES_AGAIN || files.includes(undefined)) break;
    console.log(`== ${first.name}, again: ${files.join(' ')}`);
    last = await runFiles(first, files);
  }
  return {
    ...first,
    seconds: first.seconds + secondsSince(startedAt),
    passed: first.passed + first.failed - last.failed,
    failed: last.failed,
    failures: last.failures,
    again: first.failures.filter(({ test }) => !last.failures.some((failure) => failure.test === test)),
  };
}

function secondsSince(startedAt) {
  return Math.round((Date.now() - startedAt) / 1000);
}

/** Returns what a run of the files, or of all of the tier, reports. What the run leaves behind is ended with it. */
async function runFiles({ tier, name, node }, files) {
  const report = path.join(mkdtempSync(path.join(scratch, 'run-')), 'report.json');
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(node, [vitest, 'run', '--project', tier, ...files], {
    cwd: root,
    // A group of its own, which ends as one, and pipes of its own: a process left behind would hold ours open.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TEST_REPORT: report },
  });
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on('line', (line) => console.log(`${tier} | ${line}`));
  const timer = setTimeout(() => endGroup(child.pid), Math.max(endsAt - Date.now(), MINUTE_MS));
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  endGroup(child.pid);
  return readReport(name, report);
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

/** A file that failed in no test of its own, but in loading or in a hook, counts as one failure. */
function readReport(name, file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const fileOf = (result) => path.relative(root, result.name);
    const failures = report.testResults.flatMap((result) => {
      const failed = result.assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0 && result.status === 'failed')
        return [{ test: fileOf(result), file: fileOf(result), why: firstLines(result.message) }];
      return failed.map(({ fullName, failureMessages }) => ({
        test: fullName,
        file: fileOf(result),
        why: firstLines(failureMessages.join('\n')),
      }));
    });
    return {
      name,
      passed: report.numPassedTests,
      failed: failures.length,
      skipped: report.testResults
        .flatMap(({ assertionResults }) => assertionResults)
        .filter(({ status }) => status === 'pending' || status === 'skipped')
        .map(({ fullName }) => fullName),
      failures,
      again: [],
    };
  } catch {
    return failedTier(name, 'the run left no report: it crashed, or its time was over');
  }
}

function failedTier(name, why) {
  console.log(`${name}: ${why}`);
  return { name, passed: 0, failed: 1, skipped: [], failures: [{ test: name, why }], again: [] };
}

function skippedTier(why) {
  return { seconds: 0, passed: 0, failed: 0, skipped: [`all of it: ${why}`], failures: [], again: [] };
}

/** Enough of a failure to know it by, where only the end of a run's output is kept. */
function firstLines(text = '') {
  return text
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line.slice(0, 200)}`)
    .join('\n');
}

/**
 * In a folder of its own: a `node` among the project's packages would run the project's scripts. Not by `--prefix`, with which npm reads
 * other settings than this machine's (https://docs.npmjs.com/cli/configuring-npm/npmrc).
 */
function installNode24() {
  writeFileSync(path.join(scratch, 'package.json'), '{"private":true}');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel', 'error', 'node@24'];
  const { status } = spawnSync('npm', args, { cwd: scratch, stdio: 'inherit', timeout: 10 * MINUTE_MS });
  return status === 0 ? path.join(scratch, 'node_modules/.bin/node') : undefined;
}
