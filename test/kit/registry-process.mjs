/**
 * A registry that is killed: it serves on a port of the system's choice, crawls what it is asked to, and is killed by the test that
 * started it. What it is given beside its data folder: the domains that stand for a loopback origin.
 *
 * With SELLER_AGENT_STORE in the environment it is one of several on that database, with SELLER_AGENT_PORT it has that port.
 *
 * node registry-process.mjs <data folder> <loopback origin> <domain> …
 */
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRegistryServer } from '../../dist/registry/server/server.js';
import { resolveSettings } from '../../dist/seller/config/settings.js';

const [dataDir, origin, ...domains] = process.argv.slice(2);
const { SELLER_AGENT_PORT: port = '0', SELLER_AGENT_STORE: store } = process.env;
const env = store === undefined ? {} : { SELLER_AGENT_STORE: store };
const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
const settings = await resolveSettings({ flags: { port, data: dataDir }, env, cwd: dataDir, packageRoot });
const server = await createRegistryServer({
  settings: {
    ...settings,
    registryService: {
      ...settings.registryService,
      limits: 'off',
      policy: { ownership: 'off', lookAlikes: 'off', liveLookups: false },
    },
  },
  resolve: new Map(domains.map((domain) => [domain, origin])),
});
const baseUrl = await server.listen();
const organizations = await server
  .operate({ path: '/api/admin/organizations', body: { slug: 'acme', name: 'Acme' } })
  .then(
    () => 'new',
    () => 'known',
  );
const key = await server.operate({ path: '/api/admin/keys', body: { organization: 'acme' } });
writeSync(1, `serving ${baseUrl} ${key.token} ${organizations}\n`);
