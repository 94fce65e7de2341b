import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import path from 'node:path';
import { type Clock, HOUR_MS, isoTime, MINUTE_MS, monotonicMs, SECOND_MS, systemClock } from './clock.js';
import { isObject } from './json/json.js';
import type { Log } from './log.js';

/** The clocks of a machine: one that people and services set, and two that nobody does. */
export type TimeSources = {
  readonly wall: Clock;
  /** Milliseconds since some instant; stands still while the machine is suspended. */
  readonly monotonicMs: () => number;
  /** Milliseconds since the machine was started, time of suspension included. */
  readonly uptimeMs: () => number;
  /** Names this start of the machine; empty where that is not known. */
  readonly bootId: string;
};

/** The difference of a wall clock to the time that went by. */
type ClockJump = {
  /** By how much the wall clock is ahead (ms); negative where it is behind. */
  readonly aheadMs: number;
  /** What the wall clock says, and the time that is gone by, in ms. */
  readonly wallMs: number;
  readonly heldMs: number;
};

/** The time of a server, which does not follow a wall clock that jumps. */
export type JumpWatch = {
  /** Returns how the wall clock has jumped; undefined while it is followed. */
  readonly findJump: () => ClockJump | undefined;
  /** Follows the wall clock from now on, as it is; returns the jump that was accepted. */
  readonly accept: () => ClockJump | undefined;
  /** Writes down when the server was last seen, for its next start. */
  readonly remember: () => void;
};

/** The file that remembers the last start, and how far a gap since then is trusted. */
type SteadyClockOptions = {
  /** The file that says when the server was last seen. */
  readonly file: string;
  readonly log: Log;
  /** `follow` goes with every jump, and says so in the log. */
  readonly jumps: 'hold' | 'follow';
  /** How long the machine may have been off, as far as only its wall clock says so. */
  readonly maxGapMs?: number | undefined;
};

/** A clock, and what it is known of its jumps. */
export type ServerTime = { readonly clock: Clock; readonly watch: JumpWatch };

/** The sources of a server's time; `clock` is a test's, which is followed wherever it is set. */
type ServerTimeOptions = {
  readonly clock?: Clock | undefined;
  readonly time?: TimeSources | undefined;
  readonly settings: {
    readonly dataDir: string;
    readonly clockJumps: SteadyClockOptions['jumps'];
    readonly development: boolean;
  };
};

const findNothing = (): undefined => undefined;
/** A clock that is followed wherever it goes. */
export const NO_WATCH: JumpWatch = { findJump: findNothing, accept: findNothing, remember: findNothing };

const CLOCK_FILE = 'clock.json';
/** Between two times that a server writes down when it was last seen. */
export const REMEMBER_MS = 10 * SECOND_MS;

/** Opens the time of the server that holds a data folder. */
export function openTime({ clock, settings, time = machineTime() }: ServerTimeOptions, log: Log): ServerTime {
  if (clock !== undefined) return { clock, watch: NO_WATCH };
  const steady = new SteadyClock(time, {
    file: path.join(settings.dataDir, CLOCK_FILE),
    log,
    jumps: settings.clockJumps,
    // A machine of one's own is off for days.
    maxGapMs: settings.development ? Number.POSITIVE_INFINITY : undefined,
  });
  return { clock: steady, watch: steady };
}

/** Follows a wall clock that has jumped; returns by how much, 0 where it had not, and the time from now on. */
export function acceptJump({ clock, watch }: ServerTime): { readonly ahead_seconds: number; readonly now: string } {
  const jump = watch.accept();
  return { ahead_seconds: Math.round((jump?.aheadMs ?? 0) / SECOND_MS), now: isoTime(clock.now()) };
}

/** A wall clock that is this far off has jumped: corrections of a time service are smaller. */
const TOLERANCE_MS = MINUTE_MS;
const MAX_GAP_MS = 24 * HOUR_MS;

/** Returns the clocks of this machine. */
function machineTime(): TimeSources {
  return { wall: systemClock, monotonicMs, uptimeMs: () => uptime() * SECOND_MS, bootId: readBootId() };
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/**
 * The wall clock as long as it goes as fast as the monotonic one. Once it has jumped by more than a minute, time goes on by the monotonic
 * clock until somebody accepts the jump, or the wall clock comes back.
 */
export class SteadyClock implements Clock, JumpWatch {
  readonly #sources: TimeSources;
  readonly #options: SteadyClockOptions;
  /** When the wall clock was last followed, by each clock. */
  #wallMs: number;
  #monotonicMs: number;
  #uptimeMs: number;
  #isHeld = false;

  constructor(sources: TimeSources, options: SteadyClockOptions) {
    this.#sources = sources;
    this.#options = options;
    this.#monotonicMs = sources.monotonicMs();
    this.#uptimeMs = sources.uptimeMs();
    this.#wallMs = expectedAtStart(sources, options) ?? sources.wall.now();
  }

  readonly now = (): number => {
    const wall = this.#sources.wall.now();
    const monotonic = this.#sources.monotonicMs();
    const expected = this.#wallMs + monotonic - this.#monotonicMs;
    if (Math.abs(wall - expected) <= TOLERANCE_MS) {
      if (this.#isHeld) this.#release('the wall clock came back and is followed again');
      this.#wallMs = wall;
      this.#monotonicMs = monotonic;
      return wall;
    }
    if (this.#isHeld) return expected;
    return this.#judge(wall, expected);
  };

  readonly findJump = (): ClockJump | undefined => {
    const heldMs = this.now();
    const wallMs = this.#sources.wall.now();
    return this.#isHeld ? { aheadMs: wallMs - heldMs, wallMs, heldMs } : undefined;
  };

  readonly accept = (): ClockJump | undefined => {
    const jump = this.findJump();
    if (jump === undefined) return undefined;
    this.#follow(jump.wallMs);
    this.#release('the jump of the wall clock was accepted');
    this.remember();
    return jump;
  };

  readonly remember = (): void => {
    const { bootId, uptimeMs } = this.#sources;
    const seen: LastSeen = { now_ms: this.now(), uptime_ms: uptimeMs(), boot_id: bootId };
    const { file } = this.#options;
    writeFileSync(`${file}.new`, `${JSON.stringify(seen)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };

  /** Follows a wall clock that went on while the machine was suspended, which its uptime shows; holds any other. */
  #judge(wall: number, expected: number): number {
    const byUptime = this.#wallMs + this.#sources.uptimeMs() - this.#uptimeMs;
    const { jumps, log } = this.#options;
    const facts = { ahead_seconds: Math.round((wall - expected) / SECOND_MS), wall: isoTime(wall) };
    if (Math.abs(wall - byUptime) <= TOLERANCE_MS || jumps === 'follow') {
      log.warn(facts, 'the machine was suspended, or its clock was set; the new time is followed');
      this.#follow(wall);
      return wall;
    }
    this.#isHeld = true;
    log.error({ ...facts, held: isoTime(expected) }, HELD);
    return expected;
  }

  #follow(wall: number): void {
    this.#wallMs = wall;
    this.#monotonicMs = this.#sources.monotonicMs();
    this.#uptimeMs = this.#sources.uptimeMs();
  }

  #release(what: string): void {
    this.#isHeld = false;
    this.#options.log.warn({ wall: isoTime(this.#sources.wall.now()) }, what);
  }
}

const HELD =
  'the wall clock jumped; time goes on without it, and nothing is deleted, until it comes back or "seller-agent clock accept" is run';

type LastSeen = { readonly now_ms: number; readonly uptime_ms: number; readonly boot_id: string };

/**
 * Returns the time that it should be by what was written down before this start; undefined where nothing speaks against the wall clock.
 * Within one start of the machine the uptime tells it exactly; over a restart of the machine only the past, and a gap of over a day, are
 * doubted.
 */
function expectedAtStart({ bootId, uptimeMs, wall }: TimeSources, options: SteadyClockOptions): number | undefined {
  const last = readLastSeen(options.file);
  if (last === undefined) return undefined;
  const gap = wall.now() - last.now_ms;
  if (bootId !== '' && bootId === last.boot_id && uptimeMs() >= last.uptime_ms)
    return last.now_ms + uptimeMs() - last.uptime_ms;
  const isPlausible = gap >= -TOLERANCE_MS && gap <= (options.maxGapMs ?? MAX_GAP_MS);
  return isPlausible ? undefined : last.now_ms;
}

function readLastSeen(file: string): LastSeen | undefined {
  try {
    const seen: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const isRead = isObject(seen) && [seen.now_ms, seen.uptime_ms].every((ms) => typeof ms === 'number');
    return isRead && typeof seen.boot_id === 'string' ? (seen as LastSeen) : undefined;
  } catch {
    // A file that is not there, or was cut short, says nothing.
    return undefined;
  }
}
