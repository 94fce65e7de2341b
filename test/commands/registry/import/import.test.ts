import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { importFile } from '../../../../src/commands/registry/import/import.js';
import { operateRegistry } from '../../../../src/commands/registry/operate.js';
import { exportRecords } from '../../../../src/registry/mirror/export.js';
import { resolveSettings, type Settings } from '../../../../src/seller/config/settings.js';
import { runCommand } from '../../../kit/command-line.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';
import { collectingLog, PROJECT, temporaryFolder } from '../../../kit/surroundings.js';

const settingsAt = (data: string): Promise<Settings> =>
  resolveSettings({ flags: { data, port: '0' }, env: {}, cwd: data, packageRoot: PROJECT });

function publisher(domain: string, properties = 2): object {
  return {
    domain,
    adagents: {
      properties: Array.from({ length: properties }, (_, index) => ({
        property_id: `p${index}`,
        property_type: 'website',
        name: `Site ${index}`,
        identifiers: [{ type: 'domain', value: index === 0 ? domain : `s${index}.${domain}` }],
        publisher_domain: domain,
      })),
      authorized_agents: [
        {
          url: 'https://sales.example/mcp',
          authorized_for: 'all',
          authorization_type: 'property_ids',
          property_ids: ['p0'],
        },
      ],
    },
  };
}

function written(name: string, lines: readonly (object | string)[]): string {
  const file = path.join(temporaryFolder('registry-import-'), name);
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return file;
}

/** Imports a file; returns what was said on both ways. */
async function imported(settings: Settings, file: string, isAnew = false) {
  const said: string[] = [];
  const shown: string[] = [];
  const options = {
    file,
    isAnew,
    log: collectingLog([]),
    err: (text: string) => said.push(text),
    progress: (text: string) => shown.push(text),
  };
  return { ...(await importFile(settings, options)), said, shown };
}

describe('registry import', () => {
  it('waits for a large file too where the registry is not served, and says so', async () => {
    const file = written('large.ndjson', [publisher('large.example', 400)]);
    const { code, stdout } = await runCommand([
      'registry',
      'import',
      file,
      '--data',
      temporaryFolder('registry-import-'),
    ]);
    expect(stdout).toContain('1 publishers were read');
    expect(code).toBe(0);
  });

  it('reads publishers’ files of an NDJSON file through the running registry, whose answers have them at once', async () => {
    const registry = await bootRegistry();
    const settings = await settingsAt(registry.dataDir);
    const file = written('publishers.ndjson', [
      ...Array.from({ length: 30 }, (_, index) => publisher(`p${index}.example`)),
      { domain: 'later.example' },
      { domain: 'broken.example', adagents: { authorized_agents: 'nobody' } },
      { publisher: 'no domain' },
    ]);
    const { ok, said, shown, text } = await imported(settings, file);
    expect(ok).toBe(false);
    expect(text).toMatch(/^30 publishers were read, with \d+ events; 1 domains are read with the next rounds; 2 were/);
    expect(said).toEqual([
      expect.stringMatching(/^line 33: /),
      expect.stringMatching(/^broken\.example: the file .+: .+\. \((?:invalid|not_json)\)$/),
    ]);
    expect(shown.at(-1)).toBe('');
    const answer = await registry.get('/api/properties/resolve?domain=p7.example');
    expect(answer.json()).toMatchObject({
      publisher_domain: 'p7.example',
      properties: expect.arrayContaining([expect.objectContaining({ name: 'Site 1' })]),
    });
    const asked = '/api/registry/validate/property-authorization?agent_url=https://sales.example/mcp';
    const may = await registry.get(`${asked}&identifier_type=domain&identifier_value=p7.example`);
    expect(may.json()).toMatchObject({ authorized: true });
  });

  it('changes nothing where the same file is imported again, and what a new one changes where it says more', async () => {
    const settings = await settingsAt(temporaryFolder());
    await imported(settings, written('one.ndjson', [publisher('a.example'), publisher('b.example')]));
    const again = await imported(settings, written('two.ndjson', [publisher('a.example'), publisher('b.example', 3)]));
    expect(again.text).toMatch(/^2 publishers were read, with 2 events;/);
    const same = await imported(settings, written('three.ndjson', [publisher('a.example')]));
    expect(same.text).toMatch(/^1 publishers were read, with 0 events;/);
    expect(same.ok).toBe(true);
  });

  it('takes domains by list and by the column of a table, to be read with the next rounds', async () => {
    const settings = await settingsAt(temporaryFolder());
    const list = await imported(settings, written('list.txt', ['# ours', 'a.example', '', 'https://B.example/about']));
    expect(list.text).toContain('2 domains are read with the next rounds; 0 were refused');
    const table = await imported(
      settings,
      written('table.csv', ['name,domain', '"News, daily",c.example', 'Nobody,localhost']),
    );
    expect(table.text).toContain('1 domains are read with the next rounds; 1 were refused');
    expect(table.said).toEqual(['line 3: "localhost" is no domain']);
    expect(
      await operateRegistry(settings, { path: '/api/admin/crawls', body: { domains: ['a.example', 'c.example'] } }),
    ).toMatch(/new +0/);
  });

  it('goes on behind what was taken in where it was broken off, and from the beginning where it is told to', async () => {
    const settings = await settingsAt(temporaryFolder());
    const lines = Array.from({ length: 900 }, (_, index) => ({ domain: `p${index}.example` }));
    const file = written('long.ndjson', lines);
    let batches = 0;
    const broken = importFile(settings, {
      file,
      isAnew: false,
      err: () => undefined,
      log: collectingLog([]),
      progress: () => {
        batches += 1;
        if (batches === 2) throw new Error('killed');
      },
    });
    await expect(broken).rejects.toThrow('killed');
    expect(readdirSync(settings.dataDir).filter((name) => name.startsWith('registry-import-'))).toHaveLength(1);
    const { text } = await imported(settings, file);
    expect(text).toMatch(/^The first 800 were taken in before\.\n0 publishers were read, with 0 events; 900 domains /);
    expect(readdirSync(settings.dataDir).filter((name) => name.startsWith('registry-import-'))).toEqual([]);
    const anew = await imported(settings, file, true);
    expect(anew.text).toMatch(/^0 publishers were read, with 0 events; 900 domains /);
  });
});

/** Returns every property of a registry's catalog, by rid, without dates. */
async function catalogOf(registry: BootedRegistry, token: string) {
  const { json } = await registry.get('/api/registry/catalog?limit=1000', token);
  const { properties } = json() as { readonly properties: readonly Readonly<Record<string, unknown>>[] };
  return properties.map(({ created_at: _created, updated_at: _updated, ...property }) => property);
}

async function askAuthorization(registry: BootedRegistry, domain: string): Promise<unknown> {
  const asked = '/api/registry/validate/property-authorization?agent_url=https://sales.example/mcp';
  return (await registry.get(`${asked}&identifier_type=domain&identifier_value=${domain}`)).json();
}

describe('registry import of another registry’s snapshot', () => {
  it('lists what our own export has under the same ids, not verified and authorizing nobody until the files are read', async () => {
    const files = written('files.ndjson', [publisher('a.example', 3), publisher('b.example')]);
    const [one, other] = [await bootRegistry(), await bootRegistry()];
    const tokens = [(await one.member('acme')).token, (await other.member('acme')).token] as const;
    await imported(await settingsAt(one.dataDir), files);
    const folder = temporaryFolder('registry-export-');
    const head = { registry: one.baseUrl, cursor: '', generated_at: '2026-01-01T00:00:00Z' };
    const { file } = await exportRecords(one.server().registry.store, folder, head);
    const settings = await settingsAt(other.dataDir);
    const { ok, said, text } = await imported(settings, path.join(folder, file));
    expect([ok, said]).toEqual([true, []]);
    expect(text.split('\n')).toEqual([
      '5 properties are listed, not verified until their publishers are read; 0 were left as they are here; 2 domains are read with the next rounds; 0 were refused.',
      '1 rows of agents and brands were left out: registries ask those themselves.',
    ]);
    const original = await catalogOf(one, tokens[0]);
    const hearsay = await catalogOf(other, tokens[1]);
    expect(hearsay).toEqual(original.map((property) => ({ ...property, source: 'contributed' })));
    expect(await askAuthorization(other, 'a.example')).toMatchObject({ authorized: false });
    await imported(settings, files);
    expect(await catalogOf(other, tokens[1])).toEqual(original);
    expect(await askAuthorization(other, 'a.example')).toMatchObject({ authorized: true });
    const again = await imported(settings, path.join(folder, file), true);
    expect(again.text).toMatch(/^0 properties are listed, .* 5 were left as they are here; 0 domains/);
  });

  it('takes the answers of the public API: a compressed authorization snapshot, pages of the catalog, lists of publishers', async () => {
    const registry = await bootRegistry();
    const { token } = await registry.member('acme');
    const settings = await settingsAt(registry.dataDir);
    const row = (publisher_domain: string | null) => ({
      ...{ id: '0190b3c0-0000-7000-8000-000000000001', agent_url: 'https://sales.example/mcp' },
      ...{
        agent_url_canonical: 'https://sales.example/mcp',
        property_rid: null,
        property_id_slug: null,
        publisher_domain,
      },
      ...{
        authorized_for: 'all "of" it',
        evidence: 'adagents_json',
        disputed: false,
        created_by: null,
        expires_at: null,
      },
      ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', override_applied: false },
    });
    const rows = [...Array.from({ length: 500 }, (_, index) => row(`p${index % 3}.example`)), row(null)];
    const snapshot = written('snapshot.ndjson.gz', []);
    writeFileSync(snapshot, gzipSync(rows.map((one) => JSON.stringify(one)).join('\n')));
    expect((await imported(settings, snapshot)).text).toMatch(
      /; 3 domains are read with the next rounds; 0 were refused/,
    );
    const rid = '0190b3c0-0000-7000-8000-00000000000a';
    const property = { type: 'website', name: 'The "{[" Post', identifiers: [{ type: 'domain', value: 'p9.example' }] };
    const page = {
      has_more: false,
      properties: [
        { property_rid: rid, publisher_domain: 'p9.example', ...property },
        { property_rid: 'of another kind', publisher_domain: 'p8.example', property },
        { property_rid: 'gone', publisher_domain: 'p7.example', status: 'stale', ...property },
        { property_rid: 'whose', ...property },
        { property_rid: 'long', publisher_domain: 'p6.example', ...property, name: 'x'.repeat(600_000) },
      ],
      next_cursor: null,
    };
    const pages = written('catalog.json', [
      JSON.stringify(page, undefined, 2),
      { publishers: [{ domain: 'p5.example' }], count: 1 },
    ]);
    const { said, text } = await imported(settings, pages);
    expect(text).toMatch(/^2 properties are listed, .*; 4 domains are read with the next rounds; 3 were refused/);
    expect(said).toEqual([
      expect.stringMatching(/^line 4: it names no publisher/),
      'line 5: it is too long',
      'gone: stale',
    ]);
    const catalog = await catalogOf(registry, token);
    expect(catalog.map(({ name, publisher_domain, source }) => [publisher_domain, name, source]).sort()).toEqual([
      ['p8.example', 'The "{[" Post', 'contributed'],
      ['p9.example', 'The "{[" Post', 'contributed'],
    ]);
    expect(catalog.map(({ property_rid }) => property_rid)).toContain(rid);
  });

  it('changes nothing that is known here, takes nothing of what is blocked, and says where a file is cut off', async () => {
    const registry = await bootRegistry();
    const { token } = await registry.member('acme');
    const settings = await settingsAt(registry.dataDir);
    await imported(settings, written('own.ndjson', [publisher('own.example', 1)]));
    await operateRegistry(settings, {
      path: '/api/admin/blocked',
      body: { kind: 'domain', name: 'bad.example', reason: 'malware' },
    });
    const before = await catalogOf(registry, token);
    const [{ property_rid } = {}] = before;
    const stolen = { property_rid, name: 'Stolen', identifiers: [{ type: 'domain', value: 'own.example' }] };
    const rows = [
      { ...stolen, publisher_domain: 'thief.example' },
      { ...stolen, property_rid: 'another', publisher_domain: 'own.example', source: 'authoritative' },
      { ...stolen, property_rid: 'third', publisher_domain: 'bad.example' },
    ];
    const { said, text } = await imported(settings, written('rows.ndjson', rows));
    expect(text).toMatch(/^0 properties are listed, .*; 2 were left as they are here; 1 domains/);
    expect(said).toEqual(['third: blocked', 'bad.example: blocked']);
    expect(await catalogOf(registry, token)).toEqual(before);
    const cut = written('cut.json', ['{"registry":"https://r.example","properties":[{"property_rid":"a"']);
    await expect(imported(settings, cut)).rejects.toThrow('ends in the midst of a row');
  });
});
