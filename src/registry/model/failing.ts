/** A publisher whose last reading came to nothing, in the members of the wire. */
export type FailingCrawl = {
  readonly domain: string;
  readonly reason: string;
  readonly message: string;
  readonly fix: string;
  readonly failures: number;
  readonly attempted_at: string;
  readonly next_attempt_at: string;
  /** When the file was read last; null for never. */
  readonly read_at: string | null;
  /** Whether the last good copy still counts. */
  readonly copy_counts: boolean;
};

/** An agent of a member that could not be visited, in the members of the wire. */
export type FailingVisit = {
  readonly agent_url: string;
  readonly name: string;
  readonly org_id: string;
  readonly reason: string;
  readonly message: string;
  readonly fix: string;
  readonly failures: number;
  readonly attempted_at: string;
  readonly next_attempt_at: string;
  /** When it was read last; null for never. */
  readonly read_at: string | null;
};
