/**
 * Runs every tier of the tests, then the main one once more on Node 24, but for what other programs do (vitest.config.ts), and ends with the
 * counts and with what was skipped or failed.
 * A file that failed is run again alone, twice at most, and named: on a shared machine a process that another waited for may have come too late.
 * `--counts <file>` writes the counts as JSON instead, `--minutes <n>` ends what is not done by then as failed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MINUTE_MS = 60_000;
/** Files of a tier that are run again; when more failed, it is not by chance. */
const MAX_FILES_AGAIN = 5;
const MAX_RUNS_AGAIN = 2;

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), 'test-all-'));
const endsAt = Date.now() + Number(option('--minutes') ?? 120) * MINUTE_MS;
const results = [];

for (const tier of ['main', 'postgres', 'postgres-flows', 'cluster', 'crash', 'browser', 'docs'])
  results.push(await runTier(tier, process.execPath));
const newer = installNode24();
if (newer === undefined) results.push(skippedTier('main on Node 24', 'node@24 could not be installed on this machine'));
else results.push({ ...(await runTier('main-again', newer)), name: 'main on Node 24' });

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

async function runTier(name, node) {
  console.log(`== ${name} (${node})`);
  const startedAt = Date.now();
  const first = await runFiles(name, node, []);
  let last = first;
  for (let run = 1; run <= MAX_RUNS_AGAIN; run++) {
    const files = [...new Set(last.failures.map(({ file }) => file))];
    if (files.length === 0 || files.length > MAX_FILES_AGAIN || files.includes(undefined)) break;
    console.log(`== ${name}, again: ${files.join(' ')}`);
    last = await runFiles(name, node, files);
  }
  return {
    ...first,
    seconds: Math.round((Date.now() - startedAt) / 1000),
    passed: first.passed + first.failed - last.failed,
    failed: last.failed,
    failures: last.failures,
    again: first.failures.filter(({ test }) => !last.failures.some((failure) => failure.test === test)),
  };
}

/** Returns what a run of the files, or of all of the tier, reports. What the run leaves behind is ended with it. */
async function runFiles(name, node, files) {
  const report = path.join(mkdtempSync(path.join(scratch, 'run-')), 'report.json');
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(node, [vitest, 'run', '--project', name, ...files], {
    cwd: root,
    // A group of its own, which ends as one, and pipes of its own: a process left behind would hold ours open.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TEST_REPORT: report },
  });
  child.stdout.pipe(process.stdout, { end: false });
  child.stderr.pipe(process.stderr, { end: false });
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

function skippedTier(name, why) {
  return { name, seconds: 0, passed: 0, failed: 0, skipped: [`all of it: ${why}`], failures: [], again: [] };
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
