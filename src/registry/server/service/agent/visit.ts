import { DAY_MS, HOUR_MS, isoTime, SECOND_MS } from '../../../../platform/kernel/clock.js';
import { isObject } from '../../../../platform/kernel/json/json.js';
import type { Outbound } from '../../../../platform/net/fetch.js';
import type { ProtocolNames } from '../../../../protocol/names.js';
import { updateProfile } from '../../crawl/apply/agents.js';
import type { ApplyContext } from '../../crawl/apply/apply.js';
import type { Visit } from '../../crawl/records.js';
import { buildProfile, NO_INVENTORY } from './inventory/totals.js';
import { type AgentReading, readAgent, readDeclaredOffer } from './reading.js';
import { type AgentAnswer, type AgentCallOptions, openAgentSession } from './session.js';

/** The parts of the registry that a visit uses. */
export type VisitContext = ApplyContext & {
  readonly outbound: Outbound;
  readonly names: ProtocolNames;
  /** Lets http and loopback through, in development mode only. */
  readonly isDevelopment: boolean;
};

/** How long what an agent says of itself is taken for true, and how soon one that failed is tried again. */
const LASTS_MS = DAY_MS;
const RETRY_MS = HOUR_MS;
/** Milliseconds for one visit, all of its calls together. */
const VISIT_MS = 20 * SECOND_MS;
/** Products that are looked at, for what they can be filtered by. */
const MAX_PRODUCTS = 500;

/**
 * Asks an agent what it can do and what it sells, and keeps it for a day: its capabilities, metrics among them, and, of a sales agent,
 * what it shows to anybody of its products. What an agent does not answer keeps what it said before.
 */
export async function visitAgent(context: VisitContext, agentUrl: string): Promise<Visit> {
  const { clock, isDevelopment, names, outbound, store } = context;
  const before = await store.read.crawl.findVisit(agentUrl);
  const options = { outbound, now: clock.now, deadline: clock.now() + VISIT_MS, local: isDevelopment };
  const answer = await readAgent(agentUrl, names, options);
  const products = answer.ok && answer.value.type === 'sales' ? await openProducts(agentUrl, options) : undefined;
  const nowMs = clock.now();
  const visit: Visit = answer.ok
    ? {
        agent_url: agentUrl,
        visitedAt: nowMs,
        dueAt: nowMs + LASTS_MS,
        failures: 0,
        reading: answer.value,
        readAt: nowMs,
        offer: readDeclaredOffer(answer.value.capabilities, products),
      }
    : {
        ...(before ?? { agent_url: agentUrl }),
        visitedAt: nowMs,
        dueAt: nowMs + Math.min(RETRY_MS * 2 ** (before?.failures ?? 0), LASTS_MS),
        failures: (before?.failures ?? 0) + 1,
        fault: answer.fault,
      };
  await store.transact(async (tx) => {
    await tx.crawl.saveVisit(visit);
    const tally = (await tx.crawl.findTotals(agentUrl)) ?? NO_INVENTORY;
    await updateProfile(tx, clock, { url: agentUrl, profile: buildProfile(tally, visit.offer), visit });
  });
  return visit;
}

/** Returns the products that a sales agent shows to anybody; none for one that wants to know who asks. */
async function openProducts(
  url: string,
  options: AgentCallOptions,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const opened = await openAgentSession(url, options);
  if (!opened.ok) return [];
  const answer: AgentAnswer = await opened.value.call('get_products', { buying_mode: 'wholesale' });
  const products = answer.ok ? answer.value.products : undefined;
  return Array.isArray(products) ? (products as readonly unknown[]).filter(isObject).slice(0, MAX_PRODUCTS) : [];
}

/** Returns the health of an agent as its last visit found it. */
export function describeHealth({ fault, reading, visitedAt }: Visit): object {
  const isOnline = fault === undefined;
  return {
    online: isOnline,
    checked_at: isoTime(visitedAt),
    ...(isOnline && reading !== undefined ? readHealth(reading) : {}),
    error: fault,
  };
}

function readHealth({ responseMs, tools }: AgentReading): object {
  return { response_time_ms: responseMs, tools_count: tools.length, resources_count: 0 };
}
