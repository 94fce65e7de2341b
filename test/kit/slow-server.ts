import { createServer, type ServerResponse } from 'node:http';
import { listenLocally } from './listen.js';

/** A server that lets its callers wait until the test lets go. */
export async function startSlowServer(answer: string) {
  const held: ServerResponse[] = [];
  let isFree = false;
  const server = createServer((_request, response) => {
    if (isFree) response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    else held.push(response);
  });
  const origin = await listenLocally(server);
  return {
    url: origin,
    waiting: () => held.length,
    letGo: () => {
      isFree = true;
      for (const response of held.splice(0))
        response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    },
  };
}
