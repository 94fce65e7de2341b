import type { AuthorizedAgent, DelegationType, Property } from '../adagents/types.js';
import type { BrandProperty } from '../brand/types.js';
import { isWithin, publisherDomain } from '../model/domains.js';
import { type Case, openCase } from './coverage.js';
import { type Candidate, candidateOf, ENTRY_CHECKS } from './entry.js';
import { exclusiveRivals } from './exclusive.js';
import { type FactSource, type Facts, PAUSE, type PublisherFacts } from './facts.js';
import { declarableKey, matchSides, type OperatorSide, type TwoSidedMatch } from './operator.js';
import type { Asked } from './question.js';
import { AUTHORIZATION_REASONS, type AuthorizationReason } from './reasons.js';

/** One step on the way to an answer, as a sentence. */
type DecisionStep = { readonly ok: boolean; readonly says: string };

/** Whether an agent is authorized, why, and what each side says. Members of the wire keep their names. */
export type Decision = {
  readonly authorized: boolean;
  readonly reason: AuthorizationReason;
  /** The reason in a sentence, and what to do about it. */
  readonly explanation: string;
  readonly fix: string;
  readonly steps: readonly DecisionStep[];
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

/** So many entries of one agent are explained. */
const MAX_EXPLAINED_ENTRIES = 20;
/** So many entries that cover what is asked for are judged, and so many properties that they cover. */
const MAX_JUDGED_ENTRIES = 200;
const MAX_JUDGED_PROPERTIES = 50_000;

const MATCH_REASONS = {
  both: 'confirmed',
  delegation_unspecified: 'delegation_unspecified',
  orphaned: 'orphaned',
  mismatch: 'delegation_mismatch',
} as const satisfies Partial<Record<TwoSidedMatch, AuthorizationReason>>;

/** Returns the decision by the facts of the first publisher that says yes, else by those of the first. */
export function decide(asked: Asked, source: FactSource): Decision {
  const pieces = decideInPieces(asked, source);
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** Returns the decision of `decide`, with a pause wherever its facts have one. */
export function* decideInPieces(asked: Asked, source: FactSource): Generator<typeof PAUSE, Decision> {
  let first: Decision | undefined;
  for (const facts of source.factsFor(asked)) {
    if (facts === PAUSE) {
      yield PAUSE;
      continue;
    }
    const decision = evaluate(asked, facts);
    if (decision.authorized) return decision;
    first ??= decision;
  }
  return first ?? evaluate(asked, { missing: 'no_publisher_file', says: 'There is nobody to ask.' });
}

/**
 * Returns whether an agent may sell what is asked for, and why. The publisher's word is needed, and no contradiction of the operator;
 * what cannot be known is a no.
 */
function evaluate(asked: Asked, facts: Facts): Decision {
  const steps: DecisionStep[] = [];
  let side = operatorSide(facts, asked);
  const refuse = (reason: AuthorizationReason, says: string): Decision => {
    steps.push({ ok: false, says });
    return writeDecision({ asked, reason, steps, facts, side });
  };
  if ('missing' in facts) return refuse(facts.missing, facts.says);
  steps.push({ ok: true, says: facts.origin });
  const closed = facts.closed ?? closedTo(facts, asked);
  if (closed !== undefined) return refuse(closed.reason, closed.says);
  const { entries } = facts;
  if (entries.length === 0) {
    const { nearest } = facts;
    side = operatorSide(facts, asked, facts.listed[0]?.property);
    if (nearest === undefined) return refuse('agent_not_listed', `No entry names ${asked.agent}.`);
    return refuse('agent_url_differs', `${nearest.pointer} names ${nearest.url}, not ${asked.agent}.`);
  }
  side = operatorSide(facts, asked, facts.listed[0]?.property);
  steps.push({
    ok: true,
    says: `${entries.length === 1 ? 'One entry names' : 'Several entries name'} ${asked.agent}.`,
  });
  if (asked.strict === true && entries.length > 1)
    return refuse('agent_ambiguous', 'Strict readers take one entry alone.');
  const unknown = unknownProperty(asked, facts);
  if (unknown !== undefined) return refuse(unknown.reason, unknown.says);
  return judgeEntries(openCase(asked, facts), side, steps);
}

function judgeEntries(one: Case, side: OperatorSide | undefined, steps: DecisionStep[]): Decision {
  const { asked, facts } = one;
  const { entries } = facts;
  const rivals = exclusiveRivals(one);
  const weighing = new Weighing(one, side);
  const sides = { agreed: new Set<Property>(), contradicted: new Set<Property>() };
  let best: Ended | undefined;
  let [explained, judged, looked] = [0, 0, 0];
  for (const entry of entries) {
    const candidate = candidateOf(entry, one, rivals);
    const isNear = candidate.covered.length > 0;
    judged += isNear ? 1 : 0;
    looked += candidate.covered.length;
    if (judged > MAX_JUDGED_ENTRIES || (judged > 1 && looked > MAX_JUDGED_PROPERTIES)) break;
    const entrySteps: DecisionStep[] = [];
    const ended = judgeEntry(candidate, weighing, entrySteps);
    const isYes = authorizes(ended.reason, asked);
    noteSides(ended, asked, sides);
    // Of many entries, those that are about something else explain nothing.
    const isExplained = explained < MAX_EXPLAINED_ENTRIES && (isNear || entries.length <= MAX_EXPLAINED_ENTRIES);
    if (isExplained || isYes) steps.push(...entrySteps);
    explained += isExplained ? 1 : 0;
    if (best === undefined || rankOf(ended, asked) > rankOf(best, asked)) best = ended;
    // Of an id the other properties are still looked for.
    if (isYes && ended.reason === 'confirmed' && asked.propertyId === undefined) break;
  }
  if (entries.length > explained) steps.push({ ok: true, says: 'More entries of the agent are not told about.' });
  return concludeEntries(one, { best, side, steps, sides });
}

/** Properties with the id that is asked for, by what the operator says of them. */
type Sides = { readonly agreed: Set<Property>; readonly contradicted: Set<Property> };

function noteSides({ weighed }: Ended, asked: Asked, { agreed, contradicted }: Sides): void {
  if (asked.propertyId === undefined) return;
  for (const { property, reason } of weighed) {
    if (authorizes(reason, asked)) agreed.add(property);
    else if (reason === 'delegation_mismatch') contradicted.add(property);
  }
}

/** Whether the operator contradicts a property, and agrees to none that is declared as it is. */
function isContradicted({ agreed, contradicted }: Sides): boolean {
  if (contradicted.size === 0) return false;
  const keys = new Set(Array.from(agreed, declarableKey));
  return [...contradicted].some((property) => !keys.has(declarableKey(property)));
}

type Judged = {
  readonly best: Ended | undefined;
  readonly side: OperatorSide | undefined;
  readonly steps: DecisionStep[];
  readonly sides: Sides;
};

/** Decides by the best entry, unless the id that is asked for stands for properties that the operator both confirms and contradicts. */
function concludeEntries({ asked, facts }: Case, { best, side, steps, sides }: Judged): Decision {
  const { reason, candidate, weighed: [chosen] = [] } = best ?? { reason: 'agent_not_listed' as const };
  const property = chosen?.property ?? candidate?.covered[0];
  const isAmbiguous = authorizes(reason, asked) && isContradicted(sides);
  if (isAmbiguous) steps.push({ ok: false, says: `Of the properties with this id the operator contradicts one.` });
  return writeDecision({
    asked,
    reason: isAmbiguous ? 'property_ambiguous' : reason,
    steps,
    facts,
    entry: candidate?.entry,
    property: isAmbiguous ? undefined : property,
    match: isAmbiguous ? undefined : chosen?.match,
    side: chosen === undefined ? side : declaredSide(side, chosen.declared),
  });
}

/** Where the judgement of an entry ended: at which check, or beside the operator's word. */
type Ended = {
  readonly passed: number;
  readonly reason: AuthorizationReason;
  readonly candidate: Candidate;
  /** What it covers beside the operator's word, the best first, and of a question without an id no more; empty where a check failed. */
  readonly weighed: readonly Weighed[];
};

/** A covered property beside the operator's word. */
type Weighed = {
  readonly property: Property;
  readonly match: TwoSidedMatch;
  readonly declared: readonly BrandProperty[];
  readonly reason: AuthorizationReason;
};

function judgeEntry(candidate: Candidate, weighing: Weighing, steps: DecisionStep[]): Ended {
  const { asked, entry } = candidate;
  for (const [passed, check] of ENTRY_CHECKS.entries()) {
    const judged = check(candidate);
    if (judged === undefined) continue;
    steps.push({ ok: judged.ok, says: `${entry.pointer}: ${judged.says}.` });
    if (!judged.ok) return { passed, reason: judged.reason, candidate, weighed: [] };
  }
  const weighed = weighing.weigh(candidate);
  const [{ declared, reason } = { declared: [], reason: 'property_not_covered' as const }] = weighed;
  const says = `${AUTHORIZATION_REASONS[reason].says}${relationOf(entry, declared)}`;
  steps.push({ ok: authorizes(reason, asked), says: `${entry.pointer}: ${says}` });
  return { passed: ENTRY_CHECKS.length, reason, candidate, weighed };
}

/** The coverage of entries beside the operator's declarations. */
class Weighing {
  readonly #case: Case;
  readonly #side: OperatorSide | undefined;
  /** Of entries that cover everything, which an agent may have many of. */
  readonly #ofAll = new Map<DelegationType | undefined, readonly Weighed[]>();

  constructor(one: Case, side: OperatorSide | undefined) {
    this.#case = one;
    this.#side = side;
  }

  /** Returns what an entry covers, weighed: the best first, and of a question without an id no more. */
  weigh({ covered, entry: { delegation_type } }: Candidate): readonly Weighed[] {
    if (covered !== this.#case.listed.all()) return this.#weighEach(covered, delegation_type);
    const cached = this.#ofAll.get(delegation_type);
    if (cached !== undefined) return cached;
    const weighed = this.#weighEach(covered, delegation_type);
    this.#ofAll.set(delegation_type, weighed);
    return weighed;
  }

  #weighEach(covered: readonly Property[], delegation: DelegationType | undefined): readonly Weighed[] {
    const { asked } = this.#case;
    const worth = ({ reason }: Weighed): number => Number(authorizes(reason, asked)) + Number(reason === 'confirmed');
    if (asked.propertyId !== undefined) {
      return covered
        .map((property) => this.#weighOne(property, delegation))
        .sort((one, other) => worth(other) - worth(one));
    }
    let best: Weighed | undefined;
    for (const property of covered) {
      const one = this.#weighOne(property, delegation);
      if (best === undefined || worth(one) > worth(best)) best = one;
      if (best.reason === 'confirmed') break;
    }
    return best === undefined ? [] : [best];
  }

  #weighOne(property: Property, delegation: DelegationType | undefined): Weighed {
    const declared = this.#case.declaredOf(property);
    const match = matchSides(delegation, this.#side, declared);
    const reason = match === 'unknown' || match === 'missing' ? silenceOf(this.#side) : MATCH_REASONS[match];
    return { property, match, declared, reason };
  }
}

function silenceOf(side: OperatorSide | undefined): AuthorizationReason {
  return side === undefined ? 'operator_unknown' : 'operator_silent';
}

function relationOf({ delegation_type }: AuthorizedAgent, [declared]: readonly BrandProperty[]): string {
  if (declared === undefined) return '';
  return ` delegation_type is ${delegation_type ?? 'not stated'}, relationship ${declared.relationship}.`;
}

/** Returns why a file authorizes nobody for what is asked; undefined when it may. */
function closedTo(
  { publisherDomain: domain, isUnclear }: PublisherFacts,
  { host, subject }: Asked,
): PublisherFacts['closed'] {
  if (host !== undefined && publisherDomain(host) !== domain && !isWithin(host, domain)) {
    return { reason: 'other_publisher', says: `The file of ${domain} does not speak for ${subject}.` };
  }
  if (!isUnclear) return undefined;
  return { reason: 'exclusive_elsewhere', says: 'More is granted exclusively than can be looked through.' };
}

function unknownProperty(
  asked: Asked,
  { elsewhere, entries, listed, publisherDomain: domain }: PublisherFacts,
): PublisherFacts['closed'] {
  const { propertyId, subject } = asked;
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
  if (elsewhere !== undefined) {
    const says = `${elsewhere.pointer} lists ${subject} as a property of ${elsewhere.publisher_domain}.`;
    return { reason: 'other_publisher', says };
  }
  return { reason: 'property_unknown', says: `The file lists no ${subject} of ${domain}.` };
}

function operatorSide({ operator }: Facts, asked: Asked, property?: Property): OperatorSide | undefined {
  if (operator === undefined) return undefined;
  const side = { lists_agent: operator.lists(asked.agent), declared: false };
  return declaredSide(side, operator.declared(property, asked));
}

function declaredSide(side: OperatorSide | undefined, declared: readonly BrandProperty[]): OperatorSide | undefined {
  if (side === undefined) return undefined;
  const [first] = declared;
  return { lists_agent: side.lists_agent, declared: first !== undefined, relationship: first?.relationship };
}

function authorizes(reason: AuthorizationReason, { strict = false }: Asked): boolean {
  const { authorizes: when } = AUTHORIZATION_REASONS[reason];
  return when === 'always' || (when === 'unless_strict' && !strict);
}

/** Returns the rank of an ended evaluation: a yes before a no, and a reason before one that came less far. */
function rankOf({ passed, reason }: Ended, asked: Asked): number {
  if (!authorizes(reason, asked)) return passed;
  return ENTRY_CHECKS.length + (AUTHORIZATION_REASONS[reason].authorizes === 'always' ? 2 : 1);
}

function writeDecision(parts: {
  readonly asked: Asked;
  readonly reason: AuthorizationReason;
  readonly steps: readonly DecisionStep[];
  readonly facts: Facts;
  readonly side: OperatorSide | undefined;
  readonly match?: TwoSidedMatch | undefined;
  readonly entry?: AuthorizedAgent | undefined;
  readonly property?: Property | undefined;
}): Decision {
  const { asked, reason, steps, facts, side, match, entry, property } = parts;
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
      publisher_domain: 'missing' in facts ? undefined : facts.publisherDomain,
      delegation_type: entry?.delegation_type,
    },
    operator_side: side,
    match: match ?? (isMissing ? 'missing' : 'unknown'),
    mutual: authorized && (match === 'both' || match === 'delegation_unspecified'),
    property,
    entry,
  };
}
