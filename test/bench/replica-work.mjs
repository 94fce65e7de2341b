/**
 * Measures the start of a registry on PostgreSQL that has so many properties and as many rows that authorize: without a copy of the records
 * in the data folder, and with the one that it left there.
 *
 * node replica-work.mjs <url> <properties> <folder>
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createLog } from '../../dist/platform/kernel/log.js';
import { openRegistryIndex } from '../../dist/registry/mirror/lookup/registry-index.js';
import { openSharedServerStore } from '../../dist/registry/server/store/server-store.js';
import { domainOf, propertyOf, rowOf } from './snapshot-data.mjs';

const [url, count, folder] = process.argv.slice(2);
const PROPERTIES = Number(count);
const ROWS_PER_TRANSACTION = 1000;
const options = { file: path.join(folder, 'replica.db'), processId: 'bench', log: createLog('warn') };

async function start() {
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  const store = await openSharedServerStore(url, options);
  await openRegistryIndex(store);
  const { system, user } = process.cpuUsage(cpu);
  return { store, ms: performance.now() - from, cpuMs: (system + user) / 1000 };
}

const filled = await start();
for (let at = 0; at < PROPERTIES; at += ROWS_PER_TRANSACTION) {
  await filled.store.transact(async (tx) => {
    for (let number = at; number < Math.min(PROPERTIES, at + ROWS_PER_TRANSACTION); number++) {
      if (number % 100 === 0)
        await tx.publisher.put({ domain: domainOf(number / 100), standing: 'open', adagents_valid: true });
      await tx.property.put(propertyOf(number));
      await tx.authorization.put(rowOf(number));
    }
  });
}
await filled.store.close();
const again = await start();
await again.store.close();
for (const end of ['', '-wal', '-shm']) rmSync(`${options.file}${end}`, { force: true });
const anew = await start();
const { properties } = anew.store.lookups.stats();
await anew.store.close();
const shown = ({ cpuMs, ms }) => ({ ms: Math.round(ms), cpuMs: Math.round(cpuMs) });
console.log(JSON.stringify({ properties, again: shown(again), anew: shown(anew) }));
