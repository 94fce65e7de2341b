/** Requests and bare connections, from the address that the caller chooses. */
import http from 'node:http';
import net from 'node:net';

/** Sends a request on a connection of its own and reads the answer: `{ status, headers, text, ms }`. */
export function send(
  { host, port },
  { method = 'GET', path = '/', headers = {}, body, from, agent, timeoutMs = 30_000 },
) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host, port, method, path, headers, localAddress: from, agent: agent ?? false },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode, headers: response.headers, text, ms: performance.now() - began });
        });
      },
    );
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    request.on('error', reject);
    request.end(body);
  });
}

/** Opens a connection and writes `text`; answers `{ socket, received(), ended }`, where `ended` resolves when the server closes it. */
export function openRaw({ host, port }, { text = '', from, reads = true } = {}) {
  const socket = net.connect({ host, port, localAddress: from });
  const chunks = [];
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  if (reads) socket.on('data', (chunk) => chunks.push(chunk));
  if (text !== '') socket.write(text);
  return { socket, received: () => Buffer.concat(chunks).toString('latin1'), ended };
}

/** Writes bytes to a new connection and returns all that comes back until the server is silent for `quietMs` or closes. */
export async function exchangeRaw(target, text, { from, quietMs = 300, timeoutMs = 5000 } = {}) {
  const { ended, received, socket } = openRaw(target, { text, from });
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const deadline = performance.now() + timeoutMs;
  let before = -1;
  let since = performance.now();
  while (!isOver && performance.now() < deadline) {
    await pause(20);
    const { length } = received();
    if (length !== before) since = performance.now();
    else if (length > 0 && performance.now() - since > quietMs) break;
    before = length;
  }
  socket.destroy();
  return { text: received(), closed: isOver };
}

/** Waits. */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
