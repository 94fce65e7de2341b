import { parseDateTime, SECOND_MS, secondText } from '../platform/kernel/clock.js';

/** Returns a member of an answer as people read it: instants to the second, spans in seconds under a name without `_ms`. */
export function readableMember(name: string, value: unknown): readonly [name: string, text: string] {
  if (typeof value === 'string') return [name, parseDateTime(value) === undefined ? value : secondText(value)];
  if (typeof value === 'number' && name.endsWith('_ms'))
    return [name.slice(0, -'_ms'.length), `${Math.round(value / SECOND_MS)} s`];
  return [name, JSON.stringify(value)];
}

/** Returns text of a buyer's as one line that a terminal shows and does not obey. */
export function plain(line: string): string {
  return line.replaceAll(/\p{C}+/gu, ' ');
}

/** Returns a text of several lines, each made plain. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}
