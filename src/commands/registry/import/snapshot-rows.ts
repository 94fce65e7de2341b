import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { isObject } from '../../../platform/kernel/json/json.js';
import { OperatorError } from '../../operator.js';

/** A row of a snapshot: the list that it stands in, where it stands in one, and its text, cut where it is too long. */
type SnapshotRow = { readonly list: string | undefined; readonly text: string; readonly isTooLong: boolean };

/** Longest row that is read, in characters. */
const MAX_ROW_CHARACTERS = 512 * 1024;
/** The members of an answer of a registry, or of an export, that are lists of rows. */
const LISTS: ReadonlySet<string> = new Set([
  'publishers',
  'properties',
  'collections',
  'agents',
  'results',
  'authorizations',
  'rows',
  'brands',
]);
/** How snapshots begin: with a member of an answer, of an export or of a row. */
const FIRST_MEMBERS: ReadonlySet<string> = new Set([
  ...LISTS,
  ...['registry', 'cursor', 'generated_at', 'next_cursor', 'next_offset', 'has_more', 'server_timestamp', 'total'],
  ...['count', 'stats', 'evidence', 'include', 'id', 'agent_url', 'agent_url_canonical', 'publisher_domain'],
  ...['property_rid', 'property_id', 'collection_rid'],
]);
const FIRST_MEMBER = /^[\s\uFEFF[]*\{\s*"([^"\\]{1,64})"\s*:/;
const GZIP = [0x1f, 0x8b] as const;

/** Whether a file that begins so is compressed. */
export function isGzip(beginning: Buffer): boolean {
  return beginning[0] === GZIP[0] && beginning[1] === GZIP[1];
}

/** Whether a text is the beginning of another registry's snapshot. */
export function isSnapshot(beginning: string): boolean {
  const first = FIRST_MEMBER.exec(beginning)?.[1];
  return first !== undefined && (FIRST_MEMBERS.has(first) || /^[\s\uFEFF]*\[/.test(beginning));
}

/** Reads the rows of a snapshot as the file is read. Throws OperatorError for one that ends in the midst of a row. */
export async function* readSnapshotRows(file: string, isCompressed: boolean): AsyncGenerator<SnapshotRow> {
  const raw = createReadStream(file);
  const bytes: AsyncIterable<Buffer> = isCompressed ? raw.pipe(createGunzip()) : raw;
  const splitter = new RowSplitter();
  const decoder = new TextDecoder();
  try {
    for await (const chunk of bytes) yield* splitter.split(decoder.decode(chunk, { stream: true }));
  } catch (error) {
    if (isObject(error) && typeof error.code === 'string' && error.code.startsWith('Z_')) throw cutOff(file);
    throw error;
  }
  if (splitter.isOpen) throw cutOff(file);
}

function cutOff(file: string): OperatorError {
  return new OperatorError(`${file} ends in the midst of a row. Get it once more, and import it again.`);
}

/** The surroundings of the next sign: an object is a row as long as it has no list of rows, and an answer from then on. */
type Around = 'nothing' | 'object' | 'answer' | 'list' | 'row';

/** Splits texts of JSON into rows: the items of a list, those of the lists of an answer, or objects one after the other. */
class RowSplitter {
  #around: Around = 'nothing';
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** The last text of an object, which is the name of a member where a value comes next. */
  #name = '';
  /** Where rows of a list begin, and its name in an answer. */
  #listDepth = 0;
  #list: string | undefined;
  #row = '';
  #isTooLong = false;

  get isOpen(): boolean {
    return this.#depth > 0;
  }

  *split(text: string): Generator<SnapshotRow> {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const sign = text.charCodeAt(at);
      if (this.#isText) this.#readText(sign);
      else if (sign === QUOTE) [this.#isText, this.#name] = [true, ''];
      else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
        if (this.#open(sign === OPEN_LIST)) from = at;
      } else if ((sign === CLOSE_LIST || sign === CLOSE_OBJECT) && this.#close()) {
        this.#collect(text.slice(from, at + 1));
        yield { list: this.#list, text: this.#row, isTooLong: this.#isTooLong };
        this.#begin(this.#depth === 0 ? 'nothing' : 'list');
      }
    }
    if (this.#around === 'object' || this.#around === 'row') this.#collect(text.slice(from));
  }

  #readText(sign: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (sign === BACKSLASH) this.#isEscaped = true;
    else if (sign === QUOTE) this.#isText = false;
    else if (this.#depth === 1 && this.#name.length < MAX_NAME_CHARACTERS) this.#name += String.fromCharCode(sign);
  }

  /** Goes into a list or an object; returns whether a row may begin there. */
  #open(isList: boolean): boolean {
    const { depth, name } = { depth: this.#depth, name: this.#name };
    this.#depth += 1;
    if (this.#around === 'nothing' && !isList) return this.#begin('object');
    if (this.#around === 'list' && depth === this.#listDepth && !isList) return this.#begin('row');
    const isAnswer = (this.#around === 'object' || this.#around === 'answer') && depth === 1 && LISTS.has(name);
    if (!isList || !(this.#around === 'nothing' || isAnswer)) return false;
    this.#begin('list');
    this.#list = this.#depth > 1 ? name : undefined;
    this.#listDepth = this.#depth;
    return false;
  }

  /** Leaves a list or an object; returns whether it was a row. */
  #close(): boolean {
    this.#depth -= 1;
    if (this.#around === 'row') return this.#depth === this.#listDepth;
    if (this.#around === 'object') return this.#depth === 0;
    if (this.#depth === 0) this.#begin('nothing');
    else if (this.#around === 'list' && this.#depth < this.#listDepth) this.#begin('answer');
    return false;
  }

  #begin(around: Around): true {
    if (around === 'nothing' || around === 'object') this.#list = undefined;
    [this.#around, this.#row, this.#isTooLong] = [around, '', false];
    return true;
  }

  #collect(text: string): void {
    this.#isTooLong ||= this.#row.length + text.length > MAX_ROW_CHARACTERS;
    if (!this.#isTooLong) this.#row += text;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MAX_NAME_CHARACTERS = 64;
