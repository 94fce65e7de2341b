import { randomUUID } from 'node:crypto';
import { afterUse } from './after-use.js';
import type { Booted } from './boot.js';
import { type HttpAnswer, send } from './http.js';

type Json = Readonly<Record<string, unknown>>;
type Part = { readonly kind: string; readonly text?: string; readonly data?: Json };

/** A Task of A2A 0.3 as it came over the wire. */
export type WireTask = {
  readonly kind: string;
  readonly id: string;
  readonly contextId: string;
  readonly status: {
    readonly state: string;
    readonly timestamp: string;
    readonly message?: { readonly parts: readonly Part[] };
  };
  readonly artifacts?: readonly {
    readonly artifactId: string;
    readonly name: string;
    readonly parts: readonly Part[];
  }[];
};

/** The answer of JSON-RPC to one request. */
export type A2aAnswer = {
  readonly id: unknown;
  readonly result?: WireTask & Json;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
};

/** A stream as it comes over the wire. */
export type WireStream = {
  readonly status: number;
  readonly type: string | null;
  /** Resolves with the next message; undefined when the stream has ended. Comments are passed over. */
  readonly next: () => Promise<A2aAnswer | undefined>;
  /** Resolves with the results that still come before the end. */
  readonly rest: () => Promise<readonly Json[]>;
  readonly close: () => void;
};

/** How a message is sent; the message itself is that of a skill call. */
export type SendOptions = {
  readonly configuration?: object;
  /** Members of the message beside its parts. */
  readonly message?: object;
};

/** A buyer who speaks JSON-RPC of A2A 0.3 by hand. */
export type A2aBuyer = {
  /** Posts a body as it is. */
  readonly raw: (body: unknown, headers?: Readonly<Record<string, string | undefined>>) => Promise<HttpAnswer>;
  readonly rpc: (method: string, params: object) => Promise<A2aAnswer>;
  /** Calls a skill and returns its Task. Throws for an error of JSON-RPC. */
  readonly call: (skill: string, input?: object, options?: SendOptions) => Promise<WireTask>;
  /** Opens a stream, which is closed after its use. */
  readonly stream: (method: string, params: object) => Promise<WireStream>;
  /** Asks for a task. Throws for an error of JSON-RPC. */
  readonly get: (id: string) => Promise<WireTask>;
};

/** Returns a buyer of a tenant, of the sandbox unless another token is given. */
export function a2aBuyer(
  server: Pick<Booted, 'baseUrl'>,
  { token = 'sandbox-token', tenant = 'sales' }: { token?: string | null; tenant?: string } = {},
): A2aBuyer {
  const authorization = token === null ? undefined : `Bearer ${token}`;
  const raw: A2aBuyer['raw'] = (body, headers) =>
    send(`${server.baseUrl}/${tenant}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const rpc: A2aBuyer['rpc'] = async (method, params) => (await raw(rpcRequest(method, params))).json() as A2aAnswer;
  const taskOf = ({ error, result }: A2aAnswer): WireTask => {
    if (result === undefined) throw new Error(`no Task: ${JSON.stringify(error)}`);
    return result;
  };
  return {
    raw,
    rpc,
    stream: async (method, params) => {
      const gone = new AbortController();
      afterUse(() => gone.abort());
      const answer = await fetch(`${server.baseUrl}/${tenant}/a2a`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(rpcRequest(method, params)),
        signal: gone.signal,
      });
      return wireStream(answer, () => gone.abort());
    },
    call: async (skill, input = {}, options = {}) =>
      taskOf(await rpc('message/send', skillMessage(skill, input, options))),
    get: async (id) => taskOf(await rpc('tasks/get', { id })),
  };
}

function wireStream(answer: Response, close: () => void): WireStream {
  const type = answer.headers.get('content-type');
  const messages = type === 'text/event-stream' ? readEvents(answer) : readWhole(answer);
  const next = async (): Promise<A2aAnswer | undefined> => (await messages.next()).value ?? undefined;
  const rest = async (): Promise<readonly Json[]> => {
    const results: Json[] = [];
    for await (const { error, result } of messages) {
      if (result === undefined) throw new Error(`no event: ${JSON.stringify(error)}`);
      results.push(result);
    }
    return results;
  };
  return { status: answer.status, type, next, rest, close };
}

async function* readEvents(answer: Response): AsyncGenerator<A2aAnswer> {
  let text = '';
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (text + piece).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data) as A2aAnswer;
    }
  }
}

async function* readWhole(answer: Response): AsyncGenerator<A2aAnswer> {
  yield (await answer.json()) as A2aAnswer;
}

/** A request of JSON-RPC. */
export function rpcRequest(method: string, params: object): object {
  return { jsonrpc: '2.0', id: 1, method, params };
}

/** The `params` of a message that calls a skill. */
export function skillMessage(skill: string, input: object = {}, { configuration, message }: SendOptions = {}): object {
  const parts = [{ kind: 'data', data: { skill, input } }];
  return { message: { kind: 'message', role: 'user', messageId: randomUUID(), parts, ...message }, configuration };
}

/** The service data of a Task: in its artifact when it is over, in the message of its status before. */
export function dataOf({ artifacts, status }: WireTask): Json {
  const parts = artifacts?.[0]?.parts ?? status.message?.parts ?? [];
  return parts.filter(({ kind }) => kind === 'data').at(-1)?.data ?? {};
}
