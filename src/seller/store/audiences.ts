import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import { type Audience, isMatched, type Member, type MemberGroup } from '../domain/audience/audience.js';
import type { SellerTables } from './schema/schema.js';

/** An audience and the number by which its members are found. */
export type AudienceRow = { readonly seq: number; readonly audience: Audience };

/** Audiences of one owner's account. */
export type AudienceReads = {
  readonly find: (owner: string, accountId: string, audienceId: string) => Promise<AudienceRow | undefined>;
  readonly list: (owner: string, accountId: string) => Promise<AudienceRow[]>;
  /** The members of an audience, counted by what they are known by. */
  readonly groups: (audienceSeq: number) => Promise<MemberGroup[]>;
};
export type AudienceWrites = AudienceReads & {
  /** Inserts an audience, or replaces the one with its id; answers its number. */
  readonly save: (owner: string, accountId: string, audience: Audience) => Promise<number>;
  /** Removes an audience with its members. */
  readonly remove: (row: AudienceRow) => Promise<void>;
  /** Adds a member, or replaces the one with its external id. */
  readonly addMember: (audienceSeq: number, member: Member) => Promise<void>;
  /** Answers whether there was such a member. */
  readonly removeMember: (audienceSeq: number, externalId: string) => Promise<boolean>;
};

/** The repository of audiences over an engine. */
export function audienceRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  type Of = { owner: string; account_id: string };
  type Row = { seq: number; doc: string };
  const byId = prepare<Of & { audience_id: string }, Row>((q, slot) =>
    q
      .selectFrom('audience')
      .select(['seq', 'doc'])
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id'))
      .where('audience_id', '=', slot('audience_id')),
  );
  const byAccount = prepare<Of, Row>((q, slot) =>
    q
      .selectFrom('audience')
      .select(['seq', 'doc'])
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id'))
      .orderBy('seq'),
  );
  const upsert = prepare<Of & { audience_id: string; doc: string }>((q, slot) =>
    q
      .insertInto('audience')
      .values({
        owner: slot('owner'),
        account_id: slot('account_id'),
        audience_id: slot('audience_id'),
        doc: slot('doc'),
      } as never)
      .onConflict((c) => c.columns(['owner', 'account_id', 'audience_id']).doUpdateSet({ doc: slot('doc') })),
  );
  const drop = prepare<{ seq: number }>((q, slot) => q.deleteFrom('audience').where('seq', '=', slot('seq')));
  const dropMembers = prepare<{ seq: number }>((q, slot) =>
    q.deleteFrom('audience_member').where('audience_seq', '=', slot('seq')),
  );
  type InAudience = { seq: number; external_id: string };
  const add = prepare<InAudience & { matched: number; identifiers: string }>((q, slot) =>
    q
      .insertInto('audience_member')
      .values({
        audience_seq: slot('seq'),
        external_id: slot('external_id'),
        matched: slot('matched'),
        identifiers: slot('identifiers'),
      } as never)
      .onConflict((c) =>
        c
          .columns(['audience_seq', 'external_id'])
          .doUpdateSet({ matched: slot('matched'), identifiers: slot('identifiers') }),
      ),
  );
  const removeOne = prepare<InAudience>((q, slot) =>
    q
      .deleteFrom('audience_member')
      .where('audience_seq', '=', slot('seq'))
      .where('external_id', '=', slot('external_id')),
  );
  const grouped = prepare<{ seq: number }, { identifiers: string; count: number }>((q, slot) =>
    q
      .selectFrom('audience_member')
      .select(({ fn }) => ['identifiers', fn.countAll<number>().as('count')])
      .where('audience_seq', '=', slot('seq'))
      .groupBy('identifiers'),
  );

  const reads = (tx: Reading): AudienceReads => ({
    find: async (owner, account_id, audience_id) => {
      const row = await tx.one(byId, { owner, account_id, audience_id });
      return row === undefined ? undefined : decode(row);
    },
    list: async (owner, account_id) => (await tx.all(byAccount, { owner, account_id })).map(decode),
    groups: async (seq) =>
      (await tx.all(grouped, { seq })).map(({ identifiers, count }) => ({
        identifiers: JSON.parse(identifiers) as MemberGroup['identifiers'],
        count,
      })),
  });
  const writes = (tx: Writing): AudienceWrites => {
    const { find, ...rest } = reads(tx);
    return {
      find,
      ...rest,
      save: async (owner, account_id, audience) => {
        const { audience_id } = audience;
        await tx.run(upsert, { owner, account_id, audience_id, doc: JSON.stringify(audience) });
        const saved = await find(owner, account_id, audience_id);
        if (saved === undefined) throw new Error('an audience that was saved is not there');
        return saved.seq;
      },
      remove: async ({ seq }) => {
        await tx.run(dropMembers, { seq });
        await tx.run(drop, { seq });
      },
      addMember: async (seq, member) => {
        const { external_id, identifiers } = member;
        const matched = isMatched(member) ? 1 : 0;
        await tx.run(add, { seq, external_id, matched, identifiers: JSON.stringify(identifiers) });
      },
      removeMember: async (seq, external_id) => (await tx.run(removeOne, { seq, external_id })) > 0,
    };
  };
  return { reads, writes };
}

function decode({ seq, doc }: { seq: number; doc: string }): AudienceRow {
  return { seq, audience: JSON.parse(doc) as Audience };
}
