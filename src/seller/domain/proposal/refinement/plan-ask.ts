import { readSearchTerms } from '../../search/brief.js';
import { type Money, readBudget } from '../../search/budget.js';
import { isWord } from '../../search/lexicon/lexicon.js';
import { CURRENCIES } from '../../search/lexicon/money.js';
import { splitWords } from '../../search/words.js';
import { translateAsk } from './language/translate.js';

/** An amount of a change: `points` are percents of the whole budget, `percent` is of what a line has, `money` in its currency or the plan's. */
export type Quantity =
  | { readonly value: number; readonly unit: 'points' | 'percent' }
  | { readonly value: number; readonly unit: 'money'; readonly currency: string | undefined };

/** One change that an ask wants in a plan. Texts name products; shares are percents of the whole budget. */
export type Directive =
  | { readonly do: 'move'; readonly quantity: Quantity | undefined; readonly from?: string; readonly to?: string }
  | {
      readonly do: 'change';
      readonly sign: 1 | -1;
      readonly quantity: Quantity | undefined;
      readonly text: string;
      /** What gives it, or gets it. */
      readonly other?: string | undefined;
    }
  | { readonly do: 'set'; readonly parts: readonly SetPart[]; readonly rest?: string | undefined }
  | { readonly do: 'times'; readonly factor: number; readonly text: string }
  | { readonly do: 'replace'; readonly text: string; readonly by: string }
  | {
      readonly do: 'add';
      readonly share: Quantity | undefined;
      readonly text: string;
      readonly other?: string | undefined;
    }
  | { readonly do: 'drop'; readonly text: string }
  | { readonly do: 'only'; readonly text: string }
  | { readonly do: 'give'; readonly text: string }
  | { readonly do: 'keep'; readonly text: string }
  | { readonly do: 'even'; readonly text: string }
  | { readonly do: 'budget'; readonly money: Money }
  | { readonly do: 'scale'; readonly factor: number };

/** A share of the budget, in points or as money, and the words for what gets it. */
type SetPart = {
  readonly share: Quantity;
  readonly text: string;
  /** "At least 20% for podcasts", "cap sports at 25%": what keeps to it already stays. */
  readonly bound?: 'least' | 'most' | undefined;
};

/** The words of a rest that all others share equally. */
export const EVENLY = 'evenly';

/** The verbs of the trade; a clause begins where one follows a comma or "and". */
const VERBS =
  'move|shift|transfer|reallocate|redistribute|switch|put|set|allocate|assign|spend|give|drop|remove|exclude|omit|cut|take|leave out|without|reduce|decrease|lower|less|fewer|increase|raise|boost|grow|more|prioriti[sz]e|favou?r|add|include|only|double|triple|halve|replace|swap|split|keep|leave|cap|limit|get|bring|evenly|equally|start|begin|extend|end|run(?! of)|no';

/** What begins a clause about the whole budget without a verb before it. */
const OF_TOTAL = '(?:the |our |my )?(?:(?:total |overall |whole )?budget\\b|total\\s(?:is|to|at|now|should|=))';

const CLAUSES = new RegExp(
  `[;!?\\n]+|\\.(?=\\s|$)|(?:,\\s{0,2}(?:and |then |but )?|\\s(?:and|then|but) )(?=(?:${VERBS})\\b|${OF_TOTAL})`,
  'i',
);

const MAX_ASK_CHARS = 2000;

/** Returns the clauses of an ask: sentences, and what follows a comma or "and" with a verb of its own. */
export function splitClauses(ask: string): readonly string[] {
  return ask
    .slice(0, MAX_ASK_CHARS)
    .split(CLAUSES)
    .flatMap(splitDrop)
    .map((part) => part.trim())
    .filter((part) => splitWords(part).length > 0);
}

/** "Drop banners, sports to 55%": what is dropped has no share, and what has one is not dropped. */
function splitDrop(clause: string): readonly string[] {
  const [, head = '', rest = ''] = /^([^,]{1,120}),(?!\d)(.{1,1000})$/su.exec(clause) ?? [];
  const isDrop = DROPS.test(head) && !/\d/u.test(head) && QUANTITY.test(rest);
  return isDrop ? [head, ...splitDrop(rest)] : [clause];
}

const DROPS = /\b(?:drop|cancel|remove|exclude|omit|cut out|take out|leave out|without)\b/i;

/** Reads an ask about a plan into the changes it wants, in their order; clauses that say none of them are left over. */
export function readPlanAsk(ask: string): {
  readonly directives: readonly Directive[];
  readonly unread: readonly string[];
} {
  const directives: Directive[] = [];
  const unread: string[] = [];
  for (const clause of splitClauses(spellOut(translateAsk(ask)))) {
    if (KEEPS_BUDGET.test(clause) || (COURTESY.test(clause) && !HAS_VERB.test(clause))) continue;
    const before = directives.at(-1);
    if (before?.do === 'drop' && isAboutRest(clause) && readRest(clause) === EVENLY) {
      directives.push({ do: 'even', text: '' });
      continue;
    }
    if (before?.do === 'set' && before.rest === undefined && isAboutRest(clause)) {
      directives[directives.length - 1] = { ...before, rest: readRest(clause.replace(/\bsplit\b/giu, ' ')) };
      continue;
    }
    const directive = readDirective(clause);
    if (directive !== undefined) directives.push(directive);
    const isWhole = directive !== undefined && !(isAboutBudget(directive) && namesProducts(clause));
    if (!isWhole) unread.push(clause);
  }
  return { directives, unread };
}

/** "The budget stays": nothing to do. */
const KEEPS_BUDGET =
  /^\W*(?:(?:keep|leave)\s)?(?:the |our )?(?:total |same )?budget(?:\s(?:stays|remains|as is|as it is|unchanged|the same|the way it is))*\W*$/iu;

const HAS_VERB = new RegExp(`\\b(?:${VERBS})\\b`, 'i');

/** Greetings and thanks, which ask for nothing. */
const COURTESY =
  /^\W*(?:thanks|thank you|thx|cheers|best|kind regards|regards|hi|hello|hey|ok|okay|great|perfect|merci|gracias|saludos|danke|vielen dank|obrigad[oa]|abs|teşekkürler|pozdrawiam|dzięki|شكرا)(?![\p{L}%])[^%\d]{0,30}$/iu;

/** Whether a clause says what is done with the rest of the shares that the one before it sets. */
function isAboutRest(clause: string): boolean {
  return REST.test(clause) && readQuantity(clause) === undefined;
}

function isAboutBudget(directive: Directive): boolean {
  return directive.do === 'budget' || directive.do === 'scale';
}

/** Whether a clause of which the budget was read names a channel or a topic, too, of which nothing was. */
function namesProducts(clause: string): boolean {
  return readSearchTerms(withoutQuantity(clause)).some(({ pointers }) =>
    pointers.some(([term]) => term.startsWith('channel:') || (pointers.length > 1 && isWord(term))),
  );
}

const OF_IT = '(?: of (?:the |our |my |that |it)?(?:total |whole )?(?:budget|spend|money|it)?)?';
const FRACTIONS: readonly (readonly [words: string, percent: string])[] = [
  ['half', '50'],
  ['two thirds', '66.67'],
  ['three quarters', '75'],
  ['third', '33.33'],
  ['quarter', '25'],
];

/** Returns an ask with what is said in other words in those that are read: fractions of the budget, "take … and give it to", "drop all but". */
function spellOut(ask: string): string {
  let text = ask
    .slice(0, MAX_ASK_CHARS)
    .replace(
      /\b(?:take|cut|pull|remove)\s+([^.;!?\n]{1,60}?)\s+(?:away |off )?(?:from|out of|off)\s+([^.;!?\n]{1,80}?),?\s+(?:and|then)\s+(?:give|put|move|add|shift)\s+(?:it|that|them|this|those)\s+(?:to|into|in|on|toward)\b/gi,
      'move $1 from $2 to',
    )
    .replace(
      /\bhalve\s+([^.;!?\n]{1,60}?),?\s+(?:and|then)\s+(?:give|put|move)\s+(?:it|that|the difference|the rest|the other half)\s+(?:to|into|on)\b/gi,
      'move half of $1 to',
    )
    .replace(
      /\b(?:remove|drop|cut|exclude|omit)\s+(?:everything|all|anything|the rest)\s+(?:but|except(?: for)?|other than|apart from)\b/gi,
      'only',
    );
  for (const [words, percent] of FRACTIONS) {
    const share = `\\b(put|set|spend|allocate|assign|invest|have)\\s+(?:a |one )?${words}${OF_IT}\\s+(?=(?:in|into|on|to|for)\\b)`;
    text = text.replace(new RegExp(share, 'gi'), `$1 ${percent}% `);
  }
  return text;
}

const QUANTITY = /(\d{1,3}(?:[.,]\d{1,2})?)\s?(%|percent(?:age)?\s?points?|percent|points?|pts|pp)(?!\p{L})/iu;
/** Amounts of money, as `translateAsk` spells them. */
const AMOUNT = new RegExp(`\\b\\d[\\d.]*\\s(?:${Object.keys(CURRENCIES).join('|')})\\b`, 'u');
const OF_BUDGET =
  /\s(?:of|from) (?:the |our |my |that |its )?(?:total |whole |overall )?(?:budget|spend|total|plan|money)\b/i;
const BUDGET = /\b(?:budget|total|spend(?:ing)?)\b/i;
const MOVE = /\b(?:move|shift|transfer|reallocate|redistribute|switch|take)\b/i;
const UP = /\b(?:increase|raise|boost|grow|more|prioriti[sz]e|favou?r|heavier|up)\b/i;
const DOWN = /\b(?:reduce|decrease|lower|less|fewer|cut|lighter|down)\b/i;
const FROM =
  /\b(?:from|out of|away from|off(?: of)?|(?<=half |all |everything )of)\s+(.{1,80}?)(?=\s+(?:to|into|towards?)\s|$)/i;
const PART_OF = /(?:%|percent|points?|pts)\s+of\s+(?!(?:it|that|this)\b)(.{1,80}?)\s+(?:to|into|towards?)\s/i;
const TO = /\b(?:to|into|towards?)\s+(.{1,80}?)(?=\s+(?:from|out of)\s|$)/i;
const ALL = /\b(?:all|everything|the whole)\b/i;
const HALF = /\bhalf\b/i;

/** A way to read a clause; undefined where it is not this. `text` is the clause without "of the budget". */
type Reading = (text: string, isOfBudget: boolean) => Directive | undefined;

/** The readings of a clause; the first that fits counts. */
const READINGS: readonly Reading[] = [
  readReplacement,
  readMove,
  readBudgetChange,
  readTimes,
  readSplit,
  readSet,
  readChange,
  readPlainVerb,
  readMoney,
];

function readDirective(clause: string): Directive | undefined {
  const text = clause.replace(OF_BUDGET, ' ');
  const isOfBudget = text !== clause;
  for (const reading of READINGS) {
    const directive = reading(text, isOfBudget);
    if (directive !== undefined) return directive;
  }
  return undefined;
}

function readQuantity(text: string): Quantity | undefined {
  const match = QUANTITY.exec(text);
  if (match === null) return readAmount(text);
  const [, digits = '', unit = ''] = match;
  return { value: Number(digits.replace(',', '.')), unit: /point|pts|pp/i.test(unit) ? 'points' : 'percent' };
}

function readAmount(text: string): Quantity | undefined {
  const money = AMOUNT.test(text) ? readBudget(text) : undefined;
  return money === undefined ? undefined : { value: money.amount, unit: 'money', currency: money.currency };
}

function withoutQuantity(text: string): string {
  return text.replace(QUANTITY, ' ').replace(AMOUNT, ' ');
}

function readReplacement(text: string): Directive | undefined {
  const match = /\b(?:replace|swap(?: out)?|exchange)\s+(.{1,80}?)\s+(?:with|for|by)\s+(.{1,80})$/i.exec(text);
  return match === null ? undefined : { do: 'replace', text: match[1] ?? '', by: match[2] ?? '' };
}

/**
 * Reads "Move 10% from outstream to sports", whose percent is one of the whole budget; without an amount it is asked
 * back.
 */
function readMove(text: string, isOfBudget: boolean): Directive | undefined {
  const quantity = readQuantity(text);
  const rest = withoutQuantity(text);
  const [verb] = MOVE.exec(text) ?? [];
  if (verb === undefined && !isMoveWithoutVerb(text, rest)) return undefined;
  const partOf = PART_OF.exec(text)?.[1];
  const [from, to] = [partOf ?? FROM.exec(rest)?.[1] ?? readGiver(rest, quantity !== undefined), TO.exec(rest)?.[1]];
  if (partOf !== undefined) return { do: 'move', quantity, from, to };
  if (from === undefined && to === undefined) return quantity === undefined ? undefined : { do: 'move', quantity };
  if (from === undefined && isOfBudget && quantity !== undefined) {
    return { do: 'set', parts: [{ share: asShare(quantity), text: to ?? '' }] };
  }
  if (from === undefined && quantity === undefined && /\b(?:it|that|this|rest)\b/i.test(rest)) {
    return { do: 'give', text: to ?? '' };
  }
  if (from === undefined && quantity === undefined && verb !== undefined && /redistribut|reallocat/i.test(verb)) {
    return { do: 'give', text: to ?? '' };
  }
  const isHalf = quantity === undefined && HALF.test(text);
  const part: Quantity | undefined = isHalf ? { value: 50, unit: 'percent' } : undefined;
  const whole: Quantity | undefined =
    from !== undefined && ALL.test(text) ? { value: 100, unit: 'percent' } : undefined;
  const moved: Quantity | undefined =
    quantity === undefined || quantity.unit === 'money' ? quantity : { value: quantity.value, unit: 'points' };
  return { do: 'move', quantity: moved ?? part ?? whole, from, to };
}

/** Whether a clause says how much of what goes where, in whatever words: "5 points from banners to sports", "put 5 points of banners into sports". */
function isMoveWithoutVerb(text: string, rest: string): boolean {
  if (!QUANTITY.test(text) || UP.test(text) || DOWN.test(text) || BUDGET.test(text)) return false;
  return PART_OF.test(text) || (/\p{L}{3}/u.test(FROM.exec(rest)?.[1] ?? '') && TO.test(rest));
}

/** Returns what gives, where it stands behind the verb: "move all banners to sports", "move outstream 10% to sports". */
function readGiver(text: string, hasQuantity: boolean): string | undefined {
  const moved = /\b(?:move|shift|transfer)\s+(.{1,80}?)\s+(?:to|into|towards?)\s/i.exec(text)?.[1] ?? '';
  const isNamed = ALL.test(moved) || (hasQuantity && /\p{L}/u.test(moved) && !BUDGET.test(moved) && !HALF.test(moved));
  return isNamed && !/^\s*(?:it|that|this|the rest|everything|all)\s*$/i.test(moved)
    ? moved.replace(ALL, ' ')
    : undefined;
}

/** Returns a change of the budget itself, not of a share of it: "reduce the total by 10%", "double the budget". */
function readBudgetChange(text: string): Directive | undefined {
  if (!BUDGET.test(text)) return undefined;
  if (/\bdouble\b/i.test(text)) return { do: 'scale', factor: 2 };
  if (/\b(?:halve|in half)\b/i.test(text)) return { do: 'scale', factor: 0.5 };
  const isBy = /\b(?:total|budget|spend)\b.{0,40}\bby\s/i.test(text);
  const isChange = !/\b(?:to|at|on|in|into|from|for|of)\b/i.test(text) && (UP.test(text) || DOWN.test(text));
  const by = isBy || isChange ? readQuantity(text) : undefined;
  if (by !== undefined && by.unit !== 'money')
    return { do: 'scale', factor: 1 + ((DOWN.test(text) ? -1 : 1) * by.value) / 100 };
  if (QUANTITY.test(text) || LINE_AMOUNT.test(text)) return undefined;
  return readMoney(text);
}

/** Money for a line of the plan: "spend $20k on sports"; not "budget to $20k". */
const LINE_AMOUNT = new RegExp(
  `^(?!.*\\b(?:budget|total)\\b.{0,12}(?:to|of|is|at)\\b).*(?:${AMOUNT.source})\\s+(?:of (?:it|that|the budget) )?(?:on|in|into|for|to|towards?|goes)\\b`,
  'iu',
);

/** Returns a quantity of which a percent is one of the whole budget. */
function asShare(quantity: Quantity): Quantity {
  return quantity.unit === 'percent' ? { value: quantity.value, unit: 'points' } : quantity;
}

function readTimes(text: string): Directive | undefined {
  const match = /\b(double|triple|halve)\s+(.{1,80})$/i.exec(text);
  if (match === null) return undefined;
  const factor = { double: 2, triple: 3, halve: 0.5 }[(match[1] ?? '').toLowerCase()] ?? 1;
  return { do: 'times', factor, text: match[2] ?? '' };
}

/** Reads "Split evenly", and "50/50 between CTV and display". */
function readSplit(text: string): Directive | undefined {
  const ratio =
    /(\d{1,3})\s?[/:]\s?(\d{1,3})\b.{0,20}?\b(?:between|for|to|in|on)\s+(.{1,80}?)\s+and\s+(.{1,80})$/i.exec(text);
  if (ratio !== null) {
    const [, one = '', other = '', first = '', second = ''] = ratio;
    return {
      do: 'set',
      parts: [
        { share: { value: Number(one), unit: 'points' }, text: first },
        { share: { value: Number(other), unit: 'points' }, text: second },
      ],
    };
  }
  if (REST.test(text)) return undefined;
  if (!/\b(?:evenly|equally|equal (?:shares|parts)|same share)\b/i.test(text)) return undefined;
  return {
    do: 'even',
    text: text.replace(
      /\b(?:split|evenly|equally|equal (?:shares|parts)|between|among|across|it|all|everything|budget)\b/gi,
      ' ',
    ),
  };
}

const SEGMENTS = /,(?!\d)|\s\/\s|\band\b|\bwith\b/i;
const REST = /\b(?:the )?(?:rest|remainder|remaining|balance)\b/i;
const FILLERS =
  /\b(?:put|set|allocate|assign|spend|have|make|keep|give|want|to|in|on|into|for|at|of|go(?:es)?|share|should|get|gets|is|be|up|down|increase|raise|reduce|lower|decrease|boost|a|an|the)\b/gi;

/** Reads "Put 50% in CTV and the rest in display", "CTV 40%, audio 60%", and "raise outstream to 30%". */
function readSet(text: string): Directive | undefined {
  const isTarget = new RegExp(`\\b(?:to|at)\\s+${QUANTITY.source}`, 'iu').test(text);
  const isChange = readBound(text) === undefined && (UP.test(text) || DOWN.test(text));
  if (
    (!QUANTITY.test(text) && !LINE_AMOUNT.test(text)) ||
    ((isChange || DROPS.test(text)) && !isTarget) ||
    /\bby\s/i.test(text) ||
    /\badd\b/i.test(text)
  )
    return undefined;
  const parts: SetPart[] = [];
  let rest: string | undefined;
  for (const segment of text.split(SEGMENTS)) {
    const quantity = readQuantity(segment);
    const words = withoutQuantity(segment).replace(AT_LEAST, ' ').replace(AT_MOST, ' ').replace(FILLERS, ' ');
    if (quantity !== undefined) parts.push({ share: asShare(quantity), text: words, bound: readBound(segment) });
    else if (REST.test(segment)) rest = readRest(segment);
    else if (parts.length > 0) parts[parts.length - 1] = joinText(parts.at(-1), segment);
  }
  return parts.some((part) => part.text.trim() === '')
    ? undefined
    : { do: 'set', parts, rest: rest === '' ? undefined : rest };
}

/** Returns what gets the rest: "the rest in display", "the rest evenly". */
function readRest(segment: string): string {
  const text = segment.replace(REST, ' ').replace(FILLERS, ' ').trim();
  return /\b(?:evenly|equally|elsewhere|others?)\b/i.test(text) ? EVENLY : text;
}

const AT_LEAST = /\b(?:at least|no less than|not less than|minimum(?: of)?|min)\b/i;
const AT_MOST = /\b(?:at most|no more than|not more than|maximum(?: of)?|max|up to|cap(?:ped)?)\b/i;

function readBound(text: string): SetPart['bound'] {
  if (AT_LEAST.test(text)) return 'least';
  return AT_MOST.test(text) ? 'most' : undefined;
}

/** Joins a segment to the part before it, which shares its share: "60% CTV and audio". */
function joinText(part: SetPart | undefined, segment: string): SetPart {
  return {
    share: part?.share ?? { value: 0, unit: 'points' },
    text: `${part?.text ?? ''} and ${segment.replace(FILLERS, ' ')}`,
  };
}

function readChange(text: string): Directive | undefined {
  const { rest, other } = readOther(withoutQuantity(text));
  const isUp = UP.test(rest);
  if (isUp === DOWN.test(rest)) return undefined;
  const words = rest
    .replace(UP, ' ')
    .replace(DOWN, ' ')
    .replace(/\bby\b/i, ' ');
  return { do: 'change', sign: isUp ? 1 : -1, quantity: readQuantity(text), text: words, other };
}

const OTHER =
  /,?\s*(?:\b(?:all|taken|coming|paid)\s+)?\b(?:from|out of|at the (?:cost|expense) of|funded by|in favou?r of)\s+(.{1,80})$/i;

/** Splits off what gives a share, or gets it: "…, taken from sports", "at the cost of banners", "in favor of CTV". */
function readOther(text: string): { readonly rest: string; readonly other?: string | undefined } {
  const match = OTHER.exec(text);
  return match === null ? { rest: text } : { rest: text.slice(0, match.index), other: match[1] };
}

const PLAIN_VERBS: readonly (readonly [verb: RegExp, what: 'drop' | 'only' | 'give' | 'keep'])[] = [
  [/\b(?:give|put|set) (?:it|that|the rest|its (?:money|budget|share))\b/i, 'give'],
  [/\b(?:only|solely|exclusively)\b/i, 'only'],
  [/\b(?:drop|cancel|remove|exclude|omit|cut out|take out|leave out|without|get rid of|no)\b/i, 'drop'],
  [/\b(?:keep|leave)\b/i, 'keep'],
];

/** "Drop banners, its share to sports", of which nothing but the drop would be read. */
const GOES_TO = /\s(?:to|into)\s+\p{L}{2}/iu;

function readPlainVerb(text: string): Directive | undefined {
  const row = PLAIN_VERBS.find(([verb]) => verb.test(text));
  // An amount or a receiver beside what is dropped belongs to something else, which was not read.
  if (row !== undefined && row[1] === 'drop' && (readQuantity(text) !== undefined || GOES_TO.test(text)))
    return undefined;
  if (row !== undefined) return { do: row[1], text: text.replace(row[0], ' ') };
  if (!/\b(?:add|include)\b/i.test(text)) return undefined;
  const { rest, other } = readOther(withoutQuantity(text));
  const words = rest.replace(/\b(?:add|include|at|with)\b/gi, ' ');
  const quantity = readQuantity(text);
  return { do: 'add', share: quantity && asShare(quantity), text: words, other };
}

function readMoney(text: string): Directive | undefined {
  const money = readBudget(/\bbudget\b/i.test(text) ? text : `budget ${text}`);
  return money === undefined ? undefined : { do: 'budget', money };
}
