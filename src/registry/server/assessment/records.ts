import type { Compliance } from '../../model/records.js';

/** Who had an assessment be made. */
export type AssessmentTrigger = 'schedule' | 'owner' | 'operator';

/** An assessment that was made, without its findings. Instants in milliseconds. */
export type AssessmentRun = {
  readonly id: string;
  readonly at: number;
  readonly tookMs: number;
  readonly requests: number;
  readonly trigger: AssessmentTrigger;
  readonly status: Compliance['status'];
  readonly headline: string;
  readonly tracks: Readonly<Record<string, string>>;
  readonly release: string | null;
};

/** The assessments of an agent whose member consents to them; there is none for another. Instants in milliseconds. */
export type AssessmentState = {
  /** Canonical. */
  readonly agent_url: string;
  readonly consentedAt: number;
  readonly dueAt: number;
  readonly intervalHours: number;
  readonly pausedAt?: number | undefined;
  /** Who asked for the one that is due, where somebody did. */
  readonly askedBy?: AssessmentTrigger | undefined;
  /** Assessments in a row that could not reach the agent. */
  readonly misses: number;
  /** Roles of the badges that assessments gave. */
  readonly roles: readonly string[];
  /** The newest first. */
  readonly runs: readonly AssessmentRun[];
};

/** Assessments of an agent that are remembered. */
export const MAX_RUNS = 30;
/** Hours between two assessments. */
export const INTERVAL_HOURS = { usual: 24, least: 6, most: 168 } as const;
