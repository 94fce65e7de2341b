import { applyFile, type PublisherContext } from './apply/apply.js';
import type { CrawlState } from './records.js';

/** Takes everything out that a publisher's file said, and tells it to be gone. The crawler forgets the publisher. Returns how many events that took. */
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
  await store.transact((tx) => tx.crawl.dropState(domain));
  return events;
}
