import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runStoreCopy } from '../../src/commands/store/store-copy.js';
import { resolveSettings, type Settings } from '../../src/seller/config/settings.js';
import { type Booted, type BootOptions, boot } from '../kit/boot.js';
import { createRequest, creative, KIT_TOKEN, SANDBOX_ACCOUNT, succeeded, updateRequest } from '../kit/buyer.js';
import { runCommand } from '../kit/command-line.js';
import { controllerOf } from '../kit/controller.js';
import { freshDatabase } from '../kit/postgres.js';
import { startReceiver } from '../kit/receiver.js';
import { collectingLog, PROJECT, temporaryFolder } from '../kit/surroundings.js';

const FLIGHT = { start_time: '2030-01-06T00:00:00Z', end_time: '2030-01-13T00:00:00Z' };
const BRIEF = 'Premium video and display on sports and outdoor lifestyle. $50K budget. Adults 25-54, US and Canada.';
const ACCOUNT = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };

/** Copies a store as the command does. */
async function copy(
  dataDir: string,
  stores: { readonly from: string; readonly to: string },
  { masterKey, progress = () => undefined }: { readonly masterKey: string; readonly progress?: (text: string) => void },
): Promise<string> {
  const settings: Settings = await resolveSettings({
    flags: { data: dataDir },
    env: {},
    cwd: dataDir,
    packageRoot: PROJECT,
  });
  const context = { env: { SELLER_AGENT_MASTER_KEY: masterKey }, log: async () => collectingLog([]), progress };
  return runStoreCopy(context, settings, stores);
}

/** Has something stored of most nouns; returns the requests whose answers are replayed. */
async function fill(server: Booted): Promise<readonly (readonly [string, object])[]> {
  const receiver = await startReceiver();
  const reporting_webhook = { url: `${receiver.url}/reports`, reporting_frequency: 'daily' };
  const created = [];
  for (let count = 0; count < 3; count++)
    created.push(
      succeeded(
        await server.call(
          'create_media_buy',
          createRequest({ ...FLIGHT, start_time: '2030-01-03T00:00:00Z', reporting_webhook }),
        ),
      ),
    );
  succeeded(
    await server.call('get_products', { account: ACCOUNT, buying_mode: 'brief', brief: BRIEF }, { token: KIT_TOKEN }),
  );
  const fixture = { product_id: 'seeded', name: 'Tâche — „größer“ 中文', delivery_type: 'non_guaranteed' };
  await controllerOf(server).arrange('seed_product', { product_id: 'seeded', fixture });
  server.clock.advance(4 * 86_400_000);
  await server.server().tick();
  const account = { account_id: SANDBOX_ACCOUNT };
  const requests: (readonly [string, object])[] = [
    ['create_media_buy', createRequest(FLIGHT)],
    ['sync_creatives', { idempotency_key: 'creatives-of-the-copy', account, creatives: [creative('c1')] }],
    ['update_media_buy', updateRequest(String(created[0]?.media_buy_id), { paused: true })],
  ];
  for (const [tool, request] of requests) succeeded(await server.call(tool, request));
  return requests;
}

/** What a server says of all that it has. */
async function tell(server: Booted, requests: readonly (readonly [string, object])[]): Promise<unknown> {
  const answers = [];
  for (const [tool, request] of requests) answers.push(succeeded(await server.call(tool, request)));
  for (const tool of ['get_media_buys', 'list_creatives', 'list_accounts', 'get_media_buy_delivery'])
    answers.push(succeeded(await server.call(tool, {})));
  const jwks: unknown = await (await fetch(`${server.baseUrl}/.well-known/jwks.json`)).json();
  const { app } = server.server();
  const link = app.approvalLinks.write('task-1', 4_000_000_000_000);
  return JSON.parse(JSON.stringify([answers, jwks, link]).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ''));
}

describe('a copy of a store', () => {
  it('is the store: from SQLite to PostgreSQL and back, with its keys, and sells on', async () => {
    const masterKey = randomBytes(32).toString('base64');
    const options: BootOptions = { ids: 'system', env: { SELLER_AGENT_MASTER_KEY: masterKey } };
    const first = await boot(options);
    const requests = await fill(first);
    const answers = await tell(first, requests);
    await first.close();
    const url = await freshDatabase();
    const shown: string[] = [];
    const text = await copy(
      first.dataDir,
      { from: 'sqlite', to: url },
      { masterKey, progress: (line) => shown.push(line) },
    );
    expect(text).toContain('are the same in both stores');
    expect(shown.at(-2)).toMatch(/^\[#{30}\] 100% /);
    const at = new Date(first.clock.now()).toISOString();
    const second = await boot({ ...options, at, settings: { store: url } });
    expect(await tell(second, requests)).toEqual(answers);
    const more = createRequest(FLIGHT);
    succeeded(await second.call('create_media_buy', more));
    const answersThere = await tell(second, [...requests, ['create_media_buy', more]]);
    await second.close();

    const folder = temporaryFolder();
    await copy(folder, { from: url, to: 'sqlite' }, { masterKey });
    const third = await boot({ ...options, at, dataDir: folder });
    expect(await tell(third, [...requests, ['create_media_buy', more]])).toEqual(answersThere);
    succeeded(await third.call('create_media_buy', createRequest(FLIGHT)));
    await third.close();
    await expect(copy(folder, { from: url, to: 'sqlite' }, { masterKey })).rejects.toThrow('there is a store already');
  });

  it('that was broken off is not served, and is made anew', async () => {
    const masterKey = randomBytes(32).toString('base64');
    const options: BootOptions = { ids: 'system', env: { SELLER_AGENT_MASTER_KEY: masterKey } };
    const first = await boot(options);
    const requests = await fill(first);
    const answers = await tell(first, requests);
    await first.close();
    const url = await freshDatabase();
    const breakOff = (line: string): void => {
      if (line.includes('media_buy')) throw new Error('broken off');
    };
    await expect(copy(first.dataDir, { from: 'sqlite', to: url }, { masterKey, progress: breakOff })).rejects.toThrow(
      'broken off',
    );
    const at = new Date(first.clock.now()).toISOString();
    const serve = () => boot({ ...options, at, settings: { store: url } });
    await expect(serve()).rejects.toThrow('another store was being copied into this database');
    const folder = temporaryFolder();
    await expect(copy(folder, { from: url, to: 'sqlite' }, { masterKey })).rejects.toThrow('nothing whole to copy');
    await copy(first.dataDir, { from: 'sqlite', to: url }, { masterKey });
    const served = await serve();
    expect(await tell(served, requests)).toEqual(answers);
    await served.close();
    await expect(copy(folder, { from: url, to: 'sqlite' }, { masterKey, progress: breakOff })).rejects.toThrow(
      'broken off',
    );
    expect(existsSync(path.join(folder, 'seller-agent.db'))).toBe(false);
  });

  it('is refused into a database that is in use, without the master key, and of nothing', async () => {
    const masterKey = randomBytes(32).toString('base64');
    const options: BootOptions = { ids: 'system', env: { SELLER_AGENT_MASTER_KEY: masterKey } };
    const url = await freshDatabase();
    const first = await boot(options);
    await expect(copy(first.dataDir, { from: 'sqlite', to: url }, { masterKey })).rejects.toThrow('is running');
    await first.close();
    const other = randomBytes(32).toString('base64');
    await expect(copy(first.dataDir, { from: 'sqlite', to: url }, { masterKey: other })).rejects.toThrow('master key');
    const second = await boot({ ...options, settings: { store: url } });
    await second.server().tick();
    await expect(copy(temporaryFolder(), { from: url, to: 'sqlite' }, { masterKey })).rejects.toThrow(
      'is running on it',
    );
    await second.close();
    await expect(copy(first.dataDir, { from: 'sqlite', to: url }, { masterKey })).rejects.toThrow(
      'there is a store already',
    );
    const empty = temporaryFolder();
    await expect(copy(empty, { from: 'sqlite', to: await freshDatabase() }, { masterKey })).rejects.toThrow(
      'there is no store to copy',
    );
    await expect(copy(empty, { from: 'sqlite', to: 'sqlite:other.db' }, { masterKey })).rejects.toThrow('pg_dump');
  });
});

describe('the commands of docs/operations.md', () => {
  const DOCUMENT = readFileSync(path.join(PROJECT, 'docs/operations.md'), 'utf8');
  const lines = [...DOCUMENT.matchAll(/^seller-agent (store copy .*)$/gm)].map(([, command = '']) => command);
  const PLACEHOLDER = 'postgres://user:password@host/database';

  it('copy a store to PostgreSQL and back, as they stand there but for the URL', async () => {
    expect(lines).toHaveLength(2);
    const masterKey = randomBytes(32).toString('base64');
    const env = { SELLER_AGENT_MASTER_KEY: masterKey };
    const url = await freshDatabase();
    const [from, to] = [temporaryFolder(), temporaryFolder()];
    const server = await boot({ dataDir: path.join(from, 'data'), env, settings: { store: undefined } });
    const { media_buy_id } = succeeded(await server.call('create_media_buy', createRequest(FLIGHT)));
    await server.close();
    for (const [index, cwd] of [from, to].entries()) {
      const line = lines[index] ?? '';
      expect(line).toContain(PLACEHOLDER);
      const { code, stdout, stderr } = await runCommand(line.replace(PLACEHOLDER, url).split(' '), { cwd, env });
      expect([code, stderr], stdout).toEqual([0, expect.any(String)]);
    }
    const copied = await boot({ dataDir: path.join(to, 'data'), env, settings: { store: undefined } });
    const { media_buys } = succeeded(await copied.call('get_media_buys', { media_buy_ids: [media_buy_id] }));
    expect(media_buys?.map((buy) => buy.media_buy_id)).toEqual([media_buy_id]);
  });
});
