import type { Change, Direction, Removable } from '../../build/direction.js';
import { hasQuote, listQuotes, unmask } from '../../compose/copy/brief/quotes.js';
import { findLanguageName } from '../../compose/copy/language/detect.js';
import { withoutEnd } from '../../compose/copy/text.js';
import { findColor, isColorAlone } from './colors.js';
import { listPrices, readPrice } from './price.js';
import { findReplacement } from './replacement.js';
import * as words from './words.js';

const LEAST_HEADLINE_CHARS = 15;
const MOST_HEADLINE_CHARS = 60;

/** A command as it is read: what it changes, and with what. */
export type Command = {
  readonly change: Change;
  readonly direction?: Direction;
  /** What the writer of the words has to know. */
  readonly brief?: string;
};

/** A command under way: its text with quotations masked, and what else is known. */
export type Reading = {
  readonly text: string;
  readonly quotes: readonly string[];
  readonly before: Direction;
  readonly namedPart: words.LocatedPart | undefined;
};

/** The antecedents of a command: the command and the part that were named before it, and the words of the creative. */
export type Antecedents = {
  readonly last: Command | undefined;
  /** The part that was named last. */
  readonly named: words.LocatedPart | undefined;
  readonly texts: readonly string[];
};

/** Reads a clause as one command: a part that it refers back to, words that it replaces, a price, else the part that it names. */
export function readOne(reading: Reading, { last, named, texts }: Antecedents): Command | 'brief' | 'kept' | undefined {
  return (
    readListed(reading, last) ??
    readOnIt(reading, last) ??
    readRemovedIt(reading, named) ??
    readReplaced(reading, texts) ??
    readPriced(reading, texts) ??
    readCommand(reading)
  );
}

/** Reads a color, a size or a tone that stands alone behind a part which was named before it. */
export function readBesidePart(reading: Reading, named: words.LocatedPart | undefined): Command | undefined {
  const { text, namedPart } = reading;
  const isOfPart = namedPart === undefined && (isColorAlone(text) || words.ARRANGES.test(text));
  return isOfPart && named !== undefined
    ? READ[named.part]({ ...reading, namedPart: { ...named, from: 0, to: 0 } })
    : undefined;
}

/** Reads a tone without a verb, behind other commands of its sentence. */
export function readToneAlone(reading: Reading): Command | undefined {
  const isTone = reading.namedPart === undefined && words.TONES.some(([pattern]) => pattern.test(reading.text));
  return isTone ? READ.tone(reading) : undefined;
}

/** "I do not like the logo. Take it off": the part that was named before. */
function readRemovedIt({ text, quotes }: Reading, named: words.LocatedPart | undefined): Command | undefined {
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

/** Quotation marks are part of what a brief says. */
export function unmaskWhole(text: string, quotes: readonly string[]): string {
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
  if (unavailable !== undefined) return refusePart('other', reading, unavailable);
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
  if (words.ARRANGES.test(text)) return refusePart('style', reading, ARRANGED);
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
    readColored('buttonColor', 'button color', reading) ?? refusePart('button color', reading, NO_COLOR),
  'text color': (reading) =>
    readColored('textColor', 'text color', reading) ?? refusePart('text color', reading, NO_COLOR),
  ground: (reading) => {
    const picture = addressIn(reading);
    if (picture !== undefined)
      return { change: changeOf('picture', reading, picture), direction: { pictureUrl: picture } };
    const color = readColored('ground', 'ground', reading);
    if (color !== undefined) return color;
    return words.OTHER.test(reading.text) ? shiftMotif(reading) : refusePart('ground', reading, NO_COLOR);
  },
  motif: (reading) => shiftMotif(reading),
  logo: (reading) => readAddress('logo', reading, (logoUrl) => ({ logoUrl })),
  picture: (reading) => readAddress('picture', reading, (pictureUrl) => ({ pictureUrl })),
  click: (reading) => readAddress('click', reading, (clickUrl) => ({ clickUrl })),
  tone: (reading) => {
    const tone = words.TONES.find(([pattern]) => pattern.test(reading.text))?.[1];
    return tone === undefined
      ? refusePart('tone', reading, NO_TONE)
      : { change: changeOf('tone', reading, tone), direction: { tone } };
  },
  language: readLanguage,
  size: (reading) => {
    const size = /(\d{2,4})\s?[x×]\s?(\d{2,4})/u.exec(reading.text);
    const value = size === null ? undefined : `${size[1]}x${size[2]}`;
    return words.ARRANGES.test(reading.text) && value === undefined
      ? refusePart('style', reading, ARRANGED)
      : { change: changeOf('size', reading, value) };
  },
  style: (reading) => refusePart('style', reading, ARRANGED),
};

const NO_COLOR = 'no color was understood; name one, such as "dark blue" or "#14213d"';
const NO_TONE = 'no tone was understood; ask for elegant, playful, bold, thoughtful, modern, calm or warm';

function changeOf(part: Change['part'], { text, quotes }: Reading, value?: string): Change {
  return { part, words: unmaskWhole(text, quotes), value };
}

function refusePart(part: Change['part'], reading: Reading, refusal: string): Command {
  return { change: { ...changeOf(part, reading), refusal } };
}

/** Returns the words of a part: its quotation, else what stands behind it. */
function readText(
  part: 'headline' | 'callToAction' | 'body' | 'legal' | 'eyebrow' | 'offer',
  reading: Reading,
): Command | undefined {
  const value = readValue(reading);
  if (value !== undefined) return { change: changeOf(part, reading, value), direction: { [part]: value } };
  if (words.ARRANGES.test(reading.text)) return refusePart('style', reading, ARRANGED);
  return words.TELLS.test(reading.text)
    ? undefined
    : refusePart(part, reading, 'it says no words; put them in quotation marks');
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
  if (words.ARRANGES.test(reading.text)) return refusePart('style', reading, ARRANGED);
  if (part === 'logo' && /(?<!\p{L})(?:add|show|füge|zeige|ajoute[rz]?|añad[ea])(?!\p{L})/iu.test(reading.text))
    return { change: changeOf(part, reading) };
  return refusePart(
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
    return refusePart('language', reading, 'no language was understood that ads are written in here');
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
