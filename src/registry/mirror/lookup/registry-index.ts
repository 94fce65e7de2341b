import { statSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { Cache } from '../../../platform/kernel/cache.js';
import { startPace } from '../../../platform/kernel/event-loop.js';
import type { EffectiveAdagents } from '../../adagents/discovery.js';
import { type Decision, decide, decideInPieces } from '../../authorization/evaluate.js';
import { type Asked, readQuestion } from '../../authorization/question.js';
import { canonicalAgentUrl } from '../../model/agent-url.js';
import type { CollectionRecord, Standing } from '../../model/records.js';
import { FIRST_GRANT, type GrantPair } from '../../store/lookups/reads/publishers.js';
import type { PropertyRow } from '../../store/lookups/reads/rows.js';
import type { RegistryStore } from '../../store/registry-store.js';
import { type Answer, answerOf, type IndexedProperty } from './answer.js';
import { AnswerCache, type HeldAnswer, keyOfQuestion } from './answer-cache.js';
import { MirrorFacts } from './mirror-facts.js';
import { type OperatorDocument, Operators, type UnreadOperator } from './operators.js';
import { PublisherFiles } from './publisher-files.js';
import {
  type IndexQuestion,
  lookupDomain,
  lookupHost,
  noPublisherNamed,
  patternsOfHost,
  requireAgentUrl,
} from './question.js';
import { SharedRows } from './shared-rows.js';

/** The counts of what lookups cover. */
export type IndexStats = {
  readonly publishers: number;
  readonly properties: number;
  readonly identifiers: number;
  readonly authorizations: number;
  readonly agents: number;
  /** Bytes of the file that they are in. */
  readonly bytes: number;
};

const MAX_CANONICAL_URLS = 10_000;
const MAX_CANONICAL_BYTES = 4 * 1024 * 1024;
const MAX_IDENTIFIED = 100_000;
/** Most collections of a publisher that are read. */
const MAX_COLLECTIONS = 20_000;

/** A decision with every step of it, and the publisher that it is about. */
type ExplainedDecision = Decision & { readonly publisher_domain?: string };

/** Answers from a registry's records as they are on disk, at once. */
export class RegistryIndex {
  readonly #store: RegistryStore;
  readonly #operators: Operators;
  readonly #rows: SharedRows;
  readonly #files: PublisherFiles;
  readonly #canonicalUrls = new Cache<string, string>({
    maxEntries: MAX_CANONICAL_URLS,
    maxBytes: MAX_CANONICAL_BYTES,
    sizeOf: (canonical, url) => 2 * (url.length + canonical.length),
  });
  readonly #answers = new AnswerCache();
  readonly #endFollowing: () => void;

  constructor(store: RegistryStore) {
    this.#store = store;
    this.#operators = new Operators(store);
    this.#rows = new SharedRows(store.lookups.read, this.#operators);
    this.#files = new PublisherFiles(this.#rows);
    this.#endFollowing = store.lookups.follow((publishers) => {
      this.#files.forget(publishers);
      this.#rows.forget(publishers);
      this.#answers.clear();
    });
  }

  /** Returns whether an agent may sell a property. Throws VALIDATION_ERROR with `field` for a question that asks nothing. */
  isAuthorized(question: IndexQuestion): Answer {
    const key = keyOfQuestion(question);
    return (this.#find(question, key) ?? this.#answer(question, key)).answer;
  }

  /** Whether an answer about an agent still holds at an instant (ms). */
  holds(held: HeldAnswer, agent: string, at: number): boolean {
    const document = this.#operatorDocument(agent);
    return document !== undefined && this.#answers.holds(held, document, at);
  }

  /** Returns the answer of `isAuthorized` and what it rests on; lets others go first where thousands of properties may be meant. */
  async answerInPieces(question: IndexQuestion): Promise<HeldAnswer> {
    const key = keyOfQuestion(question);
    const held = this.#find(question, key);
    if (held !== undefined) return held;
    const { decision, facts } = await this.#decideInPieces(question, false);
    return this.#hold(question, key, { answer: answerOf(decision), span: facts.span });
  }

  /** Returns the decision with every step of it. Throws like `isAuthorized`. */
  explain(question: IndexQuestion): ExplainedDecision {
    return withPublisher(this.#decide(question, new MirrorFacts(this.#rows, question, true)));
  }

  /** Returns the decision of `explain`, and lets others go first where thousands of properties may be meant. Rejects like it throws. */
  async explainInPieces(question: IndexQuestion): Promise<ExplainedDecision> {
    const { decision } = await this.#decideInPieces(question, true);
    return withPublisher(decision);
  }

  /** Returns the properties with an identifier, at most so many: for hosts by the rule of hosts, else by the exact text. */
  identifier(type: string, value: string, limit = MAX_IDENTIFIED): readonly IndexedProperty[] {
    const { properties } = this.#rows.reads;
    if (type !== 'domain' && type !== 'subdomain')
      return properties.claims(type, value, limit).map((one) => this.#indexed(one));
    const host = lookupHost(value);
    if (host === undefined) return [];
    const claims = new Map(properties.ownHostClaims(patternsOfHost(host), limit).map((one) => [one.rid, one]));
    return Array.from(claims.values(), (one) => this.#indexed(one)).slice(0, limit);
  }

  /** Returns a collection by its id in the registry, or by one that was merged into it. */
  collection(rid: string): CollectionRecord | undefined {
    return this.#rows.reads.collections.find(rid);
  }

  /** Returns the collections of a publisher. */
  collectionsOf(text: string): readonly CollectionRecord[] {
    const domain = lookupDomain(text);
    return domain === undefined ? [] : this.#rows.reads.collections.ofPublisher(domain, MAX_COLLECTIONS);
  }

  /** Returns a publisher and its standing. */
  publisher(text: string): { readonly domain: string; readonly standing: Standing } | undefined {
    const domain = lookupDomain(text);
    const row = domain === undefined ? undefined : this.#rows.publisherOf(domain);
    return row?.standing == null ? undefined : { domain: row.domain, standing: row.standing as Standing };
  }

  /** Returns the file of a publisher as the records tell it; undefined when none counts. */
  effective(text: string): EffectiveAdagents | undefined {
    const domain = lookupDomain(text);
    return domain === undefined ? undefined : this.#files.file(domain);
  }

  /** Returns the canonical URLs of the agents that a publisher authorizes for something, whatever limits it. */
  agentsOf(text: string): readonly string[] {
    const domain = lookupDomain(text);
    const row = domain === undefined ? undefined : this.#rows.publisherOf(domain);
    return row === undefined ? [] : this.#rows.reads.grants.agentsAt(row.publisher);
  }

  /** Returns the publishers that authorize an agent for something. Throws VALIDATION_ERROR for what is no URL. */
  domainsOf(agentUrl: string): readonly string[] {
    const agent = this.#rows.agent(requireAgentUrl(agentUrl));
    return agent === undefined ? [] : this.#rows.reads.publishers.ofAgent(agent);
  }

  /** Whether a publisher authorizes an agent for something at an instant (ms): its file counts, and a row is in effect. */
  async hasOpenGrant(domain: string, agentUrl: string, at: number): Promise<boolean> {
    const pace = startPace();
    let pair: GrantPair | undefined;
    let position = FIRST_GRANT;
    for (;;) {
      const row = this.#rows.publisherOf(domain);
      const agent = this.#rows.agent(agentUrl);
      if (row?.standing !== 'open' || agent === undefined) return false;
      const { publisher } = row;
      // Records that were read anew meanwhile have other numbers.
      if (pair?.publisher !== publisher || pair.agent !== agent) [pair, position] = [{ publisher, agent }, FIRST_GRANT];
      const { isOpen, next } = this.#rows.reads.publishers.findOpenGrant(pair, at, position);
      if (next === undefined) return isOpen;
      position = next;
      if (pace.isDue()) await pace.rest();
    }
  }

  /** Returns the brand.json of an agent's operator while nobody has read it, which a question would do on the event loop. */
  unreadOperator(agentUrl: string): UnreadOperator | undefined {
    return this.#operators.unread(this.canonicalUrl(agentUrl) ?? requireAgentUrl(agentUrl));
  }

  /** Returns the canonical URL of an agent; undefined for what is no URL. */
  canonicalUrl(url: string): string | undefined {
    const cached = this.#canonicalUrls.get(url);
    if (cached !== undefined) return cached;
    const canonical = canonicalAgentUrl(url);
    if (canonical !== undefined) this.#canonicalUrls.set(url, canonical);
    return canonical;
  }

  /** Returns what the lookups count. */
  stats(): IndexStats {
    return { ...this.#store.lookups.stats(), bytes: statSync(this.#store.file).size };
  }

  /** Returns how many active properties there are of each type. */
  propertiesByType(): Readonly<Record<string, number>> {
    return this.#store.lookups.read.propertiesByType();
  }

  /** Leaves what is answered from as it is, whatever happens to the records, until `rebuild`. */
  freeze(): void {
    this.#store.lookups.freeze();
  }

  /** Reads all records anew, beside what is answered from meanwhile, and answers from them then. */
  async rebuild(): Promise<void> {
    await this.#store.rebuildLookups();
  }

  /** Stops following the records. */
  async close(): Promise<void> {
    this.#endFollowing();
    this.#operators.close();
  }

  #find(question: IndexQuestion, key: string): HeldAnswer | undefined {
    const document = this.#operatorDocument(question.agent);
    return document && this.#answers.find(key, document, question.at);
  }

  #answer(question: IndexQuestion, key: string): HeldAnswer {
    const facts = new MirrorFacts(this.#rows, question, false);
    const answer = answerOf(this.#decide(question, facts));
    return this.#hold(question, key, { answer, span: facts.span });
  }

  #hold(question: IndexQuestion, key: string, answered: Pick<HeldAnswer, 'answer' | 'span'>): HeldAnswer {
    const document = this.#operatorDocument(question.agent);
    const held = { ...answered, document, edition: this.#answers.edition };
    if (document !== undefined) this.#answers.add(key, held);
    return held;
  }

  #operatorDocument(agent: string): OperatorDocument | undefined {
    const canonical = this.canonicalUrl(agent);
    return canonical === undefined ? undefined : this.#operators.peek(canonical);
  }

  #decide(question: IndexQuestion, facts: MirrorFacts): Decision {
    return decide(this.#readQuestion(question), facts);
  }

  async #decideInPieces(
    question: IndexQuestion,
    isExplained: boolean,
  ): Promise<{ readonly decision: Decision; readonly facts: MirrorFacts }> {
    const facts = new MirrorFacts(this.#rows, question, isExplained);
    const pieces = decideInPieces(this.#readQuestion(question), facts);
    let piece = pieces.next();
    if (piece.done === true) return { decision: piece.value, facts };
    const { edition } = this.#answers;
    const document = this.#operatorDocument(question.agent);
    const pace = startPace();
    while (piece.done !== true) {
      await pace.rest();
      piece = pieces.next();
    }
    if (edition === this.#answers.edition && document === this.#operatorDocument(question.agent))
      return { decision: piece.value, facts };
    // Pieces from before and after a change may contradict each other.
    const anew = new MirrorFacts(this.#rows, question, isExplained);
    return { decision: this.#decide(question, anew), facts: anew };
  }

  #readQuestion(question: IndexQuestion): Asked {
    const { property, publisher_domain } = question;
    const asked = readQuestion(question, (url) => this.canonicalUrl(url));
    if (property !== undefined && 'property_id' in property && publisher_domain === undefined) throw noPublisherNamed();
    return asked;
  }

  #indexed({ identifiers, property_id, publisher, rid }: PropertyRow): IndexedProperty {
    return {
      property_rid: rid,
      publisher_domain: this.#rows.publisher(publisher).domain,
      property_id,
      identifiers: JSON.parse(identifiers) as IndexedProperty['identifiers'],
    };
  }
}

function withPublisher(decision: Decision): ExplainedDecision {
  const { publisher_domain } = decision.publisher_side;
  return publisher_domain === undefined ? decision : { ...decision, publisher_domain };
}

/** Opens the lookups of a store; where none were written yet, they are written of the records first. */
export async function openRegistryIndex(store: RegistryStore): Promise<RegistryIndex> {
  if (!store.lookups.isBuilt) {
    await store.rebuildLookups();
    // Older versions kept them in a file of its own.
    for (const old of [`${store.file}.idx`, store.file.replace(/\.db$/, '.idx')])
      await unlink(old).catch(() => undefined);
  }
  return new RegistryIndex(store);
}
