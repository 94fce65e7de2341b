import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { MINUTE_MS, SECOND_MS } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import { settlesWithin, startLoop } from '../kernel/loop.js';
import { type ConnectionBounds, Connections } from './connections.js';

/** Time that a drain waits for running calls, in milliseconds. */
const DRAIN_MS = 10 * SECOND_MS;
/** Time that a connection has for one more request, so that none meets its end on the way, in milliseconds. */
const RETIRE_MS = SECOND_MS;
const SWEEP_MS = SECOND_MS / 4;

/** Times of every connection: for a request to arrive, for its head, between two requests, and how often the first two are looked at. */
const TIMES = {
  requestTimeout: MINUTE_MS,
  headersTimeout: 15 * SECOND_MS,
  keepAliveTimeout: 65 * SECOND_MS,
  connectionsCheckingInterval: 2 * SECOND_MS,
};

/** Where a listener is bound; port 0 lets the system choose. */
export type Address = { readonly host: string; readonly port: number };

/** The bounds and the log of every bound address. */
type BindOptions = ConnectionBounds & { readonly log: Log };

/** A bound address. */
export type Bound = {
  readonly port: number;
  /** Stops taking connections, and answers one more request on each that is open; waits a second at most. */
  readonly retire: () => Promise<void>;
  /** Stops taking connections and waits for the running calls, but not for ever. */
  readonly drain: () => Promise<void>;
};

/** Binds a listener, with bounds for whoever connects. Rejects when the port is taken. */
export async function bindHttp(
  listener: RequestListener,
  { host, port }: Address,
  options: BindOptions,
): Promise<Bound> {
  const { log } = options;
  const bounds = boundByFiles(options, readFileLimit());
  const connections = new Connections(bounds, listener);
  const server = createServer(TIMES, (request, response) => connections.serve(request, response));
  server.on('connection', (socket) => connections.add(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  if (bounds.connections.total < options.connections.total) warnOfFewFiles(bound, bounds, options);
  const sweep = startLoop('connections', SWEEP_MS, log, async () => connections.sweep(log));
  return {
    port: bound,
    retire: async () => {
      // That of the HTTP server cuts idle connections at once, under the requests that are on their way to them.
      NetServer.prototype.close.call(server);
      await settlesWithin(connections.retire(), RETIRE_MS);
    },
    drain: async () => {
      await drain(server, log);
      await sweep.stop();
    },
  };
}

/** Files that the process opens beside the connections that it takes: its store, its log, what it sends itself. At most half of all. */
const OWN_FILES = 256;

/** Returns the bounds of an address as far as the process may open files; `limit` is undefined where nobody says. */
export function boundByFiles(bounds: ConnectionBounds, limit: number | undefined): ConnectionBounds {
  if (limit === undefined) return bounds;
  const most = Math.max(1, limit - Math.min(OWN_FILES, Math.floor(limit / 2)));
  return { ...bounds, connections: { ...bounds.connections, total: Math.min(bounds.connections.total, most) } };
}

/** Returns how many files the process may open; undefined where the system does not say, or sets no limit. */
function readFileLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

function warnOfFewFiles(
  port: number,
  { connections }: ConnectionBounds,
  { connections: asked, log }: BindOptions,
): void {
  log.warn(
    { port, asked: asked.total, total: connections.total },
    'the process may open too few files for connections.total; fewer are taken at once: raise its limit (ulimit -n, LimitNOFILE), or set less',
  );
}

async function drain(server: Server, log: Log): Promise<void> {
  const late = setTimeout(() => {
    log.warn(`calls that took longer than ${DRAIN_MS / SECOND_MS} seconds to finish are cut off`);
    server.closeAllConnections();
  }, DRAIN_MS);
  const idle = startLoop('drain', 50, log, async () => server.closeIdleConnections());
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(late);
  await idle.stop();
}
