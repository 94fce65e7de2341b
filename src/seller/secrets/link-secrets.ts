import path from 'node:path';
import { openSecret, readSecret } from '../../platform/database/secret-file.js';
import type { SecretName } from '../store/shared/secrets.js';
import type { Store } from '../store/store.js';

/** The secrets behind the ids of previews and the links of approvals. */
export const LINK_SECRETS = ['preview-ids', 'approval-links'] as const satisfies readonly SecretName[];

/** Returns a secret of the server by its name. */
export type LinkSecrets = (name: (typeof LINK_SECRETS)[number]) => string;

/** Where the secrets are made, and by what. */
type SecretSource = { readonly dataDir: string; readonly fresh: () => string };

/**
 * Returns the secrets of the server by their names: those of the database where processes share one, else those in the folder `keys`.
 * A shared database that has none takes over the folder's, so that links which were given out hold.
 */
export async function openLinkSecrets(store: Store, { dataDir, fresh }: SecretSource): Promise<LinkSecrets> {
  const fileOf = (name: string): string => path.join(dataDir, 'keys', name);
  if (!store.isShared) return (name) => openSecret(fileOf(name), fresh);
  const secrets = new Map<string, string>();
  for (const name of LINK_SECRETS)
    secrets.set(name, await openShared(store, name, () => readSecret(fileOf(name)) ?? fresh()));
  return (name) => secrets.get(name) ?? '';
}

/** Returns a secret of a shared database; a new one where there is none, the same for all processes. */
async function openShared(store: Store, name: SecretName, make: () => string): Promise<string> {
  const stored = await store.read.secrets.find(name);
  if (stored !== undefined) return stored.text;
  const text = make();
  return store.transact(async (tx) => {
    const present = await tx.secrets.find(name);
    if (present !== undefined) return present.text;
    await tx.secrets.save(name, { text, version: 1 });
    return text;
  });
}
