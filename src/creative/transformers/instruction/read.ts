import { type Change, type Direction, mergeDirections, type Removable, TEXT_PARTS } from '../../build/direction.js';
import { hasQuote, listQuotes, maskQuotes, unmask } from '../../compose/copy/brief/quotes.js';
import { findLanguageName } from '../../compose/copy/language/detect.js';
import { plainLines, withoutEnd } from '../../compose/copy/text.js';
import { findColor, isColorAlone } from './colors.js';
import { splitPhrases } from './phrases.js';
import { listPrices, readPrice } from './price.js';
import { findReplacement, listReplacements } from './replacement.js';
import * as words from './words.js';

/** What a message asks to be changed of a creative. */
export type Instruction = {
  readonly direction: Direction;
  /** Its commands in their order, those too that cannot be followed. */
  readonly changes: readonly Change[];
  /** What was not understood, each as a command that is refused. */
  readonly unread: readonly Change[];
  /** What it says for the writer of the words; undefined where that is nothing. */
  readonly brief: string | undefined;
};

/** Most commands of one message that are read. */
const MAX_COMMANDS = 30;
/** A message of so many characters that takes something away, or adds a thing, is no brief. */
const MAX_BARE_CHARS = 60;
const LEAST_HEADLINE_CHARS = 15;
const MOST_HEADLINE_CHARS = 60;

/** A command as it is read: what it changes, and with what. */
type Command = {
  readonly change: Change;
  readonly direction?: Direction;
  /** What the writer of the words has to know. */
  readonly brief?: string;
};

/** A command under way: its text with quotations masked, and what else is known. */
type Reading = {
  readonly text: string;
  readonly quotes: readonly string[];
  readonly before: Direction;
  readonly namedPart: words.FoundPart | undefined;
};

/**
 * Reads what a message asks to be changed of a creative, command by command, in English, German, French or Spanish; a message without any
 * command is a brief as a whole. `before` is the direction that the creative has, `texts` its words.
 */
export function readInstruction(message: string, before: Direction, texts: readonly string[] = []): Instruction {
  const { text, quotes } = maskQuotes(plainLines(message));
  const commands: Command[] = [];
  const briefs: string[] = [];
  const forWriter: string[] = [];
  const unread: string[] = [];
  const unchanged: string[] = [];
  let context: Context = { quotes, texts, before, last: undefined, named: undefined };
  const parts = splitCommands(text);
  for (const { text: part, command } of parts.slice(0, MAX_COMMANDS).flatMap((one) => {
    const clauses = readClauses(one, context);
    context = clauses.reduce(goOn, context);
    return clauses;
  })) {
    const plain = unmaskWhole(part, quotes);
    if (command === 'kept') {
      unchanged.push(plain);
      continue;
    }
    if (command === 'brief') {
      briefs.push(plain);
      forWriter.push(plain);
    }
    if (command === undefined) unread.push(plain);
    else if (command !== 'brief') {
      commands.push(command);
    }
  }
  const settled = settle(commands);
  forWriter.push(...settled.map((command) => command.brief).filter((one) => one !== undefined));
  const [only = '', ...others] = unread;
  const isShort = others.length === 0 && only.length <= MAX_BARE_CHARS;
  const isCommand = isShort && isBareCommand(only, texts);
  if (commands.length === 0 && (!isCommand || briefs.length > 0))
    return { direction: {}, changes: [], unread: [], brief: message };
  const misread = [
    ...unread.map((one): Change => ({ part: 'other', words: one, refusal: explainUnread(one) })),
    ...parts.slice(MAX_COMMANDS, MAX_COMMANDS + 1).map((one): Change => {
      return { part: 'other', words: unmaskWhole(one, quotes), refusal: TOO_MANY };
    }),
  ];
  const own = settled.reduce<Direction>((all, { direction: one = {} }) => mergeDirections(all, one), {});
  const briefChanges = briefs.map((one): Change => ({ part: 'brief', words: one }));
  return {
    direction: own,
    changes: [...settled.map(({ change }) => change), ...reportOverruled(unchanged, settled), ...briefChanges],
    unread: misread,
    brief: forWriter.length === 0 ? undefined : forWriter.join('\n'),
  };
}

/** Commands of which one contradicts another: the later one is followed, and the earlier one is told so. */
function settle(commands: readonly Command[]): readonly Command[] {
  return commands.map((command, index) => {
    const { change } = command;
    const later = commands.slice(index + 1).find((other) => contradicts(command, other));
    if (later === undefined) return command;
    return { change: { ...change, refusal: overruledBy(later) } };
  });
}

/** Parts that have one value, or are not there. */
const SINGLE_PARTS: ReadonlySet<Change['part']> = new Set([
  ...TEXT_PARTS,
  'logo',
  'picture',
  'motif',
  'ground',
  'button color',
  'text color',
  'click',
  'tone',
  'language',
]);

function contradicts(one: Command, other: Command): boolean {
  if (one.change.refusal !== undefined || other.change.refusal !== undefined || partOf(one) !== partOf(other))
    return false;
  const isOther = one.change.isRemoval !== other.change.isRemoval || one.change.value !== other.change.value;
  return SINGLE_PARTS.has(partOf(one)) && isOther;
}

/** Returns the part that a command is about; prices are taken away by words for the writer. */
function partOf({ change, brief }: Command): Change['part'] {
  return brief === words.NO_PRICES ? 'price' : change.part;
}

/** Reports what was to stay as it is, and is changed by another command of the message. */
function reportOverruled(unchanged: readonly string[], commands: readonly Command[]): readonly Change[] {
  return unchanged.flatMap((text): Change[] => {
    const part = words.findPart(text)?.part;
    const changed = commands.find(({ change }) => change.refusal === undefined && change.part === part);
    if (part === undefined || changed === undefined) return [];
    return [{ part, words: text, refusal: overruledBy(changed) }];
  });
}

function overruledBy({ change }: Command): string {
  return `the message asks for something else too, and "${change.words}" is followed; ask for one`;
}

/** Whether a message of one short sentence asks for a change, though nothing of it was understood: it is no text of an ad. */
function isBareCommand(text: string, texts: readonly string[]): boolean {
  const isReplacement = texts.length > 0 && listReplacements(text).length > 0;
  const isRemoval = words.REMOVES.exec(text)?.index === 0 || words.REMOVES_IT.test(text);
  return isRemoval || words.ADDS_ONE.test(text) || isReplacement;
}

function explainUnread(text: string): string {
  if (words.REMOVES_IT.test(text)) return NO_PART;
  const [replacement] = listReplacements(text);
  return replacement === undefined ? NOT_UNDERSTOOD : `"${replacement.from}" ${NOT_AMONG_WORDS}`;
}

const NO_PART =
  'something is to be taken away, but no part is named; name it, as in: remove the logo (or the picture, text, legal line, badge or motif)';
const NOT_AMONG_WORDS =
  'is in none of the creative\'s words, so nothing is replaced; name words that are in it, as in: replace "these" with "those"';
const NOT_UNDERSTOOD =
  'it was not understood; say what to change of the headline, text, button, legal line, logo, picture, colors, tone, language or link';

const TOO_MANY = `one message has at most ${MAX_COMMANDS} commands, and this one and what stands behind it were not read; send them in another`;

/** A part of a message with what was read in it. */
type Clause = { readonly text: string; readonly command: Command | 'brief' | 'kept' | undefined };

/** What the commands before say of the next. */
type Context = {
  readonly quotes: readonly string[];
  readonly texts: readonly string[];
  readonly before: Direction;
  readonly last: Command | undefined;
  /** The part that was named last. */
  readonly named: words.FoundPart | undefined;
};

function goOn(context: Context, { text, command }: Clause): Context {
  const last = typeof command === 'object' ? command : context.last;
  const direction = typeof command === 'object' ? command.direction : undefined;
  return {
    ...context,
    last,
    before: mergeDirections(context.before, direction ?? {}),
    named: words.findPart(text) ?? context.named,
  };
}

/** Reads a command, and what stands beside it in the same sentence: nothing of it is passed over. */
function readClauses(text: string, context: Context): readonly Clause[] {
  const whole = readClause(text, context);
  const { command } = whole;
  const pieces = splitPhrases(text);
  const [head] = pieces;
  const isIt = context.named !== undefined && words.REMOVES_IT.test(text.slice(head?.from, head?.to));
  const hasWords = (command === undefined && !isIt) || command === 'brief' || isOfText(whole);
  if (hasWords || pieces.length < 2) return [whole];
  const clauses: Clause[] = [];
  let after = context;
  let from = 0;
  const add = (clause: Clause): void => {
    clauses.push(clause);
    after = goOn(after, clause);
  };
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    const clause = readBeside(text.slice(from, piece.to), after, clauses);
    const read = clauses.length === 0 ? readClause : readBeside;
    const isNextOwn = next !== undefined && read(text.slice(next.from, next.to), after, clauses).command !== undefined;
    const isBare = clause.command === undefined || isOfBareWords(clause);
    const isOpen = isBare ? !isNextOwn : isCompleted(clause.command, command);
    if (next !== undefined && isOpen) continue;
    add(clause);
    from = next?.from ?? text.length;
  }
  return clauses;
}

/** Whether a clause sets a text without quotation marks, which may have signs and an "and" among its words. */
function isOfText({ text, command }: Clause): boolean {
  if (typeof command !== 'object') return false;
  const { part, value } = command.change;
  return part === 'brief' || (TEXTS.has(part) && value !== undefined && !hasQuote(text));
}

/** Whether a clause replaces words without quotation marks: they end where another command begins. */
function isOfBareWords({ text, command }: Clause): boolean {
  return typeof command === 'object' && command.change.part === 'words' && !hasQuote(text);
}

const TEXTS: ReadonlySet<Change['part']> = new Set(['headline', 'callToAction', 'body', 'legal', 'eyebrow', 'offer']);

/** Whether what cannot be followed alone can with what stands behind it. */
function isCompleted(head: Clause['command'], whole: Clause['command']): boolean {
  if (typeof head !== 'object' || typeof whole !== 'object' || head.change.refusal === undefined) return false;
  return whole.change.refusal === undefined && whole.change.part === head.change.part;
}

/** Reads a clause behind others of its sentence: a color or a size alone is of the part before, and of one thing there is one value. */
function readBeside(text: string, context: Context, before: readonly Clause[]): Clause {
  const { named, quotes } = context;
  if (before.length === 0) return readClause(text, context);
  const reading: Reading = { text, quotes, before: context.before, namedPart: words.findPart(text) };
  const isOfPart = reading.namedPart === undefined && (isColorAlone(text) || words.ARRANGES.test(text));
  const ofPart =
    isOfPart && named !== undefined
      ? READ[named.part]({ ...reading, namedPart: { ...named, from: 0, to: 0 } })
      : undefined;
  const isTone = reading.namedPart === undefined && words.TONES.some(([pattern]) => pattern.test(text));
  const command = ofPart ?? readClause(text, context).command ?? (isTone ? READ.tone(reading) : undefined);
  if (typeof command !== 'object') return { text, command };
  const other = before.find(({ command: one }) => typeof one === 'object' && isContrary(one, command));
  if (other === undefined) return { text, command };
  const refusal = `there can be one only, and "${unmaskWhole(other.text, quotes)}" is followed`;
  return { text, command: { change: { ...command.change, refusal } } };
}

/** Values that one command sets and no other beside it. */
const SINGLE = ['ground', 'buttonColor', 'textColor', 'tone', 'language'] as const;

function isContrary({ direction: one = {} }: Command, { direction: other = {} }: Command): boolean {
  return SINGLE.some((name) => one[name] !== undefined && other[name] !== undefined && one[name] !== other[name]);
}

function readClause(text: string, { quotes, before, last, named, texts }: Context): Clause {
  const reading: Reading = { text, quotes, before, namedPart: words.findPart(text) };
  const command =
    readListed(reading, last) ??
    readOnIt(reading, last) ??
    readRemovedIt(reading, named) ??
    readReplaced(reading, texts) ??
    readPriced(reading, texts) ??
    readCommand(reading);
  return { text, command };
}

/** "I do not like the logo. Take it off": the part that was named before. */
function readRemovedIt({ text, quotes }: Reading, named: words.FoundPart | undefined): Command | undefined {
  const isIt = named !== undefined && words.REMOVES_IT.test(text);
  return isIt ? readRemoval(named.part, unmaskWhole(text, quotes)) : undefined;
}

/** "Change Hamburg to Berlin", where Hamburg is among the words of the ad. */
function readReplaced(reading: Reading, texts: readonly string[]): Command | undefined {
  const replaced = hasQuote(reading.text) ? undefined : findReplacement(reading.text, texts);
  if (replaced === undefined) return undefined;
  return { change: changeOf('words', reading, replaced.to), direction: { replaced: [replaced] } };
}

/** "Add the price: from €2,499", and "Change the price to €1,999" where one price is among the words of the ad. */
function readPriced(reading: Reading, texts: readonly string[]): Command | undefined {
  const price = readPrice(unmask(reading.text, reading.quotes));
  if (price === undefined) return undefined;
  const change = changeOf('price', reading, price.value);
  const [written, ...others] = price.isAdded ? [] : listPrices(texts);
  if (others.length > 0) return { change: { ...change, refusal: SEVERAL_PRICES } };
  return {
    change,
    direction: written === undefined ? { price: price.value } : { replaced: [{ from: written, to: price.amount }] },
  };
}

const SEVERAL_PRICES = 'several prices are among the words; say which, as in: replace "€2,499" with "€1,999"';

/** Commands stand in sentences, and several in one. */
function splitCommands(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?\ue100-\ue1ff])[.!]?\s+(?=\p{Lu}|$)|\n+|(?<=[\ue100-\ue1ff][.!])\s+/u)
    .flatMap((sentence) => sentence.split(words.NEXT_COMMAND))
    .map((part) =>
      part.trim().replace(/^(?:and|und|et|y|please|bitte|por favor|s['’]il (?:te|vous) plaît)[\s,]+/iu, ''),
    )
    .filter((part) => /[\p{L}\p{N}\ue100-\ue1ff#]/u.test(part));
}

/** Quotation marks are part of what a brief says. */
function unmaskWhole(text: string, quotes: readonly string[]): string {
  return text.replace(/[\ue100-\ue163]/gu, (mark) => `"${unmask(mark, quotes)}"`).trim();
}

function readCommand(reading: Reading): Command | 'brief' | 'kept' | undefined {
  const { text, namedPart, quotes } = reading;
  const isCommand =
    (namedPart !== undefined && (findColor(text)?.index === 0 || words.RESIZES.test(text))) ||
    (namedPart !== undefined && words.KEEPS.test(text)) ||
    words.BEGINS_COMMAND.test(text) ||
    isColorAlone(text) ||
    words.SHORTER.test(text) ||
    words.SWAPS.test(text);
  if (!isCommand) return words.TELLS.test(text) ? 'brief' : undefined;
  if (words.KEEPS.test(text) && !words.REMOVES.test(text) && !hasQuote(text)) return 'kept';
  const unavailable = findUnavailable(reading);
  if (unavailable !== undefined) return refuse('other', reading, unavailable);
  const removal = hasQuote(text) ? null : words.REMOVES.exec(text);
  const isRemoved =
    removal !== null && namedPart !== undefined && (removal.index < namedPart.from || AWAY.test(removal[0]));
  if (namedPart !== undefined && isRemoved) return readRemoval(namedPart.part, unmaskWhole(text, quotes));
  const takenOut = removal === null ? undefined : words.TAKEN_OUT.find(([subject]) => subject.test(text));
  if (namedPart === undefined && takenOut !== undefined)
    return { change: { part: 'brief', words: unmaskWhole(text, quotes) }, brief: takenOut[1] };
  if (words.SWAPS.test(text)) return swapColors(reading);
  if (namedPart === undefined) return readBare(reading);
  return READ[namedPart.part](reading) ?? (words.TELLS.test(text) ? 'brief' : undefined);
}

/** Why a thing that a command adds, and that is no part of an ad, cannot be had; undefined for any other command. */
function findUnavailable({ text, namedPart }: Reading): string | undefined {
  const isOther = namedPart === undefined || namedPart.part === 'style';
  if (!isOther || hasQuote(text) || !words.ADDS_ONE.test(text)) return undefined;
  return words.UNAVAILABLE.find(([thing]) => thing.test(text))?.[1];
}

/** "Remove the logo and the picture": a part alone, behind one that is taken away. */
function readListed({ text, quotes, namedPart }: Reading, last: Command | undefined): Command | undefined {
  const isAlone =
    namedPart !== undefined && /^[.!\s]*$/u.test(text.slice(namedPart.to)) && !words.BEGINS_VERB.test(text);
  return isAlone && last?.change.isRemoval === true
    ? readRemoval(namedPart.part, unmaskWhole(text, quotes))
    : undefined;
}

/** "Make the button green and write "Buy" on it": words for the button that was named before. */
function readOnIt(reading: Reading, last: Command | undefined): Command | undefined {
  const [text, ...others] = listQuotes(reading.text, reading.quotes);
  const isButton = last?.change.part === 'button color' || last?.change.part === 'callToAction';
  if (!isButton || text === undefined || others.length > 0 || !words.ON_IT.test(reading.text)) return undefined;
  return { change: changeOf('callToAction', reading, text), direction: { callToAction: text } };
}

/** German has what takes away at the end. */
const AWAY = /^weg/iu;

/** A command that names no part: a color, a voice, a language, or words for the writer. */
function readBare(reading: Reading): Command | 'brief' | undefined {
  const { text, quotes } = reading;
  const [from, to, ...others] = listQuotes(text, quotes);
  if (from !== undefined && to !== undefined && others.length === 0)
    return { change: changeOf('words', reading, to), direction: { replaced: [{ from, to }] } };
  if (words.TELLS.test(text)) return 'brief';
  if (languageOf(reading) !== undefined) return readLanguage(reading);
  if (findColor(text) !== undefined && !hasQuote(text)) return READ.ground(reading);
  if (words.TONES.some(([pattern]) => pattern.test(text))) return READ.tone(reading);
  if (words.ARRANGES.test(text)) return refuse('style', reading, ARRANGED);
  if (words.SHORTER.test(text)) return shortenHeadline(reading);
  return undefined;
}

const ARRANGED =
  'sizes, places and fonts follow from the layout of each format, which is chosen by the industry and the tone; ask for another tone, or send a finished ad';

type Read = (reading: Reading) => Command | undefined;

const READ: Readonly<Record<words.Part, Read>> = {
  headline: (reading) => {
    if (words.SHORTER.test(reading.text) && readValue(reading) === undefined) return shortenHeadline(reading);
    return readColored('textColor', 'text color', reading) ?? readText('headline', reading);
  },
  callToAction: (reading) => readColored('buttonColor', 'button color', reading) ?? readText('callToAction', reading),
  body: (reading) =>
    languageOf(reading) === undefined
      ? (readColored('textColor', 'text color', reading) ?? readText('body', reading))
      : readLanguage(reading),
  legal: (reading) => readText('legal', reading),
  eyebrow: (reading) => readText('eyebrow', reading),
  offer: (reading) => readText('offer', reading),
  'button color': (reading) =>
    readColored('buttonColor', 'button color', reading) ?? refuse('button color', reading, NO_COLOR),
  'text color': (reading) => readColored('textColor', 'text color', reading) ?? refuse('text color', reading, NO_COLOR),
  ground: (reading) => {
    const picture = addressIn(reading);
    if (picture !== undefined)
      return { change: changeOf('picture', reading, picture), direction: { pictureUrl: picture } };
    const color = readColored('ground', 'ground', reading);
    if (color !== undefined) return color;
    return words.OTHER.test(reading.text) ? shiftMotif(reading) : refuse('ground', reading, NO_COLOR);
  },
  motif: (reading) => shiftMotif(reading),
  logo: (reading) => readAddress('logo', reading, (logoUrl) => ({ logoUrl })),
  picture: (reading) => readAddress('picture', reading, (pictureUrl) => ({ pictureUrl })),
  click: (reading) => readAddress('click', reading, (clickUrl) => ({ clickUrl })),
  tone: (reading) => {
    const tone = words.TONES.find(([pattern]) => pattern.test(reading.text))?.[1];
    return tone === undefined
      ? refuse('tone', reading, NO_TONE)
      : { change: changeOf('tone', reading, tone), direction: { tone } };
  },
  language: readLanguage,
  size: (reading) => {
    const size = /(\d{2,4})\s?[x×]\s?(\d{2,4})/u.exec(reading.text);
    const value = size === null ? undefined : `${size[1]}x${size[2]}`;
    return words.ARRANGES.test(reading.text) && value === undefined
      ? refuse('style', reading, ARRANGED)
      : { change: changeOf('size', reading, value) };
  },
  style: (reading) => refuse('style', reading, ARRANGED),
};

const NO_COLOR = 'no color was understood; name one, such as "dark blue" or "#14213d"';
const NO_TONE = 'no tone was understood; ask for elegant, playful, bold, thoughtful, modern, calm or warm';

function changeOf(part: Change['part'], { text, quotes }: Reading, value?: string): Change {
  return { part, words: unmaskWhole(text, quotes), value };
}

function refuse(part: Change['part'], reading: Reading, refusal: string): Command {
  return { change: { ...changeOf(part, reading), refusal } };
}

/** Returns the words of a part: its quotation, else what stands behind it. */
function readText(
  part: 'headline' | 'callToAction' | 'body' | 'legal' | 'eyebrow' | 'offer',
  reading: Reading,
): Command | undefined {
  const value = readValue(reading);
  if (value !== undefined) return { change: changeOf(part, reading, value), direction: { [part]: value } };
  if (words.ARRANGES.test(reading.text)) return refuse('style', reading, ARRANGED);
  return words.TELLS.test(reading.text)
    ? undefined
    : refuse(part, reading, 'it says no words; put them in quotation marks');
}

function readValue({ text, quotes, namedPart }: Reading): string | undefined {
  // "Replace X with Y": the words that are to stand are the last ones.
  const quoted = listQuotes(text, quotes).at(-1);
  if (quoted !== undefined) return quoted;
  const behind = text.slice(namedPart?.to ?? 0);
  const joint = words.BEFORE_VALUE.exec(behind);
  if (joint === null) return undefined;
  const value = endless(behind.slice(joint[0].length).replace(words.BEHIND_VALUE, ''));
  return value === '' || words.VAGUE.test(value) ? undefined : value;
}

/** Returns words without the full stop of the command around them. */
function endless(text: string): string {
  return text
    .trim()
    .replace(/(?<!\.)\.$/u, '')
    .trim();
}

function readColored(
  name: 'ground' | 'buttonColor' | 'textColor',
  part: Change['part'],
  reading: Reading,
): Command | undefined {
  const { text, namedPart } = reading;
  const color = hasQuote(text) ? undefined : findColor(text);
  if (color === undefined) return undefined;
  const value = readValue(reading);
  const isWords = namedPart !== undefined && color.index > namedPart.to && value !== undefined && !isColorAlone(value);
  if (isWords && name !== 'ground') return undefined;
  return { change: changeOf(part, reading, color.hex), direction: { [name]: color.hex } };
}

const ADDRESS = /https?:\/\/[^\s"'<>\ue100-\ue1ff]{1,2000}/iu;

function addressIn({ text, quotes }: Reading): string | undefined {
  const written = ADDRESS.exec(text)?.[0];
  if (written !== undefined) return withoutEnd(written, /[.,;:!?)]/u);
  return listQuotes(text, quotes).find((one) => ADDRESS.test(one));
}

function readAddress(
  part: 'logo' | 'picture' | 'click',
  reading: Reading,
  direct: (url: string) => Direction,
): Command | undefined {
  const url = addressIn(reading);
  if (url !== undefined) return { change: changeOf(part, reading, url), direction: direct(url) };
  if (words.ARRANGES.test(reading.text)) return refuse('style', reading, ARRANGED);
  if (part === 'logo' && /(?<!\p{L})(?:add|show|füge|zeige|ajoute[rz]?|añad[ea])(?!\p{L})/iu.test(reading.text))
    return { change: changeOf(part, reading) };
  return refuse(
    part,
    reading,
    `nothing says which; send its https address in the message or as an asset of creative_manifest`,
  );
}

function languageOf({ text }: Reading): string | undefined {
  return findLanguageName(text, true);
}

function readLanguage(reading: Reading): Command {
  const language = findLanguageName(reading.text);
  if (language === undefined)
    return refuse('language', reading, 'no language was understood that ads are written in here');
  return { change: changeOf('language', reading, language), direction: { language } };
}

const REMOVED: Partial<Readonly<Record<words.Part, Removable>>> = {
  body: 'body',
  legal: 'legal',
  eyebrow: 'eyebrow',
  offer: 'offer',
  logo: 'logo',
  picture: 'picture',
  motif: 'motif',
};

function readRemoval(part: words.Part, plain: string): Command {
  const removed = REMOVED[part];
  const change: Change = { part: part, words: plain, isRemoval: true };
  if (removed !== undefined) return { change, direction: { without: [removed] } };
  return { change: { ...change, refusal: 'every layout has it; say what it is to be instead' } };
}

function swapColors(reading: Reading): Command {
  const colors = reading.before.colors === 'inverted' ? 'brand' : 'inverted';
  return { change: changeOf('colors', reading), direction: { colors } };
}

function shiftMotif(reading: Reading): Command {
  return { change: changeOf('motif', reading), direction: { motifShift: (reading.before.motifShift ?? 0) + 1 } };
}

function shortenHeadline(reading: Reading): Command {
  const { headlineChars = MOST_HEADLINE_CHARS } = reading.before;
  const most = Math.max(LEAST_HEADLINE_CHARS, Math.round(headlineChars / 2));
  return { change: changeOf('shorter headline', reading), direction: { headlineChars: most } };
}
