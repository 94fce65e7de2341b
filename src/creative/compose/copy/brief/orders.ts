import { gluesOf } from '../language/glue.js';
import { withoutPlatform } from '../language/manner.js';
import { type CaseEndings, toNominative } from '../language/nominative.js';
import type { LanguageTable } from '../language/table.js';
import { escapePattern, hasWords, withoutStop } from '../text.js';
import { type Clause, tidySubject } from './clauses.js';
import type { Draft } from './draft.js';
import { nameProduct, PREPOSITION } from './names.js';

/** What a sentence says behind its subject for those who make the ad: "… and we need a banner". */
const WANTED = new RegExp(`\\s*,?\\s+(?:${gluesOf('and')})\\s+(?:${gluesOf('weNeed')}).*$`, 'isu');
/** What comes before the subject where a sentence names its occasion first: "September: we want to announce …". */
const ANNOUNCED =
  /^[^.!?]{0,60}?(?<!\p{L})(?:(?:we (?:want|would like|need)|we['’]d like) to|queremos|nous (?:voulons|souhaitons)|vogliamo)\s+(?:promote|advertise|announce|launch|anunciar|promocionar|lanzar|presentar|promouvoir|annoncer|lancer|promuovere|annunciare|lanciare|presentare)\s+/isu;
/** How many things a sentence is about to name. */
const COUNTED =
  /^(?:two|three|deux|trois|zwei|drei|dos|tres|due|tre|dois|três|twee|drie|dwa|trzy|[23])\s[\p{L} ]{3,30}?\s?[:–—]\s+/iu;
/** Where an ad appears is not what it is about. */
const MEDIA =
  /^(?:the |la |le |les |die |der |das |el |los |las |il |local |lokale |our |unsere )*(?:presse|press|news(?: ?sites?)?|websites?|facebook|instagram|tiktok|linkedin|mobile|social media|réseaux sociaux|redes sociales|soziale[n]? (?:medien|netzwerke)|stampa|prensa|zeitungen?|nachrichtenseiten)(?!\p{L})/iu;

/** Reads a sentence that orders an ad, "We need a banner for …", or presents what the brand has; false where it does neither. */
export function readOrder(sentence: string, draft: Draft): boolean {
  const { words } = draft;
  const presented = findPresented(sentence, draft);
  if (presented !== undefined && words.findNever(presented) === undefined) {
    draft.hasOrder = true;
    readSubject(presented, draft);
    return true;
  }
  for (const table of words.tables) {
    for (const order of table.orders) {
      const match = order.exec(withoutStop(sentence));
      if (match === null) continue;
      const { subject = '', genitive = '', accusative = '', rest = '' } = match.groups ?? {};
      if (subject !== '' && withoutPlatform(subject) === '') continue;
      draft.hasOrder = true;
      readSubject(withArticle(subject, sentence), draft);
      readSubject(genitive, draft, table.genitive);
      readSubject(accusative, draft, table.accusative);
      if (rest.trim() !== '') readTail(rest, draft);
      return true;
    }
  }
  return false;
}

/** Returns a subject with the Arabic article that "for the" has in it: of "للأحذية" the word is "الأحذية". */
function withArticle(subject: string, sentence: string): string {
  if (subject.startsWith('لل')) return `ال${subject.slice(2)}`;
  return subject.startsWith('ل') && sentence.includes(`ل${subject}`) ? `ال${subject.slice(1)}` : subject;
}

/** Reads what an ad is about, behind the words that order it. */
export function readOrdered(subject: string, draft: Draft): void {
  draft.hasOrder = true;
  if (!readOrder(subject, draft)) readSubject(subject, draft);
}

/** Reads an order behind words for the maker: "As discussed on Monday, we would like to promote …". */
export function readIntroduced(sentence: string, draft: Draft): boolean {
  const [, head = '', order = ''] = /^([^,]{6,70}),\s+(.{12,})$/su.exec(sentence) ?? [];
  return head !== '' && draft.words.isForMaker(head, true) && readOrder(order, draft);
}

/** Returns what a sentence says that the brand offers or looks for, of "Acme sells boots" the boots; undefined where it says neither. */
export function findPresented(sentence: string, draft: Draft): string | undefined {
  const { words } = draft;
  const brand = openingPattern(words.brandName).exec(sentence)?.[0];
  if (brand === undefined) return undefined;
  const predicate = sentence.slice(brand.length);
  const verb = words.tables.map(({ presents }) => presents.exec(predicate)?.[0]).find((one) => one !== undefined);
  const offered = predicate.slice(verb?.length ?? 0).trim();
  return verb === undefined || PREPOSITION.test(offered) ? undefined : offered;
}

/** Reads what an order says the ad is about: its first clause is that, the others say more. */
function readSubject(whole: string, draft: Draft, endings?: CaseEndings): void {
  const { words } = draft;
  const phrase = withoutPlatform(whole.replace(ANNOUNCED, '').replace(COUNTED, '').replace(WANTED, ''));
  // What is opened or launched is in the genitive.
  const { genitive, promote } = words.table;
  const inCase = genitive !== undefined && promote.test(phrase) ? genitive : endings;
  if (withoutStop(phrase) === '' || MEDIA.test(phrase)) return;
  const clauses = words.clausesOf(phrase).filter((clause) => !words.isForMaker(clause.text, false));
  const [first] = clauses;
  if (first === undefined) return;
  const name = nameProduct(first, phrase, draft);
  const own = (inCase && toNominative(name, inCase)) ?? name;
  const called = clauses[1]?.text ?? '';
  const isCalled = own !== '' && words.quotes.includes(called);
  const named = isCalled ? `${own} ${called}` : own;
  const isBrand = hasWords(words.brandName, named) && !hasWords(named, words.brandName);
  const isBare = isBrand || named.toLowerCase() === words.brandName.toLowerCase();
  const beside = isBare && phrase.includes(`${words.brandName},`) ? shortName(clauses[1], words.table) : undefined;
  if (beside !== undefined) draft.product ??= `${words.brandName}, ${beside}`;
  const isProduct = named !== '' && !isBrand && draft.product === undefined && !draft.isLabelled;
  if (isProduct) draft.product = named;
  const isNamed = isProduct || isBrand || (named === '' && first.event !== undefined);
  const more = clauses.slice(isCalled ? 2 : 1);
  const described = isNamed && first.offer === undefined ? [{ ...first, text: '' }, ...more] : clauses;
  draft.statements.push({ text: words.plain(phrase), clauses: described, isMust: false });
}

/** Reads what an order says behind the ad's name, where the language puts the subject before it. */
function readTail(rest: string, draft: Draft): void {
  const { words } = draft;
  const tail = rest.replace(/^[^:：,،、.]{0,24}[:：]/u, '');
  const hasColon = tail !== rest;
  const copy = words
    .clausesOf(tail)
    .filter((clause) => !words.isForMaker(clause.text, true) && /[\p{L}\p{N}]/u.test(clause.whole));
  const terms = copy.filter((clause) => hasColon || clause.offer !== undefined || clause.deadline !== undefined);
  const text = terms.map((clause) => clause.text).join(' ');
  if (terms.length > 0) draft.statements.push({ text, clauses: terms, isMust: false });
}

/**
 * Returns what a clause beside the brand says that it is, as in "Acme, boots for children"; undefined where it says
 * more than a name.
 */
function shortName(clause: Clause | undefined, table: LanguageTable): string | undefined {
  if (clause === undefined || clause.isAside || clause.offer !== undefined) return undefined;
  const { subject } = tidySubject(clause.text, table);
  return subject !== '' && subject.length <= MAX_BESIDE_CHARS ? subject : undefined;
}

const MAX_BESIDE_CHARS = 40;

/** Returns the pattern of a sentence that begins with the brand, behind a word and a colon at most. */
function openingPattern(brandName: string): RegExp {
  return new RegExp(
    `^(?:[\\p{L}\\d -]{2,24}:\\s+)?(?:the |die |der |das |la |le |l['’]|el |il |lo |o |a |de |het |ο |η |το |τα |οι )?${escapePattern(brandName)}\\s+`,
    'iu',
  );
}
