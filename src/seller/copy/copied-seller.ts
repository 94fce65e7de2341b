import type { CopiedKind } from '../../platform/database/copy/store-copy.js';
import type { DatabaseGuard } from '../../platform/database/identity.js';
import type { MasterKeys } from '../../platform/sealing/master-keys.js';
import { SELLER_MIGRATIONS } from '../store/schema/migrations.js';
import { SELLER_RETENTION } from '../store/schema/retention.js';
import type { SellerTables } from '../store/schema/schema.js';
import { CarriedSecrets } from './carried-secrets.js';

/** Returns how a seller's store is copied: with the signing keys and the secrets of links. */
export function copiedSeller(guard: DatabaseGuard, keys: MasterKeys): CopiedKind<SellerTables> {
  return {
    migrations: SELLER_MIGRATIONS,
    marker: 'media_buy',
    tables: Object.keys(SELLER_RETENTION),
    // Secrets are carried to where the other engine has them.
    leftOut: ['shared_secret', 'nonce', 'state_version'],
    secrets: new CarriedSecrets(guard, keys),
  };
}
