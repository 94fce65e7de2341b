import type { Objection } from '../../port/answers.js';

/** A demand of an order that Ad Manager has no terms for. `objection` is for the buyer. */
export class TermsError extends Error {
  override readonly name = 'TermsError';
  readonly objection: Objection;

  constructor(message: string, objection: Omit<Objection, 'message'> = {}) {
    super(message);
    this.objection = { message, ...objection };
  }
}
