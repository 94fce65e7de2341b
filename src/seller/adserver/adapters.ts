import type { AdServer } from './port.js';

/** Connects to an ad server. */
type Adapter = { readonly name: string; readonly open: () => AdServer };

/** The ad servers that this version can connect to. */
const ADAPTERS: readonly Adapter[] = [];

/** Returns the names of the ad servers that live buys can go to: those of the table, and one that an embedding program brought. */
export function adServerNames(embedded?: AdServer): readonly string[] {
  return [...ADAPTERS.map(({ name }) => name), ...(embedded === undefined ? [] : [embedded.name])];
}
