import { type Change, type Direction, mergeDirections, TEXT_PARTS } from '../../build/direction.js';
import { hasQuote, maskQuotes } from '../../compose/copy/brief/quotes.js';
import { plainLines } from '../../compose/copy/text.js';
import {
  type Antecedents,
  type Command,
  type Reading,
  readBesidePart,
  readOne,
  readToneAlone,
  unmaskWhole,
} from './command.js';
import { splitPhrases } from './phrases.js';
import { listReplacements } from './replacement.js';
import * as words from './words.js';

/** The changes of a creative that a message asks for. */
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
  const settled = settleCommands(commands);
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
function settleCommands(commands: readonly Command[]): readonly Command[] {
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

/** The commands read so far, which the next may refer to. */
type Context = Antecedents & { readonly quotes: readonly string[]; readonly before: Direction };

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
  const command = readBesidePart(reading, named) ?? readClause(text, context).command ?? readToneAlone(reading);
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

function readClause(text: string, { quotes, before, ...antecedents }: Context): Clause {
  const reading: Reading = { text, quotes, before, namedPart: words.findPart(text) };
  return { text, command: readOne(reading, antecedents) };
}

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
