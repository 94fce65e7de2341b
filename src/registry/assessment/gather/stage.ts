import type { ArrivedWebhook, Evidence, Gathered } from '../evidence.js';
import type { SandboxAccount } from '../sandbox-account.js';
import type { Wire, WireOptions } from './wire.js';

/** An address that the agent can reach; each registration has a name of its own there. */
export type WebhookAddress = {
  readonly urlFor: (name: string) => string;
  /** Answers 503 to the first event of a registration, as a server does that is restarted: it has to come again. */
  readonly refuseOnce: (name: string) => void;
  /** Returns what has come for a registration so far. */
  readonly arrived: (name: string) => readonly ArrivedWebhook[];
  /** Returns the same once so many have come, one unless given, or after a while. */
  readonly awaitArrival: (name: string, count?: number) => Promise<readonly ArrivedWebhook[]>;
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
