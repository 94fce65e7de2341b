import { isoTime } from '../../../../platform/kernel/clock.js';
import { startPace } from '../../../../platform/kernel/event-loop.js';
import { Piecemeal } from '../../../../platform/kernel/json/pieces.js';
import { publisherDomain, typedDomain } from '../../../model/domains.js';
import { isOpenGrant } from '../../../model/grants.js';
import type { AuthorizationRecord, PropertyRecord, RecordSelector } from '../../../model/records.js';
import { createPicker } from '../agent/inventory/inventory.js';
import { RegistryProblem } from '../problem.js';
import type { Registry } from '../registry.js';
import { itemOf, requireAgent } from './lookups.js';
import { readOperator } from './operator-documents.js';
import { readAuthorizationPages, readPropertyPages } from './record-pages.js';

/** Properties that one question reads: more than the largest file of one publisher lists. */
const MAX_READ_PROPERTIES = 100_000;
const MAX_UNAUTHORIZED = 100;

/** A selector as callers write it: old ones leave out the kind. */
type AskedSelector = {
  readonly publisher_domain?: string;
  readonly publisher_domains?: readonly string[];
  readonly selection_type?: 'all' | 'by_id' | 'by_tag';
  readonly property_ids?: readonly string[];
  readonly property_tags?: readonly string[];
  readonly tags?: readonly string[];
  readonly property_types?: readonly string[];
};

type PublisherSelector = RecordSelector & { readonly publisher_domain: string };

/** A selector of a question for one publisher, made ready to be asked of many properties. */
type PreparedSelector = {
  readonly selector: PublisherSelector;
  readonly picks: (property: PropertyRecord) => boolean;
};

/** Whether an agent may sell all that a product's selectors reach. Throws invalid_request. */
export async function validateProduct(
  registry: Registry,
  agentUrl: string,
  selectors: readonly AskedSelector[],
): Promise<Piecemeal> {
  const agent = requireAgent(agentUrl, '/agent_url');
  await readOperator(registry, agent);
  const pace = startPace();
  const counts = (await readSelectors(selectors)).map((wanted) => ({ wanted, ...startCount() }));
  // The request itself was read in this run, and it may name ten thousand publishers.
  await pace.rest();
  let read = 0;
  for (const [domain, own] of groupedBy(counts, ({ wanted }) => wanted.selector.publisher_domain)) {
    for await (const page of readPropertyPages(registry.store.read, domain)) {
      read = countedRead(read, page);
      for (const record of listedOf(page)) {
        const picking = own.filter(({ wanted }) => wanted.picks(record));
        const isYes = picking.length > 0 && canSell(registry, agent, record);
        for (const one of picking) takeUp(one, record, isYes);
        if (pace.isDue()) await pace.rest();
      }
    }
    if (pace.isDue()) await pace.rest();
  }
  const answers = [];
  for (const one of counts) {
    answers.push(answerOf(registry, one));
    if (pace.isDue()) await pace.rest();
  }
  const total_requested = answers.reduce((sum, { requested_count }) => sum + requested_count, 0);
  const total_authorized = answers.reduce((sum, { authorized_count }) => sum + authorized_count, 0);
  return new Piecemeal({
    agent_url: agentUrl,
    authorized: total_requested > 0 && total_authorized === total_requested,
    coverage_percentage: total_requested === 0 ? 0 : Math.floor((total_authorized / total_requested) * 100),
    total_requested,
    total_authorized,
    selectors: answers,
    checked_at: isoTime(registry.clock.now()),
  });
}

/** The result for a selector so far. */
type Count = {
  picked: number;
  authorized: number;
  /** The first of those that are not authorized. */
  readonly refused: string[];
  readonly named: Set<string>;
};

function startCount(): Count {
  return { picked: 0, authorized: 0, refused: [], named: new Set() };
}

function takeUp(
  count: Count & { readonly wanted: PreparedSelector },
  record: PropertyRecord,
  isAuthorized: boolean,
): void {
  count.picked += 1;
  // Only of ids that were asked for is it said which there are none of.
  if (count.wanted.selector.selection_type === 'by_id' && record.property_id !== null)
    count.named.add(record.property_id);
  if (isAuthorized) count.authorized += 1;
  else if (count.refused.length < MAX_UNAUTHORIZED) count.refused.push(itemOf(record));
}

function answerOf(
  { index }: Registry,
  { authorized, named, picked, refused, wanted }: Count & { readonly wanted: PreparedSelector },
) {
  const { selector } = wanted;
  const asked = selector.selection_type === 'by_id' ? selector.property_ids : [];
  const unknown = asked.filter((id) => !named.has(id));
  return {
    publisher_domain: selector.publisher_domain,
    selection_type: selector.selection_type,
    requested_count: picked + unknown.length,
    authorized_count: authorized,
    unauthorized_items: [...refused, ...unknown.slice(0, MAX_UNAUTHORIZED)].slice(0, MAX_UNAUTHORIZED),
    source: authorized > 0 && index.publisher(selector.publisher_domain) !== undefined ? 'adagents_json' : 'none',
  };
}

/** Returns the properties that a product's selectors pick, one by one. Throws invalid_request. */
export async function expandProduct(
  registry: Registry,
  agentUrl: string,
  selectors: readonly AskedSelector[],
): Promise<Piecemeal> {
  requireAgent(agentUrl, '/agent_url');
  const wanted = await readSelectors(selectors);
  for await (const _page of pickedPages(registry, wanted)) {
    // What is too much is refused before anything is written.
  }
  let [properties, identifiers] = [0, 0];
  return new Piecemeal({
    agent_url: agentUrl,
    properties: pagesOf(registry, wanted, (record) => {
      const { identifiers: own, name, property_type, publisher_domain, tags } = record;
      properties += 1;
      return [
        { publisher_domain, property_id: itemOf(record), property_name: name, property_type, identifiers: own, tags },
      ];
    }),
    identifiers: pagesOf(registry, wanted, (record) => {
      identifiers += record.identifiers.length;
      return record.identifiers.map(({ type, value }) => {
        return { type, value, property_id: itemOf(record), publisher_domain: record.publisher_domain };
      });
    }),
    property_count: () => properties,
    identifier_count: () => identifiers,
    generated_at: isoTime(registry.clock.now()),
  });
}

/** Reads the properties that selectors pick as they are shown, page by page. */
async function* pagesOf(
  registry: Registry,
  wanted: readonly PreparedSelector[],
  shown: (record: PropertyRecord) => readonly object[],
): AsyncGenerator<readonly object[]> {
  for await (const page of pickedPages(registry, wanted)) yield page.flatMap(shown);
}

/** Reads the properties that any of some selectors picks, each once. Throws invalid_request when they make it read too many. */
async function* pickedPages(
  { store }: Registry,
  wanted: readonly PreparedSelector[],
): AsyncGenerator<readonly PropertyRecord[]> {
  const pace = startPace();
  let read = 0;
  for (const [domain, own] of groupedBy(wanted, ({ selector }) => selector.publisher_domain)) {
    for await (const page of readPropertyPages(store.read, domain)) {
      read = countedRead(read, page);
      yield listedOf(page).filter((record) => own.some(({ picks }) => picks(record)));
    }
    if (pace.isDue()) await pace.rest();
  }
}

/** Returns how much of a publisher an agent may sell just now. Throws not_found for an agent that the publisher does not name. */
export async function publisherAuthorization(registry: Registry, domain: string, agentUrl: string): Promise<object> {
  const agent = requireAgent(agentUrl, 'agent');
  await readOperator(registry, agent);
  const name = publisherDomain(domain);
  const { first, isWide } = await readOwnRows(registry, name, agent);
  if (first === undefined) {
    throw new RegistryProblem('not_found', 'This publisher does not authorize this agent.', {
      field: 'agent',
      suggestion: 'Check the spelling of both; the publisher adds agents in its adagents.json.',
    });
  }
  const { authorized, total, unauthorized } = await countSellable(registry, name, agent);
  return {
    publisher_domain: name,
    agent_url: agentUrl,
    authorized,
    total,
    publisher_wide: isWide,
    source: first.evidence === 'agent_claim' ? 'agent_claim' : 'adagents_json',
    authorized_for: first.authorized_for ?? undefined,
    unauthorized_properties: unauthorized,
  };
}

/** Returns the first row of an agent at a publisher, and whether one in effect is for everything that the publisher has. */
async function readOwnRows(
  { clock, index, store }: Registry,
  domain: string,
  agent: string,
): Promise<{ readonly first: AuthorizationRecord | undefined; readonly isWide: boolean }> {
  const nowMs = clock.now();
  const isOpen = index.publisher(domain)?.standing === 'open';
  let first: AuthorizationRecord | undefined;
  let isWide = false;
  for await (const page of readAuthorizationPages(store.read, domain)) {
    const own = page.filter(({ agent_url_canonical }) => agent_url_canonical === agent);
    first ??= own[0];
    isWide ||= isOpen && own.some((row) => isOpenGrant(row, nowMs) && isPublisherWide(row));
  }
  return { first, isWide };
}

/** Counts the properties of a publisher that an agent may sell; names the first of the others. */
async function countSellable(
  registry: Registry,
  domain: string,
  agent: string,
): Promise<{ readonly authorized: number; readonly total: number; readonly unauthorized: readonly object[] }> {
  const pace = startPace();
  let [total, authorized] = [0, 0];
  const unauthorized: object[] = [];
  for await (const page of readPropertyPages(registry.store.read, domain)) {
    for (const record of listedOf(page)) {
      total += 1;
      if (canSell(registry, agent, record)) authorized += 1;
      else if (unauthorized.length < MAX_UNAUTHORIZED) {
        unauthorized.push({ id: itemOf(record), name: record.name, type: record.property_type });
      }
      if (pace.isDue()) await pace.rest();
    }
  }
  return { authorized, total, unauthorized };
}

/** Whether a row is for everything that its publisher lists. */
export function isPublisherWide({ authorization_type, property_rid, selectors }: AuthorizationRecord): boolean {
  if (authorization_type === 'signal_ids' || authorization_type === 'signal_tags' || property_rid !== null)
    return false;
  return selectors === undefined || selectors.some(({ selection_type }) => selection_type === 'all');
}

/** Returns the properties that a publisher lists and that are not stale. */
function listedOf(page: readonly PropertyRecord[]): readonly PropertyRecord[] {
  return page.filter(({ inline, status }) => status === 'active' && inline !== true);
}

/** Whether an agent may sell a property just now. */
function canSell({ clock, index }: Registry, agent: string, record: PropertyRecord): boolean {
  const { publisher_domain, property_id, property_rid } = record;
  const property = property_id === null ? { property_rid } : { property_id };
  const question = { agent, publisher_domain, at: clock.now(), openLimits: 'report' } as const;
  return index.isAuthorized({ ...question, property }).authorized;
}

/** Returns how many properties a question has read with one page more. Throws invalid_request when they are too many. */
function countedRead(before: number, page: readonly PropertyRecord[]): number {
  const read = before + page.length;
  if (read <= MAX_READ_PROPERTIES) return read;
  const field = '/publisher_properties';
  throw new RegistryProblem(
    'invalid_request',
    `${field}: its publishers have more than ${MAX_READ_PROPERTIES} properties`,
    {
      field,
      suggestion: 'Ask about fewer publishers at a time.',
    },
  );
}

function groupedBy<T>(list: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

async function readSelectors(asked: readonly AskedSelector[]): Promise<readonly PreparedSelector[]> {
  const pace = startPace();
  const prepared: PreparedSelector[] = [];
  for (const [position, one] of asked.entries()) {
    const types = one.property_types && new Set(one.property_types);
    const selectors = readSelector(one, position);
    const [first] = selectors;
    const isPicked = first && createPicker(first);
    const picks = (record: PropertyRecord): boolean =>
      types?.has(record.property_type) !== false && isPicked?.(record) === true;
    for (const selector of selectors) prepared.push({ selector, picks });
    if (pace.isDue()) await pace.rest();
  }
  return prepared;
}

function readSelector(asked: AskedSelector, position: number): readonly PublisherSelector[] {
  const { property_ids, property_tags = asked.tags, publisher_domain, publisher_domains = [] } = asked;
  const domains = [...(publisher_domain === undefined ? [] : [publisher_domain]), ...publisher_domains];
  if (domains.length === 0) throw wrongSelector(position, 'publisher_domain', 'is missing');
  const withoutIds = property_tags ? 'by_tag' : 'all';
  const type = asked.selection_type ?? (property_ids ? 'by_id' : withoutIds);
  const publishers = domains.map((text) => {
    const domain = typedDomain(text);
    if (domain === undefined) throw wrongSelector(position, 'publisher_domain', 'is not a valid domain');
    return publisherDomain(domain);
  });
  return [...new Set(publishers)].map((publisher) => {
    if (type === 'all') return { publisher_domain: publisher, selection_type: type };
    if (type === 'by_id') {
      if (property_ids === undefined) throw wrongSelector(position, 'property_ids', 'is missing');
      return { publisher_domain: publisher, selection_type: type, property_ids };
    }
    if (property_tags === undefined) throw wrongSelector(position, 'property_tags', 'is missing');
    return { publisher_domain: publisher, selection_type: type, property_tags };
  });
}

function wrongSelector(position: number, member: string, what: string): RegistryProblem {
  const field = `/publisher_properties/${position}/${member}`;
  return new RegistryProblem('invalid_request', `${field}: ${what}`, {
    field,
    suggestion: 'Send {"publisher_domain", "selection_type": "all" | "by_id" | "by_tag"} with what it selects.',
  });
}
