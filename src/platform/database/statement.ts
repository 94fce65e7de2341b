import type { Database, EngineName } from '../../seller/store/schema/schema.js';
import {
  type Compilable,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from './kysely.js';

/** SQL text with its parameters in order; a `Slot` stands for a value that each run brings. */
export type Statement<Params, Row> = {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Carries the types only. */
  readonly types?: (params: Params) => Row;
};

/** Builds queries for one engine without running them; of the seller's store unless other tables are named. */
export type Builder<Tables = Database> = Kysely<Tables>;

/** The query builder of an engine. */
export function builderFor<Tables = Database>(_engine: EngineName): Builder<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Stands in a query for the parameter called `name`. */
export type Slots<Params> = <K extends keyof Params & string>(name: K) => Params[K];

/** Compiles a query once; every run fills its slots. This is what keeps the builder off the hot path. */
export function statement<Params extends object, Row = unknown, Tables = Database>(
  builder: Builder<Tables>,
  build: (db: Builder<Tables>, slot: Slots<Params>) => Compilable<Row>,
): Statement<Params, Row> {
  // A slot travels through the builder as an opaque parameter value, typed as the value it stands for.
  const slot: Slots<Params> = (name) => new Slot(name) as never;
  const { sql, parameters } = build(builder, slot).compile();
  return { sql, parameters };
}

/** A query built for one run, where its shape depends on the request. */
export function once<Row>(query: Compilable<Row>): Statement<Record<string, never>, Row> {
  const { sql, parameters } = query.compile();
  return { sql, parameters };
}

/** The values of a run, in the order of the SQL's placeholders. */
export function bind<Params extends object>(statement: Statement<Params, unknown>, params: Params): unknown[] {
  return statement.parameters.map((value) =>
    value instanceof Slot ? (params[value.name as keyof Params] ?? null) : value,
  );
}
