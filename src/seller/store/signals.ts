import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare, type DocRow, once, parseDoc } from '../../platform/database/statement.js';
import { type Deployment, type Destination, destinationKey } from '../domain/signal/deployment.js';
import type { SellerTables } from './schema/schema.js';

/** Bounds one list of deployments; a buyer who has more names destinations. */
const MAX_LISTED_DEPLOYMENTS = 1000;

type DeploymentKey = {
  owner: string;
  account_id: string;
  signal_agent_segment_id: string;
  place: string;
  seat: string;
};

/** Returns the statements on deployments, compiled for an engine. */
export function signalStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byKey: prepare<DeploymentKey, DocRow>((q, slot) =>
      q
        .selectFrom('deployment')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'account_id', 'signal_agent_segment_id', 'place', 'seat'))),
    ),
    save: prepare<DeploymentKey & { doc: string }>((q, slot) =>
      q
        .insertInto('deployment')
        .values(slot.each('owner', 'account_id', 'signal_agent_segment_id', 'place', 'seat', 'doc'))
        .onConflict((c) =>
          c.columns(['owner', 'account_id', 'signal_agent_segment_id', 'place', 'seat']).doUpdateSet(slot.each('doc')),
        ),
    ),
    anywhere: prepare<{ owner: string; signal_agent_segment_id: string }, { seq: number }>((q, slot) =>
      q
        .selectFrom('deployment')
        .select('seq')
        .where((is) => is.and(slot.each('owner', 'signal_agent_segment_id')))
        .limit(1),
    ),
    list: (owner: string, accountId: string, segmentIds: readonly string[], places: readonly string[] | undefined) => {
      let query = db
        .selectFrom('deployment')
        .select('doc')
        .where('owner', '=', owner)
        .where('account_id', '=', accountId)
        .where('signal_agent_segment_id', 'in', [...segmentIds]);
      if (places !== undefined) query = query.where('place', 'in', [...places]);
      return once(query.orderBy('seq', 'desc').limit(MAX_LISTED_DEPLOYMENTS));
    },
  };
}

/** The compiled statements on deployments. */
type SignalStatements = ReturnType<typeof signalStatements>;

/** Reads where the signals of one owner are. `accountId` undefined: those that were made for no account. */
export class SignalReader {
  readonly #tx: Reading;
  readonly #statements: SignalStatements;

  constructor(tx: Reading, statements: SignalStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns a signal at exactly this destination, seat and all. */
  async find(
    owner: string,
    accountId: string | undefined,
    segmentId: string,
    destination: Destination,
  ): Promise<Deployment | undefined> {
    const row = await this.#tx.one(this.#statements.byKey, deploymentKey(owner, accountId, segmentId, destination));
    return row && parseDoc<Deployment>(row);
  }

  /** Returns the deployments of these signals, newest first; only at `places`, whatever the seat, where any are named. */
  async list(
    owner: string,
    accountId: string | undefined,
    segmentIds: readonly string[],
    places?: readonly string[],
  ): Promise<Deployment[]> {
    if (segmentIds.length === 0) return [];
    const rows = await this.#tx.all(this.#statements.list(owner, accountId ?? '', segmentIds, places), {});
    return rows.map((row) => parseDoc<Deployment>(row));
  }

  /** Returns whether a signal ever was anywhere for the owner, whatever the account. */
  async wasUsed(owner: string, signal_agent_segment_id: string): Promise<boolean> {
    return (await this.#tx.one(this.#statements.anywhere, { owner, signal_agent_segment_id })) !== undefined;
  }
}

/** Reads and writes deployments in one transaction. */
export class SignalWriter extends SignalReader {
  readonly #tx: Writing;
  readonly #statements: SignalStatements;

  constructor(tx: Writing, statements: SignalStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts a deployment, or replaces the one at its destination. */
  async save(owner: string, deployment: Deployment): Promise<void> {
    const { account_id, signal_agent_segment_id, destination } = deployment;
    const key = deploymentKey(owner, account_id, signal_agent_segment_id, destination);
    this.#tx.write(this.#statements.save, { ...key, doc: JSON.stringify(deployment) });
  }
}

function deploymentKey(
  owner: string,
  accountId: string | undefined,
  segmentId: string,
  destination: Destination,
): DeploymentKey {
  return {
    owner,
    account_id: accountId ?? '',
    signal_agent_segment_id: segmentId,
    place: destinationKey(destination),
    seat: destination.account ?? '',
  };
}
