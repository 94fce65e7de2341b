import { describe, expect, it } from 'vitest';
import { checkMeasurementTerms, type MeasurementTerms } from '../../src/domain/terms.js';
import { refusalOf } from './desk.js';

describe('checkMeasurementTerms', () => {
  it.each<readonly [what: string, terms: MeasurementTerms | undefined, member: string | undefined]>([
    ['none', undefined, undefined],
    ['empty ones', {}, undefined],
    ['empty billing', { billing_measurement: {} }, undefined],
    ['a variance of five', { billing_measurement: { max_variance_percent: 5 } }, undefined],
    ['a variance just below', { billing_measurement: { max_variance_percent: 4.99 } }, 'max_variance_percent'],
    ['no variance at all', { billing_measurement: { max_variance_percent: 0 } }, 'max_variance_percent'],
    ['c7', { billing_measurement: { measurement_window: 'c7' } }, undefined],
    ['C3 in capitals', { billing_measurement: { measurement_window: 'C3' } }, undefined],
    ['live', { billing_measurement: { measurement_window: 'live' } }, undefined],
    ['c30', { billing_measurement: { measurement_window: 'c30' } }, 'measurement_window'],
    [
      'both wrong: the variance first',
      { billing_measurement: { max_variance_percent: 1, measurement_window: 'c30' } },
      'max_variance_percent',
    ],
  ])('%s', (_what, terms, member) => {
    const check = () => checkMeasurementTerms(terms, 'packages[0].measurement_terms');
    if (member === undefined) expect(check).not.toThrow();
    else
      expect(refusalOf(check)).toEqual([
        'TERMS_REJECTED',
        `packages[0].measurement_terms.billing_measurement.${member}`,
      ]);
  });
});
