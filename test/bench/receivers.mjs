/** A process of sixteen receivers on loopback ports that answer 200 at once, 503 under /fail, and nothing under /hang. Prints `{ports}` when it listens. */
import { createServer } from 'node:http';

const servers = Array.from({ length: Number(process.argv[2] ?? 16) }, () =>
  createServer((request, response) => {
    request.resume();
    if (request.url.startsWith('/hang')) return;
    const status = request.url.startsWith('/fail') ? 503 : 200;
    request.on('end', () => response.writeHead(status, { 'content-length': 0 }).end());
  }),
);
await Promise.all(servers.map((server) => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))));
process.stdout.write(`${JSON.stringify({ ports: servers.map((server) => server.address().port) })}\n`);
