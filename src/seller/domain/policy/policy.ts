import { TaskError } from '../../../protocol/errors.js';
import { readLeastAge, readSearchTerms } from '../search/brief.js';

/** What a seller may not want to advertise: how it is called, and words that speak of it; the lexicon of briefs has them in its languages. */
const TOPICS = {
  tobacco: { name: 'tobacco and nicotine', words: 'tobacco' },
  alcohol: { name: 'alcohol', words: 'alcohol' },
  gambling: { name: 'gambling', words: 'gambling' },
  politics: { name: 'politics', words: 'politics' },
  weapons: { name: 'weapons', words: 'weapon weapons firearm firearms gun guns ammunition waffen armas armes' },
  adult: { name: 'adult content', words: 'porn porno pornography escort xxx' },
} as const;

/** A topic of a seller's policy. */
export type PolicyTopic = keyof typeof TOPICS;
export const POLICY_TOPICS = Object.keys(TOPICS) as [PolicyTopic, ...PolicyTopic[]];

/** A seller's topics that are not advertised, or only after a person has looked at the order. */
export type AdvertisingPolicy = {
  readonly banned: readonly PolicyTopic[];
  readonly reviewed: readonly PolicyTopic[];
  /** The youngest that a topic may be advertised to, in years. */
  readonly ages: Readonly<Partial<Record<PolicyTopic, number>>>;
};

/** The terms that a text has when it speaks of a topic. */
const TERMS: ReadonlyMap<PolicyTopic, ReadonlySet<string>> = new Map(
  POLICY_TOPICS.map((topic) => [topic, new Set([topic, ...TOPICS[topic].words.split(' ').flatMap(wantedTerms)])]),
);

function wantedTerms(text: string): readonly string[] {
  return readSearchTerms(text).flatMap(({ isUnwanted, pointers }) =>
    isUnwanted ? [] : pointers.map(([term]) => term),
  );
}

/** Returns the topics that a text speaks of; what it rules out ("no gambling sites") is none. */
export function findTopics(text: string): readonly PolicyTopic[] {
  const terms = wantedTerms(text);
  return POLICY_TOPICS.filter((topic) => terms.some((term) => TERMS.get(topic)?.has(term)));
}

/** Returns a domain or address as words. */
export function addressWords(address: string): string {
  return address.replaceAll(/[^\p{L}]+/gu, ' ').trim();
}

/** Returns what a brand says of itself, as words: its domain and its industries. */
export function brandText({
  domain,
  industries = [],
}: {
  readonly domain: string;
  readonly industries?: readonly string[] | undefined;
}): string {
  return addressWords([domain, ...industries].join(' '));
}

/** Refuses what a seller does not advertise. Throws POLICY_VIOLATION. */
export function checkPolicy(policy: AdvertisingPolicy, text: string, field: string): void {
  if (policy.banned.length + Object.keys(policy.ages).length === 0) return;
  const topics = findTopics(text);
  checkAges(policy, topics, text, field);
  const banned = topics.filter((topic) => policy.banned.includes(topic));
  if (banned.length === 0) return;
  throw new TaskError('POLICY_VIOLATION', `This seller does not advertise ${namesOf(banned)}.`, {
    field,
    suggestion: `Leave it out, or ask another seller. ${describePolicy(policy)}`,
    details: { policy_id: 'advertising_policies', violated_rules: banned },
  });
}

/** Refuses a topic that is asked for to people who are too young for it. Throws POLICY_VIOLATION. */
function checkAges(policy: AdvertisingPolicy, topics: readonly PolicyTopic[], text: string, field: string): void {
  const limited = topics.filter((topic) => policy.ages[topic] !== undefined);
  const age = limited.length === 0 ? undefined : readLeastAge(text);
  const refused = limited.filter((topic) => age !== undefined && age < (policy.ages[topic] ?? 0));
  const least = Math.max(...refused.map((topic) => policy.ages[topic] ?? 0));
  if (refused.length === 0) return;
  throw new TaskError('POLICY_VIOLATION', `This seller advertises ${namesOf(refused)} to people from ${least} on.`, {
    field,
    suggestion: `Ask for people of ${least} or older. ${describePolicy(policy)}`,
    details: { policy_id: 'advertising_policies', violated_rules: refused, minimum_age: least },
  });
}

/** Returns the topics that a person looks at before they are sold: those with a least age, too, which no order can promise. */
export function reviewedTopics({
  reviewed,
  ages,
}: Pick<AdvertisingPolicy, 'reviewed' | 'ages'>): readonly PolicyTopic[] {
  return POLICY_TOPICS.filter((topic) => reviewed.includes(topic) || ages[topic] !== undefined);
}

/** Returns a policy as buyers read it; empty where everything is taken. */
export function describePolicy({ banned, reviewed, ages }: AdvertisingPolicy): string {
  const looked = reviewedTopics({ reviewed, ages });
  return [
    ...(banned.length === 0 ? [] : [`Not accepted: ${namesOf(banned)}.`]),
    ...(looked.length === 0 ? [] : [`Only after a person has looked at the order: ${namesOf(looked)}.`]),
    ...looked.flatMap((topic) =>
      ages[topic] === undefined ? [] : [`From ${ages[topic]} years on: ${namesOf([topic])}.`],
    ),
  ].join(' ');
}

function namesOf(topics: readonly PolicyTopic[]): string {
  return topics.map((topic) => TOPICS[topic].name).join(', ');
}
