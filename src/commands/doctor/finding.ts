import type { Environment } from '../../seller/config/draft.js';
import type { Settings } from '../../seller/config/settings.js';

/** What a check found: `warn` should be looked at, `fail` keeps buyers out, `skip` could not or need not be asked. */
export type Finding = {
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  readonly message: string;
  /** What to do. */
  readonly fix?: string;
};

/** An answer over HTTP: its status, its headers in lower case, and its body as text. */
export type Asked = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

/** The server that is checked, and what it is checked with. */
export type CheckedServer = {
  readonly settings: Settings;
  readonly env: Environment;
  /** The version of this command. */
  readonly version: string;
  readonly nowMs: number;
  /** The address that buyers use. */
  readonly baseUrl: string;
  /** The addresses of the tenants' agents. */
  readonly agents: readonly string[];
  /** The domains whose adagents.json has to name them. */
  readonly publisherDomains: readonly string[];
  /** Asks an address of one's own; rejects with why there is no answer. */
  readonly get: (url: string) => Promise<Asked>;
  /** Asks the running server as its operator; undefined where none runs. */
  readonly askOperator: (path: string) => Promise<object | undefined>;
};

/** One check of the table; another program may run it on a server of its own making. */
export type Check = { readonly name: string; readonly run: (server: CheckedServer) => Promise<Finding> };
