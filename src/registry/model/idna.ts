import { unicodeHost } from '../../platform/signing/target-uri.js';

/** Letters, marks and digits, as they are after mapping: what RFC 5892 2.1 takes into names. */
const LETTER = /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]$/u;
/** What RFC 5892 leaves out all the same: what nobody sees, and conjoining jamo. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]$/u;
/** Marks of symbols and of music. */
const SYMBOL_MARK = /^[\u20d0-\u20ff\u{1d100}-\u{1d24f}]$/u;
/** Exceptions of RFC 5892 2.6. */
const TAKEN = new Set('·\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb\u200c\u200d-');
const REFUSED = new Set('\u0640\u07fa\u302e\u302f\u3031\u3032\u3033\u3034\u3035\u303b');

/** Characters that stand in some places only (RFC 5892, appendix A); those that join are judged when a name is decoded. */
const CONTEXT_RULES: Readonly<Record<string, (label: string, at: number) => boolean>> = {
  '·': (label, at) => label[at - 1] === 'l' && label[at + 1] === 'l',
  '\u0375': (label, at) => /^\p{Script=Greek}/u.test(label.slice(at + 1)),
  '\u05f3': (label, at) => /\p{Script=Hebrew}$/u.test(label.slice(0, at)),
  '\u05f4': (label, at) => /\p{Script=Hebrew}$/u.test(label.slice(0, at)),
  '\u30fb': (label) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label.replaceAll('\u30fb', '')),
};

/**
 * Returns why no registrant may have a name, as the end of "it …": a character that IDNA 2008 (RFC 5892) takes into no name, or two
 * hyphens in the third and fourth place of a label (RFC 5891). `ascii` is a name in the form of `domainName`.
 */
export function findIdnaFault(ascii: string): string | undefined {
  const hyphens = ascii.split('.').find((label) => label.slice(2, 4) === '--' && !label.startsWith('xn--'));
  if (hyphens !== undefined) return `has two hyphens in the third and fourth place of "${hyphens}"`;
  if (!ascii.includes('xn--')) return undefined;
  for (const label of (unicodeHost(ascii) ?? ascii).split('.')) {
    const foreign = findForeign(label);
    if (foreign !== undefined) return `has ${nameOf(foreign)}, which stands in no domain name there`;
  }
  return undefined;
}

/** Returns the first character of a label that has no place there. */
function findForeign(label: string): string | undefined {
  let at = 0;
  for (const one of label) {
    if (!isTaken(one) || CONTEXT_RULES[one]?.(label, at) === false) return one;
    at += one.length;
  }
  return undefined;
}

function isTaken(one: string): boolean {
  if (TAKEN.has(one)) return true;
  return LETTER.test(one) && !REFUSED.has(one) && !INVISIBLE.test(one) && !SYMBOL_MARK.test(one);
}

function nameOf(one: string): string {
  return `"${one}" (U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`;
}
