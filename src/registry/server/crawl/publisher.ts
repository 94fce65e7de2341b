import { HOUR_MS } from '../../../platform/kernel/clock.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import {
  type AdagentsDigest,
  type HeldAdagents,
  type NewAdagents,
  type SettledAdagents,
  settleAdagents,
} from '../../adagents/digest.js';
import { DISCOVERY_REASONS } from '../../documents/discovery-reasons.js';
import { RegistryProblem } from '../service/problem.js';
import { applyFile, type CrawlResult, findAppliedParts, type PublisherContext } from './apply/apply.js';
import type { FileResults } from './files/jobs.js';
import { crawlNamed } from './named-domains.js';
import type { CrawlState, ServedDocument } from './records.js';
import { LAST_RETRY_MS, retryDelay } from './retries.js';
import { checkUnchanged, describeServed } from './unchanged.js';

/** Characters of what a reading came to. */
const MAX_MESSAGE_CHARACTERS = 500;

/** The parts of the registry that a crawl uses. */
export type CrawlContext = PublisherContext & {
  readonly outbound: Pick<Outbound, 'fetch'>;
  /** Lets http and loopback agents through, in development mode only. */
  readonly isDevelopment: boolean;
};

/** The outcome of one crawl of a publisher. */
type CrawlOutcome = {
  readonly state: CrawlState;
  /** `unchanged`: the publisher's servers say so, and nothing was read. */
  readonly verdict: SettledAdagents['verdict'] | 'unchanged';
  readonly discovery: Pick<FileResults['crawl'], 'reason' | 'isTransient'>;
  /** The number of events it appended. */
  readonly events: number;
};

/** How often a publisher is read. */
const RECRAWL_MS = HOUR_MS;
/** How often a domain that a file names is tried that never had a file of its own. */
const MAX_NAMED_FAILURES = 3;

/**
 * Reads the adagents.json of a publisher and makes the records what it says. Trouble keeps what was read before for its grace;
 * a file older than the last one is refused; one at another authoritative location waits for a day.
 */
export async function crawlPublisher(context: CrawlContext, domain: string): Promise<CrawlOutcome> {
  const { clock, isDevelopment, outbound, store } = context;
  const before = await store.read.crawl.findState(domain);
  const asked = await checkUnchanged(outbound, before, { local: isDevelopment, nowMs: clock.now() });
  if (asked.isUnchanged && before !== undefined) return restartClock(context, before);
  const documents: ServedDocument[] = [];
  const fetcher = asked.isUnchanged ? outbound : asked.outbound;
  const discovery = await discover(context, { domain, before }, fetcher, documents);
  const { effective } = discovery;
  const nowMs = clock.now();
  const { held, verdict } = settleAdagents<AdagentsDigest, NewAdagents>(
    before && heldOf(before),
    { reason: discovery.reason, ...(effective !== undefined && { effective: readOf(effective) }) },
    nowMs,
  );
  const isMissed = effective === undefined;
  const missed = (before?.failures ?? 0) + 1;
  const failures = isMissed ? missed : 0;
  const retryMs = isReadSoon(discovery, before) ? retryDelay(failures) : LAST_RETRY_MS;
  const state: CrawlState = {
    domain,
    namedBy: isMissed ? before?.namedBy : undefined,
    attemptedAt: nowMs,
    dueAt: nowMs + (isMissed ? retryMs : RECRAWL_MS),
    // A reading that found no file is no reading of one.
    readAt: verdict === 'dropped' ? (before?.readAt ?? 0) : held.readAt,
    failures,
    reason: discovery.reason,
    message: describeReading(discovery),
    ...(held.effective === undefined ? {} : { kept: digestOf(held.effective, effective, before) }),
    pending: held.pending,
    revokedAt: held.revokedAt,
    parts: before?.parts ?? {},
    settledAt: before?.settledAt,
    findings: countFindings(discovery),
    ...servedOf(documents),
    ...(verdict === 'adopted'
      ? { documents, fullAt: nowMs, formats: effective?.formats ?? [] }
      : verdict !== 'dropped' && before?.formats !== undefined && { formats: before.formats }),
  };
  if (verdict !== 'adopted' && verdict !== 'dropped') {
    await store.transact((tx) => tx.crawl.saveState(state));
    return { state, verdict, discovery, events: 0 };
  }
  return applyReading(context, { state, verdict, discovery, missed });
}

/** A reading that was settled, and how many in a row came to nothing should it do so too. */
type SettledReading = Pick<CrawlOutcome, 'state' | 'verdict'> & {
  readonly discovery: FileResults['crawl'];
  readonly missed: number;
};

/** Makes the records what a reading came to; what is too much for the thread that reads is tried again, later each time. */
async function applyReading(
  context: CrawlContext,
  { discovery, missed, state, verdict }: SettledReading,
): Promise<CrawlOutcome> {
  const { store } = context;
  const { domain } = state;
  const file = verdict === 'adopted' ? discovery.effective : undefined;
  try {
    const events = await applyFile(context, state, file, discovery.reason);
    if (file?.isSettled === false) await crawlNamed(context, domain, file);
    if (isGivenUp(state)) await store.transact((tx) => tx.crawl.dropState(domain));
    return { state, verdict, discovery, events };
  } catch (error) {
    if (!(error instanceof RegistryProblem)) throw error;
    const dueAt = state.attemptedAt + retryDelay(missed);
    const { settledAt: _settled, ...half } = { ...state, failures: missed, dueAt };
    await store.transact((tx) => tx.crawl.saveState(half));
    return { state: half, verdict: 'kept', discovery: { reason: 'invalid', isTransient: true }, events: 0 };
  }
}

/** Finds the file and reads it; one that cannot be read here is trouble that may pass. */
async function discover(
  context: CrawlContext,
  { domain, before }: { readonly domain: string; readonly before: CrawlState | undefined },
  fetcher: Pick<Outbound, 'fetch'>,
  documents: ServedDocument[],
): Promise<FileResults['crawl']> {
  const { clock, files, isDevelopment } = context;
  const { revokedAt } = before ?? {};
  const settled = await findAppliedParts(context, before);
  const job = { kind: 'crawl', domain, nowMs: clock.now(), local: isDevelopment } as const;
  try {
    return await files.run(
      { ...job, revokedAt, ...(settled !== undefined && { settled }) },
      (wanted, answer) => documents.push(describeServed(wanted, answer)),
      fetcher,
    );
  } catch (error) {
    if (!(error instanceof RegistryProblem)) throw error;
    const { fix } = DISCOVERY_REASONS.invalid;
    const message = `${domain}: the file cannot be read here.`;
    return { publisherDomain: domain, reason: 'invalid', message, fix, isTransient: true, path: [], findings: [] };
  }
}

/** Returns a file that is as it was counts as read just now. */
async function restartClock({ clock, store }: CrawlContext, before: CrawlState): Promise<CrawlOutcome> {
  const nowMs = clock.now();
  const served = { status: 304, bytes: before.served?.bytes ?? 0 };
  const state: CrawlState = { ...before, attemptedAt: nowMs, readAt: nowMs, dueAt: nowMs + RECRAWL_MS, served };
  await store.transact((tx) => tx.crawl.saveState(state));
  return { state, verdict: 'unchanged', discovery: { reason: 'found', isTransient: false }, events: 0 };
}

/** Whether a domain that is crawled because a file named it came to nothing often enough. */
function isGivenUp({ failures, namedBy }: CrawlState): boolean {
  return namedBy !== undefined && failures >= MAX_NAMED_FAILURES;
}

function servedOf(documents: readonly ServedDocument[]): Pick<CrawlState, 'served'> {
  const [first] = documents;
  const last = documents.at(-1);
  return first === undefined || last === undefined ? {} : { served: { status: first.status, bytes: last.bytes } };
}

/** Whether a publisher whose file could not be read is read again soon: not where it never had one, or a file names it that it may not answer. */
function isReadSoon({ isTransient, reason }: FileResults['crawl'], before: CrawlState | undefined): boolean {
  if (isTransient || before?.kept !== undefined) return true;
  return before?.namedBy === undefined && (reason !== 'not_found' || (before?.readAt ?? 0) > 0);
}

function heldOf({ kept, pending, readAt, revokedAt }: CrawlState): HeldAdagents<AdagentsDigest> {
  return {
    ...(kept === undefined
      ? {}
      : {
          effective: {
            method: kept.method,
            url: kept.url,
            file: kept.lastUpdated === undefined ? {} : { lastUpdated: kept.lastUpdated },
          },
        }),
    readAt,
    pending,
    revokedAt,
  };
}

function readOf({ isRevoked, lastUpdated, method, publisherDomain, url }: CrawlResult): NewAdagents {
  const revoked = new Map(isRevoked ? [[publisherDomain, undefined]] : []);
  return { method, publisherDomain, url, file: { revoked, lastUpdated } };
}

function digestOf(
  { file, method, url }: AdagentsDigest,
  effective: CrawlResult | undefined,
  before: CrawlState | undefined,
): NonNullable<CrawlState['kept']> {
  const managerDomain = effective?.url === url ? effective.managerDomain : before?.kept?.managerDomain;
  return {
    url,
    method,
    managerDomain,
    lastUpdated: file.lastUpdated,
  };
}

/** Returns what a reading came to, with the first error in a file that was read and cannot be used. */
function describeReading({ effective, findings, message }: FileResults['crawl']): string {
  const first = effective === undefined ? findings.find(({ severity }) => severity === 'error') : undefined;
  if (first === undefined) return message;
  const place = first.pointer === '' ? '' : `${first.pointer} `;
  return `${message.replace(/\.$/, '')}: ${place}${first.message}.`.slice(0, MAX_MESSAGE_CHARACTERS);
}

function countFindings({ findings }: FileResults['crawl']): CrawlState['findings'] {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors };
}
