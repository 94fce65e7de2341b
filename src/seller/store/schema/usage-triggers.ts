import type { Compilable } from '../../../platform/database/kysely.js';
import { plainSql } from '../../../platform/database/migrations.js';
import type { EngineName } from '../../../platform/database/statement.js';
import { createTrigger } from '../../../platform/database/trigger.js';

/** How the rows of a table count for their owners; `row` is the name of one in SQL. */
type Counted = {
  readonly noun: string;
  readonly owner?: (row: string) => string;
  readonly bytes?: (row: string) => string;
};

const ownOwner = (row: string): string => `${row}.owner`;
const docBytes = (row: string): string => `octet_length(${row}.doc)`;

/** Returns what counts the rows of a table that are there for their owners, and those that come and go. */
export function countOwned(
  engine: EngineName,
  table: string,
  { bytes = docBytes, noun, owner = ownOwner }: Counted,
): readonly Compilable[] {
  return [
    plainSql(`INSERT INTO owner_usage SELECT who, '${noun}', count(*), sum(size) FROM (
      SELECT ${owner('t')} AS who, ${bytes('t')} AS size FROM "${table}" t) AS sizes WHERE who IS NOT NULL GROUP BY who`),
    ...createTrigger(engine, {
      name: `${table}_added`,
      table,
      event: 'INSERT',
      action: `INSERT INTO owner_usage VALUES (${owner('new')}, '${noun}', 1, ${bytes('new')})
        ON CONFLICT (owner, noun)
        DO UPDATE SET count = owner_usage.count + 1, bytes = owner_usage.bytes + excluded.bytes;`,
    }),
    ...createTrigger(engine, {
      name: `${table}_removed`,
      table,
      event: 'DELETE',
      action: `UPDATE owner_usage SET count = count - 1, bytes = bytes - (${bytes('old')})
        WHERE owner = ${owner('old')} AND noun = '${noun}';`,
    }),
    ...createTrigger(engine, {
      name: `${table}_changed`,
      table,
      event: 'UPDATE',
      condition: `${bytes('new')} <> ${bytes('old')}`,
      action: `UPDATE owner_usage SET bytes = bytes + (${bytes('new')}) - (${bytes('old')})
        WHERE owner = ${owner('new')} AND noun = '${noun}';`,
    }),
  ];
}
