import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CONTRARY_VECTORS } from './graders.mjs';

const require = createRequire(import.meta.url);
const sdk = path.dirname(require.resolve('@adcp/sdk/package.json'));

/**
 * A copy of the public suite whose dates lie ahead: for dates in the past the runner puts moving ones, and a replay is then a
 * different request. Answers the folder; the caller removes it.
 */
export function copyAheadOfTime() {
  const copy = path.join(mkdtempSync(path.join(tmpdir(), 'storyboards-')), '3.0.6');
  cpSync(path.join(sdk, 'compliance/cache/3.0.6'), copy, { recursive: true });
  moveDates(copy, new Date().getFullYear() + 5);
  return { folder: copy, remove: () => rmSync(path.dirname(copy), { recursive: true, force: true }) };
}

function moveDates(folder, year) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) {
      if (name !== 'test-kits' && name !== 'test-vectors') moveDates(file, year);
    } else if (name.endsWith('.yaml')) {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"20\d\d-(\d{2}-\d{2}T)/g, `"${year}-$1`));
    }
  }
}

/** Runs storyboards against an agent with a fresh store; answers counts per storyboard and every failed check. */
export async function grade({ url, token, storyboards, probe }) {
  const { comply } = require('@adcp/sdk/testing');
  quiet();
  const report = await comply(url, {
    protocol: 'mcp',
    allow_http: true,
    auth: { type: 'bearer', token },
    test_kit: { auth: { api_key: token, probe_task: probe } },
    request_signing: {
      transport: 'mcp',
      // The cap has a grader of its own, which fills it; 025 is about a key that no server can be given.
      skipRateAbuse: true,
      skipVectors: [...CONTRARY_VECTORS, '025-jwk-alg-crv-mismatch'],
    },
    storyboards,
  });
  return { boards: countSteps(report), failures: report.failures ?? [], summary: report.summary };
}

function quiet() {
  const client = require(path.join(sdk, 'dist/lib/testing/client.js'));
  client.setAgentTesterLogger?.({ info() {}, warn() {}, error() {}, debug() {} });
}

/** Storyboards that the roll-up of the package leaves out: they have to run alone, where its summary counts them. */
export const SECURITY_BOARDS = ['security_baseline', 'signed_requests'];

function countSteps(report) {
  const [only, ...others] = report.storyboards_executed ?? [];
  if (others.length === 0 && SECURITY_BOARDS.includes(only)) {
    const { steps_passed: passed, steps_failed: failed, steps_skipped: skipped } = report.summary;
    return new Map([[only, { passed, failed, skipped }]]);
  }
  const boards = new Map();
  for (const scenario of report.tracks.flatMap((track) => track.scenarios)) {
    const board = boardOf(report, scenario.scenario);
    const row = boards.get(board) ?? { passed: 0, failed: 0, skipped: 0 };
    for (const step of scenario.steps ?? []) row[step.skipped ? 'skipped' : step.passed ? 'passed' : 'failed'] += 1;
    boards.set(board, row);
  }
  return boards;
}

function boardOf(report, scenario) {
  const ids = (report.storyboards_executed ?? []).filter((id) => scenario === id || scenario.startsWith(`${id}/`));
  return ids.sort((a, b) => b.length - a.length)[0] ?? scenario;
}
