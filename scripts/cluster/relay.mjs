/** A TCP relay before a database: it counts round trips, adds latency, and can be cut. */
import { connect, createServer } from 'node:net';

/**
 * @typedef {object} Relay
 * @property {number} port
 * @property {() => number} rounds how often a connection sent something while it waited for no answer: what it sends meanwhile waits along
 * @property {(ms: number) => void} setLatency how long answers are held back from now on
 * @property {() => void} cut breaks every connection, and refuses new ones
 * @property {() => void} stopReading takes no answer in any more, as a process that is stopped
 * @property {() => void} readOn takes answers in again
 * @property {() => void} restore accepts connections again
 * @property {(port: number) => void} redirect leads new connections to another server of this machine, and breaks the others
 * @property {() => Promise<void>} close
 */

/**
 * Starts a relay on a port of the system's choice to one of this machine.
 * @param {{ port: number, latencyMs?: number }} options
 * @returns {Promise<Relay>}
 */
export async function startRelay({ port, latencyMs = 0 }) {
  const sockets = new Set();
  /** Those of the sockets that lead to the database. */
  const databases = new Set();
  const state = { port, latencyMs, rounds: 0, isCut: false, isReading: true };
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (state.isCut) return client.destroy();
    const database = connect(state.port, '127.0.0.1');
    databases.add(database);
    if (!state.isReading) database.pause();
    database.on('close', () => databases.delete(database));
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    let isAnswered = true;
    let held = [];
    client.on('data', (chunk) => {
      if (isAnswered) state.rounds++;
      isAnswered = false;
      database.write(chunk);
    });
    const answer = () => {
      isAnswered = true;
      client.write(Buffer.concat(held));
      held = [];
    };
    database.on('data', (chunk) => {
      held.push(chunk);
      if (held.length === 1) setTimeout(answer, state.latencyMs);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    rounds: () => state.rounds,
    setLatency: (ms) => {
      state.latencyMs = ms;
    },
    stopReading: () => {
      state.isReading = false;
      for (const socket of databases) socket.pause();
    },
    readOn: () => {
      state.isReading = true;
      for (const socket of databases) socket.resume();
    },
    cut: () => {
      state.isCut = true;
      breakAll();
    },
    restore: () => {
      state.isCut = false;
    },
    redirect: (to) => {
      state.port = to;
      breakAll();
    },
    close: async () => {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
