import { randomUUID } from 'node:crypto';
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
    call: async (skill, input = {}, options = {}) =>
      taskOf(await rpc('message/send', skillMessage(skill, input, options))),
    get: async (id) => taskOf(await rpc('tasks/get', { id })),
  };
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
