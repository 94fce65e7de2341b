import { describe, expect, it } from 'vitest';
import {
  CREATIVE_MOVES,
  CREATIVE_STATUSES,
  type CreativeStatus,
} from '../../../../src/seller/domain/creative/creative.js';
import { describeTransition } from '../../../../src/seller/domain/creative/transition.js';
import { hasSchemas, schemaJudge } from '../../../kit/schemas.js';

const AT = '2030-01-01T00:00:00Z';
/** From these only the buyer moves a creative, and hears of it in its answer. */
const OF_THE_BUYER: readonly CreativeStatus[] = ['rejected', 'archived'];
const MOVES = CREATIVE_STATUSES.flatMap((from) => CREATIVE_MOVES[from].map((to) => [from, to] as const));

const describeMove = (from: CreativeStatus, to: CreativeStatus, rejection_reason?: string) =>
  describeTransition({ status: from }, { status: to, updated_date: AT, rejection_reason }, 'system');

describe('a move of a creative', () => {
  it.each(MOVES.filter(([from]) => !OF_THE_BUYER.includes(from)))(
    'from %s to %s is told as the protocol has it',
    (from, to) => {
      const told = describeMove(from, to);
      const said = from === 'processing' && to === 'approved' ? 'pending_review' : from;
      expect(told).toMatchObject({ transition: { from: said, to, observed_at: AT }, initiator: 'system' });
      const ids = {
        idempotency_key: 'x'.repeat(16),
        notification_id: 'n',
        subscriber_id: 's',
        account_id: 'a',
        creative_id: 'c',
      };
      const event = JSON.parse(
        JSON.stringify({ ...ids, notification_type: 'creative.status_changed', fired_at: AT, ...told }),
      ) as object;
      if (hasSchemas('3.1')) expect(schemaJudge('3.1')('creative/creative-status-changed-webhook', event)).toEqual([]);
    },
  );

  it.each(MOVES.filter(([from]) => OF_THE_BUYER.includes(from)))('from %s to %s is its buyer’s own', (from, to) => {
    expect(describeMove(from, to)).toBeUndefined();
  });

  it.each(CREATIVE_STATUSES)('from %s to where it is is none', (status) => {
    expect(describeMove(status, status)).toBeUndefined();
  });

  it('says why it was rejected, in 500 characters at most', () => {
    expect(describeMove('pending_review', 'rejected', 'y'.repeat(600))?.reason_detail).toBe('y'.repeat(500));
  });
});
