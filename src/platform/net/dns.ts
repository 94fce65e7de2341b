import { Resolver } from 'node:dns/promises';
import { SECOND_MS } from '../kernel/clock.js';

/** The TXT records of a name, each as one text. Empty where there are none, or no answer comes. */
export type TxtLookup = (name: string) => Promise<readonly string[]>;

const TIMEOUT_MS = 5 * SECOND_MS;

/**
 * Returns TXT records as the system's name servers answer them; the chunks of a record are joined, as RFC 7208 3.3 has
 * it.
 */
export const systemTxt: TxtLookup = async (name) => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  try {
    return (await resolver.resolveTxt(name)).map((chunks) => chunks.join(''));
  } catch {
    return [];
  }
};
