/** Everything that repositories use of the query builder. */
export {
  type Compilable,
  CompiledQuery,
  DummyDriver,
  type ExpressionBuilder,
  type Generated,
  Kysely,
  type SchemaModule,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
