import {
  type Compilable,
  DummyDriver,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  replaceWithNoncontingentExpression,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from './kysely.js';
import { PostgresCompiler } from './postgres/dialect.js';

/** SQL text with its parameters in order; a `Slot` stands for a value that each run brings. */
export type Statement<Params, Row> = {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Carries the types only. */
  readonly types?: (params: Params) => Row;
};

/** Builds queries on the tables `Database` without running them. */
export type Builder<Database> = Kysely<Database>;

const DIALECTS = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresCompiler(),
  },
} as const;

/** PostgreSQL does not read `in ()`, which nothing is in. */
const NO_EMPTY_LISTS = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });

/** The engines that the one body of queries is compiled for. */
export type EngineName = keyof typeof DIALECTS;

/** Returns the query builder for an engine. */
export function createBuilder<Database>(engine: EngineName): Builder<Database> {
  return new Kysely<Database>({ dialect: DIALECTS[engine], plugins: engine === 'postgres' ? [NO_EMPTY_LISTS] : [] });
}

/** How engines take a list of values as one parameter, which `bind` writes and `open` and `close` surround. */
export const LISTS = {
  sqlite: {
    bind: (values: readonly unknown[]): unknown => JSON.stringify(values),
    open: 'IN (SELECT value FROM json_each(',
    close: '))',
  },
  postgres: { bind: (values: readonly unknown[]): unknown => values, open: '= ANY (', close: ')' },
} as const;

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Stands in a query for the parameters of a run. */
export type Slots<Params> = {
  /** Stands for the parameter called `name`. */
  <K extends keyof Params & string>(name: K): Params[K];
  /** Stands for several parameters, each under the name of the column it is the value of. */
  each<K extends keyof Params & string>(...names: readonly K[]): Pick<Params, K>;
};

/** Compiles a query once; every run fills its slots. */
export type Prepare<Database> = <Params extends object, Row = unknown>(
  build: (db: Builder<Database>, slot: Slots<Params>) => Compilable<Row>,
) => Statement<Params, Row>;

/** Returns the function that compiles statements with `builder`; this keeps the builder off the hot path. */
export function createPrepare<Database>(builder: Builder<Database>): Prepare<Database> {
  return (build) => {
    const { sql, parameters } = build(builder, createSlots()).compile();
    return { sql, parameters };
  };
}

function createSlots<Params>(): Slots<Params> {
  // A slot travels through the builder as an opaque parameter value, typed as the value it stands for.
  const slot = <K extends keyof Params & string>(name: K) => new Slot(name) as Params[K];
  const each = <K extends keyof Params & string>(...names: readonly K[]) =>
    Object.fromEntries(names.map((name) => [name, slot(name)])) as Pick<Params, K>;
  return Object.assign(slot, { each });
}

/** Compiles a query for one run, where its shape depends on the request. */
export function once<Row>(query: Compilable<Row>): Statement<Record<string, never>, Row> {
  const { sql, parameters } = query.compile();
  return { sql, parameters };
}

/** Returns the values of a run, in the order of the SQL's placeholders. */
export function bindParameters<Params extends object>(
  statement: Statement<Params, unknown>,
  params: Params,
): unknown[] {
  return statement.parameters.map((value) =>
    value instanceof Slot ? (params[value.name as keyof Params] ?? null) : value,
  );
}

/** A row that holds a record as JSON. */
export type DocRow = { readonly doc: string };

/** Returns the record of a row; undefined where there is no row. */
export function parseDoc<T>(row: DocRow): T;
export function parseDoc<T>(row: DocRow | undefined): T | undefined;
export function parseDoc<T>(row: DocRow | undefined): T | undefined {
  return row && (JSON.parse(row.doc) as T);
}
