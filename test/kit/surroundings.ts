import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../src/platform/kernel/clock.js';
import type { Ids } from '../../src/platform/kernel/ids.js';
import type { Log } from '../../src/platform/kernel/log.js';
import { afterUse } from './after-use.js';

/** The project's root folder. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** What the turnable clock says when a server is booted: nothing in the tests depends on today. */
export const BOOT_TIME = '2030-01-01T00:00:00Z';

/** A clock that stands still until a test turns it. */
export type TurnableClock = Clock & {
  /** Turns the clock forward by `ms`. */
  readonly advance: (ms: number) => void;
  /** Turns the clock to an instant, ISO 8601. */
  readonly set: (iso: string) => void;
  /** The present instant, ISO 8601. */
  readonly iso: () => string;
};

/** A clock that starts at `iso`. */
export function turnableClock(iso = BOOT_TIME): TurnableClock {
  let now = Date.parse(iso);
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    set: (to) => {
      now = Date.parse(to);
    },
    iso: () => new Date(now).toISOString(),
  };
}

/** Identifiers that count: `mb_000001`, `pkg_000002`, a UUID that ends in `000003` … Later ones sort after earlier ones, as real ones do. */
export function countingIds(): Ids {
  let last = 0;
  const count = (): string => {
    last += 1;
    return String(last).padStart(6, '0');
  };
  return {
    next: (prefix) => `${prefix}_${count()}`,
    uuid: () => `00000000-0000-4000-8000-000000${count()}`,
    uuid7: () => `00000000-0000-7000-8000-000000${count()}`,
    secret: () => `secret-${count()}-${'x'.repeat(32)}`,
  };
}

/** One line that the server wrote to its log. */
export type LogLine = { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly text: string };

/** A folder of its own below the system's temporary one; removed after its use. */
export function temporaryFolder(prefix = 'seller-agent-'): string {
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  afterUse(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A log that keeps what is said at level warn and above. */
export function collectingLog(lines: LogLine[]): Log {
  const at =
    (level: LogLine['level']) =>
    (...parts: unknown[]): void => {
      const texts = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part, withErrors)));
      lines.push({ level, text: texts.join(' ') });
    };
  const nothing = (): void => undefined;
  return { debug: nothing, info: nothing, warn: at('warn'), error: at('error') } as Log;
}

function withErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? { message: value.message, stack: value.stack } : value;
}
