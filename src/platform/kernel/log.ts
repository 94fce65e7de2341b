import { type Logger, pino } from 'pino';
import { ConfigError } from './errors.js';
import { nearest } from './nearest.js';

/** Structured log of the process on stderr: JSON lines, or plain ones for a person at a terminal. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** The levels that a log can be opened with, the most talkative first. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** The variable of the environment that holds the level. */
export const LOG_VARIABLE = 'SELLER_AGENT_LOG';

/** Returns the level that the environment asks for, else the usual one. Throws ConfigError for a word that is none. */
export function readLogLevel(given: string | undefined, usual: string): string {
  if (given === undefined || given === '') return usual;
  if (LOG_LEVELS.includes(given)) return given;
  const meant = nearest(given, LOG_LEVELS);
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

/** A log, and how to write what it holds back. */
type OpenLog = { readonly log: Log; readonly flush: () => void };

/** Characters of lines that are written at once; one write per line costs as much as the line itself. */
const GATHERED_CHARS = 8 * 1024;
const FLUSH_EVERY_MS = 250;

/** Returns a log at `level`. Secrets never reach it: credentials and keys are redacted by name in every record. */
export function createLog(level: string): Log {
  return openLog(level).log;
}

/** Opens a log at `level`, as `createLog` does; whoever ends the process calls `flush`. */
export function openLog(level: string, { isGathering = false, isPlain = false }: LogOptions = {}): OpenLog {
  const gathering = isGathering && !isPlain ? { minLength: GATHERED_CHARS, periodicFlush: FLUSH_EVERY_MS } : {};
  const file = pino.destination({ fd: 2, sync: true, ...gathering });
  const flush = (): void => file.flushSync();
  const write = (line: string): void => {
    file.write(isPlain ? plainLine(line) : line);
    if (isGathering && !QUIET.test(line)) flush();
  };
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: { paths: ['*.authorization', '*.token', '*.credentials', '*.key'], censor: '[redacted]' },
      hooks: {
        logMethod(args, method) {
          method.apply(isFlat(args[0]) ? flat : this, args);
        },
      },
    },
    { write },
  );
  // Redaction reads every member of a line as JSON, and is most of what the line of a call costs (benchmark row call_log).
  const flat = log.child({}, { redact: [] });
  return { log, flush };
}

/** Whether no member of a record has members of its own, so that nothing in it is redacted. */
function isFlat(record: unknown): boolean {
  if (typeof record !== 'object' || record === null || record instanceof Error) return false;
  for (const name in record) if (typeof Reflect.get(record, name) === 'object') return false;
  return true;
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
