/** A reading that came to nothing, in the members of the wire. */
type FailingReading = {
  readonly reason: string;
  readonly message: string;
  readonly fix: string;
  readonly failures: number;
  readonly attempted_at: string;
  readonly next_attempt_at: string;
  /** When there was something to read last; null for never. */
  readonly read_at: string | null;
};

/** A publisher whose file could not be read. */
export type FailingCrawl = FailingReading & {
  readonly domain: string;
  /** Whether the last good copy still counts. */
  readonly copy_counts: boolean;
};

/** An agent of a member that could not be visited. */
export type FailingVisit = FailingReading & {
  readonly agent_url: string;
  readonly name: string;
  readonly org_id: string;
};
