/**
 * Steps that no agent passes over A2A with @adcp/sdk 6.11.0: its unwrapper reads the data of a Task in the state completed alone
 * (`unwrapA2AResponse`), so that the error of a failed Task, and the acknowledgment of one that goes on, never reach their check.
 */
const UNREADABLE = {
  'the client reads no error of a failed Task': [
    'negative_budget',
    'nonexistent_product',
    'reversed_dates_error',
    'validate_error_shape',
    'unsupported_major_version',
    'validate_transport_binding',
    'create_media_buy_missing_key',
    'create_media_buy_conflict',
    'reversed_dates',
    'update_unknown_media_buy',
    'update_unknown_package',
    'create_media_buy_aggressive_terms',
    'pause_canceled_buy',
  ],
  'the client reads no acknowledgment of a Task that goes on': ['create_media_buy_submitted'],
};

/** Returns a row with its unreadable steps among the skipped ones. */
export function withoutUnreadable(row) {
  const { faults = [] } = row;
  const reasons = faults.map((fault) => reasonOf(fault.split(':', 1)[0]));
  const left = faults.filter((_fault, index) => reasons[index] === undefined);
  const named = reasons.filter((reason) => reason !== undefined);
  return {
    ...row,
    faults: left,
    failed: row.failed - named.length,
    skipped: row.skipped + named.length,
    why: [...new Set([...row.why, ...named])],
  };
}

function reasonOf(step) {
  return Object.entries(UNREADABLE).find(([, steps]) => steps.includes(step))?.[0];
}
