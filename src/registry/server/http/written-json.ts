import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { isoTime } from '../../../platform/kernel/clock.js';

/** A JSON answer that is written once and given often. */
export type WrittenJson = { readonly text: string; readonly etag: string };

/** An answer, and what returns it again while what it rests on has not changed. */
export type WrittenAnswer = { readonly written: WrittenJson; readonly again?: () => WrittenJson | undefined };

/** Returns a JSON value as the answer of a public read. */
export function writeJson(value: object): WrittenJson {
  const text = JSON.stringify(value);
  return { text, etag: etagOf(text) };
}

/** The members of a JSON answer around the one that says when it was looked at. */
type DatedMembers = { readonly before: object; readonly instant: string; readonly after: object };

/** A JSON answer that is written once and given often, each time with the instant; its ETag is of all but that. */
export class DatedJson {
  readonly #before: string;
  readonly #after: string;
  readonly #etag: string;

  /** Takes members before and after the instant, at least one each. */
  constructor({ after, before, instant }: DatedMembers) {
    this.#before = `${JSON.stringify(before).slice(0, -1)},"${instant}":"`;
    this.#after = `",${JSON.stringify(after).slice(1)}`;
    this.#etag = etagOf(this.#before + this.#after);
  }

  /** Returns the answer at an instant (ms). */
  at(ms: number): WrittenJson {
    return { text: this.#before + isoTime(ms) + this.#after, etag: this.#etag };
  }
}

/** Returns the ETag of a text: weak, the same for both encodings (RFC 9110, 8.8.3). */
export function etagOf(text: string): string {
  return `W/"${sha256Hex(text).slice(0, 32)}"`;
}
