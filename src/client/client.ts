import { systemIds } from '../platform/kernel/ids.js';
import { pause } from '../platform/kernel/loop.js';
import { toolPayload } from '../platform/mcp/client/answers.js';
import { McpClient, type McpFault } from '../platform/mcp/client/client.js';
import { createOutbound } from '../platform/net/fetch.js';
import { TaskFailure } from './task-failure.js';
import { type Answer, CLIENT_TASKS, type ResultOf, type TaskMethod } from './tasks.js';

/** A seller's agent, and how it is called. */
export type BuyerClientOptions = {
  /** The address of its MCP endpoint, such as `https://ads.example/sales/mcp`. */
  readonly url: string;
  /** The key that the seller gave; sent as a bearer token. */
  readonly token?: string;
  /** The release of the protocol to ask for, such as `3.1`; the seller's choice unless given. */
  readonly version?: string;
  /** Where the seller reports what happens, for every changing call that does not say it itself. */
  readonly webhook?: Webhook;
  /** Allows plain http and addresses of this machine; false unless given. */
  readonly local?: boolean;
  /** How often a call is made at most, with the same key: 4 unless given. */
  readonly attempts?: number;
  /** How long one attempt may take, in milliseconds: a minute unless given. */
  readonly timeoutMs?: number;
};

/** An endpoint that `seller-agent/receiver` serves. */
export type Webhook = { readonly url: string; readonly operation_id?: string; readonly token?: string };

/** The arguments of a task as the protocol has them; a changing call without an `idempotency_key` gets a fresh one. */
export type TaskArguments = Readonly<Record<string, unknown>>;

/** One method for each task. Each rejects with TaskFailure when the seller refuses, or cannot be reached. */
export type BuyerClient = {
  readonly [Method in TaskMethod]: (args?: TaskArguments) => Promise<ResultOf<Method>>;
} & {
  /** Calls a task by its name, also one that has no method here. */
  readonly call: (task: string, args?: TaskArguments) => Promise<Answer>;
  /** Ends the connections. */
  readonly close: () => Promise<void>;
};

const DEFAULT_ATTEMPTS = 4;
const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** Opens a client of a seller's agent. Nothing is sent before the first call. */
export function createBuyerClient(options: BuyerClientOptions): BuyerClient {
  const caller = new TaskCaller(options);
  const methods = Object.entries(CLIENT_TASKS).map(([method, { changes, task }]) => [
    method,
    (args: TaskArguments = {}) => caller.call(task, args, changes),
  ]);
  return {
    ...(Object.fromEntries(methods) as { [Method in TaskMethod]: (args?: TaskArguments) => Promise<ResultOf<Method>> }),
    call: (task, args = {}) => caller.call(task, args, args.idempotency_key !== undefined),
    close: () => caller.close(),
  };
}

/** Calls tasks and repeats what may be repeated, under the same key. */
class TaskCaller {
  readonly #options: BuyerClientOptions;
  readonly #outbound: ReturnType<typeof createOutbound>;
  readonly #client: McpClient;

  constructor(options: BuyerClientOptions) {
    const { local = false, timeoutMs = DEFAULT_TIMEOUT_MS, token, url } = options;
    this.#options = options;
    this.#outbound = createOutbound({ development: local });
    this.#client = new McpClient({
      outbound: this.#outbound,
      url,
      credentials: token,
      local,
      maxBytes: MAX_ANSWER_BYTES,
      timeLeftMs: () => timeoutMs,
    });
  }

  /** Calls a task until it is answered, refused for good, or was tried often enough. */
  async call(task: string, given: TaskArguments, changes: boolean): Promise<Answer> {
    const args = this.#complete(given, changes);
    const { attempts = DEFAULT_ATTEMPTS } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(task, args);
      if (!(outcome instanceof TaskFailure)) return outcome;
      // A reading call changes nothing, and a changing one has a key: both may be repeated.
      if (!outcome.isTransient || attempt >= attempts) throw outcome;
      const waitMs = outcome.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
      await pause(Math.min(waitMs, MAX_PAUSE_MS));
    }
  }

  close(): Promise<void> {
    return this.#outbound.close();
  }

  #complete(given: TaskArguments, changes: boolean): TaskArguments {
    const { version, webhook } = this.#options;
    const release = version === undefined ? undefined : { adcp_version: version };
    if (!changes) return { ...release, ...given };
    return {
      ...release,
      idempotency_key: systemIds.uuid(),
      push_notification_config: webhook,
      ...given,
    };
  }

  async #attempt(task: string, args: TaskArguments): Promise<Answer | TaskFailure> {
    const reply = await this.#client.request('tools/call', { name: task, arguments: args });
    if (!reply.ok) return failureOf(task, reply.fault);
    const payload = toolPayload(reply.result);
    if (payload === undefined)
      return new TaskFailure(task, { code: 'NO_ANSWER', message: 'The answer is none of a task.' });
    return reply.result.isError === true ? TaskFailure.read(task, payload) : payload;
  }
}

const FAULTS: Readonly<Record<Exclude<McpFault['kind'], 'status'>, string>> = {
  fetch: 'UNREACHABLE',
  not_mcp: 'NO_ANSWER',
  rpc_error: 'NO_ANSWER',
};

function failureOf(task: string, fault: McpFault): TaskFailure {
  if (fault.kind !== 'status') {
    const why = fault.kind === 'fetch' ? `: ${fault.reason}` : '';
    return new TaskFailure(task, { code: FAULTS[fault.kind], message: `The seller gave no answer${why}.` });
  }
  const { status } = fault;
  if (status === 401 || status === 403)
    return new TaskFailure(task, { code: 'AUTH_INVALID', message: `The seller does not know this token (${status}).` });
  const isBusy = status === 429 || status >= 500;
  const code = isBusy ? 'SERVICE_UNAVAILABLE' : 'NO_ANSWER';
  return new TaskFailure(task, { code, message: `The seller answered ${status}.` });
}
