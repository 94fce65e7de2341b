import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/platform/kernel/errors.js';
import { resolveSettings } from '../../../src/seller/config/settings.js';
import { folderWith } from './fixture.js';

const DAY = 86_400_000;

async function settle(registry_service: unknown, env: Readonly<Record<string, string>> = {}) {
  const cwd = await folderWith({ 'seller-agent.json': { registry_service } });
  return (await resolveSettings({ flags: {}, env, cwd, packageRoot: '/package' })).registryService;
}

describe('how a registry of one’s own is run', () => {
  it('is read into policy, provider, protected names and limits', async () => {
    const provider = {
      issuer: 'https://id.example',
      audience: ['https://registry.example/api'],
      algorithms: ['ES256'],
    };
    const section = {
      identity_provider: provider,
      ownership: 'off',
      proof_days: 30,
      look_alikes: 'review',
      protected_names: ['google.com'],
      live_lookups: false,
      bulk_domains: 25,
      limits: { bulk: { points: 5, window_seconds: 10 }, save_ip: false },
    };
    expect(await settle(section)).toEqual({
      policy: { ownership: 'off', lookAlikes: 'review', liveLookups: false, bulkDomains: 25, proofLastsMs: 30 * DAY },
      identityProvider: provider,
      protectedNames: ['google.com'],
      limits: { bulk: { points: 5, windowMs: 10_000 }, save_ip: false },
    });
    expect((await settle({ limits: false })).limits).toBe('off');
    const brand_data = { url: 'https://brands.example/v1', key: { env: 'BRAND_KEY' } };
    expect((await settle({ brand_data }, { BRAND_KEY: 'k' })).brandData).toEqual({ url: brand_data.url, key: 'k' });
    await expect(settle({ brand_data })).rejects.toThrow('BRAND_KEY');
    expect((await settle({ identity_provider: 'development' })).identityProvider).toBe('development');
  });

  it.each<[string, unknown, string]>([
    [
      'an algorithm that needs a shared secret',
      { identity_provider: { issuer: 'https://id.example', algorithms: ['HS256'] } },
      'identity_provider',
    ],
    [
      'no algorithm at all',
      { identity_provider: { issuer: 'https://id.example', algorithms: ['none'] } },
      'identity_provider',
    ],
    ['a provider without an issuer', { identity_provider: {} }, 'identity_provider'],
    ['a policy that is none', { ownership: 'maybe' }, '/ownership'],
    ['a proof that lasts no day', { proof_days: 0 }, '/proof_days'],
    ['a protected name that is none', { protected_names: ['No Name'] }, '/protected_names'],
    ['a limit that nobody has', { limits: { nonsense: false } }, '/limits'],
    ['a member that nobody knows', { lookalikes: 'off' }, '/lookalikes'],
  ])('refuses %s, with its place', async (_what, section, place) => {
    const error = await settle(section).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).problems[0]?.pointer).toContain('/registry_service');
    expect((error as ConfigError).problems.map(({ pointer }) => pointer).join(' ')).toContain(place);
  });
});
