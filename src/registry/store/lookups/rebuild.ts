import type { Engine, Reading } from '../../../platform/database/engine.js';
import { yieldToEventLoop } from '../../../platform/kernel/event-loop.js';
import type { Noun, RecordChange, Records } from '../../model/records.js';
import type { Scan } from '../records.js';
import type { RegistryTables } from '../schema/schema.js';
import type { Lookups } from './lookups.js';

/** Rows that are written in one transaction: nobody waits longer than they take. */
const ROWS_PER_TRANSACTION = 50;

/** The nouns that authorizations are looked up in. */
const LOOKED_UP = ['publisher', 'property', 'authorization'] as const satisfies readonly Noun[];
/** The member that each is identified by. */
const ID_MEMBERS = { publisher: 'domain', property: 'property_rid', authorization: 'id' } as const;

/** Reads the rows of each noun of a file in the order they were first written. */
export type ScanRecords = <N extends Noun>(
  tx: Reading,
  noun: N,
  page: { readonly at: number; readonly limit: number },
) => Promise<Scan<Records[N]>>;

/**
 * Writes all records into an edition of its own, a few at a time beside the edition that answers, and puts it in the place of that.
 * Changes that come meanwhile are written to both.
 */
export async function rebuildLookups(
  engine: Pick<Engine<RegistryTables>, 'transact'>,
  lookups: Lookups,
  scan: ScanRecords,
): Promise<void> {
  await deleteOldEditions(engine, lookups);
  const write = await engine.transact((tx) => lookups.beginEdition(tx));
  try {
    for (const noun of LOOKED_UP) {
      for (let [at, isMore] = [0, true]; isMore; ) {
        ({ at, isMore } = await engine.transact(async (tx) => {
          lookups.begin();
          const { records, at: next } = await scan(tx, noun, { at, limit: ROWS_PER_TRANSACTION });
          for (const record of records) await write(tx, { noun, id: recordId(noun, record), record } as RecordChange);
          await lookups.end(tx);
          return { at: next, isMore: records.length === ROWS_PER_TRANSACTION };
        }));
        await yieldToEventLoop();
      }
    }
    await engine.transact((tx) => lookups.goLive(tx));
  } finally {
    lookups.abandonEdition();
  }
  await deleteOldEditions(engine, lookups);
}

async function deleteOldEditions(engine: Pick<Engine<RegistryTables>, 'transact'>, lookups: Lookups): Promise<void> {
  while (await engine.transact((tx) => lookups.deleteSome(tx))) {
    await yieldToEventLoop();
  }
}

function recordId(noun: (typeof LOOKED_UP)[number], record: object): string {
  const members: Readonly<Record<string, unknown>> = { ...record };
  return String(members[ID_MEMBERS[noun]]);
}
