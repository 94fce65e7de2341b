import path from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../../src/platform/database/sqlite/sqlite.js';
import { once } from '../../../../src/platform/database/statement.js';
import { openServerStore } from '../../../../src/registry/server/store/server-store.js';
import { CRAWL_MIGRATIONS } from '../../../../src/registry/store/schema/crawl.js';
import { RECORD_MIGRATIONS } from '../../../../src/registry/store/schema/records.js';
import type { RegistryTables } from '../../../../src/registry/store/schema/schema.js';
import { SERVICE_MIGRATIONS } from '../../../../src/registry/store/schema/service.js';
import { temporaryFolder } from '../../../kit/surroundings.js';

it('what agents sell of a publisher moves from the state of its crawls into rows', async () => {
  const file = path.join(temporaryFolder('seller-agent-shares-'), 'registry.db');
  const share = { properties: 2, property_types: { website: 2 }, channels: {}, markets: { US: 1 }, tags: { sport: 1 } };
  const shares = { 'https://a.example/mcp': share, 'https://b.example/mcp': { ...share, properties: 0 } };
  const migrations = [...RECORD_MIGRATIONS, ...SERVICE_MIGRATIONS, ...CRAWL_MIGRATIONS.slice(0, 1)];
  const old = openSqlite<RegistryTables>(file, { migrations });
  for (const [domain, more] of [
    ['news.example', { shares }],
    ['none.example', { shares: {} }],
    ['never.example', {}],
  ] as const) {
    const doc = JSON.stringify({ domain, failures: 3, ...more });
    await old.transact(async (tx) => {
      await tx.run(once(old.queries.insertInto('crawl').values({ domain, due_at: 1, doc })), {});
    });
  }
  await old.close();
  const store = openServerStore(file);
  const { crawl } = store.read;
  expect(await crawl.listSellers('news.example', '', 10)).toEqual(Object.keys(shares));
  expect(await crawl.listSellers('news.example', 'https://a.example/mcp', 10)).toEqual(['https://b.example/mcp']);
  expect(await crawl.findShare('news.example', 'https://a.example/mcp')).toEqual(share);
  expect(await crawl.listSellers('none.example', '', 10)).toEqual([]);
  expect(await crawl.findShare('never.example', 'https://a.example/mcp')).toBeUndefined();
  expect(await crawl.findState('news.example')).toEqual({ domain: 'news.example', failures: 3 });
  expect(await crawl.listDue(1, 10)).toHaveLength(3);
  await store.close();
});
