import { blockKey } from '../service/blocks/find.js';
import { applyFile, type PublisherContext } from './apply/apply.js';
import { eraseProperties } from './erase.js';
import type { CrawlState } from './records.js';

/**
 * Withdraws everything that is listed of a publisher, with an event for each, and makes the crawler forget it; what is removed for good
 * is emptied, too. Returns how many events that took.
 */
export async function withdrawPublisher(context: PublisherContext, domain: string): Promise<number> {
  const { clock, store } = context;
  const nowMs = clock.now();
  const { parts = {} } = (await store.read.crawl.findState(domain)) ?? {};
  const state: CrawlState = {
    domain,
    attemptedAt: nowMs,
    dueAt: nowMs,
    readAt: 0,
    failures: 0,
    reason: 'not_found',
    message: `${domain}: it is blocked.`,
    parts,
    findings: { errors: 0, warnings: 0 },
  };
  const events = await applyFile(context, state, undefined, 'blocked');
  const isRemoved = (await store.read.blocked.find(blockKey('domain', domain)))?.removed_at !== undefined;
  const erased = isRemoved ? await eraseProperties(context, domain) : 0;
  await store.transact((tx) => tx.crawl.dropState(domain));
  return events + erased;
}
