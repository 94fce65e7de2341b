import { type Clock, isoTime } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import type { ServerReader, ServerStore } from '../store/server-store.js';
import type { Scope } from './scope.js';

/** Which primary a registry is: every promotion begins another epoch with a higher term, by which the one before is told apart. */
export type Epoch = {
  readonly id: string;
  readonly term: number;
  readonly since: string;
  /** The registry that this one mirrored before it was promoted, and the last event that it had of it. */
  readonly promoted_from?: string;
  readonly promoted_at_event?: string;
};

/** Where a mirror stands. */
export type MirrorState = {
  /** Of the registry that is mirrored. */
  readonly url: string;
  readonly scope: Scope;
  /** Empty before the first page. */
  readonly cursor: string;
  /** The epoch that is followed; absent before the first page. */
  readonly epoch?: Pick<Epoch, 'id' | 'term'>;
  /** Whether all of it was read once: before that, nothing is answered. */
  readonly isWhole: boolean;
  /** When the mirror last had all that the primary had, ms; 0 before it ever did. */
  readonly syncedAt: number;
};

const EPOCH = 'epoch';
const MIRROR = 'mirror';

/** Returns the epoch of a primary; undefined of a mirror, and of a store that no primary was opened on. */
export function findEpoch(read: Pick<ServerReader, 'replication'>): Promise<Epoch | undefined> {
  return read.replication.findState<Epoch>(EPOCH);
}

/** Returns where the mirror stands that a store is; undefined of a primary. */
export function findMirror(read: Pick<ServerReader, 'replication'>): Promise<MirrorState | undefined> {
  return read.replication.findState<MirrorState>(MIRROR);
}

type EpochParts = { readonly clock: Clock; readonly ids: Pick<Ids, 'uuid'>; readonly store: ServerStore };

/** Returns the epoch of the primary that a store is, which begins where it has none. */
export async function openEpoch({ clock, ids, store }: EpochParts): Promise<Epoch> {
  const before = await findEpoch(store.read);
  if (before !== undefined) return before;
  return await store.transact(async (tx) => {
    // Another process on the database may have been first.
    const first = await findEpoch(tx);
    const epoch = first ?? { id: ids.uuid(), term: 1, since: isoTime(clock.now()) };
    if (first === undefined) await tx.replication.saveState(EPOCH, epoch);
    return epoch;
  });
}

/** The parts of a transaction that change what a registry is. */
type StateWriter = Pick<Parameters<Parameters<ServerStore['transact']>[0]>[0], 'replication'>;

/** Saves where a mirror stands, in the transaction of what it read. */
export async function saveMirror(tx: StateWriter, state: MirrorState): Promise<void> {
  await tx.replication.saveState(MIRROR, state);
}

/** Makes a store the mirror of a registry, whatever it was. */
export async function becomeMirror(tx: StateWriter, state: MirrorState): Promise<void> {
  await tx.replication.dropState(EPOCH);
  await saveMirror(tx, state);
}

/** Makes a store a primary in an epoch of its own. */
export async function becomePrimary(tx: StateWriter, epoch: Epoch): Promise<void> {
  await tx.replication.dropState(MIRROR);
  await tx.replication.saveState(EPOCH, epoch);
}
