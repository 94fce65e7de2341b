import type { CaseEndings } from './nominative.js';

/** The languages that briefs are read and ads are written in. */
export const COPY_LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'tr',
  'ru',
  'ja',
  'zh',
  'ko',
  'ar',
  'he',
  'hi',
  'th',
  'sv',
  'da',
  'nb',
  'el',
  'uk',
  'cs',
  'ro',
] as const;

/** A language that briefs are read and ads are written in. */
export type CopyLanguage = (typeof COPY_LANGUAGES)[number];

/** Tags that mean one of those. */
const ALIASES: Readonly<Record<string, CopyLanguage>> = { no: 'nb' };

/** Returns the language of a BCP 47 tag, whatever its region; undefined for none, and for one that ads are not written in here. */
export function readLanguageTag(tag: unknown): CopyLanguage | undefined {
  const primary = typeof tag === 'string' ? tag.toLowerCase().split(/[-_]/u)[0] : undefined;
  return ALIASES[primary ?? ''] ?? COPY_LANGUAGES.find((one) => one === primary);
}

/** The actions that an ad asks for. */
export const ACTIONS = [
  'drive',
  'donate',
  'apply',
  'quote',
  'reserve',
  'book',
  'subscribe',
  'join',
  'try',
  'download',
  'order',
  'watch',
  'visit',
  'shop',
  'learn',
] as const;

/** An action that an ad asks for. */
export type Action = (typeof ACTIONS)[number];

/** What the lines of a brief are about; `context` is for the maker alone, a `note` for the maker or for the ad. */
export const ROLES = [
  'headline',
  'body',
  'action',
  'product',
  'brand',
  'offer',
  'audience',
  'tone',
  'must',
  'mustNot',
  'legal',
  'note',
  'language',
  'code',
  'deadline',
  'context',
] as const;

/** The part of a brief that a line is about, such as its headline or its offer. */
export type Role = (typeof ROLES)[number];

/** Subjects that a brief may forbid as a whole. */
export const TOPICS = ['price', 'discount', 'date', 'competitor'] as const;

/** A subject that a brief may forbid as a whole. */
export type Topic = (typeof TOPICS)[number];

/** The words for a discount that a brief only hints at: "Sale: 20% on boots". */
type SaleWords = {
  /** Words just before a percentage or an amount that make it a discount: "save 20%". */
  readonly saving: string;
  /** Words of a sentence that speaks of lower prices; a percentage in it is a discount before `reduces`. */
  readonly onSale: string;
  readonly reduces: string;
  /** Words behind a percentage or an amount that make it a discount. */
  readonly off: string;
  readonly upTo: string;
  readonly percentOff: (percent: string, upTo: boolean) => string;
  readonly amountOff: (amount: string, upTo: boolean) => string;
};

/** The patterns of these words. */
export type SalePatterns = Pick<SaleWords, 'percentOff' | 'amountOff'> &
  Readonly<Record<'saving' | 'onSale' | 'reduces' | 'off' | 'upTo', RegExp>>;

/** The words of a language as alternatives of regular expressions; `compileTable` makes patterns of them. */
export type LanguageWords = {
  readonly language: CopyLanguage;
  /** Whether words are told apart by spaces. */
  readonly isSpaced: boolean;
  /** Whether sentences end with nothing but a space. */
  readonly isEndedBySpace?: boolean;
  /** Whether every noun begins with a capital letter. */
  readonly hasCapitalNouns?: boolean;
  /** Whether sentences end with what is forbidden. */
  readonly hasVerbsLast?: boolean;
  /** Whether bans name things behind their verb. */
  readonly hasListedBans?: boolean;
  /** Whether discounts are joined to their subject by a word, and other offers by a colon. */
  readonly isJoinedByWord?: boolean;
  /** Frequent words, by which languages of one script are told apart. */
  readonly common: string;
  readonly months: string;
  /** Whole patterns of a sentence that orders an ad, with a group `subject`, or `genitive` or `accusative` where the subject is in that case, and maybe a group `rest`. */
  readonly orders: readonly string[];
  /** How subjects in these cases become nominatives. */
  readonly genitive?: CaseEndings;
  readonly accusative?: CaseEndings;
  /** "Promote …", in front of what the ad is about. */
  readonly promote: string;
  /** Verbs between the brand and what it offers or looks for: "Acme sells …". */
  readonly presents?: string;
  /** Articles and possessives in front of a subject. */
  readonly determiner: string;
  readonly newness: string;
  readonly newWord: string;
  /** The beginning of words that say whom the ad is for. */
  readonly audience: string;
  /** The beginning of words that explain the subject. */
  readonly detail: string;
  /** Words that are left over at the ends of a subject once its parts are taken out. */
  readonly joints: string;
  readonly labels: Readonly<Partial<Record<Role, string>>>;
  /** Words anywhere in a sentence that is about the ad, not for it. */
  readonly directive: string;
  /** Words at the beginning of such a sentence. */
  readonly directiveStart: string;
  readonly greeting: string;
  readonly signOff: string;
  /** "Mention …": what follows has to be in the ad. Where the verb stands last, `includeTail` follows it. */
  readonly include: string;
  readonly includeTail?: string;
  /** Words of a sentence that forbids something. */
  readonly never: string;
  readonly topics: Readonly<Record<Topic, string>>;
  /** Words of a sentence that has to stand in the ad by law. */
  readonly legal: string;
  /** A sale or season with a name. */
  readonly event: string;
  /** Until or from when. */
  readonly deadline: string;
  /** Offers that are taken as they stand: "20% off", "buy one get one free". */
  readonly offers: string;
  /** Words of a clause that offers something: "free", "cashback". */
  readonly gains: string;
  readonly sale?: SaleWords;
  /** What a brief says of its readers, said to them: "if they order". */
  readonly address?: (text: string) => string;
  /** A discount code, with a group `code`. */
  readonly code: string;
  /** A headline of an offer that stands alone and of what it is for. */
  readonly on: (offer: string, subject: string) => string;
  /** Words for the button: the usual ones, and shorter ones where these are long. */
  readonly actions: Readonly<Record<Action, readonly [string, ...string[]]>>;
  /** Words that tell what to ask for. */
  readonly signs: Readonly<Partial<Record<Action, string>>>;
  readonly codeLine: (code: string) => string;
  readonly sponsored: string;
};

/** The patterns of a language that briefs are read with. */
export type LanguageTable = Omit<LanguageWords, PatternName | 'orders' | 'labels' | 'topics' | 'signs' | 'sale'> & {
  readonly [Name in PatternName]: RegExp;
} & {
  /** Every `deadline` of a text. */
  readonly dates: RegExp;
  readonly endJoints: RegExp;
  readonly sale?: SalePatterns | undefined;
  readonly orders: readonly RegExp[];
  /** A label and its colon, with the role's name as the group that matched. */
  readonly label: RegExp;
  /** Words for a role anywhere in a sentence. */
  readonly mentions: Readonly<Partial<Record<Role, RegExp>>>;
  readonly topics: Readonly<Record<Topic, RegExp>>;
  readonly signs: readonly (readonly [RegExp, Action])[];
};

const PATTERNS = [
  'common',
  'months',
  'promote',
  'presents',
  'determiner',
  'newness',
  'audience',
  'detail',
  'joints',
  'directive',
  'directiveStart',
  'greeting',
  'signOff',
  'include',
  'includeTail',
  'never',
  'legal',
  'event',
  'deadline',
  'offers',
  'gains',
  'code',
] as const;
type PatternName = (typeof PATTERNS)[number];

/** Patterns that count at the beginning of a text alone. */
const AT_START: ReadonlySet<string> = new Set<PatternName>([
  'promote',
  'presents',
  'determiner',
  'newness',
  'directiveStart',
  'greeting',
  'signOff',
  'include',
  'joints',
]);

/** A pattern that nothing matches. */
const NOTHING = '(?!)';

/** Returns the patterns of a language's words. */
export function compileTable(words: LanguageWords): LanguageTable {
  const left = words.isSpaced ? '(?<![\\p{L}\\p{M}\\p{N}])' : '';
  const right = words.isSpaced ? '(?![\\p{L}\\p{M}\\p{N}])' : '';
  const bounded = (source: string): string => (source === '' ? NOTHING : `${left}(?:${source})${right}`);
  const pattern = (name: PatternName): RegExp => {
    const source = words[name] ?? '';
    if (source === '') return new RegExp(NOTHING, 'u');
    if (!AT_START.has(name)) return new RegExp(bounded(source), name === 'common' ? 'giu' : 'iu');
    return new RegExp(`^(?:${source})${OPEN_ENDED.has(name) ? '' : right}`, 'iu');
  };
  const patterns = Object.fromEntries(PATTERNS.map((name) => [name, pattern(name)])) as Record<PatternName, RegExp>;
  const anywhere = (sources: object): Readonly<Record<string, RegExp>> =>
    Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, new RegExp(bounded(source), 'iu')]));
  const signs = anywhere(words.signs);
  return {
    ...words,
    ...patterns,
    dates: new RegExp(patterns.deadline, 'giu'),
    endJoints: words.joints === '' ? new RegExp(NOTHING, 'u') : new RegExp(`${left}(?:${words.joints})$`, 'iu'),
    orders: words.orders.map((source) => new RegExp(`^${source}`, 'iu')),
    label: compileLabels(words),
    mentions: anywhere(words.labels),
    topics: anywhere(words.topics) as Record<Topic, RegExp>,
    signs: ACTIONS.flatMap((action) => {
      const sign = signs[action];
      return sign === undefined ? [] : [[sign, action] as const];
    }),
    sale: words.sale && compileSale(words.sale, bounded),
  };
}

/** Patterns whose words may be the beginning of another: articles before an apostrophe. */
const OPEN_ENDED: ReadonlySet<string> = new Set<PatternName>(['determiner', 'newness']);

function compileSale(sale: SaleWords, bounded: (source: string) => string): SalePatterns {
  return {
    ...sale,
    saving: new RegExp(`(?<!\\p{L})(?:${sale.saving})$`, 'iu'),
    onSale: new RegExp(bounded(sale.onSale), 'iu'),
    reduces: new RegExp(`^\\s*(?:${bounded(sale.reduces)}|$|[.!?,;:|–—]|-\\s)`, 'iu'),
    off: new RegExp(`^\\s*${bounded(sale.off)}`, 'iu'),
    upTo: new RegExp(`(?<!\\p{L})(?:${sale.upTo})\\s*$`, 'iu'),
  };
}

/** Returns the pattern of a label at the beginning of a line or sentence: up to two words before it and behind it, a bracket, a colon. */
function compileLabels({ labels, isSpaced, isEndedBySpace }: LanguageWords): RegExp {
  const groups = Object.entries(labels).map(([role, source]) => `(?<${role}>${source})`);
  const before = isSpaced ? "(?:[\\p{L}\\p{M}’'-]{1,18}\\s){0,2}?" : '[^：:。\\s]{0,4}?';
  const behind = isSpaced ? "(?:\\s[\\p{L}\\p{M}’'/&-]{1,18}){0,3}?" : '[^：:。\\s]{0,4}?';
  const start = isSpaced && isEndedBySpace !== true ? '' : '|\\s';
  return new RegExp(
    `(?<=^${start}|\\n|[.!?。！？؟।;；|\\ue100-\\ue163\\ue1ff]\\s?)${before}(?:${groups.join('|')})${behind}(?:\\s?[(（][^()（）]{0,40}[)）])?\\s{0,2}(?:[:：]|=(?!=))\\s?`,
    'giu',
  );
}
