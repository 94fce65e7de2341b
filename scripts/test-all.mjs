/**
 * Runs every tier of the tests, then those of the main one once more on Node 24, and ends with the counts and with what was skipped or failed.
 * `--counts <file>` writes the counts as JSON instead.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), 'test-all-'));
const results = [];

for (const tier of ['main', 'postgres', 'postgres-flows', 'cluster', 'crash', 'browser', 'docs'])
  results.push(runTier(tier, process.execPath));
const newer = installNode24();
if (newer === undefined) results.push(failedTier('main on Node 24', 'node@24 could not be installed'));
else results.push({ ...runTier('main', newer), name: 'main on Node 24' });

rmSync(scratch, { recursive: true, force: true });
for (const { name, passed, failed, skipped, failures } of results) {
  console.log(
    `${name}: ${passed} passed, ${failed} failed${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}`,
  );
  for (const test of skipped) console.log(`  skipped: ${test}`);
  for (const { test, why } of failures) console.log(`  FAILED: ${test}\n${why}`);
}
const sum = (count) => results.reduce((total, result) => total + count(result), 0);
const counts = {
  passed: sum(({ passed }) => passed),
  failed: sum(({ failed }) => failed),
  skipped: sum(({ skipped }) => skipped.length),
};
const option = process.argv.indexOf('--counts');
if (option > 0) writeFileSync(process.argv[option + 1], JSON.stringify(counts));
else console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed === 0 ? 0 : 1;

function runTier(name, node) {
  console.log(`== ${name} (${node})`);
  const report = path.join(scratch, `${results.length}.json`);
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  spawnSync(node, [vitest, 'run', '--project', name], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_REPORT: report },
  });
  return readReport(name, report);
}

/** A file that failed in no test of its own, but in loading or in a hook, counts as one failure. */
function readReport(name, file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
    const broken = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    );
    const failures = [
      ...tests
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => ({ test: fullName, why: firstLines(failureMessages.join('\n')) })),
      ...broken.map(({ name: test, message }) => ({ test, why: firstLines(message) })),
    ];
    return {
      name,
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: tests
        .filter(({ status }) => status === 'pending' || status === 'skipped')
        .map(({ fullName }) => fullName),
      failures,
    };
  } catch {
    return failedTier(name, 'the run left no report');
  }
}

function failedTier(name, why) {
  console.log(`${name}: ${why}`);
  return { name, passed: 0, failed: 1, skipped: [], failures: [{ test: name, why }] };
}

/** Enough of a failure to know it by, where only the end of a run's output is kept. */
function firstLines(text = '') {
  return text
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line.slice(0, 200)}`)
    .join('\n');
}

/** In a folder of its own: a `node` among the project's packages would run the project's scripts. */
function installNode24() {
  const args = ['install', '--prefix', scratch, '--no-audit', '--no-fund', '--loglevel', 'error', 'node@24'];
  const { status } = spawnSync('npm', args, { cwd: scratch, stdio: 'inherit' });
  return status === 0 ? path.join(scratch, 'node_modules/.bin/node') : undefined;
}
