/**
 * A registry with many publishers, for the bench: seeds its data folder when that is empty, then serves it.
 *
 *   node test/bench/registry-target.mjs <port> <data folder> <publishers> <identifiers per publisher> <events> [authorizations]
 *
 * Writes `token.json` into the folder when it listens.
 */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { seedAuthorizations, seedRegistry } from './registry-data.mjs';

const dist = new URL('../../dist/', import.meta.url);
const { resolveSettings } = await import(new URL('seller/config/settings.js', dist));
const { createRegistryServer } = await import(new URL('registry/server/server.js', dist));
const { openServerStore } = await import(new URL('registry/server/store/server-store.js', dist));

const [port, dataDir, ...sizes] = process.argv.slice(2);
const [publishers, identifiers, events, authorizations = 0] = sizes.map(Number);
const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
const AT = '2026-01-01T00:00:00Z';

const file = path.join(dataDir, 'registry.db');
if (!existsSync(file)) {
  const store = openServerStore(file);
  await seedRegistry(store, { publishers, identifiers, events });
  await seedAuthorizations(store, authorizations);
  await store.close();
}
const settings = await resolveSettings({ flags: { port, data: dataDir }, env: {}, cwd: dataDir, packageRoot });
const registryService = { ...settings.registryService, limits: 'off', policy: { liveLookups: false } };
const server = await createRegistryServer({ settings: { ...settings, registryService } });
const organizations = await server.operate({ path: '/api/admin/organizations' });
if (organizations.organizations.length === 0) {
  await server.operate({ path: '/api/admin/organizations', body: { slug: 'bench', name: 'Bench' } });
}
const { token, org_id } = await server.operate({ path: '/api/admin/keys', body: { organization: 'bench' } });
// Saves are measured with the proof at hand.
await server.registry.store.transact(async (tx) => {
  for (let number = 0; number < 1000; number++) {
    await tx.ownership.put({
      org_id,
      domain: `s${number}.example`,
      nonce_hash: '',
      state: 'consumed',
      issued_at: AT,
      expires_at: AT,
      verified_at: new Date().toISOString(),
      method: 'dns',
    });
  }
});
await server.listen();
writeFileSync(path.join(dataDir, 'token.json'), JSON.stringify({ token }));
process.once('SIGTERM', () => server.close().then(() => process.exit(0)));
