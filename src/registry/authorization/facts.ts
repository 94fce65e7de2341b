import type { AuthorizedAgent, Placement, Property } from '../adagents/types.js';
import type { Operator } from './operator.js';
import type { Asked } from './question.js';
import type { AuthorizationReason } from './reasons.js';

/** A property that is asked for, and whether its id stands for it alone. */
export type Listed = {
  readonly property: Property;
  /** Among the publisher's properties, as selectors count them. */
  readonly hasOwnId: boolean;
  /** In the whole file, as property_ids count them. */
  readonly hasOwnIdInFile: boolean;
};

/** A publisher's file as far as it bears on one question, wherever it was read. */
export type PublisherFacts = {
  readonly publisherDomain: string;
  /** Where the file was read, as a sentence. */
  readonly origin: string;
  /** Why the file authorizes nobody at all, and in which words. */
  readonly closed?: { readonly reason: AuthorizationReason; readonly says: string };
  /** More is granted exclusively than can be looked through. */
  readonly isUnclear: boolean;
  /** Entries that name the agent. */
  readonly entries: readonly AuthorizedAgent[];
  /** An entry that names almost the same URL, where none names the agent. */
  readonly nearest?: Pick<AuthorizedAgent, 'url' | 'pointer'>;
  /** The properties asked for that the file lists at its top. */
  readonly listed: readonly Listed[];
  /** A property asked for that the file lists as another publisher's. */
  readonly elsewhere?: Pick<Property, 'publisher_domain' | 'pointer'>;
  /** Entries that grant exclusively, of whomever. */
  readonly exclusive: readonly AuthorizedAgent[];
  /** By id, as far as an entry is limited by them; one whose id stands for several is left out. */
  readonly placements: ReadonlyMap<string, Placement>;
  /** The document of whoever operates the agent, where it is known. */
  readonly operator?: Operator;
};

/** Why there is no publisher's file to judge by. */
export type NoFacts = {
  readonly missing: Extract<AuthorizationReason, 'no_publisher_file' | 'property_unknown' | 'property_ambiguous'>;
  readonly says: string;
  readonly operator?: Operator;
};

/** The facts that an authorization is judged by. */
export type Facts = PublisherFacts | NoFacts;

/** Stands between facts where so much was read that whoever must not hold the event loop yields to it. */
export const PAUSE = Symbol('pause');

/** Brings the facts that a question needs: of each publisher that may answer it, and at least one. */
export type FactSource = { readonly factsFor: (asked: Asked) => Iterable<Facts | typeof PAUSE> };
