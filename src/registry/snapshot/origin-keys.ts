import { type Clock, MINUTE_MS } from '../../kernel/clock.js';
import { canonicalAgentUrl } from '../agent-url.js';
import type { PinnedKey } from '../pins.js';
import type { OriginReader } from './source.js';

/** The keys that a publisher's own file pins for an agent; undefined when its file cannot be read, an empty list when it pins none. */
export type OriginKeys = (agentUrl: string, publisherDomain: string) => Promise<readonly PinnedKey[] | undefined>;

/** How long one reading of a file serves all that ask (facts 4). */
const COALESCED_MS = MINUTE_MS;
const MOST_FILES = 1000;

/**
 * Reads pins where they are true: the feed is hearsay, and a key that it names counts only once the origin's file says so (spec 1,
 * save-time controls; facts-webhooks 2.4).
 */
export function createOriginKeys(read: OriginReader, clock: Clock): OriginKeys {
  const readings = new Map<string, { readonly at: number; readonly file: ReturnType<OriginReader> }>();
  return async (agentUrl, publisherDomain) => {
    const canonical = canonicalAgentUrl(agentUrl);
    const nowMs = clock.now();
    let reading = readings.get(publisherDomain);
    if (reading === undefined || nowMs - reading.at >= COALESCED_MS) {
      if (readings.size >= MOST_FILES) readings.clear();
      reading = { at: nowMs, file: read(publisherDomain) };
      readings.set(publisherDomain, reading);
    }
    const effective = await reading.file.catch(() => undefined);
    return effective?.file.agents
      .filter(({ canonicalUrl }) => canonicalUrl === canonical)
      .flatMap(({ signing_keys }) => signing_keys);
  };
}
