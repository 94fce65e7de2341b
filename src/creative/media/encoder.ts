import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import path from 'node:path';
import PQueue from 'p-queue';
import { MINUTE_MS } from '../../platform/kernel/clock.js';
import { callAfter, repeatEvery } from '../../platform/kernel/loop.js';
import { TaskError } from '../../protocol/errors.js';

/** Spots that are encoded at once: one of them keeps both cores of a small machine busy. */
const CONCURRENT_JOBS = 1;
/** Spots that wait for their turn; more are refused. */
const MAX_WAITING_JOBS = 8;
/** Longest run of ffmpeg: a minute of 1080p takes two on a slow core. */
const MAX_RUN_MS = 8 * MINUTE_MS;
/** What a job may bring along, and the largest file that it may make, in bytes. */
const MAX_JOB_BYTES = { inputs: 192 * 1024 ** 2, output: 64 * 1024 ** 2 } as const;
/** Largest single allocation of ffmpeg, in bytes. */
const MAX_ALLOCATION_BYTES = 256 * 1024 ** 2;
/** Kept of what ffmpeg says, in bytes: the end, where its figures and its reason are. */
const MAX_REPORT_BYTES = 32 * 1024;
/** Priority of ffmpeg, as nice has it: calls are answered first. */
const NICENESS = 10;
/** How often a job that waits or runs says that it is not lost. */
const HEARTBEAT_MS = MINUTE_MS;
const RETRY_SECONDS = 60;

/** Tells which share of a job is done, 0 to 1. */
export type ReportShare = (share: number) => void;

/** One run of ffmpeg in the folder of a job: every name in `args` is a file in it. */
type Run = {
  readonly args: readonly string[];
  /** How long what is made plays, to tell how far the run is. */
  readonly durationMs?: number;
  readonly onShare?: ReportShare;
};

/** The folder of a job. It is removed when the job is over. */
export type Workbench = {
  /** Writes a file into the folder. Throws VALIDATION_ERROR when the job brings too many bytes along. */
  readonly write: (name: string, bytes: Uint8Array) => Promise<void>;
  readonly read: (name: string) => Promise<Uint8Array>;
  /** Runs ffmpeg and returns the end of what it says. Throws `EncoderFailure`. */
  readonly run: (run: Run) => Promise<string>;
};

/** A run of ffmpeg that ended otherwise than well; `message` is the end of what it said, for the log alone. */
export class EncoderFailure extends Error {
  override readonly name = 'EncoderFailure';
}

type EncoderOptions = {
  /** Path of ffmpeg. */
  readonly ffmpeg: string;
  /** Folder that nobody else writes to: what is found in it was left behind and is removed. */
  readonly folder: string;
};

/**
 * Runs ffmpeg, a bounded number of jobs at once, each in a folder of its own, at low priority, with a limit of time and of bytes, and ends
 * all its processes when it is closed. One per process, made in its composition root.
 */
export class MediaEncoder {
  readonly #ffmpeg: string;
  readonly #folder: string;
  readonly #queue = new PQueue({ concurrency: CONCURRENT_JOBS });
  readonly #children = new Set<ChildProcess>();
  #cleaned: Promise<void> | undefined;
  #isClosed = false;

  constructor({ ffmpeg, folder }: EncoderOptions) {
    this.#ffmpeg = ffmpeg;
    this.#folder = folder;
  }

  /** Removes what a process that was killed left behind. */
  clean(): Promise<void> {
    this.#cleaned ??= rm(this.#folder, { recursive: true, force: true });
    return this.#cleaned;
  }

  /** Does a job when its turn comes. Throws SERVICE_UNAVAILABLE when too many wait already. */
  async encode<T>(job: (bench: Workbench) => Promise<T>, onWaiting: ReportShare = () => undefined): Promise<T> {
    if (this.#isClosed || this.#queue.size >= MAX_WAITING_JOBS) {
      throw new TaskError('SERVICE_UNAVAILABLE', 'As many spots as can wait are being made already.', {
        retryAfter: RETRY_SECONDS,
        suggestion: 'Send the request again in a few minutes.',
      });
    }
    const stopTelling = repeatEvery(HEARTBEAT_MS, async () => onWaiting(0));
    try {
      return await this.#queue.add(async () => {
        stopTelling();
        return this.#runJob(job);
      });
    } finally {
      stopTelling();
    }
  }

  async #runJob<T>(job: (bench: Workbench) => Promise<T>): Promise<T> {
    await this.clean();
    await mkdir(this.#folder, { recursive: true });
    const folder = await mkdtemp(path.join(this.#folder, 'job-'));
    let spare = MAX_JOB_BYTES.inputs;
    try {
      return await job({
        write: async (name, bytes) => {
          spare -= bytes.length;
          if (spare < 0) throw tooMuchMaterial();
          await writeFile(path.join(folder, name), bytes);
        },
        read: async (name) => {
          const file = path.join(folder, name);
          if ((await stat(file)).size > MAX_JOB_BYTES.output) throw new EncoderFailure('The file is too large.');
          return readFile(file);
        },
        run: (run) => this.#run(folder, run),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #run(folder: string, { args, durationMs = 0, onShare = () => undefined }: Run): Promise<string> {
    return new Promise((resolve, reject) => {
      // A group of its own, which ends as a whole.
      const child = spawn(this.#ffmpeg, [...FIRST_ARGUMENTS, ...args], {
        cwd: folder,
        detached: true,
        env: {},
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      this.#children.add(child);
      if (child.pid !== undefined) lowerPriority(child.pid);
      const cancelLimit = callAfter(MAX_RUN_MS, () => killGroup(child));
      const report = new TailBuffer(MAX_REPORT_BYTES);
      child.stderr.on('data', (chunk: Buffer) => report.add(chunk));
      child.stdout.on('data', (chunk: Buffer) => {
        const micros = /out_time_us=(\d+)/.exec(chunk.toString('latin1'))?.[1];
        if (micros !== undefined && durationMs > 0) onShare(Math.min(1, Number(micros) / 1000 / durationMs));
      });
      const settle = (failure: string | undefined): void => {
        cancelLimit();
        this.#children.delete(child);
        if (failure === undefined) resolve(report.text());
        else reject(new EncoderFailure(`${failure}: ${report.text().trim().slice(-2000)}`));
      };
      child.once('error', (error) => settle(error.message));
      child.once('close', (code, signal) => settle(code === 0 ? undefined : `ffmpeg ended with ${signal ?? code}`));
    });
  }

  /** Ends every job: what is being made is lost. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const child of this.#children) killGroup(child);
    await this.#queue.onIdle();
  }
}

/** Nothing is asked, nothing overwritten but files of the job, and progress is told on standard output. */
const FIRST_ARGUMENTS: readonly string[] = [
  '-hide_banner',
  '-nostdin',
  '-y',
  '-nostats',
  // One whose server was killed goes on until it is done; this is when it gives up.
  '-timelimit',
  String((2 * MAX_RUN_MS) / 1000),
  '-max_alloc',
  String(MAX_ALLOCATION_BYTES),
  '-progress',
  'pipe:1',
];

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICENESS);
  } catch {
    // It is gone already, or the system has no priorities.
  }
}

function tooMuchMaterial(): TaskError {
  return new TaskError('VALIDATION_ERROR', 'The pictures, clips and sounds are more than one spot is made of.', {
    field: 'creative_manifest.assets',
    suggestion: `Send at most ${MAX_JOB_BYTES.inputs} bytes of them.`,
  });
}

/** The last bytes of what was added. */
class TailBuffer {
  readonly #most: number;
  #bytes = Buffer.alloc(0);

  constructor(most: number) {
    this.#most = most;
  }

  add(chunk: Buffer): void {
    const joined = Buffer.concat([this.#bytes, chunk]);
    this.#bytes = joined.subarray(Math.max(0, joined.length - this.#most));
  }

  text(): string {
    return this.#bytes.toString('utf8');
  }
}
