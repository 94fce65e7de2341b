import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { dataOf, type WireTask } from './a2a.js';
import { stateOf } from './buyer-ledger.js';
import type { ReceivedPost } from './receiver.js';
import type { Payload } from './wire.js';

type Change = { readonly revision: number; readonly action: string };

/** Where a buy stands, as an answer or an event said it. */
export type BuyState = ReturnType<typeof stateOf>;

/** The answer to a call that changed a buy: when it came, ms. */
type Answered = BuyState & { readonly at: number };

/** A POST as a buyer's program reads it, whichever envelope it has. `at` is when it was signed, ms. */
type Event = {
  readonly at: number;
  readonly endpoint: string;
  readonly envelope: 'mcp' | 'a2a';
  readonly key: string;
  readonly task: string;
  readonly buy: string | undefined;
  readonly state: BuyState;
  /** What happened, of an event that is not the end of a task. */
  readonly changes: readonly Change[] | undefined;
  readonly isTaken: boolean;
};

/** An event that was being made when an answer came may be signed after it: this long, ms. */
const IN_THE_MAKING_MS = 1000;

/** What the buyers of a server that is killed were told, by answers and at several endpoints. */
export class EndpointLedger {
  readonly #answers = new Map<string, Answered[]>();
  readonly #events: Event[] = [];
  readonly #bodies = new Map<string, Set<string>>();

  /** Notes an answer that a call had when it came first. */
  answer(payload: Payload): void {
    const { media_buy_id: id, replayed } = payload as Payload & { readonly replayed?: boolean };
    // One that comes again says what was true when it came first.
    if (typeof id !== 'string') return;
    const at = replayed === true ? 0 : Date.now();
    this.#answers.set(id, [...(this.#answers.get(id) ?? []), { ...stateOf(payload), at }]);
  }

  /** Notes a POST to an endpoint, and whether it was acknowledged. */
  post(endpoint: string, post: ReceivedPost, isTaken: boolean): void {
    const event = readEvent(endpoint, post, isTaken);
    this.#events.push(event);
    const bodies = this.#bodies.get(event.key) ?? new Set();
    this.#bodies.set(event.key, bodies.add(createHash('sha256').update(post.body).digest('hex')));
  }

  get events(): readonly Event[] {
    return this.#events;
  }

  get keys(): ReadonlySet<string> {
    return new Set(this.#bodies.keys());
  }

  get buys(): readonly string[] {
    return [...this.#answers.keys()];
  }

  /** The tasks that events named. */
  get tasks(): ReadonlySet<string> {
    return new Set(this.#events.map(({ task }) => task));
  }

  /** Keys that came with two bodies. */
  get changed(): readonly string[] {
    return [...this.#bodies].flatMap(([key, bodies]) => (bodies.size > 1 ? [key] : []));
  }

  /**
   * Returns what is wrong with what was told of a buy: at each endpoint revisions rise, no event is older than an answer before it or
   * repeats one, a task ends once, and the newest of all says how the buy is stored.
   */
  faults(id: string, stored: BuyState): readonly string[] {
    const answers = this.#answers.get(id) ?? [];
    const events = this.#events.filter(({ buy }) => buy === id);
    const endpoints = [...new Set(events.map(({ endpoint }) => endpoint))];
    const faults = endpoints.flatMap((endpoint) => {
      const here = events.filter((event) => event.endpoint === endpoint);
      return here.flatMap((event, at) => faultsOf(event, here.slice(0, at), answers));
    });
    const told = [...answers, ...events.map(({ state }) => state)];
    const newest = Math.max(...told.map(({ revision }) => revision));
    // An older answer of the same revision knew less of it: that it is confirmed is no new revision.
    const said = told
      .filter(({ revision }) => revision === newest)
      .map(({ revision, status, isConfirmed }) => ({ revision, status, isConfirmed }));
    if (!said.some((one) => JSON.stringify(one) === JSON.stringify(stored)))
      faults.push(`lost: stored ${JSON.stringify(stored)}, told ${JSON.stringify(said)}`);
    return faults.map((fault) => `${id}: ${fault}`);
  }
}

function faultsOf(event: Event, earlier: readonly Event[], answers: readonly Answered[]): readonly string[] {
  const { changes, state, key, at, task } = event;
  const known = answers.filter((answer) => answer.at > 0 && answer.at + IN_THE_MAKING_MS < at);
  const isCopy = earlier.some((one) => one.key === key);
  if (changes === undefined) {
    const isAgain = !isCopy && earlier.some((one) => one.task === task && one.changes === undefined);
    return isAgain ? [`the end of ${task} was told twice`] : [];
  }
  const faults: string[] = [];
  const answered = Math.max(0, ...known.map(({ revision }) => revision));
  if (state.revision < answered) faults.push(`stale: revision ${state.revision} after an answer with ${answered}`);
  const before = Math.max(0, ...earlier.filter((one) => one.changes !== undefined).map((one) => one.state.revision));
  if (state.revision < before) faults.push(`out of order: revision ${state.revision} after an event with ${before}`);
  const repeated = changes.filter((change) => known.some((answer) => tells(answer, change)));
  if (repeated.length > 0) faults.push(`repeats an answer: ${JSON.stringify(repeated)}`);
  // One that was acknowledged when its sender died is told again with what came since, never alone.
  const taken = earlier.filter((one) => one.isTaken);
  const hasNews = changes.some((change) => !taken.some((one) => tells(one.state, change)));
  if (!isCopy && !hasNews) faults.push(`no news: ${JSON.stringify(changes)}`);
  return faults;
}

function readEvent(endpoint: string, { json, headers }: ReceivedPost, isTaken: boolean): Event {
  const isTask = typeof json.status === 'object';
  const { metadata, id } = json as { readonly metadata?: Payload; readonly id?: string };
  const result = (isTask ? dataOf(json as unknown as WireTask) : json.result) as
    | (Payload & { readonly changes?: readonly Change[] })
    | undefined;
  return {
    at: signedAt(headers),
    endpoint,
    envelope: isTask ? 'a2a' : 'mcp',
    key: String(isTask ? metadata?.idempotency_key : json.idempotency_key),
    task: String(isTask ? id : json.task_id),
    buy: result?.media_buy_id,
    state: stateOf(result ?? ({} as Payload)),
    changes: result?.changes,
    isTaken,
  };
}

/** Returns when a POST was signed, ms: on a busy machine it is on its way for seconds. */
function signedAt(headers: ReceivedPost['headers']): number {
  const [, created] = /created=(\d+)/.exec(String(headers['signature-input'])) ?? [];
  return Number(created) * 1000;
}

function tells({ revision, isConfirmed }: BuyState, change: Change): boolean {
  return change.action === 'confirmed' ? isConfirmed : revision >= change.revision;
}

/** Fails with the first few of some faults. */
export function expectNone(faults: readonly string[]): void {
  expect(faults.slice(0, 5), `${faults.length} faults, first ${faults[0]}`).toEqual([]);
}
