import { startPace } from '../../../../platform/kernel/event-loop.js';
import { Piecemeal } from '../../../../platform/kernel/json/pieces.js';
import { asTaskError, TaskError } from '../../../../protocol/errors.js';
import type { IdentifierType } from '../../../adagents/types.js';
import type { Decision } from '../../../authorization/evaluate.js';
import type { TwoSidedMatch } from '../../../authorization/operator.js';
import { AUTHORIZATION_REASONS, type AuthorizationReason } from '../../../authorization/reasons.js';
import { type Answer, answerOf } from '../../../mirror/lookup/answer.js';
import type { HeldAnswer } from '../../../mirror/lookup/answer-cache.js';
import type { IndexQuestion } from '../../../mirror/lookup/question.js';
import { canonicalAgentUrl } from '../../../model/agent-url.js';
import { publisherDomain } from '../../../model/domains.js';
import type { AuthorizationRecord, PropertyRecord } from '../../../model/records.js';
import { canSee, type RegistryCaller } from '../../auth/caller.js';
import { DatedJson, type WrittenAnswer, type WrittenJson } from '../../http/written-json.js';
import { describeMember } from '../agent/catalog.js';
import { Inventory } from '../agent/inventory/inventory.js';
import { RegistryProblem } from '../problem.js';
import type { Registry } from '../registry.js';
import { listOpenDomains } from './open-domains.js';
import { readOperator } from './operator-documents.js';
import { readGrantPages } from './record-pages.js';

/** Agents and domains of one answer. */
const MAX_AGENTS = 500;
const MAX_DOMAINS = 10_000;
/** Anybody's file may claim any app: so many properties with one identifier are looked at, and so many rows of each publisher. */
const MAX_CLAIMANTS = 50;
const MAX_ROWS = 1000;

/** Returns agents of a domain: those that its file lets sell something just now, and others that say themselves that they sell it. */
export async function lookupDomain(registry: Registry, caller: RegistryCaller, domain: string): Promise<object> {
  const name = publisherDomain(domain);
  const pace = startPace();
  const named = new Set<string>();
  const shown = new Map<string, AuthorizationRecord>();
  for await (const page of readGrantPages(registry, name)) {
    for (const row of page) {
      named.add(row.agent_url_canonical);
      if (named.size <= MAX_AGENTS || shown.has(row.agent_url_canonical)) shown.set(row.agent_url_canonical, row);
    }
  }
  const authorized_agents = [];
  for (const { agent_url: url, agent_url_canonical, authorized_for } of shown.values()) {
    const member = await memberOfAgent(registry, caller, agent_url_canonical);
    authorized_agents.push({ url, authorized_for: authorized_for ?? undefined, ...member });
    if (pace.isDue()) await pace.rest();
  }
  return { domain: name, authorized_agents, sales_agents_claiming: await claiming(registry, caller, name, named) };
}

/** Returns agents that say themselves that they sell a publisher which does not let them. */
async function claiming(
  registry: Registry,
  caller: RegistryCaller,
  domain: string,
  named: ReadonlySet<string>,
): Promise<readonly object[]> {
  const pace = startPace();
  const claims = await registry.store.read.crawl.listClaims(domain, MAX_AGENTS);
  const rows: object[] = [];
  for (const url of claims.filter((one) => !named.has(one))) {
    rows.push({ url, ...(await memberOfAgent(registry, caller, url)) });
    if (pace.isDue()) await pace.rest();
  }
  return rows;
}

async function memberOfAgent(
  { store }: Registry,
  caller: RegistryCaller,
  agentUrl: string,
): Promise<{ readonly member?: object }> {
  const enrolled = await store.read.member_agent.find(agentUrl);
  if (enrolled === undefined || !canSee(caller, enrolled.visibility, enrolled.org_id)) return {};
  const organization = await store.read.organization.find(enrolled.org_id);
  return organization === undefined ? {} : { member: describeMember(organization) };
}

/** Returns agents that may sell a property, by one of its identifiers. */
export async function lookupProperty(registry: Registry, type: string, value: string): Promise<Piecemeal> {
  const { read } = registry.store;
  const pace = startPace();
  const claimants: PropertyRecord[] = [];
  for (const { property_rid } of registry.index.identifier(type, value, MAX_CLAIMANTS)) {
    const record = await read.property.find(property_rid);
    if (record?.status === 'active') claimants.push(record);
    if (pace.isDue()) await pace.rest();
  }
  const sellers = new Map<PropertyRecord, ReadonlyMap<string, string>>();
  for (const domain of new Set(claimants.map(({ publisher_domain }) => publisher_domain))) {
    const own = claimants.filter(({ publisher_domain }) => publisher_domain === domain);
    for (const [record, agents] of await sellersOf(registry, domain, own)) sellers.set(record, agents);
  }
  const agents = claimants
    .flatMap((record) => [...(sellers.get(record)?.values() ?? [])].map((agent_url) => ({ agent_url, record })))
    .slice(0, MAX_AGENTS)
    .map(({ agent_url, record }) => {
      return { agent_url, property: shownProperty(record), publisher_domain: record.publisher_domain };
    });
  return new Piecemeal({ type, value, agents, count: agents.length });
}

/** Returns the agents that may sell each of a publisher's properties just now, whatever else limits them: as they are written, by their canonical URLs. */
async function sellersOf(
  registry: Registry,
  domain: string,
  properties: readonly PropertyRecord[],
): Promise<ReadonlyMap<PropertyRecord, ReadonlyMap<string, string>>> {
  const inventory = new Inventory();
  for (const record of properties) inventory.add(record);
  const sellers = properties.map((record) => [record, new Map<string, string>()] as const);
  for await (const page of readGrantPages(registry, domain, MAX_ROWS)) {
    for (const row of page) {
      const covered = inventory.emptySet();
      inventory.cover(row, covered);
      covered.each((position) => sellers[position]?.[1].set(row.agent_url_canonical, row.agent_url));
    }
  }
  return new Map(sellers);
}

/** Returns every publisher that authorizes an agent just now: by a file that counts and an entry that is in effect. Throws invalid_request for what is no URL. */
export async function agentDomains(registry: Registry, agentUrl: string): Promise<object> {
  const domains = await listOpenDomains(registry, requireAgent(agentUrl, 'agentUrl'), MAX_DOMAINS);
  return { agent_url: agentUrl, domains, count: domains.length };
}

/** A question about one property, as it comes in a query. */
type PropertyQuestion = {
  readonly agent_url: string;
  readonly identifier_type: string;
  readonly identifier_value: string;
  readonly country?: string;
  readonly strict?: boolean;
  /** Every step of the answer, and what each side says of the other; it costs more. */
  readonly explain?: boolean;
};

const MUTUAL: ReadonlySet<TwoSidedMatch> = new Set<TwoSidedMatch>(['both', 'delegation_unspecified']);
/** Reasons that the publisher's side alone would have been a yes. */
const PUBLISHER_SAYS_YES: ReadonlySet<AuthorizationReason> = new Set<AuthorizationReason>([
  ...(['confirmed', 'delegation_unspecified', 'orphaned', 'delegation_mismatch'] as const),
  ...(['operator_unknown', 'operator_silent'] as const),
]);

/**
 * Whether an agent may sell a property just now: both sides, delegation against relationship,
 * dates, and countries where one is asked for. Throws invalid_request.
 */
export async function validateProperty(registry: Registry, question: PropertyQuestion): Promise<WrittenAnswer> {
  const { agent_url, country, explain = false, identifier_type, identifier_value, strict } = question;
  const { clock, index } = registry;
  const agent = requireAgent(agent_url, 'agent_url', (url) => index.canonicalUrl(url));
  const at = clock.now();
  const property = { type: identifier_type as IdentifierType, value: identifier_value };
  const asked: IndexQuestion = { agent, property, at, openLimits: 'report', country, strict };
  const { answer, decision, held } = await decideProperty(registry, asked, explain).catch(nameIdentifier);
  const json = new DatedJson({
    before: { agent_url, identifier_type, identifier_value, ...shownAnswer(answer) },
    instant: 'checked_at',
    after: { ...shownReason(answer), ...(decision && explanationWire(decision)) },
  });
  const written = json.at(at);
  if (held === undefined) return { written };
  const again = (): WrittenJson | undefined => {
    const nowMs = clock.now();
    return index.holds(held, agent, nowMs) ? json.at(nowMs) : undefined;
  };
  return { written, again };
}

function shownAnswer({ authorized, property }: Answer): object {
  if (property === undefined) return { authorized };
  const { property_id, property_rid, publisher_domain } = property;
  return { authorized, property_id: property_id ?? property_rid, property_rid, publisher_domain };
}

function shownReason({ authorized, match, reason }: Answer): object {
  const { fix, says } = AUTHORIZATION_REASONS[reason];
  return {
    reason,
    explanation: says,
    fix,
    match,
    mutual: authorized && MUTUAL.has(match),
    publisher_side: { authorized: PUBLISHER_SAYS_YES.has(reason) },
  };
}

/** Throws a refusal of the identifier under the name that it has in the query, and any other error as it came. */
function nameIdentifier(error: unknown): never {
  const { extras, message } = asTaskError(error) ?? {};
  if (extras?.field !== 'property.value' || message === undefined) throw error;
  throw new RegistryProblem('invalid_request', `identifier_value: ${message}`, {
    field: 'identifier_value',
    suggestion: extras.suggestion ?? 'Send a domain such as news.example.',
  });
}

/** The answer to a question; the decision that it is of where its steps are wanted, else what it rests on. */
type DecidedProperty = { readonly answer: Answer; readonly decision?: Decision; readonly held?: HeldAnswer };

async function decideProperty(
  registry: Registry,
  asked: IndexQuestion,
  isExplained: boolean,
): Promise<DecidedProperty> {
  const { index } = registry;
  await readOperator(registry, asked.agent);
  if (!isExplained) {
    const held = await index.answerInPieces(asked);
    return { answer: held.answer, held };
  }
  // A decision about a crowded identifier takes long: it is made once.
  const decision = await index.explainInPieces(asked);
  return { answer: answerOf(decision), decision };
}

function explanationWire({ match, mutual, operator_side, publisher_side, steps }: Decision): object {
  return {
    match,
    mutual,
    publisher_side,
    publisher_domain: publisher_side.publisher_domain,
    operator_side,
    steps,
  };
}

/** Returns the canonical URL of an agent; `canonicalize` may remember those of before. Throws invalid_request for what is none. */
export function requireAgent(url: string, field: string, canonicalize = canonicalAgentUrl): string {
  const canonical = canonicalize(url);
  if (canonical !== undefined) return canonical;
  throw new TaskError('VALIDATION_ERROR', `${field}: is not the URL of an agent`, {
    field,
    suggestion: 'Send the absolute URL that buyers call, such as https://sales.example/mcp.',
  });
}

/** Returns the id of a property in answers: its own, else the registry's. */
export function itemOf({ property_id, property_rid }: PropertyRecord): string {
  return property_id ?? property_rid;
}

function shownProperty(record: PropertyRecord): object {
  const { identifiers, name, property_rid, property_type, publisher_domain, tags } = record;
  return { property_id: itemOf(record), property_rid, publisher_domain, property_type, name, identifiers, tags };
}
