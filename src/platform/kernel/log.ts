import fs from 'node:fs';
import { type Logger, pino } from 'pino';
import { isoTime, monotonicMs, SECOND_MS } from './clock.js';
import { ConfigError } from './errors.js';
import { callAfter } from './loop.js';
import { findNearest } from './nearest.js';

/** Where a log has how many of its lines are lost. */
export const LOST_LINES = Symbol('lost lines');

/** Structured log of the process on stderr: JSON lines, or plain ones for a person at a terminal. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> & {
  /** Returns how many lines could not be written since the start and are lost. */
  readonly [LOST_LINES]?: () => number;
};

/** The levels that a log can be opened with, the most talkative first. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** The variable of the environment that holds the level. */
export const LOG_VARIABLE = 'SELLER_AGENT_LOG';

/** Returns the level that the environment asks for, else the usual one. Throws ConfigError for a word that is none. */
export function readLogLevel(given: string | undefined, usual: string): string {
  if (given === undefined || given === '') return usual;
  if (LOG_LEVELS.includes(given)) return given;
  const meant = findNearest(given, LOG_LEVELS);
  const fix = `${meant === undefined ? '' : `Did you mean "${meant}"? `}Set one of ${LOG_LEVELS.join(', ')}.`;
  const message = `there is no level "${given.slice(0, 40)}"`;
  throw new ConfigError([{ file: `environment ${LOG_VARIABLE}`, line: 0, pointer: '', message, fix }]);
}

type LogOptions = {
  /** Writes lines that a person reads, in the place of JSON. */
  readonly isPlain?: boolean;
  /** Keeps lines below a warning back until there are a few KiB of them, for a quarter of a second at most. */
  readonly isGathering?: boolean;
};

/** A log, and how to write what it holds back, at the end of the process. */
type OpenLog = { readonly log: Log; readonly flush: () => void };

/** Standard error. */
const FILE = 2;
/** Bytes of lines that are written at once; one write per line costs as much as the line itself. */
const GATHERED_BYTES = 8 * 1024;
const FLUSH_EVERY_MS = SECOND_MS / 4;
/** Bytes of lines that wait for a file that takes none: a full disk, or a reader that stopped. Further ones are lost. */
const MAX_HELD_BYTES = 1024 * 1024;
/** Time that the last lines of a process wait for a reader. */
const MAX_LAST_MS = SECOND_MS;
const LAST_WAIT_MS = 10;

/** Returns a log at `level`. Secrets never reach it: credentials and keys are redacted by name in every record. */
export function createLog(level: string): Log {
  return openLog(level).log;
}

/** Opens a log at `level`, as `createLog` does; whoever ends the process calls `flush`. */
export function openLog(level: string, { isGathering = false, isPlain = false }: LogOptions = {}): OpenLog {
  const file = new LogFile({ isGathering: isGathering && !isPlain });
  const times = new LineTimes();
  const write = (line: string): void => {
    file.write(isPlain ? plainLine(line) : line);
    if (isGathering && !QUIET.test(line)) file.flush();
  };
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${times.now()}"`,
      serializers: { err: describeError },
      redact: { paths: ['*.authorization', '*.token', '*.credentials', '*.key'], censor: '[redacted]' },
      hooks: {
        logMethod(args, method, levelNumber) {
          const [record, message] = args;
          // Redaction reads every member of a line as JSON, and is most of what the line of a call costs (benchmark row call_log).
          if (args.length === 2 && typeof message === 'string' && isFlat(record))
            write(flatLine({ level: levelNumber, time: times.now() }, record, message));
          else method.apply(this, args);
        },
      },
    },
    { write },
  );
  return { log: Object.assign(log, { [LOST_LINES]: () => file.lost }), flush: () => file.end() };
}

/** Returns what a line says of an error: not the objects that libraries hang on theirs, such as a whole connection with its secrets. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return Object.fromEntries(
    Object.entries(pino.stdSerializers.err(error)).filter(([, member]) => typeof member !== 'object'),
  );
}

/** Whether no member of a record has members of its own, so that nothing in it is redacted and JSON can hold all of it. */
function isFlat(record: unknown): record is object {
  if (typeof record !== 'object' || record === null || record instanceof Error) return false;
  return !Object.values(record).some((member) => typeof member === 'object' || typeof member === 'bigint');
}

/** Returns the line of a flat record, as pino writes it. */
function flatLine({ level, time }: Pick<PlainRecord, 'level' | 'time'>, record: object, message: string): string {
  const members = JSON.stringify(record).slice(1, -1);
  return `{"level":${level},"time":"${time}"${members === '' ? '' : ','}${members},"msg":${JSON.stringify(message)}}\n`;
}

/** The time of day as lines say it, written once a millisecond (benchmark row call_log). */
class LineTimes {
  #ms = Number.NaN;
  #text = '';

  now(): string {
    const ms = Date.now();
    if (ms !== this.#ms) this.#text = new Date(ms).toISOString();
    this.#ms = ms;
    return this.#text;
  }
}

/** The beginning of a line below a warning. */
const QUIET = /^\{"level":[123]0,/;

/** Returns a line of the log as a person reads it: the time of day, the level, what happened, and its details. */
export function plainLine(json: string): string {
  const { err, level, msg, time, ...details } = JSON.parse(json) as PlainRecord;
  const name = pino.levels.labels[level] ?? `${level}`;
  const shown = Object.entries(details).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const trace = err?.stack ?? err?.message;
  return `${[time.slice(11, 19), name.padEnd(5), msg ?? '', ...shown].join(' ').trimEnd()}${trace === undefined ? '' : `\n${trace}`}\n`;
}

type PlainRecord = {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
};

/** The file of a log. One that takes nothing holds up nobody: lines wait for it, and those beyond the bound are counted. */
class LogFile {
  readonly #isGathering: boolean;
  readonly #held: Buffer[] = [];
  #bytes = 0;
  /** Lines that were lost since the start, and those that the log itself does not tell yet. */
  #lostSinceStart = 0;
  #lost = 0;
  /** Whether the last write failed; the next one is tried when the time comes. */
  #isStuck = false;
  #isPlanned = false;

  /** `isGathering`: writes lines together, a quarter of a second later at most. */
  constructor({ isGathering }: { readonly isGathering: boolean }) {
    this.#isGathering = isGathering;
  }

  get lost(): number {
    return this.#lostSinceStart;
  }

  /** Takes a line. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#bytes + bytes.length > MAX_HELD_BYTES) {
      this.#lost += 1;
      this.#lostSinceStart += 1;
      return;
    }
    this.#hold(bytes);
    if (!this.#isStuck && (!this.#isGathering || this.#bytes >= GATHERED_BYTES)) this.flush();
    else this.#planFlush();
  }

  /** Writes what the file takes of the lines that are held. */
  flush(): void {
    this.#isStuck = !this.#writeHeld();
    if (this.#isStuck) this.#planFlush();
    if (this.#isStuck || this.#lost === 0) return;
    const lost = this.#lost;
    this.#lost = 0;
    const time = isoTime(Date.now());
    const msg = 'lines of the log could not be written and are lost: look at the disk of the log, or at what reads it';
    this.#hold(Buffer.from(`${JSON.stringify({ level: 40, time, lost, msg })}\n`));
    this.flush();
  }

  /** Writes all that is held, as the process ends; waits a moment for a reader that is slow. */
  end(): void {
    const until = monotonicMs() + MAX_LAST_MS;
    for (this.flush(); this.#isStuck && monotonicMs() < until; this.flush())
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_WAIT_MS);
  }

  #planFlush(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    callAfter(FLUSH_EVERY_MS, () => {
      this.#isPlanned = false;
      this.flush();
    });
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#bytes += bytes.length;
  }

  /** Returns false where the file takes no more. */
  #writeHeld(): boolean {
    if (this.#bytes === 0) return true;
    let rest = Buffer.concat(this.#held.splice(0));
    try {
      while (rest.length > 0) rest = rest.subarray(fs.writeSync(FILE, rest));
    } catch {
      this.#held.push(rest);
    }
    this.#bytes = rest.length;
    return rest.length === 0;
  }
}
