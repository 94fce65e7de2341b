import { statfs } from 'node:fs/promises';
import { DatabaseUnavailable, FileUnwritable } from '../database/unavailable.js';
import { isoTime, SECOND_MS } from '../kernel/clock.js';
import type { JumpWatch } from '../kernel/steady-clock.js';
import type { LoopDelay } from './loop-delay.js';
import type { PartReport } from './readiness.js';

/** A store as far as its health goes: `ping` writes, and rejects when it cannot. */
type ProbedStore = { readonly ping: () => Promise<void>; readonly stats: () => object };

const FILE_NOT_WRITTEN = 'the store cannot be written: look at the log, the disk and the rights on the data folder';
const DATABASE_AWAY =
  'the database cannot be used: see that it runs, is reached from here, and has room and connections left; the log says what it answered';

/** Writes to a store and returns its figures. */
export async function checkStore(store: ProbedStore): Promise<PartReport> {
  try {
    await store.ping();
  } catch (error) {
    const isAway = error instanceof DatabaseUnavailable && !(error instanceof FileUnwritable);
    const message = isAway ? DATABASE_AWAY : FILE_NOT_WRITTEN;
    return { status: 'ill', message, ...store.stats() };
  }
  return { status: 'ok', ...store.stats() };
}

/** Below this much free space the disk is ill: a checkpoint of the write-ahead log and a batch of previews must still fit. */
const MIN_FREE_BYTES = 256 * 1024 * 1024;

const FOLDER_GONE =
  'the data folder is gone, and nothing is accepted any more: put the same folder back, or restore a backup and start again';

/** Returns the free space of the disk below a folder. */
export async function checkDisk(folder: string): Promise<PartReport> {
  const disk = await statfs(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (disk === undefined) return { status: 'ill', message: FOLDER_GONE };
  const { bavail, bsize } = disk;
  const free_bytes = bavail * bsize;
  if (free_bytes >= MIN_FREE_BYTES) return { status: 'ok', free_bytes };
  return { status: 'ill', message: 'the disk of the data folder is nearly full: make room', free_bytes };
}

/** An event loop that was held for longer than this lets callers wait visibly. */
const MAX_DELAY_MS = SECOND_MS;

/** Returns how late the event loop runs what is due. */
export function checkEventLoop(delay: LoopDelay): PartReport {
  const delay_ms = delay.maxMs();
  if (delay_ms <= MAX_DELAY_MS) return { status: 'ok', delay_ms };
  return {
    status: 'ill',
    message: 'the process did not run for over a second: unless it was paused, send it fewer calls or give it more CPU',
    delay_ms,
  };
}

/** Returns by how much the wall clock jumped: time goes on without one that has, and calls are answered. */
export function checkClock(watch: JumpWatch): PartReport {
  const jump = watch.findJump();
  if (jump === undefined) return { status: 'ok' };
  const message =
    'the wall clock jumped and is not followed, and nothing is deleted: set it right, or accept it with "seller-agent clock accept"';
  return {
    status: 'degraded',
    message,
    ahead_seconds: Math.round(jump.aheadMs / SECOND_MS),
    held: isoTime(jump.heldMs),
  };
}

/** A process on the same database, as it said last. */
type SeenProcess = {
  readonly id: string;
  readonly version: string;
  readonly ahead_ms: number;
  readonly started_ms: number;
  readonly seen_ms_ago: number;
};

type SeenProcesses = { readonly list: () => Promise<readonly SeenProcess[]> };

/** Clocks that differ by more let processes disagree about what is due and what has expired. */
const MAX_DRIFT_MS = 5 * SECOND_MS;
/** So much of an id tells processes apart. */
const SHOWN_ID = 8;

/** Returns version and clock of each process on a database; degraded where their clocks differ by more than seconds. */
export async function checkProcesses(processes: SeenProcesses): Promise<PartReport> {
  const seen = await processes.list();
  const clocks = seen.map(({ ahead_ms }) => ahead_ms);
  const drift_ms = seen.length === 0 ? 0 : Math.max(...clocks) - Math.min(...clocks);
  const facts = {
    drift_ms,
    versions: [...new Set(seen.map(({ version }) => version))].toSorted(),
    processes: seen.map(({ ahead_ms, id, seen_ms_ago, started_ms, version }) => ({
      id: id.slice(0, SHOWN_ID),
      version,
      clock_ahead_ms: ahead_ms,
      started: isoTime(started_ms),
      seen_seconds_ago: Math.round(seen_ms_ago / SECOND_MS),
    })),
  };
  if (drift_ms <= MAX_DRIFT_MS) return { status: 'ok', ...facts };
  const message = 'the clocks of the processes differ: set the clocks of their machines, with NTP for example';
  return { status: 'degraded', message, ...facts };
}
