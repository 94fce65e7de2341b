import { isoTime } from '../../../platform/kernel/clock.js';
import type { AgentFinding, Assessment } from '../assess.js';

/** Words for each weight, as people read them. */
const SEVERITY_WORDS = { error: 'fail', warning: 'warn', note: 'note' } as const;

/** Returns findings with those that weigh most first. */
export function byWeight(findings: readonly AgentFinding[]): readonly AgentFinding[] {
  const weights = Object.keys(SEVERITY_WORDS);
  return [...findings].sort((a, b) => weights.indexOf(a.severity) - weights.indexOf(b.severity));
}

/** Whether an agent does what the protocol demands: no finding is an error. */
export function isSound({ findings }: Assessment): boolean {
  return !findings.some(({ severity }) => severity === 'error');
}

/** Returns a report as lines for a terminal. */
export function assessmentText(assessment: Assessment): string {
  const { agent, checks, findings, isCut, url } = assessment;
  const skipped = checks.filter(({ status }) => status === 'skipped');
  return [
    `${agent.name ?? 'An agent'} at ${url}`,
    ...byWeight(findings).flatMap(findingLines),
    '',
    assessmentSummary(assessment),
    ...skippedLines(skipped),
    forecastLine(assessment),
    ...(isCut ? ['A bound was reached, and the rest was not asked.'] : []),
  ].join('\n');
}

/** Returns the counts of a report as one sentence. */
export function assessmentSummary({ checks, findings, requests, startedAt, tookMs }: Assessment): string {
  const count = (severity: AgentFinding['severity']): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const status = (wanted: string): number => checks.filter((check) => check.status === wanted).length;
  return `${status('ok')} ok, ${count('error')} failed, ${count('warning')} to look at, ${count('note')} noted, ${status('skipped')} not asked; ${requests} requests in ${(tookMs / 1000).toFixed(1)} s at ${isoTime(startedAt)}.`;
}

function findingLines({ check, fix, reference, rule, seen, severity }: AgentFinding): readonly string[] {
  return [
    '',
    `${SEVERITY_WORDS[severity]}  ${check}`,
    ...seen.map((line) => `      seen: ${line}`),
    `      rule: ${rule} (${reference.name}, ${reference.url})`,
    `      fix: ${fix}`,
  ];
}

function skippedLines(skipped: Assessment['checks']): readonly string[] {
  return skippedByReason(skipped).map(([why, checks]) => `Not asked, ${why}: ${checks.join(', ')}.`);
}

/** Returns the names of checks that were not carried out, by the reason. */
export function skippedByReason(
  skipped: Assessment['checks'],
): readonly (readonly [why: string, checks: readonly string[]])[] {
  const byReason = new Map<string, string[]>();
  for (const { check, why = '' } of skipped) byReason.set(why, [...(byReason.get(why) ?? []), check]);
  return [...byReason];
}

function forecastLine({ badge: { isPossible, storyboards, suite } }: Assessment): string {
  const named = suite === undefined ? 'Of the public suite, which was not run,' : `Of the public suite ${suite}`;
  const failing = storyboards.filter(({ outcome }) => outcome === 'fails');
  if (failing.length > 0)
    return `${named} would fail: ${failing.map(({ storyboard, why }) => `${storyboard} (${why})`).join(', ')}.`;
  const of = (wanted: string): string =>
    storyboards.flatMap(({ outcome, storyboard }) => (outcome === wanted ? storyboard : [])).join(', ');
  if (!isPossible) return 'Which storyboards of the public suite apply is shown to holders of a key.';
  const passed = of('passes');
  const ran = passed === '' ? '' : ` Those that only read were run, and passed: ${passed}.`;
  return `${named} would apply, and nothing was seen against them: ${of('open')}.${ran}`;
}
