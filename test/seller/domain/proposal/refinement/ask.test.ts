import { describe, expect, test } from 'vitest';
import { readPlanAsk, readSelectionAsk } from '../../../../../src/seller/domain/proposal/refinement/ask.js';

/** What an ask about a plan is read as, without the words of each change. */
const PLAN_ASKS: readonly (readonly [ask: string, read: readonly object[]])[] = [
  [
    'Shift 60% of budget to CTV. Drop the display product and redistribute that budget to video.',
    [{ do: 'set', share: 60 }, { do: 'drop' }, { do: 'give' }],
  ],
  ['more audio, less display', [{ do: 'more' }, { do: 'less' }]],
  ['reduce total by 10%', [{ do: 'scale', factor: 0.9 }]],
  ['increase the budget by 20 percent', [{ do: 'scale', factor: 1.2 }]],
  [
    'Add podcasts and increase budget to $30K',
    [{ do: 'add' }, { do: 'budget', money: { amount: 30_000, currency: 'USD' } }],
  ],
  ['add video and audio', [{ do: 'add' }]],
  ['only CTV please', [{ do: 'only' }]],
  ['Without display', [{ do: 'drop' }]],
  ['12.5% to podcasts', [{ do: 'set', share: 12.5 }]],
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

/** What an ask about the selection is read as. */
const SELECTION_ASKS: readonly (readonly [ask: string, conditions: readonly string[], unoffered: number])[] = [
  [
    'Only guaranteed packages. Must include completion rate SLA above 80%.',
    ['completion rate of 80% or more', 'guaranteed'],
    0,
  ],
  ['All products must support frequency capping at 3 per day.', [], 1],
  ['more video options and less display', ['video', 'no display'], 0],
  ['no CTV, only US and Canada', ['no CTV', 'US or Canada'], 0],
  ['fixed price only', ['fixed price'], 0],
  ['something nice', [], 0],
];

describe('an ask about the selection', () => {
  test.each(SELECTION_ASKS)('%s', (ask, labels, unoffered) => {
    const read = readSelectionAsk(ask);
    expect(read.conditions.map(({ label }) => label)).toEqual(labels);
    expect(read.unoffered).toHaveLength(unoffered);
  });
});
