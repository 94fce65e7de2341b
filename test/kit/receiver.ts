import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterUse } from './after-use.js';

/** A POST as it arrived, to the byte. Header names are in lower case. */
export type ReceivedPost = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The body as JSON. */
  readonly json: Readonly<Record<string, unknown>>;
};

/** What a receiver does with a POST. */
export type Reaction =
  | number
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Never answers; answers and never ends; ends the connection; ends it within the answer; answers a gigabyte. */
  | 'hang'
  | 'drip'
  | 'reset'
  | 'break'
  | 'flood';

/** A buyer's endpoint that does what a test tells it. */
export type Receiver = {
  /** Origin, without a trailing slash. */
  readonly url: string;
  /** What came, oldest first. */
  readonly posts: readonly ReceivedPost[];
  /** Reactions to the next POSTs, one each; after them it goes on as `always` says. */
  readonly script: (...reactions: readonly Reaction[]) => void;
  /** What it does when the script is over; 200 from the start. A function decides per POST. */
  readonly always: (reaction: Reaction | ((post: ReceivedPost) => Reaction)) => void;
  /** Resolves when this many POSTs have come; rejects, and says what has come, when none comes for `QUIET_MS`, or as long as is named. */
  readonly received: (count: number, quietMs?: number) => Promise<void>;
  /** Bytes written in answers so far. */
  readonly written: () => number;
  readonly close: () => Promise<void>;
};

/** Longest time without a POST that `received` waits, ms: what is due goes out within seconds on a busy machine too. */
const QUIET_MS = 30_000;

/** Who waits for POSTs. */
type Waiter = { readonly count: number; readonly resolve: () => void; readonly timer: NodeJS.Timeout };

/** Starts a receiver on loopback. It is closed after its use. */
export async function startReceiver(): Promise<Receiver> {
  const posts: ReceivedPost[] = [];
  const script: Reaction[] = [];
  const waiting = new Set<Waiter>();
  let always: Reaction | ((post: ReceivedPost) => Reaction) = 200;
  let written = 0;

  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    void readPost(request).then((post) => {
      posts.push(post);
      const reaction = script.shift() ?? (typeof always === 'function' ? always(post) : always);
      react(reaction, request, response, (bytes) => {
        written += bytes;
      });
      for (const waiter of waiting) {
        waiter.timer.refresh();
        if (posts.length >= waiter.count) waiter.resolve();
      }
    });
  });

  function wait(count: number, quietMs: number): Promise<void> {
    const asked = new Error('it was waited for here');
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        waiting.delete(waiter);
      };
      const timer = setTimeout(() => {
        end();
        const came = posts
          .map(({ json, path }) => `${path} ${JSON.stringify(json.notification_type ?? json.status)}`)
          .join('; ');
        const text = `${posts.length} of ${count} webhooks have come, and none for ${quietMs / 1000} s: ${came || 'none'}`;
        reject(new Error(text, { cause: asked }));
      }, quietMs);
      const waiter: Waiter = {
        count,
        timer,
        resolve: () => {
          end();
          resolve();
        },
      };
      waiting.add(waiter);
    });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function close(): Promise<void> {
    for (const { timer } of waiting) clearTimeout(timer);
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  afterUse(close);

  return {
    url: `http://127.0.0.1:${port}`,
    posts,
    script: (...reactions) => void script.push(...reactions),
    always: (reaction) => {
      always = reaction;
    },
    received: (count, quietMs = QUIET_MS) => (posts.length >= count ? Promise.resolve() : wait(count, quietMs)),
    written: () => written,
    close,
  };
}

async function readPost(request: IncomingMessage): Promise<ReceivedPost> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const json = JSON.parse(body.toString('utf8')) as ReceivedPost['json'];
  return { method: request.method ?? '', path: request.url ?? '', headers, body, json };
}

function react(
  reaction: Reaction,
  request: IncomingMessage,
  response: ServerResponse,
  count: (bytes: number) => void,
): void {
  if (typeof reaction === 'number') response.writeHead(reaction).end();
  else if (typeof reaction === 'object') {
    response.writeHead(reaction.status, reaction.headers).end(reaction.body);
  } else if (reaction === 'reset') request.socket.resetAndDestroy();
  else if (reaction === 'drip') response.writeHead(200).write('.');
  else if (reaction === 'break') {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half', () => request.socket.resetAndDestroy());
  } else if (reaction === 'flood') flood(response, count);
}

const GIGABYTE = 1024 ** 3;

function flood(response: ServerResponse, count: (bytes: number) => void): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let left = GIGABYTE;
  const pour = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      count(chunk.length);
      if (!response.write(chunk)) return;
    }
    response.end();
  };
  response.writeHead(200, { 'content-length': String(GIGABYTE) });
  response.on('drain', pour);
  pour();
}
