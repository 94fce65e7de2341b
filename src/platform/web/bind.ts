import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MINUTE_MS, SECOND_MS } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import { startLoop } from '../kernel/loop.js';

/** Time that a drain waits for running calls, in milliseconds. */
const DRAIN_MS = 10 * SECOND_MS;

/** A bound address. */
export type Bound = {
  readonly port: number;
  /** Stops taking connections and waits for the running calls, but not for ever. */
  readonly drain: (log: Log) => Promise<void>;
};

/** Binds a listener; port 0 lets the system choose. Rejects when the port is taken. */
export async function bindHttp(listener: RequestListener, host: string, port: number): Promise<Bound> {
  const server = createServer(
    { requestTimeout: MINUTE_MS, headersTimeout: 15 * SECOND_MS, keepAliveTimeout: 65 * SECOND_MS },
    listener,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, drain: (log) => drain(server, log) };
}

async function drain(server: Server, log: Log): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  const idle = startLoop('drain', 50, log, async () => server.closeIdleConnections());
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(late);
  await idle.stop();
}
