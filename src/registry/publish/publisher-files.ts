import { type Clock, HOUR_MS, MINUTE_MS } from '../../platform/kernel/clock.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { effectiveAt, type HeldAdagents, settleAdagents } from '../adagents/digest.js';
import { discoverAdagents, type EffectiveAdagents } from '../adagents/discovery.js';
import { walkSteps } from '../documents/walk.js';

/** Looks up the files that count for publishers; undefined for one that cannot be known, which authorizes nobody. */
export type FileLookup = (domains: ReadonlySet<string>) => Promise<ReadonlyMap<string, EffectiveAdagents | undefined>>;

/** A copy of a registry, as far as it tells publishers' files. */
export type PublisherCopy = {
  /** Milliseconds since it was in step with the registry; infinite before the first time. */
  readonly stalenessMs: () => number;
  /** Changes with what the copy holds. */
  readonly stamp: () => string;
  /** The file of a publisher; undefined when the copy knows none that counts. */
  readonly effectiveOf: (domain: string) => EffectiveAdagents | undefined;
};

/** The copy of a registry that files are looked up in, and how old it may be. */
type PublisherFilesOptions = {
  readonly copy: PublisherCopy | undefined;
  /** How old the copy may be before the publishers are asked themselves. */
  readonly maxStalenessMs: number;
  readonly outbound: () => Pick<Outbound, 'fetch'>;
  readonly clock: Clock;
  /** Development mode: http and loopback are let through. */
  readonly local: boolean;
};

/** Of a publisher's own file: how long a reading is good, and a failure is remembered. */
const READ_EVERY_MS = HOUR_MS;
const RETRIED_EVERY_MS = 5 * MINUTE_MS;
const READ_AT_ONCE = 4;

/** Whether there is a copy, and it is in step. */
export function isInStep({ copy, maxStalenessMs }: Pick<PublisherFilesOptions, 'copy' | 'maxStalenessMs'>): boolean {
  return copy !== undefined && copy.stalenessMs() <= maxStalenessMs;
}

type Cached = { readonly held: HeldAdagents; readonly nextAt: number };

/**
 * Looks files up in the copy of a registry while it is in step, else at the publishers themselves, by the rules of copies
 *: one that was read before stands in for a day while its publisher cannot be reached.
 */
export function createPublisherFiles(options: PublisherFilesOptions): FileLookup {
  const { clock, copy, local, outbound } = options;
  const cached = new Map<string, Cached>();

  async function ask(domain: string): Promise<EffectiveAdagents | undefined> {
    const nowMs = clock.now();
    const before = cached.get(domain);
    if (before !== undefined && nowMs < before.nextAt) return effectiveAt(before.held, nowMs);
    const discovery = await walkSteps(discoverAdagents(domain, { nowMs, local }), outbound(), { local });
    const { held, verdict } = settleAdagents(before?.held, discovery, nowMs);
    cached.set(domain, { held, nextAt: nowMs + (verdict === 'adopted' ? READ_EVERY_MS : RETRIED_EVERY_MS) });
    return effectiveAt(held, nowMs);
  }

  return async (domains) => {
    const files = new Map<string, EffectiveAdagents | undefined>();
    const isUsed = isInStep(options);
    const asked: string[] = [];
    for (const domain of domains) {
      const effective = isUsed ? copy?.effectiveOf(domain) : undefined;
      if (effective === undefined) asked.push(domain);
      else files.set(domain, effective);
    }
    await Promise.all(
      Array.from({ length: READ_AT_ONCE }, async () => {
        for (let domain = asked.pop(); domain !== undefined; domain = asked.pop()) files.set(domain, await ask(domain));
      }),
    );
    for (const domain of cached.keys()) if (!domains.has(domain)) cached.delete(domain);
    return files;
  };
}
