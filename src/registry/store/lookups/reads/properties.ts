import type { DirectReading } from '../../../../platform/database/engine.js';
import { sql } from '../../../../platform/database/kysely.js';
import { type Builder, createPrepare, type Prepare } from '../../../../platform/database/statement.js';
import type { RegistryTables } from '../../schema/schema.js';
import { grantedClaimStatements, readGrantedClaim } from './granted-claim.js';
import { type Names, nameSlots, partOfNames, readInParts } from './name-lists.js';
import type { ClaimRow, GrantedClaim, PropertyRow } from './rows.js';

/** Patterns of hosts that are looked up at a time: those of most hosts. */
const PATTERNS_AT_A_TIME = 5;

/** Reads properties of the live edition, by what they are known by. */
export class PropertyReads {
  readonly #direct: DirectReading;
  readonly #edition: () => number;
  readonly #statements: ReturnType<typeof propertyStatements>;
  readonly #granted: ReturnType<typeof grantedClaimStatements>;

  constructor(db: Builder<RegistryTables>, direct: DirectReading, edition: () => number) {
    const prepare = createPrepare(db);
    this.#direct = direct;
    this.#edition = edition;
    this.#statements = propertyStatements(prepare);
    this.#granted = grantedClaimStatements(prepare, PATTERNS_AT_A_TIME);
  }

  /** Returns the property with an identifier that is no host and an agent's rows for it; undefined where there are several of either. */
  onlyClaim(type: string, value: string, agent: number): GrantedClaim | undefined {
    const params = { edition: this.#edition(), type, value, agent };
    return readGrantedClaim(this.#direct.values(this.#granted.byIdentifier, params));
  }

  /** Returns the property that the patterns of a host name and an agent's rows for it; undefined where there are several of either. */
  onlyHostClaim(patterns: readonly string[], agent: number): GrantedClaim | undefined {
    const statement = this.#granted.byPatterns[patterns.length - 1];
    if (statement === undefined) return undefined;
    const names = partOfNames(patterns, 0, patterns.length);
    return readGrantedClaim(this.#direct.values(statement, { edition: this.#edition(), agent, ...names }));
  }

  /** Returns a property by its id in the records. */
  find(rid: string): PropertyRow | undefined {
    return this.#direct.one(this.#statements.find, { edition: this.#edition(), rid });
  }

  /** Returns the properties with an identifier that is no host, at most so many. */
  claims(type: string, value: string, limit: number): readonly ClaimRow[] {
    return this.#direct.all(this.#statements.claims, { edition: this.#edition(), type, value, limit });
  }

  /** Returns the properties of a publisher with an identifier that is no host, at most so many. */
  claimsOfPublisher(publisher: number, type: string, value: string, limit: number): readonly ClaimRow[] {
    const params = { edition: this.#edition(), publisher, type, value, limit };
    return this.#direct.all(this.#statements.claimsOfPublisher, params);
  }

  /** Returns the properties that the patterns of hosts name, once for each that names them, at most so many of a pattern. */
  hostClaims(patterns: readonly string[], limit: number): readonly ClaimRow[] {
    return this.#hostClaims(patterns, limit, 0);
  }

  /** Returns those of them that are of the publisher whose host it is. */
  ownHostClaims(patterns: readonly string[], limit: number): readonly ClaimRow[] {
    return this.#hostClaims(patterns, limit, 1);
  }

  #hostClaims(patterns: readonly string[], limit: number, lowest: 0 | 1): readonly ClaimRow[] {
    return readInParts(patterns, PATTERNS_AT_A_TIME, (part) =>
      this.#direct.all(this.#statements.hostClaims, { edition: this.#edition(), limit, lowest, ...part }),
    );
  }

  /** Returns the properties of a publisher with an id, at most so many. */
  named(publisher: number, property_id: string, limit: number): readonly PropertyRow[] {
    return this.#direct.all(this.#statements.named, { publisher, property_id, limit });
  }

  /** Returns all properties of a publisher. */
  ofPublisher(publisher: number): readonly PropertyRow[] {
    return this.#direct.all(this.#statements.ofPublisher, { publisher });
  }

  /** Whether several listed properties of a publisher have an id. */
  isSharedId(publisher: number, property_id: string): boolean {
    return this.#direct.all(this.#statements.listedWithId, { publisher, property_id }).length > 1;
  }
}

const PROPERTY_COLUMNS = [
  'p.rid',
  'p.property_id',
  'p.inline',
  'p.type',
  'p.tags',
  'p.identifiers',
  'p.publisher',
] as const;

/** Returns the query of properties by their identifiers, each with whether the identifier is the host of the property itself. */
function selectClaims(q: Builder<RegistryTables>) {
  return q
    .selectFrom('lookup_identifier as i')
    .innerJoin('lookup_property as p', 'p.id', 'i.property')
    .select([...PROPERTY_COLUMNS, 'i.own_host']);
}

function propertyStatements(prepare: Prepare<RegistryTables>) {
  const patternSlots = nameSlots(PATTERNS_AT_A_TIME);
  return {
    hostClaims: prepare<Names & { edition: number; limit: number; lowest: number }, ClaimRow>((q, slot) =>
      selectClaims(q)
        .where('i.edition', '=', slot('edition'))
        .where('i.value', 'in', patternSlots.map(slot))
        .where('i.own_host', 'in', [slot('lowest'), sql.lit(1)])
        .where('i.type', 'in', [sql.lit('domain'), sql.lit('subdomain')])
        .limit(slot('limit')),
    ),
    claims: prepare<{ edition: number; type: string; value: string; limit: number }, ClaimRow>((q, slot) =>
      selectClaims(q)
        .where('i.edition', '=', slot('edition'))
        .where('i.value', '=', slot('value'))
        .where('i.own_host', '=', sql.lit(0))
        .where('i.type', '=', slot('type'))
        .limit(slot('limit')),
    ),
    claimsOfPublisher: prepare<
      { edition: number; publisher: number; type: string; value: string; limit: number },
      ClaimRow
    >((q, slot) =>
      selectClaims(q)
        .where('i.edition', '=', slot('edition'))
        .where('i.value', '=', slot('value'))
        .where('i.own_host', '=', sql.lit(0))
        .where('i.type', '=', slot('type'))
        .where('p.publisher', '=', slot('publisher'))
        .limit(slot('limit')),
    ),
    find: prepare<{ edition: number; rid: string }, PropertyRow>((q, slot) =>
      q
        .selectFrom('lookup_property as p')
        .select(PROPERTY_COLUMNS)
        .where('p.edition', '=', slot('edition'))
        .where('p.rid', '=', slot('rid')),
    ),
    named: prepare<{ publisher: number; property_id: string; limit: number }, PropertyRow>((q, slot) =>
      q
        .selectFrom('lookup_property as p')
        .select(PROPERTY_COLUMNS)
        .where('p.publisher', '=', slot('publisher'))
        .where('p.property_id', '=', slot('property_id'))
        .limit(slot('limit')),
    ),
    ofPublisher: prepare<{ publisher: number }, PropertyRow>((q, slot) =>
      q.selectFrom('lookup_property as p').select(PROPERTY_COLUMNS).where('p.publisher', '=', slot('publisher')),
    ),
    listedWithId: prepare<{ publisher: number; property_id: string }, { id: number }>((q, slot) =>
      q
        .selectFrom('lookup_property')
        .select('id')
        .where('publisher', '=', slot('publisher'))
        .where('property_id', '=', slot('property_id'))
        .where('inline', '=', 0)
        .limit(2),
    ),
  };
}
