/** The compared servers as processes: start, find out what they cost, stop. Linux only: costs are read from /proc. */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
/** The folder of package.json. */
export const projectRoot = path.resolve(here, '../..');

/** How each target is started: its arguments to node and the path of its MCP endpoint. */
const launches = {
  floor: () => ({ args: [path.join(here, 'floor.mjs')], path: '/mcp' }),
  peer: () => ({ args: [path.join(here, 'peer.mjs')], path: '/mcp' }),
  ours: (port, dataDir) => ({
    args: [path.join(projectRoot, 'dist/cli.js'), 'serve', '--port', String(port), '--data', dataDir],
    path: '/sales/mcp',
  }),
};

/** The folder of this run's databases: below the project, so that it lies on a real disk and not in memory. */
let scratch;

/** A new folder on the disk of the checkout; removed when the run ends. */
export function newFolder(name) {
  if (scratch === undefined) {
    mkdirSync(path.join(here, 'data'), { recursive: true });
    scratch = mkdtempSync(path.join(here, 'data', 'run-'));
  }
  return mkdtempSync(path.join(scratch, `${name}-`));
}

const running = new Set();

/** Ends this child process with the run, however the run ends. */
export function endWithRun(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Ends every process still running and removes this run's folders; for the end of the run, also a sudden one. */
export function cleanUp() {
  for (const child of running) child.kill('SIGKILL');
  if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
}

/** A TCP port that was free a moment ago. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/**
 * Spawns a target on a free port and, for ours, a data folder, a fresh one unless given; answers at once, before it listens.
 * `args` and `env` are given to it beside the usual ones.
 * `name` is floor, peer or ours. The answer: `{ name, port, dataDir, origin, url, token, pid, spawnedAt, child,
 * failure() }`; spawnedAt is on the clock of performance.now().
 */
export async function spawnTarget(name, given, { args = [], env = {} } = {}) {
  const port = await freePort();
  const folder = newFolder(name);
  const dataDir = given ?? path.join(folder, 'data');
  const logFile = path.join(folder, 'stderr.log');
  const launch = launches[name](port, dataDir);
  // Only our own server's log is kept: the others' would cost them file writes that ours can do without.
  const log = name === 'ours' ? openSync(logFile, 'w') : 'ignore';
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, [...launch.args, ...args], {
    cwd: projectRoot,
    env: { ...process.env, PORT: String(port), NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', log],
  });
  if (typeof log === 'number') closeSync(log);
  endWithRun(child);
  const origin = `http://127.0.0.1:${port}`;
  const failure = () => {
    const lines = name === 'ours' ? readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n') : '';
    return new Error(`${name} did not start (exit code ${child.exitCode})\n${lines}`.trim());
  };
  return {
    name,
    port,
    dataDir,
    origin,
    url: origin + launch.path,
    token: 'sandbox-token',
    pid: child.pid,
    spawnedAt,
    child,
    failure,
  };
}

/** A target seen through another of its tenants; the target itself without a name. */
export function tenantOf(target, tenant) {
  return tenant === undefined ? target : { ...target, url: `${target.origin}/${tenant}/mcp` };
}

/** True when a server of ours answers calls; before that it turns them away. */
async function isReady(origin) {
  const response = await fetch(`${origin}/readyz`).catch(() => undefined);
  await response?.text();
  return response?.status === 200;
}

/** True when something accepts a TCP connection on this port. */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const answer = (accepted) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}

/** Waits this many milliseconds. */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks `ready` every 5 ms until it answers true; throws when the target has ended or 30 s have passed. */
export async function waitUntil(target, ready) {
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline && target.child.exitCode === null) {
    if (await ready()) return;
    await pause(5);
  }
  throw target.failure();
}

/** Spawns a server of ours, on a data folder where one is given, and waits until it answers calls. */
export async function startFilled(name, dataDir, more) {
  const target = await spawnTarget(name, dataDir, more);
  await waitUntil(target, () => isReady(target.origin));
  return target;
}

/** Spawns a target and waits until its port accepts connections; no request has reached it then. */
export async function startTarget(name, dataDir) {
  const target = await spawnTarget(name, dataDir);
  await waitUntil(target, () => accepts(target.port));
  return target;
}

/** Ends a target with SIGTERM, after 5 s with SIGKILL, and waits for its exit. */
export async function stopTarget(target) {
  const { child } = target;
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const impatience = setTimeout(() => child.kill('SIGKILL'), 5000);
  await ended;
  clearTimeout(impatience);
}

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU seconds (user and system, all threads) that this process has used since its start. */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of this process in KiB. */
export function residentKiB(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
}
