import type { JsonBounds } from '../../kernel/json/bounds.js';
import { isEventStream, type ResponseReading, readResponse } from './answers.js';

const NOTHING = Buffer.alloc(0);
/** The longest end of an event, less a byte: it may come in two parts. */
const MAX_SPLIT_BYTES = 3;
const EVENT_END = /\r?\n\r?\n/g;
const RESPONSE_MEMBER = /"(?:result|error)"\s*:/;

/** Watches a stream of events for the response to one request: a server need not end the stream after it. */
export class ResponseWatch {
  readonly #id: number;
  readonly #bounds: JsonBounds | undefined;
  #pending: Buffer[] = [];
  #tail = NOTHING;
  #reading: ResponseReading | undefined;

  constructor(id: number, bounds: JsonBounds | undefined) {
    this.#id = id;
    this.#bounds = bounds;
  }

  /** Returns the response once it came; undefined for an answer that is no stream, or ended without one. */
  get reading(): ResponseReading | undefined {
    return this.#reading;
  }

  /** Takes the next part of the answer; true once the response is whole. */
  async take(part: Buffer, headers: Readonly<Record<string, string>>): Promise<boolean> {
    if (!isEventStream(headers)) return false;
    const seam = Buffer.concat([this.#tail, part]);
    const end = findLastEnd(seam);
    this.#pending.push(part);
    this.#tail = seam.subarray(-MAX_SPLIT_BYTES);
    if (end === undefined) return false;
    const bytes = Buffer.concat(this.#pending);
    const whole = bytes.length - (seam.length - end);
    const events = bytes.subarray(0, whole);
    this.#pending = [bytes.subarray(whole)];
    if (!RESPONSE_MEMBER.test(events.toString('latin1'))) return false;
    const reading = await readResponse({ bytes: events, headers }, this.#id, this.#bounds);
    if (reading.response === undefined && reading.exceeded === undefined) return false;
    this.#reading = reading;
    return true;
  }
}

/** Returns where the last event that is whole ends. */
function findLastEnd(bytes: Buffer): number | undefined {
  let end: number | undefined;
  for (const { 0: found, index } of bytes.toString('latin1').matchAll(EVENT_END)) end = index + found.length;
  return end;
}
