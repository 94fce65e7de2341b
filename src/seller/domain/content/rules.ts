import { isObject } from '../../../platform/kernel/json/json.js';
import {
  type Artifact,
  hasWords,
  listCategories,
  listLanguages,
  listTexts,
  primaryTag,
  readScore,
} from './artifact.js';
import type { ContentDemand, ContentPolicy, ContentRules } from './standard.js';
import { WordIndex } from './word-index.js';

/** A judge's opinion of an artifact under one policy; `confidence` 0 to 1 where it is not a matter of course. */
export type Opinion = {
  readonly outcome: 'met' | 'broken' | 'undecided';
  readonly reason: string;
  readonly confidence?: number | undefined;
};

/** The rules that decide about a policy, and whether they were read out of its words. */
type PolicyRules = { readonly rules: ContentRules; readonly isFromWords: boolean };

/** How sure a word is that was read out of a sentence: it may be used in another sense. */
const WORD_CONFIDENCE = 0.6;

/**
 * The built-in judge: it holds artifacts against the rules of policies, and against sentences that are as plain as rules ("No alcohol,
 * gambling or tobacco content", "All images must have alt text"). Of everything else it says that it cannot decide.
 */
export class BuiltInJudge {
  readonly #rules: ReadonlyMap<string, PolicyRules>;
  readonly #words = new WordIndex();

  constructor(policies: readonly ContentPolicy[]) {
    const entries = policies.flatMap((policy) => {
      const rules = readRules(policy);
      return rules === undefined ? [] : [[policy.policy_id, rules] as const];
    });
    this.#rules = new Map(entries);
    for (const [policyId, { rules }] of entries) {
      for (const word of rules.blocked_words ?? []) this.#words.add(`-${policyId}`, word);
      for (const word of rules.required_words ?? []) this.#words.add(`+${policyId}`, word);
    }
  }

  /** Returns the opinion under every policy, by its id. */
  async judge(artifact: Artifact): Promise<ReadonlyMap<string, Opinion>> {
    const matches = await this.#words.find(listTexts(artifact));
    return new Map(
      [...this.#rules].map(([policyId, rules]) => [
        policyId,
        applyRules(artifact, rules, {
          blocked: matches.get(`-${policyId}`) ?? [],
          required: matches.get(`+${policyId}`) ?? [],
        }),
      ]),
    );
  }
}

/** Whether the built-in judge can find that an artifact meets a policy; of the others it can at most find that one is broken. */
export function isDecidable(policy: ContentPolicy): boolean {
  const read = policy.requires_human_review === true ? undefined : readRules(policy);
  return read !== undefined && !(read.isFromWords && read.rules.blocked_words !== undefined);
}

/** Words that make a sentence more than a list of things. */
const NOT_A_LIST = /\b(than|unless|except|without|when|if|per|within|more|less|fewer|only|not|that|which)\b/i;

function readRules({ ext, policy }: ContentPolicy): PolicyRules | undefined {
  const rules = ext?.content_rules;
  if (rules !== undefined) return { rules, isFromWords: false };
  const sentence = policy.trim().replace(/\.$/, '');
  if (/^(all )?images (must|should) (have|carry) (an )?alt(ernative)? text$/i.test(sentence))
    return { rules: { requires: ['alt_text'] }, isFromWords: true };
  const listed = /^(?:no|avoid|never beside) ([\p{L}\p{N} ,'-]{2,300})$/iu.exec(sentence)?.[1];
  if (listed === undefined || NOT_A_LIST.test(listed)) return undefined;
  const terms = listed.replace(/ (content|imagery|images|language|material|topics|themes)$/i, '');
  const words = terms.split(/,| and | or /).flatMap((term) => {
    const word = term.replace(/^ *(and|or) /, '').trim();
    return word === '' ? [] : [word];
  });
  const isShort = words.every((word) => word.split(' ').length <= 3);
  return words.length > 0 && isShort ? { rules: { blocked_words: words }, isFromWords: true } : undefined;
}

/** The words of a policy that occur in an artifact. */
type MatchedWords = { readonly blocked: readonly string[]; readonly required: readonly string[] };

/** Returns the opinion of all rules of a policy: broken by one, met by all, else undecided. */
function applyRules(artifact: Artifact, { rules, isFromWords }: PolicyRules, found: MatchedWords): Opinion {
  const opinions = [
    ...judgeWords(artifact, rules, found, isFromWords),
    ...judgeCategories(artifact, rules),
    ...judgeLanguages(artifact, rules),
    ...judgeScores(artifact, rules),
    ...(rules.requires ?? []).map((demand) => DEMANDS[demand](artifact)),
  ];
  const first =
    opinions.find(({ outcome }) => outcome === 'broken') ?? opinions.find(({ outcome }) => outcome === 'undecided');
  return first ?? { outcome: 'met', reason: opinions.map(({ reason }) => reason).join(' ') || 'It has no rule.' };
}

const NO_WORDS: Opinion = {
  outcome: 'undecided',
  reason: 'The artifact brings no text, alt text or transcript that could be read.',
};

function judgeWords(
  artifact: Artifact,
  { blocked_words, required_words }: ContentRules,
  { blocked, required }: MatchedWords,
  isFromWords: boolean,
): Opinion[] {
  const opinions: Opinion[] = [];
  if (blocked_words !== undefined) {
    if (blocked.length > 0)
      opinions.push({
        outcome: 'broken',
        reason: `Its texts or addresses have ${quoteWords(blocked)}.`,
        confidence: isFromWords ? WORD_CONFIDENCE : undefined,
      });
    else if (!hasWords(artifact)) opinions.push(NO_WORDS);
    else if (isFromWords)
      opinions.push({
        outcome: 'undecided',
        reason:
          'None of the words of this policy occurs; whether its content is free of what they mean was not judged.',
      });
    else opinions.push({ outcome: 'met', reason: 'None of the blocked words occurs.' });
  }
  if (required_words !== undefined) {
    if (required.length > 0) opinions.push({ outcome: 'met', reason: `Its texts have ${quoteWords(required)}.` });
    else if (!hasWords(artifact)) opinions.push(NO_WORDS);
    else opinions.push({ outcome: 'broken', reason: 'None of the required words occurs.' });
  }
  return opinions;
}

function judgeCategories(artifact: Artifact, { blocked_categories: blocked }: ContentRules): Opinion[] {
  if (blocked === undefined) return [];
  const named = listCategories(artifact);
  if (named.length === 0) return [{ outcome: 'undecided', reason: 'Its metadata names no category.' }];
  const hits = blocked.filter((one) => named.includes(one.trim().toLowerCase()));
  if (hits.length === 0) return [{ outcome: 'met', reason: 'It is in none of the blocked categories.' }];
  return [{ outcome: 'broken', reason: `Its metadata has the category ${quoteWords(hits)}.` }];
}

function judgeLanguages(artifact: Artifact, { languages }: ContentRules): Opinion[] {
  if (languages === undefined) return [];
  const named = listLanguages(artifact);
  if (named.length === 0) return [{ outcome: 'undecided', reason: 'Its texts name no language.' }];
  const allowed = new Set(languages.map(primaryTag));
  const others = named.filter((language) => !allowed.has(language));
  if (others.length === 0) return [{ outcome: 'met', reason: 'Its texts are in an accepted language.' }];
  return [{ outcome: 'broken', reason: `It has texts in ${quoteWords(others)}.` }];
}

/** Judges the scores of an artifact. The reason names no threshold: the public text leaves those to the evaluator. */
function judgeScores(artifact: Artifact, { min_scores = {} }: ContentRules): Opinion[] {
  return Object.entries(min_scores).map(([name, least]) => {
    const score = readScore(artifact, name);
    if (score === undefined) return { outcome: 'undecided', reason: `Its metadata gives no score "${name}".` };
    return score >= least
      ? { outcome: 'met', reason: `The score "${name}" of its metadata is enough.` }
      : { outcome: 'broken', reason: `The score "${name}" of its metadata is too low.` };
  });
}

/** How each demand is judged. */
const DEMANDS: Readonly<Record<ContentDemand, (artifact: Artifact) => Opinion>> = {
  alt_text: demandOfAssets('image', 'alt_text', 'alt text'),
  title: ({ assets, metadata }) =>
    demand(
      assets.some(({ type, role }) => type === 'text' && role === 'title') ||
        (isObject(metadata) && isText(metadata.title)),
      'title',
    ),
  transcript: (artifact) => {
    const spoken = artifact.assets.filter(({ type }) => type === 'video' || type === 'audio');
    return demand(
      spoken.every(({ transcript }) => isText(transcript)),
      'transcript of what is spoken',
    );
  },
  provenance: ({ provenance, assets }) =>
    demand(
      isObject(provenance) || (assets.length > 0 && assets.every((asset) => isObject(asset.provenance))),
      'provenance',
    ),
  published_time: ({ published_time }) => demand(isText(published_time), 'published_time'),
};

function demandOfAssets(type: string, member: string, noun: string): (artifact: Artifact) => Opinion {
  return ({ assets }) => {
    const lacking = assets.filter((asset) => asset.type === type && !isText(asset[member])).length;
    if (lacking === 0) return { outcome: 'met', reason: `Every ${type} has ${noun}.` };
    return {
      outcome: 'broken',
      reason: `${lacking === 1 ? `One ${type} has` : `${lacking} ${type}s have`} no ${noun}.`,
    };
  };
}

function demand(isMet: boolean, noun: string): Opinion {
  return isMet ? { outcome: 'met', reason: `It has a ${noun}.` } : { outcome: 'broken', reason: `It lacks a ${noun}.` };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** Most words that a reason quotes. */
const MAX_QUOTED = 5;

function quoteWords(words: readonly string[]): string {
  return words
    .slice(0, MAX_QUOTED)
    .map((word) => `"${word.slice(0, 80)}"`)
    .join(', ');
}
