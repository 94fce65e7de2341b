import { gluesOf } from '../language/glue.js';
import type { LanguageTable, Role } from '../language/table.js';

/** What stands in quotation marks; a straight single one only where no apostrophe can be meant. */
const QUOTED =
  /(?:(?<!\p{Script=Hebrew})"|[“„«»])\s*([^“”„"«»\n]{1,160}?)\s*[”“"»«]|[「『]([^「」『』\n]{1,160})[」』]|‹([^‹›\n]{1,160})›|(?<=^|[\s(:])['‘]([^'‘’\n]{2,120})['’](?=[\s.,;:!?)\p{Script=Hangul}]|$)/gu;
/** Most quotations of a message that are told apart. */
const MAX_QUOTES = 100;
const FIRST_MARK = 0xe100;
/** Behind a quotation that ends with a full stop: the sentence may end there too. */
const END_MARK = '\ue1ff';
const ENDED = /[.!?。！？।]$/u;
const MARKS = /[\ue100-\ue163]/gu;

/** A message whose quotations are one character each, so that no sentence ends within them. */
type Masked = { readonly text: string; readonly quotes: readonly string[] };

/** Returns a text (see `plainLines`) with its quotations masked. */
export function maskQuotes(text: string): Masked {
  const quotes: string[] = [];
  const masked = text.replace(QUOTED, (whole: string, ...groups: unknown[]) => {
    if (quotes.length >= MAX_QUOTES) return whole;
    const inner = groups.slice(0, 4).find((group) => typeof group === 'string');
    const quote = String(inner).trim();
    quotes.push(quote);
    return `${String.fromCharCode(FIRST_MARK + quotes.length - 1)}${ENDED.test(quote) ? END_MARK : ''}`;
  });
  return { text: masked, quotes };
}

/** Returns a masked text with the quotations in their places, without their marks. */
export function unmask(text: string, quotes: readonly string[]): string {
  return text.replace(MARKS, (mark) => quotes[mark.charCodeAt(0) - FIRST_MARK] ?? '').replaceAll(END_MARK, '');
}

/** Whether a masked text has a quotation. */
export function hasQuote(text: string): boolean {
  return text.search(MARKS) >= 0;
}

/** Returns the quotations of a masked text. */
export function listQuotes(text: string, quotes: readonly string[]): readonly string[] {
  return (text.match(MARKS) ?? []).map((mark) => quotes[mark.charCodeAt(0) - FIRST_MARK] ?? '');
}

/** The roles that words beside a quotation give it, the first that matches; those that only a ban or an order gives are not here. */
const QUOTE_ROLES: readonly Role[] = ['action', 'legal', 'headline', 'body', 'tone'];
/** How far from a quotation its role is looked for. */
const REACH_CHARS = 70;
const SAYS =
  /(?<!\p{L})(?:says?|saying|reads?|slogan|claim|tagline|texto|texte|slagord|σύνθημα|слоган|гасло)[^\p{L}]*$/iu;

/** What an ad has to say is not its headline. */
const MUST = new RegExp(`(?<!\\p{L})(?:${gluesOf('mustSay')})[^\\p{L}]*$`, 'iu');

/** Words behind a quotation that say where it stands: "… on the button". */
const BESIDE = new RegExp(
  `^\\s*(?:${gluesOf('at')}|auf|als|as|sur|comme|nel|sul|come|como|som|ως|як|jako|ca)\\s+(?:${gluesOf('article')})?\\s*[^\\s,.;:]{2,20}`,
  'iu',
);

/** A quotation with what the words beside it say it is for; `undefined` where they say nothing. */
type QuoteRole = { readonly mark: string; readonly text: string; readonly role: Role | undefined };

/** Returns the quotations of a masked sentence with their roles. */
export function readQuoteRoles(
  sentence: string,
  quotes: readonly string[],
  tables: readonly LanguageTable[],
): readonly QuoteRole[] {
  const marks = [...sentence.matchAll(MARKS)];
  return marks.map((match, index) => {
    const [mark] = match;
    const from = (marks[index - 1]?.index ?? -1) + 1;
    const before = sentence.slice(Math.max(from, match.index - REACH_CHARS), match.index);
    const after = sentence.slice(match.index + 1, marks[index + 1]?.index ?? sentence.length).slice(0, REACH_CHARS / 2);
    const text = quotes[mark.charCodeAt(0) - FIRST_MARK] ?? '';
    const beside = BESIDE.exec(after);
    const role =
      (beside && findRole(beside[0], tables)) ??
      findRole(before, tables) ??
      (MUST.test(before) ? 'must' : undefined) ??
      (SAYS.test(before) ? 'headline' : undefined) ??
      findRole(after, tables);
    return { mark, text, role };
  });
}

/** Returns the role of the last word before a quotation that gives one. */
function findRole(words: string, tables: readonly LanguageTable[]): Role | undefined {
  let best: { readonly role: Role; readonly end: number } | undefined;
  for (const table of tables) {
    for (const role of QUOTE_ROLES) {
      const at = lastMatch(words, table.mentions[role]);
      if (at >= 0 && (best === undefined || at > best.end)) best = { role, end: at };
    }
  }
  return best?.role;
}

function lastMatch(words: string, pattern: RegExp | undefined): number {
  if (pattern === undefined) return -1;
  let end = -1;
  for (const match of words.matchAll(new RegExp(pattern, 'giu'))) end = match.index + match[0].length;
  return end;
}
