import { type Clock, SECOND_MS } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import { type Loop, startLoop } from '../../platform/kernel/loop.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { TaskError } from '../../protocol/errors.js';
import type { EffectiveAdagents } from '../../registry/adagents/discovery.js';
import type { IndexedProperty } from '../../registry/mirror/lookup/answer.js';
import type { CollectionRecord } from '../../registry/model/records.js';
import { createPublisherFiles, isInStep, type PublisherCopy } from '../../registry/publish/publisher-files.js';
import type { ListEntry } from '../domain/targeting/lists.js';
import type { Principal } from '../domain/tenant/principal.js';
import type { Seller } from '../domain/tenant/seller.js';
import { createSellingRights } from './selling-rights.js';

/** The lookups of inventory by its ids in a copy of a registry. */
type RegistryIds = {
  /** Returns the properties with an identifier. */
  readonly identified: (type: string, value: string) => readonly IndexedProperty[];
  /** Returns what a collection is known by, from its id in the registry or one that was merged into that. */
  readonly collectionOf: (rid: string) => readonly ListEntry[] | undefined;
  /** Returns the collections of a publisher. */
  readonly collectionsOf: (domain: string) => readonly CollectionRecord[];
};

/** A copy of a registry that keeps itself in step. */
export type RegistryCopy = PublisherCopy &
  RegistryIds & {
    /** What is known of a brand by its domain: a brand.json, or a manifest. */
    readonly brandOf: (domain: string) => Promise<Readonly<Record<string, unknown>> | undefined>;
    /** Keeps in step from now on, until `close`. */
    readonly start: () => void;
    /** One round: what has changed at the registry is taken over when it is time. */
    readonly tick: () => Promise<void>;
    /** What an operator asks of it; see `operateMirror`. */
    readonly operate: (action: unknown) => Promise<object>;
    readonly close: () => Promise<void>;
  };

/** How far a registry is behind, and what it came to; `/readyz` shows it as it is. */
type RegistryReport = {
  readonly status: 'in_step' | 'stale' | 'never_in_step';
  /** null before the first time. */
  readonly lag_seconds: number | null;
  readonly policy: 'refuse' | 'warn';
  /** Products that no publisher authorizes; null before they were judged. */
  readonly unauthorized_products: number | null;
};

/** The questions that selling asks a registry. Without a registry nothing is asked, and everything may be sold. */
export type RegistryUse = RegistryIds & {
  /** A seller as a caller may see it; see `SellingRights`. */
  readonly seen: (seller: Seller, principal: Principal | undefined) => Seller;
  /** What the registry knows of a brand. */
  readonly brandOf: (domain: string) => Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Returns the file of a publisher as the copy has it; undefined where it knows none. */
  readonly effectiveOf: (domain: string) => EffectiveAdagents | undefined;
  /** Changes with what the copy holds. */
  readonly stamp: () => string;
  /** Returns the products that no publisher authorizes, as `tenant: product_id`; undefined where that was not judged. */
  readonly unauthorized: () => readonly string[] | undefined;
  /** Undefined without a registry. */
  readonly report: () => RegistryReport | undefined;
  /** Keeps in step and judges from now on, until `close`. */
  readonly start: () => void;
  /** One round of both. */
  readonly tick: () => Promise<void>;
  /** What an operator asks of the copy; see `operateMirror`. Throws INVALID_STATE when there is none. */
  readonly operate: (action: unknown) => Promise<object>;
  readonly close: () => Promise<void>;
};

/** The settings and the services for the use of a registry. */
export type RegistryUseOptions = {
  readonly copy: RegistryCopy | undefined;
  readonly maxStalenessMs: number;
  readonly policy: 'refuse' | 'warn';
  readonly outbound: () => Pick<Outbound, 'fetch'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly local: boolean;
  readonly sellers: () => ReadonlyMap<string, Seller>;
};

/** Opens the use of a registry. Nothing may be sold to real buyers before its first round. */
export function openRegistryUse(options: RegistryUseOptions): RegistryUse {
  const { copy } = options;
  const basis = (): string => `${isInStep(options)} ${copy?.stamp() ?? ''}`;
  const rights = createSellingRights({ ...options, basis, files: createPublisherFiles(options) });

  let loop: Loop | undefined;

  return {
    seen: (seller, principal) => rights.seen(seller, principal),
    brandOf: async (domain) => copy?.brandOf(domain),
    effectiveOf: (domain) => copy?.effectiveOf(domain),
    identified: (type, value) => copy?.identified(type, value) ?? [],
    collectionOf: (rid) => copy?.collectionOf(rid),
    collectionsOf: (domain) => copy?.collectionsOf(domain) ?? [],
    stamp: () => copy?.stamp() ?? '',
    unauthorized: () => rights.unauthorized(),
    report: () => reportUse(options, rights),
    start: () => {
      copy?.start();
      // Beside the copy: the first reading of a registry takes its time, and publishers can be asked meanwhile.
      loop ??= startLoop('selling rights', SECOND_MS, options.log, () => rights.judge());
    },
    tick: async () => {
      await copy?.tick();
      await rights.judge();
    },
    operate: async (action) => {
      if (copy !== undefined) return await copy.operate(action);
      throw new TaskError('INVALID_STATE', 'The copy of the registry could not be opened.', {
        suggestion: 'Look into the log of the server for why.',
      });
    },
    close: async () => {
      await loop?.stop();
      await copy?.close();
    },
  };
}

function reportUse(
  options: RegistryUseOptions,
  rights: Pick<RegistryUse, 'unauthorized'>,
): ReturnType<RegistryUse['report']> {
  const staleness = options.copy?.stalenessMs() ?? Number.POSITIVE_INFINITY;
  const hasBeenInStep = Number.isFinite(staleness);
  const status = isInStep(options) ? 'in_step' : 'stale';
  return {
    status: hasBeenInStep ? status : 'never_in_step',
    lag_seconds: hasBeenInStep ? Math.round(staleness / SECOND_MS) : null,
    policy: options.policy,
    unauthorized_products: rights.unauthorized()?.length ?? null,
  };
}
