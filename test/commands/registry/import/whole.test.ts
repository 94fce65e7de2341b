import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importFile } from '../../../../src/commands/registry/import/import.js';
import { exportWhole } from '../../../../src/commands/registry/whole.js';
import { resolveSettings, type Settings } from '../../../../src/seller/config/settings.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';
import { collectingLog, PROJECT, temporaryFolder } from '../../../kit/surroundings.js';

const AGENT = 'https://sales.example/mcp';
const OPEN = { policy: { ownership: 'off', lookAlikes: 'off', liveLookups: false } } as const;

const settingsAt = (data: string): Promise<Settings> =>
  resolveSettings({ flags: { data, port: '0' }, env: {}, cwd: data, packageRoot: PROJECT });

function read(settings: Settings, file: string): Promise<{ readonly ok: boolean; readonly text: string }> {
  return importFile(settings, {
    file,
    isAnew: false,
    err: () => undefined,
    log: collectingLog([]),
    progress: () => undefined,
  });
}

function write(dataDir: string, file: string): Promise<string> {
  return settingsAt(dataDir).then((settings) =>
    exportWhole({ settings, file, log: collectingLog([]), progress: () => undefined }),
  );
}

/** What a registry says of all that it has, to a member that the token proves. */
async function tell(registry: BootedRegistry, token: string): Promise<unknown> {
  const paths = [
    '/api/registry/feed?limit=500',
    '/api/properties/registry',
    '/api/properties/history?domain=saved.example',
    '/api/brands/resolve?domain=brand.example',
    '/api/registry/publisher?domain=p1.example',
    `/api/registry/validate/property-authorization?agent_url=${encodeURIComponent(AGENT)}&identifier_type=domain&identifier_value=p1.example`,
    '/api/me/agents',
    '/api/registry/stats',
  ];
  return Promise.all(
    paths.map(async (each) => {
      const { status, text } = await registry.get(each, token);
      expect(status, `${each}: ${text}`).toBe(200);
      return JSON.parse(text.replaceAll(registry.baseUrl, ''));
    }),
  );
}

describe('registry export --whole', () => {
  it('writes all of a registry while it is served, and an import of that answers the same with the same keys', async () => {
    const first = await bootRegistry({ service: OPEN });
    const { token } = await first.member('acme');
    const publishers = path.join(temporaryFolder(), 'publishers.ndjson');
    const adagents = {
      properties: [
        {
          property_id: 'p',
          property_type: 'website',
          name: 'P',
          identifiers: [{ type: 'domain', value: 'p1.example' }],
        },
      ],
      authorized_agents: [
        { url: AGENT, authorized_for: 'all', authorization_type: 'property_ids', property_ids: ['p'] },
      ],
    };
    writeFileSync(publishers, JSON.stringify({ domain: 'p1.example', adagents }));
    expect((await read(await settingsAt(first.dataDir), publishers)).ok).toBe(true);
    const saved = {
      publisher_domain: 'saved.example',
      authorized_agents: [],
      properties: [{ type: 'website', name: 'Größer' }],
    };
    expect((await first.post('/api/properties/save', saved, token)).status).toBe(200);
    expect((await first.post('/api/brands/save', { domain: 'brand.example', brand_name: 'Marke' }, token)).status).toBe(
      200,
    );
    const enrolled = { url: AGENT, type: 'sales', name: 'Sales', visibility: 'public' };
    expect((await first.post('/api/me/agents', enrolled, token)).status).toBeLessThan(300);
    const answers = await tell(first, token);
    const file = path.join(temporaryFolder(), 'all.ndjson');
    expect(await write(first.dataDir, file)).toMatch(/all\.ndjson: \d+ rows\./);

    const folder = temporaryFolder();
    expect((await read(await settingsAt(folder), file)).text).toMatch(/^\d+ rows were taken in/);
    const second = await bootRegistry({
      dataDir: folder,
      service: OPEN,
      at: new Date(first.clock.now()).toISOString(),
    });
    expect(await tell(second, token)).toEqual(answers);
    expect((await second.post('/api/properties/save', saved, token)).status).toBe(200);
    await expect(read(await settingsAt(first.dataDir), file)).rejects.toThrow('is running');
    await second.close();
    await expect(read(await settingsAt(folder), file)).rejects.toThrow('there is a store already');
  });

  it('takes nothing in of a file that breaks off, that was changed, or that another version wrote', async () => {
    const first = await bootRegistry();
    await first.member('acme');
    const file = path.join(temporaryFolder(), 'all.ndjson');
    await write(first.dataDir, file);
    const text = readFileSync(file, 'utf8');
    const empty = await settingsAt(temporaryFolder());
    const wrong = [
      [text.split('\n').slice(0, -2).join('\n'), 'it is not whole'],
      [text.replace('acme GmbH', 'Somebody'), 'it is not whole'],
      [text.replace(/"migrations":\d+/, '"migrations":1'), 'another version'],
    ] as const;
    for (const [broken, why] of wrong) {
      writeFileSync(file, broken);
      await expect(read(empty, file)).rejects.toThrow(why);
    }
    writeFileSync(file, text);
    expect((await read(empty, file)).ok).toBe(true);
  });
});
