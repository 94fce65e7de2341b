import type { Clock } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import type { Log } from '../../../platform/kernel/log.js';
import type { TxtLookup } from '../../../platform/net/dns.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import type { ProtocolNames } from '../../../protocol/names.js';
import type { RegistryIndex } from '../../mirror/index/registry-index.js';
import type { RegistryPolicy } from '../../settings.js';
import type { RegistryCaller } from '../auth/caller.js';
import type { Identity } from '../auth/identity.js';
import type { RegistryLimits } from '../auth/limits.js';
import type { Crawler } from '../crawl/crawler.js';
import type { FileReader } from '../crawl/files/file-reader.js';
import type { ServerStore } from '../store/server-store.js';
import type { ProbeGate } from './agent/probe.js';
import type { Profiles } from './agent/search/search.js';
import type { BrandCache } from './brand/brand-cache.js';
import type { StreamRoom } from './feed/stream.js';
import type { Listings } from './listings/listings.js';
import type { LiveLookups } from './lookups.js';

/** The registry of one process: what its operations are given. */
export type Registry = {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly store: ServerStore;
  /** The guarded way out. */
  readonly outbound: Outbound;
  /** TXT records, for proofs of ownership. */
  readonly txt: TxtLookup;
  readonly names: ProtocolNames;
  /** Where callers reach it, without a trailing slash. */
  readonly baseUrl: () => string;
  readonly version: string;
  readonly limits: RegistryLimits;
  readonly policy: RegistryPolicy;
  readonly lookups: LiveLookups;
  /** Reads files for callers without holding the event loop. */
  readonly files: FileReader;
  readonly listings: Listings;
  readonly brandCache: BrandCache;
  /** The records in memory: authorizations, identifiers, publishers. */
  readonly index: RegistryIndex;
  /** What agents sell, for searching. */
  readonly profiles: Profiles;
  readonly crawler: Crawler;
  readonly probes: ProbeGate;
  readonly streams: StreamRoom;
  /** Lets http and loopback through, in development mode only. */
  readonly isDevelopment: boolean;
  /** A brand-data provider; absent where none is configured. Answers undefined for a brand that it does not know. */
  readonly enrich?: (domain: string) => Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Whom a bearer token proves; undefined for one that proves nobody. */
  readonly identify: (token: string) => Promise<RegistryCaller | undefined>;
  /** Who vouches for users; absent where only keys are taken. */
  readonly identity?: Identity;
  /** The registry whose mirror this is; absent for one of its own. */
  readonly mirrors?: string;
};
