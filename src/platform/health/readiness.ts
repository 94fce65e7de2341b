import { type Clock, SECOND_MS } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import { startDeadline } from '../kernel/loop.js';

/** The state of a part: a degraded one needs a person and goes on answering, an ill one makes the process unready. */
type PartStatus = 'ok' | 'degraded' | 'ill';

/** The outcome of a check. Anybody may read it: no path, no name of a tenant and no secret belongs in it. */
export type PartReport = {
  readonly status: PartStatus;
  /** What is wrong and what to do, for a part that is not ok. */
  readonly message?: string | undefined;
  readonly [fact: string]: unknown;
};

/** A named part of the process, and how its state is found out. A check that throws or takes too long has found it ill. */
export type HealthCheck = { readonly name: string; readonly run: () => PartReport | Promise<PartReport> };

/** The state of the process as `/readyz` tells it. */
type ReadinessReport = {
  readonly isReady: boolean;
  /** Names of the parts that are not ok. */
  readonly ill: readonly string[];
  readonly degraded: readonly string[];
  readonly parts: Readonly<Record<string, PartReport>>;
};

/** How long one outcome is given to everybody who asks: checks write to the disk. */
const MAX_AGE_MS = SECOND_MS;
/** A part that does not answer within this time is ill. */
const CHECK_MS = 2 * SECOND_MS;

/** The checks of a process, run when somebody asks and at most once a second. */
export class Readiness {
  readonly #checks: readonly HealthCheck[];
  readonly #clock: Clock;
  readonly #log: Log;
  #last: { readonly atMs: number; readonly report: Promise<ReadinessReport> } | undefined;
  #wasIll = '';

  constructor(checks: readonly HealthCheck[], { clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#checks = checks;
    this.#clock = clock;
    this.#log = log;
  }

  /** Returns the state of every part, at most a second old; never rejects. */
  report(): Promise<ReadinessReport> {
    const nowMs = this.#clock.now();
    // A clock that was set back would hold an old outcome for long.
    if (this.#last !== undefined && Math.abs(nowMs - this.#last.atMs) < MAX_AGE_MS) return this.#last.report;
    const report = this.#run();
    this.#last = { atMs: nowMs, report };
    return report;
  }

  async #run(): Promise<ReadinessReport> {
    const parts = await Promise.all(this.#checks.map(async (check) => [check.name, await runCheck(check)] as const));
    const named = (status: PartStatus): string[] =>
      parts.flatMap(([name, part]) => (part.status === status ? [name] : []));
    const ill = named('ill');
    this.#logChange(ill, Object.fromEntries(parts));
    return { isReady: ill.length === 0, ill, degraded: named('degraded'), parts: Object.fromEntries(parts) };
  }

  /** Says in the log when parts fall ill and when they are well again, once each. */
  #logChange(ill: readonly string[], parts: Readonly<Record<string, PartReport>>): void {
    const now = ill.join(', ');
    if (now === this.#wasIll) return;
    this.#wasIll = now;
    if (now === '') this.#log.warn('the server is ready again');
    else this.#log.error({ ill: ill.map((name) => ({ name, ...parts[name] })) }, `the server is not ready: ${now}`);
  }
}

async function runCheck({ name, run }: HealthCheck): Promise<PartReport> {
  const deadline = startDeadline(CHECK_MS);
  try {
    return await Promise.race([run(), deadline.passed]);
  } catch {
    return { status: 'ill', message: deadline.isOver() ? `${name} did not answer in time` : `${name} failed` };
  } finally {
    deadline.end();
  }
}
