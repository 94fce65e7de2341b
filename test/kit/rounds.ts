/**
 * How often each test kills in the check: so often that every point at which it kills comes up, where it has a list of points; for
 * long runs see docs/operations.md.
 */
const KILL_ROUNDS = {
  /** A fault of each kind once. */
  'ad-server': 6,
  /** Before the first decision is answered, and after each of the next. */
  approvals: 5,
  /** Each of three processes twice. */
  cluster: 6,
  /** Before the decision leaves the agent and after it, twice. */
  governance: 4,
  /** A millisecond later in each, up to ten. */
  inventory: 10,
  'kill-9': 6,
  'manual-orders': 6,
  /** Each of the seven points of the longest chapter. */
  mirror: 7,
  'operator-farm': 4,
  /** At six points in each. */
  outbox: 4,
  previews: 4,
  receiver: 4,
  /** At chance. */
  receivers: 6,
  /** Each of two registries twice. */
  registry: 4,
} as const;

/** Returns how often a test kills; KILL_ROUNDS in the environment sets it for a long run. */
export function killRounds(test: keyof typeof KILL_ROUNDS): number {
  return Number(process.env.KILL_ROUNDS ?? KILL_ROUNDS[test]);
}
