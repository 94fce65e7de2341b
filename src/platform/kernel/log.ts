import { type Logger, pino } from 'pino';

/** Structured log of the process; JSON lines on stderr. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** Returns a log at `level`. Secrets never reach it: credentials and keys are redacted by name in every record. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: { paths: ['*.authorization', '*.token', '*.credentials', '*.key'], censor: '[redacted]' },
    },
    pino.destination({ fd: 2, sync: true }),
  );
}
