/**
 * A process that is killed while it migrates a database: node migrating-process.mjs <file or URL> <rows>. With `first` in place of rows it
 * stops after the first migration, as the version before did.
 */
import { createLog } from '../../dist/platform/kernel/log.js';
import { migrationsOf } from './migrations.mjs';

const [store = '', rows = ''] = process.argv.slice(2);
const migrations = rows === 'first' ? migrationsOf(1).slice(0, 1) : migrationsOf(Number(rows));
const open = store.startsWith('postgres:')
  ? async () => (await import('../../dist/platform/database/postgres/postgres.js')).openPostgres
  : async () => (await import('../../dist/platform/database/sqlite/sqlite.js')).openSqlite;
const engine = await (await open())(store, { migrations, log: createLog('silent') });
await engine.close();
console.log('open');
