import { expect } from 'vitest';
import type { ReceivedPost } from './receiver.js';
import type { Payload } from './wire.js';

/** A change as an event names it. */
type Change = { readonly revision: number; readonly action: string };

/** Where a buy stands, as an answer or an event says it. */
type State = { readonly revision: number; readonly status: string; readonly isConfirmed: boolean };

/** One thing that a buyer was told of a buy, or, of an event that it did not acknowledge, that was tried. */
type LedgerEntry = State & {
  readonly kind: 'answer' | 'event';
  /** Of an event: its key and task, what it says that happened, and whether it was acknowledged. */
  readonly key?: string;
  readonly task?: string;
  readonly changes?: readonly Change[];
  readonly isAcknowledged: boolean;
};

/** What a buyer was told of its buys, by answers and by events, in the order in which it came. */
export class BuyerLedger {
  readonly #entries = new Map<string, LedgerEntry[]>();
  /** The tasks that events named, with their types. */
  readonly tasks = new Map<string, string>();
  events = 0;

  /** Notes the answer to a call that changes something; one without a buy tells of none. */
  answer(payload: Payload): void {
    if (typeof payload.media_buy_id !== 'string') return;
    this.#add(payload.media_buy_id, { ...stateOf(payload), kind: 'answer', isAcknowledged: true });
  }

  /** Notes an event as it came. */
  event({ json }: ReceivedPost, isAcknowledged: boolean): void {
    const result = json.result as Payload;
    this.tasks.set(String(json.task_id), String(json.task_type));
    if (typeof result?.media_buy_id !== 'string') return;
    const { changes } = result as { readonly changes?: readonly Change[] };
    const [key, task] = [String(json.idempotency_key), String(json.task_id)];
    this.#add(result.media_buy_id, { ...stateOf(result), kind: 'event', key, task, changes, isAcknowledged });
    this.events += 1;
  }

  get buys(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /**
   * Checks what was told of a buy: revisions rise, no event is older than an answer before it, each tells what nothing before it had told,
   * and the last of all says how the buy stands. `mayRepeat` is for crashes between an acknowledgment and its note: then a new event may
   * tell again what the one before it told, beside its own.
   */
  check(id: string, stored: State, mayRepeat = false): void {
    const entries = this.#entries.get(id) ?? [];
    const story = `${id}: ${JSON.stringify(entries)}`;
    const heard: LedgerEntry[] = [];
    for (const [at, one] of entries.entries()) {
      // The end of a task is the answer to its call, which a later call may have overtaken; events come in order all the same.
      const isTaskEnd = one.kind === 'event' && one.changes === undefined;
      const earlier = entries.slice(0, at).filter(({ kind }) => kind === 'event' || !isTaskEnd);
      const before = Math.max(0, ...earlier.map(({ revision }) => revision));
      expect(one.revision, `stale in ${story}`).toBeGreaterThanOrEqual(before);
      const isCopy = one.kind === 'event' && entries.slice(0, at).some(({ key }) => key === one.key);
      if (one.kind === 'event' && !isCopy)
        expect(this.#hasNews(one, heard, mayRepeat), `old news in ${story}`).toBe(true);
      if (one.isAcknowledged) heard.push(one);
    }
    const newest = Math.max(...heard.map((one) => one.revision));
    const last = heard.findLast((one) => one.revision === newest);
    const { revision, status, isConfirmed } = last ?? expect.fail(`nothing was told of ${id}`);
    expect({ revision, status, isConfirmed }, story).toEqual(stored);
  }

  #hasNews({ task, changes }: LedgerEntry, heard: readonly LedgerEntry[], mayRepeat: boolean): boolean {
    // The end of a task, which is told once.
    if (changes === undefined) return heard.every((one) => one.task !== task);
    const news = changes.map((change) => heard.every((one) => !tells(one, change)));
    return mayRepeat ? news.includes(true) : news.length > 0 && !news.includes(false);
  }

  #add(id: string, entry: LedgerEntry): void {
    this.#entries.set(id, [...(this.#entries.get(id) ?? []), entry]);
  }
}

/** Returns where a buy stands by what was said of it. */
export function stateOf({ revision, media_buy_status, status, confirmed_at }: Payload): State {
  return { revision, status: String(media_buy_status ?? status), isConfirmed: typeof confirmed_at === 'string' };
}

function tells({ revision, isConfirmed }: LedgerEntry, change: Change): boolean {
  if (change.action === 'confirmed') return isConfirmed;
  return revision >= change.revision;
}
