/**
 * What the store uses of its query builder. The build folds the library into this one file: as it is published it is 300
 * files, which cost a fifth of the time from start to first answer.
 */
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
