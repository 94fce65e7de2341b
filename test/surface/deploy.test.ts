import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '../../src/commands/index.js';
import { HEALTH_PATHS } from '../../src/platform/web/origin.js';
import { resolveSettings } from '../../src/seller/config/settings.js';
import { PROJECT } from '../kit/surroundings.js';

type Service = {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, unknown>>;
};

type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: {
    readonly default: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } };
  };
};

const FOLDER = path.join(PROJECT, 'deploy');
const TEXT = readFileSync(path.join(FOLDER, 'compose.yaml'), 'utf8');
const COMPOSE = parse(TEXT, { merge: true }) as Compose;
const CADDYFILE = readFileSync(path.join(FOLDER, 'Caddyfile'), 'utf8');
const DOCS = readFileSync(path.join(PROJECT, 'docs/operations.md'), 'utf8');
const SELLERS = Object.entries(COMPOSE.services).filter(([name]) => name.startsWith('seller-'));

/** Variables that whoever starts it has to set, and what a test sets them to. */
const GIVEN: Readonly<Record<string, string>> = {
  SELLER_HOST: 'seller.example',
  SELLER_TENANTS: '../tenants',
  POSTGRES_PASSWORD: 'secret',
  SELLER_AGENT_MASTER_KEY: Buffer.alloc(32).toString('base64'),
};

const filled = (text: string): string => text.replace(/\$\{(\w+):\?\}/g, (_all, name: string) => GIVEN[name] ?? '');

function envOf({ environment = {} }: Service): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]));
}

const UPSTREAMS = envOf(COMPOSE.services.caddy as Service).SELLERS ?? '';

describe('deploy/compose.yaml', () => {
  it('has two sellers that differ in their data folder alone', () => {
    expect(SELLERS.map(([name]) => name)).toEqual(['seller-1', 'seller-2']);
    const [one, two] = SELLERS.map(([name, { volumes = [], ...rest }]) => ({
      ...rest,
      volumes: volumes.map((volume) => volume.replace(name, 'seller-N')),
    }));
    expect(one).toEqual(two);
  });

  it.each(SELLERS)('%s starts with settings that serve takes, none of them unknown', async (_name, service) => {
    const { command = [] } = service;
    const serve = COMMANDS.find(({ usage }) => usage === command[0]);
    const options = (serve?.options ?? []).map(([flag]) => flag.split(' ')[0]);
    const flags = command.slice(1).filter((word) => word.startsWith('--'));
    expect(options).toEqual(expect.arrayContaining(flags));
    const env = envOf(service);
    const known = readFileSync(path.join(PROJECT, 'src/seller/config/settings.ts'), 'utf8');
    for (const name of Object.keys(env))
      if (name !== 'SELLER_AGENT_MASTER_KEY') expect(known, name).toContain(`env: '${name}'`);
    const settings = await resolveSettings({
      flags: { tenants: path.join(PROJECT, 'tenants'), data: command.at(-1) },
      env,
      cwd: FOLDER,
      packageRoot: PROJECT,
    });
    expect(settings).toMatchObject({
      host: '0.0.0.0',
      store: 'postgres://seller:secret@postgres/seller',
      baseUrl: 'https://seller.example',
      development: false,
      trustedProxies: COMPOSE.networks.default.ipam.config.map(({ subnet }) => subnet),
    });
    const [, upstream] = new RegExp(`${_name}:(\\d+)`).exec(UPSTREAMS) ?? [];
    expect(Number(upstream)).toBe(settings.port);
    expect(service.healthcheck?.test.join(' ')).toContain(`127.0.0.1:${settings.port}/readyz`);
  });

  it('names the database as its server is told to make it', () => {
    const { POSTGRES_DB, POSTGRES_PASSWORD, POSTGRES_USER } = envOf(COMPOSE.services.postgres as Service);
    for (const [, service] of SELLERS) {
      expect(envOf(service).SELLER_AGENT_STORE).toBe(
        `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres/${POSTGRES_DB}`,
      );
      expect(Object.keys(service.depends_on ?? {})).toEqual(['postgres']);
    }
  });

  it('mounts files and folders that are there, into where the commands look', () => {
    for (const [name, { volumes = [], command = [] }] of Object.entries(COMPOSE.services)) {
      const mounted = volumes.map(filled);
      for (const volume of mounted) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('.')) expect(existsSync(path.join(FOLDER, source)), source).toBe(true);
        else expect(Object.keys(COMPOSE.volumes)).toContain(source);
      }
      const targets = mounted.map((volume) => volume.split(':')[1]);
      if (name.startsWith('seller-')) expect(targets).toEqual([command[2], command[4]]);
    }
  });

  it('builds of files that are there, and starts what the package runs', () => {
    const { bin, engines, scripts } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8'));
    for (const [, { build }] of SELLERS) {
      const file = readFileSync(path.join(FOLDER, build?.context ?? '', build?.dockerfile ?? ''), 'utf8');
      expect(path.join(FOLDER, build?.context ?? '')).toBe(`${PROJECT}/`.replace(/\/+$/, ''));
      const copied = [...file.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
      for (const name of copied) expect(existsSync(path.join(PROJECT, name)), name).toBe(true);
      expect(file).toContain(`ENTRYPOINT ["node", "${bin['seller-agent']}"]`);
      expect(Object.keys(scripts)).toContain('build');
      const [, major] = /FROM node:(\d+)/.exec(file) ?? [];
      expect(Number(major)).toBeGreaterThan(Number(/\d+/.exec(engines.node)?.[0]));
    }
  });

  it('is led to by a proxy that knows both sellers and asks for their health', () => {
    expect(CADDYFILE).toContain('reverse_proxy {$SELLERS:127.0.0.1:3000} {');
    expect(UPSTREAMS.split(' ').map((one) => one.split(':')[0])).toEqual(SELLERS.map(([name]) => name));
    const [, health = ''] = /health_uri (\S+)/.exec(CADDYFILE) ?? [];
    expect(HEALTH_PATHS.has(health)).toBe(true);
    const { environment = {}, volumes = [] } = COMPOSE.services.caddy as Service;
    for (const [, name = ''] of CADDYFILE.matchAll(/\{\$(\w+)/g)) expect(Object.keys(environment)).toContain(name);
    expect(volumes[0]).toMatch(/^\.\/Caddyfile:/);
  });

  it('asks for variables that docs/operations.md names', () => {
    const asked = new Set([...TEXT.matchAll(/\$\{(\w+)[^}]*\}/g)].map(([, name = '']) => name));
    expect([...asked].toSorted()).toEqual(Object.keys(GIVEN).toSorted());
    for (const name of [...asked, ...SELLERS.flatMap(([, { environment = {} }]) => Object.keys(environment))])
      expect(DOCS, name).toContain(`\`${name}\``);
  });
});
