/**
 * The step of security_baseline that calls a protected task with a wrong key. The runner takes one of five tasks for that, of sales,
 * creative and signals agents; a governance agent has none of them. That it refuses wrong keys is proven in `test/seller/http/auth.test.ts`.
 */
const UNPROBED = { board: 'security_baseline', step: 'assert_mechanism' };
const WHY = 'the runner probes keys with tasks of other agents';

/** Returns a row with the step that no governance agent passes among the skipped ones. */
export function withoutProbe(row) {
  const { faults = [] } = row;
  const left = faults.filter((fault) => row.name !== UNPROBED.board || fault.split(':', 1)[0] !== UNPROBED.step);
  const moved = faults.length - left.length;
  if (moved === 0) return row;
  return {
    ...row,
    faults: left,
    failed: row.failed - moved,
    skipped: row.skipped + moved,
    why: [...row.why, WHY],
  };
}
