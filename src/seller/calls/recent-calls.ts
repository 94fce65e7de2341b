import { isoTime } from '../../platform/kernel/clock.js';
import type { Written } from '../../platform/kernel/json/json.js';
import { redact } from './redact.js';

/** The protocol that a call came over; `operator` is the command line or the console. */
type CallProtocol = 'mcp' | 'a2a' | 'operator';

/** A task call that is over. */
export type FinishedCall = {
  /** Milliseconds since the epoch, and what the call took. */
  readonly atMs: number;
  readonly ms: number;
  readonly requestId: string;
  readonly protocol: CallProtocol;
  readonly tenant: string;
  /** The buyer's id in the tenant file; undefined for whoever called a public tool. */
  readonly principal: string | undefined;
  readonly isSandbox: boolean;
  /** The task as the tenant lists it; `unknown` for another name. */
  readonly task: string;
  /** `ok`, or the code of the refusal. */
  readonly code: string;
  /** What the database said where that is why the call was refused. */
  readonly reason?: string | undefined;
  readonly isReplayed: boolean;
  readonly args: Readonly<Record<string, unknown>>;
  /** Bytes of the body that brought the arguments. */
  readonly bytes: number;
  readonly answer: Written;
};

/** A call as the console shows it: nothing in it is secret. */
type ShownCall = {
  readonly at: string;
  readonly ms: number;
  readonly request_id: string;
  readonly protocol: CallProtocol;
  readonly tenant: string;
  readonly principal: string | undefined;
  readonly sandbox: boolean;
  readonly task: string;
  readonly code: string;
  readonly replayed: boolean;
  /** The redacted arguments and answer; a text in brackets where they were too long to be kept. */
  readonly arguments: unknown;
  readonly answer: unknown;
};

/** Which calls are asked for; what is left out is any. */
type CallFilter = {
  readonly tenant?: string | undefined;
  readonly principal?: string | undefined;
  readonly task?: string | undefined;
  readonly code?: string | undefined;
  readonly request_id?: string | undefined;
  /** Refused calls alone. */
  readonly failed?: boolean | undefined;
  /** At most this many, 50 unless given. */
  readonly limit?: number | undefined;
};

/** Arguments and answers with more than this are not kept. */
const MAX_SHOWN_BYTES = 16 * 1024;
/** Of calls that were answered, and of refused ones, which are looked for more often. */
const BOUNDS = { maxCalls: 500, maxBytes: 2 * 1024 * 1024 } as const;
const DEFAULT_LIMIT = 50;

/**
 * The last calls of this process, in memory: 500 that were answered and 500 that were refused, each within 2 MiB of JSON. They are gone
 * with the process; the log has a line for each call.
 */
export class RecentCalls {
  readonly #answered = new Ring(BOUNDS);
  readonly #refused = new Ring(BOUNDS);
  #count = 0;

  /** Keeps a call. Its arguments are kept as they are, and redacted when somebody looks. */
  add(call: FinishedCall): void {
    this.#count += 1;
    (call.code === 'ok' ? this.#answered : this.#refused).add(call, this.#count);
  }

  /** Returns the calls that a filter lets through, newest first. */
  list({ failed, limit = DEFAULT_LIMIT, ...filter }: CallFilter = {}): readonly ShownCall[] {
    const stored = failed === true ? this.#refused.calls : [...this.#answered.calls, ...this.#refused.calls];
    return stored
      .filter((call) => isWanted(call, filter))
      .sort((one, other) => other.number - one.number)
      .slice(0, limit)
      .map(showCall);
  }
}

type StoredCall = Omit<FinishedCall, 'args' | 'answer'> & {
  readonly args: FinishedCall['args'] | undefined;
  readonly answer: FinishedCall['answer'] | undefined;
  readonly answerBytes: number;
  /** Counts the calls of the process. */
  readonly number: number;
  readonly size: number;
};

/** The newest calls within bounds of number and bytes. */
class Ring {
  readonly #bounds: typeof BOUNDS;
  #calls: StoredCall[] = [];
  /** Before this index nothing is kept any more. */
  #first = 0;
  #bytes = 0;

  constructor(bounds: typeof BOUNDS) {
    this.#bounds = bounds;
  }

  add(call: FinishedCall, number: number): void {
    const stored = storeCall(call, number);
    this.#calls.push(stored);
    this.#bytes += stored.size;
    while (this.#calls.length - this.#first > this.#bounds.maxCalls || this.#bytes > this.#bounds.maxBytes) {
      this.#bytes -= this.#calls[this.#first]?.size ?? 0;
      this.#first += 1;
    }
    if (this.#first < this.#bounds.maxCalls) return;
    this.#calls = this.#calls.slice(this.#first);
    this.#first = 0;
  }

  get calls(): readonly StoredCall[] {
    return this.#calls.slice(this.#first);
  }
}

/** What the facts of a call count for beside its arguments and answer. */
const FACTS_BYTES = 400;

function storeCall(call: FinishedCall, number: number): StoredCall {
  const { answer, args, bytes } = call;
  const answerBytes = answer.plain.length;
  const hasArgs = bytes <= MAX_SHOWN_BYTES;
  const hasAnswer = answerBytes <= MAX_SHOWN_BYTES;
  // Members by name, as in `CallLog.record`.
  return {
    atMs: call.atMs,
    ms: call.ms,
    requestId: call.requestId,
    protocol: call.protocol,
    tenant: call.tenant,
    principal: call.principal,
    isSandbox: call.isSandbox,
    task: call.task,
    code: call.code,
    isReplayed: call.isReplayed,
    args: hasArgs ? args : undefined,
    bytes,
    answer: hasAnswer ? answer : undefined,
    answerBytes,
    number,
    size: FACTS_BYTES + (hasArgs ? bytes : 0) + (hasAnswer ? answerBytes : 0),
  };
}

function isWanted(call: StoredCall, { code, principal, request_id, task, tenant }: CallFilter): boolean {
  return (
    (tenant === undefined || call.tenant === tenant) &&
    (principal === undefined || call.principal === principal) &&
    (task === undefined || call.task === task) &&
    (code === undefined || call.code === code) &&
    (request_id === undefined || call.requestId === request_id)
  );
}

function showCall(call: StoredCall): ShownCall {
  const { answer, answerBytes, args, bytes, principal, protocol, task, tenant } = call;
  return {
    at: isoTime(call.atMs),
    ms: call.ms,
    request_id: call.requestId,
    protocol,
    tenant,
    principal,
    sandbox: call.isSandbox,
    task,
    code: call.code,
    replayed: call.isReplayed,
    arguments: args === undefined ? `[${bytes} bytes]` : redact(args),
    answer: answer === undefined ? `[${answerBytes} bytes]` : redact(answer.toJSON()),
  };
}
