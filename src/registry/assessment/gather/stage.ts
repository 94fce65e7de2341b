import type { ArrivedWebhook, Evidence, Gathered } from '../evidence.js';
import type { SandboxAccount } from '../sandbox-account.js';
import type { Wire, WireOptions } from './wire.js';

/** An address that the agent can reach, and what has come to it so far. */
export type WebhookAddress = { readonly url: string; readonly arrived: () => readonly ArrivedWebhook[] };

/** The means of an assessment. */
export type Gathering = {
  readonly options: WireOptions;
  /** The line that the key opens, or that of a stranger where there is none. */
  readonly wire: Wire;
  /** Opens another line. */
  readonly open: (changes: Pick<WireOptions, 'credentials' | 'revision'>) => Wire;
  readonly sandbox: SandboxAccount | undefined;
  readonly webhooks: WebhookAddress | undefined;
  /** A new UUID. */
  readonly uuid: () => string;
};

/** One stage: asks the agent for something, by what is known of it. */
export type Stage = (gathering: Gathering, evidence: Evidence) => Promise<Partial<Gathered>>;
