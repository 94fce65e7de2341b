import type { Written } from '../../../platform/kernel/json/json.js';
import type { Plan } from '../proposal/proposal.js';

/** A search of the catalog: the written answer, and the plans over what was found, new ones and those that stand. */
export type CatalogSearch = {
  readonly answer: Written;
  readonly made: readonly Plan[];
  readonly offered: readonly Plan[];
};

/** Returns about how many bytes a search takes in memory. */
export function searchBytes({ answer, made, offered }: CatalogSearch): number {
  const plans = made.length + offered.length === 0 ? 0 : JSON.stringify([made, offered]).length;
  return answerBytes(answer) + 2 * plans;
}

/**
 * Returns at most how many bytes a written answer takes in memory: its text, and once more as a quoted one, two bytes a
 * letter.
 */
export function answerBytes({ plain }: Written): number {
  return 4 * plain.length;
}
