import type { Evidence, Gathered } from '../evidence.js';
import type { SandboxAccount } from '../sandbox-account.js';
import type { Wire, WireOptions } from './wire.js';

/** The means of an assessment. */
export type Gathering = {
  readonly options: WireOptions;
  /** The line that the key opens, or that of a stranger where there is none. */
  readonly wire: Wire;
  /** Opens another line. */
  readonly open: (changes: Pick<WireOptions, 'credentials' | 'revision'>) => Wire;
  readonly sandbox: SandboxAccount | undefined;
  /** A new UUID. */
  readonly uuid: () => string;
};

/** One stage: asks the agent for something, by what is known of it. */
export type Stage = (gathering: Gathering, evidence: Evidence) => Promise<Partial<Gathered>>;
