import { TaskError } from '../../../protocol/errors.js';
import { illegalMove } from '../illegal-move.js';
import { type Audience, type AudienceHold, type AudienceStatus, countMembers, type MemberGroup } from './audience.js';

/** The legal moves of an audience. */
const AUDIENCE_MOVES: Record<AudienceStatus, readonly AudienceStatus[]> = {
  processing: ['ready', 'too_small', 'suspended'],
  ready: ['processing', 'too_small', 'suspended'],
  too_small: ['processing', 'ready', 'suspended'],
  suspended: ['processing', 'ready'],
};

/** An audience with its members, counted, and the fewest that have to be matched. */
type CountedAudience = {
  readonly audience: Pick<Audience, 'hold'>;
  readonly groups: readonly MemberGroup[];
  readonly least: number;
};

/** Returns the state of an audience. */
export function audienceStatus({ audience: { hold }, groups, least }: CountedAudience): AudienceStatus {
  return hold?.status ?? (countMembers(groups).matched >= least ? 'ready' : 'too_small');
}

/** Returns the fewest members that an audience has to have matched: where its seller calls it too small, more than it has. */
export function neededMatches({ audience: { hold }, groups, least }: CountedAudience): number {
  return hold?.status === 'too_small' ? Math.max(least, countMembers(groups).matched + 1) : least;
}

/** Returns an audience after a move of its seller; `ready` leaves it to its matches. Throws INVALID_STATE for a move that is not in the table. */
export function moveAudience(
  counted: CountedAudience & { readonly audience: Audience },
  to: AudienceStatus,
  { reason_code = 'seller_removed', reason }: Pick<AudienceHold, 'reason_code' | 'reason'>,
): Audience {
  const from = audienceStatus(counted);
  if (from !== to && !AUDIENCE_MOVES[from].includes(to)) throw illegalMove('audience', from, to, AUDIENCE_MOVES[from]);
  const matched: Audience = { ...counted.audience, hold: undefined };
  if (to === 'suspended') return { ...matched, hold: { status: to, reason_code, reason } };
  if (to === 'ready' || to === audienceStatus({ ...counted, audience: matched })) return matched;
  return { ...matched, hold: { status: to } };
}

/**
 * Refuses targeting by an audience that is not there or cannot be targeted yet; undefined where the account has none of that id.
 * Throws REFERENCE_NOT_FOUND, AUDIENCE_TOO_SMALL or INVALID_STATE with the field.
 */
export function checkTargetable(counted: CountedAudience | undefined, field: string): void {
  if (counted === undefined) {
    throw new TaskError('REFERENCE_NOT_FOUND', 'The account has no such audience.', {
      field,
      suggestion: 'Upload it with sync_audiences first; sync_audiences without audiences lists what is there.',
    });
  }
  const status = audienceStatus(counted);
  if (status === 'ready') return;
  if (status !== 'too_small') throw notTargetable(status, counted.audience.hold, field);
  const least = neededMatches(counted);
  throw new TaskError('AUDIENCE_TOO_SMALL', 'Too few members of the audience are known here to target it.', {
    field,
    details: { minimum_size: least, current_size: countMembers(counted.groups).matched },
    suggestion: `Add members with sync_audiences until matched_count reaches ${least}.`,
  });
}

function notTargetable(status: 'processing' | 'suspended', hold: AudienceHold | undefined, field: string): TaskError {
  const message =
    status === 'processing' ? 'The audience is still being matched.' : 'The seller has suspended the audience.';
  return new TaskError('INVALID_STATE', message, {
    field,
    details: { current_state: status, reason_code: hold?.reason_code },
    suggestion: 'Call sync_audiences without audiences to see when it is ready, or leave it out of the targeting.',
  });
}
