import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.js';
import type { Outbound } from '../../kernel/fetch.js';
import { type AdagentsDiscovery, discoverAdagents } from '../adagents-discovery.js';
import {
  effectiveAt,
  type HeldAdagents,
  type KeptAdagents,
  type SettledAdagents,
  settleAdagents,
} from '../adagents-keep.js';
import { walkSteps } from '../walk.js';
import { askAgain, servedDocument } from './crawl-again.js';
import type { CrawlState, ServedDocument } from './crawl-records.js';
import { type SettleContext, settlePublisher } from './settle.js';

/** What a crawl needs of the registry. */
export type CrawlContext = SettleContext & {
  readonly outbound: Pick<Outbound, 'fetch'>;
  /** Lets http and loopback agents through, in development mode only. */
  readonly isDevelopment: boolean;
};

/** What one crawl of a publisher came to. */
export type CrawlOutcome = {
  readonly state: CrawlState;
  /** `unchanged`: the publisher's servers say so, and nothing was read. */
  readonly verdict: SettledAdagents['verdict'] | 'unchanged';
  readonly discovery: Pick<AdagentsDiscovery, 'reason' | 'isTransient'>;
  /** How many events it told. */
  readonly events: number;
};

/** How often a publisher is read, and how soon again after trouble, twice as late each time. */
export const RECRAWL_MS = HOUR_MS;
const RETRY_MS = 5 * MINUTE_MS;
const MOST_LATE_MS = DAY_MS;
/** Most formats that are kept of a file. */
const MOST_FORMATS = 200;

/**
 * Reads the adagents.json of a publisher and makes the records what it says (spec 1, Events; facts 2.3). Trouble that passes keeps what
 * was read before; a file older than the last one is refused; a new authoritative location waits for a day.
 */
export async function crawlPublisher(context: CrawlContext, domain: string): Promise<CrawlOutcome> {
  const { clock, isDevelopment, outbound, store } = context;
  const before = await store.read.crawl.state(domain);
  const asked = await askAgain(outbound, before, { local: isDevelopment, nowMs: clock.now() });
  if (asked.isUnchanged && before !== undefined) return restartClock(context, before);
  const documents: ServedDocument[] = [];
  const steps = discoverAdagents(domain, { nowMs: clock.now(), local: isDevelopment });
  const discovery = await walkSteps(steps, asked.isUnchanged ? outbound : asked.outbound, {
    local: isDevelopment,
    seen: (wanted, answer) => documents.push(servedDocument(wanted, answer)),
  });
  const nowMs = clock.now();
  const { held, verdict } = settleAdagents<KeptAdagents>(before && heldOf(before), discovery, nowMs);
  const isMissed = discovery.effective === undefined;
  const failures = isMissed ? (before?.failures ?? 0) + 1 : 0;
  const state: CrawlState = {
    domain,
    attemptedAt: nowMs,
    dueAt: nowMs + (isMissed ? lateness(failures, discovery.isTransient) : RECRAWL_MS),
    // A reading that found no file is no reading of one.
    readAt: verdict === 'dropped' ? (before?.readAt ?? 0) : held.readAt,
    failures,
    reason: discovery.reason,
    message: discovery.message,
    ...(held.effective === undefined ? {} : { kept: keptOf(held.effective, discovery, before) }),
    ...(held.pending === undefined ? {} : { pending: held.pending }),
    ...(held.revokedAt === undefined ? {} : { revokedAt: held.revokedAt }),
    parts: before?.parts ?? {},
    shares: before?.shares ?? {},
    findings: countFindings(discovery),
    ...servedOf(documents),
    ...(verdict === 'adopted'
      ? { documents, fullAt: nowMs, formats: discovery.effective?.file.formats.slice(0, MOST_FORMATS) ?? [] }
      : verdict !== 'dropped' && before?.formats !== undefined && { formats: before.formats }),
  };
  if (verdict !== 'adopted' && verdict !== 'dropped') {
    await store.transact((tx) => tx.crawl.saveState(state));
    return { state, verdict, discovery, events: 0 };
  }
  const { effective } = discovery;
  const counts = effective && effectiveAt({ ...held, effective }, nowMs);
  const events = await settlePublisher(context, state, verdict === 'adopted' ? counts : undefined, discovery.reason);
  return { state, verdict, discovery, events };
}

/** A file that is as it was counts as read just now (facts 2.3). */
async function restartClock({ clock, store }: CrawlContext, before: CrawlState): Promise<CrawlOutcome> {
  const nowMs = clock.now();
  const served = { status: 304, bytes: before.served?.bytes ?? 0 };
  const state: CrawlState = { ...before, attemptedAt: nowMs, readAt: nowMs, dueAt: nowMs + RECRAWL_MS, served };
  await store.transact((tx) => tx.crawl.saveState(state));
  return { state, verdict: 'unchanged', discovery: { reason: 'found', isTransient: false }, events: 0 };
}

function servedOf(documents: readonly ServedDocument[]): Pick<CrawlState, 'served'> {
  const [first] = documents;
  const last = documents.at(-1);
  return first === undefined || last === undefined ? {} : { served: { status: first.status, bytes: last.bytes } };
}

/** Milliseconds until a publisher without a file is tried again. What does not pass by itself can wait. */
function lateness(failures: number, isTransient: boolean): number {
  return isTransient ? Math.min(RETRY_MS * 2 ** Math.min(failures - 1, 10), MOST_LATE_MS) : MOST_LATE_MS;
}

function heldOf({ kept, pending, readAt, revokedAt }: CrawlState): HeldAdagents<KeptAdagents> {
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
    ...(pending === undefined ? {} : { pending }),
    ...(revokedAt === undefined ? {} : { revokedAt }),
  };
}

function keptOf(
  { file, method, url }: KeptAdagents,
  { effective }: AdagentsDiscovery,
  before: CrawlState | undefined,
): NonNullable<CrawlState['kept']> {
  const managerDomain = effective?.url === url ? effective.managerDomain : before?.kept?.managerDomain;
  return {
    url,
    method,
    ...(managerDomain === undefined ? {} : { managerDomain }),
    ...(file.lastUpdated === undefined ? {} : { lastUpdated: file.lastUpdated }),
  };
}

function countFindings({ findings }: AdagentsDiscovery): CrawlState['findings'] {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors };
}
