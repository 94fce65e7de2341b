import type { Fault } from '../proxy.js';
import type { ContractSession } from '../session.js';

/** Something that the contract of an adapter asks for. */
export type Scenario = {
  /** A sentence that goes on after "The adapter …". */
  readonly name: string;
  /** Throws ContractBrokenError where it does not hold; returns why it cannot be tried, where it cannot. */
  readonly run: (session: ContractSession) => Promise<string | undefined>;
};

/** A fault of a request, and its description for people. */
export type NamedFault = readonly [what: string, fault: Fault];

/** Returns a scenario that can always be tried. */
export function scenario(name: string, run: (session: ContractSession) => Promise<void>): Scenario {
  return {
    name,
    run: async (session) => {
      await run(session);
      return undefined;
    },
  };
}
