import type { Compilable } from './kysely.js';
import { plainSql } from './migrations.js';
import type { EngineName } from './statement.js';

/** A trigger of a table, run after each changed row. */
type Trigger = {
  readonly name: string;
  readonly table: string;
  /** Such as `INSERT`, or `UPDATE OF doc`. */
  readonly event: string;
  /** Condition on `new` and `old`. */
  readonly condition?: string;
  /** Statements that every engine reads alike, each with its semicolon. */
  readonly action: string;
};

/** Returns the steps that make a trigger. */
export function createTrigger(
  engine: EngineName,
  { action, condition, event, name, table }: Trigger,
): readonly Compilable[] {
  const when = condition === undefined ? '' : `WHEN (${condition})`;
  const head = `CREATE TRIGGER ${name} AFTER ${event} ON "${table}"`;
  if (engine === 'sqlite') return [plainSql(`${head} ${when} BEGIN ${action} END`)];
  return [
    plainSql(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
      $body$ BEGIN ${action} RETURN NULL; END $body$`),
    plainSql(`${head} FOR EACH ROW ${when} EXECUTE FUNCTION ${name}()`),
  ];
}
