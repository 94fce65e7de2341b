/**
 * npm run conformance: the public storyboards (@adcp/sdk 6.11.0, suite 3.0.6) against a server on a throw-away store, against the
 * committed baseline of passed steps: a failed step fails the run, and so does a pass that became a skip. Then the graders beside them.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { GRADERS } from './graders.mjs';
import { copyAheadOfTime } from './suite.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const baseline = JSON.parse(readFileSync(new URL('./baseline.json', import.meta.url), 'utf8'));
const TOKEN = 'demo-acme-outdoor-v1';
/** The protected task that the security storyboards call on each tenant. */
const PROBES = { sales: 'list_creatives', creative: 'list_creatives', signals: 'get_signals' };

const suite = copyAheadOfTime();
process.env.ADCP_COMPLIANCE_DIR = suite.folder;
const { grade, SECURITY_BOARDS } = await import('./suite.mjs');
let broken = 0;
for (const [tenant, expected] of Object.entries(baseline)) {
  const agent = await startAgent();
  try {
    console.log(`\n${tenant}: storyboards of the public suite 3.0.6`);
    for (const storyboards of groups(Object.keys(expected))) broken += await runBoards(agent, tenant, storyboards);
  } finally {
    await agent.stop();
  }
}
console.log('\nsales: graders');
for (const grader of GRADERS) {
  const agent = await startAgent();
  try {
    const row = await grader.run({ ...agent, url: `${agent.baseUrl}/sales/mcp` });
    broken += judge(grader.name, grader.passes, row) + row.failed;
    for (const fault of row.faults) console.log(`  failed: ${fault}`);
  } finally {
    await agent.stop();
  }
}
suite.remove();
console.log(broken === 0 ? '\nconformance: clean' : `\nconformance: ${broken} problems`);
process.exit(broken === 0 ? 0 : 1);

/** The storyboards that can run together, and each that has to run alone. */
function groups(boards) {
  const alone = boards.filter((board) => SECURITY_BOARDS.includes(board));
  return [boards.filter((board) => !alone.includes(board)), ...alone.map((board) => [board])];
}

/** Runs storyboards and prints each against its baseline; answers how many problems there are. */
async function runBoards({ baseUrl }, tenant, storyboards) {
  const url = `${baseUrl}/${tenant}/mcp`;
  const { boards, failures, summary } = await grade({ url, token: TOKEN, storyboards, probe: PROBES[tenant] });
  const lost = storyboards.map((board) => judge(board, baseline[tenant][board], boards.get(board)));
  for (const { storyboard_id: board, step_id: step, error, validation } of failures)
    console.log(`  failed: ${board}/${step}: ${error ?? validation?.description}`);
  return lost.reduce((sum, problems) => sum + problems, 0) + failures.length + summary.steps_failed;
}

/** Prints one storyboard against its baseline; answers 1 when steps that passed before do not. */
function judge(board, passes, row) {
  if (row === undefined) return report(board, `did not run, ${passes} steps passed before`, 1);
  const verdict = `${row.passed} passed, ${row.failed} failed, ${row.skipped} skipped`;
  return row.passed < passes ? report(board, `${verdict}; ${passes} passed before`, 1) : report(board, verdict, 0);
}

function report(board, text, problems) {
  console.log(`  ${problems === 0 ? 'ok  ' : 'LOST'} ${board.padEnd(52)} ${text}`);
  return problems;
}

async function startAgent() {
  const data = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/cli.js', 'serve', '--port', String(port), '--data', data], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt += 1) {
    const ready = await fetch(`${baseUrl}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) break;
    if (attempt > 200 || child.exitCode !== null) throw new Error('the server did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const stop = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
    rmSync(data, { recursive: true, force: true });
  };
  return { baseUrl, dataDir: data, stop };
}

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
