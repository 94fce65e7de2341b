import { escapePattern, withoutEnd } from '../../compose/copy/text.js';
import { isColorAlone } from './colors.js';
import { BEHIND_VALUE, findPart, VAGUE } from './words.js';

const VERB =
  /^(?:(?:please|bitte|por favor)\s+)?(?:change|replace|swap|turn|switch|ändere?|ersetze?|tausche?|remplacez?|changez?|remplacer|changer|cambi(?:a|e|ar)|reempla(?:za|ce|zar)|sustitu(?:ye|ya|ir))\s+(?:(?:from|von|de|desde)\s+)?/iu;
const JOINT = /\s+(?:to|with|by|into|for|in|zu|auf|durch|gegen|mit|par|en|pour|por|a|con)\s+/giu;
/** Behind the words that are to stand: verbs of German at their end, and where they are to be. */
const BEHIND = /\s+(?:aus|um|ab|everywhere|überall|partout|en todas partes)$/iu;

/** Words that are replaced are no longer than this. */
const MAX_FROM_CHARS = 120;

/** Words that are to stand in place of others. */
type Replacement = { readonly from: string; readonly to: string };

/** Returns what a command without quotation marks replaces that names no part, by every reading of it, the longest words first. */
export function listReplacements(text: string): readonly Replacement[] {
  const verb = VERB.exec(text);
  if (verb === null) return [];
  const plain = withoutEnd(text.slice(verb[0].length), /[.!\s]/u);
  const readings = [...plain.slice(0, MAX_FROM_CHARS).matchAll(JOINT)].map(({ 0: joint, index }) => ({
    from: plain.slice(0, index).trim(),
    to: plain
      .slice(index + joint.length)
      .replace(BEHIND_VALUE, '')
      .replace(BEHIND, '')
      .trim(),
  }));
  return readings
    .filter(({ from, to }) => from.length > 1 && to !== '' && !VAGUE.test(to) && !isPart(from) && !isColorAlone(from))
    .sort((one, other) => other.from.length - one.from.length);
}

/** Whether words name a part of an ad, and are none of its words. */
function isPart(words: string): boolean {
  const part = findPart(words);
  return part !== undefined && part.to === words.length;
}

/** Returns the replacement of words that stand in texts, as whole words in large letters or in small; undefined where none does. */
export function findReplacement(text: string, texts: readonly string[]): Replacement | undefined {
  return listReplacements(text).find(({ from }) => {
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(from)}(?![\\p{L}\\p{N}])`, 'iu');
    return texts.some((one) => whole.test(one));
  });
}
