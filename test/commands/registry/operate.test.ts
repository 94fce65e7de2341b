import { describe, expect, it } from 'vitest';
import { operateRegistry } from '../../../src/commands/registry/operate.js';
import { resolveSettings } from '../../../src/seller/config/settings.js';
import { bootRegistry } from '../../kit/registry.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';

const settingsAt = (data: string) => resolveSettings({ flags: { data }, env: {}, cwd: data, packageRoot: PROJECT });
const ORG = { path: '/api/admin/organizations', body: { slug: 'acme', name: 'Acme' } };

describe('operation by command', () => {
  it('works on the folder itself while nobody serves it', async () => {
    const settings = await settingsAt(temporaryFolder());
    expect(await operateRegistry(settings, ORG)).toMatch(/org_id +org_\w+\nslug +acme/);
    expect(await operateRegistry(settings, { path: '/api/admin/organizations' })).toContain('acme  Acme  api');
    await expect(operateRegistry(settings, ORG)).rejects.toMatchObject({
      message: 'There is an organization of this slug.',
    });
    await expect(
      operateRegistry(settings, { path: '/api/admin/keys', body: { organization: 'acme', role: 'king' } }),
    ).rejects.toMatchObject({ message: expect.stringContaining('/role') });
    expect(await operateRegistry(settings, { path: '/api/admin/reviews' })).toBe('none');
  });

  it('works through the server that holds the folder, whose keys work at once', async () => {
    const registry = await bootRegistry();
    const settings = await settingsAt(registry.dataDir);
    await operateRegistry(settings, ORG);
    const key = await operateRegistry(settings, { path: '/api/admin/keys', body: { organization: 'acme' } });
    const token = /token +(sk_\S+)/.exec(key)?.[1];
    expect((await registry.get('/api/me/agents', token)).status).toBe(200);
    await expect(operateRegistry(settings, ORG)).rejects.toThrow('There is an organization of this slug.');
  });
});
