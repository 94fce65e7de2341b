import { describe, expect, test } from 'vitest';
import { readPlanAsk } from '../../../../../src/seller/domain/proposal/refinement/plan-ask.js';

const points = (value: number) => ({ value, unit: 'points' });
const money = (value: number) => ({ value, unit: 'money', currency: 'USD' });
const percent = (value: number) => ({ value, unit: 'percent' });

/** What an ask about a plan is read as. */
const PLAN_ASKS: readonly (readonly [ask: string, read: readonly object[]])[] = [
  [
    'Shift 60% of budget to CTV. Drop the display product and redistribute that budget to video.',
    [{ do: 'set', parts: [{ share: points(60) }] }, { do: 'drop' }, { do: 'give' }],
  ],
  [
    'more audio, less display',
    [
      { do: 'change', sign: 1 },
      { do: 'change', sign: -1 },
    ],
  ],
  ['increase outstream by 10%', [{ do: 'change', sign: 1, quantity: percent(10) }]],
  ['increase outstream by 10 percentage points', [{ do: 'change', sign: 1, quantity: points(10) }]],
  ['raise CTV to 40%', [{ do: 'set', parts: [{ share: points(40) }] }]],
  ['move 10% from outstream to sports', [{ do: 'move', quantity: points(10), from: 'outstream', to: 'sports' }]],
  ['move 15 points to sports from display', [{ do: 'move', quantity: points(15), from: 'display', to: 'sports' }]],
  ['move half of display to CTV', [{ do: 'move', quantity: percent(50) }]],
  ['shift 20 points', [{ do: 'move', quantity: points(20) }]],
  ['shift budget from display to CTV', [{ do: 'move', quantity: undefined, from: 'display', to: 'CTV' }]],
  ['put 50% in CTV and the rest in display', [{ do: 'set', parts: [{ share: points(50) }], rest: 'display' }]],
  [
    'CTV 40%, audio 35%, display 25%',
    [{ do: 'set', parts: [{ share: points(40) }, { share: points(35) }, { share: points(25) }] }],
  ],
  ['split it 70/30 between CTV and audio', [{ do: 'set', parts: [{ share: points(70) }, { share: points(30) }] }]],
  ['split evenly', [{ do: 'even' }]],
  ['double the CTV share', [{ do: 'times', factor: 2 }]],
  ['replace display with podcasts', [{ do: 'replace', text: 'display', by: 'podcasts' }]],
  ['reduce total by 10%', [{ do: 'scale', factor: 0.9 }]],
  ['increase the budget by 20 percent', [{ do: 'scale', factor: 1.2 }]],
  [
    'Add podcasts and increase budget to $30K',
    [{ do: 'add' }, { do: 'budget', money: { amount: 30_000, currency: 'USD' } }],
  ],
  ['add podcasts at 15%', [{ do: 'add', share: points(15) }]],
  ['add video and audio', [{ do: 'add' }]],
  ['only CTV please', [{ do: 'only' }]],
  ['Without display', [{ do: 'drop' }]],
  ['put half into live sports', [{ do: 'set', parts: [{ share: points(50) }] }]],
  ['put a third of the budget in audio', [{ do: 'set', parts: [{ share: points(33.33) }] }]],
  [
    'take 15% away from banners and give it to sports',
    [{ do: 'move', quantity: points(15), from: 'banners', to: 'sports' }],
  ],
  ['remove everything but sports', [{ do: 'only' }]],
  ['spend $20k on sports, the rest evenly', [{ do: 'set', parts: [{ share: money(20_000) }], rest: 'evenly' }]],
  ['move $5,000 from banners to sports', [{ do: 'move', quantity: money(5000), from: 'banners', to: 'sports' }]],
  ['raise the total to 80,000 dollars', [{ do: 'budget', money: { amount: 80_000, currency: 'USD' } }]],
  ['give outstream 5 points more, at the cost of banners', [{ do: 'change', quantity: points(5), other: 'banners' }]],
  ['add podcasts with 15 percent, taken from sports', [{ do: 'add', share: points(15), other: 'sports' }]],
  ['12.5% to podcasts', [{ do: 'set', parts: [{ share: points(12.5) }] }]],
];

describe('an ask about a plan', () => {
  test.each(PLAN_ASKS)('%s', (ask, read) => {
    const { directives, unread } = readPlanAsk(ask);
    expect(directives).toMatchObject(read);
    expect(directives).toHaveLength(read.length);
    expect(unread).toEqual([]);
  });

  test('keeps what it cannot read', () => {
    expect(readPlanAsk('Make it sparkle. Drop display.')).toMatchObject({
      directives: [{ do: 'drop' }],
      unread: ['Make it sparkle'],
    });
  });
});
