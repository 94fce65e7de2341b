/** What the store uses of its query builder. */
export {
  type Compilable,
  CompiledQuery,
  DummyDriver,
  type ExpressionBuilder,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
