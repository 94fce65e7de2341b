import { isDeepStrictEqual } from 'node:util';
import { systemIds } from '../../src/platform/kernel/ids.js';
import type { TimeSources } from '../../src/platform/kernel/steady-clock.js';
import type { BroughtAdServer } from '../../src/seller/adserver/adapters.js';
import { resolveSettings, type Settings } from '../../src/seller/config/settings.js';
import { createServer, type SellerServer } from '../../src/seller/server.js';
import { afterUse } from './after-use.js';
import { type HttpAnswer, send } from './http.js';
import { databaseOf } from './postgres.js';
import {
  collectingLog,
  countingIds,
  type LogLine,
  PROJECT,
  type TurnableClock,
  temporaryFolder,
  turnableClock,
} from './surroundings.js';
import { sandboxToken } from './tenants.js';
import type { Answer, Payload } from './wire.js';

/** A context for requests whose echo a test looks at. */
export const KIT_CONTEXT = { correlation_id: 'kit-1', nested: { list: [1, null, 'ä'] } } as const;

/** How a test wants its server; everything has a default. */
export type BootOptions = {
  /** Folder of tenant files; the shipped ones unless given. */
  readonly tenants?: string;
  /** The data folder; a fresh one unless given. A fresh one is removed after its use. */
  readonly dataDir?: string;
  /** The protocol's name on the wire; `adcp` unless given. */
  readonly protocolName?: string;
  readonly adServer?: BroughtAdServer;
  /** `counting` (the default) or `system`. */
  readonly ids?: 'counting' | 'system';
  /** What the clock says first; `BOOT_TIME` unless given. */
  readonly at?: string;
  /** The clocks of the machine, in place of the turnable clock. */
  readonly time?: TimeSources;
  /** Environment that tenant files take keys from. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether a registry of its own is served beside the tenants, from a file. */
  readonly registry?: boolean;
  /** Changes to the settings, such as `{ maxBodyBytes: 2048 }`. */
  readonly settings?: Partial<Settings>;
};

/** How one call is made. */
export type CallOptions = {
  /** Bearer token; `sandbox-token` unless given, null for none. */
  readonly token?: string | null;
  /** Path of the tenant; `sales` unless given. */
  readonly tenant?: string;
  /** The release to ask for, such as `3.1`; none is asked for unless given. */
  readonly version?: string;
};

/** A running server and everything a test does with it. Every call goes over real HTTP. */
export type Booted = {
  /** Address of a tenant's MCP endpoint; of `sales` unless named. */
  readonly url: (tenant?: string) => string;
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly clock: TurnableClock;
  /** The server as it runs now; another one after `restart`. */
  readonly server: () => SellerServer;
  /** What the server logged at level warn and above. */
  readonly log: readonly LogLine[];
  /** Calls a task. Throws when the answer is no tools/call result, or its text differs from its structured content. */
  readonly call: (tool: string, args?: object, options?: CallOptions) => Promise<Answer>;
  /** Posts a body (text as it is, anything else as JSON) to the sales endpoint; a header set to undefined is not sent. */
  readonly raw: (
    body: unknown,
    headers?: Readonly<Record<string, string | undefined>>,
    tenant?: string,
  ) => Promise<HttpAnswer>;
  /** Stops the server (if it runs) and starts another one on the same data folder, port and clock. */
  readonly restart: () => Promise<void>;
  /** Stops the server as SIGTERM would; its data stay until then or the end of its use. */
  readonly close: () => Promise<void>;
};

/** Starts a real server in this process on a port of the system's choice. It is closed after its use. */
export async function boot(options: BootOptions = {}): Promise<Booted> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const clock = turnableClock(options.at);
  const ids = options.ids === 'system' ? systemIds : countingIds();
  const log: LogLine[] = [];
  const { protocolName = 'adcp', adServer, env = {} } = options;
  let server: SellerServer;
  let isOpen = false;
  let baseUrl = '';

  async function start(port: string): Promise<void> {
    const flags = { port, data: dataDir, protocolName, tenants: options.tenants };
    const settings = await resolveSettings({ flags, env: {}, cwd: dataDir, packageRoot: PROJECT });
    server = await createServer({
      settings: {
        ...settings,
        ...(options.registry === true ? {} : await sharedStore(dataDir)),
        ...options.settings,
      },
      registry: options.registry ?? false,
      env,
      version: '0.0.0-test',
      ...(options.time === undefined ? { clock } : { time: options.time }),
      ids,
      log: collectingLog(log),
      ...(adServer === undefined ? {} : { adServer }),
    });
    isOpen = true;
    baseUrl = await server.listen();
  }

  async function close(): Promise<void> {
    if (isOpen) await server.close();
    isOpen = false;
  }
  afterUse(close);

  await start('0');

  const url = (tenant = 'sales'): string => `${baseUrl}/${tenant}/mcp`;
  const raw: Booted['raw'] = (body, headers, tenant) =>
    send(url(tenant), {
      method: 'POST',
      headers: { ...JSON_HEADERS, authorization: `Bearer ${sandboxToken(tenant)}`, ...headers },
      body: asBody(body),
    });

  return {
    url,
    baseUrl,
    dataDir,
    clock,
    log,
    server: () => server,
    raw,
    call: async (tool, args = {}, { tenant, token = sandboxToken(tenant), version } = {}) => {
      const asked = version === undefined ? args : { ...args, [`${protocolName}_version`]: version };
      const authorization = token === null ? undefined : `Bearer ${token}`;
      return readAnswer(await raw(toolCall(tool, asked), { authorization }, tenant));
    },
    restart: async () => {
      await close();
      await start(new URL(baseUrl).port);
    },
    close,
  };
}

/** The JSON-RPC request of a task call. */
export function toolCall(name: string, args: unknown, id: string | number = 1): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** One message of JSON-RPC as it came back: a result or an error. */
export type RpcMessage = {
  readonly jsonrpc: string;
  readonly id: string | number | null;
  readonly result?: Readonly<Record<string, unknown>> & {
    readonly content?: readonly { readonly type: string; readonly text: string }[];
    readonly structuredContent?: Payload;
    readonly isError?: boolean;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

/** The one message of an answer. */
export function rpc(answer: HttpAnswer): RpcMessage {
  return answer.json() as RpcMessage;
}

/** Reads the answer of a task call. Throws when it is none, or its text differs from its structured content. */
export function readAnswer(response: HttpAnswer): Answer {
  const { content, structuredContent, isError = false } = rpc(response).result ?? {};
  if (structuredContent === undefined) throw new Error(`no tool result: ${response.status} ${response.text}`);
  const text: unknown = JSON.parse(content?.[0]?.text ?? 'null');
  if (!isDeepStrictEqual(text, structuredContent) && !(isError && isSaidOnce(text, structuredContent)))
    throw new Error('text and structuredContent differ');
  return { payload: structuredContent, isError, status: response.status };
}

/** Whether a failure is that of an answer for language models: its text has the error at its root alone. */
function isSaidOnce(text: unknown, { code, message }: Record<string, unknown>): boolean {
  return isDeepStrictEqual({ ...(text as object), code, message }, text) && !('errors' in (text as object));
}

/** The headers of a plain client that wants one JSON body. */
export const JSON_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json',
  authorization: 'Bearer sandbox-token',
};

function asBody(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

/** The store of a server in a run that is about PostgreSQL. */
async function sharedStore(dataDir: string): Promise<Pick<Settings, 'store'> | undefined> {
  return process.env.TEST_ENGINE === 'postgres' ? { store: await databaseOf(dataDir, 'seller') } : undefined;
}
