import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportWhole, importWhole } from '../../src/commands/registry/whole.js';
import { runStoreCopy } from '../../src/commands/store/store-copy.js';
import { resolveSettings } from '../../src/seller/config/settings.js';
import { type Origins, serveOrigins } from '../kit/origins.js';
import { freshDatabase } from '../kit/postgres.js';
import { type BootedRegistry, bootRegistry } from '../kit/registry.js';
import { collectingLog, PROJECT, temporaryFolder } from '../kit/surroundings.js';

const DOMAIN = 'news.example';
const AGENT = 'https://sales.example/mcp';
const SAVED = 'größer.example';

let origins: Origins;

/** Copies a registry's store as the command does. */
async function copy(
  dataDir: string,
  stores: { readonly from: string; readonly to: string },
  progress: (text: string) => void = () => undefined,
): Promise<string> {
  const settings = await resolveSettings({ flags: { data: dataDir }, env: {}, cwd: dataDir, packageRoot: PROJECT });
  const context = { env: {}, log: async () => collectingLog([]), progress };
  return runStoreCopy(context, settings, { ...stores, registry: true });
}

const bootOn = (dataDir: string, store: string | undefined, at?: number): Promise<BootedRegistry> =>
  bootRegistry({
    dataDir,
    ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
    resolve: new Map(Object.entries(origins.resolve)),
    service: { policy: { ownership: 'off', lookAlikes: 'off', liveLookups: false } },
    settings: { store },
  });

const save = (domain: string) => ({
  publisher_domain: domain,
  authorized_agents: [{ url: AGENT }],
  properties: [{ type: 'website', name: 'Seite „größer“ 中文', identifiers: [{ type: 'domain', value: domain }] }],
});

/** Has a registry crawl a publisher, save an entry twice and a brand; returns a member's token. */
async function fill(registry: BootedRegistry): Promise<string> {
  const { token } = await registry.member('acme');
  expect((await registry.post('/api/registry/crawl-request', { domain: DOMAIN }, token)).status).toBe(202);
  await expect.poll(() => registry.server().registry.index.agentsOf(DOMAIN)).toEqual([AGENT]);
  for (let times = 0; times < 2; times++)
    expect((await registry.post('/api/properties/save', save('saved.example'), token)).status).toBe(200);
  const brand = { domain: 'brand.example', brand_name: `Marke ${SAVED}` };
  expect((await registry.post('/api/brands/save', brand, token)).status).toBe(200);
  return token;
}

/** What a registry says of all that it has, to a member that the token proves. */
async function tell(registry: BootedRegistry, token: string): Promise<unknown> {
  const paths = [
    '/api/registry/feed?limit=500',
    '/api/properties/registry',
    '/api/properties/history?domain=saved.example',
    '/api/brands/resolve?domain=brand.example',
    `/api/registry/publisher?domain=${DOMAIN}`,
    `/api/registry/publisher/authorization?domain=${DOMAIN}&agent=${encodeURIComponent(AGENT)}`,
    `/api/registry/validate/property-authorization?agent_url=${encodeURIComponent(AGENT)}&identifier_type=domain&identifier_value=${DOMAIN}`,
  ];
  const answers = [];
  for (const each of paths) {
    const { status, text } = await registry.get(each, token);
    expect(status, `${each}: ${text}`).toBe(200);
    answers.push(JSON.parse(text.replaceAll(registry.baseUrl, '')));
  }
  return answers;
}

beforeAll(async () => {
  origins = await serveOrigins([DOMAIN, 'sales.example']);
  origins.put(`https://${DOMAIN}/.well-known/adagents.json`, {
    authorized_agents: [{ url: AGENT, authorized_for: 'all', authorization_type: 'property_ids', property_ids: ['p'] }],
    properties: [
      { property_id: 'p', property_type: 'website', name: 'P', identifiers: [{ type: 'domain', value: DOMAIN }] },
    ],
  });
});

describe('a copy of a registry’s store', () => {
  it('is the registry: from SQLite to PostgreSQL and back, and goes on', async () => {
    const folder = temporaryFolder();
    const first = await bootOn(folder, undefined);
    const token = await fill(first);
    const answers = await tell(first, token);
    const at = first.clock.now();
    const url = await freshDatabase();
    await expect(copy(folder, { from: 'sqlite', to: url })).rejects.toThrow('is running');
    await first.close();
    const shown: string[] = [];
    const text = await copy(folder, { from: 'sqlite', to: url }, (line) => shown.push(line));
    expect(text).toContain('are the same in both stores');
    expect(text).toMatch(/^ {2}event: \d+ rows, [0-9a-f]{16}$/m);
    expect(shown.at(-2)).toMatch(/^\[#{30}\] 100% /);

    const second = await bootOn(temporaryFolder(), url, at);
    expect(await tell(second, token)).toEqual(answers);
    expect((await second.post('/api/properties/save', save('more.example'), token)).status).toBe(200);
    const answersThere = await tell(second, token);
    expect(answersThere).not.toEqual(answers);
    await second.close();

    const back = temporaryFolder();
    await copy(back, { from: url, to: 'sqlite' });
    const third = await bootOn(back, undefined, at);
    expect(await tell(third, token)).toEqual(answersThere);
    expect((await third.post('/api/properties/save', save('again.example'), token)).status).toBe(200);
    await third.close();
    await expect(copy(back, { from: url, to: 'sqlite' })).rejects.toThrow('there is a store already');
  });

  it('is the registry as lines too: written of PostgreSQL while it is served, read into a file and into another database', async () => {
    const from = await freshDatabase();
    const served = await bootOn(temporaryFolder(), from);
    const token = await fill(served);
    const answers = await tell(served, token);
    const at = served.clock.now();
    const file = path.join(temporaryFolder(), 'all.ndjson');
    const options = { file, log: collectingLog([]), progress: () => undefined };
    const settingsOf = (data: string, store?: string) =>
      resolveSettings({ flags: { data, store }, env: {}, cwd: data, packageRoot: PROJECT });
    await exportWhole({ ...options, settings: await settingsOf(served.dataDir, from) });
    await served.close();

    const folder = temporaryFolder();
    await importWhole({ ...options, settings: await settingsOf(folder) });
    const onFile = await bootOn(folder, undefined, at);
    expect(await tell(onFile, token)).toEqual(answers);
    await onFile.close();

    const url = await freshDatabase();
    await importWhole({ ...options, settings: await settingsOf(temporaryFolder(), url) });
    await expect(importWhole({ ...options, settings: await settingsOf(temporaryFolder(), url) })).rejects.toThrow(
      'there is a store already',
    );
    const onDatabase = await bootOn(temporaryFolder(), url, at);
    expect(await tell(onDatabase, token)).toEqual(answers);
    expect((await onDatabase.post('/api/properties/save', save('more.example'), token)).status).toBe(200);
    await onDatabase.close();
  });

  it('that was broken off is not served, and is made anew', async () => {
    const folder = temporaryFolder();
    const first = await bootOn(folder, undefined);
    const token = await fill(first);
    const answers = await tell(first, token);
    const at = first.clock.now();
    await first.close();
    const url = await freshDatabase();
    const breakOff = (line: string): void => {
      if (line.includes(' property')) throw new Error('broken off');
    };
    await expect(copy(folder, { from: 'sqlite', to: url }, breakOff)).rejects.toThrow('broken off');
    await expect(bootOn(temporaryFolder(), url)).rejects.toThrow('another store was being copied into this database');
    const other = temporaryFolder();
    await expect(copy(other, { from: url, to: 'sqlite' })).rejects.toThrow('nothing whole to copy');
    await copy(folder, { from: 'sqlite', to: url });
    const served = await bootOn(temporaryFolder(), url, at);
    expect(await tell(served, token)).toEqual(answers);
    await served.close();
    await expect(copy(other, { from: url, to: 'sqlite' }, breakOff)).rejects.toThrow('broken off');
    expect(existsSync(path.join(other, 'registry.db'))).toBe(false);
  });

  it('is refused into a database that was served, of one that is, and of nothing', async () => {
    const folder = temporaryFolder();
    await (await bootOn(folder, undefined)).close();
    const url = await freshDatabase();
    const served = await bootOn(temporaryFolder(), url);
    await served.server().tick();
    await expect(copy(temporaryFolder(), { from: url, to: 'sqlite' })).rejects.toThrow('is running on it');
    await served.close();
    await expect(copy(folder, { from: 'sqlite', to: url })).rejects.toThrow('there is a store already');
    await expect(copy(temporaryFolder(), { from: 'sqlite', to: await freshDatabase() })).rejects.toThrow(
      'there is no store to copy',
    );
  });
});
