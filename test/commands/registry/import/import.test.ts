import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importFile } from '../../../../src/commands/registry/import/import.js';
import { operateRegistry } from '../../../../src/commands/registry/operate.js';
import { resolveSettings, type Settings } from '../../../../src/seller/config/settings.js';
import { runCommand } from '../../../kit/command-line.js';
import { bootRegistry } from '../../../kit/registry.js';
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
    expect(said).toEqual([expect.stringMatching(/^line 33: /), expect.stringMatching(/^broken\.example: invalid: /)]);
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
