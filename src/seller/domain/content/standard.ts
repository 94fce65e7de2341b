import { refuseField, TaskError } from '../../../protocol/errors.js';
import type { Artifact } from './artifact.js';
import { listLanguages, primaryTag, splitWords } from './artifact.js';

/** The rules that a policy can be checked by without understanding its words: `ext.content_rules` of the policy. */
export type ContentRules = {
  /** Words or phrases of which none may occur. */
  readonly blocked_words?: readonly string[] | undefined;
  /** Words or phrases of which one has to occur. */
  readonly required_words?: readonly string[] | undefined;
  readonly blocked_categories?: readonly string[] | undefined;
  /** BCP 47 tags: every text is in one of them. */
  readonly languages?: readonly string[] | undefined;
  /** The least of each score that the artifact's metadata has to give. */
  readonly min_scores?: Readonly<Record<string, number>> | undefined;
  readonly requires?: readonly ContentDemand[] | undefined;
};

/** What an artifact can be demanded to have. */
export const CONTENT_DEMANDS = ['alt_text', 'title', 'transcript', 'provenance', 'published_time'] as const;
export type ContentDemand = (typeof CONTENT_DEMANDS)[number];

/** A policy of a standard, as its buyer wrote it. */
export type ContentPolicy = {
  readonly policy_id: string;
  readonly enforcement: 'must' | 'should' | 'may';
  readonly policy: string;
  readonly name?: string | undefined;
  readonly policy_categories?: readonly string[] | undefined;
  readonly channels?: readonly string[] | null | undefined;
  readonly jurisdictions?: readonly string[] | undefined;
  readonly region_aliases?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly governance_domains?: readonly string[] | undefined;
  /** Dates of ISO 8601. */
  readonly effective_date?: string | undefined;
  readonly sunset_date?: string | undefined;
  readonly requires_human_review?: boolean | undefined;
  readonly exemplars?: Readonly<Record<string, unknown>> | undefined;
  readonly ext?: { readonly content_rules?: ContentRules | undefined } & Readonly<Record<string, unknown>>;
};

/** Where a standard applies. */
export type ContentScope = {
  readonly countries_all?: readonly string[] | undefined;
  readonly channels_any?: readonly string[] | undefined;
  readonly languages_any: readonly string[];
  readonly description?: string | undefined;
};

/** Content about which the buyer has decided. */
export type Exemplars = {
  readonly pass?: readonly Artifact[] | undefined;
  readonly fail?: readonly Artifact[] | undefined;
};

/** A buyer's standard for content beside its ads: scope, policies, and exemplars. */
export type ContentStandard = {
  readonly standards_id: string;
  /** From 1; every update is the next. */
  readonly version: number;
  readonly scope: ContentScope;
  readonly policies: readonly ContentPolicy[];
  readonly calibration_exemplars?: Exemplars | undefined;
};

/** The members of a standard that an update replaces. */
export type StandardChanges = {
  readonly scope?: (Omit<ContentScope, 'languages_any'> & Partial<ContentScope>) | undefined;
  readonly policies?: readonly ContentPolicy[] | undefined;
  readonly calibration_exemplars?: Exemplars | undefined;
};

/** Most words and phrases in the rules of a standard. */
const MAX_STANDARD_WORDS = 5000;

/** Most words of a phrase. */
const MAX_PHRASE_WORDS = 8;

/** Most bytes of a standard, so that a page of a list stays within what clients take. */
const MAX_STANDARD_BYTES = 128 * 1024;

/** Returns a standard after an update: what it brings replaces what was there; without languages those of before go on. */
export function changeStandard(before: ContentStandard, changes: StandardChanges): ContentStandard {
  const { scope, policies, calibration_exemplars } = changes;
  return {
    ...before,
    version: before.version + 1,
    scope:
      scope === undefined
        ? before.scope
        : { ...scope, languages_any: scope.languages_any ?? before.scope.languages_any },
    policies: policies ?? before.policies,
    calibration_exemplars: calibration_exemplars ?? before.calibration_exemplars,
  };
}

/** Judges a standard beyond its shape. Throws INVALID_REQUEST with the field. */
export function checkStandard(standard: ContentStandard): void {
  checkPolicies(standard);
  checkPhrases(standard);
  checkExemplars(standard);
  if (Buffer.byteLength(JSON.stringify(standard)) > MAX_STANDARD_BYTES)
    throw refuseField(
      'calibration_exemplars',
      `A standard has at most ${MAX_STANDARD_BYTES} bytes.`,
      'Send exemplars with the texts that matter alone, or fewer of them.',
    );
}

function checkPolicies({ policies }: ContentStandard): void {
  const seen = new Set<string>();
  for (const [index, { policy_id, channels }] of policies.entries()) {
    const field = `policies[${index}].policy_id`;
    if (/[:/]/.test(policy_id))
      throw refuseField(
        field,
        'A policy of your own has neither colons nor slashes in its id.',
        'Send a flat policy_id.',
      );
    if (seen.has(policy_id))
      throw refuseField(
        field,
        'Two policies have the same id.',
        'Send a policy_id that no other policy of the standard has.',
      );
    seen.add(policy_id);
    if (channels?.length === 0)
      throw refuseField(
        `policies[${index}].channels`,
        'A policy for no channel would never be judged.',
        'Leave channels out for all of them.',
      );
  }
}

function checkPhrases({ policies }: ContentStandard): void {
  const phrases = policies.flatMap(listPhrases);
  const long = phrases.find((phrase) => splitWords(phrase).length > MAX_PHRASE_WORDS);
  if (long !== undefined)
    throw refuseField(
      'policies',
      `A phrase has at most ${MAX_PHRASE_WORDS} words: "${long}".`,
      'Send what is typical of it.',
    );
  const words = phrases.length;
  if (words > MAX_STANDARD_WORDS)
    throw refuseField(
      'policies',
      `The rules of a standard have at most ${MAX_STANDARD_WORDS} words and phrases; these have ${words}.`,
      'Spread them over several standards.',
    );
}

function checkExemplars(standard: ContentStandard): void {
  for (const [index, artifact] of listExemplars(standard).entries())
    if (artifact.assets.some(({ access }) => access !== undefined))
      throw refuseField(
        'calibration_exemplars',
        `Exemplar ${index + 1} has credentials, and this agent opens no file of an artifact.`,
        'Send exemplars with their texts, and without access.',
      );
}

function listExemplars({ calibration_exemplars: { pass = [], fail = [] } = {} }: ContentStandard): readonly Artifact[] {
  return [...pass, ...fail];
}

function listPhrases({ ext }: ContentPolicy): readonly string[] {
  const { blocked_words = [], required_words = [] } = ext?.content_rules ?? {};
  return [...blocked_words, ...required_words];
}

/** Returns a standard as the protocol has it; the description of its scope is its name. */
export function standardWire({ standards_id, scope, policies, calibration_exemplars }: ContentStandard): object {
  const { description, ...where } = scope;
  return { standards_id, name: description, ...where, policies, calibration_exemplars };
}

/** Where a standard is looked for. */
export type ScopeFilter = {
  readonly channels?: readonly string[] | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly countries?: readonly string[] | undefined;
};

/** Whether a scope has one of the values asked for of each kind; one that is not limited has all. */
export function matchesScope(
  { channels_any, languages_any, countries_all }: ContentScope,
  { channels, languages, countries }: ScopeFilter,
): boolean {
  const shares = (own: readonly string[] | undefined, asked: readonly string[] | undefined, form = upper): boolean =>
    own === undefined || asked === undefined || asked.some((one) => own.some((other) => form(other) === form(one)));
  return (
    shares(channels_any, channels) && shares(languages_any, languages, primaryTag) && shares(countries_all, countries)
  );
}

function upper(text: string): string {
  return text.toUpperCase();
}

/** Where a piece of content was delivered, as far as that is known. */
export type DeliveredAt = { readonly country?: string | undefined; readonly channel?: string | undefined };

/** Returns why a standard does not apply to an artifact; undefined where it does, or nothing speaks against it. */
export function outOfScope(
  { scope }: Pick<ContentStandard, 'scope'>,
  artifact: Artifact,
  { country, channel }: DeliveredAt,
): string | undefined {
  const languages = listLanguages(artifact);
  if (languages.length > 0 && !matchesScope(scope, { languages }))
    return `The standard covers content in ${scope.languages_any.join(', ')}, and this is in ${languages.join(', ')}.`;
  if (country !== undefined && !matchesScope(scope, { countries: [country] }))
    return `The standard does not cover ${country.slice(0, 8)}.`;
  if (channel !== undefined && !matchesScope(scope, { channels: [channel] }))
    return `The standard does not cover the channel ${channel.slice(0, 64)}.`;
  return undefined;
}

/** Returns the error of a standard that is not the caller's: also where somebody else has one of this id. */
export function standardNotFound(): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', 'There are no such content standards.', {
    field: 'standards_id',
    suggestion: 'Send a standards_id that create_content_standards answered; list_content_standards shows yours.',
  });
}
