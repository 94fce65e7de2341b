import type { Brief, SearchTerm } from '../brief.js';
import type { Money } from '../budget.js';
import { isWord } from '../lexicon/lexicon.js';
import type { Posting, SearchIndex } from '../term-index.js';

/** From this strength on, a word says what a thing is; it can be asked for, and refused. */
export const NAMING_WEIGHT = 0.9;

/** A price of a thing, as a brief may limit it: its model, ISO 4217 currency in lower case, and the least it can cost per unit of the model. */
export type OfferedPrice = { readonly model: string; readonly currency: string; readonly least: number };

/** A remark on a match, and the factor by which it makes the match better or worse. */
export type Remark = { readonly factor: number; readonly text: string };

/** How the things of a list are judged beside their words, and how an answer describes them. */
export type Description<Item> = {
  /** The words where no term of the brief matched. */
  readonly general: string;
  /** The words before the countries that a brief names and a thing is not offered in. */
  readonly elsewhere: string;
  /** Whether a channel, country or place that a brief names keeps out what is elsewhere; otherwise it only comes later. */
  readonly isBound: boolean;
  /** The countries that a thing is offered in, ISO 3166-1 alpha-2; empty for everywhere. */
  readonly countries: (item: Item) => readonly string[];
  readonly prices?: (item: Item) => readonly OfferedPrice[];
  /** How much of it there is, to order what nothing else orders. */
  readonly supply?: (item: Item) => number;
  /** The remark on the brief's budget; undefined where there is none to make. */
  readonly budget?: (item: Item, budget: Money) => Remark | undefined;
  /** The countries and the price of a thing, in parts; `models` are the pricing models that the brief asks for. */
  readonly terms: (item: Item, models: readonly string[]) => readonly string[];
};

/** A search: the list's index, how its things are judged, and what is left of the list after filters. */
export type Search<Item> = {
  readonly index: SearchIndex<Item>;
  readonly description: Description<Item>;
  readonly among: readonly Item[];
  /** Words about the buyer's brand, which move the order and choose nothing. */
  readonly brand?: string | undefined;
};

/** The things that have each term, as the index holds them. */
export type Postings = ReadonlyMap<string, readonly Posting[]>;

/** Whether a search term names a channel. */
export function namesChannel({ pointers }: SearchTerm): boolean {
  const facet = pointers.find(([term]) => !isWord(term));
  return facet?.[0].startsWith('channel:') === true && facet[1] >= NAMING_WEIGHT;
}

/** One thing of an answer and, in a sentence, why it is there. */
export type Ranked<Item> = { readonly item: Item; readonly relevance: string };

/** A demand of a brief that a thing did not meet, in the brief's words. */
export type Failure = { readonly what: string; readonly count: number };

/**
 * The result of a search by brief. `failed` says which demands kept things out, the hardest first; `nearest` is what
 * meets most of a brief that found nothing.
 */
export type Ranking<Item> = {
  readonly brief: Brief;
  readonly matches: readonly Ranked<Item>[];
  readonly understood: readonly string[];
  readonly failed: readonly Failure[];
  readonly nearest: readonly Item[];
  /** Whether no word of the brief was known, so that what was found is sold to everybody and no more. */
  readonly isGuess: boolean;
};
