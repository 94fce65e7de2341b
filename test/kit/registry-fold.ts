import path from 'node:path';
import { expect } from 'vitest';
import type { RegistryEvent } from '../../src/registry/model/records.js';
import type { ServerStore } from '../../src/registry/server/store/server-store.js';
import { fold } from '../../src/registry/store/fold.js';
import { openRegistryStore, type RegistryReader } from '../../src/registry/store/registry-store.js';
import { temporaryFolder } from './surroundings.js';

/** The nouns that the feed tells; brands are not among them. */
const TOLD = ['publisher', 'property', 'collection', 'agent', 'authorization'] as const;
/** Events that are folded; longer feeds are for tests of their own. */
const MAX_EVENTS = 2000;

/** Expects that the events of a registry, folded from the first on, come to what its catalog holds. */
export async function expectFoldedFeed({ read }: Pick<ServerStore, 'read'>): Promise<void> {
  // A feed that has forgotten its beginning tells less than the catalog holds.
  if ((await read.crawl.findFeedFloor()) !== undefined) return;
  for (;;) {
    const events = await read.events.page('', MAX_EVENTS + 1);
    if (events.length > MAX_EVENTS) return;
    const held = await recordsOf(read);
    const after = await read.events.page(events.at(-1)?.event_id ?? '', 1);
    // A round of the crawler may come between.
    if (after.length === 0) return expect(await foldEvents(events)).toEqual(held);
  }
}

/** Returns the records that the events of a registry come to, by their nouns; brands are not told. */
export async function foldEvents(events: readonly RegistryEvent[]): Promise<object> {
  const store = openRegistryStore(path.join(temporaryFolder('seller-registry-fold-'), 'registry.db'));
  try {
    await store.transact(async (tx) => {
      for (const event of events) await fold(tx, event);
    });
    return await recordsOf(store.read);
  } finally {
    await store.close();
  }
}

/** Returns the records of a registry that its feed tells, by their nouns. */
export async function recordsOf(read: RegistryReader): Promise<object> {
  const held: Record<string, readonly object[]> = {};
  for (const noun of TOLD) held[noun] = await read[noun].page('', 10 * MAX_EVENTS);
  return held;
}
