import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterUse } from './after-use.js';

/** A server that lets its callers wait until the test lets go. */
export async function startSlowServer(answer: string) {
  const held: ServerResponse[] = [];
  let isFree = false;
  const server = createServer((_request, response) => {
    if (isFree) response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    else held.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterUse(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => held.length,
    letGo: () => {
      isFree = true;
      for (const response of held.splice(0))
        response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    },
  };
}
