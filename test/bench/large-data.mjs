/** Fills the database of a stopped seller: what a buyer made once by calls is multiplied in SQL, as calls would have made it. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Libsql from 'libsql';

/** The JSON of a successful answer to one task call. */
export async function call(target, name, args) {
  const response = await fetch(target.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${target.token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const text = await response.text();
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  if (result?.isError !== false && result?.structuredContent?.errors !== undefined)
    throw new Error(`${name}: ${text.slice(0, 500)}`);
  return result.structuredContent;
}

const account = { account_id: 'acct_sandbox' };
const day = 86_400_000;

const order = () => ({
  idempotency_key: randomUUID(),
  account,
  brand: { domain: 'acme.example' },
  start_time: 'asap',
  end_time: new Date(Date.now() + 90 * day).toISOString(),
  packages: [{ product_id: 'test-product', budget: 5000, pricing_option_id: 'default' }],
});

/** Makes one of each thing that is multiplied later; answers the id of the buy. */
export async function makeOne(target) {
  const { media_buy_id, packages } = await call(target, 'create_media_buy', order());
  await call(target, 'sync_creatives', {
    idempotency_key: randomUUID(),
    account,
    creatives: [
      {
        creative_id: 'one',
        name: 'Banner one',
        tags: ['spring'],
        format_id: { agent_url: target.origin, id: 'display_300x250_image' },
        assets: {
          banner_image: { asset_type: 'image', url: 'https://cdn.example/banner.png', width: 300, height: 250 },
          click_url: { asset_type: 'url', url: 'https://acme.example/' },
        },
      },
    ],
    assignments: [{ creative_id: 'one', package_id: packages[0].package_id }],
  });
  // An order that waits for a person is a task; the sandbox is told to let the next one wait.
  await call(target, 'comply_test_controller', {
    account,
    scenario: 'force_create_media_buy_arm',
    params: { arm: 'submitted', task_id: 'task_one', message: 'Waits for the signature.' },
  });
  await call(target, 'create_media_buy', order());
  return media_buy_id;
}

/** Has all that runs booked, which the first question begins and every hour does after that. */
export async function bookAll(target) {
  for (;;) {
    try {
      return await call(target, 'get_account_financials', { account });
    } catch (error) {
      if (!error.message.includes('SERVICE_UNAVAILABLE')) throw error;
    }
    await pause(1000);
  }
}

/** The columns of a table but its number. */
function columnsOf(database, table) {
  const rows = database.prepare(`PRAGMA table_info("${table}")`).all();
  return rows.map(({ name }) => name).filter((name) => name !== 'seq');
}

/** Multiplies the rows of a table `count` times; `changes` are SQL expressions of columns, in which `i` is the number of the copy. */
export function multiply(database, table, count, changes, where = 'TRUE') {
  const columns = columnsOf(database, table);
  const values = columns.map((column) => changes[column] ?? `source."${column}"`);
  database.exec(`INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(', ')})
    WITH RECURSIVE copies(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM copies WHERE i < ${count})
    SELECT ${values.join(', ')} FROM copies, (SELECT * FROM "${table}" WHERE ${where} LIMIT 1) AS source`);
}

/** The database of a target that is stopped. */
export function openDatabase(dataDir) {
  return new Libsql(path.join(dataDir, 'seller-agent.db'));
}

/** Gives the sandbox's account `count` more buys, creatives and tasks. */
export function fill(dataDir, mediaBuyId, count) {
  const database = openDatabase(dataDir);
  const name = mediaBuyId.replace(/^mb_/, '');
  const number = "printf('%032x', i)";
  database.exec('BEGIN');
  multiply(database, 'media_buy', count, {
    media_buy_id: `'mb_' || ${number}`,
    doc: `replace(source.doc, '${name}', ${number})`,
    created_at: 'source.created_at + i',
  });
  multiply(database, 'creative', count, {
    creative_id: "'copy-' || i",
    name: "'Banner ' || i",
    created_date: "strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || i || ' seconds')",
    doc: `json_set(source.doc, '$.creative_id', 'copy-' || i)`,
  });
  multiply(database, 'task', count, { task_id: "'tsk_' || i", created_at: 'source.created_at + i', due_at: 'NULL' });
  multiply(database, 'creative_use', count, { media_buy_id: `'mb_' || ${number}` });
  multiply(database, 'assignment', count, {
    creative_id: "'copy-' || i",
    media_buy_id: `'mb_' || ${number}`,
    package_id: "'pkg-' || i",
  });
  // Each asks for as much of the product as the first.
  multiply(database, 'inventory_demand', count, {
    package_id: `'pkg_' || ${number} || '_1'`,
    media_buy_id: `'mb_' || ${number}`,
  });
  database.exec(`UPDATE inventory_demand_change SET per_day = per_day * ${count + 1}`);
  database.exec('COMMIT');
  database.close();
}

/** Fills the registry of a stopped seller: organizations with an agent each that cannot be visited, entries, and publishers of which every tenth fails. */
export function fillRegistry(dataDir, size) {
  const database = new Libsql(path.join(dataDir, 'registry.db'));
  const at = '2026-01-01T00:00:00.000Z';
  const numbers = `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${size})`;
  const domain = `printf('site-%06d.example', n)`;
  const url = `'https://' || ${domain} || '/mcp'`;
  const due = Date.parse('2100-01-01');
  const insert = (table, columns, values) =>
    database.exec(`${numbers} INSERT INTO ${table} (${columns}) SELECT ${values} FROM number`);
  insert(
    'organization',
    'id, scope, mark, doc',
    `printf('org_%06d', n), '', 'slug-' || n, json_object('org_id', printf('org_%06d', n), 'slug', 'slug-' || n, 'name', 'Organization ' || n, 'tier', 'api', 'created_at', '${at}')`,
  );
  insert(
    'member_agent',
    'id, scope, mark, doc',
    `${url}, printf('org_%06d', n), '', json_object('agent_url', ${url}, 'org_id', printf('org_%06d', n), 'name', 'Agent ' || n, 'type', 'sales', 'visibility', 'public')`,
  );
  insert(
    'visit',
    'agent_url, due_at, failures, doc',
    `${url}, ${due}, 3, json_object('agent_url', ${url}, 'visitedAt', 0, 'dueAt', ${due}, 'failures', 3, 'fault', 'timeout')`,
  );
  insert(
    'entry',
    'id, scope, mark, doc',
    `'brand:' || ${domain}, 'brand', '', json_object('id', 'brand_' || n, 'kind', 'brand', 'domain', ${domain}, 'org_id', printf('org_%06d', n), 'revision_number', 1, 'content', json_object('brand_name', 'Brand ' || n), 'review_status', 'approved', 'created_at', '${at}', 'updated_at', '${at}')`,
  );
  insert(
    'crawl',
    'domain, due_at, mark, failures, doc',
    `${domain}, ${due}, '', n % 10 = 0, json_object('domain', ${domain}, 'attemptedAt', 1, 'dueAt', ${due}, 'readAt', 0, 'failures', n % 10 = 0, 'reason', 'not_found', 'message', 'there is no adagents.json.', 'parts', json_object(), 'findings', json_object('errors', 0, 'warnings', 0))`,
  );
  database.close();
}
