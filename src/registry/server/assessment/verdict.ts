import type { Assessment } from '../../assessment/assess.js';
import { SPECIALISMS } from '../../assessment/specialisms.js';
import type { Compliance } from '../../model/records.js';

/** A badge that an assessment speaks for. */
type EarnedBadge = { readonly role: string; readonly specialisms: readonly string[] };

/** The verdict of an assessment. */
export type AssessmentVerdict = {
  readonly compliance: Required<Omit<Compliance, 'last_checked_at'>> & { readonly headline: string };
  /** Whether it says anything about the agent: one that could not be reached, or asked to the end, is asked again. */
  readonly isConclusive: boolean;
  readonly badges: readonly EarnedBadge[];
  /** The newest release that the agent declares. */
  readonly release: string | null;
};

const UNREACHED = 'The agent could not be reached.';
const CUT = 'The agent took longer, or answered more, than an assessment allows.';
const CLOSED = 'What the agent shows without a key keeps to the protocol; its tools are shown to holders of a key.';
const SOUND = 'Nothing was found against the protocol.';

/** Returns what an assessment from outside comes to: compliance by its findings, and badges for the specialisms that nothing was seen against. */
export function judgeAssessment({ agent, badge, checks, findings, isCut }: Assessment): AssessmentVerdict {
  const errors = findings.filter(({ severity }) => severity === 'error').map(({ check }) => check);
  const warnings = findings.filter(({ severity }) => severity === 'warning').map(({ check }) => check);
  const isReached = !errors.includes('reach.answers');
  const hasTools = checks.some(({ check, status }) => check === 'tools.listed' && status !== 'skipped');
  const applying = badge.storyboards.filter(({ outcome }) => outcome !== 'skipped');
  const open = applying.filter(({ outcome }) => outcome === 'open');
  const summary = (): readonly [status: Compliance['status'], headline: string] => {
    if (!isReached) return ['failing', UNREACHED];
    if (errors.length > 0) return ['failing', `Against the protocol: ${errors.join(', ')}.`];
    if (isCut) return ['unknown', CUT];
    if (!hasTools) return ['unknown', CLOSED];
    if (warnings.length > 0) return ['degraded', `To look at: ${warnings.join(', ')}.`];
    return ['passing', SOUND];
  };
  const [status, headline] = summary();
  const isSound = status === 'passing' || status === 'degraded';
  return {
    compliance: {
      status,
      headline,
      tracks: tracksOf(checks, { errors, warnings }),
      storyboards_passing: hasTools ? open.length : 0,
      storyboards_total: applying.length,
    },
    isConclusive: isReached && (!isCut || errors.length > 0),
    badges: isSound && badge.isPossible ? badgesOf(open.flatMap(({ specialism }) => specialism ?? [])) : [],
    release:
      agent.releases
        .filter((one) => /^\d{1,3}\.\d{1,3}$/.test(one))
        .toSorted(byRelease)
        .at(-1) ?? null,
  };
}

/** Returns how each part of the checks went: the word before the dot of their ids. */
function tracksOf(
  checks: Assessment['checks'],
  { errors, warnings }: Readonly<Record<'errors' | 'warnings', readonly string[]>>,
): Readonly<Record<string, string>> {
  const tracks = new Map<string, string[]>();
  for (const { check, status } of checks) {
    const [track = check] = check.split('.');
    tracks.set(track, [...(tracks.get(track) ?? []), status === 'fault' ? check : status]);
  }
  const outcome = (seen: readonly string[]): string => {
    if (seen.some((check) => errors.includes(check))) return 'fail';
    if (seen.some((check) => warnings.includes(check))) return 'partial';
    return seen.every((status) => status === 'skipped') ? 'skip' : 'pass';
  };
  return Object.fromEntries([...tracks].map(([track, seen]) => [track, outcome(seen)]));
}

function badgesOf(specialisms: readonly string[]): readonly EarnedBadge[] {
  const roles = new Map<string, string[]>();
  for (const specialism of specialisms) {
    const role = SPECIALISMS.get(specialism)?.protocol?.replaceAll('_', '-');
    if (role !== undefined) roles.set(role, [...(roles.get(role) ?? []), specialism]);
  }
  return [...roles].map(([role, of]) => ({ role, specialisms: of.toSorted() }));
}

function byRelease(a: string, b: string): number {
  const [x = 0, y = 0] = a.split('.').map(Number);
  const [u = 0, v = 0] = b.split('.').map(Number);
  return x - u || y - v;
}
