import { DAY_MS } from '../../../../platform/kernel/clock.js';
import { type NamedDays, resolveDays } from './days.js';
import { findMentions, type Mention } from './mentions.js';

/** The dates of a brief: the days that it names, or what it says that can mean several, or days that have passed. */
type BriefDates = { readonly days?: NamedDays; readonly unclear?: string };

/**
 * Returns the dates of a brief, in English, German, Spanish, French, Portuguese, Japanese or Arabic; undefined where it names none. A span of time
 * that names no beginning begins at `spanFromMs`, tomorrow unless given.
 */
export function readDates(text: string, nowMs: number, spanFromMs = nowMs + DAY_MS): BriefDates | undefined {
  const mentions = joinEnds(findMentions(text));
  const [one] = mentions;
  if (one === undefined) return undefined;
  const labels = [...new Set(mentions.map(({ from, to }) => text.slice(from, to).trim()))];
  if (labels.length > 1 || one.isUnclear) return { unclear: `"${labels.join('" and "').slice(0, 200)}"` };
  const days = resolveDays(one, nowMs, spanFromMs);
  return days === undefined ? { unclear: `"${labels[0]}"` } : { days };
}

/** Returns two mentions, of which one names the first day alone and the next the last, as the one flight that they are. */
function joinEnds(mentions: readonly Mention[]): readonly Mention[] {
  const [one, other] = mentions;
  const isPair = one?.first !== undefined && one.last === undefined && other?.last !== undefined;
  if (!isPair || mentions.length > 2 || other.first !== undefined || one.span !== undefined) return mentions;
  return [
    { from: one.from, to: other.to, first: one.first, last: other.last, isUnclear: one.isUnclear || other.isUnclear },
  ];
}

/** Returns a text without its dates. */
export function withoutDates(text: string): string {
  let rest = '';
  let end = 0;
  for (const { from, to } of findMentions(text)) {
    rest += `${text.slice(end, from)} `;
    end = to;
  }
  return rest + text.slice(end);
}
