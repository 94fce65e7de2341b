/** What the store uses of its query builder. */
export {
  type Compilable,
  DummyDriver,
  type ExpressionBuilder,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
