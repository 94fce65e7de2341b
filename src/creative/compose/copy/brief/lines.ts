import { isRemark } from '../language/maker.js';
import { type LanguageTable, ROLES, type Role } from '../language/table.js';

/** A part of a brief: a sentence or a line, with the role that its label gives it. */
export type Piece = {
  readonly role?: Role | undefined;
  readonly text: string;
  /** Whether amounts of a line for the maker may be prices: behind "Campaign:", and not behind "Budget:" or "Goal:". */
  readonly isCampaign?: boolean;
};

const BULLET = /^(?:[-–—*•·▪◦‣●○■□✓✔→>・※]|\d{1,2}[.)、]|[a-z][.)])\s+|^[•·▪●■◆・]/iu;
const DECORATION = /\*\*|__|^#{1,6}\s+|^【([^】]{1,30})】/gu;
/** Roles whose text is the whole line; that of others ends with its first sentence where the brief goes on in one line. */
const WHOLE_LINE: ReadonlySet<Role> = new Set([
  'legal',
  'note',
  'mustNot',
  'must',
  'context',
  'tone',
  'audience',
  'offer',
  'body',
]);
const RULE = /^[-–—=_*~\s]+$/u;

/** A label on a line of its own, and whether it is about the lines that follow. */
type Section = { readonly role: Role; readonly isOpen: boolean };

/** Returns the parts of a masked message: its labelled lines with their roles, all other text by sentences. */
export function readPieces(message: string, tables: readonly LanguageTable[]): readonly Piece[] {
  const lines = markHeadings(message.split('\n'), tables);
  const isLong = lines.filter((line) => line.trim() !== '').length > 2;
  const pieces: Piece[] = [];
  let section: Section | undefined;
  for (const raw of lines) {
    const { line, isBullet } = readLine(raw);
    if (line === '' || RULE.test(line)) {
      section = section?.isOpen === true ? section : undefined;
      continue;
    }
    const labels = findLabels(line, tables);
    const head = line.slice(0, labels[0]?.from ?? line.length).trim();
    if (head !== '') {
      pieces.push(...readHead(head, roleIn(section, isBullet), tables));
      section = section === undefined || !isBullet ? undefined : { ...section, isOpen: false };
    }
    for (const [index, { role, from, to }] of labels.entries()) {
      const value = line.slice(to, labels[index + 1]?.from ?? line.length).trim();
      const split = value === '' ? [] : splitValue(role, value, isLong && labels.length === 1, tables);
      pieces.push(...markCampaign(split, line.slice(from, to)));
      section = value === '' ? { role, isOpen: true } : undefined;
    }
  }
  return pieces;
}

/** Returns the pieces behind a label, marked where it is that of a campaign. */
function markCampaign(pieces: readonly Piece[], label: string): readonly Piece[] {
  if (!CAMPAIGN.test(label)) return pieces;
  return pieces.map((piece) => (piece.role === 'context' ? { ...piece, isCampaign: true } : piece));
}

const CAMPAIGN =
  /(?<!\p{L})(?:[ck]ampa(?:ign|gne|gna|ña|nha|nia|nya|nie|nj|nje|ň)|kampagne|кампани[яи]|кампанія|καμπάνια|キャンペーン|活动|캠페인|حملة|קמפיין|अभियान|แคมเปญ)/iu;

/** A brief with so many lines that are labels without a colon has its parts under headings. */
const MIN_HEADINGS = 2;
const MAX_HEADING_CHARS = 40;

/** Returns the lines with a colon behind each that is a label and nothing else, where there are several of them. */
function markHeadings(lines: readonly string[], tables: readonly LanguageTable[]): readonly string[] {
  const isHeading = (raw: string): boolean => {
    const { line, isBullet } = readLine(raw);
    if (isBullet || line === '' || line.length > MAX_HEADING_CHARS || /[:：.!?]$/u.test(line)) return false;
    const [label] = findLabels(`${line}:`, tables);
    return label?.from === 0 && label.to === line.length + 1;
  };
  const headings = lines.map(isHeading);
  if (headings.filter((is) => is).length < MIN_HEADINGS) return lines;
  return lines.map((line, index) => (headings[index] === true ? `${line.trim()}:` : line));
}

/** Returns a line without its decoration, and whether it was a list item. */
function readLine(raw: string): { readonly line: string; readonly isBullet: boolean } {
  const bare = raw
    .trim()
    .replace(DECORATION, (_mark, title: string | undefined) => (title === undefined ? '' : `${title}：`));
  const line = bare.replace(BULLET, '').trim();
  return { line, isBullet: line !== bare };
}

function roleIn(section: Section | undefined, isBullet: boolean): Role | undefined {
  return isBullet || section?.isOpen === true ? section?.role : undefined;
}

function readHead(text: string, role: Role | undefined, tables: readonly LanguageTable[]): readonly Piece[] {
  if (role === undefined) return splitPieces(text, tables);
  return role === 'offer' ? splitPieces(text, tables).map((piece) => ({ role, text: piece.text })) : [{ role, text }];
}

function splitPieces(text: string, tables: readonly LanguageTable[]): readonly Piece[] {
  return splitSentences(text, tables).map((sentence) => ({ text: sentence }));
}

/** Returns a label's text, and what else stands in its line. */
function splitValue(role: Role, value: string, isLong: boolean, tables: readonly LanguageTable[]): readonly Piece[] {
  if (isLong && WHOLE_LINE.has(role)) return readHead(value, role, tables);
  const [first = '', ...others] = splitSentences(value, tables);
  if (role === 'headline' && others.every((one) => one.length <= MAX_BEAT_CHARS)) return [{ role, text: value }];
  return [{ role, text: first }, ...others.map((text) => ({ text }))];
}

/** A headline may be several short sentences. */
const MAX_BEAT_CHARS = 24;

type LocatedLabel = { readonly role: Role; readonly from: number; readonly to: number };

/** Returns the labels of a line in their order, those of the first table first. */
function findLabels(line: string, tables: readonly LanguageTable[]): readonly LocatedLabel[] {
  const labels: LocatedLabel[] = [];
  for (const table of tables) {
    for (const match of line.matchAll(table.label)) {
      const role = roleOfLabel(match, table);
      const [from, to] = [match.index, match.index + match[0].length];
      if (role !== undefined && !labels.some((one) => from < one.to && one.from < to)) labels.push({ role, from, to });
    }
  }
  return labels.sort((a, b) => a.from - b.from);
}

/**
 * Returns the role of a label; of "Include the legal line:" and "Promo code:" that of the words behind, which tell
 * more.
 */
function roleOfLabel(match: RegExpExecArray, { mentions }: LanguageTable): Role | undefined {
  const role = ROLES.find((name) => match.groups?.[name] !== undefined);
  if (role !== 'must' && role !== 'offer' && role !== 'body') return role;
  return TELLING.find((name) => mentions[name]?.test(match[0]) === true) ?? role;
}

const TELLING: readonly Role[] = ['legal', 'code', 'headline', 'action'];

/** Words with a full stop that ends no sentence. */
const ABBREVIATION =
  /(?<!\p{L})(?:e\.g|i\.e|no|nr|nº|art|vs|approx|ca|max|min|st|dr|mr|mrs|ms|prof|inc|ltd|bzw|z\.\s?b|u\.\s?a|inkl|exkl|zzgl|etc|ej|p\.\s?ej|av|ul|ok|godz|tel|т\.е|руб|г|a\.m|p\.m|kl|f\.eks|t\.ex|bl\.a|π\.χ|např|грн|вул)\.$/iu;

/** An amount ends a sentence before a capital letter, though its currency is abbreviated. */
const CURRENCY = /\d\s?(?:руб|грн)\.$/iu;
const MONTH_NUMBER = /^(?:0?[1-9]|1[0-2])\.(?!\d)/u;

/** Returns the sentences of a line. A full stop behind an abbreviation or a day of a month ends none. */
function splitSentences(line: string, [table]: readonly LanguageTable[]): readonly string[] {
  const parts = line.split(
    /(?:^|\s+)\p{Extended_Pictographic}(?:\u200d|\ufe0f|\p{EMod}|\p{Extended_Pictographic})*\s+(?=\p{L})|(?<=[.!?…][)”’\]]?|\ue1ff)\s+(?=[^\p{Ll}])|(?<=[.!?…][)”’\]]?)\s+|(?<=[。！？؟।])\s*/u,
  );
  const sentences: string[] = [];
  for (const part of table === undefined ? parts : parts.flatMap((one) => splitAtSpaces(one, table))) {
    const last = sentences.at(-1);
    const goesOn =
      last !== undefined &&
      ((ABBREVIATION.test(last.slice(-12)) && !(/^\p{Lu}\p{Ll}/u.test(part) && CURRENCY.test(last.slice(-6)))) ||
        (/(?<!\p{L})\p{L}\.$/u.test(last.slice(-3)) && /^(?:\p{Nd}|\p{L}\.(?!\p{L}))/u.test(part)) ||
        (/(?<!\d)\d{1,2}\.$/u.test(last.slice(-4)) && (startsWithMonth(part, table) || MONTH_NUMBER.test(part))) ||
        (last.endsWith('.') && /^\p{Ll}/u.test(part) && !isOwnSentence(last, part, table)));
    if (goesOn) sentences[sentences.length - 1] = `${last} ${part}`;
    else if (part.trim() !== '') sentences.push(part.trim());
  }
  return sentences;
}

/** Splits a text without full stops before the words that begin an instruction. */
function splitAtSpaces(
  text: string,
  { language, isEndedBySpace, directive, directiveStart, never }: LanguageTable,
): readonly string[] {
  if (isEndedBySpace !== true) return [text];
  const starts = (word: string): boolean =>
    directiveStart.test(word) ||
    isRemark(word, language) ||
    [directive, never].some((pattern) => pattern.exec(word)?.index === 0);
  const sentences: string[] = [];
  for (const word of text.split(/\s+/u)) {
    const last = sentences.at(-1);
    if (last === undefined || starts(word)) sentences.push(word);
    else sentences[sentences.length - 1] = `${last} ${word}`;
  }
  return sentences;
}

/** Whether what begins in lower case is a sentence all the same: behind a whole word, or where it tells the maker something. */
function isOwnSentence(before: string, part: string, table: LanguageTable | undefined): boolean {
  const isInstruction = table !== undefined && (table.directiveStart.test(part) || table.never.exec(part)?.index === 0);
  return isInstruction || /[!?]{2}$|(?:\p{L}{5}|\p{Nd}\s\p{L}{3,9})\.$/u.test(before.slice(-12));
}

function startsWithMonth(part: string, table: LanguageTable | undefined): boolean {
  return table !== undefined && table.months.exec(part)?.index === 0;
}
