import { createServer, type RequestListener } from 'node:http';
import { listenLocally } from './listen.js';

/** What stands at a path: a file, or how a request is answered. */
export type Served = Buffer | string | RequestListener;

/** A real server of advertisers' files on this machine. */
export type AssetServer = {
  readonly origin: string;
  /** Address of a path. */
  readonly url: (path: string) => string;
  /** The paths that were asked for, in their order. */
  readonly asked: string[];
  /** How many connections were opened, whatever came over them. */
  readonly connections: () => number;
};

/** Serves files by their paths, 404 for any other. Closed after its use. */
export async function serveAssets(files: Readonly<Record<string, Served>> = {}): Promise<AssetServer> {
  const asked: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const served = Object.hasOwn(files, path) ? files[path] : undefined;
    if (served === undefined) response.writeHead(404).end();
    else if (typeof served === 'function') served(request, response);
    else response.end(served);
  });
  server.on('connection', () => {
    connections += 1;
  });
  const origin = await listenLocally(server);
  return { origin, url: (path) => `${origin}${path}`, asked, connections: () => connections };
}
