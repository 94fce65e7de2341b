/**
 * A registry with many publishers, for the bench: seeds its data folder when that is empty, then serves it.
 *
 *   node test/bench/registry-target.mjs <port> <data folder> <publishers> <identifiers per publisher> <events>
 *
 * Writes `token.json` into the folder when it listens.
 */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = new URL('../../dist/', import.meta.url);
const { resolveSettings } = await import(new URL('config/settings.js', dist));
const { createRegistryServer } = await import(new URL('registry-server.js', dist));
const { uuidAfter } = await import(new URL('kernel/ids.js', dist));
const { openRegistryStore } = await import(new URL('store/registry/registry-store.js', dist));

const [port, dataDir, publishers, identifiers, events] = process.argv.slice(2);
const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
const AT = '2026-01-01T00:00:00Z';
const CHUNK = 500;

/** A brand, a publisher with properties of ten identifiers each, and one row that authorises an agent for all of them. */
async function seedPublisher(tx, number) {
  const domain = `d${number}.example`;
  const agent = `https://agent${number % 100}.example/mcp`;
  await tx.brand.put({
    domain,
    canonical_id: domain,
    canonical_domain: domain,
    brand_name: `Brand ${number}`,
    source: 'community',
    brand_manifest: { name: `Brand ${number}`, colors: [{ hex: '#123456', type: 'primary' }] },
  });
  await tx.publisher.put({
    domain,
    standing: 'open',
    adagents_valid: true,
    property_count: identifiers / 10,
    agent_count: 1,
  });
  for (let at = 0; at < identifiers; at += 10) {
    await tx.property.put({
      property_rid: `${domain}#${at}`,
      publisher_domain: domain,
      property_id: `p${at}`,
      property_type: 'mobile_app',
      name: `App ${at} of ${domain}`,
      classification: 'property',
      source: 'authoritative',
      identifiers: Array.from({ length: 10 }, (_, one) => ({
        type: 'bundle_id',
        value: `com.d${number}.app${at + one}`,
      })),
      tags: ['apps'],
      status: 'active',
    });
  }
  await tx.authorization.put({
    id: `a${number}`,
    agent_url: agent,
    agent_url_canonical: agent,
    publisher_domain: domain,
    authorization_type: 'publisher_properties',
    authorized_for: 'everything',
    property_rid: null,
    property_id_slug: null,
    evidence: 'adagents_json',
    disputed: false,
    created_by: null,
    expires_at: null,
    created_at: AT,
    updated_at: AT,
  });
}

async function seed(store) {
  for (let from = 0; from < publishers; from += CHUNK) {
    await store.transact(async (tx) => {
      for (let number = from; number < Math.min(publishers, from + CHUNK); number++) await seedPublisher(tx, number);
    });
  }
  let last;
  for (let from = 0; from < events; from += CHUNK) {
    const page = Array.from({ length: Math.min(CHUNK, events - from) }, (_, index) => {
      last = uuidAfter(last, Date.now());
      const payload = {
        property_rid: `r${from + index}`,
        publisher_domain: 'd1.example',
        name: 'App',
        changed_fields: ['name'],
      };
      return {
        event_id: last,
        event_type: 'property.updated',
        entity_type: 'property',
        entity_id: payload.property_rid,
        payload,
        actor: 'pipeline:crawler',
        created_at: new Date().toISOString(),
      };
    });
    await store.transact((tx) => tx.events.append(page));
  }
}

const file = path.join(dataDir, 'registry.db');
if (!existsSync(file)) {
  const store = openRegistryStore(file);
  await seed(store);
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
