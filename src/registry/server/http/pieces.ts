import { jsonPieces, type Piecemeal } from '../../../platform/kernel/json/pieces.js';
import type { Reply } from './route.js';

/** Characters, about, of an answer that is sent whole and with its length. */
const MAX_WHOLE_CHARACTERS = 256 * 1024;

/**
 * Answers a JSON object that is written piece by piece: whole when it turns out to be small, else as a stream. Throws what the object
 * throws before the stream begins.
 */
export async function replyInPieces(value: Piecemeal, headers: Reply['headers'] = {}): Promise<Reply> {
  const pieces = jsonPieces(value);
  const first: string[] = [];
  for (let length = 0; length <= MAX_WHOLE_CHARACTERS; ) {
    const step = await pieces.next();
    if (step.done === true) return { text: first.join(''), type: 'application/json', headers };
    first.push(step.value);
    length += step.value.length;
  }
  return { stream: concatPieces(first, pieces), type: 'application/json', headers };
}

async function* concatPieces(first: readonly string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield* first;
  yield* rest;
}
