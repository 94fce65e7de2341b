import { describe, expect, it } from 'vitest';
import {
  applyVerdict,
  CREATIVE_APPROVALS,
  CREATIVE_MOVES,
  CREATIVE_STATUSES,
  type CreativeApproval,
  type CreativeStatus,
  checkAssignable,
  lacksCreative,
  statusAfterSync,
  VERDICT_FROM,
} from '../../../../src/seller/domain/creative/creative.js';
import { creativeCalled } from '../../store/fixture.js';
import { fromNow, refusalOf } from '../order-context.js';

const NEW = undefined;

describe('where a sync leaves a creative', () => {
  it.each<
    readonly [CreativeApproval, CreativeStatus | undefined, sameAsBefore: CreativeStatus, changed: CreativeStatus]
  >([
    ['auto', NEW, 'approved', 'approved'],
    ['auto', 'processing', 'processing', 'approved'],
    ['auto', 'pending_review', 'pending_review', 'approved'],
    ['auto', 'approved', 'approved', 'approved'],
    ['auto', 'suspended', 'suspended', 'suspended'],
    ['auto', 'rejected', 'rejected', 'approved'],
    ['auto', 'archived', 'approved', 'approved'],
    ['manual', NEW, 'pending_review', 'pending_review'],
    ['manual', 'processing', 'processing', 'pending_review'],
    ['manual', 'pending_review', 'pending_review', 'pending_review'],
    ['manual', 'approved', 'approved', 'pending_review'],
    ['manual', 'suspended', 'suspended', 'suspended'],
    ['manual', 'rejected', 'rejected', 'pending_review'],
    ['manual', 'archived', 'pending_review', 'pending_review'],
  ])('%s: %s stays %s, and changed it is %s', (approval, before, same, changed) => {
    expect(statusAfterSync(before, false, approval)).toBe(same);
    expect(statusAfterSync(before, true, approval)).toBe(changed);
  });

  it('is led to by legal moves alone', () => {
    for (const approval of CREATIVE_APPROVALS)
      for (const before of CREATIVE_STATUSES)
        for (const changed of [true, false]) {
          const after = statusAfterSync(before, changed, approval);
          // A resubmission that nobody has to look at passes the review on its way.
          const way = before === 'rejected' && after === 'approved' ? ['pending_review', after] : [after];
          const steps = [before, ...way] as const;
          for (const [at, step] of steps.slice(1).entries()) {
            const from = steps[at] as CreativeStatus;
            expect([from, ...CREATIVE_MOVES[from]], `${from} to ${step} (${approval})`).toContain(step);
          }
        }
  });
});

describe('a person’s verdict', () => {
  const pending = creativeCalled('a', { status: 'pending_review' });

  it('is a legal move wherever it may be given', () => {
    for (const [to, froms] of Object.entries(VERDICT_FROM))
      for (const from of froms) expect(CREATIVE_MOVES[from], `${from} to ${to}`).toContain(to);
  });

  it('changes the state, the reason and the date, and nothing else', () => {
    const rejected = applyVerdict(pending, { status: 'rejected', rejection_reason: 'too loud' }, fromNow(5000));
    expect(rejected).toEqual({
      ...pending,
      status: 'rejected',
      rejection_reason: 'too loud',
      updated_date: fromNow(5000),
    });
    const suspended = { ...rejected, status: 'suspended' } as const;
    expect(applyVerdict(suspended, { status: 'approved' }, fromNow(9000))).toEqual({
      ...pending,
      status: 'approved',
      updated_date: fromNow(9000),
    });
  });

  it.each<readonly [CreativeStatus, 'approved' | 'rejected']>([
    ['approved', 'approved'],
    ['rejected', 'approved'],
    ['rejected', 'rejected'],
    ['archived', 'approved'],
    ['archived', 'rejected'],
  ])('on one that is %s cannot be %s', (status, verdict) => {
    const creative = creativeCalled('a', { status });
    const given = verdict === 'approved' ? { status: verdict } : { status: verdict, rejection_reason: 'no' };
    expect(refusalOf(() => applyVerdict(creative, given, fromNow(0)))).toEqual(['INVALID_STATE']);
  });
});

describe('assigning', () => {
  it.each([
    ['rejected', 'CREATIVE_REJECTED'],
    ['suspended', 'CREATIVE_REJECTED'],
    ['archived', 'INVALID_STATE'],
  ] as const)('one that is %s is %s', (status, code) => {
    expect(refusalOf(() => checkAssignable({ status }, 'creative_id'))).toEqual([code, 'creative_id']);
  });

  it('one that waits or runs is allowed', () => {
    for (const status of ['processing', 'pending_review', 'approved'] as const)
      expect(() => checkAssignable({ status }, 'creative_id')).not.toThrow();
  });

  it('leaves a package lacking where nothing in it runs or may yet', () => {
    expect(lacksCreative([])).toBe(true);
    expect(lacksCreative([{ status: 'rejected' }, { status: 'suspended' }, { status: 'archived' }])).toBe(true);
    for (const status of ['processing', 'pending_review', 'approved'] as const)
      expect(lacksCreative([{ status: 'rejected' }, { status }])).toBe(false);
  });
});
