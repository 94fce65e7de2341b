import type { DirectReading } from '../../../../platform/database/engine.js';
import { sql } from '../../../../platform/database/kysely.js';
import { type Builder, createPrepare, type Prepare } from '../../../../platform/database/statement.js';
import type { RegistryTables } from '../../schema/schema.js';
import { type Names, nameSlots, readInParts } from './name-lists.js';
import type { AgentGrantRow, GrantRow } from './rows.js';

type Pair = { publisher: number; agent: number };

/** Rids that are looked up at a time. */
const RIDS_AT_A_TIME = 40;

/** Reads agents of the live edition and the rows that authorize them. */
export class GrantReads {
  readonly #direct: DirectReading;
  readonly #edition: () => number;
  readonly #statements: ReturnType<typeof grantStatements> & ReturnType<typeof agentStatements>;

  constructor(db: Builder<RegistryTables>, direct: DirectReading, edition: () => number) {
    const prepare = createPrepare(db);
    this.#direct = direct;
    this.#edition = edition;
    this.#statements = { ...grantStatements(prepare), ...agentStatements(prepare) };
  }

  /** Returns the number of an agent by its canonical URL. */
  agent(url: string): number | undefined {
    return this.#direct.one(this.#statements.agent, { edition: this.#edition(), url })?.id;
  }

  /** Returns a row of a publisher that authorizes an agent with this careless spelling. */
  ofSpelling(publisher: number, careless: string): AgentGrantRow | undefined {
    return this.#direct.one(this.#statements.ofSpelling, { edition: this.#edition(), publisher, careless });
  }

  /** Returns the rows of an agent at a publisher that name no property or this one, at most so many. */
  forProperty(publisher: number, agent: number, rid: string, limit: number): readonly GrantRow[] {
    return this.#direct.all(this.#statements.forProperty, { publisher, agent, rid, limit });
  }

  /** Returns the rows of an agent at a publisher that name one of the properties. */
  naming(publisher: number, agent: number, rids: readonly string[]): readonly GrantRow[] {
    return readInParts(rids, RIDS_AT_A_TIME, (part) =>
      this.#direct.all(this.#statements.naming, { publisher, agent, ...part }),
    );
  }

  /** Returns some rows of an agent at a publisher that name a property. */
  someNaming(publisher: number, agent: number, limit: number): readonly GrantRow[] {
    return this.#direct.all(this.#statements.someNaming, { publisher, agent, limit });
  }

  /** Returns all rows of a publisher. */
  ofPublisher(publisher: number): readonly AgentGrantRow[] {
    return this.#direct.all(this.#statements.ofPublisher, { publisher });
  }

  /** Returns the exclusive rows of a publisher that name no property or one of these, of all agents but this one. */
  exclusive(publisher: number, agent: number, rids: readonly string[], limit: number): readonly AgentGrantRow[] {
    return readInParts(['', ...rids], RIDS_AT_A_TIME, (part) =>
      this.#direct.all(this.#statements.exclusive, { publisher, agent, limit, ...part }),
    );
  }

  /** Returns the terms of rows as JSON. */
  term(id: number): string | undefined {
    return this.#direct.one(this.#statements.term, { id })?.doc;
  }

  /** Returns the URLs of the agents that a publisher authorizes for something. */
  agentsAt(publisher: number): readonly string[] {
    return this.#direct.all(this.#statements.agentsAt, { publisher }).map(({ url }) => url);
  }
}

function agentStatements(prepare: Prepare<RegistryTables>) {
  return {
    agent: prepare<{ edition: number; url: string }, { id: number }>((q, slot) =>
      q.selectFrom('lookup_agent').select('id').where('edition', '=', slot('edition')).where('url', '=', slot('url')),
    ),
    agentsAt: prepare<{ publisher: number }, { url: string }>((q, slot) =>
      q
        .selectFrom('lookup_grant as g')
        .innerJoin('lookup_agent as a', 'a.id', 'g.agent')
        .select('a.url')
        .distinct()
        .where('g.publisher', '=', slot('publisher')),
    ),
    term: prepare<{ id: number }, { doc: string }>((q, slot) =>
      q.selectFrom('lookup_term').select('doc').where('id', '=', slot('id')),
    ),
  };
}

function grantStatements(prepare: Prepare<RegistryTables>) {
  const ridSlots = nameSlots(RIDS_AT_A_TIME);
  return {
    ofSpelling: prepare<{ edition: number; publisher: number; careless: string }, AgentGrantRow>((q, slot) =>
      q
        .selectFrom('lookup_agent as a')
        .innerJoin('lookup_grant as g', (join) =>
          join.onRef('g.agent', '=', 'a.id').on('g.publisher', '=', slot('publisher')),
        )
        .select(['a.url', 'g.row_id', 'g.rid', 'g.term'])
        .where('a.edition', '=', slot('edition'))
        .where('a.careless', '=', slot('careless'))
        .limit(1),
    ),
    forProperty: prepare<Pair & { rid: string; limit: number }, GrantRow>((q, slot) =>
      q
        .selectFrom('lookup_grant')
        .select(['row_id', 'rid', 'term'])
        .where('publisher', '=', slot('publisher'))
        .where('agent', '=', slot('agent'))
        .where('rid', 'in', ['', slot('rid')])
        .limit(slot('limit')),
    ),
    naming: prepare<Pair & Names, GrantRow>((q, slot) =>
      q
        .selectFrom('lookup_grant')
        .select(['row_id', 'rid', 'term'])
        .where('publisher', '=', slot('publisher'))
        .where('agent', '=', slot('agent'))
        .where('rid', 'in', ridSlots.map(slot)),
    ),
    someNaming: prepare<Pair & { limit: number }, GrantRow>((q, slot) =>
      q
        .selectFrom('lookup_grant')
        .select(['row_id', 'rid', 'term'])
        .where('publisher', '=', slot('publisher'))
        .where('agent', '=', slot('agent'))
        .where('rid', '>', '')
        .limit(slot('limit')),
    ),
    ofPublisher: prepare<{ publisher: number }, AgentGrantRow>((q, slot) =>
      q
        .selectFrom('lookup_grant as g')
        .innerJoin('lookup_agent as a', 'a.id', 'g.agent')
        .select(['g.row_id', 'g.rid', 'g.term', 'a.url'])
        .where('g.publisher', '=', slot('publisher')),
    ),
    exclusive: prepare<Pair & Names & { limit: number }, AgentGrantRow>((q, slot) =>
      q
        .selectFrom('lookup_grant as g')
        .innerJoin('lookup_agent as a', 'a.id', 'g.agent')
        .select(['g.row_id', 'g.rid', 'g.term', 'a.url'])
        .where('g.publisher', '=', slot('publisher'))
        .where('g.exclusive', '=', sql.lit(1))
        .where('g.rid', 'in', ridSlots.map(slot))
        .where('g.agent', '!=', slot('agent'))
        .limit(slot('limit')),
    ),
  };
}
