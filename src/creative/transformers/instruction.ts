import type { Direction } from '../build/direction.js';
import { understandBrief } from '../compose/copy/brief/understanding.js';

/** What a sentence asks to be changed of a creative. */
type Instruction = {
  readonly direction: Direction;
  /** Whether it says something for the words of the ad beyond what the direction has. */
  readonly isBrief: boolean;
};

const HEX = /#[0-9a-f]{6}\b/i;
const INVERT = /\b(?:invert|swap|reverse|exchange)\b[^.!?]{0,40}\bcolou?rs?\b/i;
const SHORTER = /\bshort(?:er|en)\b/i;
const OTHER_MOTIF = /\b(?:another|other|different|new)\b[^.!?]{0,20}\b(?:motif|pattern|background|drawing)\b/i;
const LEAST_HEADLINE_CHARS = 15;
const MOST_HEADLINE_CHARS = 60;

/**
 * Reads what a refinement asks for: a headline or the words of a button in quotation marks, a ground as `#rrggbb`, colors swapped, another
 * motif, a shorter headline. What it says beyond that is for the writer. `before` is the direction of the creative that is refined.
 */
export function readInstruction(message: string, before: Direction): Instruction {
  const { headline, callToAction } = understandBrief(message, { brandName: '' });
  const isShorter = SHORTER.test(message);
  const asked: Direction = {
    headline,
    callToAction,
    ground: HEX.exec(message)?.[0].toLowerCase(),
    colors: INVERT.test(message) ? swapped(before) : undefined,
    motifShift: OTHER_MOTIF.test(message) ? (before.motifShift ?? 0) + 1 : undefined,
    headlineChars: isShorter ? shorterHeadline(before) : undefined,
  };
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  return { direction: Object.fromEntries(given), isBrief: given.length === 0 };
}

function swapped({ colors }: Direction): Direction['colors'] {
  return colors === 'inverted' ? 'brand' : 'inverted';
}

function shorterHeadline({ headlineChars = MOST_HEADLINE_CHARS }: Direction): number {
  return Math.max(LEAST_HEADLINE_CHARS, Math.round(headlineChars / 2));
}
