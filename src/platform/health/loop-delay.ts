import type { Log } from '../kernel/log.js';
import { type Loop, startLoop } from '../kernel/loop.js';

/** Between two samples. */
const SAMPLE_MS = 500;
/** Samples that are looked at: the last five seconds. */
const MAX_SAMPLES = 10;

/** Measures how late the event loop runs what is due. */
export class LoopDelay {
  readonly #nowMs: () => number;
  readonly #loop: Loop;
  readonly #samples: number[] = [];
  #dueMs: number;

  /** `nowMs`: a clock that nobody sets. */
  constructor(nowMs: () => number, log: Log) {
    this.#nowMs = nowMs;
    this.#dueMs = nowMs() + SAMPLE_MS;
    this.#loop = startLoop('loop delay', SAMPLE_MS, log, async () => this.#sample());
  }

  /** Returns the longest delay of the last five seconds, in milliseconds; one that goes on now counts. */
  maxMs(): number {
    return Math.round(Math.max(0, this.#nowMs() - this.#dueMs, ...this.#samples));
  }

  /** Stops measuring. */
  close(): Promise<void> {
    return this.#loop.stop();
  }

  #sample(): void {
    const nowMs = this.#nowMs();
    this.#samples.push(Math.max(0, nowMs - this.#dueMs));
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
    this.#dueMs = nowMs + SAMPLE_MS;
  }
}
