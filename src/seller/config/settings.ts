import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { ZodError } from 'zod';
import { findFfmpeg } from '../../creative/media/find-ffmpeg.js';
import { isDatabaseUrl } from '../../platform/database/database-url.js';
import { HOUR_MS, SECOND_MS } from '../../platform/kernel/clock.js';
import { ConfigError, type ConfigProblem, type FilePosition } from '../../platform/kernel/errors.js';
import { isThere } from '../../platform/kernel/files/whole-file.js';
import { LOG_VARIABLE } from '../../platform/kernel/log.js';
import { findNearest } from '../../platform/kernel/nearest.js';
import { MASTER_KEY_VARIABLE } from '../../platform/sealing/master-keys.js';
import type { RegistryServiceSettings } from '../../registry/settings.js';
import type { SignInProvider } from '../domain/console/provider.js';
import { PERIOD_NAMES, PERIODS, type PeriodName, periodsOf, type SellerPeriods } from '../domain/retention/periods.js';
import { QUOTA_NAMES, type QuotaName, type Quotas, quotasOf } from '../domain/retention/quotas.js';
import { signInProviderOf } from './console-sign-in.js';
import type { Environment } from './draft.js';
import { valueAt } from './explain.js';
import { positionOf, readJsonFile } from './json-file.js';
import { judgeJson } from './judge-json.js';
import { registryServiceOf } from './schema/registry-service.js';
import {
  addressRanges,
  baseUrl,
  bindHost,
  domainName,
  folderPath,
  hostList,
  namedHostList,
  oneOf,
  operatorName,
  originList,
  protocolName,
  type SettingForm,
  storeAddress,
  wholeNumber,
} from './schema/setting-forms.js';
import { SETTINGS_FILE, type SettingsFile, settingsJsonSchema, settingsSchema } from './schema/settings.js';

/** The settings of a server. All paths are absolute. */
export type Settings = {
  /** 0: the system chooses, and a base URL that was not set still says 0. */
  readonly port: number;
  readonly host: string;
  /** Port of the operator's address on the loopback, with /metrics; 0: the system chooses. */
  readonly adminPort: number;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly tenantsDir: string;
  /** Nobody named a folder and there is none: the tenants are the shipped examples, whose tokens everybody knows. */
  readonly hasExampleTenants: boolean;
  readonly dataDir: string;
  /** Path of the SQLite file, or the URL of a PostgreSQL database; undefined: a file at the usual place in dataDir. */
  readonly store: string | undefined;
  readonly protocolName: string;
  /** Whether releases that are not final are served too. */
  readonly protocolPreview: boolean;
  /** Nobody but this machine can reach the server (`isDevelopment`). */
  readonly development: boolean;
  /** Who runs the agents: a domain, and a name where one is set. */
  readonly operator: { readonly domain: string; readonly name: string | undefined };
  /** Purpose of the key that signs webhooks; verifiers of 3.0 know `webhook-signing` alone. */
  readonly webhookKey: 'by_release' | 'request-signing' | 'webhook-signing';
  /** The registry that says who may sell what; undefined asks and refuses nothing. */
  readonly registry: RegistrySettings | undefined;
  /** The identity provider by which people sign in to the console; undefined where they have passwords alone. */
  readonly signInProvider: SignInProvider | undefined;
  /** How a registry of one's own is run. */
  readonly registryService: RegistryServiceSettings;
  /** Host names accepted beside that of baseUrl; `*.name` is all below it, `any` is all. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call endpoints from a browser; `any` is all. */
  readonly corsOrigins: readonly string[];
  /** Addresses and ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly maxBodyBytes: number;
  /** Folder of fonts beside those of the installed packages. */
  readonly fontsDir: string | undefined;
  /** Path of ffmpeg; undefined where none is found, or it is off. */
  readonly ffmpegPath: string | undefined;
  /** For how long previews are kept, in ms. */
  readonly previewMs: number;
  /** Hosts that creatives made of scripts may reach from their preview. */
  readonly previewHosts: readonly string[];
  /** What a wall clock that jumps means: the time goes on without it, or with it. */
  readonly clockJumps: 'hold' | 'follow';
  /** How long what a process has in hand is its own, where several share the store, in ms. */
  readonly leaseMs: number;
  /** What each principal may have stored. */
  readonly quotas: Quotas;
  /** How long rows of the store stay, in milliseconds. */
  readonly retention: SellerPeriods;
  /** Most connections at once, in all and of one sender. */
  readonly connections: { readonly total: number; readonly perAddress: number };
};

/** How a registry is used. */
type RegistrySettings = {
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
  readonly adminPort?: string | undefined;
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
  /** A variable that hosts of programs set for whatever they run; it counts where nothing else is given, and is of this form. */
  readonly hostEnv?: { readonly name: string; readonly isMeant: (text: string) => boolean };
  readonly form: SettingForm<Value>;
};

/** The largest number that a quota may be set to. */
const MAX_QUOTA = 999_999_999;

/** Every setting. A flag overrides the environment, and the environment the settings file. */
export const SETTINGS = {
  port: { pointer: '/port', env: 'SELLER_AGENT_PORT', flag: 'port', form: wholeNumber(0, 65_535) },
  host: { pointer: '/host', env: 'SELLER_AGENT_HOST', flag: 'host', form: bindHost },
  adminPort: {
    pointer: '/admin_port',
    env: 'SELLER_AGENT_ADMIN_PORT',
    flag: 'adminPort',
    form: wholeNumber(0, 65_535),
  },
  baseUrl: { pointer: '/base_url', env: 'SELLER_AGENT_BASE_URL', flag: 'baseUrl', form: baseUrl },
  tenants: { pointer: '/tenants', env: 'SELLER_AGENT_TENANTS', flag: 'tenants', form: folderPath },
  data: { pointer: '/data', env: 'SELLER_AGENT_DATA', flag: 'data', form: folderPath },
  store: {
    pointer: '/store',
    env: 'SELLER_AGENT_STORE',
    flag: 'store',
    hostEnv: { name: 'DATABASE_URL', isMeant: isDatabaseUrl },
    form: storeAddress,
  },
  protocol: { pointer: '/protocol/name', env: 'SELLER_AGENT_PROTOCOL_NAME', flag: 'protocolName', form: protocolName },
  protocolPreview: {
    pointer: '/protocol/preview',
    env: 'SELLER_AGENT_PROTOCOL_PREVIEW',
    form: oneOf(['true', 'false'], 'answer'),
  },
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
  corsOrigins: { pointer: '/cors_origins', env: 'SELLER_AGENT_CORS_ORIGINS', form: originList },
  allowedHosts: { pointer: '/allowed_hosts', env: 'SELLER_AGENT_ALLOWED_HOSTS', form: hostList },
  trustedProxies: { pointer: '/trusted_proxies', env: 'SELLER_AGENT_TRUSTED_PROXIES', form: addressRanges },
  quotaMebibytes: { pointer: '/quotas/mebibytes', form: wholeNumber(1, MAX_QUOTA) },
  quotaPreviewMebibytes: { pointer: '/quotas/preview_mebibytes', form: wholeNumber(1, MAX_QUOTA) },
  clockJumps: {
    pointer: '/clock_jumps',
    env: 'SELLER_AGENT_CLOCK_JUMPS',
    form: oneOf(['hold', 'follow'], 'way with jumps'),
  },
  leaseSeconds: { pointer: '/lease_seconds', env: 'SELLER_AGENT_LEASE_SECONDS', form: wholeNumber(1, 600) },
  fonts: { pointer: '/rendering/fonts', env: 'SELLER_AGENT_FONTS', form: folderPath },
  ffmpeg: { pointer: '/rendering/ffmpeg', env: 'SELLER_AGENT_FFMPEG', form: folderPath },
  previewHosts: { pointer: '/rendering/preview_hosts', form: namedHostList },
  previewHours: { pointer: '/rendering/preview_hours', form: wholeNumber(1, 8760) },
  maxBodyBytes: { pointer: '/max_body_bytes', form: wholeNumber(1024, 67_108_864) },
  connectionsTotal: { pointer: '/connections/total', form: wholeNumber(16, 100_000) },
  connectionsPerAddress: { pointer: '/connections/per_address', form: wholeNumber(1, 100_000) },
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

/** The longest that a period may be set to: a hundred years. */
const MAX_PERIOD_DAYS = 36_525;

const DEFAULT_PORT = 3000;
const DEFAULT_MAX_BODY_BYTES = 4_194_304;
const DEFAULT_CONNECTIONS = { total: 2048, perAddress: 256 };
const DEFAULT_LEASE_SECONDS = 30;
const DEFAULT_PREVIEW_HOURS = 24;
const DEFAULT_STALENESS_SECONDS = 3600;
const REGISTRY_TOKEN = 'SELLER_AGENT_REGISTRY_TOKEN';

/** The text of a setting, and where it was given. */
type GivenText = FilePosition & { readonly text: string; readonly file: string; readonly pointer: string };

/** The settings file as it was read; empty where there is none, or a broken one. */
type ReadSettings = {
  readonly value: SettingsFile;
  readonly positionOf: (pointer: string) => FilePosition;
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
  problems.push(...unknownVariables(sources.env, file));
  const port = pick(SETTINGS.port) ?? DEFAULT_PORT;
  const host = pick(SETTINGS.host) ?? '127.0.0.1';
  const url = pick(SETTINGS.baseUrl) ?? `http://${urlHost(host)}:${port}`;
  const store = pick(SETTINGS.store);
  const fonts = pick(SETTINGS.fonts);
  const tenants = pick(SETTINGS.tenants) ?? ((await isThere(join(cwd, 'tenants'))) ? 'tenants' : undefined);
  const allowedHosts = pick(SETTINGS.allowedHosts) ?? [];
  const trustedProxies = pick(SETTINGS.trustedProxies) ?? [];
  const settings: Settings = {
    port,
    host,
    adminPort: pick(SETTINGS.adminPort) ?? 0,
    baseUrl: url,
    tenantsDir: resolve(cwd, tenants ?? join(packageRoot, 'tenants')),
    hasExampleTenants: tenants === undefined,
    dataDir: resolve(cwd, pick(SETTINGS.data) ?? 'data'),
    store: store === undefined || isDatabaseUrl(store) ? store : resolve(cwd, store),
    protocolName: pick(SETTINGS.protocol) ?? 'adcp',
    protocolPreview: pick(SETTINGS.protocolPreview) === 'true',
    development: isDevelopment({ host, baseUrl: url, allowedHosts, trustedProxies }),
    operator: { domain: pick(SETTINGS.operatorDomain) ?? new URL(url).hostname, name: pick(SETTINGS.operatorName) },
    webhookKey: pick(SETTINGS.webhookKey) ?? 'by_release',
    registry: registrySettings(pick(SETTINGS.registryUrl), {
      token: readToken(file, sources.env, problems),
      maxStalenessMs: (pick(SETTINGS.registryStaleness) ?? DEFAULT_STALENESS_SECONDS) * SECOND_MS,
      policy: pick(SETTINGS.registryPolicy) ?? 'refuse',
    }),
    signInProvider: signInProviderOf(file.value.console_sign_in, readClientSecret(file, sources.env, problems)),
    registryService: registryServiceOf(file.value.registry_service, readBrandKey(file, sources.env, problems)),
    allowedHosts,
    corsOrigins: pick(SETTINGS.corsOrigins) ?? [],
    trustedProxies,
    maxBodyBytes: pick(SETTINGS.maxBodyBytes) ?? DEFAULT_MAX_BODY_BYTES,
    quotas: quotasOf(Object.fromEntries(QUOTA_NAMES.map((name) => [name, pick(quotaSetting(name))])), {
      mebibytes: pick(SETTINGS.quotaMebibytes),
      preview_mebibytes: pick(SETTINGS.quotaPreviewMebibytes),
    }),
    fontsDir: fonts === undefined ? undefined : resolve(cwd, fonts),
    ffmpegPath: await locateFfmpeg(pick(SETTINGS.ffmpeg), sources, file, problems),
    ...previewSettings(pick(SETTINGS.previewHours), pick(SETTINGS.previewHosts)),
    clockJumps: pick(SETTINGS.clockJumps) ?? 'hold',
    leaseMs: (pick(SETTINGS.leaseSeconds) ?? DEFAULT_LEASE_SECONDS) * SECOND_MS,
    retention: periodsOf(Object.fromEntries(PERIOD_NAMES.map((name) => [name, pick(periodSetting(name))]))),
    connections: {
      total: pick(SETTINGS.connectionsTotal) ?? DEFAULT_CONNECTIONS.total,
      perAddress: pick(SETTINGS.connectionsPerAddress) ?? DEFAULT_CONNECTIONS.perAddress,
    },
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return settings;
}

/** Variables of the environment that are ours beside those of the settings. */
const OTHER_VARIABLES = [REGISTRY_TOKEN, LOG_VARIABLE, MASTER_KEY_VARIABLE];
/** Variables that begin like ours and are none are told where they are near one of ours: others may be keys of tenant files. */
const OUR_PREFIX = 'SELLER_AGENT_';

function unknownVariables(env: Environment, { value }: ReadSettings): readonly ConfigProblem[] {
  const ours = [
    ...Object.values(SETTINGS).flatMap((setting) => ('env' in setting ? [setting.env] : [])),
    ...OTHER_VARIABLES,
  ];
  const named = value.registry?.token?.env;
  return Object.keys(env)
    .filter((name) => name.startsWith(OUR_PREFIX) && !ours.includes(name) && name !== named)
    .flatMap((name) => {
      const short = (one: string): string => one.slice(OUR_PREFIX.length);
      const names = ours.map(short);
      const meant = findNearest(short(name), names) ?? names.find((one) => short(name).startsWith(`${one}_`));
      if (meant === undefined) return [];
      const message = `there is no setting ${name}`;
      const fix = `Did you mean ${OUR_PREFIX}${meant}? Otherwise give the variable a name that does not begin with ${OUR_PREFIX}.`;
      return [{ file: `environment ${name}`, line: 0, pointer: '', message, fix }];
    });
}

function previewSettings(
  hours = DEFAULT_PREVIEW_HOURS,
  previewHosts: readonly string[] = [],
): Pick<Settings, 'previewMs' | 'previewHosts'> {
  return { previewMs: hours * HOUR_MS, previewHosts };
}

function quotaSetting(name: QuotaName): Setting<number> {
  return { pointer: `/quotas/${name}`, form: wholeNumber(1, MAX_QUOTA) };
}

function periodSetting(name: PeriodName): Setting<number> {
  return { pointer: `/retention/${name}_days`, form: wholeNumber(PERIODS[name].minimumDays, MAX_PERIOD_DAYS) };
}

function registrySettings(url: string | undefined, rest: Omit<RegistrySettings, 'url'>): RegistrySettings | undefined {
  return url === undefined ? undefined : { url, ...rest };
}

/** A secret that the file may name a variable for: the variable, where the file names it, and what it is. */
type NamedSecret = {
  readonly named: string | undefined;
  readonly pointer: string;
  readonly fix: (named: string) => string;
};

/** Returns the secret of the console at its identity provider, from the variable that the file names; undefined where it names none. */
function readClientSecret(file: ReadSettings, env: Environment, problems: ConfigProblem[]): string | undefined {
  const secret: NamedSecret = {
    named: file.value.console_sign_in?.client_secret?.env,
    pointer: '/console_sign_in/client_secret/env',
    fix: (named) => `Set ${named} to the secret of the console at its identity provider, or leave "client_secret" out.`,
  };
  return readSecret(file, env, secret, problems);
}

/** Returns the key of the provider of brand data, from the variable that the file names. */
function readBrandKey(file: ReadSettings, env: Environment, problems: ConfigProblem[]): string | undefined {
  const secret: NamedSecret = {
    named: file.value.registry_service?.brand_data?.key?.env,
    pointer: '/registry_service/brand_data/key/env',
    fix: (named) => `Set ${named} to your key at the provider of brand data, or leave "key" out.`,
  };
  return readSecret(file, env, secret, problems);
}

/** Returns the token of the registry, from the variable that the file names, else from the usual one. */
function readToken(file: ReadSettings, env: Environment, problems: ConfigProblem[]): string | undefined {
  const secret: NamedSecret = {
    named: file.value.registry?.token?.env,
    pointer: '/registry/token/env',
    fix: (named) => `Set ${named} to the API key of the registry before starting the server, or leave "token" out.`,
  };
  return secret.named === undefined ? env[REGISTRY_TOKEN] || undefined : readSecret(file, env, secret, problems);
}

/** Returns a secret from the variable that the file names; one that is not set is a problem. */
function readSecret(
  { file, positionOf }: ReadSettings,
  env: Environment,
  { fix, named, pointer }: NamedSecret,
  problems: ConfigProblem[],
): string | undefined {
  if (named === undefined) return undefined;
  const secret = env[named] || undefined;
  if (secret === undefined) {
    const message = `the environment variable ${named} is not set`;
    problems.push({ file, ...positionOf(pointer), pointer, message, fix: fix(named) });
  }
  return secret;
}

/** What `rendering.ffmpeg` says where none is to be used. */
const FFMPEG_OFF = 'off';

/** Returns the path of ffmpeg: the given one, which has to be there, else the first on the search path. */
async function locateFfmpeg(
  given: string | undefined,
  { cwd, env }: SettingsSources,
  { file, positionOf }: ReadSettings,
  problems: ConfigProblem[],
): Promise<string | undefined> {
  if (given === FFMPEG_OFF) return undefined;
  const ffmpeg = await findFfmpeg(given === undefined ? undefined : resolve(cwd, given), env.PATH);
  if (given === undefined || ffmpeg !== undefined) return ffmpeg;
  const { pointer } = SETTINGS.ffmpeg;
  const message = `there is no program at ${given}`;
  const fix = `Set the path of ffmpeg, leave it out to have the one on PATH used, or write "${FFMPEG_OFF}".`;
  problems.push({ file, ...positionOf(pointer), pointer, message, fix });
  return undefined;
}

/**
 * Whether a server is for development: nobody but this machine can reach it. That is when bind address and base URL are loopback, no
 * other host is allowed, and no proxy is named that could bring in others.
 */
export function isDevelopment({
  host,
  baseUrl,
  allowedHosts,
  trustedProxies,
}: Pick<Settings, 'host' | 'baseUrl' | 'allowedHosts' | 'trustedProxies'>): boolean {
  const hosts = [host, new URL(baseUrl).hostname, ...allowedHosts];
  return hosts.every(isLoopbackHost) && trustedProxies.length === 0;
}

/** Whether a host can only be this machine: localhost, 127.0.0.0/8 or ::1, with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (bare === 'localhost') return true;
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return false;
  return ipaddr.process(bare).range() === 'loopback';
}

async function readSettingsFile(path: string, problems: ConfigProblem[]): Promise<ReadSettings> {
  const nothing = { value: {}, positionOf: () => ({ line: 0 }), file: path };
  if (!(await isThere(path))) return nothing;
  const json = await readJsonFile(path);
  if (json.tree === undefined) {
    problems.push(...json.problems);
    return nothing;
  }
  const { parsed, problems: found } = judgeJson(json, { schema: settingsSchema, publish: settingsJsonSchema });
  problems.push(...found);
  if (!parsed.success) return nothing;
  return { value: parsed.data, positionOf: (pointer) => positionOf(json, pointer.split('/').slice(1)), file: path };
}

function findText(
  { pointer, env: variable = '', flag, hostEnv }: Setting<unknown>,
  { value, file, positionOf }: ReadSettings,
  { flags, env }: SettingsSources,
): GivenText | undefined {
  const flagged = flag && flags[flag];
  if (flag !== undefined && flagged !== undefined)
    return { text: flagged, file: `flag --${kebab(flag)}`, line: 0, pointer: '' };
  const text = env[variable];
  if (text) return { text, file: `environment ${variable}`, line: 0, pointer: '' };
  const written = valueAt(value, pointer.split('/').slice(1));
  if (written !== undefined) return { text: String(written), file, ...positionOf(pointer), pointer };
  const hosted = hostEnv && env[hostEnv.name];
  if (hostEnv === undefined || !hosted || !hostEnv.isMeant(hosted)) return undefined;
  return { text: hosted, file: `environment ${hostEnv.name}`, line: 0, pointer: '' };
}

function explainSetting({ text: _text, ...source }: GivenText, error: ZodError): ConfigProblem {
  const [issue] = error.issues;
  const fix =
    issue?.code === 'custom' && typeof issue.params?.fix === 'string' ? issue.params.fix : 'Correct the value.';
  return { ...source, message: issue?.message ?? 'the value does not have the right form', fix };
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}

function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
