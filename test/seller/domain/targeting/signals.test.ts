import { describe, expect, it } from 'vitest';
import {
  areSelectable,
  checkSignals,
  type SignalOffer,
  signalPart,
} from '../../../../src/seller/domain/targeting/signals.js';
import { refusalOf } from '../order-context.js';

const BOTH = ['include', 'exclude'] as const;
const OFFER: SignalOffer = {
  options: [
    {
      signal_id: 'cars',
      name: 'Cars',
      value_type: 'binary',
      allowed_targeting_modes: BOTH,
      selection_group: 'a',
      share: 0.2,
    },
    {
      signal_id: 'homes',
      name: 'Homes',
      value_type: 'binary',
      allowed_targeting_modes: ['include'],
      selection_group: 'a',
      share: 0.5,
    },
    {
      signal_id: 'sky',
      data_provider_domain: 'sky.example',
      name: 'Weather',
      value_type: 'categorical',
      categories: ['sun', 'rain'],
      allowed_targeting_modes: BOTH,
      share: { sun: 0.5, rain: 0.3 },
    },
    {
      signal_id: 'income',
      name: 'Income',
      value_type: 'numeric',
      range: { min: 0, max: 100 },
      allowed_targeting_modes: ['include'],
      share: 0.8,
    },
  ],
  rules: { max_selected_signals: 3, max_selected_per_group: 1, max_signal_targeting_groups: 2 },
};
const CARS = { signal_ref: { scope: 'product', signal_id: 'cars' }, value_type: 'binary', value: true };
const HOMES = { ...CARS, signal_ref: { scope: 'product', signal_id: 'homes' } };
const RAIN = {
  signal_ref: { scope: 'data_provider', data_provider_domain: 'sky.example', signal_id: 'sky' },
  value_type: 'categorical',
  values: ['rain'],
};
const INCOME = { signal_ref: { scope: 'product', signal_id: 'income' }, value_type: 'numeric', min_value: 75 };
const any = (...signals: object[]) => ({ operator: 'any', signals });
const none = (...signals: object[]) => ({ operator: 'none', signals });
const all = (...groups: object[]) => ({ operator: 'all', groups });
const FIRST = 'f.groups[0].signals[0]';

describe('checkSignals', () => {
  it.each<readonly [what: string, value: unknown, refusal: readonly [string, string] | undefined]>([
    ['nothing', undefined, undefined],
    ['one signal', all(any(CARS)), undefined],
    ['one to include and one to exclude', all(any(RAIN, INCOME), none(CARS)), undefined],
    ['no groups', all(), ['VALIDATION_ERROR', 'f']],
    ['another operator between groups', { operator: 'any', groups: [any(CARS)] }, ['VALIDATION_ERROR', 'f']],
    ['another operator', all({ operator: 'all', signals: [CARS] }), ['VALIDATION_ERROR', 'f.groups[0].operator']],
    ['no signals', all(any()), ['VALIDATION_ERROR', 'f.groups[0].signals']],
    [
      'no such signal',
      all(any({ ...CARS, signal_ref: { scope: 'product', signal_id: 'boats' } })),
      ['SIGNAL_NOT_FOUND', `${FIRST}.signal_ref`],
    ],
    [
      'a signal of another scope',
      all(any({ ...RAIN, signal_ref: { scope: 'product', signal_id: 'sky' } })),
      ['SIGNAL_NOT_FOUND', `${FIRST}.signal_ref`],
    ],
    ['a signal to exclude by that only includes', all(none(HOMES)), ['UNSUPPORTED_FEATURE', FIRST]],
    ['a price', all(any({ ...CARS, pricing_option_id: 'p' })), ['UNSUPPORTED_FEATURE', `${FIRST}.pricing_option_id`]],
    [
      'another type',
      all(any({ ...CARS, value_type: 'numeric', min_value: 1 })),
      ['VALIDATION_ERROR', `${FIRST}.value_type`],
    ],
    ['false', all(any({ ...CARS, value: false })), ['VALIDATION_ERROR', `${FIRST}.value`]],
    ['no such category', all(any({ ...RAIN, values: ['snow'] })), ['VALIDATION_ERROR', `${FIRST}.values`]],
    ['no bounds', all(any({ ...INCOME, min_value: undefined })), ['VALIDATION_ERROR', FIRST]],
    ['bounds out of order', all(any({ ...INCOME, max_value: 10 })), ['VALIDATION_ERROR', FIRST]],
    ['two of one selection_group', all(any(CARS, HOMES)), ['VALIDATION_ERROR', 'f']],
    ['too many groups', all(any(CARS), none(RAIN), any(INCOME)), ['VALIDATION_ERROR', 'f']],
    ['too many signals', all(any(RAIN, RAIN, INCOME, INCOME)), ['VALIDATION_ERROR', 'f']],
  ])('judges %s', (_what, value, refusal) => {
    const check = () => checkSignals(value, OFFER, 'f');
    if (refusal === undefined) expect(check).not.toThrow();
    else expect(refusalOf(check)).toEqual(refusal);
  });

  it('refuses a package without signals where the product requires one', () => {
    const offer: SignalOffer = { ...OFFER, rules: { selection_mode: 'required' } };
    expect(refusalOf(() => checkSignals(undefined, offer, 'f'))).toEqual(['VALIDATION_ERROR', 'f']);
    expect(() => checkSignals(all(any(CARS)), offer, 'f')).not.toThrow();
  });
});

describe('signalPart', () => {
  it.each<readonly [what: string, value: unknown, part: number]>([
    ['nothing', undefined, 1],
    ['one', all(any(CARS)), 0.2],
    ['one of two', all(any(CARS, HOMES)), 0.6],
    ['neither of two', all(none(CARS, HOMES)), 0.4],
    ['one without the other', all(any(HOMES), none(CARS)), 0.4],
    ['a category', all(any(RAIN)), 0.3],
    ['two categories', all(any({ ...RAIN, values: ['rain', 'sun'] })), 0.8],
    ['a quarter of a range', all(any(INCOME)), 0.2],
  ])('leaves the part of the supply that %s has', (_what, value, part) => {
    expect(signalPart(value, OFFER)).toBeCloseTo(part);
  });

  it('leaves nothing of a product without signals', () => {
    expect(signalPart(all(any(CARS)), undefined)).toBe(0);
  });
});

describe('areSelectable', () => {
  it.each<readonly [what: string, wanted: readonly Record<string, unknown>[], found: boolean]>([
    ['a signal that it has', [CARS], true],
    ['a signal to exclude by', [{ ...CARS, targeting_mode: 'exclude' }, RAIN], true],
    ['a signal of the older form to exclude by', [{ ...CARS, value: false }], true],
    ['a signal that it only includes, to exclude by', [{ ...HOMES, targeting_mode: 'exclude' }], false],
    ['two signals that its rules keep apart', [CARS, HOMES], false],
    ['a signal that it does not have', [{ ...CARS, signal_ref: { scope: 'product', signal_id: 'boats' } }], false],
  ])('finds a product by %s', (_what, wanted, found) => {
    expect(areSelectable(wanted, OFFER)).toBe(found);
  });

  it('finds no product without signals', () => {
    expect(areSelectable([CARS], undefined)).toBe(false);
  });
});
