/**
 * A seller whose event loop is watched, for the row holds.
 *
 *   node test/bench/holds-seller-target.mjs <data folder>
 *
 * Serves the shipped tenants; says where and how long the loop was held as `hold-watch.mjs` does.
 */
import { fileURLToPath } from 'node:url';
import { serveHolds } from './hold-watch.mjs';

const dist = new URL('../../dist/', import.meta.url);
const { resolveSettings } = await import(new URL('seller/config/settings.js', dist));
const { createServer } = await import(new URL('seller/server.js', dist));

const [dataDir] = process.argv.slice(2);
const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
const settings = await resolveSettings({ flags: { port: '0', data: dataDir }, env: {}, cwd: dataDir, packageRoot });
const server = await createServer({ settings, env: {} });
serveHolds(server, await server.listen());
