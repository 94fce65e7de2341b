import { vi } from 'vitest';
import type { Booted, BootOptions } from './boot.js';
import { send } from './http.js';
import { operatorOf } from './operator.js';

/** A publisher whose origin has no file, for `serveOrigins`. */
export const FAILING_PUBLISHER = 'north-news.example';

/** Has a seller serve a registry whose members need no proof, and that holds names that read alike. */
export const WITH_REGISTRY = {
  registry: true,
  settings: {
    registryService: {
      limits: 'off',
      identityProvider: undefined,
      protectedNames: [],
      policy: { ownership: 'off', lookAlikes: 'review', liveLookups: false },
    },
  },
} as const satisfies BootOptions;

/** Ids of what is in the registry of a seller. */
export type FilledRegistry = {
  readonly organizationId: string;
  readonly keyId: string;
  /** The credential of the key. */
  readonly token: string;
  /** A submission that waits, of a brand that reads like another one. */
  readonly reviewId: string;
};

/** Makes a member with a key, a brand, one that waits for a moderator, and a publisher that cannot be read. */
export async function fillRegistry(server: Booted): Promise<FilledRegistry> {
  const { get, post } = operatorOf(server);
  const ask = async (route: string, body: object) =>
    (await post(`/api/admin/${route}`, body)).json() as Readonly<Record<string, string>>;
  const { org_id: organizationId = '' } = await ask('organizations', { slug: 'acme', name: 'Acme Media' });
  const { key_id: keyId = '', token = '' } = await ask('keys', { organization: 'acme', name: 'nightly export' });
  await ask('agents', {
    organization: 'acme',
    url: 'https://ads.acme.example/mcp',
    name: 'Acme',
    type: 'sales',
    visibility: 'public',
  });
  await ask('members', { organization: 'acme', subject: 'user-1', name: 'Ann' });
  for (const [domain, brand_name] of Object.entries({ 'acme.example': 'Acme', 'acrne.example': 'Acrne' })) {
    await send(`${server.baseUrl}/api/brands/save`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ domain, brand_name }),
    });
  }
  const { reviews } = (await get('/api/admin/reviews')).json() as { reviews: { review_id: string }[] };
  await ask('crawls', { domains: [FAILING_PUBLISHER] });
  await vi.waitFor(
    async () => {
      const { crawls } = (await get('/api/admin/crawls')).json() as { crawls: object[] };
      if (crawls.length === 0) throw new Error(`${FAILING_PUBLISHER} was not read yet`);
    },
    { timeout: 30_000, interval: 100 },
  );
  return { organizationId, keyId, token, reviewId: reviews[0]?.review_id ?? '' };
}
