import { afterAll } from 'vitest';
import { openRegistryIndex, type RegistryIndex } from '../../../src/registry/mirror/lookup/registry-index.js';
import type { AliasChange, AuthorizationRecord, RecordChange } from '../../../src/registry/model/records.js';
import { openRegistryStore, type RegistryStore } from '../../../src/registry/store/registry-store.js';
import { temporaryFolder } from '../../kit/surroundings.js';

/** A store with its lookups, into which changes of records are written. */
export type Indexed = {
  readonly store: RegistryStore;
  readonly index: RegistryIndex;
  readonly write: (changes: readonly (RecordChange | AliasChange)[]) => Promise<void>;
  /** Takes away all that was written. */
  readonly clear: () => Promise<void>;
};

/** Opens an empty store with its lookups, until the tests of the file are over. */
export async function openIndexed(): Promise<Indexed> {
  const store = openRegistryStore(`${temporaryFolder('seller-agent-indexed-')}/registry.db`, 'copy');
  const index = await openRegistryIndex(store);
  const written = new Map<string, RecordChange>();
  afterAll(async () => {
    await index.close();
    await store.close();
  });
  const write: Indexed['write'] = async (changes) => {
    await store.transact(async (tx) => {
      for (const change of changes) {
        if (change.noun === 'alias') await tx.links.merge(change.id, change.canonical);
        else if (change.record === undefined) await tx[change.noun].remove(change.id);
        // Noun and record belong together, which the compiler cannot see through the table.
        else await (tx[change.noun] as { put(record: object): Promise<boolean> }).put(change.record);
      }
    });
    for (const change of changes) if (change.noun !== 'alias') written.set(`${change.noun} ${change.id}`, change);
  };
  return {
    store,
    index,
    write,
    clear: async () => {
      const gone = [...written.values()].map((change) => ({ ...change, record: undefined }) as RecordChange);
      written.clear();
      await write(gone);
      written.clear();
    },
  };
}

const AT = '2026-01-01T00:00:00Z';

/** Returns the row of a publisher that authorizes an agent for everything, unless `rest` says otherwise. */
export function grantOf(
  publisher_domain: string,
  { id, agent_url, ...rest }: Pick<AuthorizationRecord, 'id' | 'agent_url'> & Partial<AuthorizationRecord>,
): RecordChange {
  const record: AuthorizationRecord = {
    id,
    agent_url,
    agent_url_canonical: agent_url,
    publisher_domain,
    authorization_type: 'publisher_properties',
    authorized_for: 'everything',
    property_rid: null,
    property_id_slug: null,
    evidence: 'adagents_json',
    disputed: false,
    created_by: null,
    expires_at: null,
    created_at: AT,
    updated_at: AT,
    ...rest,
  };
  return { noun: 'authorization', id, record };
}
