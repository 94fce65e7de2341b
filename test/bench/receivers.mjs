/** A process of sixteen receivers on loopback ports that answer 200 at once. Prints `{ports}` when it listens. */
import { createServer } from 'node:http';

const servers = Array.from({ length: Number(process.argv[2] ?? 16) }, () =>
  createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, { 'content-length': 0 }).end());
  }),
);
await Promise.all(servers.map((server) => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))));
process.stdout.write(`${JSON.stringify({ ports: servers.map((server) => server.address().port) })}\n`);
