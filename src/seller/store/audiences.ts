import type { Reading, Writing } from '../../platform/database/engine.js';
import { sql } from '../../platform/database/kysely.js';
import { type Builder, createPrepare, parseDoc } from '../../platform/database/statement.js';
import { type Audience, type AudienceMember, isMatched, type MemberGroup } from '../domain/audience/audience.js';
import type { SellerTables } from './schema/schema.js';

/** An audience and the number by which its members are found. */
export type AudienceRow = { readonly seq: number; readonly audience: Audience };

type AccountId = { owner: string; account_id: string };
type AudienceId = AccountId & { audience_id: string };
type MemberId = { audience_seq: number; external_id: string };
type StoredAudience = { seq: number; doc: string };

/** Returns the statements on audiences and their members, compiled for an engine. */
export function audienceStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<AudienceId, StoredAudience>((q, slot) =>
      q
        .selectFrom('audience')
        .select(['seq', 'doc'])
        .where((is) => is.and(slot.each('owner', 'account_id', 'audience_id')))
        .where('clear_from', 'is', null),
    ),
    anywhere: prepare<{ owner: string; audience_id: string }, StoredAudience & { account_id: string }>((q, slot) =>
      q
        .selectFrom('audience')
        .select(['seq', 'doc', 'account_id'])
        .where((is) => is.and(slot.each('owner', 'audience_id')))
        .where('clear_from', 'is', null)
        .orderBy('seq')
        .limit(2),
    ),
    byAccount: prepare<AccountId, StoredAudience>((q, slot) =>
      q
        .selectFrom('audience')
        .select(['seq', 'doc'])
        .where((is) => is.and(slot.each('owner', 'account_id')))
        .where('clear_from', 'is', null)
        .orderBy('seq'),
    ),
    save: prepare<AudienceId & { doc: string }>((q, slot) =>
      q
        .insertInto('audience')
        .values(slot.each('owner', 'account_id', 'audience_id', 'doc'))
        .onConflict((c) =>
          c
            .columns(['owner', 'account_id', 'audience_id'])
            .where('clear_from', 'is', null)
            .doUpdateSet(slot.each('doc')),
        ),
    ),
    remove: prepare<{ seq: number }>((q, slot) =>
      q
        .updateTable('audience')
        .set({ clear_from: sql.lit(0) })
        .where('seq', '=', slot('seq')),
    ),
    saveMember: prepare<MemberId & { matched: number; identifiers: string }>((q, slot) =>
      q
        .insertInto('audience_member')
        .values(slot.each('audience_seq', 'external_id', 'matched', 'identifiers'))
        .onConflict((c) => c.columns(['audience_seq', 'external_id']).doUpdateSet(slot.each('matched', 'identifiers'))),
    ),
    removeMember: prepare<MemberId>((q, slot) =>
      q.deleteFrom('audience_member').where((is) => is.and(slot.each('audience_seq', 'external_id'))),
    ),
    groups: prepare<{ seq: number }, { identifiers: string; count: number }>((q, slot) =>
      q.selectFrom('audience_group').select(['identifiers', 'count']).where('audience_seq', '=', slot('seq')),
    ),
  };
}

/** The compiled statements on audiences. */
type AudienceStatements = ReturnType<typeof audienceStatements>;

/** Reads the audiences of one owner's account. */
export class AudienceReader {
  readonly #tx: Reading;
  readonly #statements: AudienceStatements;

  constructor(tx: Reading, statements: AudienceStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  async find(owner: string, account_id: string, audience_id: string): Promise<AudienceRow | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { owner, account_id, audience_id });
    return row && parseAudienceRow(row);
  }

  /** Returns the first two audiences of an id in the accounts of an owner, with their accounts. */
  async findAnywhere(owner: string, audience_id: string): Promise<(AudienceRow & { readonly accountId: string })[]> {
    const rows = await this.#tx.all(this.#statements.anywhere, { owner, audience_id });
    return rows.map((row) => ({ ...parseAudienceRow(row), accountId: row.account_id }));
  }

  async list(owner: string, account_id: string): Promise<AudienceRow[]> {
    return (await this.#tx.all(this.#statements.byAccount, { owner, account_id })).map(parseAudienceRow);
  }

  /** Returns the members of an audience, counted by their identifiers. */
  async groups(seq: number): Promise<MemberGroup[]> {
    const rows = await this.#tx.all(this.#statements.groups, { seq });
    return rows.map(({ identifiers, count }) => ({
      identifiers: JSON.parse(identifiers) as MemberGroup['identifiers'],
      count,
    }));
  }
}

/** Reads and writes audiences in one transaction. */
export class AudienceWriter extends AudienceReader {
  readonly #tx: Writing;
  readonly #statements: AudienceStatements;

  constructor(tx: Writing, statements: AudienceStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts an audience, or replaces the one with its id; returns its number. */
  async save(owner: string, account_id: string, audience: Audience): Promise<number> {
    const { audience_id } = audience;
    this.#tx.write(this.#statements.save, { owner, account_id, audience_id, doc: JSON.stringify(audience) });
    const saved = await this.find(owner, account_id, audience_id);
    if (saved === undefined) throw new Error('an audience that was saved is not there');
    return saved.seq;
  }

  /** Removes an audience; its members, who may be a million, are cleared by the next sweeps. */
  async remove({ seq }: AudienceRow): Promise<void> {
    this.#tx.write(this.#statements.remove, { seq });
  }

  /** Adds a member, or replaces the one with its external id. */
  async addMember(audience_seq: number, member: AudienceMember): Promise<void> {
    const { external_id } = member;
    const matched = isMatched(member) ? 1 : 0;
    const identifiers = JSON.stringify(member.identifiers);
    this.#tx.write(this.#statements.saveMember, { audience_seq, external_id, matched, identifiers });
  }

  /** Removes a member; returns whether there was one. */
  async removeMember(audience_seq: number, external_id: string): Promise<boolean> {
    return (await this.#tx.run(this.#statements.removeMember, { audience_seq, external_id })) > 0;
  }
}

function parseAudienceRow(row: StoredAudience): AudienceRow {
  return { seq: row.seq, audience: parseDoc<Audience>(row) };
}
