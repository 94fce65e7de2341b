/**
 * A registry whose event loop is watched, for the row holds: seeds its data folder when that is empty, then serves it.
 *
 *   node test/bench/holds-target.mjs <data folder> <sizes and hosts as JSON>
 *
 * Says over IPC where it listens; answers `begin`, and then `end` with the longest hold since, in milliseconds.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveHolds } from './hold-watch.mjs';
import { seedAgents, seedHeavyBrands, seedHuge, seedRegistry } from './registry-data.mjs';

const dist = new URL('../../dist/', import.meta.url);
const { resolveSettings } = await import(new URL('seller/config/settings.js', dist));
const { createRegistryServer } = await import(new URL('registry/server/server.js', dist));
const { openServerStore } = await import(new URL('registry/server/store/server-store.js', dist));

const [dataDir, given] = process.argv.slice(2);
const { sizes, hosts } = JSON.parse(given);
const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

const file = path.join(dataDir, 'registry.db');
if (!existsSync(file)) {
  const store = openServerStore(file);
  await seedRegistry(store, sizes);
  await seedAgents(store, sizes.agents);
  await seedHuge(store, sizes);
  await seedHeavyBrands(store, sizes.heavyBrands, sizes.brandBytes);
  await store.close();
}
// Development, for only there may hosts stand for a loopback origin.
const flags = { port: '0', data: dataDir, dev: true };
const settings = await resolveSettings({ flags, env: {}, cwd: dataDir, packageRoot });
const registryService = { ...settings.registryService, limits: 'off' };
const server = await createRegistryServer({
  settings: { ...settings, development: true, registryService },
  resolve: new Map(Object.entries(hosts)),
});
serveHolds(server, await server.listen());
