import type { Reading, Writing } from '../../../../platform/database/engine.js';
import { parseDoc } from '../../../../platform/database/statement.js';
import { skeleton } from '../../../model/look-alikes.js';
import type { NoteRow } from '../../../store/row-changes.js';
import type { AssessmentState } from '../../assessment/records.js';
import type {
  AgentTotals,
  CrawlRequest,
  CrawlState,
  InventoryShare,
  RequestState,
  Visit,
} from '../../crawl/records.js';
import type { MemberAgent } from '../../service/records.js';
import { type CRAWL_KINDS, shareKey } from '../replication.js';
import type { RowCountReader, RowCountWriter } from '../row-counts.js';
import type { CrawlStatements } from './statements.js';

/** States of a request that is done. */
const DONE: ReadonlySet<RequestState> = new Set<RequestState>(['completed', 'invalid', 'failed']);
/** When what rests is due. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;
/** The one row of the table of floors. */
const FEED_FLOOR = 'feed';

/** An agent that a member enrolled, and what its last visit, which failed, came to. */
type FailingVisit = { readonly visit: Visit; readonly agent: MemberAgent };

/** Reads what the crawler stores: publishers by domain, agents by their canonical URLs, instants in milliseconds. */
export class CrawlReader {
  readonly #tx: Reading;
  readonly #statements: () => CrawlStatements;

  readonly #counts: RowCountReader;

  constructor(tx: Reading, statements: () => CrawlStatements, counts: RowCountReader) {
    this.#tx = tx;
    this.#statements = statements;
    this.#counts = counts;
  }

  async findState(domain: string): Promise<CrawlState | undefined> {
    return parseDoc<CrawlState>(await this.#tx.one(this.#statements().state, { domain }));
  }

  /** Returns the publishers that are due, the longest due first. */
  async listDue(now: number, limit: number): Promise<readonly string[]> {
    const rows = await this.#tx.all(this.#statements().due, { now, limit });
    return rows.map(({ domain }) => domain);
  }

  /** Returns publishers with a file whose domains have a skeleton. */
  async listPublishersLike(mark: string): Promise<readonly string[]> {
    const rows = await this.#tx.all(this.#statements().alike, { mark });
    return rows.map(({ domain }) => domain);
  }

  countPublishers(): Promise<number> {
    return this.#counts.find('crawl');
  }

  async countDue(now: number): Promise<number> {
    return (await this.#tx.one(this.#statements().countDue, { now }))?.count ?? 0;
  }

  /** Returns publishers whose last reading came to nothing, in the order of their domains, after `after`. */
  async listFailing(after: string, limit: number): Promise<readonly CrawlState[]> {
    const rows = await this.#tx.all(this.#statements().failing, { after, limit });
    return rows.map((row) => parseDoc<CrawlState>(row));
  }

  /** Returns the publishers that are known, in the order of their domains, from `from` on. */
  async listStates(from: string, limit: number): Promise<readonly CrawlState[]> {
    const rows = await this.#tx.all(this.#statements().states, { from, limit });
    return rows.map((row) => parseDoc<CrawlState>(row));
  }

  countFailing(): Promise<number> {
    return this.#counts.find('crawl:failing');
  }

  countVisits(): Promise<number> {
    return this.#counts.find('visit');
  }

  /** Returns when the publisher is or was due that is due first. */
  async findEarliestDue(): Promise<number | undefined> {
    return (await this.#tx.one(this.#statements().earliestDue, {}))?.due_at ?? undefined;
  }

  async findRequest(id: string): Promise<CrawlRequest | undefined> {
    return parseDoc<CrawlRequest>(await this.#tx.one(this.#statements().request, { id }));
  }

  /** Returns the requests that are not done, the oldest first. */
  async listOpenRequests(limit: number): Promise<readonly CrawlRequest[]> {
    const rows = await this.#tx.all(this.#statements().openRequests, { limit });
    return rows.map((row) => parseDoc<CrawlRequest>(row));
  }

  async countOpenRequests(): Promise<number> {
    return (await this.#tx.one(this.#statements().countOpen, {}))?.count ?? 0;
  }

  async listOpenRequestsFor(domain: string): Promise<readonly CrawlRequest[]> {
    const rows = await this.#tx.all(this.#statements().openRequestsFor, { domain });
    return rows.map((row) => parseDoc<CrawlRequest>(row));
  }

  async findVisit(url: string): Promise<Visit | undefined> {
    return parseDoc<Visit>(await this.#tx.one(this.#statements().visit, { url }));
  }

  async listVisitsDue(now: number, limit: number): Promise<readonly Visit[]> {
    const rows = await this.#tx.all(this.#statements().visitsDue, { now, limit });
    return rows.map((row) => parseDoc<Visit>(row));
  }

  /** Returns the assessments of an agent whose member consents to them. */
  async findAssessment(url: string): Promise<AssessmentState | undefined> {
    return parseDoc<AssessmentState>(await this.#tx.one(this.#statements().assessment, { url }));
  }

  /** Returns the assessments that are due, the longest due first. */
  async listAssessmentsDue(now: number, limit: number): Promise<readonly AssessmentState[]> {
    const rows = await this.#tx.all(this.#statements().assessmentsDue, { now, limit });
    return rows.map((row) => parseDoc<AssessmentState>(row));
  }

  /** Returns the agents that are assessed, in the order of their URLs, after `after`. */
  async listAssessments(after: string, limit: number): Promise<readonly AssessmentState[]> {
    const rows = await this.#tx.all(this.#statements().assessments, { after, limit });
    return rows.map((row) => parseDoc<AssessmentState>(row));
  }

  /** Returns the agents that members enrolled and that could not be visited, in the order of their URLs, after `after`. */
  async listFailingVisits(after: string, limit: number): Promise<readonly FailingVisit[]> {
    const rows = await this.#tx.all(this.#statements().failingVisits, { after, limit });
    return rows.map(({ agent, doc }) => ({
      visit: parseDoc<Visit>({ doc }),
      agent: parseDoc<MemberAgent>({ doc: agent }),
    }));
  }

  async countFailingVisits(): Promise<number> {
    return (await this.#tx.one(this.#statements().countFailingVisits, {}))?.count ?? 0;
  }

  /** Returns the agents that say that they sell a publisher. */
  async listClaims(domain: string, limit: number): Promise<readonly string[]> {
    const rows = await this.#tx.all(this.#statements().claims, { domain, limit });
    return rows.map(({ agent_url }) => agent_url);
  }

  /** Returns how many publishers agents say that they sell, each agent's by itself. */
  countClaims(): Promise<number> {
    return this.#counts.find('claim');
  }

  /** Returns what an agent sells over all publishers. */
  async findTotals(url: string): Promise<AgentTotals | undefined> {
    return parseDoc<AgentTotals>(await this.#tx.one(this.#statements().totals, { url }));
  }

  /** Returns what an agent sells of one publisher. */
  async findShare(domain: string, url: string): Promise<InventoryShare | undefined> {
    return parseDoc<InventoryShare>(await this.#tx.one(this.#statements().share, { domain, url }));
  }

  /** Returns the agents that sell something of a publisher, in the order of their URLs, after `after`. */
  async listSellers(domain: string, after: string, limit: number): Promise<readonly string[]> {
    const rows = await this.#tx.all(this.#statements().sellers, { domain, after, limit });
    return rows.map(({ agent_url }) => agent_url);
  }

  /** Returns the last event that the feed has forgotten. */
  async findFeedFloor(): Promise<string | undefined> {
    return (await this.#tx.one(this.#statements().floor, { name: FEED_FLOOR }))?.event_id;
  }
}

type CrawlKind = (typeof CRAWL_KINDS)[number];

/** The counters and the change notes of rows as they are written. */
type WriterNotes = { readonly counts: RowCountWriter; readonly note: NoteRow };

/** Reads and writes what the crawler stores, in one transaction. */
export class CrawlWriter extends CrawlReader {
  readonly #tx: Writing;
  readonly #statements: () => CrawlStatements;

  readonly #counts: RowCountWriter;
  readonly #note: (kind: CrawlKind, id: string) => Promise<void>;

  constructor(tx: Writing, statements: () => CrawlStatements, { counts, note }: WriterNotes) {
    super(tx, statements, counts);
    this.#tx = tx;
    this.#statements = statements;
    this.#counts = counts;
    this.#note = (kind, id) => note(tx, kind, id);
  }

  async saveState(state: CrawlState): Promise<void> {
    const { domain, dueAt: due_at, failures, kept } = state;
    const mark = kept === undefined ? '' : skeleton(domain);
    const before = await this.#tx.one(this.#statements().failures, { domain });
    if (before === undefined) await this.#counts.add('crawl', 1);
    await this.#counts.add('crawl:failing', Number(failures > 0) - Number((before?.failures ?? 0) > 0));
    await this.#tx.run(this.#statements().saveState, { domain, due_at, mark, failures, doc: JSON.stringify(state) });
    await this.#note('crawl', domain);
  }

  /** Saves the state of a publisher that has none. */
  async addState(state: CrawlState): Promise<void> {
    const { domain, dueAt: due_at } = state;
    const added = await this.#tx.run(this.#statements().addState, { domain, due_at, doc: JSON.stringify(state) });
    await this.#counts.add('crawl', added);
    if (added > 0) await this.#note('crawl', domain);
  }

  async dropState(domain: string): Promise<void> {
    const before = await this.#tx.one(this.#statements().failures, { domain });
    await this.#counts.add('crawl', -(await this.#tx.run(this.#statements().dropState, { domain })));
    await this.#counts.add('crawl:failing', -Number((before?.failures ?? 0) > 0));
    await this.#note('crawl', domain);
  }

  async saveRequest(request: CrawlRequest): Promise<void> {
    await this.#tx.run(this.#statements().saveRequest, {
      id: request.crawl_request_id,
      domain: request.domain,
      open: DONE.has(request.status) ? 0 : 1,
      requested_at: Date.parse(request.requested_at),
      doc: JSON.stringify(request),
    });
    await this.#note('crawl_request', request.crawl_request_id);
  }

  /** Saves a visit, and which publishers the agent says that it sells. */
  async saveVisit(visit: Visit): Promise<void> {
    const { agent_url: url, dueAt: due_at, failures, offer } = visit;
    const isNew = (await this.#tx.one(this.#statements().hasVisit, { url })) === undefined;
    await this.#counts.add('visit', Number(isNew));
    await this.#tx.run(this.#statements().saveVisit, { url, due_at, failures, doc: JSON.stringify(visit) });
    await this.#replaceClaims(url, new Set(offer?.publisher_domains));
    await this.#note('visit', url);
  }

  /** Deletes a visit, and which publishers the agent said that it sells. */
  async dropVisit(url: string): Promise<void> {
    await this.#counts.add('visit', -(await this.#tx.run(this.#statements().dropVisit, { url })));
    await this.#replaceClaims(url, new Set());
    await this.#note('visit', url);
  }

  async #replaceClaims(url: string, domains: ReadonlySet<string>): Promise<void> {
    const dropped = await this.#tx.run(this.#statements().dropClaims, { url });
    for (const domain of domains) await this.#tx.run(this.#statements().saveClaim, { url, domain });
    await this.#counts.add('claim', domains.size - dropped);
  }

  /** Saves the assessments of an agent; none that rest are due before somebody asks for one. */
  async saveAssessment(state: AssessmentState): Promise<void> {
    const { agent_url: url, askedBy, dueAt, pausedAt } = state;
    const due_at = pausedAt === undefined || askedBy !== undefined ? dueAt : NEVER_MS;
    await this.#tx.run(this.#statements().saveAssessment, { url, due_at, doc: JSON.stringify(state) });
    await this.#note('assessment', url);
  }

  async dropAssessment(url: string): Promise<void> {
    if ((await this.#tx.run(this.#statements().dropAssessment, { url })) > 0) await this.#note('assessment', url);
  }

  async saveTotals(totals: AgentTotals): Promise<void> {
    await this.#tx.run(this.#statements().saveTotals, { url: totals.agent_url, doc: JSON.stringify(totals) });
    await this.#note('tally', totals.agent_url);
  }

  async dropTotals(url: string): Promise<void> {
    if ((await this.#tx.run(this.#statements().dropTotals, { url })) > 0) await this.#note('tally', url);
  }

  async saveShare(domain: string, url: string, share: InventoryShare): Promise<void> {
    await this.#tx.run(this.#statements().saveShare, { domain, url, doc: JSON.stringify(share) });
    await this.#note('crawl_share', shareKey(domain, url));
  }

  async dropShare(domain: string, url: string): Promise<void> {
    const dropped = await this.#tx.run(this.#statements().dropShare, { domain, url });
    if (dropped > 0) await this.#note('crawl_share', shareKey(domain, url));
  }

  async setFeedFloor(id: string): Promise<void> {
    await this.#tx.run(this.#statements().setFloor, { name: FEED_FLOOR, id });
  }
}
