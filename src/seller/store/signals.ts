import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare, once } from '../../platform/database/statement.js';
import { type Deployment, type Destination, placeOf } from '../domain/signal/deployment.js';
import type { SellerTables } from './schema/schema.js';

/** The most deployments of one list; a buyer who has more names destinations. */
const MOST_LISTED = 1000;

/** Where the signals of one owner are. `accountId` undefined: those that were made for no account. */
export type SignalReads = {
  /** A signal at exactly this destination, seat and all. */
  readonly find: (
    owner: string,
    accountId: string | undefined,
    segmentId: string,
    destination: Destination,
  ) => Promise<Deployment | undefined>;
  /** Of these signals, newest first; only at these places, whatever the seat, where any are named. */
  readonly list: (
    owner: string,
    accountId: string | undefined,
    segmentIds: readonly string[],
    places?: readonly string[],
  ) => Promise<Deployment[]>;
  /** Whether this signal ever was anywhere for the owner, whatever the account. */
  readonly wasUsed: (owner: string, segmentId: string) => Promise<boolean>;
};
export type SignalWrites = SignalReads & {
  /** Inserts a deployment, or replaces the one at its destination. */
  readonly save: (owner: string, deployment: Deployment) => Promise<void>;
};

/** The repository of deployments over an engine. */
export function signalRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  type Place = {
    owner: string;
    account_id: string;
    signal_agent_segment_id: string;
    place: string;
    seat: string;
  };
  const byPlace = prepare<Place, { doc: string }>((q, slot) =>
    q
      .selectFrom('deployment')
      .select('doc')
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id'))
      .where('signal_agent_segment_id', '=', slot('signal_agent_segment_id'))
      .where('place', '=', slot('place'))
      .where('seat', '=', slot('seat')),
  );
  const upsert = prepare<Place & { doc: string }>((q, slot) =>
    q
      .insertInto('deployment')
      .values({
        owner: slot('owner'),
        account_id: slot('account_id'),
        signal_agent_segment_id: slot('signal_agent_segment_id'),
        place: slot('place'),
        seat: slot('seat'),
        doc: slot('doc'),
      } as never)
      .onConflict((c) =>
        c
          .columns(['owner', 'account_id', 'signal_agent_segment_id', 'place', 'seat'])
          .doUpdateSet({ doc: slot('doc') }),
      ),
  );
  const anywhere = prepare<{ owner: string; segment: string }, { seq: number }>((q, slot) =>
    q
      .selectFrom('deployment')
      .select('seq')
      .where('owner', '=', slot('owner'))
      .where('signal_agent_segment_id', '=', slot('segment'))
      .limit(1),
  );

  const reads = (tx: Reading): SignalReads => ({
    find: async (owner, accountId, segmentId, destination) => {
      const row = await tx.one(byPlace, placed(owner, accountId, segmentId, destination));
      return row === undefined ? undefined : decode(row);
    },
    list: async (owner, accountId = '', segmentIds, places) => {
      if (segmentIds.length === 0) return [];
      const query = db
        .selectFrom('deployment')
        .select('doc')
        .where('owner', '=', owner)
        .where('account_id', '=', accountId)
        .where('signal_agent_segment_id', 'in', [...segmentIds])
        .$if(places !== undefined, (q) => q.where('place', 'in', [...(places ?? [])]))
        .orderBy('seq', 'desc')
        .limit(MOST_LISTED);
      return (await tx.all(once(query), {})).map(decode);
    },
    wasUsed: async (owner, segment) => (await tx.one(anywhere, { owner, segment })) !== undefined,
  });

  const writes = (tx: Writing): SignalWrites => ({
    ...reads(tx),
    save: async (owner, deployment) => {
      const { account_id, signal_agent_segment_id, destination } = deployment;
      const place = placed(owner, account_id, signal_agent_segment_id, destination);
      await tx.run(upsert, { ...place, doc: JSON.stringify(deployment) });
    },
  });
  return { reads, writes };
}

function placed(owner: string, accountId: string | undefined, segmentId: string, destination: Destination) {
  return {
    owner,
    account_id: accountId ?? '',
    signal_agent_segment_id: segmentId,
    place: placeOf(destination),
    seat: destination.account ?? '',
  };
}

function decode({ doc }: { doc: string }): Deployment {
  return JSON.parse(doc) as Deployment;
}
