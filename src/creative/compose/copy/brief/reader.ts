import { glueOf, gluesOf } from '../language/glue.js';
import { namesMedium } from '../language/manner.js';
import { type CaseEndings, toNominative } from '../language/nominative.js';
import type { Action, LanguageTable } from '../language/table.js';
import { escapePattern, hasWords, possessive, upperFirst, withoutEnd, withoutStop } from '../text.js';
import { readButtonWords } from './button.js';
import { type Clause, readClauses, tidySubject, trimJoints } from './clauses.js';
import { type Forbidden, findForbidden, joinForbidden, readForbidden } from './forbidden.js';
import type { Piece } from './lines.js';
import type { BriefUnderstanding, Statement } from './model.js';
import { MONEY } from './offer.js';
import { hasQuote, listQuotes, readQuoteRoles, unmask } from './quotes.js';

/** A message of so few words that orders no ad is a headline itself. */
const MAX_SLOGAN_WORDS = 9;
const MAX_SLOGAN_CHARS = 64;
const MAX_WIDE_SLOGAN_CHARS = 24;
const MAX_SLOGAN_WORDS_BESIDE_OFFER = 5;
const MAX_PRODUCT_CHARS = 64;
const MAX_BUTTON_CHARS = 32;
/** So few words behind "CTA:" are the button's, whatever they are. */
const MAX_BUTTON_WORDS = 2;
const MAX_SIGN_OFF_CHARS = 60;
const MAX_REQUEST_WORDS = 4;
/** A short sentence of this form says what the button says. */
const REQUEST =
  /^(?:(?:pre-?order|order|book|shop|buy|apply|subscribe|register|sign up|join|download|call|reserve|donate|enrol?l|claim)(?: (?:it|yours|us))?(?: (?:now|today|here|online|tickets|an? (?:demo|tour|table|visit|viewing|test drive|call|appointment)|your (?:seat|place|spot|table|ticket|box|tickets)|the (?:box|range|collection|sale)))|try (?:it )?free|see (?:the )?(?:dates|menu|range|offers|details|more)|find out more|get (?:started|a quote|tickets)|start (?:free|now))[.!]*$/iu;

/** What begins like this is what something cost before, or costs later. */
const FORMER = new RegExp(`^(?:${gluesOf('formerly', 'afterwards')})(?!\\p{Script=Latin})`, 'iu');

/** What begins like this comes with an offer. */
const INCLUDES = new RegExp(`^(?:${gluesOf('including')})\\s`, 'iu');
/** What begins like this is a condition. */
const LEAST = new RegExp(`^(?:${gluesOf('least')})\\s`, 'iu');
const TWO_NUMBERS = /\p{Nd}[\p{Nd}.,]*[^\p{Nd}.,]+\p{Nd}/u;

/** An offer that begins like this says what it is about. */
const REQUEST_WORDS = /^(?:(?:switch|upgrade|fly) to|get|book|try|join|rent|lease|own|learn)\s/iu;

type Drafted = Omit<BriefUnderstanding, 'language' | 'readIn' | 'unread'>;

/** What a brief is read with. */
type ReaderOptions = {
  /** Of the brief's language first, then of English, whose words are in briefs of every language. */
  readonly tables: readonly [LanguageTable, ...LanguageTable[]] | readonly LanguageTable[];
  readonly quotes: readonly string[];
  readonly brandName: string;
};

/** Reads the parts of a brief one after the other. Its state is one brief's. */
export class BriefReader {
  readonly #tables: readonly LanguageTable[];
  readonly #table: LanguageTable;
  readonly #quotes: readonly string[];
  readonly #brandName: string;
  #headline: string | undefined;
  #body: string | undefined;
  #button: string | undefined;
  #action: Action | undefined;
  #product: string | undefined;
  #isLabelled = false;
  #isNew = false;
  #hasOrder = false;
  #deadline: string | undefined;
  #code: string | undefined;
  #slogan: string | undefined;
  readonly #audience: string[] = [];
  readonly #tone: string[] = [];
  readonly #legal: string[] = [];
  readonly #forbidden: Forbidden[] = [];
  readonly #statements: Statement[] = [];
  /** What is behind the label of the product: messages come before it. */
  readonly #described: Statement[] = [];

  constructor({ tables, quotes, brandName }: ReaderOptions) {
    const [first] = tables;
    if (first === undefined) throw new Error('a brief is read with the words of a language');
    this.#tables = tables;
    this.#table = first;
    this.#quotes = quotes;
    this.#brandName = brandName;
  }

  /** Reads all parts of a brief, up to the signature. */
  read(pieces: readonly Piece[]): void {
    let isSigned = false;
    const end = pieces.findIndex(
      (piece, index) => index > 0 && piece.role === undefined && this.#isSignOff(piece.text),
    );
    const last = (end < 0 ? pieces.length : end) - 1;
    for (const [index, piece] of pieces.entries()) {
      if (piece.role === undefined && index > 0 && this.#isSignOff(piece.text)) isSigned = true;
      if (piece.role !== undefined) {
        isSigned = false;
        this.#readLabelled(piece);
      } else if (index > 0 && index === last && this.#isRequest(piece.text)) this.#button ??= withoutStop(piece.text);
      else if (!isSigned || this.#isLegal(piece.text)) this.#readSentence(piece.text);
    }
  }

  /** Returns what was read. */
  finish(): Drafted {
    const forbidden = joinForbidden(this.#forbidden);
    const statements = [...this.#statements, ...this.#described].filter(({ text }) => text !== '');
    const clauses = statements.flatMap((statement) => statement.clauses);
    const isAllowed = ({ text }: Clause): boolean => findForbidden(text, forbidden, this.#table) === undefined;
    const offered = clauses.filter((clause) => clause.offer !== undefined && isAllowed(clause));
    const now = offered.filter(({ text }) => !LEAST.test(text) && (!FORMER.test(text) || TWO_NUMBERS.test(text)));
    const offers = now.length > 0 ? now : offered;
    const offer =
      offers.find((one) => one.isDiscount && this.#table.audience.exec(one.text)?.index !== 0) ??
      offers.find((one) => hasWords(one.text, this.#product) || (one.isPrice && REQUEST_WORDS.test(one.text))) ??
      (this.#product === undefined || hasWords(this.#product, this.#brandName)
        ? offers.find(namesPriced)
        : undefined) ??
      offers.find((one) => !one.isPrice && !this.#isQualifier(one)) ??
      offers[0];
    return {
      product: this.#product ?? this.#guessProduct(clauses, offer),
      isNew: this.#isNew,
      event: clauses.find(({ event }) => event !== undefined)?.event ?? findOccasion(statements, offer),
      offer,
      deadline: this.#deadline ?? offer?.deadline ?? clauses.find(({ deadline }) => deadline !== undefined)?.deadline,
      code: this.#code ?? clauses.find(({ code }) => code !== undefined)?.code,
      audience: this.#audience,
      tone: this.#tone,
      forbidden,
      headline: this.#headline,
      body: this.#body,
      callToAction: this.#button,
      action: this.#action,
      legal: this.#legal.length === 0 ? undefined : this.#legal.join(' '),
      slogan: this.#slogan,
      statements,
    };
  }

  /** Whether an offer says only how another one is, and not what is to be had: "all inclusive", "no commitment". */
  #isQualifier({ text, isDiscount }: Clause): boolean {
    return !isDiscount && (INCLUDES.test(text) || !/[\p{L}\p{N}]/u.test(text.replace(this.#table.gains, '')));
  }

  #readLabelled({ role = 'context', text, isCampaign = false }: Piece): void {
    const plain = this.#plain(text);
    const take: Record<typeof role, () => void> = {
      headline: () => {
        this.#headline ??= hasQuote(text) ? listQuotes(text, this.#quotes)[0] : endless(plain);
      },
      body: () => {
        this.#body ??= plain;
      },
      action: () => this.#readAction(text),
      product: () => this.#readProduct(text),
      brand: () => {
        const bracketed = BRACKET.exec(withoutStop(plain))?.groups?.inside;
        if (bracketed !== undefined && !this.#isForMaker(bracketed, true))
          this.#product ??= tidySubject(bracketed, this.#table).subject;
      },
      offer: () => {
        const [only, second] = listQuotes(text, this.#quotes);
        if (only === undefined || second !== undefined || withoutStop(plain) !== withoutStop(only))
          this.#say(text, false);
        else this.#headline ??= endless(only);
      },
      audience: () => void this.#audience.push(plain),
      tone: () => void this.#tone.push(plain),
      must: () => this.#readMust(text),
      mustNot: () => this.#forbid(text, true),
      legal: () => void this.#legal.push(plain),
      language: () => undefined,
      code: () => {
        this.#code ??= /[\p{L}\p{N}_-]{3,20}/u.exec(plain)?.[0];
      },
      deadline: () => {
        this.#deadline ??= withoutStop(plain);
      },
      context: () => {
        if (this.#isLegal(plain)) this.#legal.push(plain);
        else if (!this.#readOrder(text) && this.#clausesOf(text).some((clause) => isTerms(clause, isCampaign)))
          this.#say(text, false);
      },
    };
    take[role]();
  }

  #readSentence(sentence: string): void {
    const greeted = this.#withoutGreeting(sentence);
    const text = this.#withoutAsides(greeted);
    if (!/[\p{L}\p{N}\ue100-\ue163]/u.test(text) || namesMedium(text)) return;
    const button = hasQuote(text) ? undefined : readButtonWords(text);
    if (button !== undefined) {
      this.#button ??= button;
      return;
    }
    const withdrawn = this.#findWithdrawn(text);
    if (withdrawn !== undefined) {
      this.#readSentence(withdrawn);
      return;
    }
    const never = this.#findNever(text);
    if (never !== undefined) {
      if (this.#endsInBan(text)) {
        this.#forbid(text, false);
        return;
      }
      this.#forbid(text.slice(never), false);
      const head = text.slice(0, never).replace(glueOf(this.#table.language).dangling, '');
      if (head.length >= MIN_HEAD_CHARS) this.#readSentence(head);
      else if (this.#hasVerbsLast()) this.#saveOffers(text);
      return;
    }
    const rest = this.#takeQuotes(text);
    if (rest === text && this.#clausesOf(rest).every(({ isAside }) => isAside)) return;
    if (this.#isLegal(rest)) this.#legal.push(this.#plain(rest));
    else if (text !== greeted) this.#readMust(text);
    else if (this.#isButton(rest)) this.#button ??= upperFirst(withoutStop(this.#plain(rest)));
    else if (!this.#readOrder(rest) && !this.#readIntroduced(rest) && (rest !== text || !this.#readInclude(rest)))
      this.#readStatement(rest, rest !== text);
  }

  /** A sentence without the clause that a bracket behind it takes back: "and free prosecco (don't put that)". */
  #findWithdrawn(sentence: string): string | undefined {
    for (const { 0: whole, index, groups } of sentence.matchAll(WITHDRAWN)) {
      const aside = groups?.aside ?? '';
      if (this.#findNever(aside) !== undefined && POINTS_BACK.test(aside))
        return `${sentence.slice(0, index)}${sentence.slice(index + whole.length)}`;
    }
    return undefined;
  }

  /** Takes what is quoted for a place of the ad out of a sentence. */
  #takeQuotes(sentence: string): string {
    if (!hasQuote(sentence)) return sentence;
    let rest = sentence;
    for (const { mark, text, role: given } of readQuoteRoles(sentence, this.#quotes, this.#tables)) {
      const role = given ?? (this.#isLegal(text) ? 'legal' : undefined);
      if (role === undefined) {
        const isAlone = withoutStop(sentence.replace(/[.!。\s\ue1ff]/gu, '')).length <= 1;
        if (isAlone) this.#headline ??= text;
        if (!isAlone) continue;
      }
      if (role === 'headline') this.#headline ??= text;
      if (role === 'action') this.#button ??= text;
      if (role === 'body') this.#body ??= text;
      if (role === 'legal') this.#legal.push(text);
      if (role === 'must') this.#readMust(text);
      rest = rest.replace(mark, ' ');
    }
    return rest;
  }

  /** What a sentence says that the brand offers or looks for: of "Acme sells boots" the boots. */
  #presented(sentence: string): string | undefined {
    const brand = opening(this.#brandName).exec(sentence)?.[0];
    if (brand === undefined) return undefined;
    const predicate = sentence.slice(brand.length);
    const verb = this.#tables.map(({ presents }) => presents.exec(predicate)?.[0]).find((one) => one !== undefined);
    const offered = predicate.slice(verb?.length ?? 0).trim();
    return verb === undefined || PREPOSITION.test(offered) ? undefined : offered;
  }

  #readOrder(sentence: string): boolean {
    const presented = this.#presented(sentence);
    if (presented !== undefined && this.#findNever(presented) === undefined) {
      this.#hasOrder = true;
      this.#readSubject(presented);
      return true;
    }
    for (const table of this.#tables) {
      for (const order of table.orders) {
        const match = order.exec(withoutStop(sentence));
        if (match === null) continue;
        this.#hasOrder = true;
        const { subject = '', genitive = '', accusative = '', rest = '' } = match.groups ?? {};
        this.#readSubject(subject);
        this.#readSubject(genitive, table.genitive);
        this.#readSubject(accusative, table.accusative);
        if (rest.trim() !== '') this.#readTail(rest);
        return true;
      }
    }
    return false;
  }

  /** Reads an order behind words for the maker: "As discussed on Monday, we would like to promote …". */
  #readIntroduced(sentence: string): boolean {
    const [, head = '', order = ''] = /^([^,]{6,70}),\s+(.{12,})$/su.exec(sentence) ?? [];
    return head !== '' && this.#isForMaker(head, true) && this.#readOrder(order);
  }

  /** Reads what an order says the ad is about: its first clause is that, the others say more. */
  #readSubject(whole: string, endings?: CaseEndings): void {
    const phrase = whole.replace(ANNOUNCED, '').replace(COUNTED, '').replace(WANTED, '');
    // What is opened or launched is in the genitive.
    const { genitive, promote } = this.#table;
    const inCase = genitive !== undefined && promote.test(phrase) ? genitive : endings;
    if (withoutStop(phrase) === '' || MEDIA.test(phrase)) return;
    const clauses = this.#clausesOf(phrase).filter((clause) => !this.#isForMaker(clause.text, false));
    const [first] = clauses;
    if (first === undefined) return;
    const name = this.#nameOf(first, phrase);
    const own = (inCase && toNominative(name, inCase)) ?? name;
    const called = clauses[1]?.text ?? '';
    const isCalled = own !== '' && this.#quotes.includes(called);
    const named = isCalled ? `${own} ${called}` : own;
    const isBrand = hasWords(this.#brandName, named) && !hasWords(named, this.#brandName);
    const isBare = isBrand || named.toLowerCase() === this.#brandName.toLowerCase();
    const beside = isBare && phrase.includes(`${this.#brandName},`) ? shortName(clauses[1], this.#table) : undefined;
    if (beside !== undefined) this.#product ??= `${this.#brandName}, ${beside}`;
    const isProduct = named !== '' && !isBrand && this.#product === undefined && !this.#isLabelled;
    if (isProduct) this.#product = named;
    const isNamed = isProduct || isBrand || (named === '' && first.event !== undefined);
    const more = clauses.slice(isCalled ? 2 : 1);
    const described = isNamed && first.offer === undefined ? [{ ...first, text: '' }, ...more] : clauses;
    this.#statements.push({ text: this.#plain(phrase), clauses: described, isMust: false });
  }

  /** What a clause is about, without the brand that speaks. */
  #nameOf(clause: Clause, phrase: string): string {
    const { subject, isNew, detail } = tidySubject(
      clause.rest === '' && clause.offer === undefined ? '' : phraseOf(clause),
      this.#table,
    );
    this.#isNew ||= isNew || this.#table.newness.test(withoutStop(phrase.replace(this.#table.determiner, '')));
    const name = this.#withoutBrand(withoutEnd(subject, /[\s?!？！]/u));
    if (this.#table.determiner.exec(`${name} `)?.[0] === `${name} `) return '';
    const whole = detail === undefined ? name : `${name} ${detail}`;
    if (detail !== undefined && name.length < MIN_NAME_CHARS) return whole.slice(0, MAX_PRODUCT_CHARS);
    return name.length > MAX_PRODUCT_CHARS ? '' : name;
  }

  /** A subject without the brand that speaks; a single word says too little, and keeps a brand that stands behind it. */
  #withoutBrand(subject: string): string {
    const [left = '', ...right] = subject.split(possessive(this.#brandName));
    const own = withoutStop(
      [left, ...right]
        .map((part, index) => trimJoints(part, this.#table, index === 0 || left.trim() === ''))
        .filter((part) => part !== '')
        .join(' '),
    ).replace(this.#table.newness, '');
    const bare = withoutEnd(own, /[\s?!？！]/u);
    const isPlace = left.trim() === '' && PREPOSITION.test(right.join('').trim());
    if (isPlace || this.#table.months.test(bare)) return subject;
    const isWord = this.#table.isSpaced && !/\s/u.test(bare);
    const [whole, brand] = [subject, this.#brandName].map((text) => text.toLowerCase());
    const isBeside = whole?.endsWith(` ${brand}`) === true || (/^\p{Lu}/u.test(bare) && whole?.startsWith(`${brand} `));
    return !/[\p{L}]{2}/u.test(bare) || (isWord && isBeside) ? subject : bare;
  }

  /** What an order says behind the ad's name, where the language puts the subject before it. */
  #readTail(rest: string): void {
    const hasColon = /^\s*[:：]/u.test(rest);
    const kept = this.#clausesOf(rest).filter(
      (clause) => !this.#isForMaker(clause.text, true) && /[\p{L}\p{N}]/u.test(clause.whole),
    );
    const terms = kept.filter((clause) => hasColon || clause.offer !== undefined || clause.deadline !== undefined);
    if (terms.length > 0) this.#statements.push({ text: '', clauses: terms, isMust: false });
    const offers = terms.map(({ text }) => text).join(' ');
    if (offers !== '') this.#statements.push({ text: offers, clauses: terms, isMust: false });
  }

  #readInclude(sentence: string): boolean {
    for (const { include, includeTail } of this.#tables) {
      const head = include.exec(sentence);
      const tail = head === null ? includeTail?.exec(withoutStop(sentence)) : null;
      const included = head === null ? tail && sentence.slice(0, tail.index) : sentence.slice(head[0].length);
      if (included === null || included === undefined || withoutStop(included) === '') continue;
      const wanted = withoutStop(included.replace(/^\s*[:：]/u, ''));
      if (tail && this.#tables.some(({ mentions }) => mentions.legal?.test(tail[0]) === true))
        this.#legal.push(this.#plain(`${wanted}.`));
      else this.#readMust(wanted);
      return true;
    }
    return false;
  }

  #readMust(text: string): void {
    if (hasQuote(text)) {
      for (const quote of listQuotes(text, this.#quotes)) this.#readMust(quote);
      return;
    }
    const never = this.#findNever(text);
    if (never !== undefined) {
      this.#forbid(text.slice(never), false);
      return;
    }
    const isVisual = this.#tables.some(
      ({ mentions }) => mentions.tone?.test(text) === true || mentions.action?.test(text) === true,
    );
    if (this.#isLegal(text)) this.#legal.push(this.#plain(text));
    else if (!isVisual) this.#say(text, true);
  }

  #readStatement(sentence: string, isInstruction: boolean): void {
    if (isInstruction || this.#isForMaker(sentence, true)) {
      const [head = '', tail = ''] = splitHead(sentence);
      if (tail !== '' && this.#isForMaker(head, true) && !this.#isForMaker(tail, false)) this.#readSentence(tail);
      else this.#saveOffers(sentence);
      return;
    }
    const text = this.#plain(sentence);
    const most = this.#table.isSpaced ? MAX_SLOGAN_CHARS : MAX_WIDE_SLOGAN_CHARS;
    const isShort = text.split(' ').length <= MAX_SLOGAN_WORDS && text.length <= most;
    const clauses = this.#clausesOf(sentence);
    const hasOffer = clauses.some(({ isDiscount }) => isDiscount);
    const isSlogan =
      isShort &&
      !glueOf(this.#table.language).speaker.test(text) &&
      (!hasOffer || text.split(' ').length <= MAX_SLOGAN_WORDS_BESIDE_OFFER);
    if (!this.#hasOrder && this.#statements.length === 0 && this.#product === undefined && isSlogan)
      this.#slogan = endless(text);
    this.#say(sentence, false);
  }

  /** Of a sentence for the maker, the clauses that offer something. */
  #saveOffers(sentence: string): void {
    if (!/\p{N}/u.test(sentence)) return;
    const clauses = this.#clausesOf(sentence).filter(
      (clause) =>
        clause.isDiscount && !this.#isForMaker(clause.text, true) && this.#findNever(clause.text) === undefined,
    );
    for (const clause of clauses) this.#statements.push({ text: clause.text, clauses: [clause], isMust: false });
  }

  #say(sentence: string, isMust: boolean): void {
    const all = this.#clausesOf(sentence);
    const clauses = all.filter(({ isAside }) => !isAside);
    if (clauses.length === 0) return;
    const text = clauses.length === all.length ? this.#address(sentence) : clauses.map(({ whole }) => whole).join(', ');
    this.#statements.push({ text, clauses, isMust });
  }

  #readProduct(text: string): void {
    if (this.#readOrder(text)) return;
    const clauses = this.#clausesOf(this.#presented(text) ?? text);
    const [first] = clauses;
    if (first === undefined) return;
    const { subject, isNew } = tidySubject(first.text, this.#table);
    this.#product = (subject.length <= MAX_PRODUCT_CHARS ? subject : undefined) ?? this.#product;
    this.#isLabelled = true;
    this.#isNew ||= isNew;
    if (clauses.length > 1)
      this.#described.push({
        text: this.#plain(text),
        clauses: [{ ...first, text: '' }, ...clauses.slice(1)],
        isMust: false,
      });
  }

  #readAction(text: string): void {
    const plain = withoutStop(hasQuote(text) ? (listQuotes(text, this.#quotes)[0] ?? '') : this.#plain(text));
    this.#action ??= this.#actionOf(plain);
    const isShort = plain.split(' ').length <= MAX_BUTTON_WORDS && this.#table.isSpaced;
    if (isShort || (plain.length <= MAX_BUTTON_CHARS && !this.#isForMaker(plain, false))) this.#button ??= plain;
  }

  #actionOf(text: string): Action | undefined {
    for (const { signs } of this.#tables) {
      const found = signs.find(([sign]) => sign.test(text))?.[1];
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #forbid(sentence: string, isList: boolean): void {
    this.#forbidden.push(
      readForbidden(this.#plain(sentence), {
        quoted: listQuotes(sentence, this.#quotes),
        isList,
        tables: this.#tables,
      }),
    );
  }

  /** Where a sentence begins to forbid something; with the verb last it is all of it. */
  #findNever(sentence: string): number | undefined {
    for (const { never } of this.#tables) {
      const match = never.exec(sentence);
      if (match !== null) return this.#hasVerbsLast() ? 0 : match.index;
    }
    return undefined;
  }

  /** Whether a sentence is what it forbids and then the ban: "Prices must not be mentioned". */
  #endsInBan(sentence: string): boolean {
    const text = withoutStop(sentence);
    const { dangling } = glueOf(this.#table.language);
    return this.#tables.some(({ never }) => {
      const match = never.exec(text);
      if (match === null || match.index === 0 || match.index + match[0].length < text.length) return false;
      const head = text.slice(0, match.index).trimEnd();
      return head.replace(dangling, '') === head && !/[.,;:!?–—-]/u.test(head);
    });
  }

  #hasVerbsLast(): boolean {
    return this.#table.hasVerbsLast === true;
  }

  /** Whether words are for those who make the ad, by words anywhere in them or at their beginning. */
  #isForMaker(text: string, isSentence: boolean): boolean {
    const [first, ...others] = this.#tables;
    if (first === undefined) return false;
    const isDirective =
      first.directive.test(text) || (isSentence && (first.directiveStart.test(text) || FOR_MAKER.test(text)));
    return isDirective || others.some(({ directiveStart }) => isSentence && isAscii(text) && directiveStart.test(text));
  }

  #isLegal(text: string): boolean {
    return this.#tables.some(({ legal }) => legal.test(text)) && !this.#isForMaker(text, false);
  }

  #isButton(text: string): boolean {
    const words = withoutStop(text).toLowerCase();
    const isAction = this.#tables.some(({ actions }) =>
      Object.values(actions).some((texts) => texts.some((one) => one.toLowerCase() === words)),
    );
    return isAction || REQUEST.test(text);
  }

  /** Whether the last words of a brief ask for what its button does: "Jetzt anfragen". */
  #isRequest(text: string): boolean {
    const { actions, isSpaced, hasCapitalNouns } = this.#table;
    const words = withoutStop(text).split(' ');
    if (!isSpaced || words.length < 2 || words.length > MAX_REQUEST_WORDS || /\p{N}/u.test(text)) return false;
    if (this.#isForMaker(text, true)) return false;
    // Many things begin with a word like "now"; a German one that asks ends with its verb.
    if (hasCapitalNouns === true && !/^\p{Ll}+e?n$/u.test(words.at(-1) ?? '')) return false;
    return Object.values(actions).some((texts) =>
      texts.some((one) => one.includes(' ') && one.split(' ')[0]?.toLowerCase() === words[0]?.toLowerCase()),
    );
  }

  #isSignOff(text: string): boolean {
    return (
      text.length <= MAX_SIGN_OFF_CHARS && this.#tables.some(({ signOff }) => signOff.test(text.replace(/^[¡¿]/u, '')))
    );
  }

  #withoutGreeting(sentence: string): string {
    const text = sentence.replace(EMOJI_BEHIND, '');
    const { greeting } = this.#tables.find((table) => table.greeting.test(text)) ?? this.#table;
    return greeting.test(text) ? text.replace(greeting, '').trim() : sentence;
  }

  /** A sentence without brackets that tell the maker something: "(this has to appear)". */
  #withoutAsides(sentence: string): string {
    return sentence.replace(/\s?[(（](?<aside>[^()（）]{4,80})[)）]/gu, (bracket, aside: string) => {
      const isMust = this.#tables.some(({ includeTail }) => includeTail.test(aside));
      return isMust && POINTS_BACK.test(aside) ? '' : bracket;
    });
  }

  /** Without a label or an order: the rest of the offer's clause, what an event is about, or the first short clause. */
  #guessProduct(clauses: readonly Clause[], offer: Clause | undefined): string | undefined {
    if (offer?.isPrice === true && REQUEST_WORDS.test(offer.text))
      return this.#nameOf({ ...offer, text: offer.text.replace(REQUEST_WORDS, '') }, offer.text);
    const named = [offer, ...clauses].map((clause) =>
      clause === undefined || (clause.rest === '' && !namesPriced(clause)) ? '' : this.#nameOf(clause, clause.text),
    );
    return named.find(
      (name) =>
        /\p{L}{2}|\p{Lo}/u.test(name) &&
        !hasWords(name, offer?.offer) &&
        !hasWords(this.#brandName, name) &&
        !this.#isButton(name) &&
        !FORMER.test(`${name} `) &&
        !/(?:なら|だと|すれば|すると|以上で)$/u.test(name) &&
        (name.match(/\p{L}{2,}/gu) ?? []).length <= MAX_GUESSED_WORDS,
    );
  }

  #clausesOf(sentence: string): readonly Clause[] {
    return readClauses(this.#address(sentence), this.#table);
  }

  /** Words for the ad, to those who read it: briefs speak of them as "they". */
  #address(sentence: string): string {
    const plain = this.#plain(sentence);
    return this.#table.address?.(plain) ?? plain;
  }

  #plain(text: string): string {
    return unmask(text, this.#quotes).replace(/\s+/gu, ' ').trim();
  }
}

/** What a sentence says behind its subject for those who make the ad: "… and we need a banner". */
const WANTED = new RegExp(`\\s*,?\\s+(?:${gluesOf('and')})\\s+(?:${gluesOf('weNeed')}).*$`, 'isu');
/** What comes before the subject where a sentence names its occasion first: "September: we want to announce …". */
const ANNOUNCED =
  /^[^.!?]{0,60}?(?<!\p{L})(?:(?:we (?:want|would like|need)|we['’]d like) to|queremos|nous (?:voulons|souhaitons)|vogliamo)\s+(?:promote|advertise|announce|launch|anunciar|promocionar|lanzar|presentar|promouvoir|annoncer|lancer|promuovere|annunciare|lanciare|presentare)\s+/isu;
/** How many things a sentence is about to name. */
const COUNTED =
  /^(?:two|three|deux|trois|zwei|drei|dos|tres|due|tre|dois|três|twee|drie|dwa|trzy|[23])\s[\p{L} ]{3,30}?\s?[:–—]\s+/iu;
/** What begins like this says where or when, not what. */
const PREPOSITION = new RegExp(`^(?:${gluesOf('at')})(?:\\s|(?<=لل))`, 'iu');
/** Small talk, and words about the picture. */
const FOR_MAKER = new RegExp(
  `^(?:${gluesOf('smallTalk')})(?!\\p{L})|(?<!\\p{L})(?:${gluesOf('inPicture')})(?!\\p{L})`,
  'iu',
);
const EMOJI_BEHIND = /(?:\s|\p{Extended_Pictographic}|\u200d|\ufe0f|\p{EMod})+$/u;
const BRACKET = /[(（](?<inside>[^()（）]{3,64})[)）]$/u;
/** Where an ad appears is not what it is about. */
const MEDIA =
  /^(?:the |la |le |les |die |der |das |el |los |las |il |local |lokale |our |unsere )*(?:presse|press|news(?: ?sites?)?|websites?|facebook|instagram|tiktok|linkedin|mobile|social media|réseaux sociaux|redes sociales|soziale[n]? (?:medien|netzwerke)|stampa|prensa|zeitungen?|nachrichtenseiten)(?!\p{L})/iu;
/** A clause with a bracket behind it. */
const WITHDRAWN = /(?:^|[,;.–—]\s?|\s-\s)[^,;.–—()]{2,120}[(（](?<aside>[^()（）]{4,80})[)）]/gu;
/** Words of a bracket for what stands before it. */
const POINTS_BACK = new RegExp(`(?<!\\p{L})(?:${gluesOf('this')})(?!\\p{L})`, 'iu');
const MIN_HEAD_CHARS = 14;
const MIN_NAME_CHARS = 3;
const MAX_GUESSED_WORDS = 7;

/** What a clause is about in its own words; of one with an offer, what is left. */
function phraseOf({ rest, text, offer, event, isPrice }: Clause): string {
  if (isPrice) return text.split(MONEY)[0] ?? '';
  return offer === undefined && event === undefined ? text : rest;
}

/** Whether a clause offers something for an amount that is no budget: a discount, what is free beside a price, or a campaign's price. */
function isTerms({ isDiscount, isPrice, offer, text }: Clause, isCampaign: boolean): boolean {
  return isDiscount || (offer !== undefined && (isCampaign || !isPrice) && MONEY.test(text));
}

/** Whether a price stands behind what it is for: "vaccinations from £45". */
function namesPriced({ isPrice, text }: Clause): boolean {
  return (
    isPrice &&
    /\p{L}{3}/u.test(
      text
        .split(MONEY)[0]
        ?.replace(/^(?:from|only|just|ab|nur|dès|desde|solo|da|vanaf|od|от|från|fra|από|від|de la)\s/iu, '') ?? '',
    )
  );
}

/** A word or two before the offer and its subject: "Spring: 20% off trail shoes". */
function findOccasion(statements: readonly Statement[], offer: Clause | undefined): string | undefined {
  if (offer?.isDiscount !== true || offer.rest === '') return undefined;
  const statement = statements.find(({ clauses }) => clauses[1] === offer);
  const [first] = statement?.clauses ?? [];
  const isOccasion = first !== undefined && first.text !== '' && first.text === first.rest && !first.isAside;
  const isShort = isOccasion && first.text.split(' ').length <= MAX_OCCASION_WORDS;
  const behind = statement?.text.slice(first?.text.length).trimStart();
  return isShort && /^[:：]/u.test(behind ?? '') ? first.text : undefined;
}

const MAX_OCCASION_WORDS = 2;

/** What a sentence says before a colon and behind it, where that is a sentence too. */
function splitHead(sentence: string): readonly string[] {
  const [, head = '', tail = ''] = /^([^:：]{8,70})[:：]\s+(\S.{20,})$/su.exec(sentence) ?? [];
  return [head, tail];
}

/** What a clause beside the brand says that it is: "Acme, boots for children"; undefined where it says more than a name. */
function shortName(clause: Clause | undefined, table: LanguageTable): string | undefined {
  if (clause === undefined || clause.isAside || clause.offer !== undefined) return undefined;
  const { subject } = tidySubject(clause.text, table);
  return subject !== '' && subject.length <= MAX_BESIDE_CHARS ? subject : undefined;
}

const MAX_BESIDE_CHARS = 40;

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/u.test(text);
}

/** A line without its full stop; other signs at the end belong to it. */
function endless(text: string): string {
  return text.replace(/(?<![.。])[.]$/u, '').trim();
}

/** A sentence's beginning with the brand as its subject, behind a word and a colon at most. */
function opening(brandName: string): RegExp {
  return new RegExp(
    `^(?:[\\p{L}\\d -]{2,24}:\\s+)?(?:the |die |der |das |la |le |l['’]|el |il |lo |o |a |de |het |ο |η |το |τα |οι )?${escapePattern(brandName)}\\s+`,
    'iu',
  );
}
