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
  /** BCP 47. */
  readonly language: string;
};

/** Most characters of each text. */
export type CopyLimits = { readonly headline: number; readonly body: number; readonly callToAction: number };

/** Lengths that suit a banner, where a format sets none. */
export const BANNER_LIMITS: CopyLimits = { headline: 60, body: 110, callToAction: 22 };

/** What a copywriter is given. `given` are texts that exist already and are kept, shortened where they must be. */
export type CopyOrder = {
  readonly message?: string;
  readonly brand: Pick<Brand, 'name' | 'tagline' | 'tone' | 'industry' | 'offerings'>;
  readonly given?: { readonly headline?: string; readonly body?: string; readonly callToAction?: string };
  readonly limits?: CopyLimits;
};

/** Whoever writes the words of an ad. */
export type CopyWriter = { readonly write: (order: CopyOrder) => Promise<Copy> };

/** A writer that hands over to a second one when it fails, whatever the failure; `onFailure` is told (for the log). */
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

/** A writer that writes the words of an order once: all sizes of a campaign say the same, and a slow writer is asked one time. */
export function writeOnce(writer: CopyWriter): CopyWriter {
  const known = new Map<string, Promise<Copy>>();
  return {
    write: (order) => {
      const key = JSON.stringify(order);
      const copy = known.get(key) ?? writer.write(order);
      known.set(key, copy);
      return copy;
    },
  };
}

/**
 * At most `most` characters of a text, cut between sentences or clauses where that keeps enough, else between words, without words that dangle.
 * Never inside a word: the answer is empty when the first word is too long already.
 */
export function shortenText(text: string, most: number): string {
  const whole = text.replace(/\s+/gu, ' ').trim();
  if (whole.length <= most) return whole;
  const sentences = whole.slice(0, most + 1).match(/^.*[.!?…](?=\s)/su)?.[0];
  if (sentences !== undefined && sentences.length <= most && sentences.length >= most * 0.4) return sentences;
  const words: string[] = [];
  let length = 0;
  for (const word of whole.split(' ')) {
    if (length + word.length > most) break;
    words.push(word);
    length += word.length + 1;
  }
  const kept = words.length === 0 ? '' : trimTail(words).join(' ');
  const clauses = kept.match(/^.*(?=[,;:–—]\s)/su)?.[0];
  return clauses !== undefined && clauses.length >= most * 0.6 ? clauses : kept;
}

/** The first of several texts that has something within the limit: whole if one fits whole, else the first that can be shortened; '' for none. */
export function chooseFitting(texts: readonly (string | undefined)[], most: number, least = 0): string {
  const known = texts.filter((text) => text !== undefined && text.trim() !== '').map((text) => text?.trim() ?? '');
  const whole = known.find((text) => text.length <= most && text.length >= least);
  const shortened = known.map((text) => shortenText(text, most)).filter((text) => text !== '');
  const first = shortened[0];
  if (first !== undefined && first.length >= least && first.length >= (known[0]?.length ?? 0) * 0.5) return first;
  return whole ?? shortened.find((text) => text.length >= least) ?? first ?? '';
}

/** The offering that the message names; else the first. */
export function chooseOffering(message: string, offerings: readonly Offering[]): Offering | undefined {
  const said = message.toLowerCase();
  return offerings.find(({ name }) => said.includes(name.toLowerCase())) ?? offerings[0];
}
