import type { DiscoveryMethod } from '../../adagents/discovery.js';
import type { InventoryShare, InventoryTotals } from '../service/agent/inventory/totals.js';
import type { AgentReading, DeclaredOffer } from '../service/agent/reading.js';

export type { InventoryShare } from '../service/agent/inventory/totals.js';

/** A document as it was served, with what its server takes as the question whether it has changed. */
export type ServedDocument = {
  readonly url: string;
  readonly status: number;
  /** After decompression. */
  readonly bytes: number;
  readonly etag?: string;
  readonly lastModified?: string;
};

/** The state of a publisher between two crawls. Instants in milliseconds. */
export type CrawlState = {
  readonly domain: string;
  /** The publisher whose file named it, as long as it has none of its own. */
  readonly namedBy?: string;
  /** When the file was last looked for, and when next. */
  readonly attemptedAt: number;
  readonly dueAt: number;
  /** When it was read last; 0: never. */
  readonly readAt: number;
  /** Readings in a row that came to nothing. */
  readonly failures: number;
  /** The outcome of the last attempt: a reason of the discovery. */
  readonly reason: string;
  readonly message: string;
  /** Where the file that counts stands. */
  readonly kept?: {
    readonly url: string;
    readonly method: DiscoveryMethod;
    readonly managerDomain?: string;
    readonly lastUpdated?: number;
  };
  /** A new authoritative location that has to stay for a day. */
  readonly pending?: { readonly url: string; readonly since: number };
  /** When the publisher was first seen revoked. */
  readonly revokedAt?: number;
  /** Digests of the parts of the file, by their names: which of them a change is in. */
  readonly parts: Readonly<Record<string, string>>;
  /** When its records were last made what its file says; absent before that, and while it is under way. */
  readonly settledAt?: number;
  readonly findings: { readonly errors: number; readonly warnings: number };
  /** The last answer: the status at the file's own place, and the size of the file that was read. */
  readonly served?: { readonly status: number; readonly bytes: number };
  /** The documents that the file that counts was read of, and when all of them were read. */
  readonly documents?: readonly ServedDocument[];
  readonly fullAt?: number;
  /** The file's catalog of formats, as written. */
  readonly formats?: readonly Readonly<Record<string, unknown>>[];
};

/** An agent's share of one publisher, by its canonical URL. */
export type PublisherShare = readonly [agentUrl: string, share: InventoryShare];

/** States of a crawl that somebody asked for. */
const REQUEST_STATES = ['queued', 'running', 'deferred', 'retrying', 'completed', 'invalid', 'failed'] as const;
/** The state of a crawl request. */
export type RequestState = (typeof REQUEST_STATES)[number];

/** A crawl that somebody asked for, in the members of the wire. */
export type CrawlRequest = {
  readonly crawl_request_id: string;
  readonly domain: string;
  readonly status: RequestState;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly requested_at: string;
  readonly started_at: string | null;
  readonly last_attempted_at: string | null;
  readonly completed_at: string | null;
  readonly next_attempt_at: string | null;
  readonly last_error_code: string | null;
  /** The caller that asked; not shown. */
  readonly requested_by: string;
  /** What is read where that is not all of a publisher; not shown. */
  readonly reads?: 'brand';
};

/** The outcome of a visit to an agent. Instants in milliseconds. */
export type Visit = {
  /** Canonical. */
  readonly agent_url: string;
  readonly visitedAt: number;
  readonly dueAt: number;
  readonly failures: number;
  /** Why there is no reading, or none that is newer. */
  readonly fault?: string;
  /** The last one that succeeded. */
  readonly reading?: AgentReading;
  readonly readAt?: number;
  /** The inventory that it declares itself. */
  readonly offer?: DeclaredOffer;
};

/** The inventory of an agent over all publishers. */
export type AgentTotals = { readonly agent_url: string } & InventoryTotals;
