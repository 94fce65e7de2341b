import { describe, expect, test } from 'vitest';
import { readSelectionAsk } from '../../../../../src/seller/domain/proposal/refinement/ask.js';

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
