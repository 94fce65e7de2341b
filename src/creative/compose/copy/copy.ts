import type { Brand, Offering } from '../brand.js';
import { trimTail } from '../layout/text.js';

/** The words of one ad, in the language of the message. */
export type Copy = {
  readonly headline: string;
  readonly body?: string;
  readonly callToAction: string;
  /** A few words above the headline, such as "Summer sale". */
  readonly eyebrow?: string;
  /** The offer in its shortest form, such as "20% off"; often part of the headline. */
  readonly offer?: string;
  /** Terms that have to be in the ad, such as "18+". */
  readonly legal?: string;
  /** BCP 47. */
  readonly language: string;
};

/** The maxChars characters of each text. */
type CopyLimits = { readonly headline: number; readonly body: number; readonly callToAction: number };

/** Lengths that suit a banner, where a format sets none. */
export const BANNER_LIMITS: CopyLimits = { headline: 60, body: 110, callToAction: 22 };

/** The order to a copywriter. `given` are texts that exist already and are kept, shortened where they must be. */
export type CopyOrder = {
  readonly message?: string;
  readonly brand: Pick<Brand, 'name' | 'tagline' | 'tone' | 'industry' | 'offerings'>;
  readonly given?: { readonly headline?: string; readonly body?: string; readonly callToAction?: string };
  readonly limits?: CopyLimits;
};

/** A writer of the words of ads. */
export type CopyWriter = { readonly write: (order: CopyOrder) => Promise<Copy> };

/** Returns a writer that hands over to a second one when it fails, whatever the failure; `onFailure` gets the cause, for the log. */
export function withFallback(first: CopyWriter, second: CopyWriter, onFailure?: (cause: unknown) => void): CopyWriter {
  return {
    write: async (order) => {
      try {
        return await first.write(order);
      } catch (cause) {
        onFailure?.(cause);
        return second.write(order);
      }
    },
  };
}

/** Returns a writer that writes the words of an order once: all sizes of a campaign say the same, and a slow writer is asked one time. */
export function writeOnce(writer: CopyWriter): CopyWriter {
  const copies = new Map<string, Promise<Copy>>();
  return {
    write: (order) => {
      const key = JSON.stringify(order);
      const copy = copies.get(key) ?? writer.write(order);
      copies.set(key, copy);
      return copy;
    },
  };
}

/**
 * Returns at most `maxChars` characters of a text, cut between sentences or clauses where that keeps enough, else between
 * words, without words that dangle. Never inside a word: the answer is empty when the first word is too long already.
 */
export function shortenText(text: string, maxChars: number): string {
  const whole = text.replace(/\s+/gu, ' ').trim();
  if (whole.length <= maxChars) return whole;
  const sentences = whole.slice(0, maxChars + 1).match(/^.*[.!?…](?=\s)/su)?.[0];
  if (sentences !== undefined && sentences.length <= maxChars && sentences.length >= maxChars * 0.4) return sentences;
  const words: string[] = [];
  let length = 0;
  for (const word of whole.split(' ')) {
    if (length + word.length > maxChars) break;
    words.push(word);
    length += word.length + 1;
  }
  const shortened = words.length === 0 ? '' : trimTail(words).join(' ');
  const clauses = shortened.match(/^.*(?=[,;:–—]\s)/su)?.[0];
  return clauses !== undefined && clauses.length >= maxChars * 0.6 ? clauses : shortened;
}

/**
 * Returns the first of several texts that has something within the limit: whole if one fits whole, else the first that can be
 * shortened; '' for none.
 */
export function chooseFitting(texts: readonly (string | undefined)[], maxChars: number, minChars = 0): string {
  const given = texts.filter((text) => text !== undefined && text.trim() !== '').map((text) => text?.trim() ?? '');
  const whole = given.find((text) => text.length <= maxChars && text.length >= minChars);
  const shortened = given.map((text) => shortenText(text, maxChars)).filter((text) => text !== '');
  const first = shortened[0];
  if (first !== undefined && first.length >= minChars && first.length >= (given[0]?.length ?? 0) * 0.5) return first;
  return whole ?? shortened.find((text) => text.length >= minChars) ?? first ?? '';
}

/** Returns the offering that the message names; else the first. */
export function chooseOffering(message: string, offerings: readonly Offering[]): Offering | undefined {
  const lower = message.toLowerCase();
  return offerings.find(({ name }) => lower.includes(name.toLowerCase())) ?? offerings[0];
}
