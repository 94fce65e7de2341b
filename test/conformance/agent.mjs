import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../scripts/cluster/postgres.mjs';
import { startSellers } from '../../scripts/cluster/sellers.mjs';

/** The folder of package.json. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

const running = new Set();

/** Starts our server on a throw-away store and in development mode: loopback callbacks, the public test keys and kits are on. */
export async function startAgent() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/cli.js', 'serve', '--port', String(port), '--data', dataDir], {
    cwd: projectRoot,
    // What graders get wrong on purpose is no news here.
    env: { ...process.env, SELLER_AGENT_LOG: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await gone;
    rmSync(dataDir, { recursive: true, force: true });
    running.delete(stop);
  };
  running.add(stop);
  const baseUrl = `http://127.0.0.1:${port}`;
  await isReady(`${baseUrl}/readyz`, child);
  return { baseUrl, dataDir, stop, urlOf: (tenant) => `${baseUrl}/${tenant}/mcp` };
}

/** Starts PostgreSQL and two of our servers on it, in development mode, behind a proxy that gives them calls in turn. */
export async function startTwoProcesses() {
  const folder = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  const postgres = await startPostgres({ flags: ['fsync=off'] });
  const stopPostgres = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const sellers = await startSellers({ store: postgres.url, folder, env: { SELLER_AGENT_LOG: 'error' } }).catch(
    async (error) => {
      await stopPostgres();
      throw error;
    },
  );
  const { baseUrl } = sellers;
  const stop = async () => {
    running.delete(stop);
    await sellers.close();
    for (const { output } of sellers.processes) process.stderr.write(errorsIn(output()));
    await stopPostgres();
  };
  running.add(stop);
  return { baseUrl, stop, urlOf: (tenant) => `${baseUrl}/${tenant}/mcp` };
}

/** The lines of a log, without the banner. */
function errorsIn(output) {
  return output.replaceAll(/^(?!\{).*\n/gm, '');
}

/** Stops every server that still runs; for a run that ends early. */
export async function stopAgents() {
  await Promise.all([...running].map((stop) => stop()));
}

async function isReady(url, child) {
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    if (child.exitCode !== null) break;
    const ready = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the server did not start');
}

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
