import { describe, expect, it } from 'vitest';
import {
  type AgeOffer,
  agePart,
  checkAges,
  verificationMethods,
} from '../../../../src/seller/domain/targeting/ages.js';
import { refusalOf } from '../order-context.js';

const OFFER: AgeOffer = {
  known: { 18: 0.8, 21: 0.7 },
  verified: { id_document: { 18: 0.1 }, credit_card: { 21: 0.25 } },
};

describe('restrictions of age', () => {
  it.each<readonly [what: string, value: unknown, part: number]>([
    ['nothing', undefined, 1],
    ['an age that is known', { min: 18 }, 0.8],
    ['an age between two that are known', { min: 19 }, 0.7],
    ['an age below all that are known', { min: 13 }, 0.8],
    ['a verified age', { min: 18, verification_required: true }, 0.35],
    ['an age that one method verifies', { min: 21, verification_required: true }, 0.25],
    ['an age verified by a method', { min: 18, accepted_methods: ['id_document', 'world_id'] }, 0.1],
  ])('leave of the supply what %s has', (_what, value, part) => {
    expect(() => checkAges(value, OFFER, 'f')).not.toThrow();
    expect(agePart(value, OFFER)).toBeCloseTo(part);
  });

  it.each<readonly [what: string, value: unknown, refusal: readonly [string, string]]>([
    ['without an age', {}, ['VALIDATION_ERROR', 'f.min']],
    ['of children', { min: 12 }, ['VALIDATION_ERROR', 'f.min']],
    ['of an age that nobody is known to have', { min: 25 }, ['VALIDATION_ERROR', 'f.min']],
    ['of an age that is not verified', { min: 25, verification_required: true }, ['VALIDATION_ERROR', 'f.min']],
    [
      'that is verified perhaps',
      { min: 18, verification_required: 'yes' },
      ['VALIDATION_ERROR', 'f.verification_required'],
    ],
    ['by no method', { min: 18, accepted_methods: [] }, ['VALIDATION_ERROR', 'f.accepted_methods']],
    ['by another method', { min: 18, accepted_methods: ['world_id'] }, ['UNSUPPORTED_FEATURE', 'f.accepted_methods']],
  ])('%s are refused', (_what, value, refusal) => {
    expect(refusalOf(() => checkAges(value, OFFER, 'f'))).toEqual(refusal);
  });

  it('are not verified where the product verifies nothing', () => {
    const offer = { known: OFFER.known };
    expect(verificationMethods(offer)).toEqual([]);
    expect(refusalOf(() => checkAges({ min: 18, verification_required: true }, offer, 'f'))).toEqual([
      'UNSUPPORTED_FEATURE',
      'f.verification_required',
    ]);
  });
});
