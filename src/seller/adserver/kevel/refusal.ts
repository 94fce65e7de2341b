import type { Objection } from '../port/answers.js';

/** Why Kevel cannot carry out a package as it is; found before it is asked. */
export class MappingRefusal extends Error {
  override readonly name = 'MappingRefusal';
  readonly objection: Objection;

  constructor(objection: Objection) {
    super(objection.message);
    this.objection = objection;
  }
}

/** A product of the tenant file that does not say what Kevel has to know: the buyer cannot mend that. */
export class MappingMissing extends Error {
  override readonly name = 'MappingMissing';
}
