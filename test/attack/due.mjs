/** Much that is due at once, and tenants that are edited again and again. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { goodOrder } from './connections.mjs';

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;

/** Opens the database of a server, runs `use(database)`, and closes it. */
function withDatabase({ dataDir }, use) {
  const database = new Libsql(path.join(dataDir, 'seller-agent.db'), { timeout: 5000 });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** Inserts copies of a row, `count` of them, each with what `bend` makes of it. */
function copyRow(database, table, row, count, bend) {
  const names = Object.keys(row).filter((name) => name !== 'seq' && name !== '_metadata');
  const quoted = names.map((name) => `"${name}"`).join(', ');
  const insert = database.prepare(`INSERT INTO ${table} (${quoted}) VALUES (${names.map(() => '?').join(', ')})`);
  database.exec('BEGIN');
  for (let at = 0; at < count; at += 1) {
    const bent = bend(row, at);
    insert.run(names.map((name) => bent[name]));
  }
  database.exec('COMMIT');
}

const countRows = (target, sql) =>
  withDatabase(target, (database) => database.prepare(`SELECT count(*) AS count FROM ${sql}`).get().count);

/** Waits until `count()` is `wanted`; returns what it is in the end. */
async function waitFor(context, count, wanted, seconds) {
  const until = performance.now() + seconds * 1000;
  let now = count();
  while (now !== wanted && performance.now() < until) {
    await context.pause(1000);
    now = count();
  }
  return now;
}

const logMiB = ({ dataDir }) => statSync(path.join(dataDir, 'seller-agent.db-wal')).size / MIB;

/** Sells one buy, ends the server, puts copies of it into the database, and starts the server on them. */
async function startOn(context, order, fill) {
  const first = await context.launch();
  await context.watch(first);
  const { answer, text } = await context.call('create_media_buy', {
    ...(await goodOrder(context)),
    ...order,
    idempotency_key: `due-${Date.now()}-0123456789`,
  });
  if (answer?.media_buy_id === undefined) throw new Error(text.slice(0, 400));
  await context.leave();
  await first.stop();
  withDatabase(first, fill);
  const server = await context.launch({ dataDir: first.dataDir, folder: first.folder });
  await context.watch(server);
  return server;
}

function fillKeys(database, count) {
  const row = database.prepare('SELECT * FROM idempotency').get();
  const old = { response: null, created_at: Date.now() - 200 * DAY_MS, expires_at: Date.now() - 199 * DAY_MS };
  copyRow(database, 'idempotency', { ...row, ...old }, count, (one, at) => ({ ...one, digest: `${one.digest}${at}` }));
}

function fillBuys(database, count) {
  const row = database.prepare('SELECT * FROM media_buy').get();
  copyRow(database, 'media_buy', row, count, (one, at) => {
    const id = `mb_${String(at).padStart(32, '0')}`;
    const bent = Object.entries(one).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(one.media_buy_id, id) : value,
    ]);
    return Object.fromEntries(bent);
  });
}

export const rows = [
  {
    id: 'due-at-once',
    what: '10,000 media buys start in the same second, and 200,000 idempotency keys are over',
    short: false,
    target: 'own',
    async run(context) {
      const [buys, keys] = [10_000, 200_000];
      const start = Date.now() + 30_000;
      const server = await startOn(context, { start_time: new Date(start).toISOString() }, (database) => {
        fillBuys(database, buys);
        fillKeys(database, keys);
      });
      const countActive = () => countRows(server, "media_buy WHERE status = 'active'");
      const active = await waitFor(context, countActive, buys + 1, 120);
      const seconds = (Date.now() - start) / 1000;
      const left = await waitFor(context, () => countRows(server, 'idempotency WHERE response IS NULL'), 0, 60);
      return {
        held: active === buys + 1 && left === 0,
        figures: `${active} began within ${seconds.toFixed(0)} s, ${keys - left} keys cleared, a log of ${logMiB(server).toFixed(0)} MiB`,
      };
    },
  },
  {
    id: 'tenants-edited',
    what: 'One of 60 tenants is edited 25 times, every fifth time so that it is wrong',
    short: false,
    target: 'own',
    bounds: { growthMiB: 150 },
    async run(context) {
      const server = await context.launch({ copies: 57 });
      await context.watch(server);
      const file = path.join(server.tenantsDir, 'sales-1.json');
      const tenant = JSON.parse(readFileSync(file, 'utf8'));
      const nameNow = async () => {
        const { text } = await context.send({ path: '/sales-1/mcp', ...LIST_PRODUCTS(context) });
        return /"name\\?":\\?"(Edited \d+)/.exec(text)?.[1];
      };
      let taken = 0;
      for (let edit = 1; edit <= 25; edit += 1) {
        const isWrong = edit % 5 === 0;
        tenant.products[0].name = `Edited ${edit}`;
        writeFileSync(file, isWrong ? '{"path": "sales-1", ' : JSON.stringify(tenant));
        const expected = `Edited ${isWrong ? edit - 1 : edit}`;
        for (let tries = 0; tries < 50 && (await nameNow()) !== expected; tries += 1) await context.pause(100);
        if ((await nameNow()) === expected) taken += 1;
      }
      return { held: taken === 25, figures: `${taken} of 25 edits went as they should` };
    },
  },
];

const LIST_PRODUCTS = (context) => ({
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: `Bearer ${context.principals.attacker.token}`,
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_products', arguments: { buying_mode: 'wholesale' } },
  }),
});
