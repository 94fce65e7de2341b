import type { Settings } from '../config/settings.js';
import type { Tenant } from '../domain/tenant/tenant.js';

/**
 * A check's result: `warn` should be looked at, `fail` keeps buyers out, and both say what to do; `skip` could not or
 * need not be asked.
 */
export type Finding =
  | { readonly status: 'ok' | 'skip'; readonly message: string; readonly fix?: undefined }
  | { readonly status: 'warn' | 'fail'; readonly message: string; readonly fix: string };

/** An answer over HTTP: its status, its headers in lower case, and its body as text. */
export type Asked = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

/** The facts about a seller that need no request: enough for the checks before it goes live. */
export type ServerFacts = {
  readonly settings: Settings;
  /** The address that buyers use. */
  readonly baseUrl: string;
  /** The tenants whose files can be read. */
  readonly tenants: readonly Tenant[];
  /** How many signing keys are published; rejects with why that cannot be found out. */
  readonly countKeys: () => Promise<number>;
};

/** The server that is checked, and what it is checked with. */
export type CheckedServer = ServerFacts & {
  /** The version of this command. */
  readonly version: string;
  readonly nowMs: number;
  /** The addresses of the tenants' agents. */
  readonly agents: readonly string[];
  /** The domains whose adagents.json has to name them. */
  readonly publisherDomains: readonly string[];
  /** Reads the files as `check` does: whether they can be served, and what a person should read of them. */
  readonly checkFiles: () => Promise<{ readonly ok: boolean; readonly text: string }>;
  /** Asks an address of one's own; rejects with why there is no answer. */
  readonly get: (url: string) => Promise<Asked>;
  /** Asks the running server as its operator; undefined where none runs. */
  readonly askOperator: (path: string) => Promise<object | undefined>;
};

/** One check of the table, of what is known of a server; another program may run it on a server of its own making. */
export type Check<Server> = {
  readonly name: string;
  /** Rejects where the check cannot be carried out. */
  readonly run: (server: Server) => Promise<Finding>;
  /** What to do where it cannot be carried out. */
  readonly fix: string;
};
