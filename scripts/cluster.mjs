/**
 * npm run cluster: PostgreSQL, two sellers and a proxy before them, on this machine and with nothing installed. A seller that ends is
 * started again. Everything is thrown away at the end.
 *
 *   node scripts/cluster.mjs [--port 3000] [--sellers 2] [--store postgres://…]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from './cluster/postgres.mjs';
import { startSellers } from './cluster/sellers.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    sellers: { type: 'string', default: '2' },
    store: { type: 'string' },
  },
});
const folder = mkdtempSync(path.join(tmpdir(), 'seller-agent-cluster-'));
const stopped = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    // The package of the database would end it, and this process, before the sellers have drained.
    process.removeAllListeners(signal);
    process.once(signal, resolve);
  }
});
let isStopping = false;

const postgres = values.store === undefined ? await startPostgres() : undefined;
const store = values.store ?? `${postgres?.url}`;
const sellers = await startSellers({
  store,
  folder,
  processes: Number(values.sellers),
  port: Number(values.port),
});
console.log(
  [
    `${sellers.baseUrl} gives each call to the next of ${values.sellers} sellers:`,
    '',
    `  ${sellers.baseUrl}/sales/mcp   token sandbox-token   account acct_sandbox`,
    `  database  ${postgres?.url ?? new URL(store).host}`,
    ...sellers.processes.map(({ url, child }) => `  seller    ${url}   process ${child().pid}`),
    '',
    'End one of the processes, and the others go on.',
  ].join('\n'),
);
for (const seller of sellers.processes) supervise(seller);
await stopped;
isStopping = true;
await sellers.close();
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });

/** Starts a seller again whenever it ends. */
function supervise(seller) {
  seller.child().once('exit', async () => {
    if (isStopping) return;
    await seller.start();
    console.log(`  seller    ${seller.url}   process ${seller.child().pid}, started again`);
    supervise(seller);
  });
}
