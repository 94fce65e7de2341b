import { createRegistryClient, RegistryError } from 'seller-agent/registry-client';

/** Builds a client. */
const client = createRegistryClient({ url: 'https://registry.example' });
process.stdout.write(JSON.stringify({ client: typeof client, error: typeof RegistryError }));
