import assert from 'node:assert/strict';
import type { EvalTask } from '../task.js';
import { BRAND, FLIGHT } from './arrange.js';
import { bought, onlyBuy, wasRead } from './expect.js';

const FLIGHT_IN_WORDS = 'from 1 to 14 February 2030, for acme-outdoor.example';

/** People who buy. */
export const BUYING: readonly EvalTask[] = [
  {
    id: 'buy-german-ctv',
    tenant: 'sales',
    ask: () =>
      'Buy 20,000 EUR of German connected TV for two weeks from 1 February 2030, priced per thousand impressions, no news. It is for acme-outdoor.example.',
    wants: () => [
      {
        goal: 'buy media',
        facts: {
          ...FLIGHT,
          brief: 'German connected TV',
          avoid: 'news',
          channels: ['ctv'],
          countries: ['DE'],
          budget: 20000,
          currency: 'EUR',
          pricing_model: 'cpm',
        },
      },
    ],
    grade: (after) => {
      assert.deepEqual(bought(after), [['stadtblick_familien_tv', 'cpm_fixed', 20000]]);
      const { end_time, start_time } = onlyBuy(after);
      assert.deepEqual([start_time, end_time], ['2030-02-01T00:00:00Z', '2030-02-15T00:00:00Z']);
    },
  },
  {
    id: 'buy-podcast',
    tenant: 'sales',
    ask: () => `Put 2,000 USD on the hiking podcast that a host reads, per thousand, ${FLIGHT_IN_WORDS}.`,
    wants: () => [
      {
        goal: 'buy media',
        facts: {
          ...FLIGHT,
          brief: 'hiking podcast, host-read',
          channels: ['podcast'],
          budget: 2000,
          pricing_model: 'cpm',
        },
      },
    ],
    grade: (after) => assert.deepEqual(bought(after), [['wavecrest_trail_talk', 'cpm_fixed', 2000]]),
  },
  {
    id: 'buy-clicks',
    tenant: 'sales',
    ask: () => `Get us traffic with native stories, paid by the click at a fixed price: 500 USD ${FLIGHT_IN_WORDS}.`,
    wants: () => [
      {
        goal: 'buy media',
        facts: { ...FLIGHT, brief: 'native stories, traffic', budget: 500, pricing_model: 'cpc', price: 'fixed' },
      },
    ],
    grade: (after) => assert.deepEqual(bought(after), [['northlight_native_stories', 'cpc_fixed', 500]]),
  },
  {
    id: 'buy-berlin-screens',
    tenant: 'sales',
    ask: () =>
      'Book the transit screens in Berlin for the week from 4 February 2030: 9,500 EUR flat, for acme-outdoor.example.',
    wants: () => [
      {
        goal: 'buy media',
        facts: {
          brand: BRAND,
          start_time: '2030-02-04',
          end_time: '2030-02-10',
          brief: 'Berlin transit screens',
          countries: ['DE'],
          channels: ['dooh'],
          budget: 9500,
        },
      },
    ],
    grade: (after) => assert.deepEqual(bought(after), [['cityloop_berlin_transit', 'week_flat', 9500]]),
  },
  {
    id: 'buy-two-products',
    tenant: 'sales',
    ask: () =>
      `One buy, two parts: 6,000 USD on the prime-time drama of Northlight Play and 1,000 USD on free music streaming at its fixed price, ${FLIGHT_IN_WORDS}.`,
    wants: () => [
      {
        goal: 'buy media',
        facts: {
          ...FLIGHT,
          packages: [
            { product: 'Northlight Play prime-time drama', budget: 6000 },
            { product: 'Wavecrest free music streaming', budget: 1000, price: 'fixed' },
          ],
        },
      },
    ],
    grade: (after) =>
      assert.deepEqual(bought(after), [
        ['play_prime_drama', 'cpm_fixed', 6000],
        ['wavecrest_music', 'cpm_fixed', 1000],
      ]),
  },
  {
    id: 'buy-paused',
    tenant: 'sales',
    ask: () =>
      `Book 1,500 EUR of French morning radio ${FLIGHT_IN_WORDS}, with our number PO-4471, and leave it paused until I say so.`,
    wants: () => [
      {
        goal: 'buy media',
        facts: {
          ...FLIGHT,
          brief: 'French morning radio',
          countries: ['FR'],
          budget: 1500,
          po_number: 'PO-4471',
          paused: true,
        },
      },
    ],
    grade: (after) => {
      assert.deepEqual(bought(after), [['wavecrest_morning_fr', 'cpm_fixed', 1500]]);
      const { echoed, held } = onlyBuy(after);
      assert.deepEqual([echoed.po_number, held], ['PO-4471', true]);
    },
  },
  {
    id: 'buy-proposal',
    tenant: 'sales',
    ask: () =>
      `Make us a balanced plan for reach with display and video, and buy it for 60,000 USD in all, ${FLIGHT_IN_WORDS}. Our operator is pinnacle-agency.example.`,
    wants: () => [
      {
        goal: 'buy media',
        facts: {
          ...FLIGHT,
          brief: 'reach with display and video',
          account: { brand: { domain: BRAND }, operator: 'pinnacle-agency.example' },
          proposal: 'Balanced plan',
          total_budget: { amount: 60000, currency: 'USD' },
        },
      },
    ],
    grade: (after) => {
      const { currency, packages } = onlyBuy(after);
      const total = packages.reduce((sum, { budget }) => sum + budget, 0);
      assert.deepEqual([currency, total], ['USD', 60000]);
      assert.ok(packages.length > 1, 'the plan has several products');
    },
  },
  {
    id: 'buy-least-possible',
    tenant: 'sales',
    ask: () =>
      `Pre-roll before news video, per thousand, ${FLIGHT_IN_WORDS}: try 400 USD, and if you want more, then the least that you take.`,
    grade: (after) => assert.deepEqual(bought(after), [['northlight_preroll', 'cpm_fixed', 1000]]),
  },
  {
    id: 'buy-germany-only',
    tenant: 'sales',
    ask: () => `1,000 USD on the run of site product, fixed price, shown in Germany only, ${FLIGHT_IN_WORDS}.`,
    grade: (after) => {
      assert.deepEqual(bought(after), [['test-product', 'default', 1000]]);
      assert.deepEqual(onlyBuy(after).packages[0]?.targeting_overlay, { geo_countries: ['DE'] });
    },
  },
  {
    id: 'buy-phones-only',
    tenant: 'sales',
    ask: () => `1,000 USD on run of site (test-product) at the fixed price, on phones only, ${FLIGHT_IN_WORDS}.`,
    grade: (after) => {
      assert.deepEqual(bought(after), [['test-product', 'default', 1000]]);
      assert.deepEqual(onlyBuy(after).packages[0]?.targeting_overlay, { device_type: ['mobile'] });
    },
  },
  {
    id: 'buy-nothing-unsuited',
    tenant: 'sales',
    ask: () => 'Buy cinema advertising in Japan for 5,000 JPY, but only if you really have that.',
    grade: (after) => {
      assert.equal(after.buys.length, 0);
      wasRead(after, /"products"/);
    },
  },
  {
    id: 'audio-for-a-budget',
    tenant: 'sales',
    ask: () => 'What audio could we have for 5,000 USD in February 2030? Do not buy yet.',
    wants: () => [
      {
        goal: 'find products',
        facts: {
          brief: 'audio',
          channels: ['streaming_audio'],
          budget: 5000,
          start_time: FLIGHT.start_time,
          end_time: FLIGHT.end_time,
        },
      },
    ],
    grade: (after) => {
      assert.equal(after.buys.length, 0);
      wasRead(after, /wavecrest_music/);
    },
  },
];
