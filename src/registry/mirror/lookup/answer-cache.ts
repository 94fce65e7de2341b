import { Cache, Doorkeeper } from '../../../platform/kernel/cache.js';
import type { AuthorizedAgent } from '../../adagents/types.js';
import type { Answer } from './answer.js';
import type { OperatorDocument } from './operators.js';
import type { IndexQuestion } from './question.js';

const MAX_ANSWERS = 20_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Questions that are told from those that come for the first time. */
const MAX_ASKED = 32_768;
/** What an answer takes beside its texts, roughly. */
const BYTES_PER_ANSWER = 400;
const BYTES_PER_IDENTIFIER = 100;

/** An answer with what it rests on: the time, the document of the agent's operator where that is at hand, and the records of then. */
export type HeldAnswer = {
  readonly answer: Answer;
  readonly span: Span;
  readonly document: OperatorDocument | undefined;
  readonly edition: number;
};

/** The time around an instant in which no entry that was looked at begins or ends. */
export class Span {
  readonly #at: number;
  #fromMs = Number.NEGATIVE_INFINITY;
  #untilMs = Number.POSITIVE_INFINITY;

  constructor(at: number) {
    this.#at = at;
  }

  /** Ends the span where an entry begins or ends. */
  narrow({ effectiveFrom, effectiveUntil }: Pick<AuthorizedAgent, 'effectiveFrom' | 'effectiveUntil'>): void {
    for (const instant of [effectiveFrom, effectiveUntil]) {
      if (instant === undefined) continue;
      if (instant <= this.#at) this.#fromMs = Math.max(this.#fromMs, instant);
      else this.#untilMs = Math.min(this.#untilMs, instant);
    }
  }

  /** Whether an instant (ms) is in the span. */
  includes(at: number): boolean {
    return this.#fromMs <= at && at < this.#untilMs;
  }
}

/**
 * Answers to questions that were asked twice lately, each for as long as no entry begins or ends and the operator's document stays; all go
 * when a record of a publisher changes, as any may rest on it.
 */
export class AnswerCache {
  readonly #answers = new Cache<string, HeldAnswer>({
    maxEntries: MAX_ANSWERS,
    maxBytes: MAX_BYTES,
    sizeOf: ({ answer }, key) =>
      BYTES_PER_ANSWER + 2 * key.length + BYTES_PER_IDENTIFIER * (answer.property?.identifiers.length ?? 0),
  });

  readonly #doorkeeper = new Doorkeeper(MAX_ASKED);

  /** Counts the changes of records: an answer of another edition holds no longer. */
  #edition = 0;

  /** The edition of the records as they are. */
  get edition(): number {
    return this.#edition;
  }

  /** Returns the answer to the question of a key, where it was given before and still holds beside the document that is current, at an instant (ms). */
  find(key: string, document: OperatorDocument, at: number): HeldAnswer | undefined {
    const held = this.#answers.get(key);
    return held !== undefined && this.holds(held, document, at) ? held : undefined;
  }

  /** Whether an answer still holds beside the document that is current, at an instant (ms). */
  holds(held: HeldAnswer, document: OperatorDocument, at: number): boolean {
    return held.edition === this.#edition && held.document === document && held.span.includes(at);
  }

  /** Caches the answer to the question of a key that came before. */
  add(key: string, held: HeldAnswer): void {
    if (this.#doorkeeper.admits(key)) this.#answers.set(key, held);
  }

  /** Forgets all answers. */
  clear(): void {
    this.#edition += 1;
    this.#answers.clear();
  }
}

/** Returns the key of a question: all of it but its instant. */
export function keyOfQuestion(question: IndexQuestion): string {
  const { agent, collection, country, domain, openLimits, placement, property, publisher_domain, strict } = question;
  return JSON.stringify([
    agent,
    property,
    domain,
    publisher_domain,
    country,
    strict,
    openLimits,
    collection,
    placement,
  ]);
}
