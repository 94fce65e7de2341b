import type { ArrivedWebhook, Evidence, Gathered } from '../evidence.js';
import type { SandboxAccount } from '../sandbox-account.js';
import type { Wire, WireOptions } from './wire.js';

/** An address that the agent can reach; each registration has a name of its own there. */
export type WebhookAddress = {
  readonly urlFor: (name: string) => string;
  /** Returns what has come for a registration so far. */
  readonly arrived: (name: string) => readonly ArrivedWebhook[];
  /** Returns the same once something has come, or after a while without. */
  readonly awaitArrival: (name: string) => Promise<readonly ArrivedWebhook[]>;
};

/** The means of an assessment. */
export type Gathering = {
  readonly options: WireOptions;
  /** The line that the key opens, or that of a stranger where there is none. */
  readonly wire: Wire;
  /** Opens another line. */
  readonly open: (changes: Partial<Pick<WireOptions, 'credentials' | 'revision' | 'url'>>) => Wire;
  readonly sandbox: SandboxAccount | undefined;
  readonly webhooks: WebhookAddress | undefined;
  /** A new UUID. */
  readonly uuid: () => string;
};

/** One stage: asks the agent for something, by what is known of it. */
export type Stage = (gathering: Gathering, evidence: Evidence) => Promise<Partial<Gathered>>;
