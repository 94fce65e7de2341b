import type { Clock } from '../../kernel/clock.js';
import type { TxtLookup } from '../../kernel/dns.js';
import type { Outbound } from '../../kernel/fetch.js';
import type { Ids } from '../../kernel/ids.js';
import type { Log } from '../../kernel/log.js';
import type { ProtocolNames } from '../../protocol/names.js';
import type { RegistryStore } from '../../store/registry/registry-store.js';
import type { RegistryIndex } from '../snapshot/registry-index.js';
import type { BrandMemory } from './brand-memory.js';
import type { RegistryCaller } from './caller.js';
import type { Crawler } from './crawler.js';
import type { StreamRoom } from './feed-stream.js';
import type { FileDesk } from './file-desk.js';
import type { Identity } from './identity.js';
import type { RegistryLimits } from './limits.js';
import type { Listings } from './listings.js';
import type { Live } from './live.js';
import type { RegistryPolicy } from './policy.js';
import type { ProbeGate } from './probe.js';
import type { Profiles } from './profiles.js';

/** The registry of one process: what its operations are given. */
export type Registry = {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly store: RegistryStore;
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
  readonly live: Live;
  /** Reads files for callers without holding the event loop. */
  readonly files: FileDesk;
  readonly listings: Listings;
  readonly brandMemory: BrandMemory;
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
