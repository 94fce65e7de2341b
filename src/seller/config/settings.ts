import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { SECOND_MS } from '../../platform/kernel/clock.js';
import { ConfigError, type ConfigProblem } from '../../platform/kernel/errors.js';
import { isAddressRange } from '../../platform/net/address.js';
import { HOST_NAME, isUrl } from '../../platform/net/url.js';
import type { RegistryServiceSettings } from '../../registry/settings.js';
import type { Environment } from './draft.js';
import { explainIssues } from './explain.js';
import { lineOf, readJsonFile } from './json-file.js';
import { registryServiceOf } from './schema/registry-service.js';
import { SETTINGS_FILE, type SettingsFile, settingsJsonSchema, settingsSchema } from './schema/settings.js';
import { PROTOCOL_NAME } from './schema/tenant.js';

/** What the server runs with. All paths are absolute. */
export type Settings = {
  /** 0: the system chooses, and a base URL that was not set still says 0. */
  readonly port: number;
  readonly host: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly tenantsDir: string;
  readonly dataDir: string;
  /** Path of the SQLite file; undefined: the usual place in dataDir. */
  readonly store: string | undefined;
  readonly protocolName: string;
  /** Bind address and base URL are both loopback. */
  readonly development: boolean;
  /** Who runs the agents: a domain, and a name where one is set. */
  readonly operator: { readonly domain: string; readonly name: string | undefined };
  /** Purpose of the key that signs webhooks; verifiers of 3.0 know `webhook-signing` alone (facts-webhooks 7, row 3). */
  readonly webhookKey: 'by_release' | 'request-signing' | 'webhook-signing';
  /** The registry that says who may sell what; undefined asks and refuses nothing. */
  readonly registry: RegistrySettings | undefined;
  /** How a registry of one's own is run. */
  readonly registryService: RegistryServiceSettings;
  /** Host headers accepted beside those of host and baseUrl. */
  readonly allowedHosts: readonly string[];
  /** Addresses and ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly maxBodyBytes: number;
};

/** How a registry is used (spec 1). */
export type RegistrySettings = {
  /** Without a trailing slash. */
  readonly url: string;
  /** API key or access token; without one only what is public can be asked. */
  readonly token: string | undefined;
  /** How old the copy may be before publishers are asked themselves. */
  readonly maxStalenessMs: number;
  /** What happens to products whose publisher does not authorize the agent. */
  readonly policy: 'refuse' | 'warn';
};

/** Flags of the command line, as the parser names them. */
export type SettingsFlags = {
  readonly port?: string | undefined;
  readonly host?: string | undefined;
  readonly tenants?: string | undefined;
  readonly data?: string | undefined;
  readonly store?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly protocolName?: string | undefined;
};

/** Where settings come from; the package root holds the shipped tenants. */
export type SettingsSources = {
  readonly flags: SettingsFlags;
  readonly env: Environment;
  readonly cwd: string;
  readonly packageRoot: string;
};

type Given = { readonly value: string; readonly file: string; readonly line: number; readonly pointer: string };
type Reading<Value> = { readonly value: Value } | { readonly message: string; readonly fix: string };
type Row<Value> = {
  readonly pointer: string;
  readonly inFile: (file: SettingsFile) => string | number | undefined;
  readonly env?: string;
  readonly flag?: keyof SettingsFlags;
  readonly read: (text: string) => Reading<Value>;
};

const DEFAULT_PORT = 3000;
const DEFAULT_MAX_BODY_BYTES = 4_194_304;
const SEPARATOR = ',';

const PORT: Row<number> = {
  pointer: '/port',
  inFile: (file) => file.port,
  env: 'SELLER_AGENT_PORT',
  flag: 'port',
  read: (text) => integer(text, 0, 65_535),
};
const HOST: Row<string> = {
  pointer: '/host',
  inFile: (file) => file.host,
  env: 'SELLER_AGENT_HOST',
  flag: 'host',
  read: readHost,
};
const BASE_URL: Row<string> = {
  pointer: '/base_url',
  inFile: (file) => file.base_url,
  env: 'SELLER_AGENT_BASE_URL',
  flag: 'baseUrl',
  read: readBaseUrl,
};
const TENANTS: Row<string> = {
  pointer: '/tenants',
  inFile: (file) => file.tenants,
  env: 'SELLER_AGENT_TENANTS',
  flag: 'tenants',
  read: (value) => ({ value }),
};
const DATA: Row<string> = {
  pointer: '/data',
  inFile: (file) => file.data,
  env: 'SELLER_AGENT_DATA',
  flag: 'data',
  read: (value) => ({ value }),
};
const STORE: Row<string> = {
  pointer: '/store',
  inFile: (file) => file.store,
  env: 'SELLER_AGENT_STORE',
  flag: 'store',
  read: readStore,
};
const PROTOCOL: Row<string> = {
  pointer: '/protocol/name',
  inFile: (file) => file.protocol?.name,
  env: 'SELLER_AGENT_PROTOCOL_NAME',
  flag: 'protocolName',
  read: (text) =>
    PROTOCOL_NAME.test(text)
      ? { value: text }
      : {
          message: `"${text}" cannot be a protocol name`,
          fix: 'Use 2 to 32 lower-case letters or digits, a letter first.',
        },
};
const OPERATOR_DOMAIN: Row<string> = {
  pointer: '/operator/domain',
  inFile: (file) => file.operator?.domain,
  env: 'SELLER_AGENT_OPERATOR_DOMAIN',
  read: readDomain,
};
const OPERATOR_NAME: Row<string> = {
  pointer: '/operator/name',
  inFile: (file) => file.operator?.name,
  env: 'SELLER_AGENT_OPERATOR_NAME',
  read: (text) =>
    text.trim() !== '' && text.length <= 255
      ? { value: text.trim() }
      : { message: 'this cannot be a name', fix: 'Use 1 to 255 characters, or leave the name out.' },
};
const WEBHOOK_KEY: Row<Settings['webhookKey']> = {
  pointer: '/webhook_key',
  inFile: (file) => file.webhook_key,
  env: 'SELLER_AGENT_WEBHOOK_KEY',
  read: (text) =>
    text === 'by_release' || text === 'request-signing' || text === 'webhook-signing'
      ? { value: text }
      : {
          message: `"${text}" is no purpose of a key`,
          fix: 'Use "by_release", "request-signing" or "webhook-signing".',
        },
};
const REGISTRY_URL: Row<string> = {
  pointer: '/registry/url',
  inFile: (file) => file.registry?.url,
  env: 'SELLER_AGENT_REGISTRY_URL',
  read: readBaseUrl,
};
const REGISTRY_STALENESS: Row<number> = {
  pointer: '/registry/max_staleness_seconds',
  inFile: (file) => file.registry?.max_staleness_seconds,
  read: (text) => integer(text, 60, 604_800),
};
const REGISTRY_POLICY: Row<RegistrySettings['policy']> = {
  pointer: '/registry/policy',
  inFile: (file) => file.registry?.policy,
  read: (text) =>
    text === 'refuse' || text === 'warn'
      ? { value: text }
      : { message: `"${text}" is no policy`, fix: 'Use "refuse" or "warn".' },
};
const REGISTRY_TOKEN = 'SELLER_AGENT_REGISTRY_TOKEN';
const DEFAULT_STALENESS_SECONDS = 3600;
const ALLOWED_HOSTS: Row<readonly string[]> = {
  pointer: '/allowed_hosts',
  inFile: (file) => file.allowed_hosts?.join(SEPARATOR),
  env: 'SELLER_AGENT_ALLOWED_HOSTS',
  read: (text) => ({ value: listed(text) }),
};
const TRUSTED_PROXIES: Row<readonly string[]> = {
  pointer: '/trusted_proxies',
  inFile: (file) => file.trusted_proxies?.join(SEPARATOR),
  env: 'SELLER_AGENT_TRUSTED_PROXIES',
  read: (text) => {
    const ranges = listed(text);
    const wrong = ranges.find((range) => !isAddressRange(range));
    if (wrong === undefined) return { value: ranges };
    return {
      message: `"${wrong}" is neither an IP address nor a range`,
      fix: 'Write the addresses that your proxies connect from, such as "10.0.0.0/8" or "2001:db8::7"; names are not looked up.',
    };
  },
};
const MAX_BODY_BYTES: Row<number> = {
  pointer: '/max_body_bytes',
  inFile: (file) => file.max_body_bytes,
  read: (text) => integer(text, 1024, 67_108_864),
};

/** Settings from the settings file, overridden by the environment, overridden by flags. Throws ConfigError with every fault. */
export async function resolveSettings(sources: SettingsSources): Promise<Settings> {
  const { cwd, packageRoot } = sources;
  const problems: ConfigProblem[] = [];
  const file = await readSettingsFile(join(cwd, SETTINGS_FILE), problems);
  const pick = <Value>(row: Row<Value>): Value | undefined => {
    const given = find(row, file, sources);
    const reading = given === undefined ? { value: undefined } : row.read(given.value);
    if ('value' in reading) return reading.value;
    if (given !== undefined) problems.push({ file: given.file, line: given.line, pointer: given.pointer, ...reading });
    return undefined;
  };
  const port = pick(PORT) ?? DEFAULT_PORT;
  const host = pick(HOST) ?? '127.0.0.1';
  const baseUrl = pick(BASE_URL) ?? `http://${urlHost(host)}:${port}`;
  const store = pick(STORE);
  const settings: Settings = {
    port,
    host,
    baseUrl,
    tenantsDir: resolve(cwd, pick(TENANTS) ?? (await usualTenants(cwd, packageRoot))),
    dataDir: resolve(cwd, pick(DATA) ?? 'data'),
    store: store === undefined ? undefined : resolve(cwd, store),
    protocolName: pick(PROTOCOL) ?? 'adcp',
    development: isLoopbackHost(host) && isLoopbackHost(new URL(baseUrl).hostname),
    operator: { domain: pick(OPERATOR_DOMAIN) ?? new URL(baseUrl).hostname, name: pick(OPERATOR_NAME) },
    webhookKey: pick(WEBHOOK_KEY) ?? 'by_release',
    registry: registryOf(pick(REGISTRY_URL), {
      token: tokenOf(file, sources.env, problems),
      maxStalenessMs: (pick(REGISTRY_STALENESS) ?? DEFAULT_STALENESS_SECONDS) * SECOND_MS,
      policy: pick(REGISTRY_POLICY) ?? 'refuse',
    }),
    registryService: registryServiceOf(file.value.registry_service),
    allowedHosts: pick(ALLOWED_HOSTS) ?? [],
    trustedProxies: pick(TRUSTED_PROXIES) ?? [],
    maxBodyBytes: pick(MAX_BODY_BYTES) ?? DEFAULT_MAX_BODY_BYTES,
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return settings;
}

function registryOf(url: string | undefined, rest: Omit<RegistrySettings, 'url'>): RegistrySettings | undefined {
  return url === undefined ? undefined : { url, ...rest };
}

/** The token of the registry: from the variable that the file names, else from the usual one. */
function tokenOf(file: Located, env: Environment, problems: ConfigProblem[]): string | undefined {
  const named = file.value.registry?.token?.env;
  const token = env[named ?? REGISTRY_TOKEN] || undefined;
  if (named === undefined || token !== undefined) return token;
  const pointer = '/registry/token/env';
  problems.push({
    file: file.file,
    line: file.lineOf(pointer),
    pointer,
    message: `the environment variable ${named} is not set`,
    fix: `Set ${named} to the API key of the registry before starting the server, or leave "token" out.`,
  });
  return undefined;
}

/** Whether a host can only be this machine: localhost, 127.0.0.0/8 or ::1, with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (bare === 'localhost') return true;
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return false;
  return ipaddr.process(bare).range() === 'loopback';
}

type Located = { readonly value: SettingsFile; readonly lineOf: (pointer: string) => number; readonly file: string };

async function readSettingsFile(path: string, problems: ConfigProblem[]): Promise<Located> {
  const nothing = { value: {}, lineOf: () => 0, file: path };
  if (!(await exists(path))) return nothing;
  const json = await readJsonFile(path);
  problems.push(...json.problems);
  if (json.tree === undefined) return nothing;
  const parsed = settingsSchema.safeParse(json.value);
  problems.push(...explainIssues(json, parsed.error?.issues ?? [], settingsJsonSchema()));
  if (!parsed.success) return nothing;
  return { value: parsed.data, lineOf: (pointer) => lineOf(json, pointer.split('/').slice(1)), file: path };
}

function find<Value>(row: Row<Value>, file: Located, { flags, env }: SettingsSources): Given | undefined {
  const flag = row.flag === undefined ? undefined : flags[row.flag];
  if (flag !== undefined) return { value: flag, file: `flag --${kebab(row.flag ?? '')}`, line: 0, pointer: '' };
  const variable = env[row.env ?? ''];
  if (variable) return { value: variable, file: `environment ${row.env}`, line: 0, pointer: '' };
  const value = row.inFile(file.value);
  if (value === undefined) return undefined;
  return { value: String(value), file: file.file, line: file.lineOf(row.pointer), pointer: row.pointer };
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

async function usualTenants(cwd: string, packageRoot: string): Promise<string> {
  return (await exists(join(cwd, 'tenants'))) ? 'tenants' : join(packageRoot, 'tenants');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function listed(text: string): readonly string[] {
  return text
    .split(SEPARATOR)
    .map((item) => item.trim().toLowerCase())
    .filter(Boolean);
}

function integer(text: string, minimum: number, maximum: number): Reading<number> {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (value >= minimum && value <= maximum) return { value };
  return { message: `"${text}" is not in the range`, fix: `Use a whole number from ${minimum} to ${maximum}.` };
}

function readHost(text: string): Reading<string> {
  const value = text.replace(/^\[(.*)\]$/, '$1');
  if (/^[A-Za-z0-9.-]+$/.test(value) || ipaddr.IPv6.isValid(value)) return { value };
  return {
    message: `"${text}" is not an address to bind`,
    fix: 'Use an address or host name without scheme and port.',
  };
}

function readBaseUrl(text: string): Reading<string> {
  const url = isUrl(text) ? new URL(text) : undefined;
  const web = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url !== undefined && web && url.username === '' && url.search === '' && url.hash === '') {
    return { value: url.href.replace(/\/+$/, '') };
  }
  return { message: `"${text}" is not a base URL`, fix: 'Use an http or https URL without user, query and fragment.' };
}

function readDomain(text: string): Reading<string> {
  if (HOST_NAME.test(text)) return { value: text };
  return {
    message: `"${text}" is not a domain`,
    fix: 'Use a lower-case host name without scheme, such as "ads.example".',
  };
}

function readStore(text: string): Reading<string> {
  if (/^postgres(ql)?:/.test(text)) {
    return { message: 'PostgreSQL as a store comes later', fix: 'Use "sqlite:PATH", or leave the store out.' };
  }
  const path = text.replace(/^sqlite:/, '');
  if (path !== '' && !/^[A-Za-z][A-Za-z0-9+.-]+:/.test(path)) return { value: path };
  return { message: `"${text}" is not a store`, fix: 'Use "sqlite:PATH" or the path of a file.' };
}
