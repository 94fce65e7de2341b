/**
 * Rows of the table. A row is `{ name, passed, failed, skipped, why, unexplained }`: steps counted, the reasons of the skipped ones in
 * words, and the skipped ones that nothing explains.
 */

/** One row per storyboard of an assessment; `unrolled` are results of those that the report counts in its totals alone. */
export function rowsOf(report, unrolled) {
  const boards = new Map(report.storyboards_executed.map((id) => [id, []]));
  for (const { scenario, steps = [] } of report.tracks.flatMap((track) => track.scenarios))
    boards.get(boardOf(report, scenario)).push(...steps.map((step) => ({ ...step, detail: step.warnings?.[0] })));
  for (const { storyboard_id, phases } of unrolled)
    boards.get(storyboard_id).push(...phases.flatMap(({ steps }) => steps.map(plain)));
  const tools = new Set(report.agent_profile.tools);
  return [...boards].map(([name, steps]) => rowOf(name, steps, tools));
}

/** A step of a storyboard's own result in the form that the assessment has: the reason in its own words, where it has any. */
export function plain({ passed, skipped = false, skip_reason, skip, error, step_id }) {
  const own = skip?.reason === undefined || skip.reason === skip_reason;
  return own
    ? { passed, skipped, skip_reason, detail: skip?.detail, error, step_id }
    : { passed, skipped, skip_reason: skip.reason, detail: ownWords(skip_reason, skip.detail), error, step_id };
}

/** Reasons that the SDK gives by a name alone, beside a sentence that says something else. */
const NAMED = [
  [/^oauth_not_advertised/, 'OAuth is not advertised'],
  [/^(mcp_mode_flattens_url_edges|transport_ungradable)/, 'vectors that a tools/call cannot carry'],
  [/^0(07|18)-/, 'vectors of a contrary digest policy'],
  [/^020-/, 'the cap on signatures, graded apart'],
  [/^025-/, 'a key that no server can be given'],
];

function ownWords(name, detail) {
  return NAMED.find(([pattern]) => pattern.test(name))?.[1] ?? detail;
}

function boardOf(report, scenario) {
  const ids = report.storyboards_executed.filter((id) => scenario === id || scenario.startsWith(`${id}/`));
  return ids.sort((a, b) => b.length - a.length)[0] ?? scenario;
}

/** Counts the steps of one storyboard and explains those that were skipped. */
export function rowOf(name, steps, tools) {
  const skipped = steps.filter((step) => step.skipped);
  const why = [...new Set(skipped.map((step) => explain(step, tools)))].filter(
    (text) => text !== undefined && text !== '',
  );
  const failed = steps.filter((step) => !step.passed && !step.skipped).length;
  const unexplained = skipped.filter((step) => {
    const text = explain(step, tools);
    return text === undefined || (text === '' && why.length === 0 && failed === 0);
  });
  return {
    name,
    passed: steps.filter((step) => step.passed && !step.skipped).length,
    failed,
    skipped: skipped.length,
    why,
    unexplained: unexplained.map((step) => `${step.skip_reason}: ${step.detail ?? ''}`),
  };
}

/**
 * Why a step was skipped: a tool that the agent does not list, a capability that it does not declare, a branch that was not taken. Empty
 * for one that only follows from another of its storyboard; undefined where nothing explains it.
 */
function explain({ skip_reason: reason, detail = '' }, tools) {
  return EXPLANATIONS[reason]?.(detail, tools);
}

const EXPLANATIONS = {
  missing_tool: missingTools,
  missing_test_controller: (_detail, tools) =>
    tools.has('comply_test_controller') ? undefined : 'no tool: comply_test_controller',
  not_applicable: (detail) => {
    const undeclared = /does not support: (.+)/.exec(detail)?.[1];
    return undeclared === undefined ? detail : `not declared: ${undeclared}`;
  },
  prerequisite_failed: () => '',
  peer_branch_taken: () => 'the other branch was taken',
};

/** The runner's sentences about tools that the agent does not list. */
const MISSING = [
  /advertise tool "([^"]+)"/,
  /advertise any of \[([^\]]+)\]/,
  /^Required tool "([^"]+)" not advertised/,
];

function missingTools(detail, tools) {
  const named = MISSING.map((pattern) => pattern.exec(detail)?.[1]).find((names) => names !== undefined);
  if (named === undefined) return undefined;
  const names = named.split(', ');
  if (names.some((name) => tools.has(name))) return undefined;
  // Checks of the runner's own webhook receiver, which skip with the call that would have made it ring.
  if (names.every((name) => name.startsWith('expect_'))) return '';
  return `no tool: ${names.join(', ')}`;
}
