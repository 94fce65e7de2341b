import type { Action, CopyLanguage } from '../language/table.js';
import type { Clause } from './clauses.js';
import type { Forbidden } from './forbidden.js';

/** Something that a brief says for the ad. */
export type Statement = {
  readonly text: string;
  readonly clauses: readonly Clause[];
  /** Whether the brief wants it in the ad by all means. */
  readonly isMust: boolean;
};

/** A brief as it is understood before an ad is written: what is advertised, what may be said of it, and what may not. */
export type BriefUnderstanding = {
  /** The language that the brief is written in. */
  readonly readIn: CopyLanguage;
  /** The language that it is in, as a BCP 47 tag, where that is none that briefs are read in: its words were taken as they stand. */
  readonly unread: string | undefined;
  /** The language that the ad is to be in. */
  readonly language: CopyLanguage;
  readonly product: string | undefined;
  readonly isNew: boolean;
  /** A sale or season with a name. */
  readonly event: string | undefined;
  /** The clause with the offer, and the offer itself in its shortest form. */
  readonly offer: Clause | undefined;
  readonly deadline: string | undefined;
  readonly code: string | undefined;
  readonly audience: readonly string[];
  readonly tone: readonly string[];
  readonly forbidden: Forbidden;
  readonly headline: string | undefined;
  readonly body: string | undefined;
  readonly callToAction: string | undefined;
  /** What the ad asks for, where the brief tells. */
  readonly action: Action | undefined;
  /** The lines that have to be in the ad by law, as they stand. */
  readonly legal: string | undefined;
  /** A line of the brief that is an advertising line already. */
  readonly slogan: string | undefined;
  readonly statements: readonly Statement[];
};
