import type { CopiedKind } from '../../platform/database/copy/store-copy.js';
import { REGISTRY_MIGRATIONS } from './registry-store.js';
import { REGISTRY_RETENTION } from './retention.js';
import type { RegistryTables } from './schema/schema.js';

const TABLES = Object.keys(REGISTRY_RETENTION);

/** How a registry's store is copied. What authorizations are looked up in is made of the records by whoever serves them. */
export const COPIED_REGISTRY: CopiedKind<RegistryTables> = {
  migrations: REGISTRY_MIGRATIONS,
  marker: 'store_change',
  tables: TABLES,
  leftOut: ['store_change', ...TABLES.filter((table) => table.startsWith('lookup_'))],
};
