import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import type { Creative } from '../../domain/creative/creative.js';
import type { Decision, Stake, TimeoutAction } from '../../domain/task/approval.js';

/** A kind of thing that waits for a person of the seller. */
export type WaitingKind = 'creative' | 'task';

/** Something that waits for a person. */
export type Waiting = {
  readonly kind: WaitingKind;
  /** What `decide` takes: the id of a task as its buyer has it; of a creative it names one version, so that the verdict is about what was looked at. */
  readonly id: string;
  /** Path of the tenant, and id of the principal whose thing it is. */
  readonly tenant: string;
  readonly principal: string;
  readonly account_id: string;
  /** One sentence that a person understands. */
  readonly what: string;
  /** Why a person is asked, where a rule of the tenant says so. */
  readonly because?: string;
  /** ISO 8601. */
  readonly since: string;
  /** When the clock decides, and how. */
  readonly acts_at?: string;
  readonly on_timeout?: TimeoutAction;
  /** What the buyer was asked and has not answered. */
  readonly asked?: string | undefined;
  /** What there is to look at: an address or a text. */
  readonly preview?: string;
  readonly creative?: Pick<Creative, 'creative_id' | 'name' | 'format_id'>;
  readonly order?: Stake;
  /** Nothing of it is real. */
  readonly sandbox?: boolean;
};

/** The decision about something that waited. */
export type Outcome = {
  readonly status: string;
  /** ISO 8601. */
  readonly decided_at: string;
  /** Why it was rejected, or why it could not be carried out. */
  readonly reason?: string;
};

/** The question under an id, and how it was decided once it is. */
export type PendingDecision = { readonly waiting: Waiting; readonly outcome: Outcome | undefined };

/** The effect of a decision: the state of the thing, and the buys that followed. */
export type Decided = Pick<Waiting, 'kind' | 'id' | 'tenant' | 'principal' | 'what'> &
  Pick<Outcome, 'status' | 'reason'> & {
    readonly media_buys: readonly { readonly media_buy_id: string; readonly status: string }[];
  };

/** How somebody decides: with the operator's commands, by a link, which decides once, or under a name in the console. */
export type DecisionChannel = 'operator' | 'link' | `console: ${string}`;

/** How a kind is listed, looked up and decided. `key` is the id without its kind. */
export type DecisionKind = {
  /** The oldest ones, at most `limit`. */
  readonly list: (app: App, limit: number) => Promise<readonly Waiting[]>;
  readonly find: (app: App, key: string) => Promise<PendingDecision | undefined>;
  readonly decide: (app: App, key: string, decision: Decision, channel: DecisionChannel) => Promise<Decided>;
};

/** Returns the refusal of an id under which nothing was ever asked. */
export function unknownDecision(): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', 'There is nothing to decide under this id.', {
    field: 'id',
    suggestion: 'Use an id from the list of approvals.',
  });
}

/** Returns the refusal of what somebody, or the clock, has decided. */
export function alreadyDecided(kind: WaitingKind, status: string): TaskError {
  return new TaskError('INVALID_STATE', `The ${kind} is ${status}; there is nothing to decide about it any more.`, {
    field: 'id',
    suggestion: 'List the approvals again to see what waits.',
  });
}
