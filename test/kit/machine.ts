import type { TimeSources } from '../../src/platform/kernel/steady-clock.js';
import { BOOT_TIME } from './surroundings.js';

/** The clocks of a machine that a test turns. */
export type Machine = TimeSources & {
  /** Lets time go by on every clock. */
  readonly pass: (ms: number) => void;
  /** Sets the wall clock by `ms`, which the others do not see. */
  readonly jump: (ms: number) => void;
  /** Suspends the machine: the monotonic clock stands still meanwhile. */
  readonly suspend: (ms: number) => void;
  /** Starts the machine anew after it was off for `ms`. */
  readonly reboot: (offMs: number) => TimeSources;
};

/** Returns a machine whose clocks stand until a test turns them. */
export function startMachine(iso = BOOT_TIME): Machine {
  const at = { wall: Date.parse(iso), monotonic: 1000, uptime: 5_000_000 };
  const sources = (bootId: string): TimeSources => ({
    wall: { now: () => at.wall },
    monotonicMs: () => at.monotonic,
    uptimeMs: () => at.uptime,
    bootId,
  });
  return {
    ...sources('first'),
    pass: (ms) => {
      at.wall += ms;
      at.monotonic += ms;
      at.uptime += ms;
    },
    jump: (ms) => {
      at.wall += ms;
    },
    suspend: (ms) => {
      at.wall += ms;
      at.uptime += ms;
    },
    reboot: (offMs) => {
      at.wall += offMs;
      at.uptime = 1000;
      return sources('second');
    },
  };
}
