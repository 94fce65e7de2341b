import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { ZodError } from 'zod';
import { SECOND_MS } from '../../platform/kernel/clock.js';
import { ConfigError, type ConfigProblem } from '../../platform/kernel/errors.js';
import type { RegistryServiceSettings } from '../../registry/settings.js';
import type { Environment } from './draft.js';
import { explainIssues, valueAt } from './explain.js';
import { lineOf, readJsonFile } from './json-file.js';
import { registryServiceOf } from './schema/registry-service.js';
import {
  addressRanges,
  baseUrl,
  bindHost,
  domainName,
  folderPath,
  hostList,
  oneOf,
  operatorName,
  protocolName,
  type SettingForm,
  storePath,
  wholeNumber,
} from './schema/setting-forms.js';
import { SETTINGS_FILE, type SettingsFile, settingsJsonSchema, settingsSchema } from './schema/settings.js';

/** The settings of a server. All paths are absolute. */
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
  /** Purpose of the key that signs webhooks; verifiers of 3.0 know `webhook-signing` alone. */
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

/** How a registry is used. */
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

/** The sources of settings; the package root holds the shipped tenants. */
export type SettingsSources = {
  readonly flags: SettingsFlags;
  readonly env: Environment;
  readonly cwd: string;
  readonly packageRoot: string;
};

/** A setting: where it is in the settings file, how the environment and the command line override it, and its form. */
type Setting<Value> = {
  readonly pointer: string;
  readonly env?: string;
  readonly flag?: keyof SettingsFlags;
  readonly form: SettingForm<Value>;
};

/** Every setting. A flag overrides the environment, and the environment the settings file. */
const SETTINGS = {
  port: { pointer: '/port', env: 'SELLER_AGENT_PORT', flag: 'port', form: wholeNumber(0, 65_535) },
  host: { pointer: '/host', env: 'SELLER_AGENT_HOST', flag: 'host', form: bindHost },
  baseUrl: { pointer: '/base_url', env: 'SELLER_AGENT_BASE_URL', flag: 'baseUrl', form: baseUrl },
  tenants: { pointer: '/tenants', env: 'SELLER_AGENT_TENANTS', flag: 'tenants', form: folderPath },
  data: { pointer: '/data', env: 'SELLER_AGENT_DATA', flag: 'data', form: folderPath },
  store: { pointer: '/store', env: 'SELLER_AGENT_STORE', flag: 'store', form: storePath },
  protocol: { pointer: '/protocol/name', env: 'SELLER_AGENT_PROTOCOL_NAME', flag: 'protocolName', form: protocolName },
  operatorDomain: { pointer: '/operator/domain', env: 'SELLER_AGENT_OPERATOR_DOMAIN', form: domainName },
  operatorName: { pointer: '/operator/name', env: 'SELLER_AGENT_OPERATOR_NAME', form: operatorName },
  webhookKey: {
    pointer: '/webhook_key',
    env: 'SELLER_AGENT_WEBHOOK_KEY',
    form: oneOf(['by_release', 'request-signing', 'webhook-signing'], 'purpose of a key'),
  },
  registryUrl: { pointer: '/registry/url', env: 'SELLER_AGENT_REGISTRY_URL', form: baseUrl },
  registryStaleness: { pointer: '/registry/max_staleness_seconds', form: wholeNumber(60, 604_800) },
  registryPolicy: { pointer: '/registry/policy', form: oneOf(['refuse', 'warn'], 'policy') },
  allowedHosts: { pointer: '/allowed_hosts', env: 'SELLER_AGENT_ALLOWED_HOSTS', form: hostList },
  trustedProxies: { pointer: '/trusted_proxies', env: 'SELLER_AGENT_TRUSTED_PROXIES', form: addressRanges },
  maxBodyBytes: { pointer: '/max_body_bytes', form: wholeNumber(1024, 67_108_864) },
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

const DEFAULT_PORT = 3000;
const DEFAULT_MAX_BODY_BYTES = 4_194_304;
const DEFAULT_STALENESS_SECONDS = 3600;
const REGISTRY_TOKEN = 'SELLER_AGENT_REGISTRY_TOKEN';

/** The text of a setting, and where it was given. */
type GivenText = { readonly text: string; readonly file: string; readonly line: number; readonly pointer: string };

/** The settings file as it was read; empty where there is none, or a broken one. */
type ReadSettings = {
  readonly value: SettingsFile;
  readonly lineOf: (pointer: string) => number;
  readonly file: string;
};

/** Returns the settings of the settings file, overridden by the environment, overridden by flags. Throws ConfigError with every problem. */
export async function resolveSettings(sources: SettingsSources): Promise<Settings> {
  const { cwd, packageRoot } = sources;
  const problems: ConfigProblem[] = [];
  const file = await readSettingsFile(join(cwd, SETTINGS_FILE), problems);
  const pick = <Value>(setting: Setting<Value>): Value | undefined => {
    const given = findText(setting, file, sources);
    if (given === undefined) return undefined;
    const parsed = setting.form.safeParse(given.text);
    if (parsed.success) return parsed.data;
    problems.push(explainSetting(given, parsed.error));
    return undefined;
  };
  const port = pick(SETTINGS.port) ?? DEFAULT_PORT;
  const host = pick(SETTINGS.host) ?? '127.0.0.1';
  const url = pick(SETTINGS.baseUrl) ?? `http://${urlHost(host)}:${port}`;
  const store = pick(SETTINGS.store);
  const settings: Settings = {
    port,
    host,
    baseUrl: url,
    tenantsDir: resolve(cwd, pick(SETTINGS.tenants) ?? (await defaultTenants(cwd, packageRoot))),
    dataDir: resolve(cwd, pick(SETTINGS.data) ?? 'data'),
    store: store === undefined ? undefined : resolve(cwd, store),
    protocolName: pick(SETTINGS.protocol) ?? 'adcp',
    development: isLoopbackHost(host) && isLoopbackHost(new URL(url).hostname),
    operator: { domain: pick(SETTINGS.operatorDomain) ?? new URL(url).hostname, name: pick(SETTINGS.operatorName) },
    webhookKey: pick(SETTINGS.webhookKey) ?? 'by_release',
    registry: registrySettings(pick(SETTINGS.registryUrl), {
      token: readToken(file, sources.env, problems),
      maxStalenessMs: (pick(SETTINGS.registryStaleness) ?? DEFAULT_STALENESS_SECONDS) * SECOND_MS,
      policy: pick(SETTINGS.registryPolicy) ?? 'refuse',
    }),
    registryService: registryServiceOf(file.value.registry_service),
    allowedHosts: pick(SETTINGS.allowedHosts) ?? [],
    trustedProxies: pick(SETTINGS.trustedProxies) ?? [],
    maxBodyBytes: pick(SETTINGS.maxBodyBytes) ?? DEFAULT_MAX_BODY_BYTES,
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return settings;
}

function registrySettings(url: string | undefined, rest: Omit<RegistrySettings, 'url'>): RegistrySettings | undefined {
  return url === undefined ? undefined : { url, ...rest };
}

/** Returns the token of the registry, from the variable that the file names, else from the usual one. */
function readToken(file: ReadSettings, env: Environment, problems: ConfigProblem[]): string | undefined {
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

async function readSettingsFile(path: string, problems: ConfigProblem[]): Promise<ReadSettings> {
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

function findText(
  { pointer, env: variable = '', flag }: Setting<unknown>,
  { value, file, lineOf }: ReadSettings,
  { flags, env }: SettingsSources,
): GivenText | undefined {
  const flagged = flag && flags[flag];
  if (flag !== undefined && flagged !== undefined)
    return { text: flagged, file: `flag --${kebab(flag)}`, line: 0, pointer: '' };
  const text = env[variable];
  if (text) return { text, file: `environment ${variable}`, line: 0, pointer: '' };
  const written = valueAt(value, pointer.split('/').slice(1));
  return written === undefined ? undefined : { text: String(written), file, line: lineOf(pointer), pointer };
}

function explainSetting({ file, line, pointer }: GivenText, error: ZodError): ConfigProblem {
  const [issue] = error.issues;
  const fix =
    issue?.code === 'custom' && typeof issue.params?.fix === 'string' ? issue.params.fix : 'Correct the value.';
  return { file, line, pointer, message: issue?.message ?? 'the value does not have the right form', fix };
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

async function defaultTenants(cwd: string, packageRoot: string): Promise<string> {
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
