/** A proxy that gives each HTTP request to the next of several servers. */
import { Agent, createServer, request } from 'node:http';

/**
 * @typedef {object} Proxy
 * @property {string} url without a trailing slash
 * @property {() => Promise<void>} close
 */

/**
 * Starts a proxy before the servers whose addresses `targets` returns. A server that refuses connections is passed over; where all do,
 * and where one breaks off, the answer is 502.
 * @param {{ port: number, targets: () => readonly string[] }} options
 * @returns {Promise<Proxy>}
 */
export async function startProxy({ port, targets }) {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer(async (incoming, outgoing) => {
    const body = await readBody(incoming).catch(() => undefined);
    if (body === undefined) return outgoing.destroy();
    const all = targets();
    const first = turn++;
    for (let tried = 0; tried < all.length; tried++) {
      const target = all[(first + tried) % all.length];
      if (await forward(incoming, outgoing, { target, body, agent })) return;
    }
    outgoing.writeHead(502).end('no server is there\n');
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers a request with a server's answer; returns false where nobody listens at the server's address, which has seen nothing then. */
function forward(incoming, outgoing, { target, body, agent }) {
  return new Promise((resolve) => {
    const { method, headers, url } = incoming;
    const sent = request(new URL(url, target), { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.statusMessage, answer.rawHeaders);
      answer.on('error', () => outgoing.destroy());
      answer.on('close', () => resolve(true));
      answer.pipe(outgoing);
    });
    sent.on('error', (error) => {
      if ('code' in error && error.code === 'ECONNREFUSED') return resolve(false);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end('the server broke off\n');
      resolve(true);
    });
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) sent.destroy();
    });
    sent.end(body);
  });
}

async function readBody(incoming) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}
