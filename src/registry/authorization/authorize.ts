import type { EffectiveAdagents } from '../adagents/discovery.js';
import type { AuthorizedAgent, DelegationType, Property } from '../adagents/types.js';
import type { BrandContent, BrandProperty } from '../brand/types.js';
import { carelessSpelling } from '../model/agent-url.js';
import { isWithin, publisherDomain } from '../model/domains.js';
import { type Case, openCase } from './case.js';
import { type Candidate, candidateOf, ENTRY_CHECKS } from './entry.js';
import { exclusiveRivals } from './exclusive.js';
import { fileIndex } from './file-index.js';
import {
  declarableKey,
  declaredBy,
  matchSides,
  type OperatorSide,
  operatorAgent,
  type TwoSidedMatch,
} from './operator.js';
import { type Asked, type AuthorizationQuestion, readQuestion } from './question.js';
import { AUTHORIZATION_REASONS, type AuthorizationReason } from './reasons.js';

/** One step on the way to an answer, as a sentence. */
export type AuthorizationStep = { readonly ok: boolean; readonly says: string };

/** Whether an agent is authorized, why, and what each side says. Members of the wire keep their names (facts 3.4). */
export type Authorization = {
  readonly authorized: boolean;
  readonly reason: AuthorizationReason;
  /** The reason in a sentence, and what to do about it. */
  readonly explanation: string;
  readonly fix: string;
  readonly steps: readonly AuthorizationStep[];
  readonly publisher_side: {
    readonly authorized: boolean;
    readonly publisher_domain?: string;
    readonly delegation_type?: DelegationType;
  };
  /** Absent when no brand.json of the operator was given. */
  readonly operator_side?: OperatorSide;
  readonly match: TwoSidedMatch;
  /** Whether both sides say so. */
  readonly mutual: boolean;
  /** The property and the entry that the answer rests on. */
  readonly property?: Property;
  readonly entry?: AuthorizedAgent;
};

/** Most entries of one agent that are told about, and that are judged although they cover what is asked for. */
const MOST_EXPLAINED = 20;
const MOST_JUDGED = 200;

const MATCH_REASONS = {
  both: 'confirmed',
  delegation_unspecified: 'delegation_unspecified',
  orphaned: 'orphaned',
  mismatch: 'delegation_mismatch',
} as const satisfies Partial<Record<TwoSidedMatch, AuthorizationReason>>;

/**
 * Whether an agent may sell a property, or the site at a domain, of the publisher whose file is given (facts 2.4, 3.4). The publisher's
 * word is needed, and no contradiction of the operator; what cannot be known is a no. Which publisher a property is of, the caller
 * knows: an app's file can name any bundle. Throws VALIDATION_ERROR with `field` for a question that asks nothing.
 */
export function isAuthorized(
  question: AuthorizationQuestion,
  publisher: EffectiveAdagents | undefined,
  operator?: BrandContent,
): Authorization {
  return judgeAsked(readQuestion(question), publisher, operator);
}

/** The same for a question that was read. */
export function judgeAsked(
  asked: Asked,
  publisher: EffectiveAdagents | undefined,
  operator?: BrandContent,
): Authorization {
  const steps: AuthorizationStep[] = [];
  let side = operatorSide(operator, asked);
  const refuse = (reason: AuthorizationReason, says: string): Authorization => {
    steps.push({ ok: false, says });
    return answerOf({ asked, reason, steps, publisher, side });
  };
  if (publisher === undefined) return refuse('no_publisher_file', 'There is no adagents.json to ask.');
  const { file, publisherDomain: domain, method, url } = publisher;
  steps.push({ ok: true, says: `The adagents.json of ${domain} was read at ${url} (${method}).` });
  const closed = closedTo(publisher, asked);
  if (closed !== undefined) return refuse(closed.reason, closed.says);
  const entries = fileIndex(file).entries.get(asked.canonicalAgent) ?? [];
  const [first] = entries;
  if (first === undefined) {
    const alike = carelessSpelling(asked.canonicalAgent);
    const near = file.agents.find(({ canonicalUrl }) => carelessSpelling(canonicalUrl) === alike);
    if (near === undefined) return refuse('agent_not_listed', `No entry names ${asked.agent}.`);
    return refuse('agent_url_differs', `${near.pointer} names ${near.url}, not ${asked.agent}.`);
  }
  const one = openCase(asked, publisher);
  const unknown = unknownProperty(one, entries);
  side = operatorSide(operator, asked, one.listed[0]?.property);
  steps.push({
    ok: true,
    says: `${entries.length === 1 ? 'One entry names' : 'Several entries name'} ${asked.agent}.`,
  });
  if (asked.strict === true && entries.length > 1)
    return refuse('agent_ambiguous', 'Strict readers take one entry alone.');
  if (unknown !== undefined) return refuse(unknown.reason, unknown.says);
  return judgeEntries(entries, one, operator, side, steps);
}

function judgeEntries(
  entries: readonly AuthorizedAgent[],
  one: Case,
  operator: BrandContent | undefined,
  side: OperatorSide | undefined,
  steps: AuthorizationStep[],
): Authorization {
  const { asked, effective } = one;
  const rivals = exclusiveRivals(one);
  let best: Ended | undefined;
  let [explained, judged] = [0, 0];
  const [agreed, contradicted] = [new Set<string>(), new Set<string>()];
  for (const entry of entries) {
    const found = candidateOf(entry, one, rivals);
    const isNear = found.covered.length > 0;
    judged += isNear ? 1 : 0;
    if (judged > MOST_JUDGED) break;
    const told: AuthorizationStep[] = [];
    const ended = judgeEntry(found, operator, side, told);
    const isYes = authorizes(ended.reason, asked);
    for (const { property, reason } of ended.weighed) {
      if (authorizes(reason, asked)) agreed.add(declarableKey(property));
      else if (reason === 'delegation_mismatch') contradicted.add(declarableKey(property));
    }
    // Of many entries, those that are about something else explain nothing.
    const isTold = explained < MOST_EXPLAINED && (isNear || entries.length <= MOST_EXPLAINED);
    if (isTold || isYes) steps.push(...told);
    explained += isTold ? 1 : 0;
    if (best === undefined || rankOf(ended, asked) > rankOf(best, asked)) best = ended;
    // Of an id the other properties are still looked for.
    if (isYes && ended.reason === 'confirmed' && asked.propertyId === undefined) break;
  }
  if (entries.length > explained) steps.push({ ok: true, says: 'More entries of the agent are not told about.' });
  const { reason, candidate, weighed: [chosen] = [] } = best ?? { reason: 'agent_not_listed' as const };
  const property = chosen?.property ?? candidate?.covered[0];
  const isBoth = asked.propertyId !== undefined && [...contradicted].some((key) => !agreed.has(key));
  const isAmbiguous = isBoth && authorizes(reason, asked);
  if (isAmbiguous) steps.push({ ok: false, says: `Of the properties with this id the operator contradicts one.` });
  return answerOf({
    asked,
    reason: isAmbiguous ? 'property_ambiguous' : reason,
    steps,
    publisher: effective,
    ...(candidate === undefined ? {} : { entry: candidate.entry }),
    ...(property === undefined || isAmbiguous ? {} : { property }),
    ...(chosen === undefined || isAmbiguous ? {} : { match: chosen.match }),
    side: chosen === undefined ? side : declaredSide(side, chosen.declared),
  });
}

/** Where the judgement of an entry ended: at which check, or beside the operator's word. */
type Ended = {
  readonly passed: number;
  readonly reason: AuthorizationReason;
  readonly candidate: Candidate;
  /** What it covers beside the operator's word, the best first; empty where a check failed. */
  readonly weighed: readonly Weighed[];
};

/** A covered property beside the operator's word. */
type Weighed = {
  readonly property: Property;
  readonly match: TwoSidedMatch;
  readonly declared: readonly BrandProperty[];
  readonly reason: AuthorizationReason;
};

function judgeEntry(
  candidate: Candidate,
  operator: BrandContent | undefined,
  side: OperatorSide | undefined,
  told: AuthorizationStep[],
): Ended {
  const { asked, covered, entry } = candidate;
  for (const [passed, check] of ENTRY_CHECKS.entries()) {
    const judged = check(candidate);
    if (judged === undefined) continue;
    told.push({ ok: judged.ok, says: `${entry.pointer}: ${judged.says}.` });
    if (!judged.ok) return { passed, reason: judged.reason, candidate, weighed: [] };
  }
  const worth = ({ reason }: Weighed): number => Number(authorizes(reason, asked)) + Number(reason === 'confirmed');
  const weighed = covered
    .map((property): Weighed => {
      const declared = operator === undefined ? [] : declaredBy(operator, property, asked);
      const match = matchSides(entry.delegation_type, side, declared);
      const reason = match === 'unknown' || match === 'missing' ? silenceOf(side) : MATCH_REASONS[match];
      return { property, match, declared, reason };
    })
    .sort((one, other) => worth(other) - worth(one));
  const [{ declared, reason } = { declared: [], reason: 'property_not_covered' as const }] = weighed;
  const says = `${AUTHORIZATION_REASONS[reason].says}${relationOf(entry, declared)}`;
  told.push({ ok: authorizes(reason, asked), says: `${entry.pointer}: ${says}` });
  return { passed: ENTRY_CHECKS.length, reason, candidate, weighed };
}

function silenceOf(side: OperatorSide | undefined): AuthorizationReason {
  return side === undefined ? 'operator_unknown' : 'operator_silent';
}

function relationOf({ delegation_type }: AuthorizedAgent, [declared]: readonly BrandProperty[]): string {
  if (declared === undefined) return '';
  return ` delegation_type is ${delegation_type ?? 'not stated'}, relationship ${declared.relationship}.`;
}

/** Why a file authorizes nobody for what is asked; undefined when it may. */
function closedTo(
  { file, publisherDomain: domain, isHeldRevoked, isUnclear }: EffectiveAdagents,
  { host, subject }: Asked,
): { readonly reason: AuthorizationReason; readonly says: string } | undefined {
  if (file.isSuperseded) return { reason: 'superseded', says: 'The file says that another one took its place.' };
  if (file.isCommunity || file.agents.length === 0) {
    return { reason: 'nobody_authorized', says: 'The file is a catalog and names no agent that may sell.' };
  }
  if (file.revoked.has(domain) || isHeldRevoked === true) {
    return { reason: 'publisher_revoked', says: `${domain} is among its revoked publishers.` };
  }
  if (host !== undefined && publisherDomain(host) !== domain && !isWithin(host, domain)) {
    return { reason: 'other_publisher', says: `The file of ${domain} does not speak for ${subject}.` };
  }
  if (isUnclear !== true) return undefined;
  return { reason: 'exclusive_elsewhere', says: 'More is granted exclusively than can be looked through.' };
}

function unknownProperty(
  { asked, effective, listed }: Case,
  entries: readonly AuthorizedAgent[],
): { readonly reason: AuthorizationReason; readonly says: string } | undefined {
  const { propertyId, subject } = asked;
  const { publisherDomain: domain, file } = effective;
  if (propertyId !== undefined && listed.length > 1) {
    return {
      reason: 'property_ambiguous',
      says: `${listed.length} properties of ${domain} have the id ${propertyId}.`,
    };
  }
  const isInline = entries.some(
    ({ scope }) =>
      scope.authorization_type === 'inline_properties' &&
      scope.properties.some((one) => one.publisher_domain === domain && asked.matches(one)),
  );
  if (listed.length > 0 || isInline) return undefined;
  const elsewhere = file.properties.find(asked.matches);
  if (elsewhere !== undefined) {
    const says = `${elsewhere.pointer} lists ${subject} as a property of ${elsewhere.publisher_domain}.`;
    return { reason: 'other_publisher', says };
  }
  return { reason: 'property_unknown', says: `The file lists no ${subject} of ${domain}.` };
}

function operatorSide(operator: BrandContent | undefined, asked: Asked, property?: Property): OperatorSide | undefined {
  if (operator === undefined) return undefined;
  const lists = operatorAgent(operator, asked.agent) !== undefined;
  return declaredSide({ lists_agent: lists, declared: false }, declaredBy(operator, property, asked));
}

function declaredSide(side: OperatorSide | undefined, declared: readonly BrandProperty[]): OperatorSide | undefined {
  if (side === undefined) return undefined;
  const [first] = declared;
  return {
    lists_agent: side.lists_agent,
    declared: first !== undefined,
    ...(first === undefined ? {} : { relationship: first.relationship }),
  };
}

function authorizes(reason: AuthorizationReason, { strict = false }: Asked): boolean {
  const { authorizes: when } = AUTHORIZATION_REASONS[reason];
  return when === 'always' || (when === 'unless_strict' && !strict);
}

/** A yes before a no, and a reason before one that came less far. */
function rankOf({ passed, reason }: Ended, asked: Asked): number {
  if (!authorizes(reason, asked)) return passed;
  return ENTRY_CHECKS.length + (AUTHORIZATION_REASONS[reason].authorizes === 'always' ? 2 : 1);
}

function answerOf(parts: {
  readonly asked: Asked;
  readonly reason: AuthorizationReason;
  readonly steps: readonly AuthorizationStep[];
  readonly publisher: EffectiveAdagents | undefined;
  readonly side: OperatorSide | undefined;
  readonly match?: TwoSidedMatch;
  readonly entry?: AuthorizedAgent;
  readonly property?: Property;
}): Authorization {
  const { asked, reason, steps, publisher, side, match, entry, property } = parts;
  const { says, fix } = AUTHORIZATION_REASONS[reason];
  const isPublisherSide = match !== undefined;
  const authorized = authorizes(reason, asked);
  // The operator declares what the publisher has not authorized.
  const isMissing = !isPublisherSide && side?.lists_agent === true && side.declared;
  return {
    authorized,
    reason,
    explanation: says,
    fix,
    steps,
    publisher_side: {
      authorized: isPublisherSide,
      ...(publisher === undefined ? {} : { publisher_domain: publisher.publisherDomain }),
      ...(entry?.delegation_type === undefined ? {} : { delegation_type: entry.delegation_type }),
    },
    ...(side === undefined ? {} : { operator_side: side }),
    match: match ?? (isMissing ? 'missing' : 'unknown'),
    mutual: authorized && (match === 'both' || match === 'delegation_unspecified'),
    ...(property === undefined ? {} : { property }),
    ...(entry === undefined ? {} : { entry }),
  };
}
