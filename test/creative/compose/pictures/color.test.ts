import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildPalette,
  chooseColors,
  chooseReadable,
  contrast,
  parseHex,
  readColors,
} from '../../../../src/creative/compose/pictures/color.js';

const HEX = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('colors', () => {
  it.each([
    ['#ABC', '#aabbcc'],
    ['1b4332', '#1b4332'],
    [' #1B4332ff ', '#1b4332'],
    ['#12345', undefined],
    ['red', undefined],
    ['url(#x)', undefined],
    [7, undefined],
  ])('%s reads as %s', (text, hex) => expect(parseHex(text)).toBe(hex));

  it('are read from roles and from a list', () => {
    expect(readColors({ primary: '#FFF', secondary: ['#000000', '#111111'], accent: 'nope' })).toEqual({
      primary: '#ffffff',
      secondary: '#000000',
    });
    const list = [{ hex: '#111111', type: 'secondary' }, { hex: '#222222' }, '#333333', { hex: 'x', type: 'accent' }];
    expect(readColors(list)).toEqual({ secondary: '#111111', primary: '#222222', accent: '#333333' });
    expect(readColors('blue')).toEqual({});
  });

  it('have the contrast that WCAG says', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });

  it('for text read on every ground', () => {
    fc.assert(
      fc.property(HEX, HEX, (ground, wanted) => contrast(chooseReadable(ground, wanted), ground) >= 4.5),
      { numRuns: 300 },
    );
  });

  it('of a palette keep every promise for every brand, and the primary as it is', () => {
    fc.assert(
      fc.property(
        HEX,
        fc.option(HEX, { nil: undefined }),
        fc.option(HEX, { nil: undefined }),
        (primary, secondary, text) => {
          const palette = buildPalette({ primary, ...(secondary && { secondary }), ...(text && { text }) });
          expect(palette.ground).toBe(primary);
          for (const behind of [palette.ground, palette.groundFar, palette.shape, palette.shapeFar]) {
            expect(contrast(palette.ink, behind)).toBeGreaterThanOrEqual(4.5);
            expect(contrast(palette.quiet, behind)).toBeGreaterThanOrEqual(4.5);
            expect(contrast(palette.accent, behind)).toBeGreaterThanOrEqual(palette.accentReads ? 4.5 : 2);
          }
          expect(contrast(palette.accent, palette.ground)).toBeGreaterThanOrEqual(3);
          expect(contrast(palette.accentInk, palette.accent)).toBeGreaterThanOrEqual(4.5);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('for a brand without any are a pair of the house, always the same', () => {
    expect(chooseColors('Acme')).toEqual(chooseColors('ACME'));
    expect(new Set('abcdefghijklmnop'.split('').map((name) => chooseColors(name).primary)).size).toBeGreaterThan(3);
  });
});
