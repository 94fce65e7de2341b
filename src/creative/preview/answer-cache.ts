import { Cache } from '../../platform/kernel/cache.js';
import { digest } from '../../platform/kernel/canonical.js';
import { Written } from '../../platform/kernel/json/json.js';

/** An answer, and until when (ms) the same question is answered with it. */
export type PreviewAnswer = { readonly answer: Written; readonly untilMs: number };

const MAX_BYTES = 16 * 1024 ** 2;
const MAX_ENTRIES = 10_000;

/** Bytes, not texts: what is cached for hours would otherwise be copied about by the garbage collection. */
type CachedAnswer = { readonly text: Buffer; readonly untilMs: number };

/** The answers to preview questions about one format catalog, each of which names its owner; whoever loads another catalog makes another cache. */
export class PreviewAnswerCache {
  /** By the digest of their question, which holds the whole manifest and would be as long as its answer. */
  readonly #answers: Cache<string, CachedAnswer>;
  readonly #maxAnswerBytes: number;

  /** Holds at most so many bytes. An answer that fills half of them is not cached. */
  constructor(maxBytes = MAX_BYTES) {
    this.#answers = new Cache({ maxEntries: MAX_ENTRIES, maxBytes, sizeOf: sizeOfAnswer });
    this.#maxAnswerBytes = maxBytes / 2;
  }

  /** Returns the cached answer to a question, else that of `answer`, which is then cached. Rejects as `answer` does, and caches no failure. */
  async getOrAnswer(question: string, nowMs: number, answer: () => Promise<PreviewAnswer>): Promise<Written> {
    const key = digest(question);
    const cached = this.#answers.get(key);
    if (cached !== undefined && nowMs < cached.untilMs) return new Written(cached.text.toString());
    this.#answers.delete(key);
    const { answer: written, untilMs } = await answer();
    const entry = { text: Buffer.from(written.plain), untilMs };
    if (nowMs < untilMs && sizeOfAnswer(entry, key) <= this.#maxAnswerBytes) this.#answers.set(key, entry);
    return written;
  }
}

function sizeOfAnswer({ text }: CachedAnswer, key: string): number {
  return key.length + text.length;
}
