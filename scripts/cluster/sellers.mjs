/** Several `serve` processes on one database behind a proxy. Run `node scripts/build.mjs` first. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './postgres.mjs';
import { startProxy } from './proxy.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A start waits for a database that others have busy. */
const START_MS = 60_000;
const POLL_MS = 50;

/**
 * @typedef {object} SellersOptions
 * @property {string} store URL of the database
 * @property {string} folder where each process has its data folder
 * @property {number} [processes] two unless given
 * @property {readonly string[]} [args] further arguments of `serve`
 * @property {Readonly<Record<string, string>>} [env] further environment
 * @property {number} [port] of the proxy; chosen by the system unless given
 */

/**
 * @typedef {object} SellerProcess
 * @property {string} url of its own address, without a trailing slash
 * @property {string} dataDir
 * @property {() => import('node:child_process').ChildProcess} child as it runs now; another one after `start`
 * @property {() => string} output everything it wrote
 * @property {() => Promise<void>} start starts it again, and waits until it is ready
 * @property {(signal?: NodeJS.Signals) => Promise<void>} kill ends it, by SIGKILL unless told otherwise, and waits until it is gone
 */

/**
 * @typedef {object} Sellers
 * @property {string} baseUrl of the proxy, which is the one that the sellers publish; without a trailing slash
 * @property {readonly SellerProcess[]} processes
 * @property {Readonly<Record<string, string>>} env that the processes share, the master key in it
 * @property {() => Promise<void>} close ends the proxy, then the processes as SIGTERM does
 */

/**
 * Starts the processes, one after the other, and the proxy before them.
 * @param {SellersOptions} options
 * @returns {Promise<Sellers>}
 */
export async function startSellers({ store, folder, processes = 2, args = [], env = {}, port }) {
  const shared = { SELLER_AGENT_MASTER_KEY: randomBytes(32).toString('base64'), ...env };
  const proxyPort = port ?? (await freePort());
  const baseUrl = `http://127.0.0.1:${proxyPort}`;
  const sellers = [];
  const close = async () => {
    await proxy.close();
    await Promise.all(sellers.map((seller) => seller.kill('SIGTERM')));
  };
  const proxy = await startProxy({ port: proxyPort, targets: () => sellers.map(({ url }) => url) });
  try {
    for (let number = 1; number <= processes; number++) {
      const dataDir = path.join(folder, `seller-${number}`);
      const seller = await prepareSeller({
        dataDir,
        args: ['--store', store, '--base-url', baseUrl, ...args],
        env: shared,
      });
      await seller.start();
      sellers.push(seller);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { baseUrl, processes: sellers, env: shared, close };
}

/** Returns a process that is not started yet; its port stays the same. */
async function prepareSeller({ dataDir, args, env }) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child;
  let output = '';
  const isGone = () => child === undefined || child.exitCode !== null || child.signalCode !== null;
  return {
    url,
    dataDir,
    child: () => child,
    output: () => output,
    start: async () => {
      child = spawn(process.execPath, ['dist/cli.js', 'serve', '--port', String(port), '--data', dataDir, ...args], {
        cwd: ROOT,
        env: { PATH: process.env.PATH, HOME: dataDir, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
          output += text;
        });
      await untilReady(`${url}/readyz`, isGone, () => output);
    },
    kill: async (signal = 'SIGKILL') => {
      if (isGone()) return;
      const gone = new Promise((resolve) => child.once('close', resolve));
      child.kill(signal);
      await gone;
    },
  };
}

async function untilReady(url, isGone, output) {
  for (const from = performance.now(); performance.now() - from < START_MS; ) {
    if (isGone()) break;
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`a seller did not start: ${output()}`);
}
