import type { RegistryServer, RegistryServerOptions } from './server.js';

/** Opens a registry on a data folder; what it is made of is loaded with the first one. Throws ConfigError when the folder is taken. */
export async function createRegistryServer(options: RegistryServerOptions): Promise<RegistryServer> {
  const server = await import('./server.js');
  return server.createRegistryServer(options);
}
