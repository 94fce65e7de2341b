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
    expect(await operateRegistry(settings, { path: '/api/admin/organizations' })).toMatch(
      /^org_\w+ {2}acme {2}Acme {2}api {2}created_at [\dT:-]+Z$/,
    );
    await expect(operateRegistry(settings, ORG)).rejects.toMatchObject({
      message: expect.stringMatching(/^There is an organization of this slug\. /),
    });
    await expect(
      operateRegistry(settings, { path: '/api/admin/keys', body: { organization: 'acme', role: 'king' } }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/^role: has to be one of .*\. See the command with --help\.$/),
    });
    expect(await operateRegistry(settings, { path: '/api/admin/reviews' })).toBe('none');
  });

  it('says in which folder there is no registry, and begins one with the first organization alone', async () => {
    const settings = await settingsAt(temporaryFolder());
    for (const request of [
      { path: '/api/admin/keys' },
      { path: '/api/admin/blocked', body: { kind: 'domain', name: 'bad.example', reason: 'spam' } },
    ])
      await expect(operateRegistry(settings, request)).rejects.toThrow(`There is no registry in ${settings.dataDir}.`);
    const begun = `A registry was begun in ${settings.dataDir}.`;
    expect(await operateRegistry(settings, ORG)).toContain(begun);
    expect(await operateRegistry(settings, { ...ORG, body: { slug: 'other', name: 'Other' } })).not.toContain(begun);
  });

  it('takes no name of a domain that is none, which would keep out nobody, and any spelling of one that is', async () => {
    const settings = await settingsAt(temporaryFolder());
    await operateRegistry(settings, ORG);
    for (const path of ['blocked', 'removed', 'holds'])
      await expect(
        operateRegistry(settings, {
          path: `/api/admin/${path}`,
          body: { kind: 'domain', name: 'bad..example', reason: 'x' },
        }),
      ).rejects.toThrow('bad..example is not a valid domain. Send a host name of at least two labels');
    const body = { kind: 'domain', name: 'https://WWW.Bad.example/page', reason: 'spam' };
    expect(await operateRegistry(settings, { path: '/api/admin/blocked', body })).toMatch(/name +bad\.example/);
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
