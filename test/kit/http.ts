import { Agent, createServer, request } from 'node:http';

/** One HTTP answer, read to its end. */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; of a stream of events the last message. */
  readonly json: () => unknown;
};

/** One HTTP request. A header set to undefined is not sent, `host` included. */
export type HttpRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer;
};

/** Sends one request as it stands: unlike fetch it lets a test choose every header, Host and Accept among them. */
export function send(url: string, { method = 'GET', headers = {}, body }: HttpRequest = {}): Promise<HttpAnswer> {
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, headers: given as Record<string, string>, agent: CONNECTIONS },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const flat = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: Object.fromEntries(flat),
            text,
            json: () => parse(text, incoming.headers['content-type'] ?? ''),
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const CONNECTIONS = new Agent({ keepAlive: true });

function parse(text: string, contentType: string): unknown {
  if (!contentType.startsWith('text/event-stream')) return JSON.parse(text);
  const data = text.split('\n').filter((line) => line.startsWith('data: '));
  return JSON.parse(data.at(-1)?.slice('data: '.length) ?? 'null');
}

/** A port of this machine that nobody listens on just now, for a server whose port has to be known before it starts. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
