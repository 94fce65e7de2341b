import Libsql from 'libsql';
import pg from 'pg';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/platform/kernel/clock.js';
import { clearActs } from '../../../../src/registry/server/service/acts.js';
import { databaseOf } from '../../../kit/postgres.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';

type Acts = {
  readonly acts: readonly {
    readonly by: string;
    readonly action: string;
    readonly subject: string;
    readonly reason?: string;
  }[];
};

const operate = (registry: BootedRegistry, path: string, body?: object): Promise<object> =>
  registry.server().operate({ path: `/api/admin/${path}`, ...(body !== undefined && { body }) });
const actsOf = async (registry: BootedRegistry) => ((await operate(registry, 'acts')) as Acts).acts;

it('what the operator and admins did is listed with who, what about and why, the newest first; what was refused is not', async () => {
  const registry = await bootRegistry();
  await operate(registry, 'organizations', { slug: 'acme', name: 'Acme' });
  const key = await operate(registry, 'keys', { organization: 'acme', name: 'Ada', role: 'admin' });
  const { key_id, token } = key as { readonly key_id: string; readonly token: string };
  const byAda = await registry.post(
    '/api/admin/blocked',
    { kind: 'domain', name: 'bad.example', reason: 'malware' },
    token,
  );
  expect(byAda.status).toBe(200);
  await operate(registry, 'crawls', { domains: ['a.example', 'b.example', 'c.example', 'd.example'] });
  await expect(operate(registry, 'blocked', { kind: 'organization', name: 'nobody', reason: 'x' })).rejects.toThrow();
  const listed = (await actsOf(registry)).map(({ action, by, reason, subject }) => [by, action, subject, reason]);
  expect(listed.slice(0, 4)).toEqual([
    ['operator', 'adminCrawl', 'a.example, b.example, c.example and 1 more', undefined],
    [`Acme (${key_id})`, 'adminBlock', 'domain bad.example', 'malware'],
    ['operator', 'adminCreateKey', 'acme Ada admin', undefined],
    ['operator', 'adminCreateOrganization', 'acme Acme', undefined],
  ]);
  expect(JSON.stringify(listed)).not.toContain(token);
});

it('acts stay over a restart, and go after two years', async () => {
  const first = await bootRegistry();
  await first.member('acme');
  const before = await actsOf(first);
  await first.close();
  const second = await bootRegistry({ dataDir: first.dataDir });
  const { store } = second.server().registry;
  await clearActs(store, second.clock.now() + 729 * DAY_MS);
  expect(await actsOf(second)).toEqual(before);
  expect(before).toHaveLength(2);
  await clearActs(store, second.clock.now() + 731 * DAY_MS);
  expect(await actsOf(second)).toEqual([]);
});

/** Has the database refuse every record of an act; returns what ends that. */
async function refuseActs({ dataDir }: BootedRegistry): Promise<() => Promise<void>> {
  if (process.env.TEST_ENGINE !== 'postgres') {
    const file = new Libsql(`${dataDir}/registry.db`);
    file.exec("CREATE TRIGGER full BEFORE INSERT ON operator_act BEGIN SELECT raise(ABORT, 'disk is full'); END");
    return async () => {
      file.exec('DROP TRIGGER full');
      file.close();
    };
  }
  const client = new pg.Client({ connectionString: await databaseOf(dataDir, 'registry') });
  await client.connect();
  await client.query('ALTER TABLE operator_act ADD CONSTRAINT "disk is full" CHECK (id IS NULL) NOT VALID');
  return async () => {
    await client.query('ALTER TABLE operator_act DROP CONSTRAINT "disk is full"');
    await client.end();
  };
}

it('an act whose record cannot be stored is not done: neither is on disk', async () => {
  const registry = await bootRegistry();
  await operate(registry, 'organizations', { slug: 'acme', name: 'Acme' });
  const { key_id } = (await operate(registry, 'keys', { organization: 'acme' })) as { readonly key_id: string };
  const before = await actsOf(registry);
  const mend = await refuseActs(registry);
  const refused = [
    ['organizations', { slug: 'other', name: 'Other' }],
    ['keys', { organization: 'acme' }],
    ['keys/revoke', { key_id }],
    ['members', { organization: 'acme', subject: 'ada' }],
    ['agents', { organization: 'acme', url: 'https://ads.acme.example/mcp', name: 'A', type: 'sales' }],
    ['crawls', { domains: ['a.example'] }],
    ['blocked', { kind: 'domain', name: 'bad.example', reason: 'malware' }],
    ['import', { files: [{ domain: 'b.example', text: '{"authorized_agents":[]}' }] }],
  ] as const;
  for (const [path, body] of refused) await expect(operate(registry, path, body), path).rejects.toThrow('disk is full');
  await mend();
  const { read } = registry.server().registry.store;
  expect([await read.organization.count(), await read.member.count(), await read.member_agent.count()]).toEqual([
    1, 0, 0,
  ]);
  expect((await read.api_key.page('', 10)).map(({ revoked_at }) => revoked_at)).toEqual([undefined]);
  expect([await read.blocked.count(), await read.crawl.countPublishers()]).toEqual([0, 0]);
  expect(await actsOf(registry)).toEqual(before);
});
