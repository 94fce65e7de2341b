import { type Artifact, readArtifact } from './artifact.js';
import { BuiltInJudge, type Opinion } from './rules.js';
import { type ContentPolicy, type ContentStandard, type DeliveredAt, outOfScope } from './standard.js';

/** The outcome of a standard's feature for an artifact; ids that begin with `record:` are this agent's own checks. */
type FeatureResult = {
  readonly feature_id: string;
  readonly status: 'passed' | 'failed' | 'warning' | 'unevaluated';
  readonly policy_id?: string | undefined;
  readonly explanation: string;
  readonly confidence?: number | undefined;
};

/** A standard's verdict on an artifact, with its reasons. */
export type Judgement = {
  readonly verdict: 'pass' | 'fail';
  readonly explanation: string;
  readonly confidence?: number | undefined;
  readonly features: readonly FeatureResult[];
};

/** A second judge, asked about what the built-in one cannot decide. */
export type SecondJudge = (
  artifact: Artifact,
  policies: readonly ContentPolicy[],
) => Promise<ReadonlyMap<string, Opinion>>;

/** A piece of content to be judged, and where it was delivered. */
export type Delivered = DeliveredAt & { readonly artifact: unknown };

type JudgeOptions = {
  readonly nowMs: number;
  /** Features to be judged; all unless set. */
  readonly featureIds?: readonly string[] | undefined;
  readonly second?: SecondJudge | undefined;
};

const NOBODY: Opinion = { outcome: 'undecided', reason: 'It is in words that this agent does not judge by itself.' };
const A_PERSON: Opinion = {
  outcome: 'undecided',
  reason: 'The policy wants a person to decide, and nobody reviews here.',
};

/** Judges artifacts by one standard: first its rules, then what its buyer has decided, then the second judge where there is one. */
export class StandardJudge {
  readonly #standard: ContentStandard;
  readonly #policies: readonly ContentPolicy[];
  readonly #builtIn: BuiltInJudge;
  readonly #options: JudgeOptions;

  constructor(standard: ContentStandard, options: JudgeOptions) {
    const { featureIds, nowMs } = options;
    this.#standard = standard;
    this.#options = options;
    this.#policies = standard.policies.filter(
      (policy) =>
        isInTime(policy, nowMs) &&
        isAboutContent(policy) &&
        (featureIds === undefined || featureIds.some((id) => listFeatures(policy).includes(id))),
    );
    this.#builtIn = new BuiltInJudge(this.#policies.filter((policy) => policy.requires_human_review !== true));
  }

  /** Returns what the standard says of a piece of content. A record passes only where every policy that must be met was found met. */
  async judge({ artifact: given, country, channel }: Delivered): Promise<Judgement> {
    const artifact = readArtifact(given);
    if (typeof artifact === 'string') return judgeMalformed(artifact);
    const outside = outOfScope(this.#standard, artifact, { country, channel });
    if (outside !== undefined) return notCovered(outside);
    const policies = this.#policies.filter((policy) => isConcerned(policy, { country, channel }));
    const exemplar = findExemplar(this.#standard, artifact);
    const opinions = await this.#opinions(artifact, policies, exemplar);
    const results = policies.map((policy) =>
      toResult(policy, opinions.get(policy.policy_id) ?? NOBODY, this.#options.nowMs),
    );
    if (exemplar === 'fail')
      results.push({
        feature_id: 'record:exemplar',
        status: 'failed',
        explanation: 'The standard has this very artifact among its examples of what fails.',
      });
    return summarize(results, policies);
  }

  async #opinions(
    artifact: Artifact,
    policies: readonly ContentPolicy[],
    exemplar: 'pass' | 'fail' | undefined,
  ): Promise<ReadonlyMap<string, Opinion>> {
    const opinions = new Map<string, Opinion>(await this.#builtIn.judge(artifact));
    const open = policies.filter(({ policy_id }) => (opinions.get(policy_id) ?? NOBODY).outcome === 'undecided');
    for (const { policy_id, requires_human_review } of open)
      if (exemplar === 'pass')
        opinions.set(policy_id, {
          outcome: 'met',
          reason: 'The standard has this very artifact among its examples of what passes.',
        });
      else if (requires_human_review === true) opinions.set(policy_id, A_PERSON);
    const { second } = this.#options;
    const asked = open.filter((policy) => policy.requires_human_review !== true);
    if (second === undefined || exemplar !== undefined || asked.length === 0) return opinions;
    return new Map([...opinions, ...(await second(artifact, asked))]);
  }
}

/** Returns the features that a policy is of: its categories, and itself. */
export function listFeatures({ policy_id, policy_categories = [] }: ContentPolicy): readonly string[] {
  return [...policy_categories, policy_id];
}

function isInTime({ sunset_date: end }: ContentPolicy, nowMs: number): boolean {
  return end === undefined || Date.parse(end) >= nowMs;
}

function isAboutContent({ governance_domains: domains }: ContentPolicy): boolean {
  return domains === undefined || domains.length === 0 || domains.includes('content_standards');
}

function isConcerned(
  { channels, jurisdictions = [], region_aliases: aliases = {} }: ContentPolicy,
  { country, channel }: DeliveredAt,
): boolean {
  const markets = jurisdictions.flatMap((one) => (Object.hasOwn(aliases, one) ? (aliases[one] ?? []) : [one]));
  const isElsewhere = country !== undefined && markets.length > 0 && !markets.includes(country.toUpperCase());
  const isOnAnother = channel !== undefined && channels != null && !channels.includes(channel);
  return !isElsewhere && !isOnAnother;
}

/** Returns the decision of the standard's buyer about this artifact: under the same id, or at the same address. */
function findExemplar(
  { calibration_exemplars: exemplars = {} }: ContentStandard,
  artifact: Artifact,
): 'pass' | 'fail' | undefined {
  const isSame = (other: Artifact): boolean =>
    (other.property_rid === artifact.property_rid &&
      other.artifact_id === artifact.artifact_id &&
      other.variant_id === artifact.variant_id) ||
    (typeof other.url === 'string' && other.url === artifact.url);
  if (exemplars.fail?.some(isSame)) return 'fail';
  return exemplars.pass?.some(isSame) ? 'pass' : undefined;
}

function toResult(policy: ContentPolicy, { outcome, reason, confidence }: Opinion, nowMs: number): FeatureResult {
  const { policy_id, enforcement, effective_date: start } = policy;
  const isBinding = enforcement === 'must' && (start === undefined || Date.parse(start) <= nowMs);
  const status = { met: 'passed', undecided: 'unevaluated', broken: isBinding ? 'failed' : 'warning' } as const;
  return {
    feature_id: listFeatures(policy)[0] ?? policy_id,
    status: status[outcome],
    policy_id,
    explanation: reason,
    confidence,
  };
}

function summarize(results: readonly FeatureResult[], policies: readonly ContentPolicy[]): Judgement {
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.length > 0) {
    const names = failed.map(({ policy_id, feature_id }) => policy_id ?? feature_id).slice(0, 10);
    const confidence = maxConfidence(failed);
    return { verdict: 'fail', explanation: `It breaks ${names.join(', ')}.`, confidence, features: results };
  }
  const musts = new Set(policies.flatMap(({ policy_id, enforcement }) => (enforcement === 'must' ? policy_id : [])));
  const open = results.flatMap(({ status, policy_id = '' }) =>
    status === 'unevaluated' && musts.has(policy_id) ? policy_id : [],
  );
  if (open.length > 0) {
    const explanation = `Nothing was found against it, but it was not decided whether it meets ${open.slice(0, 10).join(', ')}, which it must.`;
    const undecided: FeatureResult = { feature_id: 'record:undecided', status: 'failed', explanation };
    return { verdict: 'fail', explanation, features: [...results, undecided] };
  }
  const warned = results.filter(({ status }) => status === 'warning').length;
  const explanation = `It meets every policy that must be met${warned === 0 ? '' : `; ${warned} that should be met ${warned === 1 ? 'is' : 'are'} not`}.`;
  return { verdict: 'pass', explanation, confidence: minConfidence(results), features: results };
}

/** Returns the highest confidence, as one certain reason is enough to fail. */
function maxConfidence(results: readonly FeatureResult[]): number {
  return Math.max(...results.map(({ confidence = 1 }) => confidence));
}

function minConfidence(results: readonly FeatureResult[]): number {
  return Math.min(1, ...results.map(({ confidence = 1 }) => confidence));
}

function judgeMalformed(explanation: string): Judgement {
  const feature: FeatureResult = { feature_id: 'record:malformed_artifact', status: 'failed', explanation };
  return { verdict: 'fail', explanation, confidence: 1, features: [feature] };
}

/** Returns the judgement of content that a standard does not cover: it breaks none of its policies. */
function notCovered(explanation: string): Judgement {
  const feature: FeatureResult = { feature_id: 'record:out_of_scope', status: 'unevaluated', explanation };
  return { verdict: 'pass', explanation, features: [feature] };
}
