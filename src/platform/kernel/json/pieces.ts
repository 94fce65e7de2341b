import { type Pace, startPace } from '../event-loop.js';

/**
 * A JSON object that is written member by member, so that nobody ever holds all of it. A member may be a list read page by page, another
 * such object, or a function, asked once everything before it is written; undefined members are left out.
 */
export class Piecemeal {
  readonly members: Readonly<Record<string, unknown>>;

  constructor(members: Readonly<Record<string, unknown>>) {
    this.members = members;
  }
}

/** Characters of a piece, about. */
const PIECE_CHARACTERS = 32 * 1024;
/** Most items of a list that is written at once. */
const MAX_WHOLE_ITEMS = 20;

type Pages = AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>;

/** Returns the text of an object piece by piece, giving way to the event loop in between. Throws what its lists and functions throw. */
export async function* jsonPieces({ members }: Piecemeal): AsyncGenerator<string> {
  let text = '';
  for await (const part of objectParts(members, startPace())) {
    text += part;
    if (text.length < PIECE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

async function* objectParts(members: Piecemeal['members'], pace: Pace): AsyncGenerator<string> {
  let text = '{';
  let mark = '';
  for (const [name, member] of Object.entries(members)) {
    const value: unknown = typeof member === 'function' ? await member() : member;
    const head = `${mark}${JSON.stringify(name)}:`;
    const parts = writeInParts(value, pace);
    if (parts !== undefined) {
      yield text + head;
      text = '';
      yield* parts;
    } else {
      const plain = JSON.stringify(value);
      if (plain === undefined) continue;
      text += head + plain;
    }
    mark = ',';
    if (pace.isDue()) await pace.rest();
  }
  yield `${text}}`;
}

/** Returns the parts of a value that is written in parts; undefined for one that is written at once. */
function writeInParts(value: unknown, pace: Pace): AsyncGenerator<string> | undefined {
  if (value instanceof Piecemeal) return objectParts(value.members, pace);
  if (Array.isArray(value)) return value.length > MAX_WHOLE_ITEMS ? listParts([value], pace) : undefined;
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return undefined;
  // Nothing else that JSON knows can be iterated asynchronously.
  return listParts(value as AsyncIterable<readonly unknown[]>, pace);
}

async function* listParts(pages: Pages, pace: Pace): AsyncGenerator<string> {
  let text = '[';
  let mark = '';
  for await (const page of pages) {
    for (const item of page) {
      text += `${mark}${JSON.stringify(item) ?? 'null'}`;
      mark = ',';
      if (text.length >= PIECE_CHARACTERS) {
        yield text;
        text = '';
      }
      if (pace.isDue()) await pace.rest();
    }
  }
  yield `${text}]`;
}
