import { blockKey } from '../service/blocks/find.js';
import { applyFile, type PublisherContext } from './apply/apply.js';
import { eraseProperties } from './erase.js';
import type { CrawlState } from './records.js';

/** Takes everything out that is listed of a publisher, and tells it to be gone; what is removed for good is emptied, too. The crawler forgets the publisher. Returns how many events that took. */
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
