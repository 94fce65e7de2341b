import { type ExpressionBuilder, type RawBuilder, sql } from '../../../../platform/database/kysely.js';
import { isLeaseOver, presentMs } from '../../../../platform/database/leases.js';
import {
  type Builder,
  createPrepare,
  type EngineName,
  LISTS,
  type Slots,
} from '../../../../platform/database/statement.js';
import type { SellerTables } from '../../schema/schema.js';
import {
  type AttemptRecord,
  CLAIMED,
  type ClaimedEvent,
  type ClaimKind,
  RECORDED,
  SETTLED,
  type SettledEvent,
} from './rows.js';

type Claim = { endpoints: unknown; claim: string; now: number; soon: number; lease: number; limit: number };
type ClaimedRow = Omit<ClaimedEvent, 'body'> & { readonly next_attempt_at: number };

/** Returns the statements by which a process claims events, and settles what it claimed. */
export function claimStatements(db: Builder<SellerTables>, engine: EngineName) {
  const prepare = createPrepare(db);
  const claim = (kind: ClaimKind) =>
    prepare<Claim, ClaimedRow>((q, slot) =>
      q
        // Apart, so that rows are locked once, and as many as are wanted.
        .with('picked', () => selectClaimable(q, slot, engine, kind))
        .updateTable('webhook_event')
        .set({
          ...slot.each('claim'),
          claimed_at: slot('now'),
          claimed_until: sql<number>`${presentMs(engine, slot('now'))} + ${slot('lease')}`,
          first_attempt_at: sql<number>`coalesce(${sql.ref('first_attempt_at')}, ${slot('now')})`,
          merge_key: null,
        })
        .where('seq', 'in', (e) => e.selectFrom('picked').select('picked.seq'))
        .returning([...CLAIMED])
        .$castTo<ClaimedRow>(),
    );
  return {
    claim: {
      due: claim('due'),
      probe: claim('probe'),
      late_probe: claim('late_probe'),
      overdue: claim('overdue'),
    } satisfies Record<ClaimKind, unknown>,
    bodies: prepare<{ seqs: unknown }, { event_seq: number; body: string }>((q, slot) => {
      const { close, open } = LISTS[engine];
      return q
        .selectFrom('webhook_body')
        .select(['event_seq', 'body'])
        .where(sql<boolean>`${sql.ref('event_seq')} ${sql.raw(open)}${slot('seqs')}${sql.raw(close)}`);
    }),
    settle: prepare<SettledEvent>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set({ ...slot.each(...SETTLED), claim: null, claimed_at: null, claimed_until: null })
        .where('seq', '=', slot('seq'))
        .where('claim', '=', slot('claim')),
    ),
    record: prepare<AttemptRecord>((q, slot) => q.insertInto('webhook_attempt').values(slot.each(...RECORDED))),
    releaseClaims: prepare<object>((q) =>
      q
        .updateTable('webhook_event')
        .set({ claim: null, claimed_at: null, claimed_until: null })
        .where('next_attempt_at', 'is not', null)
        .where('claimed_at', 'is not', null),
    ),
  };
}

/** Chooses events of several endpoints, as many of each; those that another process is about to have are skipped. */
function selectClaimable(q: Builder<SellerTables>, slot: Slots<Claim>, engine: EngineName, kind: ClaimKind) {
  const lanes = q.selectFrom(eachText(engine, slot('endpoints')).as('lane'));
  const chosen = claimableOf(q, slot, engine, kind);
  if (engine === 'sqlite') {
    return lanes.innerJoin('webhook_event as taken', (join) => join.on('taken.seq', 'in', chosen)).select('taken.seq');
  }
  const locked = chosen.forUpdate('event').skipLocked();
  return lanes.innerJoinLateral(locked.as('taken'), (join) => join.onTrue()).select('taken.seq');
}

/**
 * Chooses the earliest events of an endpoint that nobody has. One of a media buy waits until the ones before it were tried: claimed or
 * not yet, they hold it back, so that no two processes can send them at once.
 */
function claimableOf(q: Builder<SellerTables>, slot: Slots<Claim>, engine: EngineName, kind: ClaimKind) {
  const order = kind === 'late_probe' ? 'desc' : 'asc';
  return q
    .selectFrom('webhook_event as event')
    .select('event.seq')
    .where('event.endpoint', '=', sql.ref<string>('lane.value'))
    .where('event.next_attempt_at', 'is not', null)
    .$if(kind !== 'probe', (due) => due.where('event.next_attempt_at', '<=', slot('now')))
    .$if(kind === 'probe', (early) =>
      early.where((e) => e.or([e('event.merge_key', 'is', null), e('event.next_attempt_at', '<=', slot('now'))])),
    )
    .$if(kind === 'late_probe', (newest) => newest.where('event.attempts', '=', 0))
    .$if(kind === 'overdue', (late) =>
      late.where('event.expires_at', '<=', slot('now')).where('event.attempts', '=', 0),
    )
    .where((e) =>
      e.or([
        e('event.claimed_until', 'is', null),
        isLeaseOver(e.ref('event.claimed_until'), presentMs(engine, slot('now')), slot('lease')),
      ]),
    )
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('webhook_event as earlier')
            .select('earlier.seq')
            .whereRef('earlier.media_buy_id', '=', 'event.media_buy_id')
            .whereRef('earlier.endpoint', '=', 'event.endpoint')
            .whereRef('earlier.seq', '<', 'event.seq')
            .where('earlier.next_attempt_at', 'is not', null)
            .where((of) => of.or([of.and(isAboutToBeTried(of, slot)), of.and(isTriedAgainBefore(of))])),
        ),
      ),
    )
    .orderBy('event.next_attempt_at', order)
    .orderBy('event.seq', order)
    .limit(slot('limit'));
}

type Earlier = ExpressionBuilder<
  { earlier: SellerTables['webhook_event']; event: SellerTables['webhook_event'] },
  'earlier' | 'event'
>;

/**
 * Returns the condition of an event that is tried next; one that still gathers others holds nothing back before it is
 * due.
 */
function isAboutToBeTried(of: Earlier, slot: Slots<Claim>) {
  return [
    of('earlier.attempts', '=', 0),
    of('earlier.next_attempt_at', '<=', slot('soon')),
    of.or([of('earlier.merge_key', 'is', null), of('earlier.next_attempt_at', '<=', slot('now'))]),
  ];
}

/**
 * Returns the condition of an event that is told first: what ended the call before it, and one of its kind that is just
 * being posted.
 */
function isTriedAgainBefore(of: Earlier) {
  return [
    of('event.revision', 'is not', null),
    of('earlier.attempts', '>', 0),
    of('earlier.notification_type', 'is', null),
    of.or([
      of('earlier.revision', 'is', null),
      of('earlier.revision', '>', 0),
      of('earlier.claimed_at', 'is not', null),
    ]),
  ];
}

/** Returns a list that is bound as one parameter as rows of `value`. */
export function eachText(engine: EngineName, list: unknown): RawBuilder<{ value: string }> {
  return engine === 'sqlite' ? sql`json_each(${list})` : sql`(SELECT unnest(${list}::text[]) AS value)`;
}
