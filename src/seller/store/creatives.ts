import type { Reading, Writing } from '../../platform/database/engine.js';
import { type ExpressionBuilder, sql } from '../../platform/database/kysely.js';
import { type Builder, createPrepare, once } from '../../platform/database/statement.js';
import { sortableTime } from '../../platform/kernel/clock.js';
import type { Page } from '../../platform/kernel/cursor.js';
import type { AssignedCreative, Assignment, Creative, Purge } from '../domain/creative/creative.js';
import type { SellerTables } from './schema/schema.js';

/** A creative with its place in the list. */
export type CreativeRow = { readonly seq: number; readonly creative: Creative };
export type OwnedCreative = CreativeRow & { readonly owner: string };

/** A creative that is or was assigned in a buy, with its place in the list of all such pairs. */
export type CreativeUse = {
  readonly seq: number;
  readonly account_id: string;
  readonly creative_id: string;
  readonly media_buy_id: string;
};

/** What a list of uses is narrowed by; absent means any. */
export type UseFilter = {
  readonly accountId?: string | undefined;
  readonly creativeIds?: readonly string[] | undefined;
  readonly mediaBuyIds?: readonly string[] | undefined;
};

/** What a list of creatives is narrowed by (facts C.9); absent means any. Dates are ISO 8601. */
export type CreativeFilter = {
  readonly accountId?: string | undefined;
  readonly statuses?: readonly string[] | undefined;
  readonly creativeIds?: readonly string[] | undefined;
  readonly nameContains?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly tagsAny?: readonly string[] | undefined;
  readonly formats?: readonly string[] | undefined;
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly updatedAfter?: string | undefined;
  readonly updatedBefore?: string | undefined;
  readonly packageIds?: readonly string[] | undefined;
  readonly mediaBuyIds?: readonly string[] | undefined;
  readonly unassigned?: boolean | undefined;
  /** Tombstones of what was purged after this too; absent means none. The filter on states is not about them. */
  readonly purgedAfter?: string | undefined;
};
export type CreativeSort = {
  readonly field: 'created_date' | 'updated_date' | 'name' | 'status' | 'assignment_count';
  readonly direction: 'asc' | 'desc';
};

/** The creative library of one owner, and where its creatives are assigned. */
export type CreativeReads = {
  readonly find: (owner: string, accountId: string, creativeId: string) => Promise<Creative | undefined>;
  /** The newest creative of this id in any of the owner's accounts. */
  readonly findAnywhere: (owner: string, creativeId: string) => Promise<Creative | undefined>;
  /** One row more than the page asks for, where there is one. */
  readonly list: (owner: string, page: Page, filter: CreativeFilter, sort: CreativeSort) => Promise<CreativeRow[]>;
  readonly count: (owner: string, filter: CreativeFilter) => Promise<number>;
  readonly assignmentsOf: (owner: string, creatives: readonly Creative[]) => Promise<Assignment[]>;
  /** Every assignment in these buys, with the verdict on its creative. */
  readonly assignedTo: (mediaBuyIds: readonly string[]) => Promise<AssignedCreative[]>;
  /** Which creatives are or were in which buys, oldest first, one row more than the page asks for where there is one. */
  readonly uses: (owner: string, page: Page, filter: UseFilter) => Promise<CreativeUse[]>;
  /** How many uses there are; with `upTo`, of those up to that place in the list. */
  readonly countUses: (owner: string, filter: UseFilter, upTo?: number) => Promise<number>;
  /** The creatives that wait for a person, across all owners, longest first. */
  readonly waiting: (limit: number) => Promise<OwnedCreative[]>;
  /** The creative at a place in the list, whoever owns it. */
  readonly at: (seq: number) => Promise<OwnedCreative | undefined>;
};
export type CreativeWrites = CreativeReads & {
  /** Inserts a creative, or replaces the one with its id. */
  readonly save: (owner: string, creative: Creative) => Promise<void>;
  /** Takes a creative out of every package and out of the library; with a `purge` its tombstone stays. */
  readonly purge: (owner: string, creative: Creative, purge: Purge | undefined) => Promise<void>;
  readonly assign: (owner: string, accountId: string, assignment: Assignment) => Promise<void>;
  /** Takes all creatives out of a package, or (without one) out of a whole buy. */
  readonly release: (mediaBuyId: string, packageId?: string) => Promise<void>;
};

/** What a tombstone has in the column of states: none of a creative, so that nothing but a list which asks for it finds one. */
const PURGED = 'purged';

/** In how many packages a creative is. */
const ASSIGNMENTS = sql<number>`(select count(*) from assignment where assignment.owner = creative.owner and assignment.account_id = creative.account_id and assignment.creative_id = creative.creative_id)`;

/** The creative repository over an engine. */
export function creativeRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  type ById = { owner: string; account_id: string; creative_id: string };
  const byId = prepare<ById, { doc: string }>((q, slot) =>
    q
      .selectFrom('creative')
      .select('doc')
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id'))
      .where('creative_id', '=', slot('creative_id'))
      .where('status', '!=', sql.lit(PURGED)),
  );
  const anywhere = prepare<{ owner: string; creative_id: string }, { doc: string }>((q, slot) =>
    q
      .selectFrom('creative')
      .select('doc')
      .where('owner', '=', slot('owner'))
      .where('creative_id', '=', slot('creative_id'))
      .where('status', '!=', sql.lit(PURGED))
      .orderBy('seq', 'desc')
      .limit(1),
  );
  const columns = ['name', 'status', 'format', 'tags', 'created_date', 'updated_date', 'doc'] as const;
  type Stored = ById & Record<(typeof columns)[number], string>;
  const upsert = prepare<Stored>((q, slot) =>
    q
      .insertInto('creative')
      .values({
        owner: slot('owner'),
        account_id: slot('account_id'),
        creative_id: slot('creative_id'),
        ...Object.fromEntries(columns.map((column) => [column, slot(column)])),
      } as never)
      .onConflict((c) =>
        c
          .columns(['owner', 'account_id', 'creative_id'])
          .doUpdateSet(Object.fromEntries(columns.map((column) => [column, slot(column)]))),
      ),
  );
  type Assigned = ById & { media_buy_id: string; package_id: string; weight: number | null; assigned_date: string };
  const assign = prepare<Assigned>((q, slot) =>
    q
      .insertInto('assignment')
      .values({
        owner: slot('owner'),
        account_id: slot('account_id'),
        creative_id: slot('creative_id'),
        media_buy_id: slot('media_buy_id'),
        package_id: slot('package_id'),
        weight: slot('weight'),
        assigned_date: slot('assigned_date'),
      } as never)
      .onConflict((c) =>
        c.columns(['media_buy_id', 'package_id', 'creative_id']).doUpdateSet({ weight: slot('weight') }),
      ),
  );
  const use = prepare<ById & { media_buy_id: string }>((q, slot) =>
    q
      .insertInto('creative_use')
      .values({
        owner: slot('owner'),
        account_id: slot('account_id'),
        creative_id: slot('creative_id'),
        media_buy_id: slot('media_buy_id'),
      } as never)
      .onConflict((c) => c.columns(['media_buy_id', 'creative_id', 'account_id']).doNothing()),
  );
  type Owned = { seq: number; owner: string; doc: string };
  const pending = prepare<{ limit: number }, Owned>((q, slot) =>
    q
      .selectFrom('creative')
      .select(['seq', 'owner', 'doc'])
      .where('status', '=', sql.lit('pending_review'))
      .orderBy('updated_date')
      .orderBy('seq')
      .limit(slot('limit')),
  );
  const place = prepare<{ seq: number }, Owned>((q, slot) =>
    q
      .selectFrom('creative')
      .select(['seq', 'owner', 'doc'])
      .where('seq', '=', slot('seq'))
      .where('status', '!=', sql.lit(PURGED)),
  );
  const drop = prepare<ById>((q, slot) =>
    q
      .deleteFrom('creative')
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id'))
      .where('creative_id', '=', slot('creative_id')),
  );
  const releaseCreative = prepare<ById>((q, slot) =>
    q
      .deleteFrom('assignment')
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id'))
      .where('creative_id', '=', slot('creative_id')),
  );
  const releaseBuy = prepare<{ media_buy_id: string }>((q, slot) =>
    q.deleteFrom('assignment').where('media_buy_id', '=', slot('media_buy_id')),
  );
  const releasePackage = prepare<{ media_buy_id: string; package_id: string }>((q, slot) =>
    q
      .deleteFrom('assignment')
      .where('media_buy_id', '=', slot('media_buy_id'))
      .where('package_id', '=', slot('package_id')),
  );

  function matching(owner: string, filter: CreativeFilter) {
    let query = db.selectFrom('creative').where('owner', '=', owner);
    if (filter.accountId !== undefined) query = query.where('account_id', '=', filter.accountId);
    const { statuses, purgedAfter } = filter;
    query = query.where((eb) =>
      eb.or([
        statuses === undefined ? eb('status', '!=', PURGED) : eb('status', 'in', [...statuses]),
        ...(purgedAfter === undefined
          ? []
          : [eb.and([eb('status', '=', PURGED), eb('updated_date', '>', sortableTime(purgedAfter))])]),
      ]),
    );
    if (filter.creativeIds !== undefined) query = query.where('creative_id', 'in', [...filter.creativeIds]);
    if (filter.formats !== undefined) query = query.where('format', 'in', [...filter.formats]);
    if (filter.nameContains !== undefined) query = query.where(contains('name', filter.nameContains.toLowerCase()));
    for (const tag of filter.tags ?? []) query = query.where(contains('tags', `|${tag.toLowerCase()}|`));
    const { tagsAny } = filter;
    if (tagsAny !== undefined)
      query = query.where((eb) => eb.or(tagsAny.map((tag) => contains('tags', `|${tag.toLowerCase()}|`))));
    if (filter.createdAfter !== undefined) query = query.where('created_date', '>', sortableTime(filter.createdAfter));
    if (filter.createdBefore !== undefined)
      query = query.where('created_date', '<', sortableTime(filter.createdBefore));
    if (filter.updatedAfter !== undefined) query = query.where('updated_date', '>', sortableTime(filter.updatedAfter));
    if (filter.updatedBefore !== undefined)
      query = query.where('updated_date', '<', sortableTime(filter.updatedBefore));
    const { packageIds, mediaBuyIds } = filter;
    if (packageIds !== undefined)
      query = query.where((eb) => eb.exists(assigned(eb).where('package_id', 'in', [...packageIds])));
    if (mediaBuyIds !== undefined)
      query = query.where((eb) => eb.exists(assigned(eb).where('media_buy_id', 'in', [...mediaBuyIds])));
    if (filter.unassigned === true) query = query.where((eb) => eb.not(eb.exists(assigned(eb))));
    if (filter.unassigned === false) query = query.where((eb) => eb.exists(assigned(eb)));
    return query;
  }

  function used(owner: string, { accountId, creativeIds, mediaBuyIds }: UseFilter) {
    let query = db.selectFrom('creative_use').where('owner', '=', owner);
    if (accountId !== undefined) query = query.where('account_id', '=', accountId);
    if (creativeIds !== undefined) query = query.where('creative_id', 'in', [...creativeIds]);
    if (mediaBuyIds !== undefined) query = query.where('media_buy_id', 'in', [...mediaBuyIds]);
    return query;
  }

  const reads = (tx: Reading): CreativeReads => ({
    find: async (owner, account_id, creative_id) => {
      const row = await tx.one(byId, { owner, account_id, creative_id });
      return row === undefined ? undefined : decode(row.doc);
    },
    findAnywhere: async (owner, creative_id) => {
      const row = await tx.one(anywhere, { owner, creative_id });
      return row === undefined ? undefined : decode(row.doc);
    },
    list: async (owner, page, filter, sort) => {
      const key = sort.field === 'assignment_count' ? ASSIGNMENTS : sql<string>`${sql.ref(`creative.${sort.field}`)}`;
      let query = matching(owner, filter)
        .select(['seq', 'doc'])
        .orderBy(key, sort.direction)
        .orderBy('seq', sort.direction);
      if (page.after !== undefined) {
        const from = sql`(select ${key}, seq from creative where seq = ${page.after})`;
        query = query.where(sql<boolean>`(${key}, seq) ${sql.raw(sort.direction === 'desc' ? '<' : '>')} ${from}`);
      }
      const rows = await tx.all(once(query.limit(page.limit + 1)), {});
      return rows.map((row) => ({ seq: row.seq, creative: decode(row.doc) }));
    },
    count: async (owner, filter) => {
      const query = matching(owner, filter).select((eb) => eb.fn.countAll<number>().as('total'));
      return Number((await tx.all(once(query), {}))[0]?.total ?? 0);
    },
    assignmentsOf: async (owner, creatives) => {
      if (creatives.length === 0) return [];
      const query = db
        .selectFrom('assignment')
        .selectAll()
        .where('owner', '=', owner)
        .where('account_id', 'in', [...new Set(creatives.map((creative) => creative.account_id))])
        .where('creative_id', 'in', [...new Set(creatives.map((creative) => creative.creative_id))])
        .orderBy('seq');
      return (await tx.all(once(query), {})).map(decodeAssignment);
    },
    assignedTo: async (mediaBuyIds) => {
      if (mediaBuyIds.length === 0) return [];
      const query = db
        .selectFrom('assignment')
        .innerJoin('creative', (join) =>
          join
            .onRef('creative.owner', '=', 'assignment.owner')
            .onRef('creative.account_id', '=', 'assignment.account_id')
            .onRef('creative.creative_id', '=', 'assignment.creative_id'),
        )
        .selectAll('assignment')
        .select('creative.status')
        // The reason is in the document, which may be large: it is read where there is one.
        .select((eb) => eb.case().when('creative.status', '=', 'rejected').then(eb.ref('creative.doc')).end().as('doc'))
        .where('assignment.media_buy_id', 'in', [...mediaBuyIds])
        .orderBy('assignment.seq');
      return (await tx.all(once(query), {})).map((row) => {
        const reason = row.doc === null ? undefined : decode(row.doc).rejection_reason;
        return {
          ...decodeAssignment(row),
          status: row.status as Creative['status'],
          ...(reason === undefined ? {} : { rejection_reason: reason }),
        };
      });
    },
    uses: async (owner, page, filter) => {
      const query = used(owner, filter)
        .select(['seq', 'account_id', 'creative_id', 'media_buy_id'])
        .where('seq', '>', page.after ?? 0)
        .orderBy('seq')
        .limit(page.limit + 1);
      return tx.all(once(query), {});
    },
    countUses: async (owner, filter, upTo) => {
      const query = used(owner, filter)
        .$if(upTo !== undefined, (q) => q.where('seq', '<=', upTo ?? 0))
        .select((eb) => eb.fn.countAll<number>().as('total'));
      return Number((await tx.all(once(query), {}))[0]?.total ?? 0);
    },
    waiting: async (limit) => (await tx.all(pending, { limit })).map(decodeOwned),
    at: async (seq) => {
      const row = await tx.one(place, { seq });
      return row === undefined ? undefined : decodeOwned(row);
    },
  });

  const writes = (tx: Writing): CreativeWrites => ({
    ...reads(tx),
    save: async (owner, creative) => {
      await tx.run(upsert, encode(owner, creative));
    },
    purge: async (owner, creative, purge) => {
      const { account_id, creative_id } = creative;
      await tx.run(releaseCreative, { owner, account_id, creative_id });
      if (purge === undefined) await tx.run(drop, { owner, account_id, creative_id });
      else await tx.run(upsert, { ...encode(owner, { ...creative, purge, updated_date: purge.at }), status: PURGED });
    },
    assign: async (owner, account_id, assignment) => {
      await tx.run(assign, { ...assignment, owner, account_id, weight: assignment.weight ?? null });
      await tx.run(use, { ...assignment, owner, account_id });
    },
    release: async (media_buy_id, package_id) => {
      if (package_id === undefined) await tx.run(releaseBuy, { media_buy_id });
      else await tx.run(releasePackage, { media_buy_id, package_id });
    },
  });
  return { reads, writes };
}

function encode(owner: string, creative: Creative) {
  const { account_id, creative_id, name, status, tags } = creative;
  return {
    owner,
    account_id,
    creative_id,
    name: name.toLowerCase(),
    status: status as string,
    format: creative.format_id.id,
    tags: tags.length === 0 ? '' : `|${tags.join('|').toLowerCase()}|`,
    created_date: sortableTime(creative.created_date),
    updated_date: sortableTime(creative.updated_date),
    doc: JSON.stringify(creative),
  };
}

/** Creatives that were stored before versions were counted are at their first. */
function decode(doc: string): Creative {
  const stored = JSON.parse(doc) as Creative | Omit<Creative, 'version'>;
  return { version: 1, ...stored };
}

function decodeOwned({ seq, owner, doc }: { seq: number; owner: string; doc: string }): OwnedCreative {
  return { seq, owner, creative: decode(doc) };
}

/** The assignments of the creative in hand, as a subquery. */
function assigned(eb: ExpressionBuilder<SellerTables, 'creative'>) {
  return eb
    .selectFrom('assignment')
    .select('assignment.seq')
    .whereRef('assignment.owner', '=', 'creative.owner')
    .whereRef('assignment.account_id', '=', 'creative.account_id')
    .whereRef('assignment.creative_id', '=', 'creative.creative_id');
}

function contains(column: 'name' | 'tags', text: string) {
  return sql<boolean>`instr(${sql.ref(column)}, ${text}) > 0`;
}

type AssignmentColumns = {
  creative_id: string;
  package_id: string;
  media_buy_id: string;
  weight: number | null;
  assigned_date: string;
};

function decodeAssignment(row: AssignmentColumns): Assignment {
  const { creative_id, package_id, media_buy_id, weight, assigned_date } = row;
  return { creative_id, package_id, media_buy_id, assigned_date, ...(weight === null ? {} : { weight }) };
}
