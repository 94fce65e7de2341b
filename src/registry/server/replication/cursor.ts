import { isUuid7 } from '../../../platform/kernel/ids.js';
import { REPLICATED_KINDS, type ReplicatedKind } from '../store/replication.js';
import { SCOPES, type Scope } from './scope.js';

/** A kind of rows that a mirror reads when it begins; the feed comes last, so that nothing in it is ahead of the records. */
export type BegunKind = ReplicatedKind | 'event';

/** The kinds of rows that a mirror reads when it begins, in their order. */
export const BEGUN_KINDS: readonly BegunKind[] = [...REPLICATED_KINDS, 'event'];

/** Where a mirror stands: in the feed and in the changes of rows, and while it begins, in the rows themselves. */
export type ReplicaCursor = {
  /** Id of the epoch of the primary that the numbers are of. */
  readonly epoch: string;
  readonly scope: Scope;
  /** The last event. */
  readonly event: string;
  /** The last change of a row. */
  readonly seq: number;
  /** The rows that are read next; absent of a mirror that follows. */
  readonly beginning?: { readonly kind: BegunKind; readonly after: string };
};

/** Returns a cursor as text. */
export function writeCursor({ beginning, epoch, event, scope, seq }: ReplicaCursor): string {
  const begun = beginning === undefined ? [] : [beginning.kind, Buffer.from(beginning.after).toString('base64url')];
  return [epoch, scope, event, seq, ...begun].join('.');
}

/** Returns the cursor of a text; undefined for one that is none. */
export function readCursor(text: string): ReplicaCursor | undefined {
  const [epoch = '', scope, event = '', seq = '', kind, after = ''] = text.split('.');
  const scopeName = SCOPES.find((one) => one === scope);
  if (scopeName === undefined || !isUuid7(event) || !/^\d{1,15}$/.test(seq)) return undefined;
  const position = { epoch, scope: scopeName, event, seq: Number(seq) };
  if (kind === undefined) return position;
  const begun = BEGUN_KINDS.find((one) => one === kind);
  return begun && { ...position, beginning: { kind: begun, after: Buffer.from(after, 'base64url').toString() } };
}
