/**
 * The floor: the least a Node server can do. It reads the request to its end and answers a static JSON-RPC body of 2 KB, or of as many
 * bytes as the first step of the path says (`/24000/mcp`). No JSON parsing, no authentication, no protocol.
 *
 *   PORT=4100 node test/bench/floor.mjs
 */
import http from 'node:http';

const BYTES = 2000;
const answers = new Map();

/** The answer of so many bytes, serialised once. */
function answerOf(bytes) {
  const frame = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '' }] } });
  const known = answers.get(bytes) ?? Buffer.from(frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`));
  answers.set(bytes, known);
  return known;
}

http
  .createServer((request, response) => {
    const answer = answerOf(Number(request.url.split('/')[1]) || BYTES);
    request.on('data', () => {});
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
      response.end(answer);
    });
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
