/**
 * The floor: the least a Node server can do. It reads the request to its end and answers a static JSON-RPC body
 * of 2 KB. No JSON parsing, no authentication, no protocol.
 *
 *   PORT=4100 node test/bench/floor.mjs
 */
import http from 'node:http';

const answer = Buffer.from(
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'x'.repeat(1940) }] } }),
);

http
  .createServer((request, response) => {
    request.on('data', () => {});
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
      response.end(answer);
    });
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
