import { SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Brand, Offering } from '../brand.js';
import type { CopyLanguage, Topic } from './language/table.js';

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
  readonly language: CopyLanguage;
  /** Terms that have to be in the ad by law, as the brief has them, such as "18+"; never shortened. */
  readonly legal?: string;
  /** Subjects that the brief forbids as a whole: no other text of the ad speaks of them either. */
  readonly leftOut?: readonly Topic[];
  /** What the buyer may want to know of how the brief was followed. */
  readonly remarks?: readonly string[];
};

/** The maxChars characters of each text. */
type CopyLimits = { readonly headline: number; readonly body: number; readonly callToAction: number };

/** Lengths that suit a banner, where a format sets none. */
export const BANNER_LIMITS: CopyLimits = { headline: 60, body: 110, callToAction: 22 };
/** Lengths that suit a banner in writings whose signs are as wide as two letters. */
const WIDE_LIMITS: CopyLimits = { headline: 34, body: 64, callToAction: 12 };
const WIDE: ReadonlySet<CopyLanguage> = new Set(['ja', 'zh', 'ko']);

/** Characters that a voice speaks in a second without haste. */
const SPOKEN_CHARS_PER_SECOND = { wide: 6, other: 14 } as const;

/** Returns the lengths that the words of an order may have in a language: those that suit a banner unless it sets its own, and of a spot as much body as it has time for. */
export function limitsOf({ limits, spokenMs }: CopyOrder, language: CopyLanguage): CopyLimits {
  const isWide = WIDE.has(language);
  const usual = limits ?? (isWide ? WIDE_LIMITS : BANNER_LIMITS);
  if (spokenMs === undefined) return usual;
  const spoken = (spokenMs / SECOND_MS) * SPOKEN_CHARS_PER_SECOND[isWide ? 'wide' : 'other'];
  return { ...usual, body: Math.max(usual.body, Math.floor(spoken - usual.headline - usual.callToAction)) };
}

/** The order to a copywriter. `given` are texts that exist already and are kept, shortened where they must be. */
export type CopyOrder = {
  readonly message?: string;
  readonly brand: Pick<Brand, 'name' | 'tagline' | 'tone' | 'industry' | 'offerings'>;
  readonly given?: { readonly headline?: string; readonly body?: string; readonly callToAction?: string };
  readonly limits?: CopyLimits;
  /** The language of the ad as a BCP 47 tag; that of the message unless set. */
  readonly language?: string;
  /** The time (ms) in which the words are spoken; they are read unless set. */
  readonly spokenMs?: number | undefined;
};

/** A writer of the words of ads. */
export type CopyWriter = { readonly write: (order: CopyOrder) => Promise<Copy> };

/** Words that were written, and that their brief does not allow. Its message says why, for the buyer. */
export class RejectedCopy extends Error {
  override readonly name = 'RejectedCopy';
}

/**
 * Returns a writer that hands over to a second one when it fails, whatever the failure; `onFailure` gets the cause, for the log. The words
 * have a remark about it.
 */
export function withFallback(first: CopyWriter, second: CopyWriter, onFailure?: (cause: unknown) => void): CopyWriter {
  return {
    write: async (order) => {
      try {
        return await first.write(order);
      } catch (cause) {
        onFailure?.(cause);
        const copy = await second.write(order);
        const remark = cause instanceof RejectedCopy ? `${REJECTED} ${cause.message}` : FAILED;
        return { ...copy, remarks: [...(copy.remarks ?? []), remark] };
      }
    },
  };
}

const FAILED = 'The text model gave no words that could be used; the built-in writer wrote them.';
const REJECTED = 'The words of the text model were not used; the built-in writer wrote them.';

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

/** Returns the offering that the message names; else the first. */
export function chooseOffering(message: string, offerings: readonly Offering[]): Offering | undefined {
  const lower = message.toLowerCase();
  return offerings.find(({ name }) => lower.includes(name.toLowerCase())) ?? offerings[0];
}
