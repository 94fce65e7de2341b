import { describe, expect, it } from 'vitest';
import type { Commitment } from '../../../../src/seller/domain/governance/commitment.js';
import { approvalKey, readPlanId } from '../../../../src/seller/domain/governance/governance.js';
import { checkVerdict, type GovernanceVerdict, readVerdict } from '../../../../src/seller/domain/governance/verdict.js';
import { refusalOf } from '../order-context.js';

const BASE = { check_id: 'chk', plan_id: 'plan', explanation: 'why' };
const NOW = Date.parse('2030-01-01T00:00:00Z');

describe('readVerdict', () => {
  it.each<readonly [what: string, payload: unknown, decision: string | undefined]>([
    ['the words of 3.1', { ...BASE, status: 'completed', verdict: 'approved' }, 'approved'],
    ['the words of 3.0', { ...BASE, status: 'denied', findings: [] }, 'denied'],
    ['conditions', { ...BASE, verdict: 'conditions', conditions: [{ field: 'a', reason: 'b' }] }, 'conditions'],
    ['no decision', { ...BASE, status: 'completed' }, undefined],
    ['a decision that is none', { ...BASE, verdict: 'toString' }, undefined],
    ['no id', { verdict: 'approved' }, undefined],
    ['an empty id', { check_id: '', verdict: 'approved' }, undefined],
    ['conditions without any', { ...BASE, verdict: 'conditions', conditions: [] }, undefined],
    ['a condition without a field', { ...BASE, verdict: 'approved', conditions: [{}] }, undefined],
    ['a time that is none', { ...BASE, verdict: 'approved', expires_at: 'soon' }, undefined],
    ['a list', [BASE], undefined],
    ['nothing', undefined, undefined],
  ])('%s', (_what, payload, decision) => {
    expect(readVerdict(payload)?.decision).toBe(decision);
  });

  it('tells of findings what a buyer needs, and no more than it can bear', () => {
    const finding = {
      category_id: 'c',
      severity: 'critical',
      explanation: 'x'.repeat(5000),
      details: { internal: true },
    };
    const verdict = readVerdict({
      ...BASE,
      verdict: 'denied',
      findings: [finding, 'text', ...Array(50).fill(finding)],
    });
    expect(verdict?.findings).toHaveLength(20);
    expect(verdict?.findings[0]).toEqual({ category_id: 'c', severity: 'critical', explanation: 'x'.repeat(1000) });
  });

  it('leaves out a context that could not be passed on', () => {
    expect(readVerdict({ ...BASE, verdict: 'approved', governance_context: 'é' })?.governance_context).toBeUndefined();
    expect(readVerdict({ ...BASE, verdict: 'approved', governance_context: 'ok' })?.governance_context).toBe('ok');
  });
});

describe('checkVerdict', () => {
  const verdict = (changes: Partial<GovernanceVerdict>): GovernanceVerdict => ({
    check_id: 'chk',
    decision: 'approved',
    explanation: '',
    findings: [],
    conditions: [],
    ...changes,
  });
  const budget = { field: 'total_budget', required_value: 1, reason: 'r' };
  const advice = { field: 'delivery', reason: 'r' };
  it.each<readonly [what: string, changes: Partial<GovernanceVerdict>, refusal: unknown]>([
    ['approved', {}, undefined],
    ['approved until a moment later', { expires_at: '2030-01-01T00:00:01Z' }, undefined],
    ['approved until now', { expires_at: '2030-01-01T00:00:00Z' }, ['GOVERNANCE_UNAVAILABLE']],
    ['denied', { decision: 'denied' }, ['GOVERNANCE_DENIED']],
    ['advice', { decision: 'conditions', conditions: [advice] }, undefined],
    [
      'a condition',
      { decision: 'conditions', conditions: [advice, budget] },
      ['GOVERNANCE_DENIED', 'packages[0].budget'],
    ],
    [
      'a condition on a part',
      { decision: 'conditions', conditions: [{ ...budget, field: 'geo.countries' }] },
      ['GOVERNANCE_DENIED', 'packages[0].targeting_overlay.geo_countries'],
    ],
    [
      'a condition on something else',
      { decision: 'conditions', conditions: [{ ...budget, field: 'brand' }] },
      ['GOVERNANCE_DENIED', 'brand'],
    ],
  ])('%s', (_what, changes, refusal) => {
    const check = () => checkVerdict(verdict(changes), 'plan', NOW);
    if (refusal === undefined) expect(check).not.toThrow();
    else expect(refusalOf(check)).toEqual(refusal);
  });
});

describe('approvalKey', () => {
  const agent = { url: 'https://a.example/', credentials: 'x' };
  const commitment: Commitment = {
    account_id: 'acct',
    purchase_type: 'media_buy',
    phase: 'purchase',
    planned_delivery: { total_budget: 1, channels: ['ctv'] },
    adds: { amount: 100, currency: 'USD' },
    terms: { lines: [{ budget: 1, bid_price: undefined }] },
  };

  it('is the same for the same question, however it is written, and whatever the credentials are', () => {
    const again = {
      ...commitment,
      planned_delivery: { channels: ['ctv'], total_budget: 1 },
      terms: { lines: [{ budget: 1 }] },
    };
    expect(approvalKey({ ...agent, credentials: 'y' }, again)).toBe(approvalKey(agent, commitment));
  });

  it.each([
    ['another agent', { ...agent, url: 'https://b.example/' }, commitment],
    ['another account', agent, { ...commitment, account_id: 'other' }],
    ['another budget', agent, { ...commitment, planned_delivery: { ...commitment.planned_delivery, total_budget: 2 } }],
    ['other terms', agent, { ...commitment, terms: { lines: [{ budget: 1, bid_price: 2 }] } }],
  ])('differs for %s', (_what, one, other) => {
    expect(approvalKey(one, other)).not.toBe(approvalKey(agent, commitment));
  });
});

describe('planOfContext', () => {
  const token = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
  it.each<readonly [what: string, context: unknown, plan: string | undefined]>([
    ['the claim of that name', token({ plan_id: 'p', sub: 's' }), 'p'],
    ['the subject', token({ sub: 's' }), 's'],
    ['an empty one', token({ sub: '' }), undefined],
    ['a number', token({ sub: 1 }), undefined],
    ['a list', token(['p']), undefined],
    ['no token', 'ctx-1', undefined],
    ['no JSON', 'a.b.c', undefined],
    ['nothing', undefined, undefined],
  ])('%s', (_what, context, plan) => {
    expect(readPlanId(context)).toBe(plan);
  });
});
