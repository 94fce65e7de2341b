import type { Compilable } from '../../../platform/database/kysely.js';
import { plainSql } from '../../../platform/database/migrations.js';
import type { EngineName } from '../../../platform/database/statement.js';
import { createTrigger } from '../../../platform/database/trigger.js';

/** A list whose totals are kept; `kind` is a column that its rows are told apart by besides their state. */
type CountedList = { readonly table: string; readonly kind?: string };

/** Returns what counts the rows of a list by owner, account, kind and state: those that are there, and those that come, move and go. */
export function countListed(engine: EngineName, { kind, table }: CountedList): readonly Compilable[] {
  const kindOf = (row: string): string => (kind === undefined ? `''` : `${row}.${kind}`);
  const join = (row: string): string => `INSERT INTO list_count
    VALUES (${row}.owner, '${table}', ${row}.account_id, ${kindOf(row)}, ${row}.status, 1)
    ON CONFLICT (owner, list, account_id, kind, status) DO UPDATE SET count = list_count.count + 1;`;
  const leave = (row: string): string => {
    const which = `owner = ${row}.owner AND list = '${table}' AND account_id = ${row}.account_id
      AND kind = ${kindOf(row)} AND status = ${row}.status`;
    return `UPDATE list_count SET count = count - 1 WHERE ${which};
      DELETE FROM list_count WHERE ${which} AND count = 0;`;
  };
  return [
    plainSql(`INSERT INTO list_count SELECT owner, '${table}', account_id, ${kindOf('t')}, status, count(*)
      FROM "${table}" t GROUP BY 1, 3, 4, 5`),
    ...createTrigger(engine, { name: `${table}_listed`, table, event: 'INSERT', action: join('new') }),
    ...createTrigger(engine, { name: `${table}_unlisted`, table, event: 'DELETE', action: leave('old') }),
    ...createTrigger(engine, {
      name: `${table}_moved`,
      table,
      event: 'UPDATE OF status',
      condition: 'new.status <> old.status',
      action: `${leave('old')} ${join('new')}`,
    }),
  ];
}
