import { describe, expect, it } from 'vitest';
import { creativeTerms } from '../../../../src/seller/adserver/gam/mapping/creatives.js';
import { TermsError } from '../../../../src/seller/adserver/gam/mapping/errors.js';
import { moneyOf, readMoney, toMicros, unitsFor } from '../../../../src/seller/adserver/gam/mapping/money.js';
import { hasId, nameWithId } from '../../../../src/seller/adserver/gam/mapping/names.js';
import { lineTerms } from '../../../../src/seller/adserver/gam/mapping/terms.js';
import { calendarDays, soapDateTime } from '../../../../src/seller/adserver/gam/mapping/times.js';
import { judgeProduct, readSettings } from '../../../../src/seller/adserver/gam/read-settings.js';
import { writeCall } from '../../../../src/seller/adserver/gam/soap/envelope.js';
import { errorFor } from '../../../../src/seller/adserver/gam/soap/reasons.js';
import type { LiveOrder, LivePackage } from '../../../../src/seller/domain/booking/live-order.js';
import { TimeZone } from '../../../../src/seller/domain/time-zone.js';
import { GAM_BANNER, GAM_LINE, GAM_ORDER, GAM_SETTINGS } from '../../../kit/gam/order.js';

const NEW_YORK = new TimeZone('America/New_York');
const NOW = Date.parse('2030-01-01T00:00:00Z');

function termsOf(line: Partial<LivePackage>, order: Partial<LiveOrder> = {}, product: object = {}) {
  const settings = { ...GAM_SETTINGS, service_account: { client_email: '', private_key: '' } };
  const context = { settings, product: { sizes: ['300x250'], ...product }, zone: NEW_YORK, nowMs: NOW };
  return lineTerms({ ...GAM_ORDER, ...order }, { ...GAM_LINE, ...line }, context);
}

describe('names', () => {
  it.each([
    ['a short name', 'brand', 'brand [mb_1]'],
    ['no name', '  ', '[mb_1]'],
    ['a long name', 'x'.repeat(300), `${'x'.repeat(248)} [mb_1]`],
    ['a name that would be cut within a character', `${'x'.repeat(247)}\u{1f600}y`, `${'x'.repeat(247)} [mb_1]`],
  ])('end in the id: %s', (_what, text, name) => {
    expect(nameWithId(text, 'mb_1')).toBe(name);
    expect(name.length).toBeLessThanOrEqual(255);
    expect(hasId(name, 'mb_1')).toBe(true);
    expect(hasId(name, 'b_1'), 'a part of an id is another one').toBe(false);
  });
});

describe('money', () => {
  it.each([
    [12.5, '12', 500_000_000],
    [0.1 + 0.2, '0', 300_000_000],
    [19.99, '19', 990_000_000],
    [1234567.891, '1234567', 891_000_000],
    [0, '0', 0],
  ])('is units and nanos: %d', (amount, units, nanos) => {
    const money = moneyOf(toMicros(amount), 'USD');
    expect(money).toEqual({ currencyCode: 'USD', units, nanos });
    expect(readMoney(money)).toBe(toMicros(amount));
  });

  it.each([
    [1000, 12.5, 1000, 80_000],
    [0.07, 0.01, 1, 7],
    [10, 3, 1000, 3333],
    [1e9, 0.01, 1000, 100_000_000_000_000],
    [10, 0, 1000, 0],
  ])('buys whole units, rounded down: %d at %d per %d', (budget, rate, per, units) => {
    expect(unitsFor(toMicros(budget), toMicros(rate), per)).toBe(units);
  });
});

describe('lines', () => {
  it.each([
    [
      'cpm',
      'guaranteed',
      {
        lineItemType: 'STANDARD',
        costType: 'CPM',
        goal: { goalType: 'LIFETIME', unitType: 'IMPRESSIONS', units: 100_000 },
      },
    ],
    [
      'cpm',
      'non_guaranteed',
      {
        lineItemType: 'PRICE_PRIORITY',
        costType: 'CPM',
        goal: { goalType: 'LIFETIME', unitType: 'IMPRESSIONS', units: 100_000 },
      },
    ],
    [
      'cpc',
      'guaranteed',
      { lineItemType: 'STANDARD', costType: 'CPC', goal: { goalType: 'LIFETIME', unitType: 'CLICKS', units: 100 } },
    ],
    [
      'cpc',
      'non_guaranteed',
      {
        lineItemType: 'PRICE_PRIORITY',
        costType: 'CPC',
        goal: { goalType: 'LIFETIME', unitType: 'CLICKS', units: 100 },
      },
    ],
    [
      'cpcv',
      'non_guaranteed',
      {
        lineItemType: 'STANDARD',
        costType: 'CPCV',
        goal: { goalType: 'LIFETIME', unitType: 'COMPLETED_VIEWS', units: 100 },
      },
    ],
    [
      'flat_rate',
      'guaranteed',
      {
        lineItemType: 'SPONSORSHIP',
        costType: 'CPD',
        rate: 100_000_000,
        goal: { goalType: 'DAILY', unitType: 'IMPRESSIONS', units: 100 },
      },
    ],
  ] as const)('of %s, %s', (model, delivery_type, wanted) => {
    const price = { model, amount: 10, kind: 'fixed' } as const;
    expect(termsOf({ price, delivery_type, goal: undefined })).toMatchObject(wanted);
  });

  it('have the goal of the package where they count the same', () => {
    expect(termsOf({ goal: { unit: 'impressions', count: 7 } }).goal.units).toBe(7);
    expect(termsOf({ goal: { unit: 'clicks', count: 7 } }).goal.units).toBe(80_000);
  });

  it('start in the future also where the package has begun', () => {
    expect(termsOf({ start_time: '2029-12-31T00:00:00Z' }).startMs).toBe(NOW + 300_000);
  });

  it.each([
    [
      { max_impressions: 3, window: { interval: 2, unit: 'days' } },
      [{ maxImpressions: 3, timeAmount: 2, timeUnit: 'DAY' }],
    ],
    [
      { max_impressions: 9, window: { interval: 1, unit: 'campaign' } },
      [{ maxImpressions: 9, timeAmount: 1, timeUnit: 'LIFETIME' }],
    ],
    [{ suppress_minutes: 30 }, [{ maxImpressions: 1, timeAmount: 30, timeUnit: 'MINUTE' }]],
    [
      { max_impressions: 2, window: { interval: 1, unit: 'hours' }, suppress: { interval: 5, unit: 'minutes' } },
      [
        { maxImpressions: 2, timeAmount: 1, timeUnit: 'HOUR' },
        { maxImpressions: 1, timeAmount: 5, timeUnit: 'MINUTE' },
      ],
    ],
  ])('cap by %o', (frequency_cap, caps) => {
    expect(termsOf({ targeting: { frequency_cap } }).caps).toEqual(caps);
  });

  it.each([
    [
      { targeting: { frequency_cap: { suppress: { interval: 5, unit: 'seconds' } } } },
      'targeting_overlay.frequency_cap',
    ],
    [{ targeting: { geo_regions: ['US-NY'] } }, 'targeting_overlay.geo_regions'],
    [{ targeting: { audience_include: ['a'] } }, 'targeting_overlay.audience_include'],
    [{ price: { model: 'cpa', amount: 1, kind: 'fixed' } }, 'pricing_option_id'],
    [{ price: { model: 'cpm', amount: 5_000_000, kind: 'bid' }, goal: undefined }, 'budget'],
  ] as const)('are objected to, with the member: %o', (line, field) => {
    let objection: unknown;
    try {
      termsOf(line);
    } catch (error) {
      objection = error instanceof TermsError ? error.objection : error;
    }
    expect(objection).toMatchObject({ field, package_id: 'pkg_1', suggestion: expect.any(String) });
  });
});

describe('times', () => {
  it.each([
    ['a day', '2030-01-02T05:00:00Z', '2030-01-03T05:00:00Z', 1],
    ['a part of two days', '2030-01-02T23:00:00Z', '2030-01-03T06:00:00Z', 2],
    ['the days around the change of the clock', '2030-03-09T05:00:00Z', '2030-03-12T04:00:00Z', 3],
  ])('are days of the calendar of the network: %s', (_what, from, to, days) => {
    expect(calendarDays(NEW_YORK, Date.parse(from), Date.parse(to))).toBe(days);
  });

  it('are what the clock of the network shows', () => {
    expect(soapDateTime(NEW_YORK, 'America/New_York', Date.parse('2030-07-01T02:03:04Z'))).toEqual({
      date: { year: 2030, month: 6, day: 30 },
      hour: 22,
      minute: 3,
      second: 4,
      timeZoneId: 'America/New_York',
    });
  });
});

describe('creatives', () => {
  const SIZES = [{ width: 300, height: 250 }];

  it('with trackers are HTML that counts, and HTML has the macros of Ad Manager', () => {
    const tracker_urls = ['https://t.example/?c={CACHEBUSTER}&a="1"'];
    expect(creativeTerms('mb_1', { ...GAM_BANNER, tracker_urls }, SIZES).soap).toMatchObject({
      '@type': 'ThirdPartyCreative',
      snippet: expect.stringContaining('src="https://t.example/?c=%%CACHEBUSTER%%&amp;a=&quot;1&quot;"'),
    });
    const assets = { html: { asset_type: 'html', content: '<a href="{CLICK_URL}">x</a>' } };
    expect(creativeTerms('mb_1', { ...GAM_BANNER, assets }, SIZES).soap.snippet).toBe(
      '<a href="%%CLICK_URL_UNESC%%">x</a>',
    );
  });

  it.each([
    ['of another size', GAM_BANNER, [{ width: 728, height: 90 }]],
    [
      'of a film',
      { ...GAM_BANNER, assets: { film: { asset_type: 'video', url: 'https://cdn.example/a.mp4' } } },
      SIZES,
    ],
  ])('are objected to: one %s', (_what, creative, sizes) => {
    expect(() => creativeTerms('mb_1', creative, sizes)).toThrow(TermsError);
  });

  it('have another mark for each buy, creative and version', () => {
    const marks = [
      creativeTerms('mb_1', GAM_BANNER, SIZES),
      creativeTerms('mb_2', GAM_BANNER, SIZES),
      creativeTerms('mb_1', { ...GAM_BANNER, version: 2 }, SIZES),
      creativeTerms('mb_1', { ...GAM_BANNER, creative_id: 'other' }, SIZES),
    ].map(({ mark }) => mark);
    expect(new Set(marks).size).toBe(4);
  });
});

describe('messages', () => {
  it('hold every text as XML does, lists one by one, and nothing of what is not there', () => {
    const caller = { version: 'v202608', networkCode: '7', applicationName: 'kit' };
    const text = writeCall(caller, 'op', { a: '<&"\u0000', b: [1, { '@type': 'T', c: true }], d: undefined, e: [] });
    expect(text).toContain(
      '<op xmlns="https://www.google.com/apis/ads/publisher/v202608"><a>&lt;&amp;&quot;</a><b>1</b><b xsi:type="T"><c>true</c></b></op>',
    );
  });

  it.each([
    ['OrderActionError.PERMISSION_DENIED', 'RetryLaterError'],
    ['ForecastError.NO_FORECAST_YET', 'RetryLaterError'],
    ['ForecastError.NOT_ENOUGH_INVENTORY', 'OrderRefusedError'],
    ['ForecastError.SERVER_NOT_AVAILABLE', 'RetryLaterError'],
    ['CommonError.CONCURRENT_MODIFICATION', 'RetryLaterError'],
    ['CommonError.NOT_FOUND', 'RetryLaterError'],
    ['QuotaError.EXCEEDED_QUOTA', 'RetryLaterError'],
    ['ServerError.SERVER_ERROR', 'UnknownOutcomeError'],
    ['RequiredError.REQUIRED', 'OrderRefusedError'],
  ])('that say %s mean a %s', (reason, name) => {
    expect(errorFor([reason], '')).toMatchObject({ name, message: expect.stringContaining(reason) });
  });
});

describe('settings', () => {
  const ACCOUNT = { client_email: 'a@b', private_key: 'pem' };

  it('are read, the key as a text or an object', () => {
    for (const service_account of [ACCOUNT, JSON.stringify(ACCOUNT)])
      expect(readSettings({ ...GAM_SETTINGS, service_account })).toMatchObject({ service_account: ACCOUNT });
  });

  it.each([
    [{ network_code: 777 }, 'network_code'],
    [{ soap_version: 'v202609' }, 'soap_version'],
    [{ time_zone: 'Mars/Base' }, 'time_zone'],
    [{ service_account: 'no key' }, 'service_account'],
    [{ geo_targets: { US: 2840 } }, 'geo_targets'],
    [{ network: '1' }, 'network'],
  ])('that cannot be are named, with what to write: %o', (members, field) => {
    expect(() => readSettings({ ...GAM_SETTINGS, service_account: ACCOUNT, ...members })).toThrow(
      expect.objectContaining({ faults: [{ field, message: expect.any(String), fix: expect.any(String) }] }),
    );
  });

  it.each([
    [{ ad_units: ['1'], sizes: ['300x250'] }, []],
    [{ sizes: ['300x250'] }, ['ad_units']],
    [{ ad_units: ['1'], sizes: [] }, ['sizes']],
    [{ ad_units: [1], sizes: ['300'], share_percent: 0 }, ['ad_units', 'sizes', 'share_percent']],
  ])('of a product are judged: %o', (adapter, fields) => {
    expect(judgeProduct({ product_id: 'p', adapter }).map(({ field }) => field)).toEqual(fields);
  });
});
