import { TaskError } from '../../protocol/errors.js';
import type { RegistryCopyOptions } from './copy.js';
import type { RegistryCopy, RegistryUse, RegistryUseOptions } from './registry-use.js';

/** The parts that a registry is used with, beside its settings. */
type RegistrySurroundings = Omit<RegistryUseOptions, 'copy' | 'maxStalenessMs' | 'policy'> &
  Pick<RegistryCopyOptions, 'dataDir' | 'ids'>;
type Configured = Pick<RegistryCopyOptions, 'url' | 'token' | 'maxStalenessMs'> & Pick<RegistryUseOptions, 'policy'>;

/** Returns what is answered where something is asked of a registry and none is configured. */
export function noRegistry(): TaskError {
  return new TaskError('INVALID_REQUEST', 'No registry is configured.', {
    suggestion: 'Set registry.url in seller-agent.json, or SELLER_AGENT_REGISTRY_URL.',
  });
}

/** Without a registry everything may be sold. */
const NO_REGISTRY: RegistryUse = {
  seen: (seller) => seller,
  brandOf: async () => undefined,
  effectiveOf: () => undefined,
  identified: () => [],
  collectionOf: () => undefined,
  collectionsOf: () => [],
  stamp: () => '',
  unauthorized: () => [],
  report: () => undefined,
  start: () => undefined,
  tick: async () => undefined,
  operate: async () => {
    throw noRegistry();
  },
  close: async () => undefined,
};

/**
 * Returns the use of the registry that the settings name; without one nothing of it is loaded. A copy that cannot be opened is no reason
 * to stand still: the publishers are asked themselves.
 */
export async function useRegistry(
  configured: Configured | undefined,
  surroundings: RegistrySurroundings,
): Promise<RegistryUse> {
  if (configured === undefined) return NO_REGISTRY;
  const [{ openRegistryUse }, { openRegistryCopy }] = await Promise.all([
    import('./registry-use.js'),
    import('./copy.js'),
  ]);
  const options = { ...surroundings, ...configured };
  const copy = await openRegistryCopy(options).catch((error: unknown): RegistryCopy | undefined => {
    surroundings.log.error(
      { err: error },
      'the copy of the registry cannot be opened; publishers are asked themselves',
    );
    return undefined;
  });
  return openRegistryUse({ ...options, copy });
}
