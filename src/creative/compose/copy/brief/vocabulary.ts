import { namesLanguage } from '../language/detect.js';
import { glueOf, gluesOf } from '../language/glue.js';
import { isRemark } from '../language/maker.js';
import type { Action, LanguageTable } from '../language/table.js';
import { withoutStop } from '../text.js';
import { type Clause, readClauses } from './clauses.js';
import { MONEY } from './offer.js';
import { hasQuote, unmask } from './quotes.js';

const MAX_SIGN_OFF_CHARS = 60;
const MAX_REQUEST_WORDS = 4;
/** What ends a letter, whatever stands before it: "Sporty regards". */
const REGARDS =
  /^(?:\p{L}+[ -]){0,4}(?:regards|wishes|gr(?:ü|u)(?:ß|ss)e|salutations|saludos|saluti|cumprimentos|groet(?:en|jes)?|pozdrowieniami|pozdrowienia|hilsen(?:er)?|hälsning(?:ar)?|saygılarımla|sevgilerimle|уважением|повагою|pozdravem|stimă|εκτίμηση)(?:[,.!]|$|\s\p{Lu})/iu;
/** A short sentence of this form says what the button says. */
const REQUEST =
  /^(?:(?:pre-?order|order|book|shop|buy|apply|subscribe|register|sign up|join|download|call|reserve|donate|enrol?l|claim)(?: (?:it|yours|us))?(?: (?:now|today|here|online|tickets|an? (?:demo|tour|table|visit|viewing|test drive|call|appointment)|your (?:seat|place|spot|table|ticket|box|tickets)|the (?:box|range|collection|sale)))|try (?:it )?free|see (?:the )?(?:dates|menu|range|offers|details|more)|find out more|get (?:started|a quote|tickets)|start (?:free|now))[.!]*$/iu;
const BRACKETED = /[(（][^()（）]{0,80}[)）]/gu;
const LABELS_OF_TERMS = ['offer', 'deadline', 'code'] as const;
/** Small talk, and words about the picture. */
const FOR_MAKER = new RegExp(
  `^(?:${gluesOf('smallTalk', 'please')})(?!\\p{L})|(?<!\\p{L})(?:${gluesOf('inPicture')})(?!\\p{L})`,
  'iu',
);

/** The languages, quotes and brand name that the sentences of a brief are judged by. */
type VocabularyOptions = {
  readonly tables: readonly LanguageTable[];
  readonly quotes: readonly string[];
  readonly brandName: string;
};

/** The words that one brief is read with, and what they tell of its sentences. */
export class Vocabulary {
  /** Of the brief's language first, then of English, whose words are in briefs of every language. */
  readonly tables: readonly LanguageTable[];
  readonly table: LanguageTable;
  readonly quotes: readonly string[];
  readonly brandName: string;

  constructor({ tables, quotes, brandName }: VocabularyOptions) {
    const [first] = tables;
    if (first === undefined) throw new Error('a brief is read with the words of a language');
    this.tables = tables;
    this.table = first;
    this.quotes = quotes;
    this.brandName = brandName;
  }

  /** Returns where a sentence begins to forbid something; 0 where its language puts the verb last. */
  findNever(sentence: string): number | undefined {
    for (const { never } of this.tables) {
      const match = never.exec(sentence);
      if (match !== null) return this.hasVerbsLast() ? 0 : match.index;
    }
    return undefined;
  }

  /** Returns what stands behind a sentence's ban, up to whose sign it is what is forbidden and then the ban: "Prices must not be mentioned"; undefined where it is not. */
  findBehindBan(sentence: string): string | undefined {
    const { dangling } = glueOf(this.table.language);
    for (const { never } of this.tables) {
      const match = never.exec(sentence);
      if (match === null || match.index === 0) continue;
      const behind = sentence.slice(match.index + match[0].length);
      const head = sentence.slice(0, match.index).trimEnd();
      const isWhole = withoutStop(behind) === '' || (/^[,;.]\s/u.test(behind) && hasQuote(head));
      if (isWhole && head.replace(dangling, '') === head && !/[.,;:!?–—-]/u.test(head.replace(BRACKETED, '')))
        return behind;
    }
    return undefined;
  }

  hasVerbsLast(): boolean {
    return this.table.hasVerbsLast === true;
  }

  /** Whether words are for those who make the ad, by words anywhere in them or at their beginning. */
  isForMaker(text: string, isSentence: boolean): boolean {
    const [first, ...others] = this.tables;
    if (first === undefined) return false;
    const isDirective =
      (isSentence && namesLanguage(text)) ||
      first.directive.test(text) ||
      (isSentence && (first.directiveStart.test(text) || FOR_MAKER.test(text)));
    return isDirective || others.some(({ directiveStart }) => isSentence && isAscii(text) && directiveStart.test(text));
  }

  /** Whether a sentence without an amount tells the maker about the picture, a draft, or when it is needed. */
  isRemark(text: string): boolean {
    return !MONEY.test(text) && this.tables.some(({ language }) => isRemark(text, language));
  }

  isLegal(text: string): boolean {
    return this.tables.some(({ legal }) => legal.test(text)) && !this.isForMaker(text, false);
  }

  /** Whether words are those of a label for terms, and name nothing: "Offer", "Valid". */
  isLabel(text: string): boolean {
    return this.tables.some(({ mentions }) =>
      LABELS_OF_TERMS.some((role) => mentions[role]?.exec(text)?.[0].length === text.length),
    );
  }

  isButton(text: string): boolean {
    const words = withoutStop(text).toLowerCase();
    const isAction = this.tables.some(({ actions }) =>
      Object.values(actions).some((texts) => texts.some((one) => one.toLowerCase() === words)),
    );
    return isAction || REQUEST.test(text);
  }

  /** Whether the last words of a brief ask for what its button does: "Jetzt anfragen". */
  isRequest(text: string): boolean {
    const { actions, isSpaced, hasCapitalNouns } = this.table;
    const words = withoutStop(text).split(' ');
    if (!isSpaced || words.length < 2 || words.length > MAX_REQUEST_WORDS || /\p{N}/u.test(text)) return false;
    if (this.isForMaker(text, true)) return false;
    // Many things begin with a word like "now"; a German one that asks ends with its verb.
    if (hasCapitalNouns === true && !/^\p{Ll}+e?n$/u.test(words.at(-1) ?? '')) return false;
    return Object.values(actions).some((texts) =>
      texts.some((one) => one.includes(' ') && one.split(' ')[0]?.toLowerCase() === words[0]?.toLowerCase()),
    );
  }

  isSignOff(text: string): boolean {
    const isGiven = this.tables.some(({ signOff }) => signOff.test(text.replace(/^[¡¿]/u, '')));
    return text.length <= MAX_SIGN_OFF_CHARS && (isGiven || (!/\p{N}/u.test(text) && REGARDS.test(text)));
  }

  actionOf(text: string): Action | undefined {
    for (const { signs } of this.tables) {
      const action = signs.find(([sign]) => sign.test(text))?.[1];
      if (action !== undefined) return action;
    }
    return undefined;
  }

  clausesOf(sentence: string): readonly Clause[] {
    return readClauses(this.address(sentence), this.table);
  }

  /** Returns words for the ad, to those who read it: briefs speak of them as "they". */
  address(sentence: string): string {
    const plain = this.plain(sentence);
    return this.table.address?.(plain) ?? plain;
  }

  plain(text: string): string {
    return unmask(text, this.quotes).replace(/\s+/gu, ' ').trim();
  }
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/u.test(text);
}
