import { CORRECTS, spellAmounts } from '../../../search/budget.js';
import { ASK_LANGUAGES, type AskLanguage } from './words.js';

/** A language of asks, as its table is applied: its verbs, then its other words. */
type Translation = {
  readonly language: AskLanguage;
  readonly verbs: RegExp;
  readonly englishOf: (word: string) => string;
  readonly others: readonly (readonly [pattern: RegExp, english: string])[];
};

const TRANSLATIONS: readonly Translation[] = ASK_LANGUAGES.map(compileLanguage);

function compileLanguage(language: AskLanguage): Translation {
  const rows = Object.entries(language.verbs).flatMap(([english, words]) =>
    words.split(', ').map((word) => ({ word: word.toLowerCase(), english })),
  );
  const sorted = rows.toSorted((one, other) => other.word.length - one.word.length);
  const bound = (source: string): string =>
    language.isUnspaced ? source : `(?<![\\p{L}\\p{M}])(?:${source})(?![\\p{L}\\p{M}])`;
  const words = sorted.map(({ word }) => word.replace('*', '\\p{L}{0,8}').replaceAll(' ', '\\s')).join('|');
  const source = language.and === undefined ? words : `${language.and}?(?:${words})`;
  return {
    language,
    verbs: new RegExp(bound(source), 'giu'),
    englishOf: (found) => {
      const lower = found.toLowerCase();
      const isWord = ({ word }: { readonly word: string }, text: string): boolean =>
        word.endsWith('*') ? text.startsWith(word.slice(0, -1)) : word.split('(?=')[0] === text;
      const own = sorted.find((row) => isWord(row, lower));
      if (own !== undefined) return mark(own.english);
      const joined = sorted.find((row) => isWord(row, lower.slice(1)));
      return joined === undefined ? found : ` and ${mark(joined.english)}`;
    },
    others: language.others.map(([pattern, english]) => [new RegExp(bound(pattern), 'giu'), english]),
  };
}

/** English verbs of hurried people, and the ones that are read. */
const INFORMAL: readonly (readonly [pattern: RegExp, english: string])[] = [
  [/\b(?:kill|ditch|scrap|axe|nix|dump|lose|forget|get rid of)\b(?! (?:it|that)\b)/giu, 'drop'],
  [/\b(?:bump|crank|push|take|dial)(?= [^.;,\n]{0,30}\bup\b)/giu, 'raise'],
  [/\bbump\b/giu, 'raise'],
  [/\b(?:dial|scale|cut) (?:down|back)\b|\btrim\b/giu, 'reduce'],
  [/(?<=\braise [^.;,\n]{0,30})\s?\bup\b/giu, ''],
  [
    /\b(?:everything|all|the money|the budget)(?: (?:that )?(?:it|they) had)? (?:goes|should go|can go)\b/giu,
    'put that',
  ],
  [/\b(give|put) the difference\b/giu, '$1 it'],
  [/\b(?:shave|skim|carve|trim) (?=[^.;,\n]{1,40}\b(?:off|from|out of)\b)/giu, 'take '],
  [/\b(?:hand|pass) (?=(?:it|them|that|those)\b)/giu, 'give '],
  [/\btake ([^.;,\n]{1,40}?) out\b(?! of)(?: entirely| completely| altogether)?/giu, 'drop $1'],
  [/\bwhat(?:['’]s| is) (?:left|freed)|\bwhatever is (?:left|freed)/giu, 'that'],
  [/\b(?:half and half|fifty[- ]fifty)\b/giu, 'evenly'],
];

const MAX_ASK_CHARS = 2000;

/**
 * Returns an ask in the English that plans are read in: amounts as a number and a code, verbs of other languages at the head of their clause.
 * An ask in English stays as it is but for its amounts.
 */
export function translateAsk(ask: string): string {
  const spelled = correctShares(spellUnits(spellAmounts(ask.slice(0, MAX_ASK_CHARS))))
    .replace(/%\s?(\d{1,3}(?:[.,]\d{1,2})?)(?!\d|\s?%)/gu, '$1%')
    .replaceAll('％', '%');
  const translation = findTranslation(spelled);
  if (translation === undefined)
    return INFORMAL.reduce((text, [pattern, english]) => text.replace(pattern, english), spelled);
  return orderVerbs(replaceWords(translation, spelled));
}

const POINTS =
  /(?<=\d\s?)(?:prozentpunkte?n?|punkte?n?|points? de pourcentage|puntos(?: porcentuales)?|pontos(?: percentuais)?|ポイント|%p|%포인트|퍼센트포인트|포인트|個?百分點|个?百分点|จุด|نقاط|نقطة|puan|punkt(?:y|ów)?(?: procentow\p{L}{1,3})?)(?![\p{Script=Latin}\p{Script=Arabic}])/giu;
const PERCENT =
  /(?<=\d\s?)(?:prozent|pour ?cent|por ciento|por cento|procent|퍼센트|프로|パーセント|เปอร์เซ็นต์|بالمئة|في المئة|بالمائة|في المائة)/giu;

/** Returns an ask with the words for percents and for points of the budget in English. */
function spellUnits(ask: string): string {
  return ask.replace(POINTS, ' points ').replace(PERCENT, '%');
}

const SHARE = '\\d[\\d.,]*\\s?(?:%|percent(?:age points)?|points?|pts|pp)';
const CORRECTED_SHARE = new RegExp(
  `(${SHARE})([^.;\\n\\d]{0,80}?)[\\s,–—-]*(?:${CORRECTS.source})[^.;\\n\\d]{0,20}(${SHARE})`,
  'giu',
);

/** Returns an ask in which a share that another corrects is the other one: "10 points to sports, sorry, 15 points". */
function correctShares(ask: string): string {
  return ask.replace(CORRECTED_SHARE, '$3$2');
}

/** Returns the language that most verbs of an ask are of; undefined for English. */
function findTranslation(ask: string): Translation | undefined {
  let best: { readonly count: number; readonly translation: Translation } | undefined;
  for (const translation of TRANSLATIONS) {
    if (!translation.language.script.test(ask)) continue;
    const count = countChars(ask, translation);
    if (count > (best?.count ?? 0)) best = { count, translation };
  }
  return best === undefined || best.count <= countEnglish(ask) ? undefined : best.translation;
}

/** Returns how many characters of an ask are words of a language; words decide between languages that share verbs. */
function countChars(ask: string, { verbs, others }: Translation): number {
  const count = (pattern: RegExp): number => [...ask.matchAll(pattern)].reduce((sum, [found]) => sum + found.length, 0);
  const own = count(verbs);
  return own === 0 ? 0 : own + others.reduce((sum, [pattern]) => sum + count(pattern), 0);
}

const ENGLISH =
  /\b(?:the|to|and|from|with|of|by|on|in|it|please|move|shift|drop|add|only|more|less|increase|raise|reduce|put|set|remove|keep|replace|split|spend|without|budget|rest)\b/giu;

function countEnglish(ask: string): number {
  return [...ask.matchAll(ENGLISH)].reduce((sum, [found]) => sum + found.length, 0);
}

function replaceWords({ language, verbs, englishOf, others }: Translation, ask: string): string {
  const gap = language.isUnspaced ? ' ' : '';
  let text = ask.replace(verbs, (found) => `${gap}${englishOf(found)}${gap}`);
  for (const [pattern, english] of others) text = text.replace(pattern, english);
  return text;
}

/** Marks a verb that was translated, so that no other word is taken for it. */
function mark(verb: string): string {
  return `\ue000${verb}\ue001`;
}

/** Puts the verb of each clause at its head. */
function orderVerbs(text: string): string {
  return text
    .split(/((?:[.;!?\n。！？]+(?!\d)|[,、،](?!\d)|\sand\s))/u)
    .flatMap(splitVerbs)
    .map((part) => {
      const verb = VERB.exec(part)?.[1];
      if (verb === undefined) return part.replace(/[。！？]/gu, '. ').replaceAll('،', ', ');
      if (!/[\p{L}\p{N}]/u.test(part.replace(VERB, ''))) return '';
      const isMove = verb === 'set' && /\sfrom\s/u.test(part) && /\sto\s/u.test(part);
      return ` ${isMove ? 'move' : verb} ${part.replace(VERB, ' ')} `;
    })
    .join('')
    .replace(/\s{2,}/gu, ' ')
    .trim();
}

const VERB = /\ue000([a-z]+)\ue001/u;

/** Splits a clause of several verbs: before each where one begins it, and otherwise behind each. */
function splitVerbs(part: string): readonly string[] {
  const isFirst = /^\s*\ue000/u.test(part);
  const pieces = part.split(isFirst ? /(?=\ue000)/u : /(?<=\ue001)/u).filter((piece) => piece.trim() !== '');
  if (pieces.length < 2 || part.split('\ue000').length < 3) return [part];
  const rest = VERB.test(pieces.at(-1) ?? '') ? [] : [pieces.pop() ?? ''];
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [' and ', piece])).concat(rest);
}
