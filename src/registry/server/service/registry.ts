import type { Readiness } from '../../../platform/health/readiness.js';
import type { Clock } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import type { Log } from '../../../platform/kernel/log.js';
import type { JumpWatch } from '../../../platform/kernel/steady-clock.js';
import type { TxtLookup } from '../../../platform/net/dns.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import type { ProtocolNames } from '../../../protocol/names.js';
import type { RegistryIndex } from '../../mirror/lookup/registry-index.js';
import type { RegistryPolicy } from '../../settings.js';
import type { RegistryCaller } from '../auth/caller.js';
import type { Identity } from '../auth/identity.js';
import type { RegistryLimits } from '../auth/limits.js';
import type { Crawler } from '../crawl/crawler.js';
import type { FileReader } from '../crawl/files/file-reader.js';
import type { DocumentCache } from '../openapi/document-cache.js';
import type { Replication } from '../replication/replication.js';
import type { ServerStore } from '../store/server-store.js';
import type { ProbeQueue } from './agent/probe.js';
import type { Profiles } from './agent/search/search.js';
import type { BadgeKeys } from './badges/keys.js';
import type { BrandCache } from './brand/brand-cache.js';
import type { StreamSlots } from './feed/stream.js';
import type { Listings } from './listings/listings.js';
import type { LiveLookups } from './lookups.js';
import type { OperatorDocuments } from './publisher/operator-documents.js';

/** The services of the registry of one process: its operations take them from here. */
export type Registry = {
  readonly clock: Clock;
  /** What is known of jumps of the clock. */
  readonly watch: JumpWatch;
  readonly ids: Ids;
  readonly log: Log;
  readonly store: ServerStore;
  /** The state of its parts. */
  readonly readiness: Readiness;
  /** The guarded fetch. */
  readonly outbound: Outbound;
  /** TXT records, for proofs of ownership. */
  readonly txt: TxtLookup;
  readonly names: ProtocolNames;
  /** The address that callers use, without a trailing slash. */
  readonly baseUrl: () => string;
  readonly version: string;
  readonly limits: RegistryLimits;
  readonly policy: RegistryPolicy;
  readonly lookups: LiveLookups;
  /** Reads files for callers without holding the event loop. */
  readonly files: FileReader;
  readonly listings: Listings;
  readonly brandCache: BrandCache;
  readonly operatorDocuments: OperatorDocuments;
  /** The API description and its page, as they were written. */
  readonly documents: DocumentCache;
  /** Authorizations, identifiers and publishers, for questions about them. */
  readonly index: RegistryIndex;
  /** Agents by what they sell. */
  readonly profiles: Profiles;
  readonly crawler: Crawler;
  readonly probes: ProbeQueue;
  /** The keys that badges are signed with; a mirror has none. */
  readonly badgeKeys?: BadgeKeys | undefined;
  readonly streams: StreamSlots;
  /** Lets http and loopback through, in development mode only. */
  readonly isDevelopment: boolean;
  /** A brand-data provider; absent where none is configured. Returns undefined for a brand that it does not know. */
  readonly enrich?: ((domain: string) => Promise<Readonly<Record<string, unknown>> | undefined>) | undefined;
  /** Returns the caller that a bearer token proves; undefined for one that proves nobody. */
  readonly identify: (token: string) => Promise<RegistryCaller | undefined>;
  /** The identity provider; absent where only keys are accepted. */
  readonly identity?: Identity | undefined;
  /** What this registry is: a primary, or the mirror of one. */
  readonly replication: Replication;
  /** The URL of the registry that this one mirrors; absent for one of its own. */
  readonly mirrors?: string | undefined;
};
