import { type Clock, MINUTE_MS } from '../../platform/kernel/clock.js';
import type { Outbound } from '../../platform/net/fetch.js';
import type { KeyDirectory, SigningAgent } from '../../platform/signing/directory/key-directory.js';
import { discoverAdagents } from '../adagents/discovery.js';
import type { PinnedKey } from '../adagents/pins.js';
import { walkSteps } from '../documents/walk.js';
import { canonicalAgentUrl } from '../model/agent-url.js';
import type { OriginReader } from './source.js';

/** The keys that a publisher's own file pins for an agent; undefined when its file cannot be read, an empty list when it pins none. */
export type OriginKeys = (agentUrl: string, publisherDomain: string) => Promise<readonly PinnedKey[] | undefined>;

/** How long one reading of a file serves all that ask. */
const COALESCED_MS = MINUTE_MS;
const MAX_FILES = 1000;

/**
 * Reads pins where they are true: the feed is hearsay, and a key that it names counts only once the origin's file says so.
 */
export function createOriginKeys(read: OriginReader, clock: Clock): OriginKeys {
  const readings = new Map<string, { readonly at: number; readonly file: ReturnType<OriginReader> }>();
  return async (agentUrl, publisherDomain) => {
    const canonical = canonicalAgentUrl(agentUrl);
    const nowMs = clock.now();
    let reading = readings.get(publisherDomain);
    if (reading === undefined || nowMs - reading.at >= COALESCED_MS) {
      if (readings.size >= MAX_FILES) readings.clear();
      reading = { at: nowMs, file: read(publisherDomain) };
      readings.set(publisherDomain, reading);
    }
    const effective = await reading.file.catch(() => undefined);
    return effective?.file.agents
      .filter(({ canonicalUrl }) => canonicalUrl === canonical)
      .flatMap(({ signing_keys }) => signing_keys);
  };
}

/** Reads publishers' files where they are; `local` lets those of this machine be read too, in development mode. */
export function createOriginReader(outbound: Pick<Outbound, 'fetch'>, clock: Clock, local: boolean): OriginReader {
  return async (domain) => {
    const steps = discoverAdagents(domain, { nowMs: clock.now(), local });
    return (await walkSteps(steps, outbound, { local })).effective;
  };
}

/**
 * Returns a directory whose keys count only as far as a publisher's file lets them: where it pins keys for an agent no
 * other is the agent's; where it cannot be read, none.
 */
export function pinnedBy(keys: KeyDirectory, keysOf: OriginKeys, publisherDomain: string): KeyDirectory {
  async function withPins(agent: SigningAgent): Promise<SigningAgent> {
    const pins = await keysOf(agent.url, publisherDomain);
    return pins?.length === 0 ? agent : { ...agent, pins: pins ?? [] };
  }
  return {
    find: async (agent, keyid) => await keys.find(await withPins(agent), keyid),
    findAmong: async (agents, keyid) => await keys.findAmong(await Promise.all(agents.map(withPins)), keyid),
  };
}
