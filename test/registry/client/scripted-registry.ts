import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutbound } from '../../../src/platform/net/fetch.js';
import {
  createRegistryClient,
  type RegistryClient,
  type RegistryClientOptions,
} from '../../../src/registry/client/client.js';
import { afterUse } from '../../kit/after-use.js';
import { turnableClock } from '../../kit/surroundings.js';

/** One request as it came. */
export type Heard = {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

/** One answer of the script. */
export type Line = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text or bytes as they are. */
  readonly body?: unknown;
  /** In place of a body: writes as it likes, and ends with `over`. */
  readonly stream?: (write: (text: string) => void, over: () => void) => void;
};

/** A client, the registry that it talks to over HTTP, and what both did. */
export type Conversation = {
  readonly client: RegistryClient;
  readonly url: string;
  readonly heard: readonly Heard[];
  /** Milliseconds that the client waited, wait by wait. */
  readonly waits: readonly number[];
};

/** Starts a registry that answers line by line, or with what a function makes of a request; then 599. */
export async function scripted(
  script: readonly Line[] | ((heard: Heard) => Line),
  options: Partial<Omit<RegistryClientOptions, 'outbound'>> = {},
): Promise<Conversation> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, method = '', url = '' } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      heard.push(one);
      answer(response, (typeof script === 'function' ? script(one) : script[heard.length - 1]) ?? { status: 599 });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const outbound = createOutbound({ development: false });
  afterUse(async () => {
    await outbound.close();
    server.closeAllConnections();
    server.close();
  });
  const waits: number[] = [];
  const clock = turnableClock();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createRegistryClient({
    url: `${url}/`,
    token: 'sk_test',
    outbound,
    clock,
    wait: async (ms) => {
      waits.push(ms);
      clock.advance(ms);
    },
    ...options,
  });
  return { client, url, heard, waits };
}

function answer(response: ServerResponse, { body = {}, headers = {}, status = 200, stream }: Line): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  if (stream === undefined)
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  else
    stream(
      (text) => void response.write(text),
      () => void response.end(),
    );
}
