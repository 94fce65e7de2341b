import { describe, expect, it } from 'vitest';
import {
  checkMeasurementTerms,
  checkPerformanceStandards,
  type MeasurementTerms,
} from '../../../../src/seller/domain/media-buy/measurement-terms.js';
import { refusalOf } from '../order-context.js';

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
    ['a deadline of a day', { billing_measurement: { finalization_deadline_hours: 24 } }, undefined],
    [
      'a deadline of an hour',
      { billing_measurement: { finalization_deadline_hours: 1 } },
      'finalization_deadline_hours',
    ],
    ['a variance that is no number', { billing_measurement: { max_variance_percent: 'none' } }, 'max_variance_percent'],
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

describe('makegood remedies', () => {
  const field = 'packages[0].measurement_terms';
  it.each([
    ['a lower invoice', ['invoice_adjustment'], true],
    ['one that is offered among others', ['additional_delivery', 'credit'], true],
    ['none that is offered', ['additional_delivery'], false],
    ['an empty list', [], false],
    ['no list', 'credit', false],
  ])('%s', (_what, available_remedies, isAccepted) => {
    const check = () => checkMeasurementTerms({ makegood_policy: { available_remedies } }, field);
    if (isAccepted) expect(check).not.toThrow();
    else expect(refusalOf(check)).toEqual(['TERMS_REJECTED', `${field}.makegood_policy.available_remedies`]);
  });
});

describe('checkPerformanceStandards', () => {
  const vendor = { domain: 'measurer.example' };
  it.each<readonly [what: string, standards: unknown, member: string | undefined]>([
    ['none', undefined, undefined],
    ['a floor that is kept', [{ metric: 'viewability', threshold: 0.7, standard: 'mrc', vendor }], undefined],
    ['a floor above it', [{ metric: 'viewability', threshold: 0.71, standard: 'mrc', vendor }], '[0].threshold'],
    ['a ceiling that is kept', [{ metric: 'ivt', threshold: 0.05, vendor }], undefined],
    ['a ceiling below it', [{ metric: 'ivt', threshold: 0.01, vendor }], '[0].threshold'],
    ['a metric nobody measures', [{ metric: 'attention_score', threshold: 0.1, vendor }], '[0].metric'],
    ['the second one wrong', [{ metric: 'ivt', threshold: 0.05, vendor }, { metric: 'constructor' }], '[1].metric'],
    ['no threshold', [{ metric: 'completion_rate', vendor }], '[0].threshold'],
  ])('%s', (_what, standards, member) => {
    const rates = { viewable: 0.8, completion: 0.9 };
    const check = () => checkPerformanceStandards(standards, rates, 'p.performance_standards');
    if (member === undefined) expect(check).not.toThrow();
    else expect(refusalOf(check)).toEqual(['TERMS_REJECTED', `p.performance_standards${member}`]);
  });

  it('refuses what is above the rate of the product itself, and what the product does not measure', () => {
    const judge = (metric: string, threshold: number, rates: { viewable?: number; completion?: number }) =>
      refusalOf(() =>
        checkPerformanceStandards(
          [{ metric, threshold }],
          { viewable: rates.viewable, completion: rates.completion },
          'p',
        ),
      );
    expect(judge('viewability', 0.62, { viewable: 0.61 })).toEqual(['TERMS_REJECTED', 'p[0].threshold']);
    expect(judge('completion_rate', 0.5, { completion: 0.41 })).toEqual(['TERMS_REJECTED', 'p[0].threshold']);
    expect(judge('completion_rate', 0.1, { viewable: 0.8 })).toEqual(['TERMS_REJECTED', 'p[0].metric']);
    expect(() =>
      checkPerformanceStandards(
        [{ metric: 'viewability', threshold: 0.61 }],
        { viewable: 0.61, completion: undefined },
        'p',
      ),
    ).not.toThrow();
  });
});
