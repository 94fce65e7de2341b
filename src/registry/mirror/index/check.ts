import { TaskError } from '../../../protocol/errors.js';
import { type Authorization, judgeAsked } from '../../authorization/authorize.js';
import { declarableKey, declaredBy, matchSides, operatorAgent } from '../../authorization/operator.js';
import { readQuestion } from '../../authorization/question.js';
import { AUTHORIZATION_REASONS, type AuthorizationReason } from '../../authorization/reasons.js';
import { readBrandContent } from '../../brand/brand-json.js';
import { brandJsonUrl } from '../../brand/discovery.js';
import type { BrandContent } from '../../brand/types.js';
import { carelessSpelling } from '../../model/agent-url.js';
import { domainName, isWithin, publisherDomain, typedDomain } from '../../model/domains.js';
import { declarableFrom, excerptFrom } from './effective.js';
import { type Beside, closedBy, type Found, judgePair, type Verdict } from './judge.js';
import {
  findAgent,
  findDomain,
  type IndexQuestion,
  propertiesNamed,
  propertiesOfHost,
  propertiesWith,
  publisherOfHost,
} from './question.js';
import { CODES, type Tables } from './tables.js';

/** A yes or no with its reason, and the row of the property that it rests on (0 for none), good until the next change. */
export type Answer = {
  readonly authorized: boolean;
  readonly reason: AuthorizationReason;
  readonly property: number;
  /** The number of the publisher asked, 0 for none. */
  readonly publisher: number;
};

/**
 * Whether an agent may sell a property, by the rule of `isAuthorized` over the tables (facts 2.4, 3.4), with the operator's brand.json where
 * the registry has it. Throws VALIDATION_ERROR with `field` for a question that asks nothing.
 */
export function answerOf(tables: Tables, question: IndexQuestion): Answer {
  return judged(tables, question).answer;
}

/** An answer, and what it is about when it is told why: the properties that may be meant, and those that matter. */
type About = { readonly meant: readonly number[]; readonly first: readonly number[] };
type Judged = { readonly answer: Answer; readonly about: About };

const NOTHING: About = { meant: [], first: [] };

function judged(tables: Tables, question: IndexQuestion): Judged {
  const read = readPlace(tables, question);
  if (typeof read === 'string') return { answer: answer(read, 0, 0), about: NOTHING };
  const { publishers } = read;
  let best = judgeAt(tables, question, read, publishers[0] ?? 0);
  for (let index = 1; index < publishers.length && !best.answer.authorized; index += 1) {
    const next = judgeAt(tables, question, read, publishers[index] ?? 0);
    if (next.answer.authorized) best = next;
  }
  return best;
}

/** The same with every step explained. Of several publishers that have the host, the first that says yes is told, else the first. */
export function explainOf(
  tables: Tables,
  question: IndexQuestion,
): Authorization & { readonly publisher_domain?: string } {
  const { about, answer: settled } = judged(tables, question);
  const { publisher } = settled;
  const told = whole(tables, question, publisher, about);
  return publisher === 0 ? told : { ...told, publisher_domain: tables.domains.text(publisher) };
}

type Place = Omit<Found, 'agent' | 'publisher'> & {
  readonly agent: number;
  readonly publishers: readonly number[];
  readonly host: string | undefined;
};

const HOST_TYPES: ReadonlySet<string> = new Set(['domain', 'subdomain']);

/** What is asked for and at which publishers; a reason when there is nobody to ask. */
function readPlace(tables: Tables, question: IndexQuestion): Place | AuthorizationReason {
  const { property, domain, at, country, openLimits, publisher_domain } = question;
  const isPlain =
    (property === undefined) !== (domain === undefined) &&
    Number.isFinite(at) &&
    (country === undefined || /^[A-Z]{2}$/.test(country));
  // The one reader of questions says what is wrong; what is only spelled otherwise, it spells as it should be.
  const asked = isPlain ? undefined : readQuestion(question);
  const agent = findAgent(tables, question.agent);
  const given = publisher_domain === undefined ? 0 : findDomain(tables, publisher_domain);
  if (publisher_domain !== undefined && given === 0) return 'no_publisher_file';
  const properties: number[] = [];
  const isNamed = property !== undefined && 'property_id' in property;
  const host = isNamed ? undefined : hostOf(question);
  if (isNamed) {
    if (given === 0) throw noPublisher();
    propertiesNamed(tables, given, property.property_id, properties);
  } else if (host !== undefined) propertiesOfHost(tables, host, given, properties);
  else if (property !== undefined && 'type' in property) {
    if (!CODES.identifier.includes(property.type)) readQuestion(question);
    propertiesWith(tables, property.type, property.value, properties);
  }
  const publishers = given === 0 ? publishersOf(tables, properties, host) : [given];
  if (publishers.length === 0) return host === undefined ? 'property_unknown' : 'no_publisher_file';
  // Anybody's file can name any app; which one is right, nobody knows here.
  if (host === undefined && publishers.length > 1) return 'property_ambiguous';
  const reportsOpen = openLimits === 'report';
  return { agent, publishers, properties, host, isNamed, at, country: asked?.country ?? country, reportsOpen };
}

function hostOf({ property, domain }: IndexQuestion): string | undefined {
  const isHost =
    domain !== undefined || (property !== undefined && 'type' in property && HOST_TYPES.has(property.type));
  if (!isHost) return undefined;
  const text = domain ?? (property !== undefined && 'value' in property ? property.value : '');
  const host = domainName(text) ?? typedDomain(text);
  if (host !== undefined) return host;
  throw new TaskError('VALIDATION_ERROR', 'This is no domain name.', {
    field: domain === undefined ? 'property.value' : 'domain',
    suggestion: 'Send a domain such as news.example.',
  });
}

function noPublisher(): TaskError {
  return new TaskError('VALIDATION_ERROR', 'A property id is known at one publisher alone.', {
    field: 'publisher_domain',
    suggestion: 'Send the domain of the publisher, or an identifier of the property.',
  });
}

function publishersOf(tables: Tables, properties: readonly number[], host: string | undefined): readonly number[] {
  const found: number[] = [];
  for (const property of properties) {
    const publisher = tables.propertyDomain.at(property);
    if (!found.includes(publisher)) found.push(publisher);
  }
  if (found.length > 0 || host === undefined) return found;
  const nearest = publisherOfHost(tables, host);
  return nearest === 0 ? [] : [nearest];
}

/** Most properties that an explanation is about. */
const MOST_TOLD = 100;

function judgeAt(tables: Tables, question: IndexQuestion, place: Place, publisher: number): Judged {
  const meant = place.properties;
  const settled = (reason: AuthorizationReason, property = 0): Judged => {
    return { answer: answer(reason, publisher, property), about: { meant, first: property === 0 ? [] : [property] } };
  };
  const closed = closedBy(tables, publisher);
  if (closed !== undefined) return settled(closed);
  const { host, agent } = place;
  if (host !== undefined && !isAt(tables, host, publisher)) return settled('other_publisher');
  const pair = agent === 0 ? 0 : tables.pairs.find(agent, publisher);
  if (pair === 0 || tables.pairRows.at(pair) === 0) return settled(unlisted(tables, question.agent, publisher));
  const operator = operatorOf(tables, agent);
  const beside = besideOperator(tables, question, host, operator);
  const verdict = judgePair(tables, { ...place, publisher }, pair, beside);
  const { intricate, property, reason, sides } = verdict;
  if (reason !== 'intricate' && question.strict !== true) {
    return sides !== undefined && isContradicted(tables, sides)
      ? settled('property_ambiguous')
      : settled(reason, property);
  }
  const about: About = { meant, first: reason === 'intricate' ? intricate : property === 0 ? [] : [property] };
  const told = whole(tables, question, publisher, about);
  const rid = told.property === undefined ? 0 : tables.rids.find(told.property.pointer);
  return {
    answer: { authorized: told.authorized, reason: told.reason, property: tables.ridProperty.at(rid), publisher },
    about,
  };
}

/** Whether the operator contradicts a property that is none of those which it lets pass. */
function isContradicted(tables: Tables, { agreed, contradicted }: NonNullable<Verdict['sides']>): boolean {
  const keyOf = (property: number): string => declarableKey(declarableFrom(tables, property, undefined));
  const known = new Set(agreed.map(keyOf));
  return contradicted.some((property) => !known.has(keyOf(property)));
}

function isAt(tables: Tables, host: string, publisher: number): boolean {
  if (tables.domains.find(host) === publisher) return true;
  const domain = tables.domains.text(publisher);
  return publisherDomain(host) === domain || isWithin(host, domain);
}

function unlisted(tables: Tables, agent: string, publisher: number): AuthorizationReason {
  const alike = spellingOf(tables, agent);
  for (let pair = tables.domainPair.at(publisher); alike !== 0 && pair !== 0; pair = tables.nextAtDomain.at(pair)) {
    if (tables.pairRows.at(pair) > 0 && tables.agentCareless.at(tables.pairAgent.at(pair)) === alike) {
      return 'agent_url_differs';
    }
  }
  return 'agent_not_listed';
}

/** The number of the careless spelling of an agent; 0 when nobody is spelled so. */
function spellingOf(tables: Tables, agent: string): number {
  const known = findAgent(tables, agent);
  return known === 0 ? tables.careless.find(carelessSpelling(canonical(agent))) : tables.agentCareless.at(known);
}

function canonical(agent: string): string {
  return readQuestion({ agent, domain: 'any.example', at: 0 }).canonicalAgent;
}

/** By the one rule, over as much of the file as the tables tell of it: for what limits and rivals come to. */
function whole(tables: Tables, question: IndexQuestion, publisher: number, { meant, first }: About): Authorization {
  const { publisher_domain: _, ...asked } = question;
  const agent = findAgent(tables, question.agent);
  const here = meant.filter((row) => tables.propertyDomain.at(row) === publisher);
  const properties = [...new Set([...first, ...here.slice(0, MOST_TOLD)])];
  const alike = spellingOf(tables, question.agent);
  const excerpt =
    publisher === 0
      ? undefined
      : excerptFrom(tables, publisher, { agent, alike, meant: here, properties, at: question.at });
  return judgeAsked(readQuestion(asked), excerpt, operatorOf(tables, agent));
}

/** What a yes of the publisher becomes beside the operator's word (facts 3.4). */
function besideOperator(
  tables: Tables,
  { agent, country }: IndexQuestion,
  host: string | undefined,
  operator: BrandContent | undefined,
): Beside {
  if (operator === undefined) return () => 'operator_unknown';
  const where = country === undefined ? {} : { country: country.toUpperCase() };
  let lists: boolean | undefined;
  let ofHost: ReturnType<typeof declaredBy> = [];
  let [of, declared] = [0, ofHost];
  return (property, row) => {
    if (lists === undefined) {
      lists = operatorAgent(operator, agent) !== undefined;
      if (host !== undefined) ofHost = declaredBy(operator, undefined, { ...where, host });
    }
    if (of !== property) {
      declared = [...ofHost, ...declaredBy(operator, declarableFrom(tables, property, host), where)];
      of = property;
    }
    const delegation = CODES.delegation[tables.termDelegation.at(tables.rowTerm.at(row)) - 1];
    const match = matchSides(delegation, { lists_agent: lists, declared: declared.length > 0 }, declared);
    return OPERATOR_REASONS[match];
  };
}

const OPERATOR_REASONS = {
  both: 'confirmed',
  delegation_unspecified: 'delegation_unspecified',
  orphaned: 'orphaned',
  mismatch: 'delegation_mismatch',
  unknown: 'operator_silent',
  missing: 'operator_silent',
} as const satisfies Record<string, AuthorizationReason>;

/** Documents of operators that were read of their text. */
const MOST_OPERATORS = 1000;
const operators = new WeakMap<Tables, Map<number, BrandContent | undefined>>();

/** The brand.json of who serves an agent, by the domain that it is served at; undefined when the registry has none. */
function operatorOf(tables: Tables, agent: number): BrandContent | undefined {
  const unread = unreadOperator(tables, agent);
  unread?.keep(readBrandContent(unread.text, { file: brandJsonUrl(unread.domain) }));
  return operators.get(tables)?.get(documentWord(tables, agent));
}

/** A brand.json that nobody has read of its text yet, and where to put what it says. */
export type UnreadOperator = {
  readonly domain: string;
  readonly text: string;
  readonly keep: (content: BrandContent | undefined) => void;
};

/** The brand.json of who serves an agent while it is unread: large ones are read beside the event loop, before a question needs them. */
export function unreadOperator(tables: Tables, agent: number): UnreadOperator | undefined {
  const word = documentWord(tables, agent);
  const known = operators.get(tables) ?? new Map<number, BrandContent | undefined>();
  operators.set(tables, known);
  if (word === 0 || known.has(word)) return undefined;
  return {
    domain: tables.domains.text(tables.agentOperator.at(agent)),
    text: tables.words.text(word),
    keep: (content) => {
      if (known.size >= MOST_OPERATORS) known.clear();
      known.set(word, content);
    },
  };
}

/** The word that is the text of the operator's document; 0 where there is none. */
function documentWord(tables: Tables, agent: number): number {
  const domain = tables.agentOperator.at(agent);
  return domain === 0 ? 0 : tables.domainBrand.at(domain);
}

function answer(reason: AuthorizationReason, publisher: number, property: number): Answer {
  return { authorized: AUTHORIZATION_REASONS[reason].authorizes !== 'never', reason, property, publisher };
}
