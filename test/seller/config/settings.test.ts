import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/platform/kernel/errors.js';
import { isLoopbackHost, resolveSettings, type SettingsFlags } from '../../../src/seller/config/settings.js';
import { periodsOf } from '../../../src/seller/domain/retention/periods.js';
import { quotasOf } from '../../../src/seller/domain/retention/quotas.js';
import { folderWith } from './fixture.js';

type Given = {
  readonly file?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: SettingsFlags;
};

async function settle({ file, env = {}, flags = {} }: Given) {
  const cwd = await folderWith(file === undefined ? {} : { 'seller-agent.json': file });
  return { cwd, settings: await resolveSettings({ flags, env, cwd, packageRoot: '/package' }) };
}

async function problemsOf(given: Given) {
  const error = await settle(given).catch((cause: unknown) => cause);
  if (!(error instanceof ConfigError)) throw new Error('nothing was refused');
  return error.problems;
}

describe('settings', () => {
  test('without anything: the shipped tenants on loopback, in development mode', async () => {
    const { cwd, settings } = await settle({});
    expect(settings).toEqual({
      port: 3000,
      host: '127.0.0.1',
      adminPort: 0,
      baseUrl: 'http://127.0.0.1:3000',
      tenantsDir: '/package/tenants',
      hasExampleTenants: true,
      dataDir: join(cwd, 'data'),
      store: undefined,
      protocolName: 'adcp',
      protocolPreview: false,
      development: true,
      operator: { domain: '127.0.0.1', name: undefined },
      webhookKey: 'by_release',
      registry: undefined,
      registryService: { identityProvider: undefined, limits: {}, policy: {}, protectedNames: [] },
      allowedHosts: [],
      corsOrigins: [],
      trustedProxies: [],
      quotas: quotasOf(),
      clockJumps: 'hold',
      fontsDir: undefined,
      previewMs: 86_400_000,
      previewHosts: [],
      leaseMs: 30_000,
      retention: periodsOf(),
      maxBodyBytes: 4_194_304,
      connections: { total: 2048, perAddress: 256 },
    });
  });

  test('a tenants folder in the working directory goes before the shipped one', async () => {
    const cwd = await folderWith({ 'tenants/sales.json': {} });
    const settings = await resolveSettings({ flags: {}, env: {}, cwd, packageRoot: '/package' });
    expect(settings).toMatchObject({ tenantsDir: join(cwd, 'tenants'), hasExampleTenants: false });
  });

  test('the environment overrides the file, flags override both, each setting for itself', async () => {
    const { cwd, settings } = await settle({
      file: {
        port: 1111,
        host: 'localhost',
        tenants: 'file-tenants',
        data: 'file-data',
        protocol: { name: 'fileproto' },
        allowed_hosts: ['a.example', 'b.example'],
        cors_origins: ['https://app.example', 'any'],
        trusted_proxies: ['10.0.0.0/8', '2001:db8::7'],
        max_body_bytes: 2048,
      },
      env: {
        SELLER_AGENT_PORT: '2222',
        SELLER_AGENT_TENANTS: 'env-tenants',
        SELLER_AGENT_DATA: '',
        SELLER_AGENT_PROTOCOL_NAME: 'envproto',
      },
      flags: { port: '3333', protocolName: 'flagproto' },
    });
    expect(settings).toMatchObject({
      port: 3333,
      host: 'localhost',
      baseUrl: 'http://localhost:3333',
      tenantsDir: join(cwd, 'env-tenants'),
      dataDir: join(cwd, 'file-data'),
      protocolName: 'flagproto',
      allowedHosts: ['a.example', 'b.example'],
      corsOrigins: ['https://app.example', 'any'],
      trustedProxies: ['10.0.0.0/8', '2001:db8::7'],
      maxBodyBytes: 2048,
    });
  });

  test.each<[string, Given, string | undefined]>([
    ['is the store', {}, 'postgres://h/d'],
    ['is not where the environment names a store', { env: { SELLER_AGENT_STORE: 'postgres://e/d' } }, 'postgres://e/d'],
    ['is not where the file names a store', { file: { store: 'postgres://f/d' } }, 'postgres://f/d'],
    ['is not where a flag names a store', { flags: { store: 'postgres://g/d' } }, 'postgres://g/d'],
    ['of another program is none', { env: { DATABASE_URL: 'mysql://h/d' } }, undefined],
  ])('DATABASE_URL %s', async (_what, given, store) => {
    const { settings } = await settle({ ...given, env: { DATABASE_URL: 'postgres://h/d', ...given.env } });
    expect(settings.store).toBe(store);
  });

  test.each<[string, Given, object]>([
    [
      'base URL without its slash',
      { flags: { baseUrl: 'https://Ads.example/' } },
      { baseUrl: 'https://ads.example', development: false },
    ],
    ['any address', { flags: { host: '0.0.0.0' } }, { baseUrl: 'http://127.0.0.1:3000', development: false }],
    ['any IPv6 address', { flags: { host: '::' } }, { baseUrl: 'http://[::1]:3000', development: false }],
    ['IPv6 loopback', { flags: { host: '::1' } }, { host: '::1', baseUrl: 'http://[::1]:3000', development: true }],
    ['IPv6 in brackets', { flags: { host: '[::1]' } }, { host: '::1', development: true }],
    [
      'public base URL on a loopback bind',
      { flags: { baseUrl: 'https://ads.example' } },
      { host: '127.0.0.1', development: false },
    ],
    [
      'loopback base URL on a public bind',
      { flags: { host: '10.0.0.7', baseUrl: 'http://localhost:3000' } },
      { development: false },
    ],
    [
      'another host that is allowed on a loopback bind',
      { env: { SELLER_AGENT_ALLOWED_HOSTS: 'ads.example' } },
      { host: '127.0.0.1', baseUrl: 'http://127.0.0.1:3000', development: false },
    ],
    ['every host on a loopback bind', { env: { SELLER_AGENT_ALLOWED_HOSTS: 'any' } }, { development: false }],
    ['localhost beside 127.0.0.1', { env: { SELLER_AGENT_ALLOWED_HOSTS: 'localhost' } }, { development: true }],
    [
      'a proxy before a loopback bind',
      { env: { SELLER_AGENT_TRUSTED_PROXIES: '127.0.0.1' } },
      { host: '127.0.0.1', development: false },
    ],
    ['a port that the system chooses', { flags: { port: '0' } }, { port: 0, baseUrl: 'http://127.0.0.1:0' }],
    [
      'hosts from the environment',
      { env: { SELLER_AGENT_ALLOWED_HOSTS: 'A.example, *.b.example, 10.0.0.7, [::1], any,' } },
      { allowedHosts: ['a.example', '*.b.example', '10.0.0.7', '[::1]', 'any'] },
    ],
    [
      'the operator by the base URL',
      { flags: { baseUrl: 'https://ads.example/agents' } },
      { operator: { domain: 'ads.example', name: undefined } },
    ],
    [
      'the operator and the key for webhooks from the file',
      { file: { operator: { domain: 'seller.example', name: ' The Seller ' }, webhook_key: 'webhook-signing' } },
      { operator: { domain: 'seller.example', name: 'The Seller' }, webhookKey: 'webhook-signing' },
    ],
    [
      'the operator and the key for webhooks from the environment',
      {
        file: { operator: { domain: 'seller.example' }, webhook_key: 'webhook-signing' },
        env: { SELLER_AGENT_OPERATOR_NAME: 'Env', SELLER_AGENT_WEBHOOK_KEY: 'request-signing' },
      },
      { operator: { domain: 'seller.example', name: 'Env' }, webhookKey: 'request-signing' },
    ],
    [
      'a registry with its usual values',
      { file: { registry: { url: 'https://registry.example/' } } },
      {
        registry: { url: 'https://registry.example', token: undefined, maxStalenessMs: 3_600_000, policy: 'refuse' },
      },
    ],
    [
      'a registry whose token stands in a variable of its own',
      {
        file: {
          registry: {
            url: 'http://10.0.0.5:8080',
            token: { env: 'OUR_KEY' },
            max_staleness_seconds: 60,
            policy: 'warn',
          },
        },
        env: { OUR_KEY: 'sk_1', SELLER_AGENT_REGISTRY_TOKEN: 'sk_2' },
      },
      { registry: { url: 'http://10.0.0.5:8080', token: 'sk_1', maxStalenessMs: 60_000, policy: 'warn' } },
    ],
    [
      'a registry from the environment',
      { env: { SELLER_AGENT_REGISTRY_URL: 'https://r.example', SELLER_AGENT_REGISTRY_TOKEN: 'sk_2' } },
      { registry: { url: 'https://r.example', token: 'sk_2' } },
    ],
  ])('%s', async (_what, given, expected) => {
    expect((await settle(given)).settings).toMatchObject(expected);
  });

  test.each(['sqlite:mine/agent.db', 'mine/agent.db'])('%s is a file in the working directory', async (store) => {
    const { cwd, settings } = await settle({ flags: { store } });
    expect(settings.store).toBe(join(cwd, 'mine', 'agent.db'));
  });
});

describe('broken settings', () => {
  test.each<[string, Given, object]>([
    ['port that is no number', { flags: { port: 'http' } }, { file: 'flag --port', line: 0 }],
    ['port too high', { env: { SELLER_AGENT_PORT: '70000' } }, { file: 'environment SELLER_AGENT_PORT' }],
    ['base URL without scheme', { flags: { baseUrl: 'ads.example' } }, { file: 'flag --base-url' }],
    ['base URL with a query', { flags: { baseUrl: 'https://ads.example/?a=b' } }, { file: 'flag --base-url' }],
    ['host with a scheme', { flags: { host: 'http://x' } }, { file: 'flag --host' }],
    [
      'protocol name in capitals',
      { env: { SELLER_AGENT_PROTOCOL_NAME: 'ADCP' } },
      { file: 'environment SELLER_AGENT_PROTOCOL_NAME' },
    ],
    [
      'no URL of a database',
      { flags: { store: 'postgres://h:x/db' } },
      { message: expect.stringContaining('URL of a database') },
    ],
    ['another store', { flags: { store: 'redis://h' } }, { message: expect.stringContaining('not a store') }],
    [
      'unknown key',
      { file: '{\n  "port": 1,\n  "prot": 2\n}' },
      { line: 3, pointer: '/prot', fix: expect.stringContaining('"port"') },
    ],
    ['wrong type', { file: '{\n  "port": "1"\n}' }, { line: 2, pointer: '/port' }],
    [
      'bad value in the file',
      { file: '{\n  "host": "h",\n  "protocol": {\n    "name": "x"\n  }\n}' },
      { line: 4, pointer: '/protocol/name' },
    ],
    [
      'a domain with a scheme',
      { file: { operator: { domain: 'https://a.example' } } },
      { pointer: '/operator/domain' },
    ],
    ['a name of spaces', { file: { operator: { name: ' ' } } }, { pointer: '/operator/name' }],
    [
      'a purpose that no key has',
      { env: { SELLER_AGENT_WEBHOOK_KEY: 'webhooks' } },
      { file: 'environment SELLER_AGENT_WEBHOOK_KEY', fix: expect.stringContaining('"webhook-signing"') },
    ],
    ['a registry without scheme', { file: { registry: { url: 'registry.example' } } }, { pointer: '/registry/url' }],
    [
      'a token in a variable that is not set',
      { file: { registry: { url: 'https://r.example', token: { env: 'OUR_KEY' } } } },
      { pointer: '/registry/token/env', fix: expect.stringContaining('OUR_KEY') },
    ],
    ['a policy that is none', { file: { registry: { policy: 'drop' } } }, { pointer: '/registry/policy' }],
    [
      'a copy that may hardly age',
      { file: { registry: { max_staleness_seconds: 1 } } },
      { pointer: '/registry/max_staleness_seconds' },
    ],
    ...['*', '*.', 'a.*.example', 'https://ads.example', 'ads.example:8080', 'ads.example/'].map(
      (host): [string, Given, object] => [
        `${host} as a host that is allowed`,
        { env: { SELLER_AGENT_ALLOWED_HOSTS: `ok.example,${host}` } },
        { message: expect.stringContaining(`"${host}"`), fix: expect.stringContaining('"any"') },
      ],
    ),
    ['no JSON', { file: '{ "port": }' }, { line: 1, message: expect.stringContaining('not valid JSON') }],
  ])('%s', async (_what, given, expected) => {
    const problems = await problemsOf(given);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject(expected);
    expect(problems[0]?.fix).toMatch(/\.$/);
  });

  test('all of them at once', async () => {
    const given = {
      flags: { port: 'x', baseUrl: 'y' },
      env: { SELLER_AGENT_STORE: 'mysql://z' },
      file: { max_body_bytes: 1 },
    };
    expect(await problemsOf(given)).toHaveLength(4);
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.200.3.4', true],
  ['localhost', true],
  ['LOCALHOST', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['128.0.0.1', false],
  ['127.0.0.1.example', false],
  ['localhost.example', false],
  ['10.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['', false],
])('isLoopbackHost(%j) is %j', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});
