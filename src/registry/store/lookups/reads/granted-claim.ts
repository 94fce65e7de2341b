import { sql } from '../../../../platform/database/kysely.js';
import type { Builder, Prepare, Slots } from '../../../../platform/database/statement.js';
import type { RegistryTables } from '../../schema/schema.js';
import { type Names, nameSlots } from './name-lists.js';
import type { GrantedClaim, GrantRow } from './rows.js';

type ClaimParams = { edition: number; agent: number };

/** The columns of a granted claim, in the order of its statement. A row names the property, or none (`wide`). */
type GrantedClaimValues = readonly [
  rows: number,
  rid: string,
  property_id: string | null,
  inline: number,
  type: string,
  tags: string,
  identifiers: string,
  publisher: number,
  row_id: string | null,
  term: number,
  wide_row_id: string | null,
  wide_term: number,
];

/** Returns the granted claim of a row; undefined where there is none, or more than the one. */
export function readGrantedClaim(values: readonly unknown[] | undefined): GrantedClaim | undefined {
  if (values?.[0] !== 1) return undefined;
  const row = values as GrantedClaimValues;
  const [, rid, property_id, inline, type, tags, identifiers, publisher, row_id, term, wide_row_id, wide_term] = row;
  const grants: GrantRow[] = [];
  if (wide_row_id !== null) grants.push({ row_id: wide_row_id, rid: '', term: wide_term });
  if (row_id !== null) grants.push({ row_id, rid, term });
  return { claim: { rid, property_id, inline, type, tags, identifiers, publisher }, grants };
}

/**
 * Returns the statements that answer most questions in one go, each table read through an index alone (bench row `snapshot`): one row of
 * the claims with an agent's rows for them, and whether there are more. `byPatterns` has one for each number of patterns, as a list of
 * values costs more than a union.
 */
export function grantedClaimStatements(prepare: Prepare<RegistryTables>, maxPatterns: number) {
  return {
    byIdentifier: prepare<ClaimParams & { type: string; value: string }>((q, slot) =>
      grantedClaim(
        q,
        slot,
        q
          .selectFrom('lookup_identifier')
          .select('property')
          .where('edition', '=', slot('edition'))
          .where('value', '=', slot('value'))
          .where('own_host', '=', sql.lit(0))
          .where('type', '=', slot('type')),
      ),
    ),
    byPatterns: nameSlots(maxPatterns).map((_, index) =>
      prepare<ClaimParams & Names>((q, slot) => {
        const claimsOf = (pattern: `name${number}`) =>
          q
            .selectFrom('lookup_identifier')
            .select('property')
            .where('edition', '=', slot('edition'))
            .where('value', '=', slot(pattern))
            .where('own_host', '=', sql.lit(1));
        const others = nameSlots(index + 1).slice(1);
        return grantedClaim(
          q,
          slot,
          others.reduce((all, pattern) => all.unionAll(claimsOf(pattern)), claimsOf('name0')),
        );
      }),
    ),
  };
}

function identifiersOf(q: Builder<RegistryTables>) {
  return q.selectFrom('lookup_identifier').select('property');
}

function grantedClaim<Params extends ClaimParams>(
  q: Builder<RegistryTables>,
  slot: Slots<Params>,
  claims: ReturnType<typeof identifiersOf>,
) {
  const some = q
    .selectFrom(claims.as('i'))
    .innerJoin('lookup_property as p', 'p.id', 'i.property')
    .leftJoin('lookup_grant as g', (join) =>
      join.onRef('g.publisher', '=', 'p.publisher').on('g.agent', '=', slot('agent')).onRef('g.rid', '=', 'p.rid'),
    )
    .leftJoin('lookup_grant as w', (join) =>
      join.onRef('w.publisher', '=', 'p.publisher').on('w.agent', '=', slot('agent')).on('w.rid', '=', sql.lit('')),
    )
    .select(['p.rid', 'p.property_id', 'p.inline', 'p.type', 'p.tags', 'p.identifiers', 'p.publisher'])
    .select(['g.row_id', 'g.term', 'w.row_id as wide_row_id', 'w.term as wide_term'])
    .limit(2);
  return q
    .selectFrom(some.as('x'))
    .select((e) => e.fn.countAll<number>().as('rows'))
    .selectAll('x');
}
