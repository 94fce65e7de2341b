/** The attacked servers: started from dist as processes of their own, on a disk, in production mode. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { seedRegistry } from '../../bench/registry-data.mjs';
import { endWithRun, freePort, newFolder, projectRoot, stopTarget, waitUntil } from '../../bench/targets.mjs';
import { pause, send } from './wire.mjs';

/** Whom the attacks and the innocent caller come as: principals of every tenant, each with an account of its own. */
export const PRINCIPALS = {
  attacker: { id: 'attacker', token: 'attacker-0123456789-abcdefghijklmnop', account: 'acct_attacker' },
  innocent: { id: 'innocent', token: 'innocent-0123456789-abcdefghijklmnop', account: 'acct_innocent' },
  sandboxed: { id: 'sandbox', token: 'sandboxed-0123456789-abcdefghijklmno', account: 'acct_sandboxed' },
};

/** Enough for any attack: what is attacked here lies behind the limits on calls. */
const UNLIMITED = { per_second: 100_000, burst: 100_000 };

/** Writes the shipped tenants with the principals above into a folder; `bend(tenant, name)` changes one first, and `copies` more sell as sales-1 and so on. */
export function writeTenants(folder, bend = () => undefined, copies = 0) {
  mkdirSync(folder, { recursive: true });
  for (const name of ['sales', 'creative', 'signals']) {
    const tenant = JSON.parse(readFileSync(path.join(projectRoot, 'tenants', `${name}.json`), 'utf8'));
    // Else a person would have to book every order.
    if (name === 'sales') tenant.fulfillment = 'simulated';
    const [account] = tenant.accounts;
    tenant.policies = {
      ...tenant.policies,
      creative_requirement: 'none',
      account_provisioning: 'auto',
      rate_limits: { reads: UNLIMITED, writes: UNLIMITED, bytes: { per_second: 1e9, burst: 1e9 } },
    };
    tenant.principals = Object.values(PRINCIPALS).map(({ id, token }) => ({
      id,
      sandbox: id === 'sandbox',
      key: { sha256: createHash('sha256').update(token).digest('hex') },
    }));
    tenant.accounts = Object.values(PRINCIPALS).map((one) => ({
      ...account,
      account_id: one.account,
      principal: one.id,
      status: 'active',
    }));
    bend(tenant, name);
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(tenant, null, 2));
    for (let copy = 1; copy <= copies && name === 'sales'; copy += 1)
      writeFileSync(path.join(folder, `sales-${copy}.json`), JSON.stringify(tenant));
  }
}

/**
 * Starts a server and waits until it is ready. `kind` is 'seller' or 'registry'; `bend` changes the tenants, `copies` adds to them, `settings` is the content of
 * seller-agent.json, `development` leaves the public base URL out, `prepare(dataDir)` fills the data folder, `wrap(command)` changes
 * the command line (a list). `dataDir`, `folder` and `port` start on what another server left.
 */
export async function launch(options) {
  const target = await start(options);
  await waitUntil(target, () => isReady(target));
  return target;
}

/** Most seconds in which a server that will not start has to say so. */
const REFUSAL_SECONDS = 15;

/** Starts a server that should refuse to; returns its exit code, null when it runs on after a while, and what it said. */
export async function launchRefused(options) {
  const target = await start(options);
  const isOver = () => target.child.exitCode !== null || target.child.signalCode !== null;
  for (let tries = 0; tries < REFUSAL_SECONDS * 20 && !isOver(); tries += 1) await pause(50);
  const code = target.child.exitCode;
  await target.stop();
  return { code, said: target.log() };
}

/** Starts a server as a process; it may not answer yet. */
async function start({ kind = 'seller', args = [], env = {}, settings, ...options }) {
  const folder = options.folder ?? newFolder(`attack-${kind}`);
  const dataDir = options.dataDir ?? path.join(folder, 'data');
  const tenants = path.join(folder, 'tenants');
  if (options.folder === undefined) writeTenants(tenants, options.bend, options.copies);
  if (settings !== undefined) writeFileSync(path.join(folder, 'seller-agent.json'), JSON.stringify(settings));
  mkdirSync(dataDir, { recursive: true });
  await options.prepare?.(dataDir);
  const port = options.port ?? (await freePort());
  const logFile = path.join(newFolder('log'), 'log');
  const log = openSync(logFile, 'a');
  const base = options.development === true ? [] : ['--base-url', 'https://ads.attacked.example'];
  const command = [
    process.execPath,
    path.join(projectRoot, 'dist/cli.js'),
    ...(kind === 'registry' ? ['registry', 'serve'] : ['serve', '--tenants', tenants]),
    ...['--port', String(port), '--data', dataDir, ...base, ...args],
  ];
  const [program, ...rest] = options.wrap?.(command) ?? command;
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', log],
  });
  closeSync(log);
  endWithRun(child);
  const target = {
    kind,
    child,
    pid: child.pid,
    host: '127.0.0.1',
    port,
    origin: `http://127.0.0.1:${port}`,
    folder,
    dataDir,
    tenantsDir: tenants,
    /** Everything it logged so far. */
    log: () => readFileSync(logFile, 'utf8'),
    /** Address and token of its operator API. */
    operator: () => JSON.parse(readFileSync(path.join(dataDir, 'operator.json'), 'utf8')),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    stop: () => stopTarget(target),
    kill: () => killTarget(target),
    failure: () => new Error(`the ${kind} did not start (${child.exitCode}): ${target.log().slice(-1000)}`),
  };
  return target;
}

async function killTarget({ child }) {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

function isReady(target) {
  return send(target, { path: '/readyz', timeoutMs: 5000 }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** What a registry holds before anybody attacks it. */
const REGISTRY_SIZES = { publishers: 500, identifiers: 20, events: 500 };

async function fillRegistry(dataDir) {
  const store = new URL('../../../dist/registry/store/registry-store.js', import.meta.url);
  const { openRegistryStore } = await import(store);
  const opened = openRegistryStore(path.join(dataDir, 'registry.db'));
  await seedRegistry(opened, REGISTRY_SIZES);
  await opened.close();
}

const STARTS = {
  seller: () => launch({ kind: 'seller' }),
  registry: () => launch({ kind: 'registry', prepare: fillRegistry }),
};

/** The servers that rows share; one that a row ended is started anew for the next row. */
export class Targets {
  #running = new Map();

  async ready(name) {
    const running = this.#running.get(name);
    if (running?.isAlive() && (await isReady(running))) return running;
    if (running !== undefined) running.child.kill('SIGKILL');
    const started = await STARTS[name]();
    this.#running.set(name, started);
    return started;
  }

  async close() {
    await Promise.all([...this.#running.values()].map((target) => target.stop()));
  }
}
