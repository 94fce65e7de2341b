import type { Generated } from '../../../platform/database/kysely.js';
import type { Noun } from '../../model/records.js';
import type { CountTables } from './counts.js';
import type { LookupTables } from './lookups.js';
import type { PropertyCheckTables } from './property-checks.js';
import type { ReplicationTables } from './replication.js';

/**
 * A row of a noun. `doc` is the record as JSON; `event_id` the event that it stands at, empty for one that no event told of; a row that
 * is gone stays with its event for as long as the feed may tell of it again.
 */
export type RecordRow = {
  readonly id: string;
  readonly publisher_domain: string | null;
  /** Canonical; of authorizations. */
  readonly agent_url: string | null;
  readonly event_id: string;
  readonly gone: number;
  readonly doc: string;
};

/** The nouns that a registry service has beside the records. */
export const SERVICE_RECORD_KINDS = [
  'organization',
  'api_key',
  'member',
  'member_agent',
  'entry',
  'revision',
  'ownership',
  'review',
  'denied',
  'brand_copy',
  'blocked',
  'badge_key',
  'revoked_badge',
  'operator_act',
  'legal_hold',
] as const;
export type ServiceRecordKind = (typeof SERVICE_RECORD_KINDS)[number];

/** A row of a noun of the service: `scope` is what it belongs to, `mark` what else it is looked up by; empty where there is none. */
export type ServiceRow = { readonly id: string; readonly scope: string; readonly mark: string; readonly doc: string };

/** The tables of a registry, of a mirror and of the service alike. Those who add tables add their type here. */
export type RegistryTables = { readonly [N in Noun]: RecordRow } & {
  readonly [N in ServiceRecordKind]: ServiceRow;
} & LookupTables &
  CountTables &
  PropertyCheckTables &
  ReplicationTables & {
    /** Rids that were merged into another. */
    alias: { id: string; canonical: string };
    /** The service's log; a mirror of a registry without one has none. */
    event: {
      event_id: string;
      event_type: string;
      entity_id: string;
      /** Milliseconds. */
      created_at: number;
      doc: string;
    };
    /** Where a mirror stands in the feed of a registry. */
    feed_cursor: {
      registry: string;
      cursor: string;
      /** When the mirror last reached the end of the feed, ms; 0 before it ever did. */
      synced_at: number;
      /** What the rows were read of: nothing yet, the registry's records, or its views of publishers. */
      basis: 'none' | 'records' | 'publishers';
    };
    /** What the crawler knows of publishers, of requests, of agents, and what agents sell over all publishers. */
    /** `mark` is the skeleton of the domain of a publisher that has a file. */
    crawl: { domain: string; due_at: number; mark: Generated<string>; failures: Generated<number>; doc: string };
    crawl_request: { id: string; domain: string; open: number; requested_at: number; doc: string };
    visit: { agent_url: string; due_at: number; failures: number; doc: string };
    /** Agents whose members consent to their assessments. */
    assessment: { agent_url: string; due_at: number; doc: string };
    /** Publishers that an agent says it sells, whatever they say. */
    claim: { publisher_domain: string; agent_url: string };
    tally: { agent_url: string; doc: string };
    /** What each agent sells of one publisher. */
    crawl_share: { domain: string; agent_url: string; doc: string };
    /** How often a caller did what is limited, in a window that ends at an instant. */
    call_count: { id: string; points: number; until_ms: number };
    /** What several processes on one database tell each other. */
    store_change: { seq: Generated<number>; at_ms: number; noun: string; id: string; doc: string | null };
    lease: { name: string; holder: string; fence: number; until_ms: number; idle_ms: number | null };
    process: { id: string; version: string; ahead_ms: number; started_ms: number; seen_ms: number };
    /** One row as long as a copy of another store is being made here. */
    unfinished_copy: { id: number };
    /** The last event that the log has forgotten. */
    feed_floor: { name: string; event_id: string };
  };
