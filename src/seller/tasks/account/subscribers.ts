import { TaskError, taskErrorOrThrow } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import {
  accountEvents,
  hasSameProof,
  readSubscribers,
  type Subscriber,
  subscriberWire,
} from '../../domain/account/subscriber.js';
import type { Reader } from '../../store/store.js';
import { canNameLocal } from '../pipeline/order-context.js';
import { judgeRegistration } from '../pipeline/registration.js';

/** The subscribers that an entry brings, and the account that they were challenged for. */
type GivenSubscribers = {
  readonly accountId: string;
  readonly configs: readonly unknown[];
  /** Where they stand in the request. */
  readonly field: string;
};

/** The outcome of an entry's challenges. */
export type ProvenSubscribers = { readonly accountId: string; readonly error?: TaskError | undefined };

/** The most endpoints that one call has challenged. */
const MAX_CHALLENGES = 32;

/** Counts the challenges of a call. */
type ChallengeBudget = { left: number };

/** Returns the budget of a call. */
export function challengeBudget(): ChallengeBudget {
  return { left: MAX_CHALLENGES };
}

/** Reads the subscribers of an entry; what an endpoint has proven before holds. Throws with the field of what is wrong. */
export function readGiven(app: App, call: Call, configs: readonly unknown[], field: string): readonly Subscriber[] {
  return readSubscribers(configs, field, {
    local: canNameLocal(app, call),
    release: call.to.release,
    events: accountEvents(call.seller.tenant.kinds),
  });
}

/** The endpoints of an entry that have to be challenged, or what is wrong with the entry. */
type JudgedSubscribers = ProvenSubscribers & {
  readonly open: readonly { readonly subscriber: Subscriber; readonly field: string }[];
};

/** Judges the addresses of an entry's subscribers; those that are active and have proven nothing yet are left to be challenged. */
export async function judgeSubscribers(
  app: App,
  call: Call,
  db: Reader,
  { accountId, configs, field }: GivenSubscribers,
): Promise<JudgedSubscribers> {
  try {
    const wanted = readGiven(app, call, configs, field);
    for (const [index, config] of configs.entries())
      await judgeRegistration(app, call, { field: `${field}[${index}]`, config, mutating: false });
    const before = await db.subscribers.list(call.owner, accountId);
    const open = wanted.flatMap((subscriber, index) => {
      const isProven = before.some((one) => one.isProven && hasSameProof(one, subscriber));
      return subscriber.active && !isProven ? [{ subscriber, field: `${field}[${index}]` }] : [];
    });
    return { accountId, open };
  } catch (thrown) {
    return { accountId, open: [], error: taskErrorOrThrow(thrown) };
  }
}

/** Challenges the endpoints of an entry, beside each other; the first that fails is the entry's error. */
export async function challengeAll(
  app: App,
  call: Call,
  { accountId, open, error }: JudgedSubscribers,
  budget: ChallengeBudget,
): Promise<ProvenSubscribers> {
  const { tenant, url: agentUrl } = call.seller;
  try {
    await Promise.all(
      open.map(({ subscriber, field }) => {
        budget.left -= 1;
        if (budget.left < 0) throw tooMany(field);
        return app.challenge({ tenant: tenant.path, agentUrl, accountId, subscriber, field });
      }),
    );
    return { accountId, error };
  } catch (thrown) {
    return { accountId, error: taskErrorOrThrow(thrown) };
  }
}

/** Returns an entry's subscribers as they are stored: proven where they were challenged just now or had proven it before. */
export function markProven(wanted: readonly Subscriber[], before: readonly Subscriber[]): readonly Subscriber[] {
  return wanted.map((subscriber) => ({
    ...subscriber,
    isProven: subscriber.active || before.some((one) => one.isProven && hasSameProof(one, subscriber)),
  }));
}

/** Whether two lists of subscribers are registered alike. */
export function isSameList(one: readonly Subscriber[], other: readonly Subscriber[]): boolean {
  const described = (list: readonly Subscriber[]): string =>
    JSON.stringify(list.map((subscriber) => [subscriberWire(subscriber), subscriber.authentication]));
  return described(one) === described(other);
}

/** Returns an account's subscribers as its buyer sees them; undefined where it has none and asked for none. */
export function subscribersWire(subscribers: readonly Subscriber[], isAsked = false): readonly object[] | undefined {
  return subscribers.length === 0 && !isAsked ? undefined : subscribers.map(subscriberWire);
}

function tooMany(field: string): TaskError {
  return new TaskError('INVALID_REQUEST', `One call has at most ${MAX_CHALLENGES} endpoints challenged.`, {
    field,
    suggestion: 'Register the others in another call.',
  });
}
