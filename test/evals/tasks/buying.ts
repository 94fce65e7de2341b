import assert from 'node:assert/strict';
import type { After, EvalTask } from '../task.js';
import { FLIGHT } from './arrange.js';

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
      const bought = onlyPackage(after);
      assert.equal(bought.product_id, 'stadtblick_familien_tv');
      assert.equal(bought.pricing_option_id, 'cpm_fixed');
      assert.equal(bought.budget, 20000);
      assert.deepEqual([bought.start_time, bought.end_time], ['2030-02-01T00:00:00Z', '2030-02-15T00:00:00Z']);
    },
  },
];

function onlyPackage({ buys }: After) {
  const [buy] = buys;
  assert.equal(buys.length, 1, `there is one buy, not ${buys.length}`);
  assert.equal(buy?.packages.length, 1);
  assert.ok(buy?.packages[0]);
  return buy.packages[0];
}
