import { systemIds } from '../../src/platform/kernel/ids.js';
import type { TimeSources } from '../../src/platform/kernel/steady-clock.js';
import type { TxtLookup } from '../../src/platform/net/dns.js';
import type { Role } from '../../src/registry/server/auth/caller.js';
import type { RegistryOptions } from '../../src/registry/server/open-registry.js';
import { createRegistryServer, type RegistryServer } from '../../src/registry/server/server.js';
import { resolveSettings, type Settings } from '../../src/seller/config/settings.js';
import { afterUse } from './after-use.js';
import { type HttpAnswer, send } from './http.js';
import { databaseOf } from './postgres.js';
import { expectFoldedFeed } from './registry-fold.js';
import {
  collectingLog,
  type LogLine,
  PROJECT,
  type TurnableClock,
  temporaryFolder,
  turnableClock,
} from './surroundings.js';

/** How a test wants its registry; everything has a default. */
export type RegistryBootOptions = {
  readonly dataDir?: string;
  /** The clocks of the machine, in place of the turnable clock. */
  readonly time?: TimeSources;
  /** What the clock says first. */
  readonly at?: string;
  /** The `registry_service` section; no limits and no live look-ups unless it says so. */
  readonly service?: Partial<Settings['registryService']>;
  readonly settings?: Partial<Settings>;
  /** TXT records by name; the map may be changed while the registry runs. */
  readonly txt?: ReadonlyMap<string, readonly string[]>;
  readonly resolve?: ReadonlyMap<string, string>;
  readonly enrich?: NonNullable<RegistryOptions['enrich']>;
  /** The registry that this one mirrors, and the clock of both. */
  readonly mirror?: RegistryOptions['mirror'];
  readonly clock?: TurnableClock;
  /** Whether the test writes records that no event tells; otherwise the feed has to come to the catalog in the end. */
  readonly isSeeded?: boolean;
};

/** A running registry and everything a test does with it. Every call goes over real HTTP. */
export type BootedRegistry = {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly clock: TurnableClock;
  readonly log: readonly LogLine[];
  readonly server: () => RegistryServer;
  readonly get: (path: string, token?: string) => Promise<HttpAnswer>;
  readonly post: (path: string, body: unknown, token?: string) => Promise<HttpAnswer>;
  readonly request: (method: string, path: string, options?: { token?: string; body?: unknown }) => Promise<HttpAnswer>;
  /** A new organization with a key of a role; made through the operator's door. */
  readonly member: (slug: string, role?: Role, tier?: 'basic' | 'api') => Promise<{ org_id: string; token: string }>;
  readonly close: () => Promise<void>;
};

/** Starts a real registry in this process on a port of the system's choice. It is closed after its use. */
export async function bootRegistry(options: RegistryBootOptions = {}): Promise<BootedRegistry> {
  const dataDir = options.dataDir ?? temporaryFolder('seller-registry-');
  const clock = options.clock ?? turnableClock(options.at);
  const log: LogLine[] = [];
  // A mirror is a file in its data folder.
  const isShared = process.env.TEST_ENGINE === 'postgres' && options.mirror === undefined;
  const store = isShared ? await databaseOf(dataDir, 'registry') : undefined;
  const flags = { port: '0', data: dataDir, ...(store === undefined ? {} : { store }) };
  const settings = await resolveSettings({ flags, env: {}, cwd: dataDir, packageRoot: PROJECT });
  const txt: TxtLookup = async (name) => options.txt?.get(name) ?? [];
  const server = await createRegistryServer({
    settings: {
      ...settings,
      registryService: {
        ...settings.registryService,
        limits: 'off',
        ...options.service,
        policy: { liveLookups: options.resolve !== undefined, ...options.service?.policy },
      },
      ...options.settings,
    },
    version: '0.0.0-test',
    ...(options.time === undefined ? { clock } : { time: options.time }),
    ids: systemIds,
    mirror: options.mirror,
    log: collectingLog(log),
    txt,
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
    ...(options.enrich === undefined ? {} : { enrich: options.enrich }),
  });
  const baseUrl = await server.listen();
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    try {
      if (options.isSeeded !== true) await expectFoldedFeed(server.registry.store);
    } finally {
      await server.close();
    }
  };
  afterUse(close);

  const request: BootedRegistry['request'] = (method, path, { token, body } = {}) =>
    send(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: token === undefined ? undefined : `Bearer ${token}`,
        'content-type': body === undefined ? undefined : 'application/json',
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

  return {
    baseUrl,
    dataDir,
    clock,
    log,
    server: () => server,
    request,
    get: (path, token) => request('GET', path, token === undefined ? {} : { token }),
    post: (path, body, token) => request('POST', path, { body, ...(token === undefined ? {} : { token }) }),
    member: async (slug, role = 'member', tier = 'api') => {
      const organization = await server.operate({
        path: '/api/admin/organizations',
        body: { slug, name: `${slug} GmbH`, tier },
      });
      const { org_id } = organization as { org_id: string };
      const key = await server.operate({ path: '/api/admin/keys', body: { organization: slug, role } });
      return { org_id, token: (key as { token: string }).token };
    },
    close,
  };
}
