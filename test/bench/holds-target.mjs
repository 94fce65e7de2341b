/**
 * A registry whose event loop is watched, for the row holds: seeds its data folder when that is empty, then serves it.
 *
 *   node test/bench/holds-target.mjs <data folder> <sizes and hosts as JSON>
 *
 * Says over IPC where it listens; answers `begin`, and then `end` with the longest hold since, in milliseconds.
 */
import { existsSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { seedAgents, seedHeavyBrands, seedHuge, seedRegistry } from './registry-data.mjs';

const dist = new URL('../../dist/', import.meta.url);
const { resolveSettings } = await import(new URL('seller/config/settings.js', dist));
const { createRegistryServer } = await import(new URL('registry/server/server.js', dist));
const { openRegistryStore } = await import(new URL('registry/store/registry-store.js', dist));

const [dataDir, given] = process.argv.slice(2);
const { sizes, hosts } = JSON.parse(given);
const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

const file = path.join(dataDir, 'registry.db');
if (!existsSync(file)) {
  const store = openRegistryStore(file);
  await seedRegistry(store, sizes);
  await seedAgents(store, sizes.agents);
  await seedHuge(store, sizes);
  await seedHeavyBrands(store, sizes.heavyBrands, sizes.brandBytes);
  await store.close();
}
// Development, for only there may hosts stand for a loopback origin.
const flags = { port: 0, data: dataDir, dev: true };
const settings = await resolveSettings({ flags, env: {}, cwd: dataDir, packageRoot });
const registryService = { ...settings.registryService, limits: 'off' };
const server = await createRegistryServer({
  settings: { ...settings, development: true, registryService },
  resolve: new Map(Object.entries(hosts)),
});
const origin = await server.listen();

/** What the process loads by itself after its start is no request's doing. */
const STARTS_MS = 4000;
const SETTLES_MS = 10;

/** Milliseconds that this thread would have run and others had the cores: what else the machine does is no hold. */
const scheduled = openSync(`/proc/self/task/${process.pid}/schedstat`);
const text = Buffer.alloc(100);
function waitedMs() {
  const length = readSync(scheduled, text, 0, text.length, 0);
  return Number(text.toString('latin1', 0, length).split(' ')[1]) / 1e6;
}

/** The longest time between two timers that should follow each other at once. */
let holdMs = 0;
let last = { at: performance.now(), waited: waitedMs() };
setInterval(() => {
  const now = { at: performance.now(), waited: waitedMs() };
  holdMs = Math.max(holdMs, now.at - last.at - (now.waited - last.waited));
  last = now;
}, 1);

process.on('message', (word) => {
  // What starting or the question before left behind is no hold of the next one; and after a hold the timer comes first.
  setTimeout(() => {
    process.send({ holdMs });
    if (word === 'begin') holdMs = 0;
  }, SETTLES_MS);
});
process.once('SIGTERM', () => server.close().then(() => process.exit(0)));
setTimeout(() => process.send({ origin }), STARTS_MS);
